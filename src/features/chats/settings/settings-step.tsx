/** Step 4: what each topic of a chat blocks, or why it cannot be shown. */
import { useQueryClient } from '@tanstack/react-query';
import { History, Plus, RefreshCw } from 'lucide-react';
import { useDeferredValue, useMemo, useReducer, useState } from 'react';
import { Navigate } from 'react-router-dom';

import { moreSettingNames, settingLabel } from '#contract/chats/message-types';
import { chatActivity, chatMoreTypes } from '#contract/endpoints/chat-activity';
import { type Chat } from '#contract/endpoints/chats';
import { useCapabilities } from '#lib/capabilities';
import { dashboardPaths } from '#lib/paths';
import { Button, ButtonLink, IconButton } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Notice } from '#ui/notice';
import { PartBoundary } from '#ui/part-boundary';
import { SearchField } from '#ui/search-field';

import { showFailure } from '../failed-writes.ts';
import { useManagedChat } from '../managed-chat.ts';
import { Pending } from '../pending.tsx';
import { chatQueries, refreshChat } from '../queries.ts';
import { toListOrder } from '../setting-order.ts';
import { BackButton, StepHeading } from '../step-heading.tsx';
import { chatTexts } from '../texts.ts';
import { byTopicId, isTopicMeant, topicNumber, topicTitle } from '../topic-title.ts';
import { useAction } from '../use-action.ts';
import { AddTopicDialog } from './add-topic-dialog.tsx';
import { DeletedSection } from './deleted-section.tsx';
import { HealthStrip } from './health-strip.tsx';
import { TopicSection } from './topic-section.tsx';

import styles from './settings.module.css';

const texts = chatTexts.settings;

/** Long enough for the user to see that something happened. */
const minRefreshMs = 800;

/** Topics whose toggles are rendered with the page: more than a tall screen shows. */
const topicsAtOnce = 3;

type SettingsStepProps = {
  readonly chatId: string;
  readonly topicId: string | undefined;
  readonly hasMoved: boolean;
};

export function SettingsStep({ chatId, topicId, hasMoved }: SettingsStepProps) {
  const client = useQueryClient();
  const query = useManagedChat(chatId, topicId);
  const chat = query.data;

  if (query.refusal !== undefined && chat === undefined) {
    return (
      <Navigate to={dashboardPaths.verify(chatId)} replace state={{ refusal: query.refusal }} />
    );
  }
  // The list knows the chat's title before its settings have been read.
  const listed = client.getQueryData(chatQueries.list().queryKey)?.chats;
  const known = chat ?? listed?.find(({ chat_id }) => chat_id === chatId);
  return (
    <>
      <Header
        chatId={chatId}
        title={chatTexts.chatTitle(known ?? { chat_id: chatId, chat_name: '' })}
        isDemo={known?.is_demo ?? false}
        hasMoved={hasMoved}
      />
      {chat ? (
        <Content chat={chat} topicId={topicId} />
      ) : (
        <Pending query={query} shape="sections" loading={texts.loading} failed={texts.loadFailed} />
      )}
    </>
  );
}

type HeaderProps = {
  readonly chatId: string;
  readonly title: string;
  readonly isDemo: boolean;
  readonly hasMoved: boolean;
};

function Header({ chatId, title, isDemo, hasMoved }: HeaderProps) {
  const client = useQueryClient();

  const { isBusy, run } = useAction(async (signal) => {
    const [outcome] = await Promise.allSettled([
      refreshChat(client, chatId),
      new Promise((resolve) => setTimeout(resolve, minRefreshMs)),
    ]);
    if (outcome.status === 'rejected' && !signal.aborted) {
      showFailure('refresh-failed', texts.refreshFailed);
    }
  });

  return (
    <header className={styles.header}>
      <BackButton />
      <div className={styles.chat}>
        <div className={styles.name}>
          <StepHeading hasMoved={hasMoved}>{title}</StepHeading>
          <p className={styles.id}>
            {chatTexts.chatId(chatId)}
            {isDemo && <span className={styles.badge}>{chatTexts.demo}</span>}
          </p>
        </div>
        <IconButton
          label={texts.refresh}
          className={isBusy ? styles.turning : undefined}
          icon={<RefreshCw aria-hidden size={20} />}
          aria-busy={isBusy || undefined}
          onClick={run}
        />
        <output className="visually-hidden">{isBusy ? texts.refreshing : ''}</output>
      </div>
    </header>
  );
}

type ContentProps = { readonly chat: Chat; readonly topicId: string | undefined };

