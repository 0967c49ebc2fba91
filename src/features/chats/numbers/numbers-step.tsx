/** The numbers of a chat: what happened in the last 7 or 30 days, drawn as charts. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Navigate, useSearchParams } from 'react-router-dom';

import { settingLabel } from '#contract/chats/message-types';
import { heldBackEvents } from '#contract/chats/numbers';
import {
  allDeleted,
  type ChatNumbers,
  numberDays,
  type NumberDays,
  readChatNumbers,
} from '#contract/endpoints/chat-numbers';
import { type Chat } from '#contract/endpoints/chats';
import { call } from '#lib/api';
import { formatCalendarDay, formatDay } from '#lib/dates';
import { formatCount } from '#lib/format';
import { dashboardPaths } from '#lib/paths';
import { EmptyState } from '#ui/empty-state';
import { Section } from '#ui/section';
import { Tabs } from '#ui/tabs';

import { useManagedChat } from '../managed-chat.ts';
import { chatTitle, topicTitle } from '../names.ts';
import { Pending } from '../pending.tsx';
import { BackButton, StepHeading } from '../step-heading.tsx';
import { numberTexts as texts } from './texts.ts';

import sections from '../sections/sections.module.css';
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
        <p className={sections.subject} dir="auto">
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
      <div id="numbers-panel" role="tabpanel" aria-labelledby={`numbers-${tabId(days)}`}>
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
  const count = (...names: readonly string[]) =>
    numbers.days.map(({ counts }) => names.reduce((total, name) => total + (counts[name] ?? 0), 0));
  const ofNewcomers = [
    { title: texts.joins, series: [{ label: texts.joined, counts: count('join') }] },
    {
      title: texts.tasks,
      series: [
        { label: texts.passed, counts: count('check_passed') },
        { label: texts.notPassed, counts: count('check_failed', 'check_expired') },
      ],
    },
    { title: texts.raids, series: [{ label: texts.turnedAway, counts: count('raid_removed') }] },
  ];
  const ofMessages = [
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
  ];
  const draw = (charts: readonly Pick<ChartProps, 'title' | 'series'>[]) =>
    charts.map((chart) => (
      <Chart key={chart.title} days={numbers.days.map(({ day }) => day)} {...chart} />
    ));
  return (
    <div className={sections.column}>
      {numbers.attack !== null && <Attack {...numbers.attack} readAt={readAt} />}
      <Totals numbers={numbers} />
      <div className={sections.columns}>
        <div className={sections.column}>{draw(ofNewcomers)}</div>
        <div className={sections.column}>
          {draw(ofMessages)}
          <Rankings numbers={numbers} chat={chat} />
        </div>
      </div>
      <p className={styles.foot}>{texts.foot}</p>
    </div>
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
    <Section>
      <Facts facts={facts} />
    </Section>
  );
}

type FactsProps = { readonly facts: readonly (readonly [label: string, count: number])[] };

function Facts({ facts }: FactsProps) {
  return (
    <dl className={`${sections.inset} ${styles.totals}`}>
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
        <Ranking
          title={texts.byType}
          rows={types.map(({ name, count }) => ({ key: name, label: nameReason(name), count }))}
        />
      )}
      {topics.length > 1 && (
        <Ranking
          title={texts.byTopic}
          rows={topics.map(({ topic_id: id, count }) => ({
            key: String(id),
            label: id < 0 ? texts.unknownTopic : topicTitle(chat, String(id)),
            count,
          }))}
        />
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
    <Section heading={isOn ? texts.attack : texts.lastAttack(day)} headingLevel={3}>
      <Facts
        facts={[
          [texts.heldBack, sum(heldBackEvents.map((event) => counts[event] ?? 0))],
          [texts.deleted, counts[allDeleted] ?? 0],
        ]}
      />
    </Section>
  );
}

type Series = {
  readonly label: string;
  /** One for each day. */
  readonly counts: readonly number[];
};

type ChartProps = {
  readonly title: string;
  /** Such as 2026-11-27, the earliest first. */
  readonly days: readonly string[];
  /** At most two, drawn on top of each other. */
  readonly series: readonly Series[];
};

/** The chart's units: the bars fill its box, whatever its size. */
const height = 100;
/** What is not nothing can be seen. */
const minHeight = 2;
/** More days have no room for a label each. */
const maxLabelled = 7;

