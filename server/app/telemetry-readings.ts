/** What is read of the process and its database whenever Prometheus calls. */
// Types alone, so that nothing is loaded here: inline ones would leave an import behind.
import type { BatchObservableResult, Meter } from '@opentelemetry/api';
import { sql } from 'kysely';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { gauges, metrics } from '#server/lib/telemetry';

import { type Dependencies } from './dependencies.ts';

type Needs = Pick<Dependencies, 'env' | 'database' | 'clock'>;

/** What is read when Prometheus calls, and not counted where it happens. */
const readings = {
  buildInfo: {
    name: 'nori_build_info',
    labels: ['version', 'node', 'database'],
    help: 'Always 1: what runs.',
  },
  role: { name: 'nori_role', labels: ['role'], help: '1 for what this process does.' },
  startedAt: {
    name: 'nori_process_start_time_seconds',
    labels: [],
    help: 'When the process started, in seconds since 1970.',
  },
  memory: { name: 'nori_process_memory_bytes', labels: ['kind'], help: 'Memory of the process.' },
  eventLoopDelay: {
    name: 'nori_event_loop_delay_seconds',
    labels: ['percentile'],
    help: 'By how much work was late since the last reading; percentile 100 is the longest.',
  },
  databaseUp: {
    name: 'nori_database_up',
    labels: [],
    help: '1 while the database answers within two seconds.',
  },
  databaseConnections: {
    name: 'nori_database_connections',
    labels: ['state'],
    help: 'Connections of the pool: open in all (total), unused (idle), and calls without one (waiting).',
  },
  updateLag: {
    name: 'nori_bot_update_lag_seconds',
    labels: [],
    help: 'How long the oldest update that is not handled has waited. The same from every process.',
  },
  dueDeletions: {
    name: 'nori_due_deletions_waiting',
    labels: [],
    help: 'Deletions whose time has come, at most 10,000. The same from every process.',
  },
  dueDeletionsAge: {
    name: 'nori_due_deletions_oldest_seconds',
    labels: [],
    help: 'How long the oldest of them has been due. The same from every process.',
  },
  dueJobs: {
    name: 'nori_due_jobs_waiting',
    labels: [],
    help: 'Jobs of the bot whose time has come, at most 10,000. The same from every process.',
  },
  dueJobsAge: {
    name: 'nori_due_jobs_oldest_seconds',
    labels: [],
    help: 'How long the oldest of them has been due. The same from every process.',
  },
  generationJobs: {
    name: 'nori_generation_jobs',
    labels: ['state', 'engine'],
    help: 'Generation jobs that are queued or running. The same from every process.',
  },
} as const;

/** Grows, but the system counts it. */
const cpuSeconds = {
  name: 'nori_process_cpu_seconds_total',
  labels: ['mode'],
  help: 'Time of the processor that the process has used.',
} as const;

type Reading = keyof typeof readings | keyof typeof gauges;
type Observe = (name: Reading, value: number, labels?: Readonly<Record<string, string>>) => void;

/** Returns a function that ends what is measured all the time. */
export function addReadings(meter: Meter, needs: Needs, version: string): () => void {
  const observables = new Map(
    Object.entries({ ...readings, ...gauges }).map(([key, { name, help }]) => [
      key,
      meter.createObservableGauge(name, { description: help }),
    ]),
  );
  const cpu = meter.createObservableCounter(cpuSeconds.name, { description: cpuSeconds.help });
  const machine = createMachineReadings();
  const readShared = createSharedReadings(needs);

  async function readAll(result: BatchObservableResult): Promise<void> {
    const observe: Observe = (name, value, labels = {}) => {
      const observable = observables.get(name);
      if (observable !== undefined) {
        result.observe(observable, value, { ...labels });
      }
    };
    const { user, system } = process.cpuUsage();
    result.observe(cpu, user / 1e6, { mode: 'user' });
    result.observe(cpu, system / 1e6, { mode: 'system' });
    readProcess(observe, needs, version);
    machine.read(observe);
    await readShared(observe);
  }

  meter.addBatchObservableCallback(readAll, [...observables.values(), cpu]);
  return machine.stop;
}

const allRoles = ['web', 'bot', 'worker'] as const;

function readProcess(observe: Observe, { env, database }: Needs, version: string): void {
  observe('buildInfo', 1, { version, node: process.version, database: database.engine });
  for (const role of allRoles) {
    observe('role', env.roles.has(role) ? 1 : 0, { role });
  }
  for (const [name, level] of metrics.levels()) {
    observe(name, level);
  }
  for (const [state, count] of Object.entries(database.connections?.() ?? {})) {
    observe('databaseConnections', count, { state });
  }
}

