/** One setting of a topic: its label, 'Blocked' or 'Allowed', the switch between them, and what it is about. */
import { useId, useState } from 'react';

import { Switch } from '#ui/switch';

import { chatTexts } from '../texts.ts';

import styles from './settings.module.css';

const texts = chatTexts.settings;

/** How long a toggle refuses further presses. */
const lockMs = 150;

type SettingRowProps = {
  readonly label: string;
  /** A sentence about it; unknown settings have none. */
  readonly explanation: string | undefined;
  readonly topicId: string;
  /** What the topic is called. */
  readonly topic: string;
  readonly isBlocked: boolean;
  readonly onChoose: (isBlocked: boolean) => void;
};

export function SettingRow({ label, explanation, topic, isBlocked, onChoose }: SettingRowProps) {
  const stateId = useId();
  const [isLocked, setIsLocked] = useState(false);

  function choose(wanted: boolean): void {
    setIsLocked(true);
    setTimeout(() => setIsLocked(false), lockMs);
    onChoose(wanted);
  }

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
          onChange={(event) => choose(event.target.checked)}
        />
      </label>
      {explanation !== undefined && <p className={styles.explanation}>{explanation}</p>}
    </li>
  );
}
