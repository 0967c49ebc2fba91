/** One topic of a chat: its groups of toggles, and buttons that change many of its settings together. */
import { ChevronDown, Copy, SlidersHorizontal } from 'lucide-react';
import { lazy, memo, Suspense, useEffect, useId, useState } from 'react';

import { Button } from '#ui/button';
import { Disclosure } from '#ui/disclosure';

import { groupTexts, presetTexts } from '../message-type-texts.ts';
import { NearView } from '../near-view.tsx';
import { isMoreGroup, type SettingGroup as GroupName, toGroups } from '../setting-order.ts';
import { useBlocked } from '../setting-writes.ts';
import { useChangeSettings } from '../settings-change.ts';
import { chatTexts } from '../texts.ts';
import { PresetDialog } from './preset-dialog.tsx';
import { SettingRow } from './setting-row.tsx';

import styles from './settings.module.css';

const texts = chatTexts.settings;

const CopyDialog = lazy(() =>
  import('../copy/copy-dialog.tsx').then(({ CopyDialog: dialog }) => ({ default: dialog })),
);

type TopicId = {
  readonly chatId: string;
  readonly topicId: string;
  readonly title: string;
};

type TopicSectionProps = TopicId & {
  /** Its number, if the title does not say it. */
  readonly number: string | undefined;
  readonly names: readonly string[];
  /** Whether the search hides some of its settings. */
  readonly isFiltered: boolean;
  /** Whether the server can change many settings together. */
  readonly canChangeMany: boolean;
  /** Whether the server has more message types than the specification. */
  readonly hasMore: boolean;
  readonly isOpen: boolean;
  readonly isFirst: boolean;
  /** Whether the address names this topic: then the page scrolls to it and focuses its heading. */
  readonly isTarget: boolean;
  readonly onToggle: (topicId: string) => void;
};

/** Memoised: with 500 topics, a letter typed into the search took 110 ms instead of 20 without it. */
export const TopicSection = memo(function TopicSection({
  number,
  names,
  isFiltered,
  canChangeMany,
  hasMore,
  isOpen,
  isFirst,
  isTarget,
  onToggle,
  ...topic
}: TopicSectionProps) {
  const { chatId, topicId, title } = topic;
  const blocked = useBlocked(chatId, topicId, names);
  const [isMoreOpen, setIsMoreOpen] = useState(false);
  const groups = toGroups(names, { hasMore });
  const more = groups.filter(({ group }) => isMoreGroup(group));
  const others = groups.filter(({ group }) => !isMoreGroup(group));
  // A match of the search must not be hidden.
  const isMoreShown = isMoreOpen || isFiltered;
  const toSection = (group: (typeof groups)[number]) => (
    <SettingGroup
      key={group.group}
      {...topic}
      {...group}
      blocked={blocked}
      canChangeAll={canChangeMany && !isFiltered && group.group !== 'other'}
    />
  );
  const id = `topic-${topicId}`;

  useEffect(() => {
    if (isTarget) {
      const heading = document.getElementById(id);
      heading?.scrollIntoView({ block: 'start' });
      heading?.focus({ preventScroll: true });
    }
  }, [isTarget, id]);

  return (
    <Disclosure
      id={id}
      heading={title}
      remark={[number, texts.blockedCount(blocked.size)].filter(Boolean).join(' · ')}
      isOpen={isOpen}
      onToggle={() => onToggle(topicId)}
    >
      {names.length === 0 ? (
        <p className={styles.none}>{texts.noneInTopic}</p>
      ) : (
        <NearView
          isFirst={isFirst || isTarget}
          counts={(isMoreShown ? groups : others).map((group) => group.names.length)}
        >
          {() => (
            <div className={styles.groups}>
              {canChangeMany && <TopicActions {...topic} />}
              {others.map(toSection)}
              {more.length > 0 && !isFiltered && (
                <MoreButton
                  topic={title}
                  count={
                    more.flatMap((group) => group.names).filter((name) => blocked.has(name)).length
                  }
                  isOpen={isMoreOpen}
                  onToggle={() => setIsMoreOpen(!isMoreOpen)}
                />
              )}
              {isMoreShown && more.map(toSection)}
            </div>
          )}
        </NearView>
      )}
    </Disclosure>
  );
});

