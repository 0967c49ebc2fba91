/** What the backend offers beyond the specification. */
import { queryOptions, useQuery } from '@tanstack/react-query';

import { type Answer } from '#contract/endpoints/endpoint';
import { readCapabilities } from '#contract/endpoints/site';

import { ApiError, call } from './api.ts';
import { useIsHydrated } from './hydrated.ts';
import { storedValue } from './storage.ts';

/** What the server could do last, for when there is no network. */
const stored = storedValue('nori_capabilities', readCapabilities.output);

let answer: Promise<Answer<typeof readCapabilities>> | undefined;

/** Asks the server once; after a failure, again with the next call. */
export function fetchCapabilities(): Promise<Answer<typeof readCapabilities>> {
  answer ??= call(readCapabilities, {})
    .catch(noneIfUnknown)
    .then(keep)
    .catch((error: unknown) => {
      answer = undefined;
      throw error;
    });
  return answer;
}

function keep(known: Answer<typeof readCapabilities>) {
  stored.write(known);
  return known;
}

const capabilities = () =>
  queryOptions({
    queryKey: ['capabilities'],
    queryFn: () =>
      fetchCapabilities().catch((error: unknown) => stored.read() ?? Promise.reject(error)),
    // Nothing waits for it. After a failure the next screen asks again.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** A backend without this endpoint has no capabilities. Other failures are unknown. */
function noneIfUnknown(error: unknown): Answer<typeof readCapabilities> {
  if (error instanceof ApiError && (error.status === 404 || error.code === 'unreadable')) {
    return { capabilities: [] };
  }
  throw error;
}

type Capabilities = {
  /** Whether the server can do this; undefined until it has answered. */
  readonly has: (capability: string) => boolean | undefined;
  /** The connected bot's @name, without the @. */
  readonly botUsername: string | undefined;
  readonly botId: number | undefined;
  /** The engine of its pictures; `sketch` draws them without AI. */
  readonly imageEngine: string | undefined;
  /** Whether the call has ended, with or without success. */
  readonly isKnown: boolean;
};

/** Asks the server once for all screens, when the first one wants it. */
export function useCapabilities({ isWanted = true } = {}): Capabilities {
  const { data: answered, isFetched } = useQuery({ ...capabilities(), enabled: isWanted });
  // Another part of the page may have asked before the calling one is hydrated.
  const isHydrated = useIsHydrated();
  const data = isHydrated ? answered : undefined;
  return {
    has: (capability) => data?.capabilities.includes(capability),
    botUsername: data?.bot_username,
    botId: data?.bot_id,
    imageEngine: data?.image_engine,
    isKnown: isHydrated && isFetched,
  };
}
