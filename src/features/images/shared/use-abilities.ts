/** What a provider can do on this server. */
import { queryOptions, useQuery } from '@tanstack/react-query';

import { type Answer } from '#contract/endpoints/endpoint';
import { imageAbilities, readImageAbilities } from '#contract/endpoints/image-abilities';
import { type ProviderId } from '#contract/images/providers';
import { call } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';

const abilitiesQuery = () =>
  queryOptions({
    queryKey: ['image-abilities'],
    queryFn: ({ signal }) => call(readImageAbilities, {}, signal),
    // Nothing waits for it; the server itself refuses what it cannot do.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

type Abilities = Answer<typeof readImageAbilities>['providers'][string];

/** Nothing is known, and so everything possible, where the server does not announce it. */
export function useAbilities(provider: ProviderId): Abilities {
  const { has } = useCapabilities();
  const { data } = useQuery({ ...abilitiesQuery(), enabled: has(imageAbilities) === true });
  return data?.providers[provider] ?? {};
}
