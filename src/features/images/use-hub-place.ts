/** The place in the hub that the address names; the provider is remembered on the device, too. */
import { useEffect } from 'react';
import * as v from 'valibot';

import { defaultProvider, type ProviderId, providerIds } from '#contract/images/providers';
import { useQueryString } from '#lib/address';
import { storedValue } from '#lib/storage';

const providerId = v.picklist(providerIds);
const selectedProvider = storedValue('selectedProvider', providerId, { isJson: false });

export type PixaiView = 'generator' | 'models';

type HubPlace = {
  readonly provider: ProviderId;
  readonly view: PixaiView;
  readonly openProvider: (provider: ProviderId) => void;
  readonly openView: (view: PixaiView) => void;
};

export function useHubPlace(): HubPlace {
  const [query, setQuery] = useQueryString();
  const named = v.safeParse(providerId, query.get('provider'));
  const isNamed = named.success;
  const provider = named.success ? named.output : defaultProvider;

  useEffect(() => {
    if (isNamed) {
      selectedProvider.write(provider);
      return;
    }
    const remembered = selectedProvider.read();
    if (remembered !== undefined && remembered !== defaultProvider) {
      setQuery({ provider: remembered }, { replace: true });
    }
  }, [isNamed, provider, setQuery]);

  return {
    provider,
    view: query.get('view') === 'models' ? 'models' : 'generator',
    // Each tab starts at its own beginning; what was typed there is in drafts, not in the address.
    openProvider: (next) => setQuery({ provider: next }, { replace: true }),
    openView: (view) => setQuery({ provider: 'pixai', view }, { replace: true }),
  };
}
