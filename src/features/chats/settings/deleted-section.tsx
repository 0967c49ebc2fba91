/** How many messages of each type the bot has deleted in a chat in the last 24 hours and 7 days. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { settingLabel } from '#contract/chats/message-types';
import { type readDeletions } from '#contract/endpoints/chat-activity';
import { type Answer } from '#contract/endpoints/endpoint';
import { Button } from '#ui/button';
import { Disclosure } from '#ui/disclosure';
import { passFocusOn } from '#ui/empty-state';
import { Notice } from '#ui/notice';

import { chatQueries } from '../queries.ts';
import { chatTexts, type DeletedCount } from '../texts.ts';

import styles from './deleted-section.module.css';

const texts = chatTexts.deletions;

type Deletions = Answer<typeof readDeletions>;

export function DeletedSection({ chatId }: { readonly chatId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { data, isError, isFetching, refetch } = useQuery(chatQueries.deletions(chatId));

  return (
    <Disclosure
      id="deleted"
      heading={texts.heading}
      remark={data && texts.summary(totalCount(data, 'day'), totalCount(data, 'week'))}
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
                {chatTexts.retry}
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

function Numbers({ deletions }: { readonly deletions: Deletions }) {
  const types = Object.entries(deletions.week)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name]) => ({
      name,
      inWeek: typeCount(deletions, 'week', name),
      inDay: typeCount(deletions, 'day', name),
    }));
  const max = types[0]?.inWeek.atMost ?? 0;
  const all = totalCount(deletions, 'week');

  if (max === 0) {
    return <p className={styles.none}>{texts.none}</p>;
  }
  return (
    <>
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
          {types.map(({ name, inDay, inWeek }) => (
            <tr key={name}>
              <th scope="row">
                <span className={styles.label}>{settingLabel(name)}</span>
                <span aria-hidden className={styles.track}>
                  <span className={styles.week} style={{ inlineSize: share(inWeek.atMost, max) }} />
                  <span className={styles.day} style={{ inlineSize: share(inDay.atMost, max) }} />
                </span>
              </th>
              <td>{texts.count(inDay)}</td>
              <td>{texts.count(inWeek)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.total}</th>
            <td>{texts.count(totalCount(deletions, 'day'))}</td>
            <td>{texts.count(all)}</td>
          </tr>
        </tfoot>
      </table>
      {all.exact < all.atMost && <p className={styles.none}>{texts.atMost}</p>}
    </>
  );
}

type Period = 'day' | 'week';

function typeCount({ exact, ...counts }: Deletions, period: Period, name: string): DeletedCount {
  const atMost = counts[period][name] ?? 0;
  return { atMost, exact: exact === undefined ? atMost : (exact[period][name] ?? 0) };
}

function totalCount({ exact, ...counts }: Deletions, period: Period): DeletedCount {
  return { atMost: sum(counts[period]), exact: sum((exact ?? counts)[period]) };
}

function sum(counts: Deletions['day']): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function share(count: number, max: number): string {
  return `${(count / max) * 100}%`;
}