const loopCheckMs = 10;

function createMachineReadings() {
  const delays = monitorEventLoopDelay({ resolution: loopCheckMs });
  delays.enable();
  const startedAt = (Date.now() - performance.now()) / 1000;
  // What is recorded is the time between two checks.
  const toDelay = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - loopCheckMs / 1000);

  return {
    read(observe: Observe): void {
      observe('startedAt', startedAt);
      const { rss, heapUsed, external } = process.memoryUsage();
      observe('memory', rss, { kind: 'resident' });
      observe('memory', heapUsed, { kind: 'heap_used' });
      observe('memory', external, { kind: 'external' });
      observe('eventLoopDelay', toDelay(delays.percentile(50)), { percentile: '50' });
      observe('eventLoopDelay', toDelay(delays.percentile(99)), { percentile: '99' });
      observe('eventLoopDelay', toDelay(delays.max), { percentile: '100' });
      delays.reset();
    },
    stop: () => void delays.disable(),
  };
}

const databaseWaitMs = 2000;
/** However often Prometheus calls, and however many of them there are. */
const sharedEveryMs = 15_000;

/** What the database knows. While it does not answer, the rest is read without it. */
function createSharedReadings({ database, clock }: Needs): (observe: Observe) => Promise<void> {
  let last: { readonly at: number; readonly backlog: Promise<Backlog | undefined> } | undefined;

  function readBacklogSometimes(): Promise<Backlog | undefined> {
    if (last === undefined || performance.now() - last.at >= sharedEveryMs) {
      const backlog = readBacklog(database.db, clock()).catch(() => undefined);
      last = { at: performance.now(), backlog };
    }
    return last.backlog;
  }

  return async (observe) => {
    const [isUp, backlog] = await Promise.all([
      within(
        database.ping().then(() => true),
        databaseWaitMs,
      ),
      within(readBacklogSometimes(), databaseWaitMs),
    ]);
    observe('databaseUp', isUp === true ? 1 : 0);
    if (backlog === undefined) {
      return;
    }
    observe('updateLag', backlog.updateLag);
    observe('dueDeletions', backlog.deletions.waiting);
    observe('dueDeletionsAge', backlog.deletions.oldest);
    observe('dueJobs', backlog.jobs.waiting);
    observe('dueJobsAge', backlog.jobs.oldest);
    for (const { state, engine, count } of backlog.generationJobs) {
      observe('generationJobs', count, { state, engine });
    }
  };
}

/** Undefined when the work fails or takes longer. */
export async function within<Result>(
  work: Promise<Result>,
  ms: number,
): Promise<Awaited<Result> | undefined> {
  const abort = new AbortController();
  try {
    return await Promise.race([work, sleep(ms, undefined, { signal: abort.signal, ref: false })]);
  } catch {
    return undefined;
  } finally {
    abort.abort();
  }
}

type Backlog = Awaited<ReturnType<typeof readBacklog>>;
type Db = Needs['database']['db'];

/** Above it the number says no more. */
const maxCounted = 10_000;

/** Each statement reads an index as far as there is something to do, and one is sent after the other. */
export async function readBacklog(db: Db, now: number) {
  const toAge = (time: number | null | undefined) =>
    time === null || time === undefined ? 0 : Math.max(0, (now - time) / 1000);

  async function readDue(table: 'due_deletions' | 'due_jobs') {
    const row = await db
      .selectFrom((eb) =>
        eb
          .selectFrom(table)
          .select('due_at')
          .where('due_at', '<=', now)
          .orderBy('due_at')
          .limit(maxCounted)
          .as('due'),
      )
      .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min('due_at').as('oldest')])
      .executeTakeFirst();
    return { waiting: row?.waiting ?? 0, oldest: toAge(row?.oldest) };
  }

  const open = await db
    .selectFrom('bot_inbox')
    // By the index of open updates: a plain minimum would be looked for among those that are handled, too.
    .select(sql<number | null>`min(received_at + 0)`.as('oldest'))
    .where('handled_at', 'is', null)
    .executeTakeFirst();
  const deletions = await readDue('due_deletions');
  const jobs = await readDue('due_jobs');
  const generationJobs = await db
    .selectFrom('generation_jobs')
    .select((eb) => ['state', 'engine', eb.fn.countAll<number>().as('count')])
    .where('state', 'in', ['queued', 'running'])
    .groupBy(['state', 'engine'])
    .execute();
  return { updateLag: toAge(open?.oldest), deletions, jobs, generationJobs };
}