function Content({ chat, topicId }: ContentProps) {
  const [term, setTerm] = useState('');
  const [collapsed, toggle] = useReducer(toggleCollapsed, noneCollapsed);
  /** The topic number with which the dialog opens. */
  const [suggested, setSuggested] = useState<string>();
  // Typing stays fast with hundreds of topics: the list may follow a moment later.
  const wanted = useDeferredValue(term).trim().toLocaleLowerCase();
  const isMissing = topicId !== undefined && chat.topics[topicId] === undefined;

  return (
    <>
      <BotActivity chatId={chat.chat_id} />
      <SearchField
        label={texts.search}
        clearLabel={chatTexts.clearSearch}
        value={term}
        onChange={(text) => {
          setTerm(text);
          // A match in a collapsed topic would be hidden.
          toggle('none');
        }}
      />
      {isMissing && (
        <Notice
          tone="info"
          action={
            <Button onClick={() => setSuggested(topicId)}>
              {chatTexts.addTopic.openFor(topicTitle(chat, topicId))}
            </Button>
          }
        >
          {texts.topicMissing(topicTitle(chat, topicId))}
        </Notice>
      )}
      <Topics {...{ chat, topicId, wanted, collapsed }} onToggle={toggle} />
      <Button
        className={styles.more}
        icon={<Plus aria-hidden size={18} />}
        onClick={() => setSuggested('')}
      >
        {chatTexts.addTopic.open}
      </Button>
      {suggested !== undefined && (
        <AddTopicDialog chat={chat} suggested={suggested} onClose={() => setSuggested(undefined)} />
      )}
    </>
  );
}

/** Health, deletions and history, on servers that offer them. */
function BotActivity({ chatId }: { readonly chatId: string }) {
  if (useCapabilities().has(chatActivity) !== true) {
    return null;
  }
  return (
    <>
      <HealthStrip chatId={chatId} />
      <DeletedSection chatId={chatId} />
      <div className={styles.actions}>
        <ButtonLink
          icon={<History aria-hidden size={18} />}
          to={`${dashboardPaths.chat(chatId)}&view=history`}
        >
          {texts.history}
        </ButtonLink>
      </div>
    </>
  );
}

type TopicsProps = ContentProps & {
  /** The search term in lower case. */
  readonly wanted: string;
  readonly collapsed: ReadonlySet<string>;
  readonly onToggle: (topicId: string) => void;
};

function Topics({ chat, topicId, wanted, collapsed, onToggle }: TopicsProps) {
  const { has } = useCapabilities();
  const canChangeMany = has(chatActivity) === true;
  const hasMore = has(chatMoreTypes) === true;
  // The memoised sections need identical lists of names.
  const topics = useMemo(() => findTopics(chat, { wanted, hasMore }), [chat, wanted, hasMore]);
  return (
    <>
      <div aria-live="polite" className={styles.found}>
        {topics.length === 0 && <EmptyState mood="sleepy" title={texts.nothingFound} />}
      </div>
      <div className={styles.topics}>
        {topics.map(({ id, names, isFiltered }, index) => (
          <PartBoundary
            key={id}
            message={texts.topicBroken(topicTitle(chat, id))}
            retryText={chatTexts.retry}
          >
            <TopicSection
              chatId={chat.chat_id}
              topicId={id}
              title={topicTitle(chat, id)}
              number={topicNumber(chat, id)}
              names={names}
              isFiltered={isFiltered}
              canChangeMany={canChangeMany}
              hasMore={hasMore}
              isOpen={!collapsed.has(id)}
              isFirst={index < topicsAtOnce}
              isTarget={id === topicId}
              onToggle={onToggle}
            />
          </PartBoundary>
        ))}
      </div>
    </>
  );
}

const noneCollapsed: ReadonlySet<string> = new Set();

/** Collapses or opens one topic; 'none', which is not a topic ID, opens all. */
function toggleCollapsed(collapsed: ReadonlySet<string>, topic: string): ReadonlySet<string> {
  if (topic === 'none') {
    return noneCollapsed;
  }
  const others = [...collapsed].filter((id) => id !== topic);
  return new Set(collapsed.has(topic) ? others : [...others, topic]);
}

/** The topics by number, each with the settings whose label matches, or with all if the topic itself matches. */
function findTopics(
  chat: Chat,
  { wanted, hasMore }: { readonly wanted: string; readonly hasMore: boolean },
) {
  return Object.entries(chat.topics)
    .toSorted(([one], [other]) => byTopicId(one, other))
    .map(([id, settings]) => {
      const listed = Object.keys(settings);
      // The server leaves out those that are allowed.
      const more = hasMore && listed.length > 0 ? moreSettingNames : [];
      const all = toListOrder([...new Set([...listed, ...more])]);
      const names = isTopicMeant(chat, id, wanted)
        ? all
        : all.filter((name) => settingLabel(name).toLocaleLowerCase().includes(wanted));
      return { id, names, isFiltered: names.length < all.length };
    })
    .filter(({ names }) => names.length > 0 || wanted === '');
}
