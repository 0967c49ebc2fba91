/** Middleware of every request: its ID, the log line, the caller's address, the session; and errors. */
import { type ErrorHandler, type MiddlewareHandler, type Next } from 'hono';
import { routePath } from 'hono/route';
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';

import { type ErrorCode, errorStatuses } from '#contract/endpoints/errors';
import { acceptedLanguage, sourceLanguage } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { type Env } from '#server/app/env';
import { findCaller, isFromProxy, noSocket } from '#server/lib/addresses';
import { AppError } from '#server/lib/errors';
import { sayEnglish, type Sentence } from '#server/lib/languages';
import { limitTexts } from '#server/lib/limit-texts';
import { uploadRules, callRules, sayDuration } from '#server/lib/limits';
import { withRequestId } from '#server/lib/request-context';
import { type Caller, type SessionUser } from '#server/lib/requester';
import { metrics, traced } from '#server/lib/telemetry';

import { type AppContext, type AppEnv } from './app-env.ts';
import { CallerGone } from './body.ts';

/**
 * Gives the request an ID and a language, and logs one line when it is answered: the path, never the query. All that
 * is begun meanwhile is logged with the ID.
 */
export function logRequests({ log, env, languages }: Dependencies): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const socket = socketAddress(c);
    const isProxied = isFromProxy(socket, env.trustedProxies);
    const requestId = (isProxied && readGivenId(c)) || randomUUID();
    c.set('requestId', requestId);
    c.set('log', log);
    c.set('address', findCaller(socket, c.req.header('X-Forwarded-For') ?? '', env.trustedProxies));
    c.set('textsIn', languages.textsIn);
    c.set(
      'language',
      acceptedLanguage(c.req.header('Accept-Language'), languages.offered) ?? sourceLanguage,
    );
    c.header('X-Request-Id', requestId);
    const traceparent = isProxied ? (c.req.header('traceparent') ?? '') : '';
    await withRequestId(
      requestId,
      () => watchRequest(c, next, traceparent),
      () => c.req.raw.signal.aborted,
    );
  };
}

/**
 * Only hexadecimal digits and hyphens, and not a few: no token and no code is made of these, and no ID of a user is so
 * long. A proxy may pass on what a stranger has chosen.
 */
const givenIdPattern = /^[\da-f][\da-f-]{18,62}[\da-f]$/i;

const readGivenId = (c: AppContext): string | undefined =>
  givenIdPattern.exec(c.req.header('X-Request-Id') ?? '')?.[0];

/** What logs, metrics and traces say of a request. */
async function watchRequest(c: AppContext, next: Next, traceparent: string): Promise<void> {
  const startedAt = performance.now();
  const method = knownMethods.has(c.req.method) ? c.req.method : 'other';
  metrics.change('requestsInFlight', 1);
  try {
    await traced({ name: method, kind: 'server', traceparent }, async (span) => {
      await next();
      const { status } = c.res;
      // The pattern of the handler that answered.
      const route = routePath(c);
      span?.rename(`${method} ${route}`);
      span?.set({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'nori.request_id': c.get('requestId'),
      });
      logAnswer(c, performance.now() - startedAt);
      metrics.time(
        'httpRequest',
        { method, route, status: `${Math.floor(status / 100)}xx` },
        performance.now() - startedAt,
      );
    });
  } finally {
    metrics.change('requestsInFlight', -1);
  }
}

/** A caller may send any, and each would be a metric of its own. */
const knownMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
]);

function logAnswer(c: AppContext, duration: number): void {
  const ms = Math.round(duration * 10) / 10;
  const { method } = c.req;
  const path = maskKeys(c.req.path);
  const { status } = c.res;
  const level = status >= 500 ? 'warn' : isRoutine(path, status) ? 'debug' : 'info';
  c.get('log')[level]({ method, path, status, refusal: c.get('refusal'), ms }, 'request');
}

/**
 * The key of a generation gives access to its pictures, so it must not be logged; nor the ID of a private chat, which is
 * that of a person.
 */
function maskKeys(path: string): string {
  return path
    .replace(/(\/generations\/jobs\/)[^/]+/, '$1[secret]')
    .replace(/(\/chats\/)\d+/, '$1[private]');
}

/** Files of the site and successful health checks are too many to log. */
function isRoutine(path: string, status: number): boolean {
  return !/^\/(?:backend|public-api)\//.test(path) || (path === '/backend/health' && status < 400);
}

/** Sets the user when the request has the token of a session. */
export function readSession(sessions: {
  readonly authenticate: (token: string, address: string) => Promise<SessionUser | undefined>;
}): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const token = /^Bearer ([\w-]{16,128})$/.exec(c.req.header('Authorization') ?? '')?.[1];
    c.set(
      'user',
      token === undefined ? undefined : await sessions.authenticate(token, c.get('address')),
    );
    await next();
  };
}

