/** The history of a chat: its changes, newest first, by day. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router-dom';

import { type Change } from '#contract/endpoints/chat-changes';
import { type Chat } from '#contract/endpoints/chats';
import { formatDay } from '#lib/dates';
import { dashboardPaths } from '#lib/paths';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Notice } from '#ui/notice';

import { useManagedChat } from '../managed-chat.ts';
import { chatTitle } from '../names.ts';
import { Pending } from '../pending.tsx';
import { chatQueries } from '../queries.ts';
import { BackButton, StepHeading } from '../step-heading.tsx';
import { HistoryEntry } from './history-entry.tsx';
import { historyTexts as texts } from './texts.ts';

import sections from '../sections/sections.module.css';
import styles from './history.module.css';

type HistoryStepProps = { readonly chatId: string; readonly hasMoved: boolean };

export function HistoryStep({ chatId, hasMoved }: HistoryStepProps) {
  const { data: chat, refusal } = useManagedChat(chatId);

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
      <HistoryList chatId={chatId} chat={chat ?? { topic_names: {} }} />
    </>
  );
}

type HistoryListProps = {
  readonly chatId: string;
  readonly chat: Pick<Chat, 'topic_names'>;
};

function HistoryList({ chatId, chat }: HistoryListProps) {
  const { data, ...query } = useInfiniteQuery(chatQueries.changes(chatId));
  const changes = data?.pages.flatMap((page) => page.changes);

  if (changes === undefined) {
    return <Pending query={query} shape="sections" loading={texts.loading} failed={texts.failed} />;
  }
  if (changes.length === 0) {
    return (
      <EmptyState mood="sleepy" title={texts.none}>
        {texts.noneHint}
      </EmptyState>
    );
  }
  return (
    <div className={styles.days}>
      {groupByDay(changes).map(([day, changesOnDay]) => (
        <section key={day} aria-label={day}>
          <h3>{day}</h3>
          <ol className={styles.entries}>
            {changesOnDay.map((change) => (
              <HistoryEntry key={change.change_id} chatId={chatId} chat={chat} change={change} />
            ))}
          </ol>
        </section>
      ))}
      {query.isFetchNextPageError && <Notice tone="error">{texts.moreFailed}</Notice>}
      {query.hasNextPage ? (
        <Button
          className={styles.more}
          isBusy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {texts.more}
        </Button>
      ) : (
        <p className={styles.end}>{texts.end}</p>
      )}
    </div>
  );
}

function groupByDay(changes: readonly Change[]) {
  const days = new Map<string, Change[]>();
  for (const change of changes) {
    const day = formatDay(change.changed_at, { datesFrom: 2, style: 'full' });
    const changesOnDay = days.get(day) ?? [];
    changesOnDay.push(change);
    days.set(day, changesOnDay);
  }
  return [...days];
}
