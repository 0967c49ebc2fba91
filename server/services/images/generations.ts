/** Users' saved generations: saving, listing, renaming, deleting, and the archive of finished jobs. */
import { type Kysely } from 'kysely';
import * as v from 'valibot';

import { maxLoras, maxUpscaleSide, sourceStrength } from '#contract/images/limits';
import { type ProviderId, providerIds } from '#contract/images/providers';
import { type Dependencies } from '#server/app/dependencies';
import { type GenerationJob } from '#server/db/generation-jobs';
import {
  createGenerationRepository,
  createPictureRepository,
  type ListedGeneration,
  type StoredGeneration,
  type StoredPicture,
} from '#server/db/generations';
import { type Tables } from '#server/db/tables';
import { AppError } from '#server/lib/errors';
import { limits, sourceRules } from '#server/lib/limits';
import { type Draft } from '#server/lib/object-store';
import { type PictureSource, type SourceMode } from '#server/lib/picture-recipe';
import { type Limiter } from '#server/services/limiter';
import { type OpenSource } from '#server/upstream/images/image-engine';
import { imageServiceTexts } from '#server/upstream/images/texts';

import { type PictureFile, type Pictures } from './pictures.ts';

/** The newest ones; about 2 MB as JSON. */
const maxListed = 2000;
const idBytes = 12;

type NewGeneration = Omit<
  StoredGeneration,
  'id' | 'telegramId' | 'pictureIds' | 'createdAt' | 'tags' | 'loras'
> & {
  /** JSON from a client, which may be invalid. */
  readonly tags: string | undefined;
  readonly loras: string | undefined;
};

type GenerationFiles = {
  readonly telegramId: number;
  readonly files: readonly PictureFile[];
  /** Called inside the transaction that stores the generation. */
  readonly isAllowed?: (tx: Kysely<Tables>) => Promise<boolean>;
};

type MadeFiles = Omit<GenerationFiles, 'files'> & { readonly files: readonly Buffer[] };

type AddedGeneration = {
  /** `existing`: the user had a generation with this key. */
  readonly outcome: 'added' | 'existing' | 'refused';
  readonly generation: ListedGeneration;
};

const tagList = v.pipe(v.array(v.pipe(v.string(), v.maxLength(60))), v.maxLength(30));
const loraMap = v.pipe(
  v.record(v.pipe(v.string(), v.maxLength(100)), v.number()),
  v.check((map) => Object.keys(map).length <= maxLoras),
);

const storedWeights = v.fallback(v.record(v.string(), v.number()), {});

type GenerationTools = {
  readonly limiter: Limiter;
  readonly pictures: Pictures;
};

export type Generations = ReturnType<typeof createGenerations>;

export function createGenerations(
  { database, clock, random }: Pick<Dependencies, 'database' | 'clock' | 'random'>,
  { limiter, pictures }: GenerationTools,
) {
  const stored = createGenerationRepository(database.db);
  const sources = createPictureRepository(database.db);
  const { add, addSource } = createGenerationFiles({ database, clock, random }, pictures);

  async function findByKey(
    telegramId: number,
    jobKey: string | undefined,
  ): Promise<ListedGeneration | undefined> {
    return jobKey === undefined
      ? undefined
      : (await stored.list(telegramId, { limit: 1, jobKey }))[0];
  }

  /** Throws `generation_not_found`, also for a generation of another user. */
  async function requirePictures(
    telegramId: number,
    id: string,
    provider?: ProviderId,
  ): Promise<readonly string[]> {
    const pictureIds = await stored.findPictures(telegramId, { id }, provider);
    if (!pictureIds) {
      throw new AppError('generation_not_found');
    }
    return pictureIds;
  }

  return {
    /**
     * Saves a picture from a client, which was counted when its upload began. Returns the existing
     * generation when its job key was saved before.
     */
    async save(telegramId: number, file: Draft, input: NewGeneration): Promise<ListedGeneration> {
      const existing = await findByKey(telegramId, input.jobKey);
      if (existing) {
        await limiter.giveBack(limits.savedPictures, telegramId);
        return existing;
      }
      const { outcome, generation } = await add({ telegramId, files: [file] }, input);
      if (outcome !== 'added') {
        // It was saved at the same moment, or is in the bin: saving it again restores it.
        const jobKey = input.jobKey ?? '';
        const pictureIds = await stored.findPictures(telegramId, { jobKey });
        if (pictureIds) {
          await pictures.restore(telegramId, pictureIds);
        }
      }
      const saved = outcome === 'added' ? generation : await findByKey(telegramId, input.jobKey);
      if (!saved) {
        throw new AppError('generation_not_found');
      }
      return saved;
    },

    /**
     * Saves pictures that this server has made, unless `isAllowed` returns false. Returns whether it
     * did not. No limit: the request was counted.
     */
    archive: async ({ files, ...rest }: MadeFiles, input: NewGeneration): Promise<boolean> =>
      (await add({ ...rest, files: files.map(pictures.fromBytes) }, input)).outcome !== 'refused',

    findByKey,

    /** Whosever it is: the ID is known to those who have its link alone. Undefined when it was deleted. */
    findById: (id: string) => stored.find(id),

    /**
     * What a link below a picture leads to, whosever it is: that of an adult one is for its owner alone. Throws
     * `generation_not_found`.
     */
    async requireLinked(id: string, telegramId: number) {
      const found = await stored.find(id);
      const provider = providerIds.find((one) => one === found?.provider);
      const isOwn = found?.telegramId === telegramId;
      if (found === undefined || provider === undefined || (found.nsfw && !isOwn)) {
        throw new AppError('generation_not_found');
      }
      return { ...found, provider, weights: v.parse(storedWeights, JSON.parse(found.loras)) };
    },

    /**
     * Stores a picture that others are made from, or a mask. Throws what `Pictures.put` and `Pictures.add` throw.
     */
    addSource,

    findSource: createSourceSearch(stored, (telegramId, id) =>
      sources.findSource(telegramId, { id, now: clock() }),
    ),

    /** Newest first: those of one provider, or all. */
    list: (telegramId: number, provider?: ProviderId) =>
      stored.list(telegramId, { limit: maxListed, provider }),

    /** Deletes a generation, which `restore` can undo for ten minutes. Throws `generation_not_found`. */
    moveToBin: async (telegramId: number, id: string) =>
      pictures.moveToBin(await requirePictures(telegramId, id)),

    /**
     * Throws `generation_not_found`, also when it was deleted too long ago; `too_many_pictures` or
     * `storage_quota` when its place is taken.
     */
    async restore(telegramId: number, id: string): Promise<void> {
      if (!(await pictures.restore(telegramId, await requirePictures(telegramId, id)))) {
        throw new AppError('generation_not_found');
      }
    },

    /** Deletes a provider's generation for good, with the job that made it. Throws `generation_not_found`. */
    async remove(telegramId: number, id: string, provider: ProviderId): Promise<void> {
      await pictures.remove(await requirePictures(telegramId, id, provider));
    },

    /** Throws `generation_not_found`. */
    async rename(telegramId: number, id: string, modelName: string): Promise<void> {
      if (!(await stored.setModelName(telegramId, id, modelName))) {
        throw new AppError('generation_not_found');
      }
    },
  };
}