/** The user of the request. Throws `unauthenticated`. */
export function requireUser(c: AppContext): SessionUser {
  const user = c.get('user');
  if (!user) {
    throw new AppError('unauthenticated');
  }
  return user;
}

/** The Telegram ID of the user. Throws `unauthenticated`. */
export function requireTelegramId(c: AppContext): number {
  return requireUser(c).telegramId;
}

const bindings = v.object({
  incoming: v.object({ socket: v.object({ remoteAddress: v.optional(v.string()) }) }),
});

function socketAddress(c: AppContext): string {
  // Only requests of tests have no socket.
  const parsed = v.safeParse(bindings, c.env);
  return parsed.success ? (parsed.output.incoming.socket.remoteAddress ?? '') : noSocket;
}

/** The user or visitor of the request. */
export function getRequester(c: AppContext) {
  return { telegramId: c.get('user')?.telegramId, address: c.get('address') };
}

/** Where the request comes from. */
export function getCaller(c: AppContext): Caller {
  return { address: c.get('address'), userAgent: c.req.header('User-Agent') };
}

/**
 * The same for requests whose result is stored. Throws `unauthenticated` for a token that is no longer
 * valid: as a visitor's, the result would be missing in the history of the user.
 */
export function requireRequester(c: AppContext) {
  if (c.req.header('Authorization') !== undefined) {
    requireUser(c);
  }
  return getRequester(c);
}

/** The answer that is one sentence: in English, and in the caller's language when that is another. */
export function toMessage(c: AppContext, sentence: Sentence) {
  return { message: sentence(sayEnglish), translated: sayTranslated(c, sentence) };
}

/** The sentence in the caller's language; undefined when that is English. */
export function sayTranslated(c: AppContext, sentence: Sentence): string | undefined {
  const language = c.get('language');
  return language === sourceLanguage ? undefined : sentence(c.get('textsIn')(language));
}

/** For the log: no caller reads it. As nginx has it. */
const callerGoneStatus = 499;

function isCallerGone(error: unknown, { raw }: AppContext['req']): boolean {
  const isAborted = error instanceof Error && error.name === 'AbortError' && raw.signal.aborted;
  return error instanceof CallerGone || isAborted;
}

/** How long a caller is asked to wait when the database did not answer. */
const databaseRetryS = 1;

/** Where waiting helps, and the service that refuses has said no time. */
const usualWaitsS: Partial<Readonly<Record<ErrorCode, number>>> = {
  storage_full: uploadRules.fullDiskRetryS,
  service_busy: 60,
  image_service_busy: 60,
};

/**
 * Answers with `{ detail, code }`, and with the sentence as `message` for a language other than English. An error for which `isTemporary` holds becomes `busy`; any other that is
 * no refusal becomes `unexpected`. Both are logged.
 */
export function answerErrors(isTemporary: (error: unknown) => boolean): ErrorHandler<AppEnv> {
  const toRefusal = (error: unknown) =>
    isTemporary(error)
      ? new AppError('busy', { retryAfterS: databaseRetryS })
      : new AppError('unexpected');

  return (error, c) => {
    if (isCallerGone(error, c.req)) {
      return new Response(null, { status: callerGoneStatus });
    }
    const refusal = error instanceof AppError ? error : toRefusal(error);
    if (refusal !== error) {
      const message =
        refusal.code === 'busy' ? 'the database did not answer' : 'unexpected failure';
      c.get('log').error({ err: error }, message);
    }
    c.set('refusal', refusal.code);
    metrics.count('refusals', { code: refusal.code });
    const retryAfterS = refusal.retryAfterS ?? usualWaitsS[refusal.code];
    if (retryAfterS !== undefined) {
      c.header('Retry-After', String(retryAfterS));
    }
    const { code, detail } = refusal;
    const message = sayTranslated(c, (say) => refusal.sayIn(say));
    return c.json({ detail, message, code }, errorStatuses[code]);
  };
}

type Fetch<Rest extends unknown[]> = (...request: Rest) => Response | Promise<Response>;

/**
 * Wraps `fetch`. `settled` resolves when all requests are done that were under way when it was called,
 * also those whose caller has disconnected: they still use the database, which must not be closed.
 */
