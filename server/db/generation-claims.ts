/**
 * Jobs that several processes share, on PostgreSQL: those who store one need not work on it, and all together work on no more
 * than a requester and an engine may have at a time.
 */
import { type Kysely, type Selectable } from 'kysely';

import { type Database } from './client.ts';
import { type GenerationJob, type Lease, toJob, toRow, unfinished } from './generation-jobs.ts';
import { createLeaseClock, lockInTransaction } from './leases.ts';
import { type Tables } from './tables.ts';

/** How many more jobs may be claimed. */
export type ClaimRules = {
  /** Jobs of one requester that are worked on at a time, in all processes together. */
  readonly atOnce: number;
  readonly providers: ReadonlyMap<
    string,
    {
      /** How many more this process takes. */
      readonly room: number;
      /** How many are worked on at a time in all processes together; undefined without such a limit. */
      readonly max: number | undefined;
    }
  >;
  /** What this process works on already, whether it still has the lease or not. */
  readonly except: readonly string[];
};

/** A claim looks at so many of the oldest jobs that wait. */
const maxCandidates = 500;

export function createGenerationClaims({ db, engine }: Pick<Database, 'db' | 'engine'>) {
  const { now, after } = createLeaseClock(engine);

  const readFree = (tx: Kysely<Tables>) =>
    tx
      .selectFrom('generation_jobs')
      .where('state', 'in', unfinished)
      .where('held_until', '<=', now);

  return {
    /**
     * Stores a job that any process may claim. Returns `known` when a job with this key exists, and `full` when the
     * requester has as many unfinished ones as allowed.
     */
    addWaiting: (job: GenerationJob, max: number): Promise<'added' | 'known' | 'full'> =>
      db.transaction().execute(async (tx) => {
        const requester = job.owner === undefined ? job.requester : String(job.owner);
        // Two requests of one requester are counted one after the other.
        await lockInTransaction(tx, engine, `nori requester ${requester}`);
        const { count } = await tx
          .selectFrom('generation_jobs')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('state', 'in', unfinished)
          .where((eb) =>
            job.owner === undefined
              ? eb.and([eb('requester', '=', job.requester), eb('owner_id', 'is', null)])
              : eb('owner_id', '=', job.owner),
          )
          .executeTakeFirstOrThrow();
        if (count >= max) {
          return 'full';
        }
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('generation_jobs')
          .values({ ...toRow(job), runner: '', held_until: 0 })
          .onConflict((conflict) => conflict.column('job_key').doNothing())
          .executeTakeFirstOrThrow();
        return numInsertedOrUpdatedRows === 1n ? 'added' : 'known';
      }),

    /**
     * Leases jobs that no process has (any more), as many as the rules allow in all processes together, the oldest first.
     */
    async claim({ runner, holdMs }: Lease, rules: ClaimRules): Promise<readonly GenerationJob[]> {
      // Mostly nothing waits; then no other process has to wait for this one.
      if ((await readFree(db).select('job_key').limit(1).executeTakeFirst()) === undefined) {
        return [];
      }
      return db.transaction().execute(async (tx) => {
        await lockInTransaction(tx, engine, 'nori claims');
        const leased = await tx
          .selectFrom('generation_jobs')
          .select(['provider', 'owner_id', 'requester', 'job_key'])
          .where('state', 'in', unfinished)
          .where('held_until', '>', now)
          .execute();
        const { except } = rules;
        const choose = createChoice(rules, leased);
        const full = choose.fullProviders();
        const waiting = await readFree(tx)
          .select(['provider', 'owner_id', 'requester', 'job_key'])
          .$if(full.length > 0, (query) => query.where('provider', 'not in', full))
          .$if(except.length > 0, (query) => query.where('job_key', 'not in', except))
          .orderBy('created_at')
          .orderBy('job_key')
          .limit(maxCandidates)
          .forUpdate()
          .skipLocked()
          .execute();
        const chosen = waiting.filter(choose.take).map(({ job_key }) => job_key);
        if (chosen.length === 0) {
          return [];
        }
        const rows = await tx
          .updateTable('generation_jobs')
          .set((eb) => ({ runner, held_until: after(holdMs), epoch: eb('epoch', '+', 1) }))
          .where('job_key', 'in', chosen)
          .returningAll()
          .execute();
        return rows.map(toJob);
      });
    },
  };
}

export type GenerationClaims = ReturnType<typeof createGenerationClaims>;

type Claimable = Pick<
  Selectable<Tables['generation_jobs']>,
  'provider' | 'owner_id' | 'requester' | 'job_key'
>;

function toRequester({ owner_id: owner, requester, job_key: key }: Claimable): string {
  return owner === null ? requester || key : String(owner);
}

function countEach(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  names.forEach((name) => counts.set(name, (counts.get(name) ?? 0) + 1));
  return counts;
}

/** Chooses jobs within the rules; `leased` is what all processes work on. */
function createChoice({ atOnce, providers }: ClaimRules, leased: readonly Claimable[]) {
  const byRequester = countEach(leased.map(toRequester));
  const byProvider = countEach(leased.map(({ provider }) => provider));
  const rooms = new Map(
    [...providers].map(([name, { room, max = Infinity }]) => [
      name,
      Math.min(room, max - (byProvider.get(name) ?? 0)),
    ]),
  );
  // What no provider of this version makes is taken, too, so that it fails.
  const getRoom = (provider: string) => rooms.get(provider) ?? Infinity;

  return {
    fullProviders: () => [...rooms].filter(([, room]) => room <= 0).map(([name]) => name),

    /** Returns whether the job may be worked on, too. */
    take: (job: Claimable): boolean => {
      const requester = toRequester(job);
      const others = byRequester.get(requester) ?? 0;
      const room = getRoom(job.provider);
      if (others >= atOnce || room <= 0) {
        return false;
      }
      byRequester.set(requester, others + 1);
      rooms.set(job.provider, room - 1);
      return true;
    },
  };
}
