/** The image hub: a tab for each provider, and for each view of Pix-AI. */
import { ChevronDown } from 'lucide-react';
import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import * as v from 'valibot';

import { defaultProvider, type ProviderId, providerIds } from '#contract/images/providers';
import { useQueryString } from '#lib/address';
import { useAgeOfVisit } from '#lib/age';
import { hubPaths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { onSessionChange, onUserLeft } from '#lib/session';
import { storedValue } from '#lib/storage';
import { Page } from '#ui/page';
import { Spinner } from '#ui/spinner';
import { TabPanel, Tabs } from '#ui/tabs';

import { imagineAdapter } from './imagine/imagine-adapter.ts';
import { midjourneyAdapter } from './midjourney/midjourney-adapter.ts';
import { GeneratorPanel } from './pixai/generator/generator-panel.tsx';
import { ModelBrowser } from './pixai/models/model-browser.tsx';
import { pixaiAdapter } from './pixai/pixai-adapter.ts';
import { finishDeletions, flushDeletions } from './shared/deletion.ts';
import { resumeGenerations } from './shared/generations.ts';
import { removeOrphans } from './shared/pictures.ts';
import { type ProviderAdapter } from './shared/provider-adapter.ts';
import { followRecords, type GenerationRecord, loadRecords } from './shared/records.ts';
import { hubTexts as texts } from './texts.ts';

import styles from './hub.module.css';

type Provider = {
  readonly label: string;
  readonly Panel: ComponentType;
  /** Absent for a provider that makes no pictures. */
  readonly adapter?: ProviderAdapter;
};

const providers: Readonly<Record<ProviderId, Provider>> = {
  // Not lazy, as the prerendered page shows it.
  pixai: { label: 'Pix-AI', Panel: PixaiPanel, adapter: pixaiAdapter },
  kusa: {
    label: 'Kusa',
    Panel: lazy(async () => ({ default: (await import('./kusa/kusa-panel.tsx')).KusaPanel })),
  },
  'imagine-art': {
    label: 'Imagine Art',
    Panel: lazy(async () => ({
      default: (await import('./imagine/imagine-panel.tsx')).ImaginePanel,
    })),
    adapter: imagineAdapter,
  },
  midjourney: {
    label: 'MidJourney',
    Panel: lazy(async () => ({
      default: (await import('./midjourney/midjourney-panel.tsx')).MidjourneyPanel,
    })),
    adapter: midjourneyAdapter,
  },
};

/** The adapter of a record's provider. */
function getAdapter({ provider }: GenerationRecord): ProviderAdapter | undefined {
  return providers[provider].adapter;
}

/** The generator of Pix-AI, or the browser of its models. Their tabs are in the header. */
function PixaiPanel() {
  const { view } = useHubPlace();
  return (
    <TabPanel name="pixai" selected={view}>
      {view === 'models' ? <ModelBrowser /> : <GeneratorPanel />}
    </TabPanel>
  );
}

const tabs = providerIds.map((id) => ({ id, label: providers[id].label }));
const views = [
  { id: 'generator', label: texts.generator },
  { id: 'models', label: texts.models },
] as const;

export function HubScreen() {
  const platform = usePlatform();
  const { provider, view, openProvider, openView } = useHubPlace();
  const { Panel } = providers[provider];
  // Confirming the age once shows the covers for adults until the hub is left.
  useAgeOfVisit();
  useRecordsWork();
  useScrollOnChange(`${provider} ${view}`);
  useEffect(() => {
    // From now on the panel is the one that the address names.
    delete document.documentElement.dataset['otherView'];
  }, []);

  function selectProvider(id: ProviderId): void {
    if (id !== provider) {
      platform.haptic('selection');
    }
    openProvider(id);
  }

  function selectView(id: PixaiView): void {
    if (id !== view) {
      platform.haptic('selection');
    }
    openView(id);
  }

  return (
    <Page className={styles.hub}>
      <header className={styles.top}>
        <div className={styles.title}>
          <h1 tabIndex={-1}>{texts.heading}</h1>
          <p>{texts.lead}</p>
          <ProviderMenu selected={provider} onSelect={selectProvider} />
        </div>
        <div className={styles.providers}>
          <Tabs
            name="provider"
            label={texts.providers}
            tabs={tabs}
            selected={provider}
            onSelect={selectProvider}
          />
        </div>
        {provider === 'pixai' && (
          <Tabs
            name="pixai"
            label={providers.pixai.label}
            tabs={views}
            selected={view}
            onSelect={selectView}
          />
        )}
      </header>
      <TabPanel name="provider" selected={provider} className={styles.panels}>
        <Suspense
          fallback={
            <div className={styles.loading}>
              <Spinner />
            </div>
          }
        >
          <Panel />
        </Suspense>
      </TabPanel>
    </Page>
  );
}

type ProviderMenuProps = {
  readonly selected: ProviderId;
  readonly onSelect: (id: ProviderId) => void;
};

/** The tabs of the providers as a menu, where a row of tabs would push the pictures down. */
function ProviderMenu({ selected, onSelect }: ProviderMenuProps) {
  return (
    <span className={styles.menu}>
      <select
        aria-label={texts.providers}
        value={selected}
        onChange={({ target }) => {
          const chosen = providerIds.find((id) => id === target.value);
          if (chosen) {
            onSelect(chosen);
          }
        }}
      >
        {tabs.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden size={18} />
    </span>
  );
}

/** Loads the records, follows other tabs, and finishes what earlier pages have begun. */
function useRecordsWork(): void {
  useEffect(() => {
    loadRecords();
    resumeGenerations(getAdapter);
    finishDeletions(getAdapter);
    void removeOrphans();
    const stopFollowing = followRecords();
    const stopListening = onSessionChange((now) => {
      if (now.status === 'member') {
        finishDeletions(getAdapter);
      }
    });
    const sendDeletions = () => void flushDeletions();
    window.addEventListener('pagehide', sendDeletions);
    return () => {
      stopFollowing();
      stopListening();
      window.removeEventListener('pagehide', sendDeletions);
    };
  }, []);
}

const providerId = v.picklist(providerIds);
const selectedProvider = storedValue('selectedProvider', providerId, { isJson: false });

type PixaiView = 'generator' | 'models';

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

function useHubPlace(): HubPlace {
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
function useScrollOnChange(place: string): void {
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
