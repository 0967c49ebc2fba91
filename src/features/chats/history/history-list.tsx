/** The changes to a chat, day by day, and further ones on demand. */
import { useInfiniteQuery } from '@tanstack/react-query';

import { type Change } from '#contract/endpoints/chat-changes';
import { type Chat } from '#contract/endpoints/chats';
import { errorText } from '#lib/api';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Notice } from '#ui/notice';
import { Skeleton } from '#ui/skeleton';

import { dayOf } from './days.ts';
import { HistoryEntry } from './history-entry.tsx';
import { changesOf } from './queries.ts';
import { historyTexts as texts } from './texts.ts';

import styles from './history.module.css';

type HistoryListProps = {
  readonly chatId: string;
  readonly chat: Pick<Chat, 'topic_names'>;
};

export function HistoryList({ chatId, chat }: HistoryListProps) {
  const { data, error, isFetching, refetch, ...more } = useInfiniteQuery(changesOf(chatId));
  const changes = data?.pages.flatMap((page) => page.changes);

  if (changes === undefined) {
    return error && !isFetching ? (
      <EmptyState
        mood="surprised"
        title={texts.failed}
        action={
          <Button kind="primary" onClick={() => void refetch()}>
            {texts.retry}
          </Button>
        }
      >
        {errorText(error, '')}
      </EmptyState>
    ) : (
      <Skeleton shape="sections" label={texts.loading} />
    );
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
      {daysOf(changes).map(({ day, changes: ofDay }) => (
        <section key={day} aria-label={day}>
          <h3>{day}</h3>
          <ol className={styles.entries}>
            {ofDay.map((change) => (
              <HistoryEntry key={change.change_id} chatId={chatId} chat={chat} change={change} />
            ))}
          </ol>
        </section>
      ))}
      {more.isFetchNextPageError && <Notice tone="error">{texts.moreFailed}</Notice>}
      {more.hasNextPage ? (
        <Button
          className={styles.more}
          isBusy={more.isFetchingNextPage}
          onClick={() => void more.fetchNextPage()}
        >
          {texts.more}
        </Button>
      ) : (
        <p className={styles.end}>{texts.end}</p>
      )}
    </div>
  );
}

function daysOf(changes: readonly Change[]) {
  const days: { readonly day: string; readonly changes: Change[] }[] = [];
  for (const change of changes) {
    const day = dayOf(change.changed_at);
    const last = days.at(-1);
    if (last?.day === day) {
      last.changes.push(change);
    } else {
      days.push({ day, changes: [change] });
    }
  }
  return days;
}
