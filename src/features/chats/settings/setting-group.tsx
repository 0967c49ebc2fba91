/** The settings of a topic that belong together, and blocking or allowing all of them. */
import { useId } from 'react';

import { settingLabel } from '#contract/chats/message-types';
import { Button } from '#ui/button';

import { useBulkChange } from './bulk-change.ts';
import { explanations, groupTexts as texts } from './care-texts.ts';
import { type SettingGroup as Group } from './setting-order.ts';
import { SettingRow } from './setting-row.tsx';

import styles from './settings.module.css';

type SettingGroupProps = {
  readonly chatId: string;
  readonly topicId: string;
  /** What the topic is called. */
  readonly topic: string;
  readonly group: Group;
  readonly names: readonly string[];
  readonly isBlocked: (name: string) => boolean;
  /** Whether all of them can be changed at once. */
  readonly canChangeAll: boolean;
  readonly onChoose: (name: string, isBlocked: boolean) => void;
};

const explained = new Map(
  Object.entries(explanations).map(([type, text]) => [`${type}_blocked`, text]),
);

export function SettingGroup({
  chatId,
  topicId,
  topic,
  group,
  names,
  isBlocked,
  canChangeAll,
  onChoose,
}: SettingGroupProps) {
  const headingId = useId();
  const change = useBulkChange();

  function setAll(wanted: boolean): void {
    const said = wanted ? texts.blockedAll : texts.allowedAll;
    void change({
      changes: [
        {
          chatId,
          kind: 'bulk',
          topics: { [topicId]: Object.fromEntries(names.map((name) => [name, wanted])) },
        },
      ],
      said: (count) => said(group, topic, count),
    });
  }

  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A fieldset cannot have a heading beside buttons.
    <div role="group" aria-labelledby={headingId} className={styles.group}>
      <div className={styles.groupHead}>
        <h4 id={headingId}>{texts.heading[group]}</h4>
        {canChangeAll && (
          <div className={styles.all}>
            <AllButton text={texts.blockAll} {...{ group, topic }} onPress={() => setAll(true)} />
            <AllButton text={texts.allowAll} {...{ group, topic }} onPress={() => setAll(false)} />
          </div>
        )}
      </div>
      <ul className={styles.settings}>
        {names.map((name) => (
          <SettingRow
            key={name}
            label={settingLabel(name)}
            explanation={explained.get(name)}
            topicId={topicId}
            topic={topic}
            isBlocked={isBlocked(name)}
            onChoose={(wanted) => onChoose(name, wanted)}
          />
        ))}
      </ul>
    </div>
  );
}

type AllButtonProps = {
  readonly text: string;
  readonly group: Group;
  readonly topic: string;
  readonly onPress: () => void;
};

function AllButton({ text, group, topic, onPress }: AllButtonProps) {
  return (
    <Button
      kind="quiet"
      className={styles.allButton}
      aria-label={texts.all(text, group, topic)}
      onClick={onPress}
    >
      {text}
    </Button>
  );
}
