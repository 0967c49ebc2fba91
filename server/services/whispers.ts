/** Whispers: messages in any chat that one person alone can read. They are stored sealed, and for seven days. */
import { type Dependencies } from '#server/app/dependencies';
import { createWhisperRepository, type Whisper } from '#server/db/personal-records';
import { deriveKeys } from '#server/lib/derived-keys';
import { limits, personalRules } from '#server/lib/limits';
import { createSecretBox } from '#server/lib/secret-box';

import { type Limiter } from './limiter.ts';

/** For whom it is: by ID, or by the name that only one person has at a time. */
export type WhisperTarget = { readonly telegramId: number } | { readonly username: string };

type Reader = { readonly telegramId: number; readonly username: string | undefined };

type Read =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'not yours'; readonly target: WhisperTarget }
  | { readonly kind: 'gone' };

const idBytes = 16;
const toContext = (id: string) => `whisper ${id}`;

export function createWhispers(
  { database, env, random, clock }: Pick<Dependencies, 'database' | 'env' | 'random' | 'clock'>,
  { limiter }: { readonly limiter: Limiter },
) {
  const rows = createWhisperRepository(database.db);
  const box = createSecretBox(deriveKeys(env.secretKeys, 'nori whispers'), random);

  /** The first reader who has the name stays the only one, also when the name moves on. */
  async function isFor(whisper: Whisper, { telegramId, username }: Reader): Promise<boolean> {
    const { id, fromId, toId, toUsername } = whisper;
    if (telegramId === fromId || telegramId === toId) {
      return true;
    }
    const hasName = toUsername !== undefined && username?.toLowerCase() === toUsername;
    return toId === undefined && hasName && rows.addressTo(id, telegramId);
  }

  return {
    /** Returns the ID of a whisper that is gone soon, unless it is kept. Throws `rate_limited`. */
    async write(fromId: number, to: WhisperTarget, text: string): Promise<string> {
      await limiter.take(limits.whispers, fromId);
      const id = random.bytes(idBytes).toString('base64url');
      const now = clock();
      await rows.add({
        id,
        fromId,
        toId: 'telegramId' in to ? to.telegramId : undefined,
        toUsername: 'username' in to ? to.username.toLowerCase() : undefined,
        text: box.seal(text, toContext(id)),
        createdAt: now,
        expiresAt: now + personalRules.unsentWhisperKeptMs,
      });
      return id;
    },

    /** Its writer has sent it. */
    keep: (id: string, fromId: number): Promise<void> =>
      rows.keep({ id, fromId }, clock() + personalRules.whisperKeptMs),

    /** What one who presses its button is shown. That it can be pressed says that it was sent. */
    async read(id: string, reader: Reader): Promise<Read> {
      const now = clock();
      const whisper = await rows.find(id, now);
      if (whisper === undefined) {
        return { kind: 'gone' };
      }
      const { fromId, toId, toUsername = '', createdAt, expiresAt } = whisper;
      if (expiresAt <= createdAt + personalRules.unsentWhisperKeptMs) {
        await rows.keep({ id, fromId }, now + personalRules.whisperKeptMs);
      }
      if (!(await isFor(whisper, reader))) {
        const target = toUsername === '' ? { telegramId: toId ?? 0 } : { username: toUsername };
        return { kind: 'not yours', target };
      }
      const text = box.open(whisper.text, toContext(id));
      return text === undefined ? { kind: 'gone' } : { kind: 'text', text };
    },
  };
}
