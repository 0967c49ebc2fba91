/**
 * Stores what people have the bot keep for them: that they are away, whispers, packs of stickers, and their word that they
 * are adults. Times are epoch milliseconds.
 */
import { type Kysely, type Selectable, sql } from 'kysely';

import { type Tables } from './tables.ts';

export type Away = {
  readonly telegramId: number;
  readonly reason: string;
  readonly since: number;
};

const toAway = ({ telegram_id: telegramId, ...row }: Tables['away']): Away => ({
  telegramId,
  ...row,
});

export function createAwayRepository(db: Kysely<Tables>) {
  return {
    /** In the place of what they said before. */
    async save({ telegramId, reason, since }: Away): Promise<void> {
      await db
        .insertInto('away')
        .values({ telegram_id: telegramId, reason, since })
        .onConflict((conflict) => conflict.column('telegram_id').doUpdateSet({ reason, since }))
        .execute();
    },

    /** Returns what they had said; undefined when they were not away. */
    async end(telegramId: number): Promise<Away | undefined> {
      const row = await db
        .deleteFrom('away')
        .where('telegram_id', '=', telegramId)
        .returningAll()
        .executeTakeFirst();
      return row && toAway(row);
    },

    /** Those of the people who are away. */
    async find(telegramIds: readonly number[]): Promise<readonly Away[]> {
      if (telegramIds.length === 0) {
        return [];
      }
      const rows = await db
        .selectFrom('away')
        .selectAll()
        .where('telegram_id', 'in', telegramIds)
        .execute();
      return rows.map(toAway);
    },

    async removeBefore(time: number): Promise<void> {
      await db.deleteFrom('away').where('since', '<', time).execute();
    },
  };
}

export type Whisper = {
  readonly id: string;
  readonly fromId: number;
  /** Undefined until it is known who has the name. */
  readonly toId: number | undefined;
  /** In lower case and without @. */
  readonly toUsername: string | undefined;
  /** Sealed. */
  readonly text: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};

export function createWhisperRepository(db: Kysely<Tables>) {
  return {
    /** A whisper of the same ID is kept as it is. */
    async add({ id, text, ...whisper }: Whisper): Promise<void> {
      await db
        .insertInto('whispers')
        .values({
          id,
          text,
          from_id: whisper.fromId,
          to_id: whisper.toId ?? null,
          to_username: whisper.toUsername ?? null,
          created_at: whisper.createdAt,
          expires_at: whisper.expiresAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Undefined when it is over. */
    async find(id: string, now: number): Promise<Whisper | undefined> {
      const row = await db
        .selectFrom('whispers')
        .selectAll()
        .where('id', '=', id)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row && toWhisper(row);
    },

    /** Keeps a whisper that its writer has sent, until another time. */
    async keep({ id, fromId }: Pick<Whisper, 'id' | 'fromId'>, expiresAt: number): Promise<void> {
      await db
        .updateTable('whispers')
        .set({ expires_at: expiresAt })
        .where('id', '=', id)
        .where('from_id', '=', fromId)
        .execute();
    },

    /** Says whose the name was: the first to have it stays the only one who may read. Returns false when that was another. */
    async addressTo(id: string, telegramId: number): Promise<boolean> {
      const row = await db
        .updateTable('whispers')
        .set({ to_id: telegramId })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('to_id', 'is', null), eb('to_id', '=', telegramId)]))
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('whispers').where('expires_at', '<=', now).execute();
    },
  };
}

