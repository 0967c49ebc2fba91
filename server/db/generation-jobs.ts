/** Stores generation jobs: one row for each generation request, with its outcome. */
import { type Kysely, type Selectable } from 'kysely';
import * as v from 'valibot';

import { errorTexts } from '#contract/endpoints/error-texts';
import { type ErrorCode } from '#contract/endpoints/errors';
import { sourceModes } from '#contract/images/limits';
import { type PictureRecipe } from '#server/lib/picture-recipe';

import { type Database } from './client.ts';
import { createLeaseClock } from './leases.ts';
import { type Tables } from './tables.ts';

export type GenerationJob = {
  readonly key: string;
  /** The user's Telegram ID; undefined for visitors. */
  readonly owner: number | undefined;
  readonly provider: string;
  /** Such as `sketch`. */
  readonly engine: string;
  readonly recipe: JobRecipe;
  /** The seed that is used, also when the recipe has none. */
  readonly seed: string;
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  /** The engine's ID of the task. */
  readonly taskId: string | undefined;
  /** In order; empty until the job is done. */
  readonly pictureIds: readonly string[];
  /** Of all its pictures together; 0 until the job is done. */
  readonly pictureBytes: number;
  readonly failure: JobFailure | undefined;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Counts the leases of the job. What a process writes by an earlier lease than the current one is refused. */
  readonly epoch: number;
  /** The request that it comes from. */
  readonly requestId: string;
  /** Of a visitor: by which their jobs are counted. '' for users. */
  readonly requester: string;
};

/** A job by one of its leases. */
export type LeasedJob = Pick<GenerationJob, 'key' | 'epoch'>;

/** The recipe of the request; its seed is empty when the engine chooses. */
export type JobRecipe = PictureRecipe & { readonly nsfw: boolean };

type JobFailure = { readonly code: ErrorCode; readonly detail: string };

/** Which server process works on a job, and for how long other processes leave it alone. */
export type Lease = { readonly runner: string; readonly holdMs: number };

export type GenerationJobRepository = ReturnType<typeof createGenerationJobRepository>;

