/** Runs generation jobs: new ones, and those that a stopped or killed server left unfinished. */
import { randomUUID } from 'node:crypto';

import { type Dependencies } from '#server/app/dependencies';
import {
  createGenerationJobRepository,
  type GenerationJob,
  type GenerationJobRepository,
  type GenerationLeaseRepository,
  type JobEnd,
} from '#server/db/generation-jobs';
import { createKeyedSemaphore } from '#server/lib/concurrency';
import { AppError } from '#server/lib/errors';
import { generationRules } from '#server/lib/limits';
import { detectPictureType } from '#server/lib/picture-type';
import { type Usage } from '#server/services/usage';
import { type Engines } from '#server/upstream/images/engines';
import { fitSeed, type ImageEngine, type MadePictures } from '#server/upstream/images/image-engine';

import { type GenerationArchive } from './generations.ts';
import { type JobPictures } from './pictures.ts';

type Tools = {
  readonly jobs: GenerationJobRepository;
  readonly leases: GenerationLeaseRepository;
  readonly usage: Usage;
  readonly jobPictures: JobPictures;
  readonly archive: GenerationArchive;
  readonly engines: Engines;
};

type Task = {
  readonly job: GenerationJob;
  readonly engine: ImageEngine;
  /** Limits how many jobs of one user run at the same time. */
  readonly queue: string;
};

type ActiveTask = {
  readonly owner: number | undefined;
  readonly done: Promise<void>;
  readonly abort: AbortController;
};

/** The abort reason when the server stops: the job keeps its state, so that it can be resumed. */
const stopping = Symbol('stopping');
/** The abort reason when another process has taken the job over: it alone decides how the job ends. */
const takenOver = Symbol('taken over');
/** When the server stops, engines get this time to finish a sketch or to report a task ID. */
const shutdownGraceMs = 5000;

export function createGenerationRunner(deps: Dependencies, tools: Tools) {
  const { clock, log } = deps;
  const { jobs, leases, engines } = tools;
  const lease = { runner: randomUUID(), holdMs: generationRules.holdMs };
  const run = createTaskRun(deps, tools);
  const active = new Map<string, ActiveTask>();
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;

  function launch(task: Task): void {
    if (isStopping) {
      return;
    }
    const { key, owner } = task.job;
    const abort = new AbortController();
    active.set(key, { owner, abort, done: run(task, abort).finally(() => active.delete(key)) });
  }

  async function resumeJob(job: GenerationJob): Promise<void> {
    const engine = findEngine(engines, job.provider);
    if (engine && canResume(engine, job)) {
      launch({ job, engine, queue: job.owner === undefined ? job.key : `person ${job.owner}` });
      return;
    }
    const { code, detail } = new AppError('generation_interrupted');
    await jobs.finish(job, { state: 'failed', failure: { code, detail } }, clock());
  }

  async function resume(): Promise<void> {
    const expired = await leases.takeOver(lease, [...active.keys()]);
    await Promise.all(expired.map(resumeJob));
  }

  /** Stops working on jobs that another process has taken over, as after a pause of this one. */
  async function extendLeases(): Promise<void> {
    const tasks = [...active];
    const extended = await leases.extend([...active.keys()], lease);
    for (const [key, { abort }] of tasks) {
      if (!extended.has(key)) {
        abort.abort(takenOver);
      }
    }
  }

  return {
    resume,

    /** Stores and starts a new job. Returns false when its key exists. Throws `busy` while stopping. */
    async start(task: Task): Promise<boolean> {
      if (isStopping) {
        throw new AppError('busy', { retryAfterS: 5 });
      }
      const isNew = await leases.add(task.job, lease);
      if (isNew) {
        launch(task);
      }
      return isNew;
    },

    /** Resolves when this process does not work on the job. */
    waitForEnd: async (key: string) => active.get(key)?.done,

    async cancel({ key }: GenerationJob): Promise<void> {
      const task = active.get(key);
      task?.abort.abort(new AppError('generation_cancelled'));
      await task?.done;
      await jobs.cancel(key, clock());
    },

    /** Cancels what this process makes for a user; jobs of others end when their leases cannot be extended. */
    async cancelAll(telegramId: number): Promise<void> {
      const tasks = [...active.values()].filter(({ owner }) => owner === telegramId);
      for (const { abort } of tasks) {
        abort.abort(new AppError('generation_cancelled'));
      }
      await Promise.all(tasks.map(({ done }) => done));
    },

    watch(): void {
      timer = setInterval(() => {
        extendLeases()
          .then(resume)
          .catch((error: unknown) => log.error({ err: error }, 'Could not extend job leases'));
      }, generationRules.holdMs / 3).unref();
    },

    isStopping: () => isStopping,

    async stop(): Promise<void> {
      isStopping = true;
      clearInterval(timer);
      const tasks = [...active.values()];
      for (const { abort } of tasks) {
        abort.abort(stopping);
      }
      await Promise.all(tasks.map(({ done }) => done));
    },
  };
}

