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
import { type ChatSection, dashboardPaths } from '#lib/paths';
import { toSearchable } from '#lib/search-term';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Notice } from '#ui/notice';
import { PartBoundary } from '#ui/part-boundary';
import { SearchField } from '#ui/search-field';
import { Skeleton } from '#ui/skeleton';

import { useManagedChat } from '../managed-chat.ts';
import { allTopicsTexts } from '../message-type-texts.ts';
import { byTopicId, isTopicMeant, topicNumber, topicTitle } from '../names.ts';
import { Pending, WithoutNetwork } from '../pending.tsx';
import { chatQueries } from '../queries.ts';
import { SectionPanel, SectionTabs, useSections } from '../sections/section-tabs.tsx';
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
  import('./state-dialog.tsx').then(({ LanguageDialog: dialog }) => ({ default: dialog })),
);
const AttackStrip = lazy(() =>
  import('../joining/attack.tsx').then(({ AttackStrip: strip }) => ({ default: strip })),
);
const sectionParts = {
  moderation: lazy(() =>
    import('../moderation/moderation-section.tsx').then(({ ModerationSection: part }) => ({
      default: part,
    })),
  ),
  joining: lazy(() =>
    import('../joining/joining-section.tsx').then(({ JoiningSection: part }) => ({
      default: part,
    })),
  ),
  greetings: lazy(() =>
    import('../greetings/greetings-section.tsx').then(({ GreetingsSection: part }) => ({
      default: part,
    })),
  ),
  automatic: lazy(() =>
    import('../automatic/automatic-section.tsx').then(({ AutomaticSection: part }) => ({
      default: part,
    })),
  ),
  content: lazy(() =>
    import('../content/content-section.tsx').then(({ ContentSection: part }) => ({
      default: part,
    })),
  ),
  log: lazy(() =>
    import('../log/log-section.tsx').then(({ LogSection: part }) => ({ default: part })),
  ),
} as const;

/** Topics whose toggles are rendered with the page: more than a tall screen shows. */
const topicsAtOnce = 3;

type SettingsStepProps = {
  readonly chatId: string;
  readonly topicId: string | undefined;
  readonly section: ChatSection;
  readonly hasMoved: boolean;
};

export function SettingsStep({ chatId, topicId, section, hasMoved }: SettingsStepProps) {
  const query = useManagedChat(chatId, { topicId, section });
  const sections = useSections(section);
  const hasValues = sections.all.includes('joining');
  const [part, setPart] = useState<OpenPart>();
  /** Once the user has chosen a tab here, the focus stays in the tabs. */
  const [hasChosen, setHasChosen] = useState(false);
  const chat = query.data;
  const known = useKnownChat(chatId, chat);

  if (query.refusal !== undefined && chat === undefined) {
    return (
      <Navigate to={dashboardPaths.verify(chatId)} replace state={{ refusal: query.refusal }} />
    );
  }
  return (
    <div className={styles.step} data-tabs={sections.hasTabs}>
      <ChatBar
        chatId={chatId}
        known={known}
        isLastKnown={query.isLastKnown}
        hasMoved={hasMoved}
        hasValues={hasValues}
        getTopic={() => chat && findTopicInView(chat)}
        onOpen={setPart}
      />
      <WithoutNetwork chatId={chatId} />
      <UnderAttack chatId={chatId} isOffered={hasValues && chat !== undefined} />
      {sections.hasTabs && (
        <SectionTabs
          chatId={chatId}
          topicId={topicId}
          sections={sections}
          onChoose={() => setHasChosen(true)}
        />
      )}
      <SectionPanel sections={sections} className={styles.panel}>
        {chat && sections.current === 'locks' ? (
          <Content
            chat={chat}
            topicId={topicId}
            hasTabs={sections.hasTabs}
            isTargeted={!hasChosen}
            onOpen={setPart}
          />
        ) : chat && sections.current && sections.current !== 'locks' ? (
          <OtherSection name={sections.current} chat={chat} />
        ) : (
          <Pending
            query={query}
            skeleton={section === 'locks' ? <SettingsSkeleton {...sections} /> : undefined}
            shape="sections"
            loading={texts.loading}
            failed={texts.loadFailed}
          />
        )}
      </SectionPanel>
      {part && (
        <Suspense fallback={null}>
          <Part part={part} chatId={chatId} chat={chat} onClose={() => setPart(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

type UnderAttackProps = { readonly chatId: string; readonly isOffered: boolean };

/** What is shown on every tab while the chat is under attack. It needs the values, which the locks do not. */
function UnderAttack({ chatId, isOffered }: UnderAttackProps) {
  return (
    isOffered && (
      <PartBoundary message={texts.sectionBroken} retryText={chatTexts.retry}>
        <Suspense fallback={null}>
          <AttackStrip chatId={chatId} />
        </Suspense>
      </PartBoundary>
    )
  );
}

/** The list knows the chat's title before its settings have been read. */
function useKnownChat(chatId: string, chat: Chat | undefined): Chat | undefined {
  const listed = useQueryClient().getQueryData(chatQueries.list().queryKey)?.chats;
  return chat ?? listed?.find(({ chat_id }) => chat_id === chatId);
}

type OtherSectionProps = { readonly name: keyof typeof sectionParts; readonly chat: Chat };

function OtherSection({ name, chat }: OtherSectionProps) {
  const Section = sectionParts[name];
  return (
    <PartBoundary key={name} message={texts.sectionBroken} retryText={chatTexts.retry}>
      <Suspense fallback={<Skeleton shape="sections" label={texts.loading} />}>
        <Section chat={chat} />
      </Suspense>
    </PartBoundary>
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
function SettingsSkeleton({ hasTabs }: { readonly hasTabs: boolean }) {
  return (
    <div className={`${bones.skeleton} ${styles.panes}`}>
      <div className={styles.side}>
        <div className={hasTabs ? `${bones.searchBone} ${bones.beside}` : bones.searchBone} />
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
  /** Whether the search shares a row with tabs. */
  readonly hasTabs: boolean;
  /** Whether the page goes to the topic of the address. */
  readonly isTargeted: boolean;
  readonly onOpen: (part: OpenPart) => void;
};

function Content({ chat, topicId, hasTabs, isTargeted, onOpen }: ContentProps) {
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
      <div className={hasTabs ? styles.besideTabs : undefined}>
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
      </div>
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
    return <TopicPanes {...{ topics, topicId, isTargeted, shared }} {...parts} />;
  }
  return (
    <>
      {parts.search}
      {parts.missing}
      {parts.found}
      <TopicList {...{ topics, topicId, isTargeted, shared, collapsed }} onFold={toggle} />
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

type TopicListProps = Pick<
  Parameters<typeof TopicPanes>[0],
  'topics' | 'topicId' | 'isTargeted' | 'shared'
> & {
  readonly collapsed: ReadonlySet<string>;
  readonly onFold: (topicId: string) => void;
};

/** All topics below each other. */
function TopicList({ topics, topicId, isTargeted, shared, collapsed, onFold }: TopicListProps) {
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
              isTarget={isTargeted && id === topicId}
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
