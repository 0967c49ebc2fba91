/** Stores what people have made: one row for each saved picture. */
import { type Kysely, type Selectable } from 'kysely';

import { type Tables } from './tables.ts';

/** Epoch milliseconds; `loras` maps an id to a weight from 0 to 2. */
export type StoredGeneration = {
  readonly id: string;
  readonly telegramId: number;
  readonly pictureId: string;
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly modelId: string;
  readonly modelName: string;
  /** Decimal digits; empty when unknown. */
  readonly seed: string;
  readonly ratio: string;
  readonly nsfw: boolean;
  /** A JSON list of texts. */
  readonly tags: string;
  /** A JSON object. */
  readonly loras: string;
  readonly jobKey: string | undefined;
  readonly createdAt: number;
};

/** With the pixels of its picture. */
export type ListedGeneration = StoredGeneration & {
  readonly width: number;
  readonly height: number;
};

export function createGenerationRepository(db: Kysely<Tables>) {
  return {
    /** Answers false when this person has saved one with the same key already. */
    async add(generation: StoredGeneration): Promise<boolean> {
      const row = await db
        .insertInto('generations')
        .values({
          id: generation.id,
          telegram_id: generation.telegramId,
          picture_id: generation.pictureId,
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
        })
        .onConflict((conflict) => conflict.columns(['telegram_id', 'job_key']).doNothing())
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async findByKey(telegramId: number, jobKey: string) {
      return db
        .selectFrom('generations')
        .select(['id', 'picture_id as pictureId'])
        .where('telegram_id', '=', telegramId)
        .where('job_key', '=', jobKey)
        .executeTakeFirst();
    },

    async findOwn(telegramId: number, id: string) {
      return db
        .selectFrom('generations')
        .select(['id', 'picture_id as pictureId'])
        .where('telegram_id', '=', telegramId)
        .where('id', '=', id)
        .executeTakeFirst();
    },

    /** Newest first. */
    async listOf(telegramId: number, limit: number): Promise<readonly ListedGeneration[]> {
      const rows = await db
        .selectFrom('generations')
        .innerJoin('pictures', 'pictures.id', 'generations.picture_id')
        .selectAll('generations')
        .select(['pictures.width', 'pictures.height'])
        .where('generations.telegram_id', '=', telegramId)
        .orderBy('generations.created_at', 'desc')
        .orderBy('generations.id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toDomain);
    },

    /** Answers whether there was one of this person's. */
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

function toDomain(
  row: Selectable<Tables['generations']> & { width: number; height: number },
): ListedGeneration {
  return {
    id: row.id,
    telegramId: row.telegram_id,
    pictureId: row.picture_id,
    prompt: row.prompt,
    negativePrompt: row.negative_prompt,
    modelId: row.model_id,
    modelName: row.model_name,
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