/** Bars by day. Screen readers read the same numbers as a table. */
function Chart({ title, days, series }: ChartProps) {
  const sums = days.map((_day, index) => sum(series.map(({ counts }) => counts[index] ?? 0)));
  const most = Math.max(...sums);

  if (most === 0) {
    return (
      <Section heading={title} headingLevel={3}>
        <p className={sections.note}>{texts.noneInDays(days.length)}</p>
      </Section>
    );
  }
  return (
    <Section
      heading={title}
      headingLevel={3}
      action={<span className={sections.total}>{texts.most(most)}</span>}
    >
      <figure className={`${sections.inset} ${styles.figure}`} aria-label={title}>
        <Bars days={days} series={series} most={most} />
        <Labels days={days} sums={sums} />
        {series.length > 1 && <Legend series={series} />}
        {/* A table itself is as wide as its cells. */}
        <div className="visually-hidden">
          <table>
            <caption>{title}</caption>
            <thead>
              <tr>
                <th scope="col">{texts.day}</th>
                {series.map(({ label }) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.map((day, index) => (
                <tr key={day}>
                  <th scope="row">{formatCalendarDay(day, 'whole')}</th>
                  {series.map(({ label, counts }) => (
                    <td key={label}>{formatCount(counts[index] ?? 0)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </figure>
    </Section>
  );
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

function Bars({
  days,
  series,
  most,
}: Pick<ChartProps, 'days' | 'series'> & { readonly most: number }) {
  return (
    <svg
      aria-hidden
      className={styles.bars}
      viewBox={`0 0 ${days.length} ${height}`}
      preserveAspectRatio="none"
    >
      {days.map((day, index) => {
        let top = height;
        return series.map(({ label, counts }, place) => {
          const count = counts[index] ?? 0;
          const tall = count === 0 ? 0 : Math.max((count / most) * height, minHeight);
          top -= tall;
          return (
            tall > 0 && (
              <rect
                key={`${day} ${label}`}
                className={place === 0 ? styles.first : styles.second}
                x={index + 0.14}
                y={Math.max(top, 0)}
                width={0.72}
                height={tall}
              />
            )
          );
        });
      })}
    </svg>
  );
}

/** The numbers of a week with their days; of more days, the first and the last. */
function Labels({
  days,
  sums,
}: {
  readonly days: readonly string[];
  readonly sums: readonly number[];
}) {
  return days.length <= maxLabelled ? (
    <ol aria-hidden className={styles.week}>
      {days.map((day, index) => (
        <li key={day}>
          <b>{formatCount(sums[index] ?? 0)}</b>
          <span>{formatCalendarDay(day, 'weekday')}</span>
        </li>
      ))}
    </ol>
  ) : (
    <p aria-hidden className={styles.ends}>
      {[days[0], days[Math.floor(days.length / 2)], days.at(-1)].map(
        (day) => day !== undefined && <span key={day}>{formatCalendarDay(day, 'short')}</span>,
      )}
    </p>
  );
}

function Legend({ series }: Pick<ChartProps, 'series'>) {
  return (
    <ul className={styles.legend}>
      {series.map(({ label, counts }, place) => (
        <li key={label}>
          <span aria-hidden className={place === 0 ? styles.firstKey : styles.secondKey} />
          {label}
          <b>{formatCount(sum(counts))}</b>
        </li>
      ))}
    </ul>
  );
}

type RankingProps = {
  readonly title: string;
  readonly rows: readonly {
    readonly key: string;
    readonly label: string;
    readonly count: number;
  }[];
};

/** What there was most of, with a bar behind each number. */
function Ranking({ title, rows }: RankingProps) {
  const most = Math.max(...rows.map(({ count }) => count));
  const more = rows.length - maxRows;
  return (
    <Section heading={title} headingLevel={3} foot={more > 0 && texts.more(more)}>
      <div className={sections.inset}>
        <table className={styles.ranking} aria-label={title}>
          <tbody>
            {rows.slice(0, maxRows).map(({ key, label, count }) => (
              <tr key={key}>
                <th scope="row">
                  <bdi>{label}</bdi>
                  <span
                    aria-hidden
                    className={styles.track}
                    style={{ inlineSize: `${(count / most) * 100}%` }}
                  />
                </th>
                <td>{formatCount(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
