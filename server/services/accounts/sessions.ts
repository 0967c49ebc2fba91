/** Sessions: opaque tokens that end on request or when unused. Only their hashes are stored. */
import { createHash, randomUUID } from 'node:crypto';

import { type Dependencies } from '#server/app/dependencies';
import {
  addSession,
  createLaunchRepository,
  createSessionRepository,
  type LoginProof,
} from '#server/db/sessions';
import { AppError } from '#server/lib/errors';
import { createSentenceFinder } from '#server/lib/known-sentences';
import { type Sentence } from '#server/lib/languages';
import { sessionRules } from '#server/lib/limits';
import { type Caller, getAddressPrefix, type SessionUser } from '#server/lib/requester';

import { deviceTexts } from './texts.ts';

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ database, clock, random }: Dependencies) {
  const sessions = createSessionRepository(database.db);
  const launches = createLaunchRepository(database.db);
  const listeners: ((telegramId: number) => void)[] = [];
  const publishEnd = (telegramId: number) => {
    for (const listener of listeners) {
      listener(telegramId);
    }
  };

  return {
    /**
     * Starts a session and returns its token. The oldest sessions of a user beyond ten end. Throws
     * `wrong_credentials` when the password of the proof was changed meanwhile, and `invalid_launch_data` when the
     * launch is void by now.
     */
    async start(
      telegramId: number,
      { address, userAgent }: Caller,
      proof: LoginProof = {},
    ): Promise<{ readonly id: string; readonly token: string }> {
      const token = random.bytes(32).toString('base64url');
      const now = clock();
      const session = {
        id: randomUUID(),
        tokenHash: hashToken(token),
        telegramId,
        device: nameDevice(userAgent),
        addressPrefix: getAddressPrefix(address),
        createdAt: now,
        lastSeenAt: now,
        expiresAt: getExpiry(now, now),
      };
      const count = await addSession(database, session, proof);
      if (count === undefined) {
        const isByLaunch = proof.launchedAt !== undefined;
        throw new AppError(isByLaunch ? 'invalid_launch_data' : 'wrong_credentials');
      }
      if (count >= sessionRules.maxPerUser) {
        await sessions.keepNewest(telegramId, sessionRules.maxPerUser);
      }
      return { id: session.id, token };
    },

    /** The user of this token, whose session is prolonged; undefined when it is unknown or has ended. */
    async authenticate(token: string, address: string): Promise<SessionUser | undefined> {
      const now = clock();
      const session = await sessions.findByToken(hashToken(token), now);
      if (session && now - session.lastSeenAt >= sessionRules.touchEveryMs) {
        const expiresAt = getExpiry(session.createdAt, now);
        const addressPrefix = getAddressPrefix(address);
        await sessions.touch(session.id, { lastSeenAt: now, expiresAt, addressPrefix });
      }
      return session && { telegramId: session.telegramId, sessionId: session.id };
    },

    isAlive: ({ sessionId }: SessionUser): Promise<boolean> => sessions.isAlive(sessionId, clock()),

    async end({ sessionId, telegramId }: SessionUser): Promise<void> {
      await sessions.remove({ telegramId, id: sessionId }, clock());
      publishEnd(telegramId);
    },

    /** Ends one session of the user. Throws `session_not_found` for those of others, too. */
    async endOne({ telegramId }: SessionUser, id: string): Promise<void> {
      if ((await sessions.remove({ telegramId, id }, clock())) === undefined) {
        throw new AppError('session_not_found');
      }
      publishEnd(telegramId);
    },

    /**
     * Ends a session that the user says is not theirs, and voids the launches that it may have begun with. Returns
     * its device; undefined when it has ended already, or is that of another user.
     */
    async disown({ telegramId, sessionId }: SessionUser): Promise<string | undefined> {
      await launches.voidUntil(telegramId, clock());
      const device = await sessions.remove({ telegramId, id: sessionId }, clock());
      publishEnd(telegramId);
      return device;
    },

    /** Ends the other sessions of the user, and voids their launches. Returns how many sessions there were. */
    async endOthers({ telegramId, sessionId }: SessionUser): Promise<number> {
      // First: a login by launch data that is under way is either over by then, or refused.
      await launches.voidUntil(telegramId, clock());
      const ended = await sessions.removeOthers({ telegramId, id: sessionId }, clock());
      publishEnd(telegramId);
      return ended;
    },

    /** Tells the listeners that all sessions of the user were removed, as with a new password. */
    publishEnd,

    /** Calls back with the user when sessions are ended on request, but not when they expire. */
    onEnd: (listener: (telegramId: number) => void) => void listeners.push(listener),

    /** The sessions of the user, the most recently used first. */
    list: ({ telegramId }: SessionUser) => sessions.list(telegramId, clock()),
  };
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function getExpiry(createdAt: number, lastSeenAt: number): number {
  return Math.min(lastSeenAt + sessionRules.idleMs, createdAt + sessionRules.absoluteMs);
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/Telegram/i, 'Telegram'],
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A short name such as "Chrome on Windows", in English. The user agent itself is not stored. */
export function nameDevice(userAgent = ''): string {
  const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  if (browser === undefined || system === undefined) {
    return browser ?? system ?? deviceTexts.unknown;
  }
  return deviceTexts.browserOn(browser, system);
}

const findDevice = createSentenceFinder([deviceTexts]);

/** A stored name of a device, for every language. */
export function sayDevice(device: string): Sentence {
  return findDevice(device) ?? (() => device);
}
