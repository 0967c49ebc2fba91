/** One service that can be linked: its state, and what can be done about it. */
import { Clapperboard, ExternalLink, Music } from 'lucide-react';
import { useEffect, useRef } from 'react';

import {
  connectedServices,
  type Connection,
  type ServiceId,
} from '#contract/endpoints/connections';
import { useNotices } from '#lib/notices';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { Button, ButtonLink } from '#ui/button';
import { Notice } from '#ui/notice';
import { OutsideButton } from '#ui/outside-button';
import { Spinner } from '#ui/spinner';

import { accountTexts as texts } from './texts.ts';
import { useLinking } from './use-linking.ts';
import { useWaitFor, useWaits } from './waits.ts';

import styles from './connections.module.css';

const icons = { spotify: Music, anilist: Clapperboard } as const satisfies Record<
  ServiceId,
  unknown
>;

export function ServiceRow({ connection }: { readonly connection: Connection }) {
  const { service, state } = connection;
  const { label } = connectedServices[service];
  const Icon = icons[service];
  const wait = useWaitFor(service);
  const heading = useRef<HTMLHeadingElement>(null);
  const linking = useLinking(service, heading);
  useWelcome(connection);

  return (
    <li className={styles.account}>
      <span className={styles.mark} data-service={service}>
        <Icon aria-hidden size={22} />
      </span>
      <div className={styles.texts}>
        <h3 ref={heading} tabIndex={-1}>
          {label}
        </h3>
        <State connection={connection} />
      </div>
      {state !== 'unavailable' && (
        <div className={styles.actions}>
          {state === 'linked' && service === 'spotify' && (
            <ButtonLink to={paths.nowPlaying}>{texts.nowPlaying}</ButtonLink>
          )}
          {wait === undefined &&
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
      {wait && state === 'unlinked' && <Waiting service={service} address={wait.address} />}
      {linking.problem !== undefined && (
        <div className={styles.below}>
          <Notice tone="error">{linking.problem}</Notice>
        </div>
      )}
    </li>
  );
}

function State({ connection }: { readonly connection: Connection }) {
  const { service, state, missing, account_name: name, linked_at: linkedAt } = connection;
  if (state === 'unavailable') {
    return (
      <p className={styles.small}>
        {texts.unavailable}{' '}
        {missing.map((variable, index) => (
          <span key={variable}>
            {index > 0 && ', '}
            <code>{variable}</code>
          </span>
        ))}
        .
      </p>
    );
  }
  if (state === 'unlinked') {
    return <p className={styles.small}>{texts.purpose[service]}</p>;
  }
  const day = dayOf(linkedAt);
  return (
    <p className={styles.small}>
      <span className={styles.linked}>{name ? texts.linkedAs(name) : texts.linked}</span>{' '}
      {day !== undefined && <time dateTime={linkedAt}>{texts.since(day)}</time>}
    </p>
  );
}

type WaitingProps = { readonly service: ServiceId; readonly address: string };

/** Browsers may refuse to open what was not pressed just now: the link is there to be pressed. */
function Waiting({ service, address }: WaitingProps) {
  const platform = usePlatform();
  const { label } = connectedServices[service];
  return (
    <div className={`${styles.below} ${styles.waiting} ${styles.actions} ${styles.small}`}>
      <Spinner label={texts.waiting(label)} />
      <div className={styles.actions}>
        <Button kind="quiet" onClick={() => useWaits.getState().end(service)}>
          {texts.cancel}
        </Button>
        <OutsideButton
          href={address}
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

/** Notices that the service which somebody is at has been linked. */
function useWelcome({ service, state }: Connection): void {
  const platform = usePlatform();
  useEffect(() => {
    if (state === 'linked' && useWaits.getState().end(service)) {
      platform.haptic('success');
      useNotices.getState().show({
        id: `linked-${service}`,
        tone: 'success',
        text: texts.isLinked(connectedServices[service].label),
      });
    }
  }, [platform, service, state]);
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

/** The day of a moment (ISO 8601); undefined when it cannot be read. */
function dayOf(moment = ''): string | undefined {
  const at = new Date(moment);
  return Number.isNaN(at.getTime()) ? undefined : dates.format(at);
}
