import { type Dependencies } from '#server/app/dependencies';
/** Makes the picture of one job: waits for its turn, has it made within its time, and stores how it ended. */
import { type GenerationJob, type GenerationJobRepository } from '#server/db/generation-jobs';
import { createKeyedSemaphore } from '#server/lib/concurrency';
import { AppError } from '#server/lib/errors';
import { generationRules } from '#server/lib/limits';
import { detectPictureType } from '#server/lib/picture-type';
import { type Usage } from '#server/services/usage';
import { type Engines, keepsPictures } from '#server/upstream/images/engines';
import {
  type ImageEngine,
  type MadePictures,
  seedWithin,
} from '#server/upstream/images/image-engine';

import { type PictureStore } from './job-pictures.ts';
import { type KeptMakings } from './kept-makings.ts';

export type GenerationTools = {
  readonly jobs: GenerationJobRepository;
  readonly usage: Usage;
  readonly pictures: PictureStore;
  readonly kept: KeptMakings;
  readonly engines: Engines;
};

/** A job, and who makes its picture in whose turn. */
export type GenerationTask = {
  readonly job: GenerationJob;
  readonly engine: ImageEngine;
  readonly lane: string;
};

/** The reason to abort with when the server stops: the job stays as it is, for whoever goes on with it. */
export const stopping = Symbol('stopping');

export function createGenerationWork(
  { clock, log }: Dependencies,
  { jobs, usage, pictures, kept, engines }: GenerationTools,
) {
  const laneSemaphore = createKeyedSemaphore(generationRules.atOnce);
  const engineSemaphores = new Map(
    Object.values(engines).map((engine) => [
      engine,
      createKeyedSemaphore(engine.abilities.concurrency),
    ]),
  );

  async function make({ engine, job }: GenerationTask, signal: AbortSignal): Promise<MadePictures> {
    const seed = seedWithin(job.seed, engine.abilities.seedMax);
    const onSubmitted = async (taskId: string) => {
      await jobs.submitted(job.key, taskId);
      if (signal.aborted && signal.reason !== stopping) {
        await cancelTask(engine, taskId);
      }
    };
    const { taskId } = job;
    const making = engine.make({ ...job.recipe, seed }, { taskId, onSubmitted, signal });
    const made = await Promise.race([making, givenUp(signal)]);
    if (
      made.files.length === 0 ||
      made.files.some((file) => detectPictureType(file) === undefined)
    ) {
      throw new AppError('picture_broken');
    }
    return made;
  }

  async function keep(job: GenerationJob, { files, seed }: MadePictures): Promise<void> {
    const pictureIds = await Promise.all(files.map(pictures.put));
    // Before it is done: who hears that it is finds it in the history.
    const isKept = keepsPictures(job.provider) && (await kept.keep({ ...job, seed }, files));
    if (await jobs.finish(job.key, { state: 'done', pictureIds, seed }, clock())) {
      await usage.count('Image generation');
      return;
    }
    await Promise.all(pictureIds.map(pictures.remove));
    if (isKept) {
      await kept.forget(job);
    }
  }

  async function giveUp({ job: { key }, engine }: GenerationTask, reason: unknown): Promise<void> {
    const failure = reason instanceof AppError ? reason : new AppError('unexpected');
    if (failure !== reason) {
      log.error({ err: reason }, 'a picture could not be made');
    }
    const { code, detail } = failure;
    const isCancelled = code === 'generation_cancelled';
    await jobs.finish(
      key,
      isCancelled ? { state: 'cancelled' } : { state: 'failed', failure: { code, detail } },
      clock(),
    );
    const taskId = (await jobs.find(key))?.taskId;
    if (taskId !== undefined && (isCancelled || code === 'generation_slow')) {
      await cancelTask(engine, taskId);
    }
  }

  /** The job has ended here, whatever the engine says to this. */
  async function cancelTask(engine: ImageEngine, taskId: string): Promise<void> {
    await engine.cancel?.(taskId).catch(() => log.warn('a task could not be cancelled'));
  }

  return {
    /** Resolves when the job has ended or was let go. Never rejects. */
    async run(task: GenerationTask, abort: AbortController): Promise<void> {
      const { job, engine, lane } = task;
      const { signal } = abort;
      const ends: (() => void)[] = [];
      try {
        ends.push(await laneSemaphore.acquire(lane, signal));
        ends.push((await engineSemaphores.get(engine)?.acquire('all', signal)) ?? doNothing);
        if (job.state === 'queued' && !(await jobs.begin(job.key))) {
          return;
        }
        ends.push(atDeadline(engine, () => abort.abort(new AppError('generation_slow'))));
        await keep(job, await make(task, signal));
      } catch (error) {
        if (signal.reason !== stopping) {
          await giveUp(task, signal.aborted ? signal.reason : error).catch((failure: unknown) => {
            // Nobody holds the job any more, so that it is taken up again later.
            log.error({ err: failure }, 'the end of a picture could not be stored');
          });
        }
      } finally {
        for (const end of ends) {
          end();
        }
      }
    },
  };
}

/** A sketch is finished by then, and what was just submitted has its id. */
const letGoMs = 5000;

const doNothing = () => undefined;

/** Returns what calls it off. */
function atDeadline({ abilities }: ImageEngine, stop: () => void): () => void {
  const timer = setTimeout(stop, abilities.deadlineMs);
  return () => clearTimeout(timer);
}

/** Rejects when the job is given up; when the server stops, only after the engine had time to let go. */
function givenUp(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => {
      const patienceMs = signal.reason === stopping ? letGoMs : 0;
      setTimeout(() => reject(signal.reason), patienceMs).unref();
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) {
      stop();
    }
  });
}