export function trackRequests<Rest extends unknown[]>(
  fetch: Fetch<Rest>,
): { fetch: Fetch<Rest>; settled: () => Promise<void> } {
  const underWay = new Set<Promise<Response>>();
  return {
    fetch: (...request) => {
      const answer = fetch(...request);
      if (answer instanceof Promise) {
        const forget = () => void underWay.delete(answer);
        underWay.add(answer);
        answer.then(forget, forget);
      }
      return answer;
    },
    settled: async () => {
      await Promise.allSettled(underWay);
    },
  };
}

type Clock = () => number;

/** Counts within a window. Of more keys than `max`, the one that began first is forgotten. */
function createCounter(clock: Clock, { windowMs, max }: { windowMs: number; max: number }) {
  const counts = new Map<string, { hits: number; readonly endsAt: number }>();

  function begin(key: string, endsAt: number) {
    // Inserted anew, as a map returns its keys in the order of insertion.
    counts.delete(key);
    const [oldest] = counts.keys();
    if (oldest !== undefined && counts.size >= max) {
      counts.delete(oldest);
    }
    const begun = { hits: 0, endsAt };
    counts.set(key, begun);
    return begun;
  }

  return (key: string): { readonly hits: number; readonly waitMs: number } => {
    const now = clock();
    const known = counts.get(key);
    // A clock that was ahead and is corrected must not hold a window for ever.
    const isOpen = known !== undefined && known.endsAt > now && known.endsAt <= now + windowMs;
    const count = isOpen ? known : begin(key, now + windowMs);
    count.hits += 1;
    return { hits: count.hits, waitMs: count.endsAt - now };
  };
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

/** Pictures and films, of which a page may have hundreds, and what tells whether the server lives. */
const uncounted = /^\/backend\/(?:health$|media\/|jav\/[^/]+\/stream$)/;

/** Refuses a caller that makes calls in a loop. Nothing but memory is asked. Throws `rate_limited`. */
export function limitCalls({ callsPerMinute, addressLimitFactor }: Env, clock: Clock) {
  const { windowMs, writesPerRead, maxCallers } = callRules;
  const count = createCounter(clock, { windowMs, max: maxCallers });

  const middleware: MiddlewareHandler<AppEnv> = async (c, next) => {
    if (!uncounted.test(c.req.path)) {
      const user = c.get('user');
      const kind = isRead(c.req.method) ? 'reads' : 'writes';
      const caller = user === undefined ? c.get('address') : String(user.telegramId);
      const { hits, waitMs } = count(
        `${user === undefined ? 'address' : 'user'} ${kind} ${caller}`,
      );
      const share = kind === 'reads' ? 1 : writesPerRead;
      if (hits > callsPerMinute * share * (user === undefined ? addressLimitFactor : 1)) {
        metrics.count('limitRefusals', { limit: `${kind}-per-minute` });
        const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000));
        throw new AppError('rate_limited', {
          detail: (say) => say(limitTexts).requests(sayDuration(retryAfterS, say)),
          retryAfterS,
        });
      }
    }
    await next();
  };
  return middleware;
}

/** Refusals by which a signed-in user is told that something belongs to others. */
const foreign: ReadonlySet<ErrorCode> = new Set([
  'foreign_person',
  'chat_not_verified',
  'not_owner',
]);
const accountCalls =
  /^\/backend\/(?:register|send-otp|verify-otp|login|auth|account|connections)(?:\/|$)/;

function toEvent(refusal: ErrorCode | undefined, isUser: boolean, path: string) {
  if (refusal === 'rate_limited' && accountCalls.test(path)) {
    return 'rate_limited';
  }
  return refusal !== undefined && foreign.has(refusal) && isUser ? 'foreign_access' : undefined;
}

type Note = (
  event: string,
  about: {
    readonly telegramId: number | undefined;
    readonly caller: Caller;
    readonly detail: string;
  },
) => void;

/** Logs refusals that an operator looks for after an attack, each once a minute for one caller. */
export function logRefusals(note: Note, clock: Clock): MiddlewareHandler<AppEnv> {
  const { loggedOnceMs, maxCallers } = callRules;
  const count = createCounter(clock, { windowMs: loggedOnceMs, max: maxCallers });

  return async (c, next) => {
    await next();
    const telegramId = c.get('user')?.telegramId;
    const refusal = c.get('refusal');
    const event = toEvent(refusal, telegramId !== undefined, c.req.path);
    if (event === undefined) {
      return;
    }
    const caller = getCaller(c);
    if (count(`${event} ${telegramId ?? caller.address} ${refusal}`).hits === 1) {
      note(event, {
        telegramId,
        caller,
        detail: `${refusal} ${c.req.method} ${toRoute(c.req.path)}`,
      });
    }
  };
}

/** The path without what it names. */
function toRoute(path: string): string {
  return path.replace(/\/[^/]*\d[^/]*/g, '/…');
}
