/** The image hub: a tab for each provider, and for each view of Pix-AI. */
import { ChevronDown } from 'lucide-react';
import { Suspense, useEffect } from 'react';

import { type ProviderId, providerIds } from '#contract/images/providers';
import { useAgeOfVisit } from '#lib/age';
import { usePlatform } from '#lib/platform';
import { onSessionChange } from '#lib/session';
import { Page } from '#ui/page';
import { Spinner } from '#ui/spinner';
import { TabPanel, Tabs } from '#ui/tabs';

import { getAdapter, providers } from './providers.ts';
import { finishDeletions, flushDeletions } from './shared/deletion.ts';
import { resumeGenerations } from './shared/generations.ts';
import { removeOrphans } from './shared/pictures.ts';
import { followRecords, loadRecords } from './shared/records.ts';
import { hubTexts as texts } from './texts.ts';
import { type PixaiView, useHubPlace, useScrollOnChange } from './use-hub-place.ts';

import styles from './hub.module.css';

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
