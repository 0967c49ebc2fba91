/** Runs generation jobs: new ones, and those that a stopped or killed server left unfinished. */
import { randomUUID } from 'node:crypto';

import { type Dependencies } from '#server/app/dependencies';
import { type ClaimRules, type GenerationClaims } from '#server/db/generation-claims';
import {
  createGenerationJobRepository,
  type GenerationJob,
  type GenerationJobRepository,
  type GenerationLeaseRepository,
  type JobEnd,
} from '#server/db/generation-jobs';
import { createKeyedSemaphore, createRepeater } from '#server/lib/concurrency';
import { AppError } from '#server/lib/errors';
import { generationRules } from '#server/lib/limits';
import { withRecipes } from '#server/lib/picture-recipe';
import { detectPictureType } from '#server/lib/picture-type';
import { outsideRequests, withRequestId } from '#server/lib/request-context';
import { timed } from '#server/lib/telemetry';
import { type Usage } from '#server/services/usage';
import { type Engines } from '#server/upstream/images/engines';
import { fitSeed, type ImageEngine, type MadePictures } from '#server/upstream/images/image-engine';

import { type GenerationArchive, openSource } from './generations.ts';
import { type JobPictures, type Pictures } from './pictures.ts';

type Tools = {
  readonly jobs: GenerationJobRepository;
  readonly leases: GenerationLeaseRepository;
  readonly claims: GenerationClaims;
  readonly usage: Usage;
  readonly jobPictures: JobPictures;
  readonly archive: GenerationArchive;
  readonly pictures: Pick<Pictures, 'read' | 'getLink' | 'toUpright'>;
  readonly engines: Engines;
  /** Called when this process has nothing more to do for a job. */
  readonly onLeft: (key: string) => void;
};

type Task = {
  readonly job: GenerationJob;
  readonly engine: ImageEngine;
  /** Limits how many jobs of one requester run at the same time. */
  readonly queue: string;
};

type ActiveTask = {
  readonly job: GenerationJob;
  readonly done: Promise<void>;
  readonly abort: AbortController;
};

/** The abort reason when the server stops: the job keeps its state, so that it can be resumed. */
const stopping = Symbol('stopping');
/** The abort reason when another process has taken the job over: it alone decides how the job ends. */
const takenOver = Symbol('taken over');
/** When the server stops, engines get this time to finish a sketch or to report a task ID. */
const shutdownGraceMs = 5000;
/** Of one requester. */
export const maxUnfinished = generationRules.atOnce + generationRules.queue;
/** How often jobs are looked for whose notification was lost, and whose process was. */
const lookEveryMs = 5000;

/**
 * On SQLite the process that stores a job works on it. On PostgreSQL those with the role `worker` claim jobs, which
 * also decides how many are worked on at a time in all processes together.
 */
export function createGenerationRunner(deps: Dependencies, tools: Tools) {
  const { clock, log, database } = deps;
  const { leases, claims } = tools;
  const isShared = database.engine === 'postgres';
  const notify = () => (isShared ? database.notifications.notify('jobs') : undefined);
  const work = createLeasedWork(deps, tools, notify);
  const { tasks, lease, look, lookSoon, leaveLost } = work;
  let stopWatching: (() => void) | undefined;

  async function storeAndLaunch(task: Task): Promise<'added' | 'known'> {
    if (!(await leases.add(task.job, lease))) {
      return 'known';
    }
    if (!work.isStopping()) {
      tasks.launch(task);
    }
    return 'added';
  }

  async function extendLeases(): Promise<void> {
    const keys = tasks.keys();
    const extended = await leases.extend(keys, lease);
    await leaveLost(keys.filter((key) => !extended.has(key)));
    await look();
  }

  const cancelTasks = (isIncluded: (job: GenerationJob) => boolean) =>
    tasks.abort(new AppError('generation_cancelled'), isIncluded);

  return {
    resume: look,

    /**
     * Stores a new job, which is then worked on. Returns `known` when its key exists, and `full` when the requester has as
     * many unfinished ones as allowed. Throws `busy` while stopping.
     */
    async start(task: Task): Promise<'added' | 'known' | 'full'> {
      if (work.isStopping()) {
        throw new AppError('busy', { retryAfterS: 5 });
      }
      if (!isShared) {
        return storeAndLaunch(task);
      }
      const outcome = await claims.addWaiting(task.job, maxUnfinished);
      if (outcome === 'added') {
        lookSoon();
        notify();
      }
      return outcome;
    },

    /** Resolves when this process does not work on the job. */
    waitForEnd: tasks.settled,

    async cancel({ key }: GenerationJob): Promise<void> {
      await cancelTasks((job) => job.key === key);
      await leases.cancel({ key }, clock());
      notify();
    },

    /** Cancels what is made for a user. Other processes are told, or cannot extend their leases. */
    async cancelAll(telegramId: number): Promise<void> {
      await cancelTasks(({ owner }) => owner === telegramId);
      if (isShared) {
        await leases.cancel({ owner: telegramId }, clock());
        notify();
      }
    },

    watch(): void {
      const extend = createRepeater(() =>
        extendLeases().catch((error: unknown) =>
          log.error({ err: error }, 'Could not extend job leases'),
        ),
      );
      const everyMs = isShared ? lookEveryMs : generationRules.holdMs / 3;
      const timer = setInterval(() => void extend(), everyMs).unref();
      const unlisten = isShared ? work.listen() : undefined;
      stopWatching = () => {
        clearInterval(timer);
        unlisten?.();
      };
    },

    isStopping: work.isStopping,

    async stop(): Promise<void> {
      stopWatching?.();
      await work.stop();
    },
  };
}

