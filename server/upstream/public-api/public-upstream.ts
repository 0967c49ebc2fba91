/** Another server that has the public API: asks it what the table allows, and trusts nothing it says. */
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

/** Milliseconds; the playground itself gives up after thirty seconds. */
const defaultTimeoutMs = 25_000;
/** Characters of a refusal that are passed on. */
const longestDetail = 300;

export type PublicUpstream = {
  /**
   * The answer as the endpoint's schema has it. Redirects are not followed, so that nobody is led into a private
   * network. Throws `service_unavailable`, `service_slow`, `service_busy`, `service_answer_broken`, `nothing_found`,
   * or `invalid_input` in the words of that server.
   */
  readonly answer: (endpoint: PublicEndpoint, values: Values) => Promise<Record<string, unknown>>;
};

export function connectPublicUpstream(root: string, timeoutMs = defaultTimeoutMs): PublicUpstream {
  return {
    answer: async (endpoint, values) => {
      const reply = await askOrRefuse(`${root}${requestPath(endpoint, values)}`, timeoutMs);
      throwRefusal(reply);
      const parsed = v.safeParse(endpoint.answer, withWholeLinks(readJson(reply), root));
      if (!parsed.success) {
        throw new AppError('service_answer_broken');
      }
      return { source: 'upstream', ...parsed.output };
    },
  };
}

async function askOrRefuse(url: string, timeoutMs: number): Promise<FetchReply> {
  try {
    return await fetchReply({ url, headers: { Accept: 'application/json' }, timeoutMs });
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
    const detail = readErrorBody(readJson(reply)).detail?.slice(0, longestDetail);
    throw new AppError('invalid_input', detail === undefined ? {} : { detail });
  }
  if (status !== 200) {
    throw new AppError('service_answer_broken');
  }
}

/** Links from the root of that server lead there, and not to the page that shows them. */
function withWholeLinks(value: unknown, root: string): unknown {
  if (Array.isArray(value)) {
    return value.map((one: unknown) => withWholeLinks(one, root));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      isLinkName(name) && typeof inner === 'string' && /^\/(?!\/)/.test(inner)
        ? new URL(inner, root).href
        : withWholeLinks(inner, root),
    ]),
  );
}

function isLinkName(name: string): boolean {
  return name === 'result' || name === 'cover' || name === 'image' || name.endsWith('_url');
}
