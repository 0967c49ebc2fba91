/** Another server with the same public API. Requests follow the table of endpoints, and answers are validated. */
import * as v from 'valibot';

import { readErrorBody } from '#contract/endpoints/errors';
import {
  type PublicEndpoint,
  requestPath,
  type Values,
} from '#contract/playground/public-endpoint';
import { AppError } from '#server/lib/errors';
import { toBusy, readRetryAfter } from '#server/upstream/connections/oauth';
import { fetchReply, readJson, NoReply, type FetchReply } from '#server/upstream/fetch-json';

/** Below the thirty seconds of the playground. */
const defaultTimeoutMs = 25_000;
/** Characters of the server's own refusals that users see. */
const maxDetailLength = 300;

export type PublicUpstream = {
  /**
   * Returns a valid answer of the endpoint. Redirects are not followed, because they could lead into a private
   * network. Throws `service_unavailable`, `service_slow`, `service_busy`, `service_answer_broken`, `nothing_found`,
   * or `invalid_input` with the server's own sentence.
   */
  readonly answer: (endpoint: PublicEndpoint, values: Values) => Promise<Record<string, unknown>>;
};

export function connectPublicUpstream(root: string, timeoutMs = defaultTimeoutMs): PublicUpstream {
  return {
    answer: async (endpoint, values) => {
      const reply = await fetchOrRefuse(`${root}${requestPath(endpoint, values)}`, timeoutMs);
      throwRefusal(reply);
      const parsed = v.safeParse(endpoint.answer, resolveLinks(readJson(reply), root));
      if (!parsed.success) {
        throw new AppError('service_answer_broken');
      }
      return { source: 'upstream', ...parsed.output };
    },
  };
}

async function fetchOrRefuse(url: string, timeoutMs: number): Promise<FetchReply> {
  try {
    return await fetchReply({
      service: 'public-api',
      url,
      headers: { Accept: 'application/json' },
      timeoutMs,
    });
  } catch (error) {
    if (!(error instanceof NoReply)) {
      throw error;
    }
    throw new AppError(refusals[error.reason]);
  }
}

const refusals = {
  unreachable: 'service_unavailable',
  aborted: 'service_unavailable',
  timeout: 'service_slow',
  'too-large': 'service_answer_broken',
} as const satisfies Record<NoReply['reason'], string>;

function throwRefusal(reply: FetchReply): void {
  const { status, headers } = reply;
  if (status >= 500) {
    throw new AppError('service_unavailable');
  }
  if (status === 429) {
    throw toBusy('The service', readRetryAfter(headers));
  }
  if (status === 404) {
    throw new AppError('nothing_found');
  }
  if (status === 400 || status === 422) {
    const detail = readErrorBody(readJson(reply)).detail?.slice(0, maxDetailLength);
    throw new AppError('invalid_input', detail === undefined ? {} : { detail });
  }
  if (status !== 200) {
    throw new AppError('service_answer_broken');
  }
}

/** Makes links that begin with `/` absolute. */
function resolveLinks(value: unknown, root: string): unknown {
  if (Array.isArray(value)) {
    return value.map((one: unknown) => resolveLinks(one, root));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      isLinkName(name) && typeof inner === 'string' && /^\/(?!\/)/.test(inner)
        ? new URL(inner, root).href
        : resolveLinks(inner, root),
    ]),
  );
}

function isLinkName(name: string): boolean {
  return name === 'result' || name === 'cover' || name === 'image' || name.endsWith('_url');
}
