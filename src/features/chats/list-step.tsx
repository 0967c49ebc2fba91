/** Step 1: the chats a person manages. */
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';

import { type Chat, type UnverifiedChat } from '#contract/endpoints/chats';
import { errorText } from '#lib/api';
import { dashboardPaths } from '#lib/paths';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { ListRow } from '#ui/list-row';
import { SearchField } from '#ui/search-field';
import { Skeleton } from '#ui/skeleton';

import { BelowChats } from './below-chats.tsx';
import { useFollowingOtherTabs } from './follow-other-tabs.ts';
import { NearView } from './near-view.tsx';
import { chatQueries } from './queries.ts';
import { StepHeading } from './step-heading.tsx';
import { chatTexts } from './texts.ts';
import { UnverifiedChats } from './unverified-chats.tsx';

import styles from './chats.module.css';

const texts = chatTexts.list;

/** Rows that are drawn together: about two screens of them. */
const rowsPerBlock = 30;

export function ListStep({ hasMoved }: { readonly hasMoved: boolean }) {
  const navigate = useNavigate();
  const [term, setTerm] = useState('');
  const { data, error, isFetching, refetch } = useQuery(chatQueries.list());
  useFollowingOtherTabs();
  const isEmptyStart = !hasMoved && data !== undefined && isEmpty(data);

  if (isEmptyStart && !isFetching) {
    return <Navigate to={dashboardPaths.add} replace />;
  }
  return (
    <>
      <div className={styles.titleBar}>
        <StepHeading hasMoved={hasMoved}>{texts.heading}</StepHeading>
        <Button
          kind="primary"
          icon={<Plus aria-hidden size={18} />}
          onClick={() => void navigate(dashboardPaths.add)}
        >
          {texts.add}
        </Button>
      </div>
      <SearchField
        label={texts.search}
        clearLabel={texts.clearSearch}
        value={term}
        onChange={setTerm}
      />
      {data === undefined || isEmptyStart ? (
        <Pending error={error} isFetching={isFetching} retry={() => void refetch()} />
      ) : (
        <FoundChats {...data} term={term} />
      )}
      {/* Not before the chats: it would be pushed down by them. */}
      {!isEmptyStart && (data !== undefined || !isFetching) && <BelowChats />}
    </>
  );
}

type PendingProps = {
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly retry: () => void;
};

function Pending({ error, isFetching, retry }: PendingProps) {
  return error && !isFetching ? (
    <EmptyState
      mood="surprised"
      title={texts.failed}
      action={
        <Button kind="primary" onClick={retry}>
          {chatTexts.retry}
        </Button>
      }
    >
      {errorText(error, '')}
    </EmptyState>
  ) : (
    <Skeleton shape="rows" label={texts.loading} />
  );
}

type Listed = {
  readonly chats: readonly Chat[];
  readonly unverified: readonly UnverifiedChat[];
};
type FoundChatsProps = Listed & { readonly term: string };

function isEmpty({ chats, unverified }: Listed): boolean {
  return chats.length + unverified.length === 0;
}

function FoundChats({ chats, unverified, term }: FoundChatsProps) {
  // Typing stays quick with thousands of chats: the list may follow a moment later.
  const wanted = useDeferredValue(term).trim().toLocaleLowerCase();
  const isWanted = (chat: UnverifiedChat) =>
    chat.chat_id.includes(wanted) || chatTexts.chatTitle(chat).toLocaleLowerCase().includes(wanted);
  const found = chats.filter(isWanted);
  const foundUnverified = unverified.filter(isWanted);
  const isNothingFound = found.length + foundUnverified.length === 0;

  if (isEmpty({ chats, unverified })) {
    return (
      <EmptyState mood="sleepy" title={texts.none}>
        {texts.noneHint}
      </EmptyState>
    );
  }
  return (
    <>
      <output className={isNothingFound ? styles.nothing : 'visually-hidden'}>
        {isNothingFound ? texts.nothingFound : ''}
      </output>
      <UnverifiedChats chats={foundUnverified} />
      <ul className={styles.chats} aria-label={texts.label}>
        {blocksOf(found).map((block, index) => (
          <li key={block[0]?.chat_id} className={styles.block}>
            <NearView isFirst={index === 0} counts={[block.length]}>
              {() => <ul>{block.map(rowOf)}</ul>}
            </NearView>
          </li>
        ))}
      </ul>
    </>
  );
}

function rowOf(chat: Chat) {
  return (
    <li key={chat.chat_id}>
      <ListRow
        to={dashboardPaths.chat(chat.chat_id)}
        title={chatTexts.chatTitle(chat)}
        subtitle={chatTexts.chatId(chat.chat_id)}
        badge={chat.is_demo ? chatTexts.demo : undefined}
      />
    </li>
  );
}

function blocksOf(chats: readonly Chat[]): readonly (readonly Chat[])[] {
  return Array.from({ length: Math.ceil(chats.length / rowsPerBlock) }, (_block, index) =>
    chats.slice(index * rowsPerBlock, (index + 1) * rowsPerBlock),
  );
}
