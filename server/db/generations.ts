/** Stores users' saved generations and the metadata of their pictures. The bytes are in the object store. */
import { type Kysely, type Selectable, sql } from 'kysely';

import { type ProviderId } from '#contract/images/providers';

import { type Tables } from './tables.ts';

/** Epoch milliseconds; `loras` maps an id to a weight from 0 to 2. */
export type StoredGeneration = {
  readonly id: string;
  readonly telegramId: number;
  readonly provider: string;
  /** In order; at least one. */
  readonly pictureIds: readonly [string, ...string[]];
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly modelId: string;
  readonly modelName: string;
  /** Empty for providers without styles. */
  readonly style: string;
  /** Decimal digits; empty when unknown. */
  readonly seed: string;
  readonly ratio: string;
  readonly nsfw: boolean;
  /** A JSON list of strings. */
  readonly tags: string;
  /** A JSON object. */
  readonly loras: string;
  readonly jobKey: string | undefined;
  readonly createdAt: number;
};

/** With the size of its first picture, in pixels. */
export type ListedGeneration = StoredGeneration & {
  readonly width: number;
  readonly height: number;
};

type ListQuery = {
  readonly limit: number;
  /** Default all providers. */
  readonly provider?: string | undefined;
  /** Only the generation with this key. */
  readonly jobKey?: string | undefined;
};

