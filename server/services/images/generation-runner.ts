/** Keeps jobs going: those of now, and those that a server left behind which was stopped or killed. */
import { randomUUID } from 'node:crypto';

import { type Dependencies } from '#server/app/dependencies';
import { type GenerationJob } from '#server/db/generation-jobs';
import { AppError } from '#server/lib/errors';
import { generationRules } from '#server/lib/limits';
import { type Engines } from '#server/upstream/images/engines';
import { type ImageEngine } from '#server/upstream/images/image-engine';

import {
  createGenerationWork,
  type GenerationTask,
  type GenerationTools,
  stopping,
} from './generation-work.ts';

type Active = { readonly done: Promise<void>; readonly abort: AbortController };

export function createGenerationRunner(deps: Dependencies, tools: GenerationTools) {
  const { clock, log, database } = deps;
  const { jobs, engines } = tools;
  const runner = randomUUID();
  const work = createGenerationWork(deps, tools);
  const active = new Map<string, Active>();
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;

  const hold = () => ({ runner, until: clock() + generationRules.holdMs });

  function launch(task: GenerationTask): void {
    if (isStopping) {
      // It came while the server was being stopped: nobody would let go of it.
      return;
    }
    const { key } = task.job;
    const abort = new AbortController();
    active.set(key, { abort, done: work.run(task, abort).finally(() => active.delete(key)) });
  }

  async function goOn(job: GenerationJob): Promise<void> {
    const engine = engineOf(engines, job.provider);
    if (engine && canGoOn(engine, job)) {
      launch({ job, engine, lane: job.owner === undefined ? job.key : `person ${job.owner}` });
      return;
    }
    const { code, detail } = new AppError('generation_interrupted');
    await jobs.finish(job.key, { state: 'failed', failure: { code, detail } }, clock());
  }

  async function resume(): Promise<void> {
    // The data folder is locked, so that nobody else can be at work on what is in it.
    const heldBefore = database.engine === 'sqlite' ? Number.MAX_SAFE_INTEGER : clock();
    const left = await jobs.takeOver(hold(), { heldBefore, except: [...active.keys()] });
    await Promise.all(left.map(goOn));
  }

  return {
    /** Goes on with what a server left unfinished that was stopped or killed. */
    resume,

    /** Stores a new job and begins it; false when its key is taken. Throws `busy` when stopping. */
    async start(task: GenerationTask): Promise<boolean> {
      if (isStopping) {
        throw new AppError('busy', { retryAfterS: 5 });
      }
      const isNew = await jobs.add(task.job, hold());
      if (isNew) {
        launch(task);
      }
      return isNew;
    },

    /** Resolves once this server does not work on the job. */
    settled: async (key: string) => active.get(key)?.done,

    async cancel({ key }: GenerationJob): Promise<void> {
      const here = active.get(key);
      here?.abort.abort(new AppError('generation_cancelled'));
      await here?.done;
      await jobs.finish(key, { state: 'cancelled' }, clock());
    },

    /** Keeps what is under way and takes over what is left, now and then, until `stop` is called. */
    watch(): void {
      timer = setInterval(() => {
        jobs
          .hold([...active.keys()], hold())
          .then(resume)
          .catch((error: unknown) => log.error({ err: error }, 'jobs could not be watched'));
      }, generationRules.holdMs / 3).unref();
    },

    isStopping: () => isStopping,

    /** Lets go of everything; what can be resumed stays as it is. */
    async stop(): Promise<void> {
      isStopping = true;
      clearInterval(timer);
      const left = [...active.values()];
      for (const { abort } of left) {
        abort.abort(stopping);
      }
      await Promise.all(left.map(({ done }) => done));
    },
  };
}

/** Undefined when there is no such provider any more. */
function engineOf(engines: Engines, provider: string): ImageEngine | undefined {
  return Object.entries(engines).find(([name]) => name === provider)?.[1];
}

/** Whether to make the picture, or to wait for it, can cost nothing twice. */
function canGoOn({ name, abilities }: ImageEngine, job: GenerationJob): boolean {
  const wasSubmitted = job.state === 'running';
  return name === job.engine && (!wasSubmitted || job.taskId !== undefined || abilities.isFree);
}