/** The jobs that this process works on, and how it gets and leaves them. */
function createLeasedWork(deps: Dependencies, tools: Tools, notify: () => void) {
  const { clock, log, database, env } = deps;
  const { jobs, leases, claims, engines, onLeft } = tools;
  const isShared = database.engine === 'postgres';
  const isWorker = env.roles.has('worker');
  const lease = { runner: randomUUID(), holdMs: generationRules.holdMs };
  const warn = (error: unknown) => log.warn({ err: error }, 'Could not look for jobs that wait');
  const tasks = createActiveTasks(createTaskRun(deps, tools), leave);
  const look = createRepeater(async () => {
    if (!isStopping) {
      await begin(
        await (isShared
          ? claims.claim(lease, toClaimRules(engines, tasks))
          : leases.takeOver(lease, tasks.keys())),
      );
    }
  });
  const checkLost = createRepeater(() => leaveLost(tasks.keys()).catch(warn));
  let isStopping = false;

  function leave(key: string): void {
    onLeft(key);
    notify();
    lookSoon();
  }

  /** Places have become free, or jobs have come. */
  function lookSoon(): void {
    if (isShared && isWorker && !isStopping) {
      outsideRequests(look).catch(warn);
    }
  }

  async function begin(claimed: readonly GenerationJob[]): Promise<void> {
    if (isStopping) {
      await release(claimed);
    } else {
      await Promise.all(claimed.map(resumeJob));
    }
  }

  async function release(some: readonly GenerationJob[]): Promise<void> {
    if (isShared && some.length > 0) {
      await leases.release(
        some.map(({ key }) => key),
        lease.runner,
      );
      notify();
    }
  }

  async function resumeJob(job: GenerationJob): Promise<void> {
    const engine = findEngine(engines, job.provider);
    if (engine && canResume(engine, job)) {
      const { owner, requester, key } = job;
      const queue = owner === undefined ? requester || key : `person ${owner}`;
      tasks.launch({ job, engine, queue });
      return;
    }
    const { code, detail } = new AppError('generation_interrupted');
    await jobs.finish(job, { state: 'failed', failure: { code, detail } }, clock());
    notify();
  }

  /** Stops working on jobs that were cancelled or that another process has taken over, as after a pause of this one. */
  async function leaveLost(keys: readonly string[]): Promise<void> {
    const states = await leases.readStates(keys);
    // The row is gone when its user has deleted their account.
    const isCancelled = ({ key }: GenerationJob) =>
      (states.get(key)?.state ?? 'cancelled') === 'cancelled';
    const isLost = ({ key }: GenerationJob) =>
      (states.get(key)?.runner ?? lease.runner) !== lease.runner;
    void tasks.abort(takenOver, (job) => keys.includes(job.key) && isLost(job));
    void tasks.abort(
      new AppError('generation_cancelled'),
      (job) => keys.includes(job.key) && isCancelled(job),
    );
  }

  return {
    tasks,
    lease,
    look,
    lookSoon,
    leaveLost,
    isStopping: () => isStopping,

    /** Hears of jobs that have come and of those that were cancelled, until the returned function is called. */
    listen: () =>
      database.notifications.listen('jobs', () => {
        void checkLost();
        lookSoon();
      }),

    async stop(): Promise<void> {
      isStopping = true;
      // What is being claimed right now is given back.
      await look().catch(warn);
      const left = tasks.list();
      await tasks.abort(stopping);
      await release(left).catch(warn);
    },
  };
}

type ActiveTasks = ReturnType<typeof createActiveTasks>;

function toClaimRules(engines: Engines, tasks: Pick<ActiveTasks, 'keys' | 'count'>): ClaimRules {
  const providers = Object.entries(engines).map(([name, { abilities }]) => {
    const { concurrency, isLocal } = abilities;
    const room = concurrency - tasks.count(name);
    return [name, { room, max: isLocal === true ? undefined : concurrency }] as const;
  });
  const { atOnce } = generationRules;
  return { atOnce, providers: new Map(providers), except: tasks.keys() };
}

