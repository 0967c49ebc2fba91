/**
 * What operators see of a running server: counts and durations for Prometheus, and spans of traces. Nothing of it is loaded
 * or kept until `server/app/telemetry.ts` connects it; until then a call costs a comparison. Labels and names of spans come
 * from short lists: never from what users send.
 */
import { currentSpan, type Span, withSpan } from './request-context.ts';

type Metric = {
  readonly name: string;
  readonly labels: readonly string[];
  readonly help: string;
};

/** What only grows. */
export const counters = {
  updatesReceived: {
    name: 'nori_bot_updates_received_total',
    labels: ['kind'],
    help: 'Updates of Telegram that this process has begun to handle.',
  },
  deletions: {
    name: 'nori_deletions_total',
    labels: ['outcome'],
    help: 'Messages that were deleted (done), cannot be (refused), or wait for Telegram (put_off).',
  },
  floodWaits: {
    name: 'nori_telegram_flood_waits_total',
    labels: [],
    help: 'How often Telegram wanted a pause.',
  },
  floodWaitSeconds: {
    name: 'nori_telegram_flood_wait_seconds_total',
    labels: [],
    help: 'How long the pauses are together that Telegram wanted.',
  },
  limitRefusals: {
    name: 'nori_limit_refusals_total',
    labels: ['limit'],
    help: 'Calls that a limit has refused.',
  },
  refusals: {
    name: 'nori_refusals_total',
    labels: ['code'],
    help: 'Requests that were answered with an error code.',
  },
  securityEvents: {
    name: 'nori_security_events_total',
    labels: ['event'],
    help: 'Lines of the security log.',
  },
} as const satisfies Readonly<Record<string, Metric>>;

const ofRequests = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ofStatements = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const ofCalls = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const ofJobs = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];

/** What takes time, in seconds. */
export const durations = {
  httpRequest: {
    name: 'nori_http_request_duration_seconds',
    labels: ['method', 'route', 'status'],
    help: 'Time until a request was answered; of streams until they began.',
    buckets: ofRequests,
  },
  statement: {
    name: 'nori_database_statement_duration_seconds',
    labels: ['operation', 'outcome'],
    help: 'Time of a statement, without the wait for a connection.',
    buckets: ofStatements,
  },
  update: {
    name: 'nori_bot_update_duration_seconds',
    labels: ['kind', 'outcome'],
    help: 'Time to handle an update, with the wait for earlier ones of its chat.',
    buckets: ofRequests,
  },
  dueJob: {
    name: 'nori_due_job_duration_seconds',
    labels: ['kind', 'outcome'],
    help: 'Time of a job that the bot does later.',
    buckets: ofJobs,
  },
  generationJob: {
    name: 'nori_generation_job_duration_seconds',
    labels: ['engine', 'outcome'],
    help: 'Time in which an engine made the pictures of a job and they were stored.',
    buckets: ofJobs,
  },
  exportJob: {
    name: 'nori_export_duration_seconds',
    labels: ['outcome'],
    help: 'Time in which a file with the data of a user was made and sent.',
    buckets: ofJobs,
  },
  telegramCall: {
    name: 'nori_telegram_call_duration_seconds',
    labels: ['method', 'outcome'],
    help: 'Time of a call of the Bot API.',
    buckets: ofCalls,
  },
  upstreamCall: {
    name: 'nori_upstream_call_duration_seconds',
    labels: ['service', 'outcome'],
    help: 'Time of a call to another service.',
    buckets: ofCalls,
  },
  objectCall: {
    name: 'nori_object_store_call_duration_seconds',
    labels: ['kind', 'outcome'],
    help: 'Time of a call to the store of pictures.',
    buckets: ofCalls,
  },
} as const satisfies Readonly<Record<string, Metric & { readonly buckets: readonly number[] }>>;

/** What goes up and down, and is set where it changes. */
export const gauges = {
  requestsInFlight: {
    name: 'nori_http_requests_in_flight',
    labels: [],
    help: 'Requests that are not answered yet.',
  },
  openStreams: {
    name: 'nori_chat_streams_open',
    labels: [],
    help: 'Open pages that follow a chat.',
  },
  botLeads: {
    name: 'nori_bot_leader',
    labels: [],
    help: '1 while this process handles updates of the bot, 0 while it stands by; absent without a bot.',
  },
} as const satisfies Readonly<Record<string, Metric>>;

type Labels<Entry extends Metric> = Readonly<Record<Entry['labels'][number], string>>;
export type CounterName = keyof typeof counters;
export type DurationName = keyof typeof durations;
export type GaugeName = keyof typeof gauges;
type DurationLabels<Name extends DurationName> = Labels<(typeof durations)[Name]>;

export type Meters = {
  readonly add: (name: CounterName, by: number, labels: Readonly<Record<string, string>>) => void;
  readonly record: (
    name: DurationName,
    seconds: number,
    labels: Readonly<Record<string, string>>,
  ) => void;
};

type SpanOptions = {
  /** Such as `telegram sendMessage`. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes?: Parameters<Span['set']>[0];
  /** When it began, in epoch milliseconds; now when absent. */
  readonly startedAt?: number;
  /** What a believed proxy says of the trace, as W3C Trace Context has it; '' when it says nothing. */
  readonly traceparent?: string;
};

