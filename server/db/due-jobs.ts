/** What the bot does later. Times are epoch milliseconds. */
import { type ExpressionBuilder, type Kysely } from 'kysely';

import { currentRequestId } from '#server/lib/request-context';

import { type Database } from './client.ts';
import { createLeaseClock, lockInTransaction } from './leases.ts';
import { type Tables } from './tables.ts';

export type DueJob = {
  /** A job of the same ID is added once. */
  readonly id: string;
  readonly kind: string;
  readonly chatId: number;
  /** Whom it is about. */
  readonly telegramId: number | undefined;
  /** JSON, as the kind says. */
  readonly body: string;
  readonly dueAt: number;
  /** How often it was tried in vain. */
  readonly tries: number;
  /** Counts the claims of the row. What a process writes of an earlier claim than the current one is refused. */
  readonly epoch: number;
  /** The request or update that it comes from. */
  readonly requestId: string;
};

/** Kind and ID of the one that is there while Telegram's server knows no calls that remove reactions. */
export const unknownReactionsJob = 'unknown-reactions';

/** A job that is added. */
export type AddedJob = Omit<DueJob, 'tries' | 'epoch' | 'requestId'>;

type Claim = {
  /** All kinds when absent. */
  readonly kinds?: readonly string[];
  readonly limit: number;
  readonly leaseMs: number;
};

/** A job as it was claimed. */
type Claimed = Pick<DueJob, 'id' | 'dueAt' | 'epoch'>;

export function createDueJobRepository({ db, engine }: Pick<Database, 'db' | 'engine'>) {
  const clock = createLeaseClock(engine);

  return {
    ...createLeases({ db, engine }),

    /** Returns false when there is such a job already; it stays as it is. */
    add: (job: AddedJob): Promise<boolean> => addJob(db, job),

    /**
     * Adds a job if the person it is about has fewer than `max` of its kind. Returns false when they have as many, and
     * this is not one of them.
     */
    addAtMost: (job: AddedJob & { readonly telegramId: number }, max: number): Promise<boolean> =>
      db.transaction().execute(async (tx) => {
        const { id, kind, telegramId } = job;
        // Two that are added at once are counted one after the other.
        await lockInTransaction(tx, engine, `nori jobs ${kind} ${telegramId}`);
        const ids = await tx
          .selectFrom('due_jobs')
          .select('id')
          .where('telegram_id', '=', telegramId)
          .where('kind', '=', kind)
          .execute();
        const isKnown = ids.some((row) => row.id === id);
        if (!isKnown && ids.length < max) {
          await addJob(tx, job);
        }
        return isKnown || ids.length < max;
      }),

    /**
     * Adds a job, or has the one of the same ID done at another time and with all its tries: once more when a
     * process is doing it now.
     */
    async addAgain(job: AddedJob): Promise<void> {
      const row = toRow(job);
      const { body, due_at, request_id } = row;
      await db
        .insertInto('due_jobs')
        .values(row)
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet({ body, due_at, request_id, tries: 0 }),
        )
        .execute();
    },

    claimDue: (now: number, claim: Claim): Promise<readonly DueJob[]> =>
      claimDue({ db, engine }, now, claim),

    async find(id: string): Promise<DueJob | undefined> {
      const row = await db
        .selectFrom('due_jobs')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row && toJob(row);
    },

    /** Those of a kind that a person has, the first to be due first. */
    async listOfPerson(telegramId: number, kind: string): Promise<readonly DueJob[]> {
      const rows = await db
        .selectFrom('due_jobs')
        .selectAll()
        .where('telegram_id', '=', telegramId)
        .where('kind', '=', kind)
        .orderBy('due_at')
        .orderBy('id')
        .execute();
      return rows.map(toJob);
    },

    /** Removes a job and returns it: of two callers one gets it. */
    async take(id: string): Promise<DueJob | undefined> {
      const row = await db
        .deleteFrom('due_jobs')
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row && toJob(row);
    },

    /** Gives a job another body, if it still has this one. Returns whether it had: of two callers one has changed it. */
    async changeBody({ id, body }: Pick<DueJob, 'id' | 'body'>, becomes: string): Promise<boolean> {
      const row = await db
        .updateTable('due_jobs')
        .set({ body: becomes })
        .where('id', '=', id)
        .where('body', '=', body)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Of what no process has leased. */
    async readNextDueAt(): Promise<number | undefined> {
      const row = await db
        .selectFrom('due_jobs')
        .select('due_at')
        .where('held_until', '<=', clock.now)
        .orderBy('due_at')
        .limit(1)
        .executeTakeFirst();
      return row?.due_at;
    },

    /** To be called when the bot is out of the chat. */
    async removeInChat(chatId: number): Promise<void> {
      await db.deleteFrom('due_jobs').where('chat_id', '=', chatId).execute();
    },
  };
}

const toRow = (job: AddedJob) => ({
  id: job.id,
  kind: job.kind,
  chat_id: job.chatId,
  telegram_id: job.telegramId ?? null,
  body: job.body,
  due_at: job.dueAt,
  request_id: currentRequestId(),
});

