/** Pictures of the providers whose calls make and keep them in one step: Imagine Art, MidJourney. */
import { type ProviderId } from '#contract/images/providers';
import { type JobRecipe } from '#server/db/generation-jobs';
import { type ListedGeneration } from '#server/db/generations';
import { AppError } from '#server/lib/errors';
import { type Requester } from '#server/lib/requester';

import { type DoneJob, type GenerationJobs, type Wish } from './generation-jobs.ts';
import { type Generations } from './generations.ts';
import { type MediaLinks } from './media-links.ts';
import { type Pictures } from './pictures.ts';

/** What a wish has come to; links need no header and end within two days. */
export type HubPictures = {
  readonly id: string;
  readonly images: readonly [string, ...string[]];
  /** Small copies; none of what is not kept. */
  readonly thumbnails: readonly string[];
  /** Pixels of the first, when known. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  readonly recipe: Pick<JobRecipe, 'prompt' | 'style' | 'ratio'>;
  readonly seed: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** What made them; unknown of what was kept long ago. */
  readonly engine: string | undefined;
  readonly jobKey: string | undefined;
  /** Whether they are in somebody's account; otherwise they are gone in a day. */
  readonly isKept: boolean;
};

type Tools = {
  readonly jobs: GenerationJobs;
  readonly generations: Generations;
  readonly pictures: Pictures;
  readonly links: MediaLinks;
};

export function createHubPictures({ jobs, generations, pictures, links }: Tools) {
  function ofKept(kept: ListedGeneration, engine?: string): HubPictures {
    const [first, ...others] = kept.pictureIds;
    const { id, width, height, prompt, style, ratio, seed, createdAt, jobKey } = kept;
    return {
      id,
      images: [
        pictures.linkTo(first, 'original'),
        ...others.map((one) => pictures.linkTo(one, 'original')),
      ],
      thumbnails: kept.pictureIds.map((one) => pictures.linkTo(one, 'thumbnail')),
      size: { width, height },
      recipe: { prompt, style, ratio },
      seed,
      createdAt,
      engine,
      jobKey,
      isKept: true,
    };
  }

  const link = (id: string) => links.sign(`/media/${id}/made`);

  function ofJob({ pictureIds, recipe, seed, createdAt, engine, key }: DoneJob): HubPictures {
    const [first, ...others] = pictureIds;
    return {
      id: first,
      images: [link(first), ...others.map(link)],
      thumbnails: [],
      size: undefined,
      recipe,
      seed,
      createdAt,
      engine,
      jobKey: key,
      isKept: false,
    };
  }

  return {
    /**
     * Makes them, or answers those of an earlier wish with the same key. Throws what
     * `GenerationJobs.make` throws.
     */
    async make(wish: Wish, requester: Requester): Promise<HubPictures> {
      const { telegramId } = requester;
      const keptFor = (key: string | undefined) =>
        telegramId === undefined || key === undefined
          ? undefined
          : generations.findByKey(telegramId, key);

      // Also when the job is long forgotten.
      const earlier = await keptFor(wish.key);
      if (earlier) {
        checkSame(earlier, wish);
        return ofKept(earlier);
      }
      const job = await jobs.make(wish, requester);
      const kept = await keptFor(job.key);
      return kept ? ofKept(kept, job.engine) : ofJob(job);
    },

    /** What a person has made by one provider, newest first. */
    list: async (telegramId: number, provider: ProviderId): Promise<readonly HubPictures[]> =>
      (await generations.list(telegramId, provider)).map((kept) => ofKept(kept)),
  };
}

/** Throws `job_key_used`. */
function checkSame(kept: ListedGeneration, { provider, recipe }: Wish): void {
  const isSame =
    kept.provider === provider &&
    kept.prompt === recipe.prompt &&
    kept.style === recipe.style &&
    kept.ratio === recipe.ratio;
  if (!isSame) {
    throw new AppError('job_key_used');
  }
}
