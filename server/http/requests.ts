/** Middleware of every request: its ID, the log line, the caller's address, the session; and errors. */
import { type ErrorHandler, type MiddlewareHandler, type Next } from 'hono';
import { routePath } from 'hono/route';
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';

import { type ErrorCode, errorStatuses } from '#contract/endpoints/errors';
import { acceptedLanguage, sourceLanguage } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { findCaller, isFromProxy, noSocket } from '#server/lib/addresses';
import { AppError } from '#server/lib/errors';
import { sayEnglish, type Sentence } from '#server/lib/languages';
import { uploadRules } from '#server/lib/limits';
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
