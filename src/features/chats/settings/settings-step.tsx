/** Step 4: what each topic of a chat blocks, or why it cannot be shown. */
import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import {
  Fragment,
  lazy,
  Suspense,
  useDeferredValue,
  useMemo,
  useReducer,
  useState,
  useSyncExternalStore,
} from 'react';
import { Navigate } from 'react-router-dom';

import { moreSettingNames, settingLabel } from '#contract/chats/message-types';
import { chatActivity, chatMoreTypes } from '#contract/endpoints/chat-activity';
import { type Chat } from '#contract/endpoints/chats';
import { useCapabilities } from '#lib/capabilities';
import { dashboardPaths } from '#lib/paths';
import { toSearchable } from '#lib/search-term';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Notice } from '#ui/notice';
import { PartBoundary } from '#ui/part-boundary';
import { SearchField } from '#ui/search-field';

import { useManagedChat } from '../managed-chat.ts';
import { allTopicsTexts } from '../message-type-texts.ts';
import { byTopicId, isTopicMeant, topicNumber, topicTitle } from '../names.ts';
import { Pending } from '../pending.tsx';
import { chatQueries } from '../queries.ts';
import { toListOrder } from '../setting-order.ts';
import { chatTexts } from '../texts.ts';
import { AddTopicDialog } from './add-topic-dialog.tsx';
import { ChatBar, type OpenPart } from './chat-bar.tsx';
import { PresetDialog } from './preset-dialog.tsx';
import { TopicPanes } from './topic-panes.tsx';
import { TopicSection } from './topic-section.tsx';

import styles from './settings.module.css';
import bones from './skeleton.module.css';

const texts = chatTexts.settings;

