/** The provider and the view that the address names. The device remembers the provider. */
import { useEffect } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import * as v from 'valibot';

import { defaultProvider, type ProviderId, providerIds } from '#contract/images/providers';
import { useQueryString } from '#lib/address';
import { hubPaths } from '#lib/paths';
import { onUserLeft } from '#lib/session';
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

/** The last address of each view of Pix-AI, so that its search and sort order are there again. */
const lastAddress: Record<PixaiView, string> = {
  generator: hubPaths.generator,
  models: hubPaths.models,
};
// The next user must not see what was searched for.
onUserLeft(() => {
  lastAddress.generator = hubPaths.generator;
  lastAddress.models = hubPaths.models;
});

export function useHubPlace(): HubPlace {
  const [query, setQuery] = useQueryString();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const named = v.safeParse(providerId, query.get('provider'));
  // `query` is empty until hydration; the remembered provider must not replace the named one meanwhile.
  const isNamed = v.is(providerId, new URLSearchParams(search).get('provider'));
  const isHydrated = named.success;
  const provider = named.success ? named.output : defaultProvider;
  const view = readView(query);

  useEffect(() => {
    if (isNamed) {
      if (isHydrated) {
        selectedProvider.write(provider);
      }
      return;
    }
    const remembered = selectedProvider.read();
    if (remembered !== undefined && remembered !== defaultProvider) {
      setQuery({ provider: remembered }, { replace: true });
    }
  }, [isNamed, isHydrated, provider, setQuery]);

  useEffect(() => {
    // Until hydration the generator is shown, whatever the address names.
    if (provider === 'pixai' && view === readView(new URLSearchParams(search))) {
      lastAddress[view] = pathname + search;
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
    // Without `replace`: Back returns to the other view as it was.
    openView(next) {
      if (next !== view) {
        void navigate(lastAddress[next]);
      }
    },
  };
}

function readView(query: URLSearchParams): PixaiView {
  return query.get('view') === 'models' ? 'models' : 'generator';
}

/** Scrolls to the top when another part of the hub is opened, but not on going back. */
export function useScrollOnChange(place: string): void {
  const isBack = useNavigationType() === NavigationType.Pop;

  useEffect(() => {
    if (isBack) {
      return;
    }
    window.scrollTo(0, 0);
    const content = document.getElementById('content');
    if (content?.contains(document.activeElement) === false) {
      // The pressed control is gone, and the focus with it.
      content.querySelector('h1')?.focus({ preventScroll: true });
    }
    // Only on another place: the address also changes while a search is typed.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [place]);
}
