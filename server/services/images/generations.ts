/** What a person has made: saving it once, listing it, and deleting it. */
import * as v from 'valibot';

import { maxLoras } from '#contract/images/limits';
import { type ProviderId } from '#contract/images/providers';
import { type Dependencies } from '#server/app/dependencies';
import {
  createGenerationRepository,
  type ListedGeneration,
  type StoredGeneration,
} from '#server/db/generations';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';

import { type Pictures } from './pictures.ts';

/** How many a list has at most, the newest; about 2 MB. */
const mostListed = 2000;
const idBytes = 12;

/** What was made. */
type Making = Omit<
  StoredGeneration,
  'id' | 'telegramId' | 'pictureIds' | 'createdAt' | 'tags' | 'loras'
> & {
  /** JSON, possibly as a device has sent it. */
  readonly tags: string | undefined;
  readonly loras: string | undefined;
};

export type Generations = {
  /** Saves a picture that a device sends; with a key that was saved before, answers that one. */
  readonly save: (telegramId: number, file: Buffer, making: Making) => Promise<ListedGeneration>;
  /** The same for what was made here, which was counted when it was asked for. */
  readonly keep: (
    telegramId: number,
    files: readonly Buffer[],
    making: Making,
  ) => Promise<ListedGeneration>;
  readonly findByKey: (telegramId: number, jobKey: string) => Promise<ListedGeneration | undefined>;
  /** Newest first: those of one provider, or all. */
  readonly list: (
    telegramId: number,
    provider?: ProviderId,
  ) => Promise<readonly ListedGeneration[]>;
  /** Throws `generation_not_found`, also for somebody else's. */
  readonly remove: (telegramId: number, id: string) => Promise<void>;
  /** Throws `generation_not_found`. */
  readonly rename: (telegramId: number, id: string, modelName: string) => Promise<void>;
};

const tagList = v.pipe(v.array(v.pipe(v.string(), v.maxLength(60))), v.maxLength(30));
const loraMap = v.pipe(
  v.record(v.pipe(v.string(), v.maxLength(100)), v.number()),
  v.check((map) => Object.keys(map).length <= maxLoras),
);

export function createGenerations(
  { database: { db }, clock, random }: Pick<Dependencies, 'database' | 'clock' | 'random'>,
  { limiter, pictures }: { readonly limiter: Limiter; readonly pictures: Pictures },
): Generations {
  const stored = createGenerationRepository(db);

  async function findByKey(telegramId: number, jobKey: string | undefined) {
    return jobKey === undefined
      ? undefined
      : (await stored.listOf(telegramId, { limit: 1, jobKey }))[0];
  }

  /** All of them, or none. */
  async function putAll(telegramId: number, files: readonly Buffer[]) {
    const put: Awaited<ReturnType<typeof pictures.put>>[] = [];
    try {
      for (const bytes of files) {
        // One after the other, so that of a thing that fails no part is written later.
        put.push(await pictures.put(bytes, telegramId));
      }
    } catch (error) {
      await removeAll(put.map(({ id }) => id));
      throw error;
    }
    return put;
  }

  /** From the last to the first, whose going takes the generation along: what is cut short can be done again. */
  async function removeAll(ids: readonly string[]): Promise<void> {
    for (const id of ids.toReversed()) {
      await pictures.remove(id);
    }
  }

  const keep: Generations['keep'] = async (telegramId, files, making) => {
    const [first, ...others] = await putAll(telegramId, files);
    if (first === undefined) {
      throw new AppError('picture_unreadable');
    }
    const generation = {
      ...making,
      id: random.bytes(idBytes).toString('base64url'),
      telegramId,
      pictureIds: [first.id, ...others.map(({ id }) => id)] as const,
      createdAt: clock(),
      tags: readJson(making.tags, tagList) ?? '[]',
      loras: readJson(making.loras, loraMap) ?? '{}',
    };
    const { width, height } = first;
    if (await stored.add(generation)) {
      return { ...generation, width, height };
    }
    // The same one was saved in the same moment: one of the two is enough.
    await removeAll(generation.pictureIds);
    const twin = await findByKey(telegramId, making.jobKey);
    if (!twin) {
      throw new AppError('generation_not_found');
    }
    return twin;
  };

  return {
    save: async (telegramId, file, making) => {
      const earlier = await findByKey(telegramId, making.jobKey);
      if (earlier) {
        return earlier;
      }
      await limiter.take(limits.savedPictures, telegramId);
      return keep(telegramId, [file], making);
    },

    keep: async (telegramId, files, making) =>
      (await findByKey(telegramId, making.jobKey)) ?? keep(telegramId, files, making),

    findByKey,

    list: (telegramId, provider) => stored.listOf(telegramId, { limit: mostListed, provider }),

    remove: async (telegramId, id) => {
      const found = await stored.findOwn(telegramId, id);
      if (!found) {
        throw new AppError('generation_not_found');
      }
      await removeAll(found);
    },

    rename: async (telegramId, id, modelName) => {
      if (!(await stored.setModelName(telegramId, id, modelName))) {
        throw new AppError('generation_not_found');
      }
    },
  };
}

/** The text as it was sent, when it is JSON of this shape; what else came is dropped. */
function readJson(text: string | undefined, schema: v.GenericSchema): string | undefined {
  try {
    const parsed = v.safeParse(schema, JSON.parse(text ?? ''));
    return parsed.success ? JSON.stringify(parsed.output) : undefined;
  } catch {
    return undefined;
  }
}
