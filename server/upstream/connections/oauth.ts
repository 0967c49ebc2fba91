/** What a service must be able to do so that people can link their account there. */
import * as v from 'valibot';

import { type ServiceId } from '#contract/endpoints/connections';
import { AppError } from '#server/lib/errors';
import { formatDuration } from '#server/lib/limits';
import { fetchReply, readJson, NoReply, type FetchRequest } from '#server/upstream/fetch-json';

/** The variables that set each service up. */
export const serviceVariables = {
  spotify: ['SPOTIFY_CLIENT_ID'],
  anilist: ['ANILIST_CLIENT_ID', 'ANILIST_CLIENT_SECRET'],
} as const satisfies Record<ServiceId, readonly string[]>;

export type Tokens = {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Seconds that the access token lives; absent when the service does not say. */
  readonly lifetimeS: number | undefined;
};

export type OAuthService = {
  readonly id: ServiceId;
  /** Where the person says yes. `challenge` is the S256 hash of the verifier. */
  readonly authorizeUrl: (link: {
    readonly state: string;
    readonly challenge: string;
    readonly redirectUri: string;
  }) => string;
  /** Throws `connection_refused` when the code is not taken, `service_unavailable` when nobody answers. */
  readonly exchange: (answer: {
    readonly code: string;
    readonly verifier: string;
    readonly redirectUri: string;
  }) => Promise<Tokens>;
  /**
   * Absent where the service has no such tokens. Throws `connection_lost` when the service says that
   * this token is good no more, and `service_unavailable` for everything else that goes wrong.
   */
  readonly refresh?: (refreshToken: string) => Promise<Tokens>;
  /** What the person is called there; undefined when the service does not tell. Never throws. */
  readonly accountName: (accessToken: string) => Promise<string | undefined>;
};

export type ServiceReply = {
  readonly status: number;
  /** The parsed JSON; undefined when there is none. */
  readonly body: unknown;
  readonly isEmpty: boolean;
};

type ServiceQuestion = Omit<FetchRequest, 'timeoutMs'> & { readonly timeoutMs: number | undefined };

/** Milliseconds until a service must have answered. */
export const usualTimeoutMs = 10_000;

/**
 * Asks a service. Throws `service_unavailable` for no answer and for an error of its own, and
 * `service_busy` with the time to wait when it is asked too often.
 */
export async function askService(
  label: string,
  { timeoutMs = usualTimeoutMs, ...question }: ServiceQuestion,
): Promise<ServiceReply> {
  try {
    const reply = await fetchReply({ ...question, timeoutMs });
    if (reply.status === 429) {
      throw busy(label, waitOf(reply.headers));
    }
    if (reply.status >= 500) {
      throw unavailable(label);
    }
    return { status: reply.status, body: readJson(reply), isEmpty: reply.bytes.length === 0 };
  } catch (error) {
    throw error instanceof NoReply ? unavailable(label) : error;
  }
}

const usualWaitS = 60;
const longestWaitS = 86_400;

/** Seconds to wait as a service says them; a minute when it says nothing that can be used. */
export function waitOf(headers: Headers): number {
  const seconds = Math.ceil(Number(headers.get('Retry-After')));
  return seconds > 0 ? Math.min(seconds, longestWaitS) : usualWaitS;
}

export function busy(label: string, retryAfterS: number): AppError {
  return new AppError('service_busy', {
    detail: `${label} is asked too often right now. Please try again in ${formatDuration(retryAfterS)}.`,
    retryAfterS,
  });
}

/** Has work done unless its service has said, a while ago, how long it does not want to be asked. */
type Restraint = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** For a service that counts the server, and not the person: one who was told to wait stops everybody. */
export function createRestraint(label: string, clock: () => number): Restraint {
  let busyUntil = 0;
  return async (work) => {
    const waitMs = busyUntil - clock();
    if (waitMs > 0) {
      throw busy(label, Math.ceil(waitMs / 1000));
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

export function unavailable(label: string): AppError {
  return new AppError('service_unavailable', {
    detail: `${label} does not answer right now. Please try again in a moment.`,
  });
}

const tokenError = v.object({ error: v.string() });

/**
 * Why a service gives no tokens (RFC 6749, 5.2). Only `invalid_grant` is about this person; the rest
 * is about how this server is set up, or no answer of the service at all.
 */
export function refusalOf(
  label: string,
  { body }: ServiceReply,
  variables: readonly string[],
): AppError {
  if (!v.is(tokenError, body)) {
    return unavailable(label);
  }
  switch (body.error) {
    case 'invalid_grant':
      return new AppError('connection_refused', {
        detail: `${label} says that this sign-in has expired. Please start again from Nori.`,
      });
    case 'invalid_client':
    case 'unauthorized_client':
      return new AppError('service_key_refused', {
        detail: `${label} refuses this server. Whoever runs it can check ${variables.join(' and ')}.`,
      });
    default:
      return new AppError('service_refused', {
        detail: `${label} refused the sign-in. Please start again from Nori.`,
      });
  }
}
