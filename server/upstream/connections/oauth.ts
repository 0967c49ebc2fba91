/** What Spotify and AniList share: linking accounts by OAuth, requests, and refusals. */
import * as v from 'valibot';

import { type ServiceId } from '#contract/endpoints/connections';
import { AppError } from '#server/lib/errors';
import { sayDuration } from '#server/lib/limits';
import { fetchReply, readJson, NoReply, type FetchRequest } from '#server/upstream/fetch-json';

import { serviceTexts } from './texts.ts';

/** The variables that the operator must set for each service. */
export const serviceVariables = {
  spotify: ['SPOTIFY_CLIENT_ID'],
  anilist: ['ANILIST_CLIENT_ID', 'ANILIST_CLIENT_SECRET'],
} as const satisfies Record<ServiceId, readonly string[]>;

export type Tokens = {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Seconds until the access token expires; undefined when the service does not say. */
  readonly lifetimeS: number | undefined;
};

export type OAuthService = {
  readonly id: ServiceId;
  /** How long a link lasts after the user's consent; absent when it lasts as long as its token. */
  readonly consentMonths?: number;
  /** The address at which the user agrees. `challenge` is the S256 hash of the verifier. */
  readonly authorizeUrl: (link: {
    readonly state: string;
    readonly challenge: string;
    readonly redirectUri: string;
  }) => string;
  /** Throws `connection_refused` when the service refuses the code, and `service_unavailable`. */
  readonly exchange: (answer: {
    readonly code: string;
    readonly verifier: string;
    readonly redirectUri: string;
  }) => Promise<Tokens>;
  /**
   * Absent when the service has no refresh tokens. Throws `connection_lost` when the token is no
   * longer valid, and `service_unavailable` for other failures.
   */
  readonly refresh?: (refreshToken: string) => Promise<Tokens>;
  /** The user's name there; undefined when unknown. Never throws. */
  readonly accountName: (accessToken: string) => Promise<string | undefined>;
};

export type ServiceReply = {
  readonly status: number;
  /** The JSON; undefined when the body is not JSON. */
  readonly body: unknown;
  readonly isEmpty: boolean;
};

type ServiceRequest = Omit<FetchRequest, 'service' | 'timeoutMs'> & {
  readonly timeoutMs: number | undefined;
};

/** Milliseconds for one request. */
export const defaultTimeoutMs = 10_000;

/** Throws `service_unavailable`, or `service_busy` with the time to wait. */
export async function fetchService(
  label: string,
  { timeoutMs = defaultTimeoutMs, ...request }: ServiceRequest,
): Promise<ServiceReply> {
  try {
    const reply = await fetchReply({ ...request, service: label, timeoutMs });
    if (reply.status === 429) {
      throw toBusy(label, readRetryAfter(reply.headers));
    }
    if (reply.status >= 500) {
      throw toUnavailable(label);
    }
    return { status: reply.status, body: readJson(reply), isEmpty: reply.bytes.length === 0 };
  } catch (error) {
    throw error instanceof NoReply ? toUnavailable(label) : error;
  }
}

const defaultWaitS = 60;
const maxWaitS = 86_400;

/** Seconds from a Retry-After header; a minute when it is missing or invalid. */
export function readRetryAfter(headers: Headers): number {
  const seconds = Math.ceil(Number(headers.get('Retry-After')));
  return seconds > 0 ? Math.min(seconds, maxWaitS) : defaultWaitS;
}

export function toBusy(label: string, retryAfterS: number): AppError {
  return new AppError('service_busy', {
    detail: (say) => say(serviceTexts).busy(label, sayDuration(retryAfterS, say)),
    retryAfterS,
  });
}

type RateLimitGuard = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * For services that limit the whole server: after `service_busy`, no request is sent until the time
 * to wait is over. The returned function throws `service_busy`.
 */
export function createRateLimitGuard(label: string, clock: () => number): RateLimitGuard {
  let busyUntil = 0;
  return async (work) => {
    const waitMs = busyUntil - clock();
    if (waitMs > 0) {
      throw toBusy(label, Math.ceil(waitMs / 1000));
    }
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError && error.code === 'service_busy') {
        busyUntil = clock() + (error.retryAfterS ?? 0) * 1000;
      }
      throw error;
    }
  };
}

export function toUnavailable(label: string): AppError {
  return new AppError('service_unavailable', {
    detail: (say) => say(serviceTexts).unavailable(label),
  });
}

const tokenError = v.object({ error: v.string() });

/** The refusal for an OAuth error (RFC 6749, 5.2). Only `invalid_grant` concerns the user; others concern this server. */
export function toRefusal(label: string, { body }: ServiceReply): AppError {
  if (!v.is(tokenError, body)) {
    return toUnavailable(label);
  }
  switch (body.error) {
    case 'invalid_grant':
      return new AppError('connection_refused', {
        detail: (say) => say(serviceTexts).expired(label),
      });
    case 'invalid_client':
    case 'unauthorized_client':
      return new AppError('service_key_refused', {
        detail: (say) => say(serviceTexts).serverRefused(label),
      });
    default:
      return new AppError('service_refused', {
        detail: (say) => say(serviceTexts).signInRefused(label),
      });
  }
}
