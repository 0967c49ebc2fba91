/** The toggle: one setting of a topic with its label, 'Blocked' or 'Allowed', the switch, and an explanation. */
import { useId, useState } from 'react';

import { settingLabel } from '#contract/chats/message-types';
import { Switch } from '#ui/switch';

import { explanations } from '../message-type-texts.ts';
import { useChooseSetting } from '../setting-writes.ts';
import { chatTexts } from '../texts.ts';

import styles from './settings.module.css';

const texts = chatTexts.settings;

/** How long a toggle refuses further presses. */
const lockMs = 150;

/** Settings that this version does not know have no explanation. */
const explanationByName = new Map(
  Object.entries(explanations).map(([type, text]) => [`${type}_blocked`, text]),
);

type SettingRowProps = {
  readonly chatId: string;
  readonly topicId: string;
  /** The topic's title. */
  readonly topic: string;
  readonly name: string;
  readonly isBlocked: boolean;
};

export function SettingRow({ chatId, topicId, topic, name, isBlocked }: SettingRowProps) {
  const stateId = useId();
  const [isLocked, setIsLocked] = useState(false);
  const choose = useChooseSetting({ chatId, topicId, name });
  const label = settingLabel(name);
  const explanation = explanationByName.get(name);

  return (
    <li className={styles.row}>
      <label className={styles.setting}>
        <span className={styles.label}>{label}</span>
        <span id={stateId} className={isBlocked ? styles.blocked : styles.allowed}>
          {isBlocked ? texts.blocked : texts.allowed}
        </span>
        <Switch
          tone="ume"
          aria-label={texts.toggle(label, topic)}
          aria-describedby={stateId}
          checked={isBlocked}
          isLocked={isLocked}
          onChange={(event) => {
            setIsLocked(true);
            setTimeout(() => setIsLocked(false), lockMs);
            choose(event.target.checked);
          }}
        />
      </label>
      {explanation !== undefined && <p className={styles.explanation}>{explanation}</p>}
    </li>
  );
}