/** Few users open these, so they are loaded on demand. */
const CopyDialog = lazy(() =>
  import('../copy/copy-dialog.tsx').then(({ CopyDialog: dialog }) => ({ default: dialog })),
);
const StateDialog = lazy(() =>
  import('./state-dialog.tsx').then(({ StateDialog: dialog }) => ({ default: dialog })),
);
const LanguageDialog = lazy(() =>
  import('./language-dialog.tsx').then(({ LanguageDialog: dialog }) => ({ default: dialog })),
);

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
  const [part, setPart] = useState<OpenPart>();
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
    <div className={styles.step}>
      <ChatBar
        chatId={chatId}
        known={known}
        isLastKnown={query.isLastKnown}
        hasMoved={hasMoved}
        getTopic={() => chat && findTopicInView(chat)}
        onOpen={setPart}
      />
      {chat ? (
        <Content chat={chat} topicId={topicId} onOpen={setPart} />
      ) : (
        <Pending
          query={query}
          skeleton={<SettingsSkeleton />}
          loading={texts.loading}
          failed={texts.loadFailed}
        />
      )}
      {part && (
        <Suspense fallback={null}>
          <Part part={part} chatId={chatId} chat={chat} onClose={() => setPart(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

/** The topic that covers a line in the upper third of the window, where the user reads. */
function findTopicInView(chat: Chat) {
  const sections = [...document.querySelectorAll<HTMLElement>('section[data-topic]')];
  const line = window.innerHeight / 3;
  const inView = sections.find((section) => section.getBoundingClientRect().bottom > line);
  const topicId = (inView ?? sections[0])?.dataset['topic'];
  return topicId === undefined ? undefined : { topicId, title: topicTitle(chat, topicId) };
}

type PartProps = {
  readonly part: OpenPart;
  readonly chatId: string;
  readonly chat: Chat | undefined;
  readonly onClose: () => void;
};

function Part({ part, chatId, chat, onClose }: PartProps) {
  if (part.kind === 'health' || part.kind === 'deleted') {
    return (
      <StateDialog chatId={chatId} isAboutDeleted={part.kind === 'deleted'} onClose={onClose} />
    );
  }
  if (chat === undefined) {
    return null;
  }
  if (part.kind === 'language') {
    return <LanguageDialog chat={chat} onClose={onClose} />;
  }
  if (part.kind === 'add') {
    return <AddTopicDialog chat={chat} suggested={part.suggested} onClose={onClose} />;
  }
  const { topicId } = part;
  const title = topicTitle(chat, topicId);
  return part.kind === 'preset' ? (
    <PresetDialog chatId={chatId} topicId={topicId} topic={title} onClose={onClose} />
  ) : (
    <CopyDialog chatId={chatId} topicId={topicId} title={title} onClose={onClose} />
  );
}

/** In the places and sizes of the search box, a topic's heading and its first rows. */
function SettingsSkeleton() {
  return (
    <div className={`${bones.skeleton} ${styles.panes}`}>
      <div className={styles.side}>
        <div className={bones.searchBone} />
        <div className={bones.listBone} />
      </div>
      <div className={styles.pane}>
        <div className={bones.headBone} />
        <div className={styles.columns}>
          {['media', 'objects', 'text'].map((group) => (
            <div key={group} className={bones.rowsBone} />
          ))}
        </div>
      </div>
    </div>
  );
}

type ContentProps = {
  readonly chat: Chat;
  readonly topicId: string | undefined;
  readonly onOpen: (part: OpenPart) => void;
};

function Content({ chat, topicId, onOpen }: ContentProps) {
  const isWide = useIsWide();
  const { has } = useCapabilities();
  const hasMore = has(chatMoreTypes) === true;
  const [term, setTerm] = useState('');
  const [collapsed, toggle] = useReducer(toggleCollapsed, noneCollapsed);
  // Typing stays fast with hundreds of topics: the list may follow a moment later.
  const wanted = toSearchable(useDeferredValue(term).trim());
  // The memoised sections need identical lists of names.
  const topics = useMemo(() => findTopics(chat, { wanted, hasMore }), [chat, wanted, hasMore]);
  const shared = {
    chatId: chat.chat_id,
    canChangeMany: has(chatActivity) === true,
    hasMore,
    hasOthers: Object.keys(chat.topics).length > 1,
    onOpen,
  };
  const parts = {
    search: (
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
    ),
    missing: topicId !== undefined && chat.topics[topicId] === undefined && (
      <MissingTopic
        title={topicTitle(chat, topicId)}
        onAdd={() => onOpen({ kind: 'add', suggested: topicId })}
      />
    ),
    found: (
      <div aria-live="polite" className={styles.found}>
        {topics.length === 0 && <EmptyState mood="sleepy" title={texts.nothingFound} />}
      </div>
    ),
    add: (
      <Button
        kind="quiet"
        className={styles.add}
        icon={<Plus aria-hidden size={18} />}
        onClick={() => onOpen({ kind: 'add', suggested: '' })}
      >
        {chatTexts.addTopic.open}
      </Button>
    ),
  };

  if (isWide) {
    return <TopicPanes topics={topics} topicId={topicId} shared={shared} {...parts} />;
  }
  return (
    <>
      {parts.search}
      {parts.missing}
      {parts.found}
      <TopicList {...{ topics, topicId, shared, collapsed }} onFold={toggle} />
      {parts.add}
    </>
  );
}

type MissingTopicProps = { readonly title: string; readonly onAdd: () => void };

/** For a link to a topic that the chat does not have yet. */
function MissingTopic({ title, onAdd }: MissingTopicProps) {
  return (
    <Notice
      tone="info"
      action={<Button onClick={onAdd}>{chatTexts.addTopic.openFor(title)}</Button>}
    >
      {texts.topicMissing(title)}
    </Notice>
  );
}

type TopicListProps = Pick<Parameters<typeof TopicPanes>[0], 'topics' | 'topicId' | 'shared'> & {
  readonly collapsed: ReadonlySet<string>;
  readonly onFold: (topicId: string) => void;
};

/** All topics below each other. */
function TopicList({ topics, topicId, shared, collapsed, onFold }: TopicListProps) {
  return (
    <div className={styles.topics}>
      {topics.map(({ id, ...topic }, index) => (
        <Fragment key={id}>
          <PartBoundary message={texts.topicBroken(topic.title)} retryText={chatTexts.retry}>
            <TopicSection
              {...shared}
              {...topic}
              topicId={id}
              isFirst={index < topicsAtOnce}
              isTarget={id === topicId}
              fold={collapsed.has(id) ? 'folded' : 'open'}
              onFold={onFold}
            />
          </PartBoundary>
          {index === 0 && shared.hasOthers && shared.canChangeMany && (
            <p className={styles.hint}>{allTopicsTexts.hint}</p>
          )}
        </Fragment>
      ))}
    </div>
  );
}

/** From this width on, the topics and the settings of one of them stand side by side. */
const wide = '(width >= 1100px)';

function useIsWide(): boolean {
  return useSyncExternalStore(
    listenToWidth,
    () => window.matchMedia(wide).matches,
    () => false,
  );
}

function listenToWidth(listen: () => void): () => void {
  const query = window.matchMedia(wide);
  query.addEventListener('change', listen);
  return () => query.removeEventListener('change', listen);
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
        : all.filter((name) => toSearchable(settingLabel(name)).includes(wanted));
      return {
        id,
        title: topicTitle(chat, id),
        number: topicNumber(chat, id),
        names,
        isFiltered: names.length < all.length,
      };
    })
    .filter(({ names }) => names.length > 0 || wanted === '');
}
