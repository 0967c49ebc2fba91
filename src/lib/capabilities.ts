/** What the backend can do beyond the specification. */
import { queryOptions, useQuery } from '@tanstack/react-query';

import { type Answer } from '#contract/endpoints/endpoint';
import { readCapabilities } from '#contract/endpoints/site';

import { ApiError, call } from './api.ts';

const capabilities = () =>
  queryOptions({
    queryKey: ['capabilities'],
    queryFn: ({ signal }) => call(readCapabilities, {}, signal).catch(noneIfUnknown),
    // Nothing waits for it; after a failure the next screen asks again.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** A backend that does not know the call can do nothing more; one that is down may. */
function noneIfUnknown(error: unknown): Answer<typeof readCapabilities> {
  if (error instanceof ApiError && (error.status === 404 || error.code === 'unreadable')) {
    return { capabilities: [] };
  }
  throw error;
}

type Capabilities = {
  /** Whether the server can do this; undefined as long as it has not said. */
  readonly has: (capability: string) => boolean | undefined;
  /** The connected bot's @name, without the @. */
  readonly botUsername: string | undefined;
  /** What makes its pictures; `sketch` draws them without AI. */
  readonly imageEngine: string | undefined;
  /** Whether the server has been asked, with or without success. */
  readonly isKnown: boolean;
};

/** Asks the server once for all screens; not at all while nobody wants to know. */
export function useCapabilities({ isWanted = true } = {}): Capabilities {
  const { data, isFetched } = useQuery({ ...capabilities(), enabled: isWanted });
  return {
    has: (capability) => data?.capabilities.includes(capability),
    botUsername: data?.bot_username,
    imageEngine: data?.image_engine,
    isKnown: isFetched,
  };
}