function toWhisper(row: Selectable<Tables['whispers']>): Whisper {
  return {
    id: row.id,
    fromId: row.from_id,
    toId: row.to_id ?? undefined,
    toUsername: row.to_username ?? undefined,
    text: row.text,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

export type StickerPack = {
  /** By which Telegram knows it. */
  readonly name: string;
  readonly telegramId: number;
  readonly number: number;
  readonly title: string;
  readonly count: number;
  readonly createdAt: number;
};

export function createStickerPackRepository(db: Kysely<Tables>) {
  return {
    /** Counts one more sticker, in the row of the same set if there is one. */
    async addOne(pack: Omit<StickerPack, 'count'>): Promise<void> {
      await db
        .insertInto('sticker_packs')
        .values({ ...toRow(pack), count: 1 })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({
            title: pack.title,
            count: sql<number>`sticker_packs.count + 1`,
          }),
        )
        .execute();
    },

    /** Counts one sticker less of a person's own set. */
    async removeOne({ telegramId, name }: Pick<StickerPack, 'telegramId' | 'name'>): Promise<void> {
      await db
        .updateTable('sticker_packs')
        .set(({ eb }) => ({ count: eb('count', '-', 1) }))
        .where('name', '=', name)
        .where('telegram_id', '=', telegramId)
        .where('count', '>', 0)
        .execute();
    },

    /** In the place of the row of the same set. */
    async save(pack: StickerPack): Promise<void> {
      const { title, count } = pack;
      await db
        .insertInto('sticker_packs')
        .values({ ...toRow(pack), count })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ title, count }))
        .execute();
    },

    /** In their order. */
    async list(telegramId: number): Promise<readonly StickerPack[]> {
      const rows = await db
        .selectFrom('sticker_packs')
        .selectAll()
        .where('telegram_id', '=', telegramId)
        .orderBy('number')
        .execute();
      return rows.map(toPack);
    },

    async remove(name: string): Promise<void> {
      await db.deleteFrom('sticker_packs').where('name', '=', name).execute();
    },
  };
}

const toRow = (pack: Omit<StickerPack, 'count'>) => ({
  name: pack.name,
  telegram_id: pack.telegramId,
  number: pack.number,
  title: pack.title,
  created_at: pack.createdAt,
});

const toPack = (row: Tables['sticker_packs']): StickerPack => ({
  name: row.name,
  telegramId: row.telegram_id,
  number: row.number,
  title: row.title,
  count: row.count,
  createdAt: row.created_at,
});

export function createAdultConfirmationRepository(db: Kysely<Tables>) {
  return {
    async save(telegramId: number, now: number): Promise<void> {
      await db
        .insertInto('adult_confirmations')
        .values({ telegram_id: telegramId, confirmed_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async has(telegramId: number): Promise<boolean> {
      const row = await db
        .selectFrom('adult_confirmations')
        .select('telegram_id')
        .where('telegram_id', '=', telegramId)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

/** The kinds of the jobs that remind people, and of those that keep the recipe of a picture which was sent to the bot. */
export const [reminderJob, sentRecipeJob] = ['reminder', 'sent_recipe'] as const;
const personalJobs = [reminderJob, sentRecipeJob];

const personalTables = ['away', 'sticker_packs', 'adult_confirmations'] as const;

/** Whether anything is stored that `forgetPersonalRecords` deletes. */
export async function hasPersonalRecords(db: Kysely<Tables>, telegramId: number): Promise<boolean> {
  for (const table of personalTables) {
    const row = await db
      .selectFrom(table)
      .select('telegram_id')
      .where('telegram_id', '=', telegramId)
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) {
      return true;
    }
  }
  for (const column of ['from_id', 'to_id'] as const) {
    const row = await db
      .selectFrom('whispers')
      .select('id')
      .where(column, '=', telegramId)
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) {
      return true;
    }
  }
  const job = await db
    .selectFrom('due_jobs')
    .select('id')
    .where('telegram_id', '=', telegramId)
    .where('kind', 'in', personalJobs)
    .limit(1)
    .executeTakeFirst();
  return job !== undefined;
}

/** Deletes all that is stored of a person here, their reminders and recipes. Whispers of others to them go, too. */
export async function forgetPersonalRecords(db: Kysely<Tables>, telegramId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const table of personalTables) {
      await tx.deleteFrom(table).where('telegram_id', '=', telegramId).execute();
    }
    for (const column of ['from_id', 'to_id'] as const) {
      await tx.deleteFrom('whispers').where(column, '=', telegramId).execute();
    }
    await tx
      .deleteFrom('due_jobs')
      .where('telegram_id', '=', telegramId)
      .where('kind', 'in', personalJobs)
      .execute();
  });
}
