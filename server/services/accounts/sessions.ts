/** Sessions: opaque tokens, of which only a hash is kept, that end when asked to or when unused. */
import { createHash, randomUUID } from 'node:crypto';

import { type Dependencies } from '#server/app/dependencies';
import { createSessionRepository } from '#server/db/sessions';
import { sessionRules } from '#server/lib/limits';
import { type SessionUser } from '#server/lib/requester';

import { deviceName } from './device-name.ts';

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ database: { db }, clock, random }: Dependencies) {
  const sessions = createSessionRepository(db);
  const listeners: ((telegramId: number) => void)[] = [];
  const tell = (telegramId: number) => {
    for (const listener of listeners) {
      listener(telegramId);
    }
  };

  return {
    /** Starts a session; its token can never be read again. A person's oldest beyond ten end. */
    async start(telegramId: number, userAgent: string | undefined): Promise<string> {
      const token = random.bytes(32).toString('base64url');
      const now = clock();
      await sessions.add({
        id: randomUUID(),
        tokenHash: hashOf(token),
        telegramId,
        device: deviceName(userAgent),
        createdAt: now,
        lastSeenAt: now,
        expiresAt: expiryOf(now, now),
      });
      await sessions.keepNewest(telegramId, sessionRules.maxPerUser);
      return token;
    },

    /** Who holds this token, undefined when it is unknown, ended or too old. Keeps it alive. */
    async authenticate(token: string): Promise<SessionUser | undefined> {
      const now = clock();
      const session = await sessions.findByToken(hashOf(token), now);
      if (session && now - session.lastSeenAt >= sessionRules.touchEveryMs) {
        const expiresAt = expiryOf(session.createdAt, now);
        await sessions.touch(session.id, { lastSeenAt: now, expiresAt });
      }
      return session && { telegramId: session.telegramId, sessionId: session.id };
    },

    /** Whether a session that was alive still is. */
    isAlive: ({ sessionId }: SessionUser): Promise<boolean> => sessions.isAlive(sessionId, clock()),

    async end({ sessionId, telegramId }: SessionUser): Promise<void> {
      await sessions.remove(sessionId);
      tell(telegramId);
    },

    /** Ends the person's other sessions and says how many there were. */
    async endOthers({ telegramId, sessionId }: SessionUser): Promise<number> {
      const ended = await sessions.removeOthers({ telegramId, id: sessionId }, clock());
      tell(telegramId);
      return ended;
    },

    /** Calls back when somebody has ended sessions, with whose they were. Some end without, by their time. */
    onEnd: (listener: (telegramId: number) => void) => void listeners.push(listener),

    /** Where the person is logged in, the most recently used first. */
    list: ({ telegramId }: SessionUser) => sessions.live(telegramId, clock()),
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function expiryOf(createdAt: number, lastSeenAt: number): number {
  return Math.min(lastSeenAt + sessionRules.idleMs, createdAt + sessionRules.absoluteMs);
}
