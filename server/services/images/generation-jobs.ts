/**
 * Generation jobs. Each request is a job with a key: a client that repeats the key gets the same
 * result, also after a lost connection or a restart of the server.
 */
import { createHmac } from 'node:crypto';

import { errorTexts } from '#contract/endpoints/error-texts';
import { type Dependencies } from '#server/app/dependencies';
import { createGenerationClaims } from '#server/db/generation-claims';
import {
  createGenerationJobRepository,
  createGenerationLeaseRepository,
  type GenerationJob,
  type GenerationJobRepository,
  type GenerationLeaseRepository,
  type JobRecipe,
  unfinished,
} from '#server/db/generation-jobs';
import { createRepeater, createSlotLimiter } from '#server/lib/concurrency';
import { deriveKey } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { createSentenceFinder } from '#server/lib/known-sentences';
import { generationRules, type Limit, limits } from '#server/lib/limits';
import { currentRequestId, outsideRequests } from '#server/lib/request-context';
import { type Requester } from '#server/lib/requester';
import { type Limiter } from '#server/services/limiter';
import { type Usage } from '#server/services/usage';
import { type Engines } from '#server/upstream/images/engines';
import {
  checkRatio,
  checkSampler,
  checkSource,
  fitLoras,
  fitSettings,
  type ImageEngine,
} from '#server/upstream/images/image-engine';
import { imageServiceTexts } from '#server/upstream/images/texts';

import { createGenerationRunner, maxUnfinished } from './generation-runner.ts';
import { type GenerationArchive } from './generations.ts';
import { type JobPictures, type Pictures } from './pictures.ts';
import { type PictureStorage } from './storage.ts';
import { pictureTexts } from './texts.ts';

export type GenerationRequest = {
  /** A new one is created when the client has none. */
  readonly key: string | undefined;
  readonly provider: keyof Engines;
  readonly recipe: JobRecipe;
};

/** A job with pictures. */
export type DoneJob = GenerationJob & { readonly pictureIds: readonly [string, ...string[]] };

type Tools = {
  readonly limiter: Limiter;
  readonly usage: Usage;
  readonly jobPictures: JobPictures;
  readonly archive: GenerationArchive;
  readonly engines: Engines;
  readonly storage: PictureStorage;
  readonly pictures: Pick<Pictures, 'read' | 'getLink' | 'toUpright'>;
};

/** How often jobs are looked at on which other processes work; mostly a notification comes first. */
const pollEveryMs = 1000;
/** How soon an answer that the stop of the server has cut off can be had by the key. */
const stoppedRetryS = 1;

export type GenerationJobs = ReturnType<typeof createGenerationJobs>;

