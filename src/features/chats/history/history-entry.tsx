/** One change: who did what and when, the settings one by one where there are several, and taking it back. */
import { useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';

import { type Change } from '#contract/endpoints/chat-changes';
import { type Chat } from '#contract/endpoints/chats';
import { useFocusKept } from '#lib/focus';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';

import { NearView } from '../near-view.tsx';
import { timeOf } from './days.ts';
import { authorOf, type ChangedTopic, changedTopics, deedOf } from './describe.ts';
import { askToRevert } from './revert.ts';
import { historyTexts as texts } from './texts.ts';

import styles from './history.module.css';

/** Topics that are drawn together. */
const topicsPerBlock = 30;

type HistoryEntryProps = {
  readonly chatId: string;
  readonly chat: Pick<Chat, 'topic_names'>;
  readonly change: Change;
};

export function HistoryEntry({ chatId, chat, change }: HistoryEntryProps) {
  const client = useQueryClient();
  const platform = usePlatform();
  const [isReverting, setIsReverting] = useState(false);
  const author = authorOf(change);
  const deed = deedOf(change, chat);
  const time = timeOf(change.changed_at);
  // A single toggle is told by its title.
  const hasMore = change.items.length > 1 || change.kind !== 'toggle';

  const button = useRef<HTMLButtonElement>(null);
  useFocusKept(button, isReverting);

  function revert(): void {
    void askToRevert(
      { client, platform },
      { chatId, change, onBegin: () => setIsReverting(true) },
    ).finally(() => setIsReverting(false));
  }

  return (
    <li className={styles.entry}>
      <p className={styles.deed}>
        <strong dir="auto">{author}</strong> {deed}
      </p>
      <time className={styles.time} dateTime={new Date(change.changed_at).toISOString()}>
        {time}
      </time>
      <Button
        ref={button}
        kind="quiet"
        className={styles.revert}
        isBusy={isReverting}
        icon={<Undo2 aria-hidden size={18} />}
        aria-label={texts.revert.name(`${author} ${deed}`, time)}
        onClick={revert}
      >
        {texts.revert.button}
      </Button>
      {hasMore && <Items change={change} chat={chat} />}
    </li>
  );
}

function Items({ change, chat }: Pick<HistoryEntryProps, 'change' | 'chat'>) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const count = change.items.length;
  return (
    <>
      <Button
        kind="quiet"
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? texts.hideItems(count) : texts.showItems(count)}
      </Button>
      {isOpen && (
        <div id={id} className={styles.items}>
          {blocksOf(changedTopics(change, chat)).map((block, index) => (
            <NearView key={block[0]?.topicId} isFirst={index === 0} counts={[block.length]}>
              {() => <dl>{block.map(TopicLines)}</dl>}
            </NearView>
          ))}
        </div>
      )}
    </>
  );
}

function TopicLines({ topicId, title, lines }: ChangedTopic) {
  return (
    <div key={topicId} className={styles.topic}>
      <dt dir="auto">{title}</dt>
      {lines.map((line) => (
        <dd key={line}>{line}</dd>
      ))}
    </div>
  );
}

function blocksOf(topics: readonly ChangedTopic[]): readonly (readonly ChangedTopic[])[] {
  return Array.from({ length: Math.ceil(topics.length / topicsPerBlock) }, (_block, index) =>
    topics.slice(index * topicsPerBlock, (index + 1) * topicsPerBlock),
  );
}
