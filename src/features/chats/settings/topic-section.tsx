/** One topic of a chat: its groups of toggles, and buttons that change many of its settings together. */
import { Copy, SlidersHorizontal } from 'lucide-react';
import { lazy, memo, Suspense, useEffect, useId, useState } from 'react';

import { Button } from '#ui/button';
import { Disclosure } from '#ui/disclosure';

import { groupTexts, presetTexts } from '../message-type-texts.ts';
import { NearView } from '../near-view.tsx';
import { type SettingGroup as GroupName, toGroups } from '../setting-order.ts';
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
  isOpen,
  isFirst,
  isTarget,
  onToggle,
  ...topic
}: TopicSectionProps) {
  const { chatId, topicId, title } = topic;
  const blocked = useBlocked(chatId, topicId, names);
  const groups = toGroups(names);
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
        <NearView isFirst={isFirst || isTarget} counts={groups.map((group) => group.names.length)}>
          {() => (
            <div className={styles.groups}>
              {canChangeMany && <TopicActions {...topic} />}
              {groups.map((group) => (
                <SettingGroup
                  key={group.group}
                  {...topic}
                  {...group}
                  blocked={blocked}
                  canChangeAll={canChangeMany && !isFiltered && group.group !== 'other'}
                />
              ))}
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
        <h4 id={headingId}>{groupTexts.heading[group]}</h4>
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