async function addJob(db: Kysely<Tables>, job: AddedJob): Promise<boolean> {
  const row = await db
    .insertInto('due_jobs')
    .values(toRow(job))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const isClaim =
  ({ id, epoch }: Claimed) =>
  (eb: ExpressionBuilder<Tables, 'due_jobs'>) =>
    eb.and({ id, epoch });

/** What becomes of jobs that were claimed: nothing, once they were claimed again. */
function createLeases({ db, engine }: Pick<Database, 'db' | 'engine'>) {
  const clock = createLeaseClock(engine);
  async function release(job: Claimed): Promise<void> {
    await db.updateTable('due_jobs').set({ held_until: 0 }).where(isClaim(job)).execute();
  }

  return {
    /** Extends the leases of jobs. */
    async renew(jobs: readonly Claimed[], leaseMs: number): Promise<void> {
      await db
        .updateTable('due_jobs')
        .set({ held_until: clock.after(leaseMs) })
        .where((eb) =>
          eb(
            eb.refTuple('id', 'epoch'),
            'in',
            jobs.map(({ id, epoch }) => eb.tuple(id, epoch)),
          ),
        )
        .execute();
    },

    /** Has a job done at this time if it were done later, and once more if it is being done now. */
    async hasten(id: string, dueAt: number): Promise<void> {
      await db
        .updateTable('due_jobs')
        .set({ due_at: dueAt })
        .where('id', '=', id)
        .where('due_at', '>', dueAt)
        .execute();
    },

    /** Ends the lease of a job; it is due at `dueAt`, unless it was added again meanwhile. */
    async postpone(job: Claimed, dueAt: number, tries: number): Promise<void> {
      const row = await db
        .updateTable('due_jobs')
        .set({ due_at: dueAt, held_until: 0, tries })
        .where(isClaim(job))
        .where('due_at', '=', job.dueAt)
        .returning('id')
        .executeTakeFirst();
      if (row === undefined) {
        await release(job);
      }
    },

    /** Removes a job that is done, unless it was added again meanwhile: then its lease ends. */
    async remove(job: Claimed): Promise<void> {
      const row = await db
        .deleteFrom('due_jobs')
        .where(isClaim(job))
        .where('due_at', '=', job.dueAt)
        .returning('id')
        .executeTakeFirst();
      if (row === undefined) {
        await release(job);
      }
    },

    /** Ends all leases, also those of other processes. */
    async releaseAll(): Promise<void> {
      await db.updateTable('due_jobs').set({ held_until: 0 }).where('held_until', '>', 0).execute();
    },
  };
}

/**
 * Leases what is due to the caller, the longest overdue first, and returns it. What another process has
 * leased is left out.
 */
async function claimDue(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  now: number,
  { kinds, limit, leaseMs }: Claim,
): Promise<readonly DueJob[]> {
  const clock = createLeaseClock(engine);
  const rows = await db
    .with('due', (cte) => {
      const due = cte
        .selectFrom('due_jobs')
        .select('id')
        .where('due_at', '<=', now)
        .where('held_until', '<=', clock.now)
        .$if(kinds !== undefined, (query) => query.where('kind', 'in', kinds ?? []))
        .orderBy('due_at')
        .orderBy('id')
        .limit(limit);
      return engine === 'postgres' ? due.forUpdate().skipLocked() : due;
    })
    .updateTable('due_jobs')
    .set((eb) => ({ held_until: clock.after(leaseMs), epoch: eb('epoch', '+', 1) }))
    .where('id', 'in', (eb) => eb.selectFrom('due').select('id'))
    .returningAll()
    .execute();
  return rows.map(toJob).toSorted((one, other) => one.dueAt - other.dueAt);
}

type Row = Pick<
  Tables['due_jobs'],
  'id' | 'kind' | 'chat_id' | 'telegram_id' | 'body' | 'due_at'
> & { readonly tries: number; readonly epoch: number; readonly request_id: string };

function toJob(row: Row): DueJob {
  return {
    id: row.id,
    kind: row.kind,
    chatId: row.chat_id,
    telegramId: row.telegram_id ?? undefined,
    body: row.body,
    dueAt: row.due_at,
    tries: row.tries,
    epoch: row.epoch,
    requestId: row.request_id,
  };
}

/** The kind of the jobs that remove the reactions of who was banned. */
export const bannedReactionsJob = 'banned-reactions';

/** Has the reactions of who is banned by an action removed, where the chat wants that; does nothing for other actions. */
export async function addReactionsJob(
  database: Pick<Database, 'db' | 'engine'>,
  action: Pick<DueJob, 'id' | 'chatId' | 'telegramId' | 'kind'> & { readonly at: number },
): Promise<void> {
  if (action.kind === 'ban') {
    await createDueJobRepository(database).add({
      id: `${bannedReactionsJob}:${action.id}`,
      kind: bannedReactionsJob,
      chatId: action.chatId,
      telegramId: action.telegramId,
      body: '',
      dueAt: action.at,
    });
  }
}