/** What a request names; `checkSource` of the contract has seen it. */
type NamedSource = {
  readonly generation_id?: string | undefined;
  readonly source_id?: string | undefined;
  readonly mask_id?: string | undefined;
  readonly mode: SourceMode;
  readonly strength?: number | undefined;
};

type FoundPicture = { readonly width: number; readonly height: number };

function createSourceSearch(
  stored: ReturnType<typeof createGenerationRepository>,
  findUploaded: (telegramId: number, id: string) => Promise<FoundPicture | undefined>,
) {
  async function findPicture(telegramId: number, named: NamedSource) {
    const { generation_id: saved, source_id: uploaded = '' } = named;
    if (saved === undefined) {
      const found = await findUploaded(telegramId, uploaded);
      return found && { ...found, pictureId: uploaded };
    }
    const found = await stored.find(saved);
    return found?.telegramId === telegramId
      ? { ...found, pictureId: found.pictureIds[0] }
      : undefined;
  }

  /**
   * The picture of this user to make another one from, with its mask. Throws `generation_not_found`, `source_gone` for one
   * that was uploaded too long ago, or `picture_too_large` for one that is too large to be enlarged.
   */
  return async (telegramId: number, named: NamedSource): Promise<PictureSource> => {
    const { mode, mask_id: maskId, strength = sourceStrength.default[mode] } = named;
    const found = await findPicture(telegramId, named);
    if (found === undefined) {
      throw new AppError(named.source_id === undefined ? 'generation_not_found' : 'source_gone');
    }
    if (maskId !== undefined && (await findUploaded(telegramId, maskId)) === undefined) {
      throw new AppError('source_gone');
    }
    if (mode === 'upscale' && Math.max(found.width, found.height) > maxUpscaleSide) {
      throw new AppError('picture_too_large', {
        detail: (say) => say(imageServiceTexts).enlarged(maxUpscaleSide),
      });
    }
    return {
      pictureId: found.pictureId,
      mode,
      strength: mode === 'upscale' ? 0 : strength,
      ...(maskId !== undefined && { maskId }),
    };
  };
}

/** Undefined for a recipe without a source. */
export function openSource(
  pictures: Pick<Pictures, 'read' | 'getLink' | 'toUpright'>,
  source: PictureSource | undefined,
): OpenSource | undefined {
  const read = async (id: string): Promise<Buffer> => {
    const found = await pictures.read(id, 'original');
    if (!found) {
      throw new AppError('picture_gone');
    }
    return found.bytes;
  };
  return (
    source && {
      read: async () => pictures.toUpright(await read(source.pictureId)),
      readMask: () => read(source.maskId ?? ''),
      link: () => pictures.getLink(source.pictureId, 'original'),
    }
  );
}

const toIds = (put: readonly StoredPicture[]) => put.map(({ id }) => id);