export function createGenerationJobs(deps: Dependencies, tools: Tools) {
  const { jobPictures } = tools;
  const jobs = createGenerationJobRepository(deps.database.db);
  const leases = createGenerationLeaseRepository(deps.database);
  const claims = createGenerationClaims(deps.database);
  const ends = createEndWatch(deps, leases);
  const onLeft = ends.tell;
  const runner = createGenerationRunner(deps, { ...tools, jobs, leases, claims, onLeft });
  const { find, checkSameRequest } = createJobLookup(jobs);

  /** Resolves when the job has ended, in this or another server process. */
  async function waitForEnd(key: string): Promise<GenerationJob | undefined> {
    await runner.waitForEnd(key);
    const job = await jobs.find(key);
    const isUnfinished = job?.state === 'queued' || job?.state === 'running';
    if (!isUnfinished || runner.isStopping()) {
      return job;
    }
    await ends.next(key);
    return waitForEnd(key);
  }

  const begin = createBeginning(deps, tools, {
    jobs,
    runner,
    waitForEnd,
    checkSameRequest,
  });

  return {
    /**
     * Makes pictures, or waits for those of an earlier request with the same key. The job continues
     * when the client disconnects. Throws `rate_limited`, `storage_full`, `ratio_impossible`, `invalid_input`,
     * `job_not_found`, `job_key_used`, `generation_cancelled`, and what the engine throws.
     */
    async make(request: GenerationRequest, requester: Requester): Promise<DoneJob> {
      const { ended } = await begin(request, requester);
      return requireDone(await ended);
    },

    /**
     * Begins to make pictures, unless a request with the same key did, and resolves when the job is stored. Throws what
     * `make` throws before that.
     */
    async begin(
      request: GenerationRequest & { readonly key: string },
      requester: Requester,
    ): Promise<void> {
      const { ended } = await begin(request, requester);
      ended.catch((error: unknown) => deps.log.warn({ err: error }, 'Could not wait for a job'));
    },

    /** Resolves when the job has ended, in this or another server process, or the server stops. */
    waitForEnd,

    /** Returns the bytes of a job's picture. Throws `picture_gone`. */
    async read(pictureId: string): Promise<Buffer> {
      const bytes = await jobPictures.read(pictureId);
      if (bytes === undefined) {
        throw new AppError('picture_gone');
      }
      return bytes;
    },

    find,
    /** Whosever it is: for what the bot has begun. */
    findAny: (key: string): Promise<GenerationJob | undefined> => jobs.find(key),

    /** Stops an unfinished job. Throws `job_not_found`. */
    async cancel(key: string, requester: Requester): Promise<void> {
      await runner.cancel(await find(key, requester));
    },

    /** Cancels all that is made for a user. */
    cancelAll: (telegramId: number) => runner.cancelAll(telegramId),

    /** Continues jobs that a stopped or killed server left unfinished. */
    resume: () => runner.resume(),
    /** Extends leases and takes over unfinished jobs regularly, until `stop` is called. */
    watch: () => runner.watch(),
    /** Stops working. Unfinished jobs keep their state, so that they can be resumed. */
    stop: async (): Promise<void> => {
      const stopped = runner.stop();
      ends.stop();
      await stopped;
    },
  };
}

type Beginning = Pick<ReturnType<typeof createJobLookup>, 'checkSameRequest'> & {
  readonly jobs: GenerationJobRepository;
  readonly runner: Pick<ReturnType<typeof createGenerationRunner>, 'start'>;
  readonly waitForEnd: (key: string) => Promise<GenerationJob | undefined>;
};

/** Returns the function that begins jobs, within the limits. */
function createBeginning(
  deps: Dependencies,
  { engines, limiter, storage }: Tools,
  { jobs, runner, waitForEnd, checkSameRequest }: Beginning,
) {
  const count = createRequestCounter(deps, limiter);
  const toNewJob = createJobMaker(deps);
  // On PostgreSQL the rows are counted, as each process has some of the requests.
  const slots =
    deps.database.engine === 'sqlite' ? createSlotLimiter(maxUnfinished) : { take: () => () => {} };

  /** Counts the request, stores it as a job, and returns its key and whether it is new. */
  async function start(
    request: GenerationRequest,
    requester: Requester,
    queue: string,
  ): Promise<{ readonly key: string; readonly isNew: boolean }> {
    const engine = engines[request.provider];
    checkRatio(engine, request.recipe.ratio);
    checkSource(engine, request.recipe);
    await checkSampler(engine, request.recipe.sampler);
    // Before anything is made: a picture that cannot be stored would be paid for in vain.
    await storage.requireSpace(0);
    await limiter.throwIfFull(...getByteLimit(requester));
    const undoCount = await count(engine, requester);

    const job = toNewJob(request, requester, engine.name);
    const outcome = await runner.start({ job, engine, queue });
    if (outcome !== 'added') {
      await undoCount();
    }
    if (outcome === 'full') {
      throw refuseFull();
    }
    if (outcome === 'known') {
      // The same request came twice at the same moment, and the other one was first.
      await checkSameRequest(job.key, request, requester);
    }
    return { key: job.key, isNew: outcome === 'added' };
  }

  /** Waits for the end of a job that was begun, and counts what it has made. */
  async function waitAndCount(
    { key, isNew }: { readonly key: string; readonly isNew: boolean },
    requester: Requester,
  ): Promise<GenerationJob | undefined> {
    const job = await waitForEnd(key);
    if (isNew && job?.state === 'done') {
      await limiter.tryTake(...getByteLimit(requester), job.pictureBytes);
    }
    return job;
  }

  /** Begins a job, or finds that of an earlier request with the same key. `ended` resolves at its end. */
  async function begin(given: GenerationRequest, requester: Requester) {
    const request = fitToEngine(given, engines[given.provider]);
    if (request.key !== undefined && (await jobs.find(request.key)) !== undefined) {
      await checkSameRequest(request.key, request, requester);
      return { key: request.key, ended: waitForEnd(request.key) };
    }
    const queue = getQueue(requester);
    const release = slots.take(queue);
    if (release === undefined) {
      throw refuseFull();
    }
    try {
      const started = await start(request, requester, queue);
      return { key: started.key, ended: waitAndCount(started, requester).finally(release) };
    } catch (error) {
      release();
      throw error;
    }
  }

  return begin;
}

