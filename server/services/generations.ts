/** What a person has made: saving it once, listing it, and deleting it. */
import * as v from 'valibot';

import { createGenerationRepository } from '#server/db/generations';
import { type ListedGeneration, type StoredGeneration } from '#server/db/generations';
import { type Dependencies } from '#server/lib/dependencies';
import { AppError } from '#server/lib/errors';
import { type Limiter, limits } from '#server/lib/limits';

import { type Pictures } from './pictures.ts';

/** How many a list has at most, the newest; about 2 MB. */
const mostListed = 2000;
const idBytes = 12;

type SavedGeneration = { readonly id: string; readonly pictureId: string };

/** What was made, as the person's device tells it. */
type Making = Omit<
  StoredGeneration,
  'id' | 'telegramId' | 'pictureId' | 'createdAt' | 'tags' | 'loras'
> & {
  /** JSON as it was sent. */
  readonly tags: string | undefined;
  readonly loras: string | undefined;
};

export type Generations = {
  /** Saves a picture; with a key that was saved before, answers that one. */
  readonly save: (telegramId: number, bytes: Buffer, making: Making) => Promise<SavedGeneration>;
  /** Newest first. */
  readonly list: (telegramId: number) => Promise<readonly ListedGeneration[]>;
  /** Throws `generation_not_found`, also for somebody else's. */
  readonly remove: (telegramId: number, id: string) => Promise<void>;
  /** Throws `generation_not_found`. */
  readonly rename: (telegramId: number, id: string, modelName: string) => Promise<void>;
};

const tagList = v.pipe(v.array(v.pipe(v.string(), v.maxLength(60))), v.maxLength(30));
const loraMap = v.record(v.pipe(v.string(), v.maxLength(100)), v.number());

export function createGenerations(
  { database: { db }, clock, random }: Pick<Dependencies, 'database' | 'clock' | 'random'>,
  { limiter, pictures }: { readonly limiter: Limiter; readonly pictures: Pictures },
): Generations {
  const stored = createGenerationRepository(db);

  return {
    save: async (telegramId, bytes, making) => {
      const earlier =
        making.jobKey === undefined ? undefined : await stored.findByKey(telegramId, making.jobKey);
      if (earlier) {
        return earlier;
      }
      await limiter.take(limits.savedPictures, telegramId);
      const { id: pictureId } = await pictures.put(bytes, telegramId);
      const generation = {
        ...making,
        id: random.bytes(idBytes).toString('base64url'),
        telegramId,
        pictureId,
        createdAt: clock(),
        tags: readJson(making.tags, tagList) ?? '[]',
        loras: readJson(making.loras, loraMap) ?? '{}',
      };
      if (await stored.add(generation)) {
        return generation;
      }
      // The same one was saved in the same moment: one of the two is enough.
      await pictures.remove(pictureId);
      const twin = await stored.findByKey(telegramId, making.jobKey ?? '');
      if (!twin) {
        throw new AppError('generation_not_found');
      }
      return twin;
    },

    list: (telegramId) => stored.listOf(telegramId, mostListed),

    remove: async (telegramId, id) => {
      const found = await stored.findOwn(telegramId, id);
      if (!found) {
        throw new AppError('generation_not_found');
      }
      await pictures.remove(found.pictureId);
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
