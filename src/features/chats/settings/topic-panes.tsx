/** On wide screens: the list of topics, and beside it the settings of the chosen one. */
import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';

import { dashboardPaths } from '#lib/paths';
import { PartBoundary } from '#ui/part-boundary';

import { NearView, toBlocks } from '../near-view.tsx';
import { useBlocked } from '../setting-writes.ts';
import { chatTexts } from '../texts.ts';
import { TopicSection, type TopicSectionProps } from './topic-section.tsx';

import settings from './settings.module.css';
import styles from './topic-panes.module.css';

const texts = chatTexts.settings;

/** More topics than a tall screen shows. */
const blockSize = 25;

type Topic = Pick<TopicSectionProps, 'title' | 'number' | 'names' | 'isFiltered'> & {
  readonly id: string;
};

type TopicPanesProps = {
  /** Those that the search has found. */
  readonly topics: readonly Topic[];
  /** The topic in the address. */
  readonly topicId: string | undefined;
  /** Whether the focus goes to it. */
  readonly isTargeted: boolean;
  readonly shared: Pick<
    TopicSectionProps,
    'chatId' | 'canChangeMany' | 'hasMore' | 'hasOthers' | 'onOpen'
  >;
  readonly search: ReactNode;
  /** Stands where the settings would, for a topic that the chat does not have yet. */
  readonly missing: ReactNode;
  readonly found: ReactNode;
  readonly add: ReactNode;
};

export function TopicPanes({
  topics,
  topicId,
  isTargeted,
  shared,
  search,
  missing,
  found,
  add,
}: TopicPanesProps) {
  /** Once the user has chosen a topic here, the focus stays in the list. */
  const [hasChosen, setHasChosen] = useState(!isTargeted);
  const named = topics.find(({ id }) => id === topicId);
  const current = named ?? (missing ? undefined : topics[0]);

  return (
    <div className={settings.panes}>
      <div className={`${settings.side} ${styles.side}`}>
        {search}
        <nav aria-label={texts.topics} className={styles.list}>
          {toBlocks(topics, blockSize).map((block, index) => (
            <NearView
              key={block[0]?.id}
              isFirst={index === 0 || (current !== undefined && block.includes(current))}
              counts={[block.length]}
            >
              {() => (
                <ul>
                  {block.map(({ id, title, number, names }) => (
                    <TopicLink
                      key={id}
                      chatId={shared.chatId}
                      topicId={id}
                      title={title}
                      number={number}
                      names={names}
                      isCurrent={id === current?.id}
                      onChoose={setHasChosen}
                    />
                  ))}
                </ul>
              )}
            </NearView>
          ))}
        </nav>
        {add}
      </div>
      <div key={current?.id} className={settings.pane}>
        {missing}
        {found}
        {current && (
          <PartBoundary message={texts.topicBroken(current.title)} retryText={chatTexts.retry}>
            <TopicSection
              {...shared}
              topicId={current.id}
              title={current.title}
              number={current.number}
              names={current.names}
              isFiltered={current.isFiltered}
              isFirst
              isTarget={current === named && !hasChosen}
            />
          </PartBoundary>
        )}
      </div>
    </div>
  );
}

type TopicLinkProps = Pick<
  TopicSectionProps,
  'chatId' | 'topicId' | 'title' | 'number' | 'names'
> & {
  readonly isCurrent: boolean;
  readonly onChoose: (hasChosen: true) => void;
};

const TopicLink = memo(function TopicLink({
  chatId,
  topicId,
  title,
  number,
  names,
  isCurrent,
  onChoose,
}: TopicLinkProps) {
  const blocked = useBlocked(chatId, topicId, names);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) {
      link.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [isCurrent]);

  return (
    <li>
      <Link
        ref={link}
        to={dashboardPaths.chat(chatId, topicId)}
        className={styles.link}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={() => onChoose(true)}
      >
        <span className={styles.linkTitle} dir="auto">
          {title}
        </span>
        {number !== undefined && <span className={settings.remark}>{number}</span>}
        {blocked.size > 0 && (
          <span className={styles.count}>
            {blocked.size}
            <span className="visually-hidden"> {texts.blocked}</span>
          </span>
        )}
      </Link>
    </li>
  );
});
