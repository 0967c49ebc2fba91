/** Does work at its time, also after a restart: each job is a row, which one process at a time has. */
import { type Dependencies } from '#server/app/dependencies';
import { type AddedJob, createDueJobRepository, type DueJob } from '#server/db/due-jobs';
import { createKeyedSemaphore } from '#server/lib/concurrency';
import { Unfinished } from '#server/lib/errors';
import { throwUnlessHeld } from '#server/lib/holding';
import { withRequestId } from '#server/lib/request-context';
import { timed } from '#server/lib/telemetry';

import { createDueTimer } from './due-timer.ts';

/** How long a job is left to the process that does it, unless that says in time that it still does. */
const leaseMs = 60_000;
const renewEveryMs = leaseMs / 3;
const jobsPerRound = 100;

const minute = 60_000;
/** When a job that could not be done is tried again; then it is given up. */
const retryAfterMs = [minute, 5 * minute, 30 * minute, 180 * minute] as const;

export type { DueJob };

/** What a job is about. The body is the handler's own. */
export type NewJob = AddedJob;

/** Whether a job is done; if not, it is tried again a few times, or for sure at the time that is given. */
type Outcome = boolean | { readonly againAt: number };
type Handler = (job: DueJob) => Promise<Outcome>;

export type DueJobs = ReturnType<typeof createDueJobs>;

type Needs = Pick<Dependencies, 'database' | 'clock' | 'log'>;

export function createDueJobs(deps: Needs) {
  const { clock } = deps;
  const rows = createDueJobRepository(deps.database);
  const handlers = new Map<string, Handler>();
  const runs = createRuns(deps, handlers, (time) => timer.wakeBy(time));
  const timer = createDueTimer(deps, {
    what: 'jobs',
    begin: runs.begin,
    settled: runs.settled,
    renew: runs.renew,
    renewEveryMs,
    rows,
  });

  return {
    /** Says what a kind of job does. Jobs of a kind that nothing handles end at their time. */
    handle: (kind: string, handler: Handler): void => void handlers.set(kind, handler),
    /** To be called when jobs were saved, also in a transaction of another module. */
    wakeBy: timer.wakeBy,
    /** Resolves when it is saved; a job with the same ID is kept as it is. */
    async add(job: NewJob): Promise<void> {
      await rows.add(job);
      timer.wakeBy(job.dueAt);
    },
    /** As `add`, but saves nothing and returns false when the person has `max` other jobs of this kind. */
    async addAtMost(job: NewJob & { readonly telegramId: number }, max: number): Promise<boolean> {
      const hasRoom = await rows.addAtMost(job, max);
      if (hasRoom) {
        timer.wakeBy(job.dueAt);
      }
      return hasRoom;
    },
    /**
     * As `add`, but a job with the same ID is done at this time instead, and once more if it is being done now;
     * for that the time has to be later than now.
     */
    async addAgain(job: NewJob): Promise<void> {
      await rows.addAgain(job);
      timer.wakeBy(job.dueAt);
    },
    /** Has a job done now that would be done later. */
    async hasten(id: string): Promise<void> {
      const now = clock();
      await rows.hasten(id, now);
      timer.wakeBy(now);
    },
    find: (id: string): Promise<DueJob | undefined> => rows.find(id),
    /** Gives a job another body. Returns whether it still was as it is given: of several callers one changes it. */
    changeBody: (job: Pick<DueJob, 'id' | 'body'>, becomes: string): Promise<boolean> =>
      rows.changeBody(job, becomes),
    /** To be called when the bot is out of a chat. */
    removeInChat: (chatId: number): Promise<void> => rows.removeInChat(chatId),
    listOfPerson: (telegramId: number, kind: string): Promise<readonly DueJob[]> =>
      rows.listOfPerson(telegramId, kind),
    /** Removes a job and returns it: of several callers one gets it. */
    take: (id: string): Promise<DueJob | undefined> => rows.take(id),
    /** Resolves when everything that is due now was tried; never rejects. */
    async runDue(): Promise<void> {
      await runs.begin();
      await runs.settled();
    },
    start: timer.start,
    stop: timer.stop,
    abandon: timer.abandon,
  };
}