/** Returns a function that runs one job. It resolves when the job has ended or was released, and never rejects. */
function createTaskRun(deps: Dependencies, tools: Tools) {
  const { clock, log } = deps;
  const { jobs, engines } = tools;
  const store = createResultStore(deps, tools);
  const queues = createKeyedSemaphore(generationRules.atOnce);
  const engineQueues = new Map(
    Object.values(engines).map((engine) => [
      engine,
      createKeyedSemaphore(engine.abilities.concurrency),
    ]),
  );

  async function make({ engine, job }: Task, signal: AbortSignal): Promise<MadePictures> {
    const seed = fitSeed(job.seed, engine.abilities.seedMax);
    const onSubmitted = async (taskId: string) => {
      const isStored = await jobs.setTaskId(job, taskId);
      if (!isStored) {
        throw new AppError('generation_interrupted');
      }
      if (signal.aborted && signal.reason !== stopping && signal.reason !== takenOver) {
        await cancelTask(engine, taskId);
      }
    };
    const { taskId } = job;
    const making = engine.make({ ...job.recipe, seed }, { taskId, onSubmitted, signal });
    const made = await Promise.race([making, rejectOnAbort(signal)]);
    if (made.files.some((file) => detectPictureType(file) === undefined) || !made.files.length) {
      throw new AppError('picture_broken');
    }
    return made;
  }

  async function storeFailure({ job, engine }: Task, reason: unknown): Promise<void> {
    const failure = reason instanceof AppError ? reason : new AppError('unexpected');
    if (failure !== reason) {
      log.error({ err: reason }, 'Could not make a picture');
    }
    const { code, detail } = failure;
    const isCancelled = code === 'generation_cancelled';
    await jobs.finish(
      job,
      isCancelled ? { state: 'cancelled' } : { state: 'failed', failure: { code, detail } },
      clock(),
    );
    const stored = await jobs.find(job.key);
    const isOurs = stored?.epoch === job.epoch;
    if (isOurs && stored.taskId !== undefined && (isCancelled || code === 'generation_slow')) {
      await cancelTask(engine, stored.taskId);
    }
  }

  const cancelTask = async (engine: ImageEngine, taskId: string) =>
    engine.cancel?.(taskId).catch(() => log.warn('Could not cancel a task'));

  return async (task: Task, abort: AbortController): Promise<void> => {
    const { job, engine, queue } = task;
    const { signal } = abort;
    const cleanups: (() => void)[] = [];
    try {
      cleanups.push(await queues.acquire(queue, signal));
      const leaveEngine = await engineQueues.get(engine)?.acquire('all', signal);
      cleanups.push(() => leaveEngine?.());
      if (job.state === 'queued' && !(await jobs.begin(job))) {
        return;
      }
      const deadline = setTimeout(
        () => abort.abort(new AppError('generation_slow')),
        engine.abilities.deadlineMs,
      );
      cleanups.push(() => clearTimeout(deadline));
      await store(job, await make(task, signal));
    } catch (error) {
      if (signal.reason !== stopping && signal.reason !== takenOver) {
        await storeFailure(task, signal.aborted ? signal.reason : error).catch(
          (failure: unknown) => {
            // The lease expires, and the job is resumed later.
            log.error({ err: failure }, 'Could not save the result of a generation');
          },
        );
      }
    } finally {
      for (const cleanUp of cleanups) {
        cleanUp();
      }
    }
  };
}

/**
 * Returns a function that ends a job with its pictures. They are in the history before the job is done, so
 * that a client finds them there at once.
 */
function createResultStore(
  { clock }: Pick<Dependencies, 'clock'>,
  { usage, jobPictures, archive }: Pick<Tools, 'usage' | 'jobPictures' | 'archive'>,
) {
  return async (job: GenerationJob, { files, seed }: MadePictures): Promise<void> => {
    const pictureIds = await Promise.all(files.map(jobPictures.put));
    const pictureBytes = files.reduce((sum, { length }) => sum + length, 0);
    const end: JobEnd = { state: 'done', pictureIds, pictureBytes, seed };
    const isFinished = await archive.add({ ...job, seed }, files, (tx) =>
      createGenerationJobRepository(tx).finish(job, end, clock()),
    );
    if (isFinished) {
      await usage.count('Image generation');
      return;
    }
    await Promise.all(pictureIds.map(jobPictures.remove));
  };
}

/** Undefined when the provider does not exist any more. */
function findEngine(engines: Engines, provider: string): ImageEngine | undefined {
  return Object.entries(engines).find(([name]) => name === provider)?.[1];
}

/** Whether the job can continue without paying twice. */
function canResume({ name, abilities }: ImageEngine, job: GenerationJob): boolean {
  const wasSubmitted = job.state === 'running';
  return name === job.engine && (!wasSubmitted || job.taskId !== undefined || abilities.isFree);
}

/** Rejects when the job is aborted; when the server stops, after `shutdownGraceMs`. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => {
      const graceMs = signal.reason === stopping ? shutdownGraceMs : 0;
      setTimeout(() => reject(signal.reason), graceMs).unref();
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) {
      stop();
    }
  });
}