function createGenerationFiles(
  { database: { db }, clock, random }: Pick<Dependencies, 'database' | 'clock' | 'random'>,
  pictures: Pictures,
) {
  /** Stores the files of all pictures, or none. */
  async function putAll(telegramId: number, files: readonly PictureFile[]) {
    const put: StoredPicture[] = [];
    try {
      for (const file of files) {
        // In sequence, so that nothing is written after a failure.
        put.push(await pictures.put(file, telegramId));
      }
    } catch (error) {
      await removeFiles(put);
      throw error;
    }
    return put;
  }

  const removeFiles = (put: readonly StoredPicture[]) => pictures.removeFiles(toIds(put));

  /** In one transaction, so that no picture counts that nothing shows. */
  async function addRows(
    put: readonly StoredPicture[],
    generation: StoredGeneration,
    isAllowed: (tx: Kysely<Tables>) => Promise<boolean>,
  ): Promise<AddedGeneration['outcome']> {
    return db.transaction().execute(async (tx) => {
      if (!(await isAllowed(tx))) {
        return 'refused';
      }
      for (const picture of put) {
        await pictures.add(tx, picture);
      }
      if (await createGenerationRepository(tx).add(generation)) {
        await pictures.claimFiles(tx, toIds(put));
        return 'added';
      }
      await createPictureRepository(tx).remove(toIds(put));
      return 'existing';
    });
  }

  /** Stores the pictures and a generation with them. The transaction stores nothing when `isAllowed` returns false. */
  async function add(
    { telegramId, files, isAllowed = async () => true }: GenerationFiles,
    input: NewGeneration,
  ): Promise<AddedGeneration> {
    const put = await putAll(telegramId, files);
    const [first, ...others] = put;
    if (first === undefined) {
      throw new AppError('picture_unreadable');
    }
    const generation = {
      ...input,
      id: random.bytes(idBytes).toString('base64url'),
      telegramId,
      pictureIds: [first.id, ...others.map(({ id }) => id)] as const,
      createdAt: clock(),
      tags: parseJson(input.tags, tagList) ?? '[]',
      loras: parseJson(input.loras, loraMap) ?? '{}',
    };
    const outcome = await addRows(put, generation, isAllowed).catch(async (error: unknown) => {
      // After any other error the rows may be stored all the same. If not, the files are swept later.
      if (error instanceof AppError) {
        await removeFiles(put);
      }
      throw error;
    });
    if (outcome !== 'added') {
      await removeFiles(put);
    }
    const { width, height } = first;
    return { outcome, generation: { ...generation, width, height } };
  }

  /** In no history; it is removed after a while. */
  async function addSource(telegramId: number, file: PictureFile): Promise<StoredPicture> {
    const put = await pictures.put(file, telegramId);
    const source = { ...put, sourceUntil: clock() + sourceRules.keptMs };
    try {
      await db.transaction().execute(async (tx) => {
        await pictures.add(tx, source);
        await pictures.claimFiles(tx, [put.id]);
      });
    } catch (error) {
      if (error instanceof AppError) {
        await removeFiles([put]);
      }
      throw error;
    }
    return source;
  }

  return { add, addSource };
}

/** Returns valid JSON unchanged, and undefined for everything else. */
function parseJson(text: string | undefined, schema: v.GenericSchema): string | undefined {
  try {
    const parsed = v.safeParse(schema, JSON.parse(text ?? ''));
    return parsed.success ? JSON.stringify(parsed.output) : undefined;
  } catch {
    return undefined;
  }
}

export type GenerationArchive = ReturnType<typeof createGenerationArchive>;

/** Saves the pictures of finished jobs in their users' histories, so that no client has to upload them. */
export function createGenerationArchive(
  { database: { db }, log }: Pick<Dependencies, 'database' | 'log'>,
  { generations }: { readonly generations: Generations },
) {
  return {
    /**
     * Saves the pictures of a user's job and calls `finish`, which ends the job, in one transaction: a
     * job that cannot be ended any more changes no history. Only calls `finish`, in a transaction of its own, for a
     * visitor's job, and when there is no room; the pictures are then available by the job for a day. Returns what `finish`
     * returns.
     */
    async add(
      job: GenerationJob,
      files: readonly Buffer[],
      finish: (tx: Kysely<Tables>) => Promise<boolean>,
    ): Promise<boolean> {
      const { owner, provider, key, recipe, seed } = job;
      if (owner === undefined) {
        return db.transaction().execute(finish);
      }
      const { modelId, style, prompt, negativePrompt, ratio, nsfw, loras } = recipe;
      try {
        return await generations.archive(
          { telegramId: owner, files, isAllowed: finish },
          {
            provider,
            modelId,
            modelName: '',
            style,
            prompt,
            negativePrompt,
            seed,
            ratio,
            nsfw,
            jobKey: key,
            tags: JSON.stringify([provider]),
            loras: JSON.stringify(loras),
          },
        );
      } catch (error) {
        log.warn({ err: error }, 'Could not save the pictures of a job');
        return db.transaction().execute(finish);
      }
    },
  };
}
