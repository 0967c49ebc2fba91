/** The part of the dashboard that links accounts of other services; shown where the server can. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import { useCapabilities } from '#lib/capabilities';
import { onOtherTabs } from '#lib/other-tabs';
import { Button } from '#ui/button';
import { Card } from '#ui/card';
import { Notice } from '#ui/notice';
import { Skeleton } from '#ui/skeleton';

import { connectionQueries } from './queries.ts';
import { ServiceRow } from './service-row.tsx';
import { accountTexts as texts } from './texts.ts';
import { useWaits } from './waits.ts';

import styles from './connections.module.css';

/** Looks while somebody is at a service: they may come back without this page being told. */
const lookEveryMs = 3000;

export function ConnectedAccounts() {
  const isOffered = useCapabilities().has('connections.link') === true;
  return isOffered ? (
    <Card title={texts.heading}>
      <p className={styles.small}>{texts.lead}</p>
      <Accounts />
    </Card>
  ) : null;
}

function Accounts() {
  const isWaiting = useWaits(({ waits }) => Object.keys(waits).length > 0);
  const { data, isFetching, refetch } = useQuery({
    ...connectionQueries.list(),
    // Not while the page is out of sight; coming back is a look of its own.
    refetchInterval: isWaiting ? lookEveryMs : false,
  });
  useHearingOfLinks();

  if (data) {
    return (
      <ul aria-label={texts.label}>
        {data.connections.map((connection) => (
          <ServiceRow key={connection.service} connection={connection} />
        ))}
      </ul>
    );
  }
  return isFetching ? (
    <Skeleton shape="rows" label={texts.loading} />
  ) : (
    <Notice tone="error" action={<Button onClick={() => void refetch()}>{texts.retry}</Button>}>
      {texts.failed}
    </Notice>
  );
}

/** A callback page in another tab of this browser says when it is done. */
function useHearingOfLinks(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      onOtherTabs((subject) => {
        if (subject === 'connections') {
          void client.invalidateQueries(connectionQueries.list());
        }
      }),
    [client],
  );
}
