/** The image hub: a tab for each provider, each with its own panel. */
import { Suspense } from 'react';

import { type ProviderId, providerIds } from '#contract/images/providers';
import { useAgeOfVisit } from '#lib/age';
import { usePlatform } from '#lib/platform';
import { Page, PageHeader } from '#ui/page';
import { Spinner } from '#ui/spinner';
import { TabPanel, Tabs } from '#ui/tabs';

import { hubTexts } from './hub-texts.ts';
import { getAdapter, providers } from './providers.ts';
import { useImageWork } from './shared/use-image-work.ts';
import { useHubPlace, usePlaceOnScreen } from './use-hub-place.ts';

import styles from './hub.module.css';

const tabs = providerIds.map((id) => ({ id, label: providers[id].label }));

export function HubScreen() {
  const platform = usePlatform();
  const { provider, view, openProvider } = useHubPlace();
  const { Panel } = providers[provider];
  // Covers for adults are shown after one confirmation, as long as the hub stays open.
  useAgeOfVisit();
  useImageWork(getAdapter);
  usePlaceOnScreen(`${provider} ${view}`);

  function select(id: ProviderId): void {
    if (id !== provider) {
      platform.haptic('selection');
    }
    openProvider(id);
  }

  return (
    <Page className={styles.hub}>
      <PageHeader heading={hubTexts.heading} lead={hubTexts.lead} />
      <Tabs
        name="provider"
        label={hubTexts.providersLabel}
        tabs={tabs}
        selected={provider}
        onSelect={select}
      />
      <TabPanel name="provider" selected={provider}>
        <Suspense fallback={<Loading />}>
          <Panel />
        </Suspense>
      </TabPanel>
    </Page>
  );
}

function Loading() {
  return (
    <div className={styles.loading}>
      <Spinner />
    </div>
  );
}