/** The dialogs read the chat from the cache: as a prop it would render 500 topics again and again. */
function TopicActions(topic: TopicId) {
  const { chatId, topicId, title } = topic;
  const [dialog, setDialog] = useState<'preset' | 'copy'>();
  const close = () => setDialog(undefined);
  return (
    <div className={styles.actions}>
      <Button
        icon={<SlidersHorizontal aria-hidden size={18} />}
        aria-haspopup="dialog"
        aria-label={presetTexts.openFor(title)}
        onClick={() => setDialog('preset')}
      >
        {presetTexts.open}
      </Button>
      <Button
        icon={<Copy aria-hidden size={18} />}
        aria-haspopup="dialog"
        aria-label={texts.copyFrom(title)}
        onClick={() => setDialog('copy')}
      >
        {texts.copy}
      </Button>
      {dialog === 'preset' && (
        <PresetDialog chatId={chatId} topicId={topicId} topic={title} onClose={close} />
      )}
      {dialog === 'copy' && (
        <Suspense fallback={null}>
          <CopyDialog {...topic} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}

type MoreButtonProps = {
  /** The topic's title. */
  readonly topic: string;
  /** How many of the settings behind it are blocked. */
  readonly count: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
};

/** Opens the groups that the specification does not have. */
function MoreButton({ topic, count, isOpen, onToggle }: MoreButtonProps) {
  return (
    <h4 className={styles.moreHead}>
      <button
        type="button"
        className={styles.moreButton}
        aria-expanded={isOpen}
        aria-label={groupTexts.moreIn(topic, texts.blockedCount(count))}
        onClick={onToggle}
      >
        <span>{groupTexts.more}</span>
        <span className={styles.moreCount}>{texts.blockedCount(count)}</span>
        <ChevronDown aria-hidden size={20} />
      </button>
    </h4>
  );
}

type SettingGroupProps = TopicId & {
  readonly group: GroupName;
  readonly names: readonly string[];
  readonly blocked: ReadonlySet<string>;
  /** Whether all of them can be changed together. */
  readonly canChangeAll: boolean;
};

function SettingGroup({ group, names, blocked, canChangeAll, ...topic }: SettingGroupProps) {
  const { chatId, topicId, title } = topic;
  const headingId = useId();
  const change = useChangeSettings();
  const Heading = isMoreGroup(group) ? 'h5' : 'h4';

  const setAll = (isBlocked: boolean) => {
    const toText = isBlocked ? groupTexts.blockedAll : groupTexts.allowedAll;
    const settings = Object.fromEntries(names.map((name) => [name, isBlocked]));
    void change({ chatId, kind: 'bulk', topics: { [topicId]: settings } }, (count) =>
      toText(group, title, count),
    );
  };

  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A fieldset cannot have a heading beside buttons.
    <div role="group" aria-labelledby={headingId} className={styles.group}>
      <div className={styles.groupHead}>
        <Heading id={headingId}>{groupTexts.heading[group]}</Heading>
        {canChangeAll && (
          <div className={styles.all}>
            {[true, false].map((isBlocked) => {
              const text = isBlocked ? groupTexts.blockAll : groupTexts.allowAll;
              return (
                <Button
                  key={text}
                  kind="quiet"
                  className={styles.allButton}
                  aria-label={groupTexts.all(text, group, title)}
                  onClick={() => setAll(isBlocked)}
                >
                  {text}
                </Button>
              );
            })}
          </div>
        )}
      </div>
      <ul className={styles.settings}>
        {names.map((name) => (
          <SettingRow
            key={name}
            chatId={chatId}
            topicId={topicId}
            topic={title}
            name={name}
            isBlocked={blocked.has(name)}
          />
        ))}
      </ul>
    </div>
  );
}
