/** What a service must be able to do so that people can link their account there. */
import { type ServiceId } from '#contract/endpoints/connections';
import { AppError } from '#server/lib/errors';

import { ask, jsonOf, NoAnswer, type Question } from './ask.ts';

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
  /** Absent where the service has no such tokens. Throws `connection_lost` when the person took them back. */
  readonly refresh?: (refreshToken: string) => Promise<Tokens>;
  /** What the person is called there; undefined when the service does not tell. Never throws. */
  readonly accountName: (accessToken: string) => Promise<string | undefined>;
};

const serviceTimeoutMs = 10_000;

/** Asks a service. Throws `service_unavailable` for no answer, an error of its own, and too many requests. */
export async function askService(
  label: string,
  question: Omit<Question, 'timeoutMs'>,
): Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }> {
  try {
    const reply = await ask({ ...question, timeoutMs: serviceTimeoutMs });
    if (reply.status === 429) {
      const seconds = Number(reply.headers.get('Retry-After'));
      throw new AppError('service_unavailable', {
        detail: `${label} is asked too often right now. Please try again in a moment.`,
        retryAfterS: seconds > 0 && seconds < 86_400 ? Math.ceil(seconds) : 60,
      });
    }
    if (reply.status >= 500) {
      throw unavailable(label);
    }
    return { status: reply.status, body: jsonOf(reply), headers: reply.headers };
  } catch (error) {
    throw error instanceof NoAnswer ? unavailable(label) : error;
  }
}

export function unavailable(label: string): AppError {
  return new AppError('service_unavailable', {
    detail: `${label} does not answer right now. Please try again in a moment.`,
  });
}
