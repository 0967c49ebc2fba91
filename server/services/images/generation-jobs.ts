/**
 * Pictures that were asked for. Each wish is a job with a key: whoever comes back with the key finds
 * what became of it, also when their connection broke or the server was restarted meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { type Dependencies } from '#server/app/dependencies';
import {
  createGenerationJobRepository,
  type GenerationJob,
  type JobRecipe,
} from '#server/db/generation-jobs';
import { createSlotLimiter } from '#server/lib/concurrency';
import { AppError } from '#server/lib/errors';
import { generationRules } from '#server/lib/limits';
import { type Requester } from '#server/lib/requester';
import { type Limiter } from '#server/services/limiter';
import { type Usage } from '#server/services/usage';
import { type Engines } from '#server/upstream/images/engines';
import { checkRatio } from '#server/upstream/images/image-engine';

import { createGenerationCounts } from './generation-counts.ts';
import { createGenerationRunner } from './generation-runner.ts';
import { type PictureStore } from './job-pictures.ts';
import { type KeptMakings } from './kept-makings.ts';

export type Wish = {
  /** Made up when the client has none. */
  readonly key: string | undefined;
  readonly provider: keyof Engines;
  readonly recipe: JobRecipe;
};

/** A job whose pictures are there. */
export type DoneJob = GenerationJob & { readonly pictureIds: readonly [string, ...string[]] };

type Tools = {
  readonly limiter: Limiter;
  readonly usage: Usage;
  readonly pictures: PictureStore;
  readonly kept: KeptMakings;
  readonly engines: Engines;
};

/** How often a job that another server works on is looked at. */
const lookEveryMs = 1000;

export type GenerationJobs = ReturnType<typeof createGenerationJobs>;

export function createGenerationJobs(deps: Dependencies, tools: Tools) {
  const { clock, random } = deps;
  const { pictures, engines } = tools;
  const counts = createGenerationCounts(deps, tools.limiter);
  const jobs = createGenerationJobRepository(deps.database.db);
  const slots = createSlotLimiter(generationRules.atOnce + generationRules.queue);
  const runner = createGenerationRunner(deps, { ...tools, jobs });

  /** Throws `job_not_found`: somebody else's job is as good as none. */
  async function find(key: string, { telegramId }: Requester): Promise<GenerationJob> {
    const job = await jobs.find(key);
    if (job === undefined || (job.owner !== undefined && job.owner !== telegramId)) {
      throw new AppError('job_not_found');
    }
    return job;
  }

  /** Counts the wish, stores it as a job, and answers its key. */
  async function begin(wish: Wish, requester: Requester, lane: string): Promise<string> {
    const engine = engines[wish.provider];
    checkRatio(engine, wish.recipe.ratio);
    const giveBack = await counts.take(engine, requester);

    const { seed } = wish.recipe;
    const job: GenerationJob = {
      key: wish.key ?? random.bytes(24).toString('base64url'),
      owner: requester.telegramId,
      provider: wish.provider,
      engine: engine.name,
      recipe: wish.recipe,
      seed: seed === '' ? randomSeed(random.bytes(4)) : seed,
      state: 'queued',
      taskId: undefined,
      pictureIds: [],
      failure: undefined,
      createdAt: clock(),
    };
    if (!(await runner.start({ job, engine, lane }))) {
      // The same wish came twice at the same moment, and the other one was first.
      await giveBack();
      await join(job.key, wish, requester);
    }
    return job.key;
  }

  /** Throws `job_not_found`, or `job_key_used` when the key stands for another wish. */
  async function join(
    key: string,
    { provider, recipe }: Wish,
    requester: Requester,
  ): Promise<void> {
    const job = await find(key, requester);
    if (asText(job.recipe) !== asText(recipe) || job.provider !== provider) {
      throw new AppError('job_key_used');
    }
  }

  /** Resolves once the job has ended, here or on another server with the same database. */
  async function settled(key: string): Promise<GenerationJob | undefined> {
    await runner.settled(key);
    const job = await jobs.find(key);
    if (job === undefined || !isUnderWay(job) || runner.isStopping()) {
      return job;
    }
    await sleep(lookEveryMs, undefined, { ref: false });
    return settled(key);
  }

  return {
    /**
     * Makes pictures, or joins the making of those with the same key, and waits for them. They are
     * made also when nobody waits any more. Throws `rate_limited`, `ratio_impossible`,
     * `job_not_found`, `job_key_used`, whatever the engine throws, and `generation_cancelled`.
     */
    async make(wish: Wish, requester: Requester): Promise<DoneJob> {
      if (wish.key !== undefined && (await jobs.find(wish.key)) !== undefined) {
        await join(wish.key, wish, requester);
        return doneOf(await settled(wish.key));
      }
      const lane = laneOf(requester);
      const leave = slots.take(lane);
      if (leave === undefined) {
        throw new AppError('rate_limited', {
          detail: 'You have many pictures under way. Please wait until some are ready.',
          retryAfterS: generationRules.fullQueueRetryS,
        });
      }
      try {
        return doneOf(await settled(await begin(wish, requester, lane)));
      } finally {
        leave();
      }
    },

    /** The bytes of one of its pictures. Throws `picture_gone`. */
    read: (pictureId: string) => bytesOf(pictureId, pictures),

    find,

    /** Stops a job that is under way. Throws `job_not_found`. */
    async cancel(key: string, requester: Requester): Promise<void> {
      await runner.cancel(await find(key, requester));
    },

    /** Goes on with what a server left unfinished that was stopped or killed. */
    resume: () => runner.resume(),
    /** Keeps what is under way, and takes over what is left, until `stop` is called. */
    watch: () => runner.watch(),
    /** Lets go of everything; what can be resumed stays as it is. */
    stop: () => runner.stop(),
  };
}

function isUnderWay({ state }: GenerationJob): boolean {
  return state === 'queued' || state === 'running';
}

function doneOf(job: GenerationJob | undefined): DoneJob {
  if (job === undefined) {
    throw new AppError('job_not_found');
  }
  if (job.state === 'cancelled') {
    throw new AppError('generation_cancelled');
  }
  if (job.failure !== undefined) {
    throw new AppError(job.failure.code, { detail: job.failure.detail });
  }
  const [first, ...others] = job.pictureIds;
  if (first === undefined) {
    throw new AppError('generation_interrupted');
  }
  return { ...job, pictureIds: [first, ...others] };
}

async function bytesOf(pictureId: string, pictures: PictureStore): Promise<Buffer> {
  const bytes = await pictures.read(pictureId);
  if (bytes === undefined) {
    throw new AppError('picture_gone');
  }
  return bytes;
}

function laneOf({ telegramId, address }: Requester): string {
  return telegramId === undefined ? `guest ${address}` : `person ${telegramId}`;
}

/** One that every engine takes, and that looks like those of the random button. */
function randomSeed(bytes: Buffer): string {
  const smallest = 1_000_000_000;
  return String(smallest + (bytes.readUInt32BE() % (2 ** 32 - smallest)));
}

/** The same text for the same recipe, in whatever order its LoRAs come. */
function asText({ loras, ...recipe }: JobRecipe): string {
  const sorted = [recipe, loras].map((part) => Object.entries(part).toSorted(byName));
  return JSON.stringify(sorted);
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
