/** The trigger words of the chosen LoRAs, to be put into the prompt and taken out of it. */
import { Check, Plus } from 'lucide-react';

import { usePlatform } from '#lib/platform';

import { type LoraEntry } from '../../shared/recipe.ts';
import { toggleTriggerWord } from '../draft.ts';
import { hasWord } from '../trigger-words.ts';
import { generatorTexts } from './texts.ts';

import styles from './trigger-chips.module.css';

const { loras: texts } = generatorTexts;

type TriggerChipsProps = {
  readonly loras: readonly LoraEntry[];
  readonly prompt: string;
};

export function TriggerChips({ loras, prompt }: TriggerChipsProps) {
  const owners = loras
    .map(({ id, name = id, triggerWords = [] }) => ({
      id,
      name,
      words: [...new Set(triggerWords.map((word) => word.trim()))].filter((word) => word !== ''),
    }))
    .filter(({ words }) => words.length > 0);

  if (owners.length === 0) {
    return null;
  }
  return (
    <div className={styles.owners}>
      {owners.map(({ id, name, words }) => (
        // A fieldset would be announced as a part of the form that can be filled in.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        <div key={id} role="group" aria-label={texts.words(name)} className={styles.words}>
          <span className={styles.owner} aria-hidden>
            {name}
          </span>
          {words.map((word) => (
            <Chip key={word} word={word} isUsed={hasWord(prompt, word)} />
          ))}
        </div>
      ))}
      <p className={styles.hint}>{texts.wordsHint}</p>
    </div>
  );
}

function Chip({ word, isUsed }: { readonly word: string; readonly isUsed: boolean }) {
  const platform = usePlatform();
  const Icon = isUsed ? Check : Plus;
  return (
    <button
      type="button"
      className={styles.chip}
      aria-pressed={isUsed}
      onClick={() => {
        platform.haptic('light');
        toggleTriggerWord(word);
      }}
    >
      <Icon aria-hidden size={14} />
      {word}
    </button>
  );
}
