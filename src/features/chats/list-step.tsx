/** Step 1: the chats that the user manages, and groups of the bot that can be verified. */
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';

import { type Chat, type UnverifiedChat } from '#contract/endpoints/chats';
import { dashboardPaths } from '#lib/paths';
import { toSearchable } from '#lib/search-term';
import { Avatar } from '#ui/avatar';
import { EmptyState } from '#ui/empty-state';
import { SearchField } from '#ui/search-field';
import { Cell, Section } from '#ui/section';

import { chatTitle } from './names.ts';
import { NearView, toBlocks } from './near-view.tsx';
import { Pending, SeenAt } from './pending.tsx';
import { chatQueries, listKey, useRefetchOnOtherTabs } from './queries.ts';
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
  // Typing stays fast with thousands of chats: the list may follow a moment later.
  const isWanted = toFilter(useDeferredValue(term));
  useRefetchOnOtherTabs();
  const isEmptyStart = !hasMoved && data !== undefined && isEmpty(data);

  if (isEmptyStart && !isFetching) {
    return <Navigate to={dashboardPaths.add} replace />;
  }
  return (
    <>
      <StepHeading hasMoved={hasMoved} isTabTitle>
        {texts.heading}
      </StepHeading>
      <SearchField
        label={texts.search}
        clearLabel={chatTexts.clearSearch}
        value={term}
        onChange={setTerm}
      />
      <SeenAt id={listKey} refetch={query.refetch} />
      {data && <UnverifiedChats chats={data.unverified.filter(isWanted)} />}
      <Section className={styles.chats}>
        <Cell
          tone="accent"
          before={<Plus />}
          title={texts.add}
          onClick={() => void navigate(dashboardPaths.add)}
        />
        {data === undefined || isEmptyStart ? (
          <Pending query={query} shape="rows" loading={texts.loading} failed={texts.failed} />
        ) : (
          <FoundChats {...data} isWanted={isWanted} />
        )}
      </Section>
      {/* Not before the chats, which would push it down. */}
      {!isEmptyStart && (data !== undefined || !isFetching) && below}
    </>
  );
}

type Listed = {
  readonly chats: readonly Chat[];
  readonly unverified: readonly UnverifiedChat[];
};

function isEmpty({ chats, unverified }: Listed): boolean {
  return chats.length + unverified.length === 0;
}

type IsWanted = (chat: UnverifiedChat) => boolean;

/** Whether a chat has the term in its name or ID. */
function toFilter(term: string): IsWanted {
  const wanted = toSearchable(term.trim());
  return (chat) => chat.chat_id.includes(wanted) || toSearchable(chatTitle(chat)).includes(wanted);
}

type FoundChatsProps = Listed & { readonly isWanted: IsWanted };

function FoundChats({ chats, unverified, isWanted }: FoundChatsProps) {
  const found = chats.filter(isWanted);
  const isNothingFound = found.length === 0 && !unverified.some(isWanted);

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
      <ul aria-label={texts.label}>
        {toBlocks(found, rowsPerBlock).map((block, index) => (
          <li key={block[0]?.chat_id} className={styles.block}>
            <NearView isFirst={index === 0} counts={[block.length]}>
              {() => (
                <ul>
                  {block.map((chat) => (
                    <ChatRow key={chat.chat_id} chat={chat} isVerified />
                  ))}
                </ul>
              )}
            </NearView>
          </li>
        ))}
      </ul>
    </>
  );
}

type ChatRowProps = {
  readonly chat: UnverifiedChat & Partial<Chat>;
  readonly isVerified: boolean;
};

function ChatRow({ chat, isVerified }: ChatRowProps) {
  const { chat_id: id } = chat;
  const title = chatTitle(chat);
  const badge = isVerified ? chat.is_demo === true && chatTexts.demo : texts.unverified;
  return (
    <li>
      <Cell
        to={isVerified ? dashboardPaths.chat(id) : dashboardPaths.verify(id)}
        before={<Avatar id={id} title={title} />}
        title={title}
        subtitle={chatTexts.chatId(id)}
        after={badge === false ? undefined : <span className={styles.badge}>{badge}</span>}
      />
    </li>
  );
}

/** Groups to which the user has added the bot, each with a link to its verification. */
export function UnverifiedChats({ chats }: { readonly chats: readonly UnverifiedChat[] }) {
  return (
    chats.length > 0 && (
      <Section
        heading={texts.unverified}
        headingLevel={3}
        remark={texts.unverifiedHint}
        className={styles.chats}
      >
        <ul aria-label={texts.unverified}>
          {chats.map((chat) => (
            <ChatRow key={chat.chat_id} chat={chat} isVerified={false} />
          ))}
        </ul>
      </Section>
    )
  );
}
