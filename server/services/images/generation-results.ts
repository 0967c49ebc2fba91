/** Makes pictures and returns where they are: in the user's history, or with the job for a day. */
import { guidanceScale } from '#contract/images/limits';
import { type ProviderId } from '#contract/images/providers';
import { getRatioSize } from '#contract/images/ratios';
import { type Dependencies } from '#server/app/dependencies';
import {
  createGenerationTimeRepository,
  type GenerationJob,
  type JobRecipe,
} from '#server/db/generation-jobs';
import { type ListedGeneration } from '#server/db/generations';
import { AppError } from '#server/lib/errors';
import { type Requester } from '#server/lib/requester';
import { type Engines } from '#server/upstream/images/engines';

import { type GenerationJobs, type GenerationRequest } from './generation-jobs.ts';
import { type Generations } from './generations.ts';
import { type MediaLinks, type Pictures } from './pictures.ts';

export type GenerationResult = {
  /** Of the generation, or of the job's first picture when nothing is saved. */
  readonly id: string;
  readonly pictureIds: readonly [string, ...string[]];
  /** Signed links, valid for one to two days. */
  readonly images: readonly [string, ...string[]];
  /** Links to small copies; empty when nothing is saved. */
  readonly thumbnails: readonly string[];
  /** Pixels of the first picture, if known. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  readonly recipe: Pick<JobRecipe, 'prompt' | 'style' | 'ratio'>;
  readonly seed: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Unknown for a generation whose job has been removed. */
  readonly engine: string | undefined;
  readonly jobKey: string | undefined;
  /** Whether the pictures are in the user's history; otherwise they are removed after a day. */
  readonly isSaved: boolean;
};

type Tools = {
  readonly engines: Engines;
  readonly jobs: GenerationJobs;
  readonly generations: Generations;
  readonly pictures: Pictures;
  readonly links: MediaLinks;
};

export function createGenerationResults(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  { engines, jobs, generations, pictures, links }: Tools,
) {
  const times = createGenerationTimeRepository(database.db);

  function toResult(saved: ListedGeneration, engine?: string): GenerationResult {
    const { id, pictureIds, width, height, prompt, style, ratio, seed, createdAt, jobKey } = saved;
    const [first, ...others] = pictureIds;
    return {
      id,
      pictureIds,
      images: [
        pictures.getLink(first, 'original'),
        ...others.map((one) => pictures.getLink(one, 'original')),
      ],
      thumbnails: pictureIds.map((one) => pictures.getLink(one, 'thumbnail')),
      size: { width, height },
      recipe: { prompt, style, ratio },
      seed,
      createdAt,
      engine,
      jobKey,
      isSaved: true,
    };
  }

  const getJobLink = (id: string) => links.sign({ id, variant: 'made' });

  return {
    /**
     * Makes pictures, or returns those of an earlier request with the same key. Throws what
     * `GenerationJobs.make` throws.
     */
    async make(request: GenerationRequest, requester: Requester): Promise<GenerationResult> {
      const { telegramId } = requester;
      const findSaved = (key: string | undefined) =>
        telegramId === undefined ? undefined : generations.findByKey(telegramId, key);

      // The job may have been removed, but a saved generation stays.
      const earlier = await findSaved(request.key);
      if (earlier) {
        checkSameRequest(earlier, request);
        return toResult(earlier);
      }
      const job = await jobs.make(request, requester);
      const saved = await findSaved(job.key);
      if (saved) {
        return toResult(saved, job.engine);
      }
      const { pictureIds, recipe, seed, createdAt, engine, key } = job;
      const [first, ...others] = pictureIds;
      return {
        id: first,
        pictureIds,
        images: [getJobLink(first), ...others.map(getJobLink)],
        thumbnails: [],
        size: undefined,
        recipe,
        seed,
        createdAt,
        engine,
        jobKey: key,
        isSaved: false,
      };
    },

    /** What is known of the wait for an unfinished job. */
    async readWait(job: GenerationJob): Promise<JobWait> {
      const engine = Object.entries(engines).find(([name]) => name === job.provider)?.[1];
      const [place, durations] = await Promise.all([
        times.readPlace(job),
        times.readDurations(job.engine, measuredJobs),
      ]);
      const concurrency = engine?.abilities.concurrency ?? 1;
      return toWait(job, { ...place, concurrency, durations, now: clock() });
    },

    /** Returns the bytes of the first picture. Throws `picture_gone`. */
    async read({ isSaved, pictureIds: [first] }: GenerationResult): Promise<Buffer> {
      if (!isSaved) {
        return jobs.read(first);
      }
      const found = await pictures.read(first, 'original');
      if (!found) {
        throw new AppError('picture_gone');
      }
      return found.bytes;
    },

    /** Returns a user's saved generations of a provider, newest first. */
    list: async (telegramId: number, provider: ProviderId): Promise<readonly GenerationResult[]> =>
      (await generations.list(telegramId, provider)).map((saved) => toResult(saved)),
  };
}

/** A recipe with defaults for fields that a provider does not have. */
export function toRecipe({
  ratio,
  ...fields
}: Pick<JobRecipe, 'prompt'> & { readonly ratio: string } & Partial<JobRecipe>): JobRecipe {
  const { width, height } = getRatioSize(ratio);
  return {
    negativePrompt: '',
    modelId: '',
    loras: {},
    style: '',
    seed: '',
    nsfw: false,
    scale: guidanceScale,
    ...fields,
    ratio,
    width,
    height,
  };
}

/** How many of the last pictures of an engine say how long the next one takes, and how many are too few. */
const measuredJobs = 20;
const fewestMeasured = 3;

type JobWait = {
  /** 1 for the next one; undefined once an engine works on it. */
  readonly position: number | undefined;
  /** Undefined where too few were measured, and where it takes longer than they did. */
  readonly expectedS: number | undefined;
};

type Measured = {
  /** Among those that wait. */
  readonly position: number;
  readonly beganAt: number | undefined;
  readonly concurrency: number;
  /** Ms. */
  readonly durations: readonly number[];
  readonly now: number;
};

/** Who waits has whole rounds of the engine before them, the first of which is half over on average. */
function toWait({ state }: GenerationJob, measured: Measured): JobWait {
  const { position, beganAt, concurrency, durations, now } = measured;
  const waits = state === 'queued';
  const usual = durations.toSorted((a, b) => a - b)[Math.floor(durations.length / 2)];
  const rounds = waits ? Math.ceil(position / concurrency) + 0.5 : 1;
  const expectedMs =
    usual === undefined || durations.length < fewestMeasured
      ? 0
      : usual * rounds - (waits ? 0 : now - (beganAt ?? now));
  return {
    position: waits ? Math.max(1, position) : undefined,
    expectedS: expectedMs > 0 ? Math.ceil(expectedMs / 1000) : undefined,
  };
}

/** Throws `job_key_used`. */
function checkSameRequest(saved: ListedGeneration, { provider, recipe }: GenerationRequest): void {
  const isSame =
    saved.provider === provider &&
    saved.prompt === recipe.prompt &&
    saved.negativePrompt === recipe.negativePrompt &&
    saved.modelId === recipe.modelId &&
    saved.style === recipe.style &&
    saved.ratio === recipe.ratio;
  if (!isSame) {
    throw new AppError('job_key_used');
  }
}
