/** The section of the dashboard that links accounts of other services, where the server can. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Clapperboard, ExternalLink, Music } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { create } from 'zustand';

import {
  connectedServices,
  type Connection,
  type ServiceId,
  serviceIds,
} from '#contract/endpoints/connections';
import { errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { useFocusKept } from '#lib/focus';
import { joinList } from '#lib/format';
import { locale } from '#lib/language';
import { useNotices } from '#lib/notices';
import { useIsOperator } from '#lib/operator';
import { onOtherTabs } from '#lib/other-tabs';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { onSessionChange } from '#lib/session';
import { Button, ButtonLink } from '#ui/button';
import { Card } from '#ui/card';
import { fillSlots } from '#ui/fill-slots';
import { Notice } from '#ui/notice';
import { OutsideButton } from '#ui/outside-button';
import { Skeleton } from '#ui/skeleton';
import { Spinner } from '#ui/spinner';

import { connectionQueries, startLinking, unlink as unlinkService } from './queries.ts';
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
    <Skeleton shape="rows" label={texts.loading} count={serviceIds.length} />
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
  const linking = useLinking(connection, heading);
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
      {pending === undefined && (
        <EndReminder connection={connection} isBusy={linking.isBusy} onLink={linking.link} />
      )}
      {pending && state !== 'unavailable' && <Pending service={service} url={pending.url} />}
      {linking.problem !== undefined && (
        <div className={styles.below}>
          <Notice tone="error">{linking.problem}</Notice>
        </div>
      )}
    </li>
  );
}

function ServiceState({ connection }: { readonly connection: Connection }) {
  const { service, state, missing, account_name: name } = connection;
  const { linked_at: linkedAt, ends_at: endsAt } = connection;
  const isOperator = useIsOperator();
  if (state === 'unavailable') {
    return (
      <p className={styles.small}>
        {texts.unavailable}
        {isOperator && ` ${texts.setUp(joinList(missing))}`}
      </p>
    );
  }
  if (state === 'unlinked') {
    return <p className={styles.small}>{texts.purpose[service]}</p>;
  }
  const [date, end] = [formatDate(linkedAt), formatDate(endsAt)];
  return (
    <p className={styles.small}>
      {fillSlots(texts.state, {
        linked: <span className={styles.linked}>{name ? texts.linkedAs(name) : texts.linked}</span>,
        since: date !== undefined && <time dateTime={linkedAt}>{texts.since(date)}</time>,
        until: end !== undefined && <time dateTime={endsAt}>{texts.until(end)}</time>,
      })}
    </p>
  );
}

/** A week. */
const reminderMs = 7 * 24 * 60 * 60_000;

type EndReminderProps = {
  readonly connection: Connection;
  readonly isBusy: boolean;
  readonly onLink: () => void;
};

/** Offers to link again in the last week of a link. */
function EndReminder({ connection, isBusy, onLink }: EndReminderProps) {
  const { service, state, ends_at: endsAt } = connection;
  const [openedAt] = useState(() => Date.now());
  const end = formatDate(endsAt);
  const restMs = Date.parse(endsAt ?? '') - openedAt;
  if (state !== 'linked' || end === undefined || restMs > reminderMs) {
    return null;
  }
  const { label } = connectedServices[service];
  return (
    <div className={styles.below}>
      <Notice
        tone="warning"
        action={
          <Button isBusy={isBusy} onClick={onLink}>
            {texts.linkAgain(label)}
          </Button>
        }
      >
        {restMs > 0 ? texts.endsSoon(label, end) : texts.hasEnded(label, end)}
      </Notice>
    </div>
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

const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });

/** The day of an ISO 8601 time; undefined when it cannot be read. */
function formatDate(time = ''): string | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : dates.format(date);
}

/** As long as the server accepts the code. */
const pendingMs = 10 * 60_000;

