/** How many messages the bot has deleted in a chat, by their kind: in the last 24 hours and the last 7 days. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { settingLabel } from '#contract/chats/message-types';
import { readDeletions } from '#contract/endpoints/chat-activity';
import { type Answer } from '#contract/endpoints/endpoint';
import { call } from '#lib/api';
import { Button, passFocusOn } from '#ui/button';
import { Disclosure } from '#ui/disclosure';
import { Notice } from '#ui/notice';

import { deletedTexts as texts } from './texts.ts';

import styles from './deleted.module.css';

/** How often the numbers are read again while somebody looks at the page, in ms. */
const everyMs = 60_000;

const deletionsIn = (chatId: string) =>
  queryOptions({
    queryKey: ['chats', 'deletions', chatId],
    queryFn: ({ signal }) => call(readDeletions, { chat_id: chatId }, signal),
    refetchInterval: everyMs,
    refetchOnWindowFocus: 'always',
  });

type Deletions = Answer<typeof readDeletions>;

export function DeletedSection({ chatId }: { readonly chatId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { data, isError, isFetching, refetch } = useQuery(deletionsIn(chatId));

  return (
    <Disclosure
      id="deleted"
      heading={texts.heading}
      remark={data && texts.remark(sumOf(data.day), sumOf(data.week))}
      isOpen={isOpen}
      onToggle={() => setIsOpen(!isOpen)}
    >
      <div className={styles.content}>
        {data ? (
          <Numbers deletions={data} />
        ) : isError && !isFetching ? (
          <Notice
            tone="warning"
            action={
              <Button ref={passFocusOn} onClick={() => void refetch()}>
                {texts.retry}
              </Button>
            }
          >
            {texts.failed}
          </Notice>
        ) : (
          <output className={styles.none}>{texts.loading}</output>
        )}
      </div>
    </Disclosure>
  );
}

function Numbers({ deletions: { day, week } }: { readonly deletions: Deletions }) {
  const kinds = Object.entries(week)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => ({ name, ofWeek: count, ofDay: day[name] ?? 0 }));
  const most = kinds[0]?.ofWeek ?? 0;

  if (most === 0) {
    return <p className={styles.none}>{texts.none}</p>;
  }
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{texts.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.kind}</th>
          <th scope="col">{texts.day}</th>
          <th scope="col">{texts.week}</th>
        </tr>
      </thead>
      <tbody>
        {kinds.map(({ name, ofDay, ofWeek }) => (
          <tr key={name}>
            <th scope="row">
              <span className={styles.label}>{settingLabel(name)}</span>
              <span aria-hidden className={styles.track}>
                <span className={styles.week} style={{ inlineSize: share(ofWeek, most) }} />
                <span className={styles.day} style={{ inlineSize: share(ofDay, most) }} />
              </span>
            </th>
            <td>{texts.count(ofDay)}</td>
            <td>{texts.count(ofWeek)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{texts.total}</th>
          <td>{texts.count(sumOf(day))}</td>
          <td>{texts.count(sumOf(week))}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function sumOf(counts: Deletions['day']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function share(count: number, most: number): string {
  return `${(count / most) * 100}%`;
}
