/** The section of the dashboard that links accounts of other services, where the server can. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Clapperboard, ExternalLink, Music } from 'lucide-react';
import { useEffect, useRef } from 'react';

import {
  connectedServices,
  type Connection,
  type ServiceId,
} from '#contract/endpoints/connections';
import { useCapabilities } from '#lib/capabilities';
import { useIsOperator } from '#lib/operator';
import { onOtherTabs } from '#lib/other-tabs';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { Button, ButtonLink } from '#ui/button';
import { Card } from '#ui/card';
import { Notice } from '#ui/notice';
import { OutsideButton } from '#ui/outside-button';
import { Skeleton } from '#ui/skeleton';
import { Spinner } from '#ui/spinner';

import { useLinkedNotice, useLinking, usePendingLink, usePendingLinks } from './linking.ts';
import { connectionQueries } from './queries.ts';
import { accountTexts as texts } from './texts.ts';

import styles from './connections.module.css';

/** While a link is pending: the user may finish it in another browser. */
const pollMs = 3000;

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
  const hasPendingLink = usePendingLinks(({ links }) => Object.keys(links).length > 0);
  const { data, isFetching, refetch } = useQuery({
    ...connectionQueries.list(),
    refetchInterval: hasPendingLink ? pollMs : false,
  });
  useLinksOfOtherTabs();

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

/** Reloads the list when the callback page in another tab has linked a service. */
function useLinksOfOtherTabs(): void {
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

const icons = { spotify: Music, anilist: Clapperboard } as const satisfies Record<
  ServiceId,
  unknown
>;

function ServiceRow({ connection }: { readonly connection: Connection }) {
  const { service, state } = connection;
  const { label } = connectedServices[service];
  const Icon = icons[service];
  const pending = usePendingLink(service);
  const heading = useRef<HTMLHeadingElement>(null);
  const linking = useLinking(service, heading);
  useLinkedNotice(connection);

  return (
    <li className={styles.account}>
      <span className={styles.mark} data-service={service}>
        <Icon aria-hidden size={22} />
      </span>
      <div className={styles.texts}>
        <h3 ref={heading} tabIndex={-1}>
          {label}
        </h3>
        <ServiceState connection={connection} />
      </div>
      {state !== 'unavailable' && (
        <div className={styles.actions}>
          {state === 'linked' && service === 'spotify' && (
            <ButtonLink to={paths.nowPlaying}>{texts.nowPlaying}</ButtonLink>
          )}
          {pending === undefined &&
            (state === 'linked' ? (
              <Button
                kind="quiet"
                aria-label={texts.unlink(label)}
                isBusy={linking.isBusy}
                onClick={linking.unlink}
              >
                {texts.confirm}
              </Button>
            ) : (
              <Button isBusy={linking.isBusy} onClick={linking.link}>
                {texts.link(label)}
              </Button>
            ))}
        </div>
      )}
      {pending && state === 'unlinked' && <Pending service={service} url={pending.url} />}
      {linking.problem !== undefined && (
        <div className={styles.below}>
          <Notice tone="error">{linking.problem}</Notice>
        </div>
      )}
    </li>
  );
}

function ServiceState({ connection }: { readonly connection: Connection }) {
  const { service, state, missing, account_name: name, linked_at: linkedAt } = connection;
  const isOperator = useIsOperator();
  if (state === 'unavailable') {
    return (
      <p className={styles.small}>
        {texts.unavailable}
        {isOperator && ` ${texts.setUp(missing.join(', '))}`}
      </p>
    );
  }
  if (state === 'unlinked') {
    return <p className={styles.small}>{texts.purpose[service]}</p>;
  }
  const date = formatDate(linkedAt);
  return (
    <p className={styles.small}>
      <span className={styles.linked}>{name ? texts.linkedAs(name) : texts.linked}</span>{' '}
      {date !== undefined && <time dateTime={linkedAt}>{texts.since(date)}</time>}
    </p>
  );
}

type PendingProps = { readonly service: ServiceId; readonly url: string };

/** Has a link to the service, because a browser may refuse to open it without a press. */
function Pending({ service, url }: PendingProps) {
  const platform = usePlatform();
  const { label } = connectedServices[service];
  return (
    <div className={`${styles.below} ${styles.waiting} ${styles.actions} ${styles.small}`}>
      <Spinner label={texts.waiting(label)} />
      <div className={styles.actions}>
        <Button kind="quiet" onClick={() => usePendingLinks.getState().remove(service)}>
          {texts.cancel}
        </Button>
        <OutsideButton
          href={url}
          reason=""
          icon={<ExternalLink aria-hidden size={18} />}
          onOpen={(href) => platform.openLink(href)}
        >
          {texts.open(label)}
        </OutsideButton>
      </div>
    </div>
  );
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

/** The day of an ISO 8601 time; undefined when it cannot be read. */
function formatDate(time = ''): string | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : dates.format(date);
}