/** `db` is the database, or the transaction of the caller. */
export function createGenerationRepository(db: Kysely<Tables>) {
  /** Returns the pictures after the first, for each generation of a user that has several. */
  async function findFurther(telegramId: number): Promise<ReadonlyMap<string, string[]>> {
    const rows = await db
      .selectFrom('further_pictures')
      .innerJoin('generations', 'generations.id', 'further_pictures.generation_id')
      .select(['further_pictures.generation_id', 'further_pictures.picture_id'])
      .where('generations.telegram_id', '=', telegramId)
      .orderBy('further_pictures.position')
      .execute();
    const further = new Map<string, string[]>();
    for (const { generation_id, picture_id } of rows) {
      further.set(generation_id, [...(further.get(generation_id) ?? []), picture_id]);
    }
    return further;
  }

  return {
    /** Inside a transaction. Returns false when the user already has a generation with this key. */
    async add(generation: StoredGeneration): Promise<boolean> {
      const others = generation.pictureIds.slice(1);
      const row = await db
        .insertInto('generations')
        .values(toRow(generation))
        .onConflict((conflict) => conflict.columns(['telegram_id', 'job_key']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (row !== undefined && others.length > 0) {
        const further = others.map((picture_id, index) => ({
          generation_id: generation.id,
          position: index + 1,
          picture_id,
        }));
        await db.insertInto('further_pictures').values(further).execute();
      }
      return row !== undefined;
    },

    /** Returns the IDs of its pictures, also of those in the bin; undefined when the user has no such generation. */
    async findPictures(
      telegramId: number,
      by: { readonly id: string } | { readonly jobKey: string },
      provider?: ProviderId,
    ): Promise<readonly string[] | undefined> {
      const row = await db
        .selectFrom('generations')
        .select(['id', 'picture_id'])
        .where('telegram_id', '=', telegramId)
        .where('id' in by ? 'id' : 'job_key', '=', 'id' in by ? by.id : by.jobKey)
        .$if(provider !== undefined, (query) => query.where('provider', '=', provider ?? ''))
        .executeTakeFirst();
      return row && [row.picture_id, ...((await findFurther(telegramId)).get(row.id) ?? [])];
    },

    /** Whosever it is; undefined when it is in the bin. */
    find: (id: string): Promise<ListedGeneration | undefined> => findGeneration(db, id),

    /** Newest first, without those in the bin. */
    async list(
      telegramId: number,
      { limit, provider, jobKey }: ListQuery,
    ): Promise<readonly ListedGeneration[]> {
      const rows = await db
        .selectFrom('generations')
        .innerJoin('pictures', 'pictures.id', 'generations.picture_id')
        .selectAll('generations')
        .select(['pictures.width', 'pictures.height'])
        .where('generations.telegram_id', '=', telegramId)
        .where('pictures.deleted_at', 'is', null)
        .$if(provider !== undefined, (query) =>
          query.where('generations.provider', '=', provider ?? ''),
        )
        .$if(jobKey !== undefined, (query) => query.where('generations.job_key', '=', jobKey ?? ''))
        .orderBy('generations.created_at', 'desc')
        .orderBy('generations.id', 'desc')
        .limit(limit)
        .execute();
      const further = await findFurther(telegramId);
      return rows.map((row) => toDomain(row, further.get(row.id) ?? []));
    },

    /** Returns whether the user has this generation. */
    async setModelName(telegramId: number, id: string, modelName: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('generations')
        .set({ model_name: modelName })
        .where('telegram_id', '=', telegramId)
        .where('id', '=', id)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

async function findGeneration(
  db: Kysely<Tables>,
  id: string,
): Promise<ListedGeneration | undefined> {
  const row = await db
    .selectFrom('generations')
    .innerJoin('pictures', 'pictures.id', 'generations.picture_id')
    .selectAll('generations')
    .select(['pictures.width', 'pictures.height'])
    .where('generations.id', '=', id)
    .where('pictures.deleted_at', 'is', null)
    .executeTakeFirst();
  const further = await db
    .selectFrom('further_pictures')
    .select('picture_id')
    .where('generation_id', '=', id)
    .orderBy('position')
    .execute();
  return (
    row &&
    toDomain(
      row,
      further.map(({ picture_id }) => picture_id),
    )
  );
}

function toRow(generation: StoredGeneration): Tables['generations'] {
  return {
    id: generation.id,
    telegram_id: generation.telegramId,
    picture_id: generation.pictureIds[0],
    prompt: generation.prompt,
    negative_prompt: generation.negativePrompt,
    model_id: generation.modelId,
    model_name: generation.modelName,
    seed: generation.seed,
    ratio: generation.ratio,
    nsfw: generation.nsfw ? 1 : 0,
    tags: generation.tags,
    loras: generation.loras,
    job_key: generation.jobKey ?? null,
    created_at: generation.createdAt,
    provider: generation.provider,
    style: generation.style,
  };
}

type Row = Selectable<Tables['generations']> & { width: number; height: number };

function toDomain(row: Row, further: readonly string[]): ListedGeneration {
  return {
    id: row.id,
    telegramId: row.telegram_id,
    provider: row.provider,
    pictureIds: [row.picture_id, ...further],
    prompt: row.prompt,
    negativePrompt: row.negative_prompt,
    modelId: row.model_id,
    modelName: row.model_name,
    style: row.style,
    seed: row.seed,
    ratio: row.ratio,
    nsfw: row.nsfw === 1,
    tags: row.tags,
    loras: row.loras,
    jobKey: row.job_key ?? undefined,
    createdAt: row.created_at,
    width: row.width,
    height: row.height,
  };
}

/** What the pictures of a user may come to. */
type Room = { readonly count: number; readonly bytes: number };

/** Sizes in pixels and bytes; `createdAt` in epoch milliseconds. */
export type StoredPicture = {
  readonly id: string;
  readonly telegramId: number;
  readonly type: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly createdAt: number;
  /** Epoch milliseconds; null for a picture of the history. */
  readonly sourceUntil?: number | null;
};

/** Other pictures of this user wait until the transaction ends. Returns false when the account was deleted. */
async function lockPictures(transaction: Kysely<Tables>, telegramId: number): Promise<boolean> {
  const locked = await transaction
    .updateTable('people')
    .set((eb) => ({ email: eb.ref('email') }))
    .where('telegram_id', '=', telegramId)
    .returning('telegram_id')
    .executeTakeFirst();
  return locked !== undefined;
}

/** `db` is the database, or the transaction of the caller. */
export function createPictureRepository(db: Kysely<Tables>) {
  /** Bytes of the files of one user, without the bin, or of all, with it. */
  async function sumBytes(telegramId?: number): Promise<number> {
    const { bytes } = await db
      .selectFrom('pictures')
      .select(({ fn }) => fn.sum<number | null>('bytes').as('bytes'))
      .$if(telegramId !== undefined, (query) =>
        query.where('telegram_id', '=', telegramId ?? 0).where('deleted_at', 'is', null),
      )
      .executeTakeFirstOrThrow();
    return bytes ?? 0;
  }

  /** How many pictures a user has, without the bin. */
  async function count(telegramId: number): Promise<number> {
    const { pictures } = await db
      .selectFrom('pictures')
      .select(({ fn }) => fn.countAll<number>().as('pictures'))
      .where('telegram_id', '=', telegramId)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    return pictures;
  }

  return {
    sumBytes,
    count,

    /** Inside a transaction, until whose end other pictures of the user wait. */
    async add(
      { telegramId, createdAt, sourceUntil = null, ...picture }: StoredPicture,
      max: Room,
    ): Promise<'added' | 'too many' | 'too large' | 'no account'> {
      if (!(await lockPictures(db, telegramId))) {
        return 'no account';
      }
      if ((await count(telegramId)) >= max.count) {
        return 'too many';
      }
      if ((await sumBytes(telegramId)) + picture.bytes > max.bytes) {
        return 'too large';
      }
      await db
        .insertInto('pictures')
        .values({
          ...picture,
          telegram_id: telegramId,
          created_at: createdAt,
          deleted_at: null,
          source_until: sourceUntil,
          photo_bot_id: null,
          photo_file_id: null,
        })
        .execute();
      return 'added';
    },

    /** Undefined also for a picture in the bin. */
    async find(id: string): Promise<{ readonly type: string } | undefined> {
      return db
        .selectFrom('pictures')
        .select('type')
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
    },

    /** What others are made from, of this user; undefined once its time is over. */
    async findSource(
      telegramId: number,
      { id, now }: { readonly id: string; readonly now: number },
    ): Promise<{ readonly width: number; readonly height: number } | undefined> {
      return db
        .selectFrom('pictures')
        .select(['width', 'height'])
        .where('id', '=', id)
        .where('telegram_id', '=', telegramId)
        .where('source_until', '>', now)
        .executeTakeFirst();
    },

    /** Removes sources whose time is over. Returns their IDs. */
    async removeOldSources(now: number): Promise<readonly string[]> {
      const rows = await db
        .deleteFrom('pictures')
        .where('source_until', '<=', now)
        .returning('id')
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Also removes the generations whose first picture is among them. */
    async remove(ids: readonly string[]): Promise<void> {
      await db.deleteFrom('pictures').where('id', 'in', ids).execute();
    },
  };
}

const noPhoto = { photo_bot_id: null, photo_file_id: null };

/** Photos that Telegram has of saved pictures. An ID is good for the bot that has sent it, and for no other. */
export function createTelegramPhotoRepository(db: Kysely<Tables>, botId: number) {
  return {
    /** Nothing is kept of what is deleted meanwhile. */
    async keep(pictureId: string, fileId: string): Promise<void> {
      await db
        .updateTable('pictures')
        .set({ photo_bot_id: botId, photo_file_id: fileId })
        .where('id', '=', pictureId)
        .where('deleted_at', 'is', null)
        .execute();
    },

    /** The file IDs by those of the pictures. */
    async find(pictureIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
      if (pictureIds.length === 0) {
        return new Map();
      }
      const rows = await db
        .selectFrom('pictures')
        .select(['id', 'photo_file_id'])
        .where('id', 'in', pictureIds)
        .where('photo_bot_id', '=', botId)
        .where('deleted_at', 'is', null)
        .execute();
      return new Map(
        rows.flatMap(({ id, photo_file_id: fileId }) =>
          fileId === null ? [] : [[id, fileId] as const],
        ),
      );
    },

    /** Telegram does not have these photos of a user's pictures any more. */
    async forget(telegramId: number, fileIds: readonly string[]): Promise<void> {
      if (fileIds.length > 0) {
        await db
          .updateTable('pictures')
          .set(noPhoto)
          .where('telegram_id', '=', telegramId)
          .where('photo_file_id', 'in', fileIds)
          .execute();
      }
    },
  };
}

type Restoration = {
  readonly telegramId: number;
  /** Of pictures of this user; at least one. */
  readonly ids: readonly string[];
  readonly after: number;
  /** What all of the user's pictures may be. */
  readonly max: Room;
};

/** The bin: pictures that were deleted and can still be restored. */
export function createBinRepository(db: Kysely<Tables>) {
  return {
    /** Puts pictures into the bin. Those that are there already keep their time. */
    async add(ids: readonly string[], deletedAt: number): Promise<void> {
      await db
        .updateTable('pictures')
        .set({ deleted_at: deletedAt, ...noPhoto })
        .where('id', 'in', ids)
        .where('deleted_at', 'is', null)
        .execute();
    },

    /**
     * Takes pictures of a user out of the bin that were deleted after the given time. Returns `too many`
     * or `too large` when the user has no room for them, and `gone` when they were deleted too long ago.
     */
    async restore({
      telegramId,
      ids,
      after,
      max,
    }: Restoration): Promise<'restored' | 'gone' | 'too many' | 'too large'> {
      return db.transaction().execute(async (transaction) => {
        await lockPictures(transaction, telegramId);
        const rows = await transaction
          .selectFrom('pictures')
          .select(['id', 'bytes', 'deleted_at'])
          .where('id', 'in', ids)
          .execute();
        const binned = rows.filter(({ deleted_at: at }) => at !== null && at >= after);
        if (binned.length === 0) {
          return rows.some(({ deleted_at: at }) => at === null) ? 'restored' : 'gone';
        }
        const pictures = createPictureRepository(transaction);
        if ((await pictures.count(telegramId)) + binned.length > max.count) {
          return 'too many';
        }
        const bytes = binned.reduce((sum, row) => sum + row.bytes, 0);
        if ((await pictures.sumBytes(telegramId)) + bytes > max.bytes) {
          return 'too large';
        }
        const binnedIds = binned.map(({ id }) => id);
        await transaction
          .updateTable('pictures')
          .set({ deleted_at: null })
          .where('id', 'in', binnedIds)
          .execute();
        return 'restored';
      });
    },

    /** Removes what was deleted before a time, with its generations. Returns the IDs of the pictures. */
    async empty(before: number): Promise<readonly string[]> {
      const rows = await db
        .deleteFrom('pictures')
        .where('deleted_at', '<', before)
        .returning('id')
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}

/** Of all pictures of a user, also of those in the bin and of jobs. */
export async function sumUserBytes(db: Kysely<Tables>, telegramId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number | null }>`
    select sum(bytes) as bytes from (
      select bytes from pictures where telegram_id = ${telegramId}
      union all select picture_bytes as bytes from generation_jobs where owner_id = ${telegramId}
    ) as files`.execute(db);
  return rows[0]?.bytes ?? 0;
}
