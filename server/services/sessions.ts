/** Sessions: opaque tokens, of which only a hash is kept, that end when asked to or when unused. */
import { createHash, randomUUID } from 'node:crypto';

import { type Person } from '#server/lib/app-env';
import { type Dependencies } from '#server/lib/dependencies';
import { sessionRules } from '#server/lib/limits';

import { deviceName } from './device-name.ts';

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ database: { db }, clock, random }: Dependencies) {
  /** Starts a session and returns its token, which nobody can read again. The oldest beyond ten end. */
  async function start(telegramId: number, userAgent: string | undefined): Promise<string> {
    const token = random.bytes(32).toString('base64url');
    const now = clock();
    await db
      .insertInto('sessions')
      .values({
        id: randomUUID(),
        token_hash: hashOf(token),
        telegram_id: telegramId,
        device: deviceName(userAgent),
        created_at: now,
        last_seen_at: now,
        expires_at: expiryOf(now, now),
      })
      .execute();
    await db
      .deleteFrom('sessions')
      .where('telegram_id', '=', telegramId)
      .where('id', 'not in', (query) =>
        query
          .selectFrom('sessions')
          .select('id')
          .where('telegram_id', '=', telegramId)
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .limit(sessionRules.maxPerPerson),
      )
      .execute();
    return token;
  }

  /** Who holds this token; undefined when it is unknown, ended or too old. Keeps the session alive. */
  async function personWith(token: string): Promise<Person | undefined> {
    const now = clock();
    const session = await db
      .selectFrom('sessions')
      .select(['id', 'telegram_id', 'created_at', 'last_seen_at'])
      .where('token_hash', '=', hashOf(token))
      .where('expires_at', '>', now)
      .executeTakeFirst();
    if (!session) {
      return undefined;
    }
    if (now - session.last_seen_at >= sessionRules.touchEveryMs) {
      await db
        .updateTable('sessions')
        .set({ last_seen_at: now, expires_at: expiryOf(session.created_at, now) })
        .where('id', '=', session.id)
        .execute();
    }
    return { telegramId: session.telegram_id, sessionId: session.id };
  }

  async function end({ sessionId }: Person): Promise<void> {
    await db.deleteFrom('sessions').where('id', '=', sessionId).execute();
  }

  /** Ends the person's other sessions and says how many there were. */
  async function endOthers({ telegramId, sessionId }: Person): Promise<number> {
    const ended = await db
      .deleteFrom('sessions')
      .where('telegram_id', '=', telegramId)
      .where('id', '!=', sessionId)
      .where('expires_at', '>', clock())
      .returning('id')
      .execute();
    return ended.length;
  }

  /** Where the person is logged in, the most recently used first. */
  async function list({ telegramId, sessionId }: Person) {
    const rows = await db
      .selectFrom('sessions')
      .select(['id', 'device', 'created_at', 'last_seen_at'])
      .where('telegram_id', '=', telegramId)
      .where('expires_at', '>', clock())
      .orderBy('last_seen_at', 'desc')
      .orderBy('id')
      .execute();
    return rows.map(({ id, device, created_at, last_seen_at }) => ({
      id,
      device,
      createdAt: new Date(created_at),
      lastSeenAt: new Date(last_seen_at),
      isCurrent: id === sessionId,
    }));
  }

  return { start, personWith, end, endOthers, list };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function expiryOf(createdAt: number, lastSeenAt: number): number {
  return Math.min(lastSeenAt + sessionRules.idleMs, createdAt + sessionRules.absoluteMs);
}
