/** Watches the calls of the API: how many a caller makes a minute, and which refusals are security events. */
import { type MiddlewareHandler } from 'hono';

import { type ErrorCode } from '#contract/endpoints/errors';
import { type Env } from '#server/app/env';
import { AppError } from '#server/lib/errors';
import { limitTexts } from '#server/lib/limit-texts';
import { callRules, sayDuration } from '#server/lib/limits';
import { type Caller } from '#server/lib/requester';
import { metrics } from '#server/lib/telemetry';

import { type AppEnv } from './app-env.ts';
import { getCaller } from './requests.ts';

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
