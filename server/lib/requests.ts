import { type MiddlewareHandler } from 'hono';
/** What happens to every request before its route: an id, a log line, the caller's address, the session. */
import { randomUUID } from 'node:crypto';
import { isIPv6 } from 'node:net';
import * as v from 'valibot';

import { type AppContext, type AppEnv, type Person } from './app-env.ts';
import { type Dependencies } from './dependencies.ts';
import { AppError } from './errors.ts';

/** Gives the request its id and writes one line when it is answered: the path, never the query. */
export function logRequests({ log, env }: Dependencies): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const requestId = randomUUID();
    const startedAt = performance.now();
    c.set('requestId', requestId);
    c.set('log', log);
    c.set('address', addressOf(c, env.trustedProxies));
    c.header('X-Request-Id', requestId);
    await next();
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    log.info(
      { requestId, method: c.req.method, path: c.req.path, status: c.res.status, ms },
      'request',
    );
  };
}

/** Finds out who asks, when they send a token. */
export function readSession(sessions: {
  readonly personWith: (token: string) => Promise<Person | undefined>;
}): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const token = /^Bearer ([\w-]{16,128})$/.exec(c.req.header('Authorization') ?? '')?.[1];
    c.set('person', token === undefined ? undefined : await sessions.personWith(token));
    await next();
  };
}

/** Who asks. Throws `unauthenticated`. */
export function personOf(c: AppContext): Person {
  const person = c.get('person');
  if (!person) {
    throw new AppError('unauthenticated');
  }
  return person;
}

const bindings = v.object({
  incoming: v.object({ socket: v.object({ remoteAddress: v.optional(v.string()) }) }),
});

/**
 * The caller's address. Each proxy appends whom it heard from, so that with n trusted ones the n-th
 * entry from the right is the last that nobody could forge. An IPv6 caller owns a whole /64.
 */
function addressOf(c: AppContext, trustedProxies: number): string {
  const chain = (c.req.header('X-Forwarded-For') ?? '').split(',').map((entry) => entry.trim());
  const forwarded = trustedProxies > 0 ? chain.at(-Math.min(trustedProxies, chain.length)) : '';
  const address = forwarded === '' || forwarded === undefined ? socketAddress(c) : forwarded;
  return isIPv6(address) && !address.startsWith('::ffff:')
    ? address.split(':').slice(0, 4).join(':')
    : address;
}

function socketAddress(c: AppContext): string {
  // Requests that come without a socket are those of tests.
  const parsed = v.safeParse(bindings, c.env);
  return parsed.success ? (parsed.output.incoming.socket.remoteAddress ?? '') : 'local';
}
