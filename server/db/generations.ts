/** Stores what people have made: one row for each saved wish, with the pictures that came of it. */
import { type Kysely, type Selectable } from 'kysely';

import { type Tables } from './tables.ts';

/** Epoch milliseconds; `loras` maps an id to a weight from 0 to 2. */
export type StoredGeneration = {
  readonly id: string;
  readonly telegramId: number;
  /** Who made it. */
  readonly provider: string;
  /** In order, at least one. */
  readonly pictureIds: readonly [string, ...string[]];
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly modelId: string;
  readonly modelName: string;
  /** Empty where there are no styles. */
  readonly style: string;
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

/** With the pixels of its first picture. */
export type ListedGeneration = StoredGeneration & {
  readonly width: number;
  readonly height: number;
};

type ListWish = {
  readonly limit: number;
  /** Of all when absent. */
  readonly provider?: string | undefined;
  /** Only the one with this key. */
  readonly jobKey?: string | undefined;
};

export function createGenerationRepository(db: Kysely<Tables>) {
  /** The pictures of each of a person's generations after its first. */
  async function furtherOf(telegramId: number): Promise<ReadonlyMap<string, string[]>> {
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
    /** Answers false when this person has saved one with the same key already. */
    async add(generation: StoredGeneration): Promise<boolean> {
      const others = generation.pictureIds.slice(1);
      return db.transaction().execute(async (within) => {
        const row = await within
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
          await within.insertInto('further_pictures').values(further).execute();
        }
        return row !== undefined;
      });
    },

    /** Its pictures; undefined when this person has none with this id. */
    async findOwn(telegramId: number, id: string): Promise<readonly string[] | undefined> {
      const row = await db
        .selectFrom('generations')
        .select('picture_id')
        .where('telegram_id', '=', telegramId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && [row.picture_id, ...((await furtherOf(telegramId)).get(id) ?? [])];
    },

    /** Newest first. */
    async listOf(
      telegramId: number,
      { limit, provider, jobKey }: ListWish,
    ): Promise<readonly ListedGeneration[]> {
      const rows = await db
        .selectFrom('generations')
        .innerJoin('pictures', 'pictures.id', 'generations.picture_id')
        .selectAll('generations')
        .select(['pictures.width', 'pictures.height'])
        .where('generations.telegram_id', '=', telegramId)
        .$if(provider !== undefined, (query) =>
          query.where('generations.provider', '=', provider ?? ''),
        )
        .$if(jobKey !== undefined, (query) => query.where('generations.job_key', '=', jobKey ?? ''))
        .orderBy('generations.created_at', 'desc')
        .orderBy('generations.id', 'desc')
        .limit(limit)
        .execute();
      const further = await furtherOf(telegramId);
      return rows.map((row) => toDomain(row, further.get(row.id) ?? []));
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
