/** The place in the hub that the address names; the provider is remembered on the device, too. */
import { useEffect } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import * as v from 'valibot';

import { defaultProvider, type ProviderId, providerIds } from '#contract/images/providers';
import { useQueryString } from '#lib/address';
import { hubPaths } from '#lib/paths';
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

/** Where each view of Pix-AI was left: its search and sort order are there again when it is. */
const leftAt: Record<PixaiView, string> = {
  generator: hubPaths.generator,
  models: hubPaths.models,
};

export function useHubPlace(): HubPlace {
  const [query, setQuery] = useQueryString();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const named = v.safeParse(providerId, query.get('provider'));
  // The query is hidden until the prerendered page is alive; what is remembered must not win meanwhile.
  const isNamed = v.is(providerId, new URLSearchParams(search).get('provider'));
  const isHeard = named.success;
  const provider = named.success ? named.output : defaultProvider;
  const view: PixaiView = query.get('view') === 'models' ? 'models' : 'generator';

  useEffect(() => {
    if (isNamed) {
      if (isHeard) {
        selectedProvider.write(provider);
      }
      return;
    }
    const remembered = selectedProvider.read();
    if (remembered !== undefined && remembered !== defaultProvider) {
      setQuery({ provider: remembered }, { replace: true });
    }
  }, [isNamed, isHeard, provider, setQuery]);

  useEffect(() => {
    if (provider === 'pixai') {
      leftAt[view] = pathname + search;
    }
  }, [provider, view, pathname, search]);

  return {
    provider,
    view,
    openProvider(next) {
      if (next !== provider) {
        setQuery({ provider: next }, { replace: true });
      }
    },
    // Pressed in turn while pictures are made: Back leads to the one before, as it was.
    openView(next) {
      if (next !== view) {
        void navigate(leftAt[next]);
      }
    },
  };
}

/** Another part of the hub is read from its beginning; going back, each part knows its own place. */
export function usePlaceOnScreen(place: string): void {
  const isBack = useNavigationType() === NavigationType.Pop;

  useEffect(() => {
    if (isBack) {
      return;
    }
    window.scrollTo(0, 0);
    const content = document.getElementById('content');
    if (content?.contains(document.activeElement) === false) {
      // What was pressed has gone with its part, and the focus with it.
      content.querySelector('h1')?.focus({ preventScroll: true });
    }
    // Only another place counts: the address also changes while somebody types a search.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [place]);
}