/** `onEnd` is called when a task has ended or was left. */
function createActiveTasks(
  run: (task: Task, abort: AbortController) => Promise<void>,
  onEnd: (key: string) => void,
) {
  const active = new Map<string, ActiveTask>();

  return {
    keys: () => [...active.keys()],
    list: () => [...active.values()].map(({ job }) => job),
    /** How many of a provider. */
    count: (provider: string) =>
      [...active.values()].filter(({ job }) => job.provider === provider).length,
    settled: async (key: string) => active.get(key)?.done,

    launch(task: Task): void {
      const { key, requestId } = task.job;
      const abort = new AbortController();
      const begun = outsideRequests(() => withRequestId(requestId, () => run(task, abort)));
      const done = begun.finally(() => {
        active.delete(key);
        onEnd(key);
      });
      active.set(key, { job: task.job, abort, done });
    },

    /** Resolves when these tasks have ended. */
    async abort(
      reason: unknown,
      isIncluded: (job: GenerationJob) => boolean = () => true,
    ): Promise<void> {
      const some = [...active.values()].filter(({ job }) => isIncluded(job));
      for (const { abort } of some) {
        abort.abort(reason);
      }
      await Promise.all(some.map(({ done }) => done));
    },
  };
}

/** Returns a function that runs one job. It resolves when the job has ended or was released, and never rejects. */
function createTaskRun(deps: Dependencies, tools: Tools) {
  const { clock, log } = deps;
  const { jobs, engines, pictures } = tools;
  const store = createResultStore(deps, tools);
  const queues = createKeyedSemaphore(generationRules.atOnce);
  /** The IDs of tasks that services work on for this process, by the keys of the jobs. */
  const submitted = new Map<string, string>();
  const engineQueues = new Map(
    Object.values(engines).map((engine) => [
      engine,
      createKeyedSemaphore(engine.abilities.concurrency),
    ]),
  );

  async function make({ engine, job }: Task, signal: AbortSignal): Promise<MadePictures> {
    const seed = fitSeed(job.seed, engine.abilities.seedMax);
    const onSubmitted = async (taskId: string) => {
      submitted.set(job.key, taskId);
      if (!(await jobs.setTaskId(job, taskId))) {
        throw new AppError('generation_interrupted');
      }
      if (signal.aborted && signal.reason !== stopping && signal.reason !== takenOver) {
        await cancelTask(engine, taskId);
      }
    };
    const { taskId } = job;
    const source = openSource(pictures, job.recipe.source);
    const making = engine.make({ ...job.recipe, seed }, { taskId, onSubmitted, signal, source });
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
    // The row is gone when its user has deleted their account.
    const isOurs = stored === undefined || stored.epoch === job.epoch;
    const taskId = stored?.taskId ?? submitted.get(job.key) ?? job.taskId;
    if (isOurs && taskId !== undefined && (isCancelled || code === 'generation_slow')) {
      await cancelTask(engine, taskId);
    }
  }

  const cancelTask = async (engine: ImageEngine, taskId: string) =>
    engine.cancel?.(taskId).catch(() => log.warn('Could not cancel a task'));

  return async (task: Task, abort: AbortController): Promise<void> => {
    const { job, engine, queue } = task;
    const { signal } = abort;
    const cleanups: (() => void)[] = [() => submitted.delete(job.key)];
    try {
      cleanups.push(await queues.acquire(queue, signal));
      const leaveEngine = await engineQueues.get(engine)?.acquire('all', signal);
      cleanups.push(() => leaveEngine?.());
      if (job.state === 'queued' && !(await jobs.begin(job, clock()))) {
        return;
      }
      const deadline = setTimeout(
        () => abort.abort(new AppError('generation_slow')),
        engine.abilities.deadlineMs,
      );
      cleanups.push(() => clearTimeout(deadline));
      const watched = {
        what: 'generationJob',
        labels: { engine: engine.name },
        toFailure: () => sayFailure(signal),
      } as const;
      await timed(watched, async () => store(task, await make(task, signal)));
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
  return async ({ job, engine: { origin } }: Task, made: MadePictures): Promise<void> => {
    const { seed } = made;
    const files = withRecipes(made, { ...job, origin });
    const pictureIds = await jobPictures.put(files);
    const pictureBytes = files.reduce((sum, { length }) => sum + length, 0);
    const end: JobEnd = { state: 'done', pictureIds, pictureBytes, seed };
    const isFinished = await archive.add({ ...job, seed }, files, async (tx) => {
      const isOurs = await createGenerationJobRepository(tx).finish(job, end, clock());
      if (isOurs) {
        await jobPictures.claim(tx, pictureIds);
      }
      return isOurs;
    });
    if (isFinished) {
      await usage.count('Image generation');
      return;
    }
    await jobPictures.remove(pictureIds);
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

/** For metrics. */
function sayFailure({ aborted, reason }: AbortSignal): string {
  if (!aborted) {
    return 'failed';
  }
  if (!(reason instanceof AppError)) {
    return 'left';
  }
  return reason.code === 'generation_cancelled' ? 'cancelled' : 'slow';
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
