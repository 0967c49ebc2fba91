/** Sections that are lists: what happened to the account, and what the bot reminds the user of. */
import { useQuery } from '@tanstack/react-query';
import { AlarmClock, History } from 'lucide-react';
import { useRef, useState } from 'react';

import { type AccountEventKind, type listAccountEvents } from '#contract/endpoints/account-events';
import { type Answer } from '#contract/endpoints/endpoint';
import { type listReminders } from '#contract/endpoints/reminders';
import { errorText } from '#lib/api';
import { formatDay, formatTime } from '#lib/dates';
import { useFocusKept, useLostFocus } from '#lib/focus';
import { joinList } from '#lib/format';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { fillSlots } from '#ui/fill-slots';
import { Cell, Section } from '#ui/section';

import { accountQueries, useRemoveReminder } from './queries.ts';
import {
  formatDayAndTime,
  Loading,
  OutcomeNotice,
  type SettleProps,
  useConfirmation,
  useOutcome,
} from './section.tsx';
import { eventTexts as texts, reminderTexts } from './texts.ts';

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

type Reminder = Answer<typeof listReminders>['reminders'][number];

export function ReminderSection() {
  const query = useQuery(accountQueries.reminders());
  const { data } = query;
  if (data) {
    return <ReminderList reminders={data} />;
  }
  return (
    <Section heading={reminderTexts.title}>
      <Loading query={query} texts={reminderTexts} />
    </Section>
  );
}

function ReminderList({ reminders }: { readonly reminders: readonly Reminder[] }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { outcome, settle } = useOutcome();
  // The row of a reminder takes its button with it.
  useFocusKept(heading, reminders.length);

  return (
    <Section
      heading={reminderTexts.title}
      headingRef={heading}
      className={styles.sessions}
      foot={fillSlots(reminderTexts.foot, { command: <bdi>{reminderTexts.example}</bdi> })}
    >
      {reminders.length === 0 ? (
        <Cell title={reminderTexts.empty} />
      ) : (
        <ul aria-label={reminderTexts.label}>
          {reminders.map((reminder) => (
            <ReminderRow key={reminder.id} {...{ reminder, settle, heading }} />
          ))}
        </ul>
      )}
      <OutcomeNotice outcome={outcome} />
    </Section>
  );
}

type ReminderRowProps = SettleProps & { readonly reminder: Reminder };

function ReminderRow({ reminder, settle, heading }: ReminderRowProps) {
  const { id, text: typed, due_at: dueAt, chat_id: chatId } = reminder;
  const text = typed === '' ? reminderTexts.message : typed;
  const when = formatDue(dueAt);
  const { mutateAsync, isPending, isError } = useRemoveReminder();
  // The button loses the focus when it is disabled.
  useLostFocus(heading, isError && !isPending);
  const confirm = useConfirmation({
    title: reminderTexts.question,
    message: text,
    confirm: reminderTexts.remove,
  });

  async function remove(): Promise<void> {
    if (isPending || !(await confirm())) {
      return;
    }
    settle(undefined);
    try {
      await mutateAsync(id);
      settle({ tone: 'success', text: reminderTexts.removed });
    } catch (error) {
      settle({ tone: 'error', text: errorText(error, reminderTexts.removeFailed) });
    }
  }

  return (
    <li>
      <Cell
        before={<AlarmClock />}
        title={text}
        subtitle={
          <>
            {when !== undefined && <time dateTime={dueAt}>{when}</time>}
            {when !== undefined && <br />}
            {/* Telegram's IDs of groups are negative. */}
            {chatId.startsWith('-') ? reminderTexts.inGroup : reminderTexts.inPrivate}
          </>
        }
        after={
          <Button
            kind="quiet"
            isBusy={isPending}
            aria-label={reminderTexts.removeLabel(text)}
            onClick={() => void remove()}
          >
            {reminderTexts.remove}
          </Button>
        }
      />
    </li>
  );
}

/** "Today, 14:05" or "29 Nov 2026, 14:05"; undefined if `moment` is not ISO 8601. */
function formatDue(moment: string): string | undefined {
  const at = Date.parse(moment);
  const isLaterDay = at >= new Date().setHours(24, 0, 0, 0);
  return isLaterDay
    ? joinList([formatDay(at, { datesFrom: 0, style: 'medium' }), formatTime(at)])
    : formatDayAndTime(moment);
}
