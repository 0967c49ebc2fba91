/** What happened to the account: logins, passwords, passkeys, links. */
import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useRef, useState } from 'react';

import { type AccountEventKind, type listAccountEvents } from '#contract/endpoints/account-events';
import { type Answer } from '#contract/endpoints/endpoint';
import { useFocusKept } from '#lib/focus';
import { joinList } from '#lib/format';
import { EmptyState } from '#ui/empty-state';
import { Cell, Section } from '#ui/section';

import { accountQueries } from './queries.ts';
import { formatDayAndTime, Loading } from './section.tsx';
import { eventTexts as texts } from './texts.ts';

import styles from './page.module.css';

type Event = Answer<typeof listAccountEvents>['events'][number];

/** More are behind a button. */
const shownAtFirst = 5;

const { kinds } = texts;

const sentences: Record<AccountEventKind, (event: Event) => string> = {
  account_created: () => kinds.accountCreated,
  login: ({ detail }) =>
    detail === 'telegram'
      ? kinds.loginByTelegram
      : detail === 'passkey'
        ? kinds.loginByPasskey
        : detail === 'code'
          ? kinds.loginByCode
          : kinds.loginByPassword,
  login_failed: ({ times }) => kinds.loginFailed(times),
  session_ended: () => kinds.sessionEnded,
  sessions_ended: () => kinds.sessionsEnded,
  password_changed: () => kinds.passwordChanged,
  passkey_added: ({ detail }) => kinds.passkeyAdded(detail),
  passkey_removed: ({ detail }) => kinds.passkeyRemoved(detail),
  linked: ({ detail }) => kinds.linked(detail),
  unlinked: ({ detail }) => kinds.unlinked(detail),
  export: () => kinds.exported,
};

export function EventSection() {
  const query = useQuery(accountQueries.events());
  const { data } = query;
  if (data) {
    return <EventList events={data.filter(({ kind }) => kind !== undefined)} />;
  }
  return (
    <Section heading={texts.title}>
      <Loading query={query} texts={texts} />
    </Section>
  );
}

function EventList({ events }: { readonly events: readonly Event[] }) {
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  // The button goes with its press.
  useFocusKept(list, isWhole);
  const shown = isWhole ? events : events.slice(0, shownAtFirst);
  if (events.length === 0) {
    return (
      <Section heading={texts.title}>
        <EmptyState mood="sleepy" title={texts.empty} />
      </Section>
    );
  }
  return (
    <Section heading={texts.title} className={styles.sessions} foot={texts.foot}>
      <ul ref={list} aria-label={texts.label} tabIndex={-1}>
        {shown.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </ul>
      {shown.length < events.length && (
        <Cell tone="accent" title={texts.showAll(events.length)} onClick={() => setWhole(true)} />
      )}
    </Section>
  );
}

function EventRow({ event }: { readonly event: Event }) {
  const { kind, at, device, device_translated: translated, address } = event;
  const where = [translated ?? device, address].filter((part) => part !== '');
  const when = formatDayAndTime(at);
  return (
    <li>
      <Cell
        before={<History />}
        title={kind && sentences[kind](event)}
        subtitle={
          <>
            {when !== undefined && <time dateTime={at}>{when}</time>}
            {when !== undefined && <br />}
            <bdi>{joinList(where)}</bdi>
          </>
        }
      />
    </li>
  );
}
