/** Stores pictures that were asked for: one row for each wish, whatever becomes of it. */
import { type Kysely, type Selectable } from 'kysely';
import * as v from 'valibot';

import { errorCodes, type ErrorCode } from '#contract/endpoints/errors';
import { type PictureRecipe } from '#server/lib/picture-recipe';

import { type Tables } from './tables.ts';

export type GenerationJob = {
  readonly key: string;
  /** The Telegram id of who asked; undefined for a guest, whose key is all there is to know. */
  readonly owner: number | undefined;
  readonly provider: string;
  /** What makes it, such as `sketch`. */
  readonly engine: string;
  readonly recipe: JobRecipe;
  /** The seed that is used, also when the wish had none. */
  readonly seed: string;
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  /** What the engine calls it. */
  readonly taskId: string | undefined;
  /** Of what it made, in order; empty until it is done. */
  readonly pictureIds: readonly string[];
  /** Why it failed. */
  readonly failure: JobFailure | undefined;
  /** Epoch milliseconds. */
  readonly createdAt: number;
};

/** As it was wished: without a seed where the engine was to choose. */
export type JobRecipe = PictureRecipe & { readonly nsfw: boolean };

type JobFailure = { readonly code: ErrorCode; readonly detail: string };

/** Who works on a job, and until when others leave it alone. */
type Hold = { readonly runner: string; readonly until: number };

export type GenerationJobRepository = ReturnType<typeof createGenerationJobRepository>;

export function createGenerationJobRepository(db: Kysely<Tables>) {
  const unfinished = ['queued', 'running'] as const;

  return {
    /** False when there is one with this key already. */
    async add(job: GenerationJob, { runner, until }: Hold): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('generation_jobs')
        .values({
          job_key: job.key,
          owner_id: job.owner ?? null,
          provider: job.provider,
          engine: job.engine,
          recipe: JSON.stringify(job.recipe),
          seed: job.seed,
          state: job.state,
          runner,
          held_until: until,
          created_at: job.createdAt,
        })
        .onConflict((conflict) => conflict.column('job_key').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    async find(key: string): Promise<GenerationJob | undefined> {
      const row = await db
        .selectFrom('generation_jobs')
        .selectAll()
        .where('job_key', '=', key)
        .executeTakeFirst();
      return row && jobOf(row);
    },

    /** Begins a queued job; false when it is not queued any more. */
    async begin(key: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('generation_jobs')
        .set({ state: 'running' })
        .where('job_key', '=', key)
        .where('state', '=', 'queued')
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    async submitted(key: string, taskId: string): Promise<void> {
      await db
        .updateTable('generation_jobs')
        .set({ task_id: taskId })
        .where('job_key', '=', key)
        .execute();
    },

    /** Ends a job that is under way, once; false when it had ended before. */
    async finish(key: string, end: JobEnd, now: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('generation_jobs')
        .set({ finished_at: now, ...columnsOf(end) })
        .where('job_key', '=', key)
        .where('state', 'in', unfinished)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    /** Keeps what a runner works on for longer. */
    async hold(keys: readonly string[], { runner, until }: Hold): Promise<void> {
      if (keys.length > 0) {
        await db
          .updateTable('generation_jobs')
          .set({ held_until: until })
          .where('runner', '=', runner)
          .where('job_key', 'in', keys)
          .execute();
      }
    },

    /** Takes over unfinished jobs that nobody has held since the given time, and answers them. */
    async takeOver(
      { runner, until }: Hold,
      { heldBefore, except }: { readonly heldBefore: number; readonly except: readonly string[] },
    ): Promise<GenerationJob[]> {
      const rows = await db
        .updateTable('generation_jobs')
        .set({ runner, held_until: until })
        .where('state', 'in', unfinished)
        .where('held_until', '<=', heldBefore)
        .$if(except.length > 0, (query) => query.where('job_key', 'not in', except))
        .returningAll()
        .execute();
      return rows.map(jobOf);
    },

    /** Removes jobs made before the given time and answers which pictures they had. */
    async removeBefore(time: number): Promise<string[]> {
      const rows = await db
        .deleteFrom('generation_jobs')
        .where('created_at', '<=', time)
        .where('state', 'not in', unfinished)
        .returning('picture_ids')
        .execute();
      return rows.flatMap(({ picture_ids }) => idsOf(picture_ids));
    },
  };
}

export type JobEnd =
  | { readonly state: 'done'; readonly pictureIds: readonly string[]; readonly seed: string }
  | { readonly state: 'failed'; readonly failure: JobFailure }
  | { readonly state: 'cancelled' };

function columnsOf(end: JobEnd) {
  if (end.state === 'done') {
    return { state: end.state, picture_ids: JSON.stringify(end.pictureIds), seed: end.seed };
  }
  return end.state === 'failed'
    ? { state: end.state, error_code: end.failure.code, detail: end.failure.detail }
    : { state: end.state };
}

const text = v.string();
const storedRecipe = v.object({
  prompt: text,
  negativePrompt: text,
  modelId: text,
  loras: v.record(text, v.number()),
  seed: text,
  width: v.number(),
  height: v.number(),
  scale: v.number(),
  ratio: text,
  /** Jobs from before there were styles have none. */
  style: v.optional(text, ''),
  nsfw: v.boolean(),
});

function jobOf(row: Selectable<Tables['generation_jobs']>): GenerationJob {
  return {
    key: row.job_key,
    owner: row.owner_id ?? undefined,
    provider: row.provider,
    engine: row.engine,
    recipe: v.parse(storedRecipe, JSON.parse(row.recipe)),
    seed: row.seed,
    state: row.state,
    taskId: row.task_id ?? undefined,
    pictureIds: idsOf(row.picture_ids),
    failure: row.error_code === null ? undefined : failureOf(row.error_code, row.detail),
    createdAt: row.created_at,
  };
}

function idsOf(json: string | null): readonly string[] {
  return json === null ? [] : v.parse(v.array(text), JSON.parse(json));
}

/** A code that a later version has dropped still says what happened. */
function failureOf(code: string, detail: string | null): JobFailure {
  const known = Object.keys(errorCodes).find((name): name is ErrorCode => name === code);
  const sure = known ?? 'unexpected';
  return { code: sure, detail: detail ?? errorCodes[sure].detail };
}
