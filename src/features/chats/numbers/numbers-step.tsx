/** The numbers of a chat: what happened in the last 7 or 30 days, drawn as charts. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Navigate, useSearchParams } from 'react-router-dom';

import { settingLabel } from '#contract/chats/message-types';
import {
  allDeleted,
  type ChatNumbers,
  numberDays,
  type NumberDays,
  readChatNumbers,
} from '#contract/endpoints/chat-numbers';
import { type Chat } from '#contract/endpoints/chats';
import { call } from '#lib/api';
import { formatDay } from '#lib/dates';
import { formatCount } from '#lib/format';
import { dashboardPaths } from '#lib/paths';
import { EmptyState } from '#ui/empty-state';
import { Tabs } from '#ui/tabs';

import { useManagedChat } from '../managed-chat.ts';
import { chatTitle, topicTitle } from '../names.ts';
import { Pending } from '../pending.tsx';
import { BackButton, StepHeading } from '../step-heading.tsx';
import { Chart, Ranking } from './chart.tsx';
import { numberTexts as texts } from './texts.ts';

import styles from './numbers.module.css';

const refreshEveryMs = 60_000;
/** Of types and topics, so many are listed. */
const maxRows = 12;

type Place = { readonly chatId: string; readonly days: NumberDays };

const numbersQuery = ({ chatId, days }: Place) =>
  queryOptions({
    queryKey: ['chats', 'numbers', chatId, days],
    queryFn: ({ signal }) => {
      const offset = -new Date().getTimezoneOffset();
      return call(readChatNumbers, { chat_id: chatId, days, offset }, signal);
    },
    refetchInterval: refreshEveryMs,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });

type NumbersStepProps = { readonly chatId: string; readonly hasMoved: boolean };

const tabId = (days: NumberDays) => `${days}` as const;

export function NumbersStep({ chatId, hasMoved }: NumbersStepProps) {
  const { data: chat, refusal } = useManagedChat(chatId);
  const [search, setSearch] = useSearchParams();
  const days = numberDays.find((count) => tabId(count) === search.get('days')) ?? numberDays[0];

  if (refusal !== undefined && chat === undefined) {
    return <Navigate to={dashboardPaths.verify(chatId)} replace state={{ refusal }} />;
  }
  return (
    <>
      <BackButton to={dashboardPaths.chat(chatId)} text={texts.back} />
      <div>
        <StepHeading hasMoved={hasMoved}>{texts.heading}</StepHeading>
        <p className={styles.subject} dir="auto">
          {chatTitle(chat ?? { chat_id: chatId, chat_name: '' })}
        </p>
      </div>
      <Tabs
        name="numbers"
        label={texts.period}
        tabs={numberDays.map((count) => ({ id: tabId(count), label: texts.days(count) }))}
        selected={tabId(days)}
        onSelect={(id) => {
          const next = new URLSearchParams(search);
          next.set('days', id);
          setSearch(next, { replace: true });
        }}
      />
      <div
        id="numbers-panel"
        role="tabpanel"
        aria-labelledby={`numbers-${tabId(days)}`}
        className={styles.panel}
      >
        <Numbers chatId={chatId} days={days} chat={chat ?? { topic_names: {} }} />
      </div>
    </>
  );
}

type Named = Pick<Chat, 'topic_names'>;

function Numbers({ chat, ...place }: Place & { readonly chat: Named }) {
  const { data, dataUpdatedAt, ...query } = useQuery(numbersQuery(place));

  if (data === undefined) {
    return <Pending query={query} shape="sections" loading={texts.loading} failed={texts.failed} />;
  }
  const isEmpty =
    data.attack === null && data.days.every(({ counts }) => Object.keys(counts).length === 0);
  return isEmpty ? (
    <EmptyState mood="sleepy" title={texts.none}>
      {texts.noneHint}
    </EmptyState>
  ) : (
    <Charts numbers={data} readAt={dataUpdatedAt} chat={chat} />
  );
}

type ChartsProps = {
  readonly numbers: ChatNumbers;
  readonly readAt: number;
  readonly chat: Named;
};