function refuseFull(): AppError {
  return new AppError('rate_limited', {
    detail: (say) => say(pictureTexts).manyUnderWay,
    retryAfterS: generationRules.fullQueueRetryS,
  });
}

/** Tells those who wait for jobs when these have ended in another process: one look at the rows for all of them. */
function createEndWatch(
  { database: { notifications }, log }: Pick<Dependencies, 'database' | 'log'>,
  leases: GenerationLeaseRepository,
) {
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  let stopWatching: (() => void) | undefined;
  let isStopped = false;

  function tell(key: string): void {
    waiting.get(key)?.resolve();
    waiting.delete(key);
    if (waiting.size === 0) {
      stopWatching?.();
      stopWatching = undefined;
    }
  }

  const look = createRepeater(async () => {
    try {
      const keys = [...waiting.keys()];
      const states = await leases.readStates(keys);
      const open: ReadonlySet<string | undefined> = new Set(unfinished);
      keys.filter((key) => !open.has(states.get(key)?.state)).forEach(tell);
    } catch (error) {
      log.warn({ err: error }, 'Could not look for jobs that have ended');
    }
  });

  function watch(): () => void {
    const timer = setInterval(() => void look(), pollEveryMs).unref();
    const unlisten = notifications.listen('jobs', () => void look());
    return () => {
      clearInterval(timer);
      unlisten();
    };
  }

  return {
    /** Resolves when the job has probably ended, or the server stops. */
    next: async (key: string): Promise<void> => {
      if (isStopped) {
        return;
      }
      const found = waiting.get(key) ?? Promise.withResolvers<void>();
      waiting.set(key, found);
      stopWatching ??= outsideRequests(watch);
      // It may have ended before.
      void look();
      await found.promise;
    },
    tell,
    stop: () => {
      isStopped = true;
      [...waiting.keys()].forEach(tell);
    },
  };
}

/** Returns the function from a request to a job that no process works on yet. */
function createJobMaker({ env, clock, random }: Pick<Dependencies, 'env' | 'clock' | 'random'>) {
  const visitorKey = deriveKey(env.secretKeys[0], 'nori jobs of visitors');
  const toMark = (address: string) =>
    createHmac('sha256', visitorKey).update(address).digest('base64url');

  return (
    { key, provider, recipe }: GenerationRequest,
    { telegramId, address }: Requester,
    engine: string,
  ): GenerationJob => ({
    owner: telegramId,
    requester: telegramId === undefined ? toMark(address) : '',
    requestId: currentRequestId(),
    engine,
    key: key ?? random.bytes(24).toString('base64url'),
    provider,
    recipe,
    seed: recipe.seed === '' ? randomSeed(random.bytes(4)) : recipe.seed,
    state: 'queued',
    taskId: undefined,
    pictureIds: [],
    pictureBytes: 0,
    failure: undefined,
    createdAt: clock(),
    epoch: 0,
  });
}

/** Before the job is stored, so that the history shows the weights and steps that were used. */
function fitToEngine(request: GenerationRequest, engine: ImageEngine): GenerationRequest {
  const { steps, sampler, ...recipe } = request.recipe;
  const settings = fitSettings({ steps, sampler }, engine);
  return {
    ...request,
    recipe: { ...recipe, ...settings, loras: fitLoras(recipe.loras, engine) },
  };
}