export type Tracing = {
  readonly start: (options: SpanOptions, parent: Span | undefined) => Span;
};

let meters: Meters | undefined;
let tracing: Tracing | undefined;
/** That of the bot is absent where no bot runs. */
const levels = new Map<GaugeName, number>([
  ['requestsInFlight', 0],
  ['openStreams', 0],
]);

/** Connects what exports; returns a function that disconnects it. */
export function connectTelemetry(to: {
  readonly meters: Meters | undefined;
  readonly tracing: Tracing | undefined;
}): () => void {
  ({ meters, tracing } = to);
  return () => {
    meters = undefined;
    tracing = undefined;
  };
}

export const metrics = {
  isOn: (): boolean => meters !== undefined,

  count: <Name extends CounterName>(
    name: Name,
    labels: Labels<(typeof counters)[Name]>,
    by = 1,
  ): void => meters?.add(name, by, labels),

  time: <Name extends DurationName>(name: Name, labels: DurationLabels<Name>, ms: number): void =>
    meters?.record(name, ms / 1000, labels),

  set: (name: GaugeName, value: number): void => void levels.set(name, value),
  change: (name: GaugeName, by: number): void =>
    void levels.set(name, (levels.get(name) ?? 0) + by),
  levels: (): ReadonlyMap<GaugeName, number> => levels,
};

/** Runs work as a span; a rejection marks it as failed. */
export async function traced<Result>(
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  if (tracing === undefined) {
    return work(undefined);
  }
  const span = tracing.start(options, currentSpan());
  let isFailed = true;
  try {
    const result = await withSpan(span, () => work(span));
    isFailed = false;
    return result;
  } finally {
    span.end({ isFailed });
  }
}

/** What is a span only as a part of something else, and is over already. */
export function traceEnded(name: string, ms: number, isFailed: boolean): void {
  const parent = currentSpan();
  if (parent !== undefined) {
    const startedAt = Date.now() - ms;
    tracing?.start({ name, kind: 'client', startedAt }, parent).end({ isFailed });
  }
}

/** How spans of these begin, and whether they are calls to another server. */
const spanNames = {
  update: ['update', 'internal'],
  dueJob: ['job', 'internal'],
  generationJob: ['generation', 'internal'],
  exportJob: ['export', 'internal'],
  telegramCall: ['telegram', 'client'],
  upstreamCall: ['upstream', 'client'],
  objectCall: ['object', 'client'],
} as const satisfies Partial<Record<DurationName, readonly [string, SpanOptions['kind']]>>;

type TimedName = keyof typeof spanNames;

type Timed<Name extends TimedName, Result> = {
  readonly what: Name;
  readonly labels: Omit<DurationLabels<Name>, 'outcome'>;
  /** From a short list; `done` when absent. */
  readonly toOutcome?: (result: Result) => string;
  /** For what was thrown; `failed` when absent. */
  readonly toFailure?: (error: unknown) => string;
};

/** Runs work that is timed, counted by its outcome, and a span. Settles as the work does. */
export async function timed<Name extends TimedName, Result>(
  { what, labels, toOutcome, toFailure }: Timed<Name, Result>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (meters === undefined && tracing === undefined) {
    return work();
  }
  const [begin, kind] = spanNames[what];
  const name = [begin, ...Object.values(labels)].join(' ');
  const startedAt = performance.now();
  const watch = async (span: Span | undefined) => {
    let outcome = 'failed';
    try {
      const result = await work();
      outcome = toOutcome?.(result) ?? 'done';
      return result;
    } catch (error) {
      outcome = toFailure?.(error) ?? outcome;
      throw error;
    } finally {
      meters?.record(what, (performance.now() - startedAt) / 1000, { ...labels, outcome });
      span?.set({ 'nori.outcome': outcome });
    }
  };
  // What is called again and again for nothing in particular would be a trace each time.
  const isPart = kind === 'internal' || currentSpan() !== undefined;
  return isPart ? traced({ name, kind }, watch) : watch(undefined);
}

const operations = /^\s*(select|insert|update|delete|with|begin|commit|rollback)\b/i;
const firstTable = /\b(?:from|into|update)\s+"?([a-z_]+)"?/i;
const maxShapes = 1000;
const shapes = new Map<string, { readonly operation: string; readonly name: string }>();

/** What a statement does and to which table, without its values. */
function readShape(statement: string) {
  const known = shapes.get(statement);
  if (known !== undefined) {
    return known;
  }
  const operation = operations.exec(statement)?.[1]?.toLowerCase() ?? 'other';
  const table = firstTable.exec(statement)?.[1];
  const shape = { operation, name: ['database', operation, table].filter(Boolean).join(' ') };
  if (shapes.size >= maxShapes) {
    shapes.clear();
  }
  shapes.set(statement, shape);
  return shape;
}

/** To be called after each statement. */
export function noteStatement(statement: string, ms: number, isFailed: boolean): void {
  if (meters === undefined && tracing === undefined) {
    return;
  }
  const { operation, name } = readShape(statement);
  metrics.time('statement', { operation, outcome: isFailed ? 'failed' : 'done' }, ms);
  traceEnded(name, ms, isFailed);
}
