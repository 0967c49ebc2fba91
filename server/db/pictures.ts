/** Stores what is known of each kept picture; its bytes are elsewhere. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

/** Pixels, bytes, and epoch milliseconds. */
export type StoredPicture = {
  readonly id: string;
  readonly telegramId: number;
  readonly type: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly createdAt: number;
};

export function createPictureRepository(db: Kysely<Tables>) {
  return {
    async add({ telegramId, createdAt, ...picture }: StoredPicture): Promise<void> {
      await db
        .insertInto('pictures')
        .values({ ...picture, telegram_id: telegramId, created_at: createdAt })
        .execute();
    },

    async find(id: string): Promise<{ readonly type: string } | undefined> {
      return db.selectFrom('pictures').select('type').where('id', '=', id).executeTakeFirst();
    },

    /** Of these, the ones that are known. */
    async known(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await db.selectFrom('pictures').select('id').where('id', 'in', ids).execute();
      return new Set(rows.map(({ id }) => id));
    },

    async countOf(telegramId: number): Promise<number> {
      const { count } = await db
        .selectFrom('pictures')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('telegram_id', '=', telegramId)
        .executeTakeFirstOrThrow();
      return count;
    },

    /** What was made from it goes, too. */
    async remove(id: string): Promise<void> {
      await db.deleteFrom('pictures').where('id', '=', id).execute();
    },
  };
}