/** For metrics and traces. */
const watchJob = ({ kind }: DueJob) =>
  ({
    what: 'dueJob',
    labels: { kind },
    toOutcome: (outcome: Outcome) => (outcome === true ? 'done' : 'put_off'),
  }) as const;

/** Claims what is due, does it, and saves what has to be tried again. */
function createRuns(
  { database, clock, log }: Needs,
  handlers: ReadonlyMap<string, Handler>,
  wakeBy: (time: number) => void,
) {
  const rows = createDueJobRepository(database);
  /** By ID. */
  const inProgress = new Map<string, { readonly job: DueJob; readonly running: Promise<void> }>();
  /** Jobs of a kind in a chat are done in their order, such as the lines of a log. */
  const lanes = createKeyedSemaphore(1);
  let claiming: Promise<void> = Promise.resolve();

  async function settle(job: DueJob, outcome: Outcome): Promise<void> {
    const current = newest(job);
    await settleClaim(current, outcome);
    if (newest(job) !== current) {
      // It was claimed again meanwhile.
      await settle(job, outcome);
    }
  }

  async function settleClaim(job: DueJob, outcome: Outcome): Promise<void> {
    const waitMs = retryAfterMs[job.tries];
    if (typeof outcome === 'object') {
      await rows.postpone(job, outcome.againAt, 0);
      wakeBy(outcome.againAt);
    } else if (outcome || waitMs === undefined) {
      if (!outcome) {
        log.warn({ kind: job.kind, chatId: job.chatId }, 'a job was given up');
      }
      await rows.remove(job);
    } else {
      const dueAt = clock() + waitMs;
      await rows.postpone(job, dueAt, job.tries + 1);
      wakeBy(dueAt);
    }
  }

  async function handleFailure(job: DueJob, error: unknown): Promise<void> {
    if (error instanceof Unfinished) {
      // The server stops, or has lost its lock; the next has it at once.
      await rows.postpone(newest(job), job.dueAt, job.tries).catch(() => undefined);
    } else {
      // The row is due again when its lease has expired, or later.
      log.error({ kind: job.kind, err: error }, 'could not do a job');
      await settle(job, false).catch(() => undefined);
    }
  }

  /** The same job as it was claimed last. */
  const newest = (job: DueJob) => inProgress.get(job.id)?.job ?? job;

  async function run(job: DueJob): Promise<void> {
    const leave = await lanes.acquire(`${job.kind} ${job.chatId}`);
    try {
      throwUnlessHeld();
      const handle = handlers.get(job.kind);
      const outcome = await timed(watchJob(job), async () => handle?.(job) ?? true);
      await settle(job, outcome);
    } catch (error) {
      await handleFailure(job, error);
    } finally {
      leave();
      inProgress.delete(job.id);
    }
  }

  async function claim(): Promise<void> {
    try {
      throwUnlessHeld();
      const due = await rows.claimDue(clock(), { limit: jobsPerRound, leaseMs });
      for (const job of due) {
        // When leases could not be extended in time, this process gets its own jobs again.
        const running =
          inProgress.get(job.id)?.running ?? withRequestId(job.requestId, () => run(job));
        inProgress.set(job.id, { job, running });
      }
    } catch (error) {
      if (!(error instanceof Unfinished)) {
        log.error({ err: error }, 'could not read the jobs that are due');
      }
    }
  }

  return {
    /** Resolves when what is due was begun; never rejects. */
    begin: (): Promise<void> => {
      claiming = claiming.then(claim);
      return claiming;
    },

    /** Resolves when nothing is in progress; never rejects. */
    settled: async (): Promise<void> => {
      await claiming;
      await Promise.all([...inProgress.values()].map(({ running }) => running));
    },

    /** Telegram may want a chat to wait for longer than a lease. Never rejects. */
    renew: async (): Promise<void> => {
      const jobs = [...inProgress.values()].map(({ job }) => job);
      if (jobs.length > 0) {
        await rows.renew(jobs, leaseMs).catch((error: unknown) => {
          log.warn({ err: error }, 'could not extend the leases of jobs');
        });
      }
    },
  };
}
