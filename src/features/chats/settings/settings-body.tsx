/** The search box, the topics of a chat, and adding one. */
import { Plus } from 'lucide-react';
import { useDeferredValue, useMemo, useReducer, useState } from 'react';

import { settingLabel } from '#contract/chats/message-types';
import { chatActivity } from '#contract/endpoints/chat-activity';
import { type Chat } from '#contract/endpoints/chats';
import { useCapabilities } from '#lib/capabilities';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Notice } from '#ui/notice';
import { PartBoundary } from '#ui/part-boundary';
import { SearchField } from '#ui/search-field';

import { chatTexts } from '../texts.ts';
import { AddTopicDialog } from './add-topic-dialog.tsx';
import { ChatTools } from './chat-tools.tsx';
import { HealthStrip } from './health-strip.tsx';
import { inListOrder } from './setting-order.ts';
import { TopicSection } from './topic-section.tsx';
import { isTopicMeant, topicNumber, topicTitle } from './topic-title.ts';

import styles from './settings.module.css';

const texts = chatTexts.settings;

/** Topics whose toggles are drawn with the page: more than a tall screen shows. */
const topicsAtOnce = 3;

type SettingsBodyProps = { readonly chat: Chat; readonly topicId: string | undefined };

export function SettingsBody({ chat, topicId }: SettingsBodyProps) {
  const [term, setTerm] = useState('');
  const [collapsed, toggle] = useReducer(toggled, nothingCollapsed);
  const [adding, setAdding] = useState<{ readonly suggested: string }>();
  // Typing stays quick with hundreds of topics: the list may follow a moment later.
  const wanted = useDeferredValue(term).trim().toLocaleLowerCase();
  // The memoised sections need the same names as before.
  const topics = useMemo(() => foundTopics(chat, wanted), [chat, wanted]);
  const hasCare = useCapabilities().has(chatActivity) === true;
  const isMissing = topicId !== undefined && chat.topics[topicId] === undefined;

  function search(text: string): void {
    setTerm(text);
    // What is found must be seen.
    toggle('none');
  }

  return (
    <>
      {hasCare && <HealthStrip chatId={chat.chat_id} />}
      {hasCare && <ChatTools chat={chat} />}
      <SearchField
        label={texts.search}
        clearLabel={texts.clearSearch}
        value={term}
        onChange={search}
      />
      {isMissing && (
        <Notice
          tone="info"
          action={
            <Button onClick={() => setAdding({ suggested: topicId })}>
              {chatTexts.addTopic.openFor(topicTitle(chat, topicId))}
            </Button>
          }
        >
          {texts.topicMissing(topicTitle(chat, topicId))}
        </Notice>
      )}
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
              canChangeMany={hasCare}
              isOpen={!collapsed.has(id)}
              isFirst={index < topicsAtOnce}
              isTarget={id === topicId}
              onToggle={toggle}
            />
          </PartBoundary>
        ))}
      </div>
      <Button
        className={styles.more}
        icon={<Plus aria-hidden size={18} />}
        onClick={() => setAdding({ suggested: '' })}
      >
        {chatTexts.addTopic.open}
      </Button>
      {adding && (
        <AddTopicDialog
          chat={chat}
          suggested={adding.suggested}
          onClose={() => setAdding(undefined)}
        />
      )}
    </>
  );
}

const nothingCollapsed: ReadonlySet<string> = new Set();

/** Collapses or opens one topic; 'none', which is no topic's number, opens all. */
function toggled(collapsed: ReadonlySet<string>, topic: string): ReadonlySet<string> {
  if (topic === 'none') {
    return nothingCollapsed;
  }
  const others = [...collapsed].filter((id) => id !== topic);
  return new Set(collapsed.has(topic) ? others : [...others, topic]);
}

type FoundTopic = {
  readonly id: string;
  readonly names: readonly string[];
  /** Whether it has more settings than these. */
  readonly isFiltered: boolean;
};

/**
 * The topics in the order of their numbers, each with the settings whose label has the term, or with
 * all of them when the topic itself is meant.
 */
function foundTopics(chat: Chat, wanted: string): readonly FoundTopic[] {
  return Object.entries(chat.topics)
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([id, settings]) => {
      const all = inListOrder(Object.keys(settings));
      const names = isTopicMeant(chat, id, wanted)
        ? all
        : all.filter((name) => settingLabel(name).toLocaleLowerCase().includes(wanted));
      return { id, names, isFiltered: names.length < all.length };
    })
    .filter(({ names }) => names.length > 0 || wanted === '');
}
