/** Step 1: the chats that the user manages, and groups of the bot that can be verified. */
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';

import { type Chat, type UnverifiedChat } from '#contract/endpoints/chats';
import { dashboardPaths } from '#lib/paths';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { ListRow } from '#ui/list-row';
import { SearchField } from '#ui/search-field';

import { NearView, toBlocks } from './near-view.tsx';
import { Pending } from './pending.tsx';
import { chatQueries, useRefetchOnOtherTabs } from './queries.ts';
import { StepHeading } from './step-heading.tsx';
import { chatTexts } from './texts.ts';

import styles from './chats.module.css';

const texts = chatTexts.list;

/** A list that was read while the login was still shown is not read again when the dashboard opens. */
const readAheadMs = 1000;

/** About two screens of rows. */
const rowsPerBlock = 30;

type ListStepProps = {
  readonly hasMoved: boolean;
  /** Shown below the chats. */
  readonly below: ReactNode;
};

export function ListStep({ hasMoved, below }: ListStepProps) {
  const navigate = useNavigate();
  const [term, setTerm] = useState('');
  const query = useQuery({
    ...chatQueries.list(),
    ...(hasMoved ? {} : { refetchOnMount: true, staleTime: readAheadMs }),
  });
  const { data, isFetching } = query;
  useRefetchOnOtherTabs();
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
        clearLabel={chatTexts.clearSearch}
        value={term}
        onChange={setTerm}
      />
      {data === undefined || isEmptyStart ? (
        <Pending query={query} shape="rows" loading={texts.loading} failed={texts.failed} />
      ) : (
        <FoundChats {...data} term={term} />
      )}
      {/* Not before the chats, which would push it down. */}
      {!isEmptyStart && (data !== undefined || !isFetching) && below}
    </>
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
  // Typing stays fast with thousands of chats: the list may follow a moment later.
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
        {toBlocks(found, rowsPerBlock).map((block, index) => (
          <li key={block[0]?.chat_id} className={styles.block}>
            <NearView isFirst={index === 0} counts={[block.length]}>
              {() => <ul>{block.map(ChatRow)}</ul>}
            </NearView>
          </li>
        ))}
      </ul>
    </>
  );
}

function ChatRow(chat: Chat) {
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

/** Groups to which the user has added the bot, each with a link to its verification. */
function UnverifiedChats({ chats }: { readonly chats: readonly UnverifiedChat[] }) {
  const id = useId();
  if (chats.length === 0) {
    return null;
  }
  return (
    <section className={styles.unverified} aria-labelledby={id}>
      <h3 id={id}>{texts.unverified}</h3>
      <p className={styles.remark}>{texts.unverifiedHint}</p>
      <ul className={styles.chats} aria-labelledby={id}>
        {chats.map((chat) => (
          <li key={chat.chat_id}>
            <ListRow
              to={dashboardPaths.verify(chat.chat_id)}
              title={chatTexts.chatTitle(chat)}
              subtitle={chatTexts.chatId(chat.chat_id)}
              badge={texts.unverified}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
