/** The image hub: a tab for each provider. */
import { Suspense, useEffect } from 'react';

import { type ProviderId, providerIds } from '#contract/images/providers';
import { useAgeOfVisit } from '#lib/age';
import { usePlatform } from '#lib/platform';
import { onSessionChange } from '#lib/session';
import { Page, PageHeader } from '#ui/page';
import { Spinner } from '#ui/spinner';
import { TabPanel, Tabs } from '#ui/tabs';

import { getAdapter, providers } from './providers.ts';
import { finishDeletions, flushDeletions } from './shared/deletion.ts';
import { resumeGenerations } from './shared/generations.ts';
import { removeOrphans } from './shared/pictures.ts';
import { followRecords, loadRecords } from './shared/records.ts';
import { useHubPlace, useScrollOnChange } from './use-hub-place.ts';

import styles from './hub.module.css';

const tabs = providerIds.map((id) => ({ id, label: providers[id].label }));

export function HubScreen() {
  const platform = usePlatform();
  const { provider, view, openProvider } = useHubPlace();
  const { Panel } = providers[provider];
  // Confirming the age once shows the covers for adults until the hub is left.
  useAgeOfVisit();
  useRecordsWork();
  useScrollOnChange(`${provider} ${view}`);

  function select(id: ProviderId): void {
    if (id !== provider) {
      platform.haptic('selection');
    }
    openProvider(id);
  }

  return (
    <Page className={styles.hub}>
      <PageHeader heading="AI Models" lead="Browse and generate AI images with models" />
      <Tabs
        name="provider"
        label="Image providers"
        tabs={tabs}
        selected={provider}
        onSelect={select}
      />
      <TabPanel name="provider" selected={provider}>
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