export const unfinished = ['queued', 'running'] as const;
/** Who works on which job. */
export function createGenerationLeaseRepository({ db, engine }: Pick<Database, 'db' | 'engine'>) {
  const { after } = createLeaseClock(engine);

  return {
    /** Stores a job with its first lease. Returns false when a job with this key exists. */
    async add(job: GenerationJob, { runner, holdMs }: Lease): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('generation_jobs')
        .values({ ...toRow(job), runner, held_until: after(holdMs) })
        .onConflict((conflict) => conflict.column('job_key').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    /** Extends the leases that the process still has on unfinished jobs, and returns the keys of these. */
    async extend(keys: readonly string[], { runner, holdMs }: Lease): Promise<ReadonlySet<string>> {
      if (keys.length === 0) {
        return new Set();
      }
      const rows = await db
        .updateTable('generation_jobs')
        .set({ held_until: after(holdMs) })
        .where('runner', '=', runner)
        .where('job_key', 'in', keys)
        .where('state', 'in', unfinished)
        .returning('job_key')
        .execute();
      return new Set(rows.map(({ job_key }) => job_key));
    },

    /** Leases all unfinished jobs. SQLite only: the data folder is locked, so there is no other server process. */
    async takeOver({ runner, holdMs }: Lease, except: readonly string[]): Promise<GenerationJob[]> {
      const rows = await db
        .updateTable('generation_jobs')
        .set((eb) => ({ runner, held_until: after(holdMs), epoch: eb('epoch', '+', 1) }))
        .where('state', 'in', unfinished)
        .$if(except.length > 0, (query) => query.where('job_key', 'not in', except))
        .returningAll()
        .execute();
      return rows.map(toJob);
    },

    /** Gives back what the process has not finished: other processes need not wait until its leases expire. */
    async release(keys: readonly string[], runner: string): Promise<void> {
      if (keys.length > 0) {
        await db
          .updateTable('generation_jobs')
          .set({ held_until: 0 })
          .where('runner', '=', runner)
          .where('job_key', 'in', keys)
          .where('state', 'in', unfinished)
          .execute();
      }
    },

    /** Cancels an unfinished job, or all of a user, whichever process works on them. */
    async cancel(
      jobs: { readonly key: string } | { readonly owner: number },
      now: number,
    ): Promise<void> {
      await db
        .updateTable('generation_jobs')
        .set({ finished_at: now, state: 'cancelled' })
        .where((eb) =>
          'key' in jobs ? eb('job_key', '=', jobs.key) : eb('owner_id', '=', jobs.owner),
        )
        .where('state', 'in', unfinished)
        .execute();
    },

    /** Of these jobs those that exist: how far they are, and which process works on them. */
    async readStates(keys: readonly string[]): Promise<ReadonlyMap<string, JobState>> {
      if (keys.length === 0) {
        return new Map();
      }
      const rows = await db
        .selectFrom('generation_jobs')
        .select(['job_key', 'state', 'runner'])
        .where('job_key', 'in', keys)
        .execute();
      return new Map(rows.map(({ job_key, ...row }) => [job_key, row]));
    },
  };
}

type JobState = Pick<Selectable<Tables['generation_jobs']>, 'state' | 'runner'>;

export type GenerationLeaseRepository = ReturnType<typeof createGenerationLeaseRepository>;

/** `db` is the database, or the transaction of the caller. */
export function createGenerationJobRepository(db: Kysely<Tables>) {
  return {
    async find(key: string): Promise<GenerationJob | undefined> {
      const row = await db
        .selectFrom('generation_jobs')
        .selectAll()
        .where('job_key', '=', key)
        .executeTakeFirst();
      return row && toJob(row);
    },

    /** Marks a queued job as running. Returns false when it is not queued, or leased again. */
    async begin({ key, epoch }: LeasedJob, now: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('generation_jobs')
        .set({ state: 'running', began_at: now })
        .where('job_key', '=', key)
        .where('epoch', '=', epoch)
        .where('state', '=', 'queued')
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    /** Returns false when the job was leased again, which then has a task of its own. */
    async setTaskId({ key, epoch }: LeasedJob, taskId: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('generation_jobs')
        .set({ task_id: taskId })
        .where('job_key', '=', key)
        .where('epoch', '=', epoch)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    /** Ends an unfinished job. Returns false when it had ended before, or was leased again. */
    async finish({ key, epoch }: LeasedJob, end: JobEnd, now: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('generation_jobs')
        .set({ finished_at: now, ...toColumns(end) })
        .where('job_key', '=', key)
        .where('epoch', '=', epoch)
        .where('state', 'in', unfinished)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    /** Bytes of the files of all jobs. */
    sumPictureBytes: () => sumPictureBytes(db),

    /**
     * Removes users' jobs that began, and visitors' jobs that ended, before the given times. Returns the
     * IDs of their pictures.
     */
    async removeBefore(times: { users: number; visitors: number }): Promise<string[]> {
      const rows = await db
        .deleteFrom('generation_jobs')
        .where((eb) =>
          eb.or([
            eb('created_at', '<=', times.users),
            eb('owner_id', 'is', null).and('finished_at', '<=', times.visitors),
          ]),
        )
        .where('state', 'not in', unfinished)
        .returning('picture_ids')
        .execute();
      return rows.flatMap(({ picture_ids }) => parseIds(picture_ids));
    },

    /** Removes the finished jobs of saved generations. Returns the IDs of the jobs' own pictures. */
    async removeSaved(
      by: { readonly pictureIds: readonly string[] } | { readonly deletedBefore: number },
    ): Promise<string[]> {
      const rows = await db
        .deleteFrom('generation_jobs')
        .where('state', 'not in', unfinished)
        // Not by a search for each job: there are far more of them than pictures that are deleted.
        .where((job) =>
          job(
            job.refTuple('job_key', 'owner_id'),
            'in',
            job
              .selectFrom('generations')
              .innerJoin('pictures', 'pictures.id', 'generations.picture_id')
              .select((eb) => [
                eb.ref('generations.job_key').$notNull().as('job_key'),
                eb.ref('generations.telegram_id').$castTo<number | null>().as('owner_id'),
              ])
              .where((eb) =>
                'pictureIds' in by
                  ? eb('pictures.id', 'in', by.pictureIds)
                  : eb('pictures.deleted_at', '<', by.deletedBefore),
              )
              .$asTuple('job_key', 'owner_id'),
          ),
        )
        .returning('picture_ids')
        .execute();
      return rows.flatMap(({ picture_ids }) => parseIds(picture_ids));
    },
  };
}

/** How long generation jobs wait and take. */
export function createGenerationTimeRepository(db: Kysely<Tables>) {
  return {
    /** How many jobs of its provider wait, itself and those before it; and when its own work began, if it did. */
    async readPlace({ key, provider, createdAt }: GenerationJob) {
      const own = await db
        .selectFrom('generation_jobs')
        .select('began_at')
        .where('job_key', '=', key)
        .executeTakeFirst();
      const { position } = await db
        .selectFrom('generation_jobs')
        .select(({ fn }) => fn.countAll<number>().as('position'))
        .where('state', '=', 'queued')
        .where('provider', '=', provider)
        .where((eb) =>
          eb.or([
            eb('created_at', '<', createdAt),
            eb('created_at', '=', createdAt).and('job_key', '<=', key),
          ]),
        )
        .executeTakeFirstOrThrow();
      return { position, beganAt: own?.began_at ?? undefined };
    },

    /** How long an engine has worked on its last pictures, in ms. */
    async readDurations(engine: string, limit: number): Promise<readonly number[]> {
      const rows = await db
        .selectFrom('generation_jobs')
        .select(['began_at', 'finished_at'])
        .where('engine', '=', engine)
        .where('state', '=', 'done')
        .orderBy('finished_at', 'desc')
        .limit(limit)
        .execute();
      return rows.flatMap(({ began_at: began, finished_at: finished }) =>
        began === null || finished === null ? [] : [finished - began],
      );
    },
  };
}

async function sumPictureBytes(db: Kysely<Tables>): Promise<number> {
  const { bytes } = await db
    .selectFrom('generation_jobs')
    .select(({ fn }) => fn.sum<number | null>('picture_bytes').as('bytes'))
    .executeTakeFirstOrThrow();
  return bytes ?? 0;
}

export type JobEnd =
  | ({ readonly state: 'done' } & Pick<GenerationJob, 'pictureIds' | 'pictureBytes' | 'seed'>)
  | { readonly state: 'failed'; readonly failure: JobFailure }
  | { readonly state: 'cancelled' };

function toColumns(end: JobEnd) {
  if (end.state === 'done') {
    const { state, pictureIds, pictureBytes, seed } = end;
    return { state, picture_ids: JSON.stringify(pictureIds), picture_bytes: pictureBytes, seed };
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
  /** Absent in old jobs. */
  style: v.optional(text, ''),
  nsfw: v.boolean(),
  /** Absent in old jobs, and where the engine decides. */
  steps: v.optional(v.number()),
  sampler: v.optional(text),
  /** The order of its fields is part of a job's identity. */
  source: v.optional(
    v.object({
      pictureId: text,
      mode: v.picklist(sourceModes),
      strength: v.number(),
      maskId: v.optional(text),
    }),
  ),
});

export function toRow(job: GenerationJob) {
  return {
    job_key: job.key,
    owner_id: job.owner ?? null,
    provider: job.provider,
    engine: job.engine,
    recipe: JSON.stringify(job.recipe),
    seed: job.seed,
    state: job.state,
    epoch: job.epoch,
    created_at: job.createdAt,
    request_id: job.requestId,
    requester: job.requester,
  };
}

export function toJob(row: Selectable<Tables['generation_jobs']>): GenerationJob {
  return {
    key: row.job_key,
    owner: row.owner_id ?? undefined,
    provider: row.provider,
    engine: row.engine,
    recipe: v.parse(storedRecipe, JSON.parse(row.recipe)),
    seed: row.seed,
    state: row.state,
    taskId: row.task_id ?? undefined,
    pictureIds: parseIds(row.picture_ids),
    pictureBytes: row.picture_bytes ?? 0,
    failure: row.error_code === null ? undefined : toFailure(row.error_code, row.detail),
    createdAt: row.created_at,
    epoch: row.epoch,
    requestId: row.request_id,
    requester: row.requester,
  };
}

function parseIds(json: string | null): readonly string[] {
  return json === null ? [] : v.parse(v.array(text), JSON.parse(json));
}

/** The code may be unknown to this version; the stored sentence is still shown. */
function toFailure(code: string, detail: string | null): JobFailure {
  const known = Object.keys(errorTexts).find((name): name is ErrorCode => name === code);
  const safeCode = known ?? 'unexpected';
  return { code: safeCode, detail: detail ?? errorTexts[safeCode] };
}