function Charts({ numbers, readAt, chat }: ChartsProps) {
  const days = numbers.days.map(({ day }) => day);
  const count = (...names: readonly string[]) =>
    numbers.days.map(({ counts }) => names.reduce((total, name) => total + (counts[name] ?? 0), 0));
  const charts = [
    { title: texts.joins, series: [{ label: texts.joined, counts: count('join') }] },
    {
      title: texts.tasks,
      series: [
        { label: texts.passed, counts: count('check_passed') },
        { label: texts.notPassed, counts: count('check_failed', 'check_expired') },
      ],
    },
    {
      title: texts.deletions,
      series: [{ label: texts.deleted, counts: count(allDeleted) }],
    },
    {
      title: texts.floods,
      series: [
        { label: texts.ofMessages, counts: count('flood') },
        { label: texts.ofReactions, counts: count('reaction_flood') },
      ],
    },
    { title: texts.raids, series: [{ label: texts.turnedAway, counts: count('raid_removed') }] },
  ];
  return (
    <>
      {numbers.attack !== null && <Attack {...numbers.attack} readAt={readAt} />}
      <Totals numbers={numbers} />
      {charts.map(({ title, series }) => (
        <section key={title} className={styles.card}>
          {series.some(({ counts }) => counts.some((one) => one > 0)) ? (
            <Chart title={title} days={days} series={series} />
          ) : (
            <>
              <h3 className={styles.title}>{title}</h3>
              <p className={styles.nothing}>{texts.noneInDays(days.length)}</p>
            </>
          )}
        </section>
      ))}
      <Rankings numbers={numbers} chat={chat} />
      <p className={styles.foot}>{texts.foot}</p>
    </>
  );
}

/** The sums that are looked at first. */
function Totals({ numbers: { days } }: { readonly numbers: ChatNumbers }) {
  const total = (name: string) => days.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);
  const facts = [
    [texts.joined, total('join')],
    [texts.left, total('leave')],
    [texts.passed, total('check_passed')],
    [texts.deleted, total(allDeleted)],
    [texts.turnedAway, total('raid_removed')],
  ] as const;
  return (
    <dl className={styles.totals}>
      {facts.map(([label, count]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Rankings({ numbers, chat }: { readonly numbers: ChatNumbers; readonly chat: Named }) {
  const { by_type: types, by_topic: topics } = numbers.deletions;
  return (
    <>
      {types.length > 0 && (
        <section className={styles.card}>
          <Ranking
            title={texts.byType}
            rows={types
              .slice(0, maxRows)
              .map(({ name, count }) => ({ key: name, label: nameReason(name), count }))}
          />
          {types.length > maxRows && (
            <p className={styles.nothing}>{texts.more(types.length - maxRows)}</p>
          )}
        </section>
      )}
      {topics.length > 1 && (
        <section className={styles.card}>
          <Ranking
            title={texts.byTopic}
            rows={topics.slice(0, maxRows).map(({ topic_id: id, count }) => ({
              key: String(id),
              label: id < 0 ? texts.unknownTopic : topicTitle(chat, String(id)),
              count,
            }))}
          />
          {topics.length > maxRows && (
            <p className={styles.nothing}>{texts.more(topics.length - maxRows)}</p>
          )}
        </section>
      )}
    </>
  );
}

/** Why a message was deleted: the setting of a type, or what the bot does by itself. */
function nameReason(name: string): string {
  return name === 'blocklist' || name === 'flood' ? texts[name] : settingLabel(name);
}

type AttackProps = NonNullable<ChatNumbers['attack']> & { readonly readAt: number };

function Attack({ since, until, counts, readAt }: AttackProps) {
  const day = formatDay(since, { datesFrom: 2, style: 'medium' });
  const isOn = until !== null && until > readAt;
  return (
    <section className={`${styles.card} ${styles.wide}`}>
      <h3 className={styles.title}>{isOn ? texts.attack : texts.lastAttack(day)}</h3>
      <dl className={styles.totals}>
        {[
          [texts.turnedAway, counts['raid_removed'] ?? 0] as const,
          [texts.deleted, counts[allDeleted] ?? 0] as const,
        ].map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
