/** Sessions: opaque tokens that end on request or when unused. Only their hashes are stored. */
import { createHash, randomUUID } from 'node:crypto';

import { type Dependencies } from '#server/app/dependencies';
import { addSession, createSessionRepository } from '#server/db/sessions';
import { AppError } from '#server/lib/errors';
import { createSentenceFinder } from '#server/lib/known-sentences';
import { type Sentence } from '#server/lib/languages';
import { sessionRules } from '#server/lib/limits';
import { type SessionUser } from '#server/lib/requester';

import { deviceTexts } from './texts.ts';

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ database, clock, random }: Dependencies) {
  const sessions = createSessionRepository(database.db);
  const listeners: ((telegramId: number) => void)[] = [];
  const publishEnd = (telegramId: number) => {
    for (const listener of listeners) {
      listener(telegramId);
    }
  };

  return {
    /**
     * Starts a session and returns its token. The oldest sessions of a user beyond ten end. With
     * `passwordHash`, the session is by this password: throws `wrong_credentials` when it was changed meanwhile.
     */
    async start(
      telegramId: number,
      userAgent: string | undefined,
      passwordHash?: string,
    ): Promise<string> {
      const token = random.bytes(32).toString('base64url');
      const now = clock();
      const session = {
        id: randomUUID(),
        tokenHash: hashToken(token),
        telegramId,
        device: nameDevice(userAgent),
        createdAt: now,
        lastSeenAt: now,
        expiresAt: getExpiry(now, now),
      };
      const count = await addSession(database, session, passwordHash);
      if (count === undefined) {
        throw new AppError('wrong_credentials');
      }
      if (count >= sessionRules.maxPerUser) {
        await sessions.keepNewest(telegramId, sessionRules.maxPerUser);
      }
      return token;
    },

    /** The user of this token, whose session is prolonged; undefined when it is unknown or has ended. */
    async authenticate(token: string): Promise<SessionUser | undefined> {
      const now = clock();
      const session = await sessions.findByToken(hashToken(token), now);
      if (session && now - session.lastSeenAt >= sessionRules.touchEveryMs) {
        const expiresAt = getExpiry(session.createdAt, now);
        await sessions.touch(session.id, { lastSeenAt: now, expiresAt });
      }
      return session && { telegramId: session.telegramId, sessionId: session.id };
    },

    isAlive: ({ sessionId }: SessionUser): Promise<boolean> => sessions.isAlive(sessionId, clock()),

    async end({ sessionId, telegramId }: SessionUser): Promise<void> {
      await sessions.remove(sessionId);
      publishEnd(telegramId);
    },

    /** Ends the other sessions of the user and returns how many there were. */
    async endOthers({ telegramId, sessionId }: SessionUser): Promise<number> {
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