type PendingLink = {
  /** The page of the service on which the user agrees. */
  readonly url: string;
  /** When the link that is to be replaced was made, as the server says. */
  readonly replaces: string | undefined;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
};

type PendingLinks = {
  readonly links: Partial<Readonly<Record<ServiceId, PendingLink>>>;
  readonly add: (service: ServiceId, link: Omit<PendingLink, 'expiresAt'>) => void;
  /** Returns whether there was one. */
  readonly remove: (service: ServiceId) => boolean;
};

/** Kept outside the section, so that they outlive it. */
const usePendingLinks = create<PendingLinks>()((set, get) => ({
  links: {},
  add: (service, link) =>
    set(({ links }) => ({
      links: { ...links, [service]: { ...link, expiresAt: Date.now() + pendingMs } },
    })),
  remove: (service) => {
    const { [service]: link, ...others } = get().links;
    set({ links: others });
    return link !== undefined;
  },
}));

onSessionChange((session) => {
  if (session.status !== 'member') {
    usePendingLinks.setState({ links: {} });
  }
});

/** The pending link of a service, until it expires. */
function usePendingLink(service: ServiceId): PendingLink | undefined {
  const link = usePendingLinks(({ links }) => links[service]);

  useEffect(() => {
    if (link === undefined) {
      return undefined;
    }
    const timer = setTimeout(
      () => usePendingLinks.getState().remove(service),
      link.expiresAt - Date.now(),
    );
    return () => clearTimeout(timer);
  }, [service, link]);

  return link;
}

/** Shows a notice when the service of a pending link has been linked. */
function useLinkedNotice({ service, state, linked_at: linkedAt }: Connection): void {
  const platform = usePlatform();
  useEffect(() => {
    const { links, remove } = usePendingLinks.getState();
    const isNew = links[service]?.replaces !== linkedAt;
    if (state === 'linked' && isNew && remove(service)) {
      platform.haptic('success');
      useNotices.getState().show({
        id: `linked-${service}`,
        tone: 'success',
        text: texts.isLinked(connectedServices[service].label),
      });
    }
  }, [platform, service, state, linkedAt]);
}

/** `heading` gets the focus that a button loses when it is disabled. */
function useLinking(
  { service, linked_at: replaces }: Connection,
  heading: RefObject<HTMLElement | null>,
) {
  const { label } = connectedServices[service];
  const platform = usePlatform();
  const client = useQueryClient();
  const isRunning = useRef(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  useFocusKept(heading, isBusy);

  async function run(task: () => Promise<void>, fallback: string): Promise<void> {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await task();
    } catch (error) {
      platform.haptic('error');
      setProblem(errorText(error, fallback));
      // The list may be outdated: the service was linked or unlinked elsewhere, or is no longer set up.
      void client.invalidateQueries(connectionQueries.list());
    } finally {
      setIsBusy(false);
    }
  }

  /** Ignores a second press while the first one runs or its question is open. */
  async function once(task: () => Promise<void>): Promise<void> {
    if (!isRunning.current) {
      isRunning.current = true;
      await task();
      isRunning.current = false;
    }
  }

  const link = () =>
    run(async () => {
      const url = await startLinking(service);
      usePendingLinks.getState().add(service, { url, replaces });
      platform.openLink(url);
    }, texts.startFailed(label));

  async function unlink(): Promise<void> {
    platform.haptic('warning');
    const answer = await platform.popup({
      title: texts.question(label),
      message: texts.questionText[service],
      buttons: [
        { id: 'cancel', text: texts.cancel, kind: 'cancel' },
        { id: 'unlink', text: texts.confirm, kind: 'destructive' },
      ],
    });
    if (answer === 'unlink') {
      await run(() => unlinkService(client, service), texts.unlinkFailed(label));
    }
  }

  return {
    isBusy,
    /** Why the last attempt failed. */
    problem,
    link: () => void once(link),
    unlink: () => void once(unlink),
  };
}