function createJobLookup(jobs: GenerationJobRepository) {
  /** Throws `job_not_found`, also for a job of another user. */
  async function find(key: string, { telegramId }: Requester): Promise<GenerationJob> {
    const job = await jobs.find(key);
    if (job === undefined || (job.owner !== undefined && job.owner !== telegramId)) {
      throw new AppError('job_not_found');
    }
    return job;
  }

  /** Throws `job_not_found`, or `job_key_used` when the key belongs to another request. */
  async function checkSameRequest(
    key: string,
    { provider, recipe }: GenerationRequest,
    requester: Requester,
  ): Promise<void> {
    const job = await find(key, requester);
    if (serializeRecipe(job.recipe) !== serializeRecipe(recipe) || job.provider !== provider) {
      throw new AppError('job_key_used');
    }
  }

  return { find, checkSameRequest };
}

function createRequestCounter({ env }: Pick<Dependencies, 'env'>, limiter: Limiter) {
  /** Counts a request. Returns a function that undoes this. Throws `rate_limited`, and then counts nothing. */
  async function count(engine: ImageEngine, requester: Requester): Promise<() => Promise<void>> {
    const counted: ReturnType<typeof limitsFor>[number][] = [];
    const undo = async () => {
      for (const [limit, key] of counted) {
        await limiter.giveBack(limit, key);
      }
    };
    for (const [limit, key] of limitsFor(engine, requester)) {
      try {
        await limiter.take(limit, key);
        counted.push([limit, key]);
      } catch (error) {
        await undo();
        throw error;
      }
    }
    return undo;
  }

  /** A limit per user or address; where a picture costs money, also one for the whole server. */
  function limitsFor(
    { abilities }: ImageEngine,
    { telegramId, address }: Requester,
  ): readonly (readonly [limit: Limit, key: string | number])[] {
    const visitorLimit = abilities.isFree
      ? limits.addressGenerations
      : limits.addressPaidGenerations;
    const own =
      telegramId === undefined
        ? ([visitorLimit, address] as const)
        : ([limits.generations, telegramId] as const);
    const { paidPicturesPerDay: max } = env;
    return abilities.isFree || max === undefined
      ? [own]
      : [own, [{ ...limits.paidGenerations, max }, 'all']];
  }

  return count;
}

/** Failures are stored in English. */
const findStored = createSentenceFinder([errorTexts, imageServiceTexts]);

/** The refusal that a job ended with. */
export function toFailureRefusal({
  code,
  detail,
}: NonNullable<GenerationJob['failure']>): AppError {
  return new AppError(code, { detail: findStored(detail) ?? detail });
}

function requireDone(job: GenerationJob | undefined): DoneJob {
  if (job === undefined) {
    throw new AppError('job_not_found');
  }
  if (job.state === 'cancelled') {
    throw new AppError('generation_cancelled');
  }
  if (job.failure !== undefined) {
    throw toFailureRefusal(job.failure);
  }
  const [first, ...others] = job.pictureIds;
  if (first === undefined) {
    // The server stops. The job goes on, in another process or after the next start.
    throw new AppError('generation_interrupted', { retryAfterS: stoppedRetryS });
  }
  return { ...job, pictureIds: [first, ...others] };
}

/** Bytes are counted when a picture is made, as they are not known before. */
function getByteLimit({ telegramId, address }: Requester): readonly [Limit, string | number] {
  return telegramId === undefined
    ? [limits.addressMadeBytes, address]
    : [limits.madeBytes, telegramId];
}

function getQueue({ telegramId, address }: Requester): string {
  return telegramId === undefined ? `guest ${address}` : `person ${telegramId}`;
}

/** A seed with ten digits that every engine accepts. */
function randomSeed(bytes: Buffer): string {
  const min = 1_000_000_000;
  return String(min + (bytes.readUInt32BE() % (2 ** 32 - min)));
}

/** Returns the same text for the same recipe, whatever the order of its fields and LoRAs. */
function serializeRecipe({ loras, ...recipe }: JobRecipe): string {
  const sorted = [recipe, loras].map((part) =>
    Object.entries(part)
      // Stored recipes have no fields without a value.
      .filter(([, value]) => value !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
  return JSON.stringify(sorted);
}
