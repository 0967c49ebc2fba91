/** The LoRAs in the form with their weights and trigger words, and a field that adds one by its ID. */
import { Check, Plus, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';

import { loraWeight } from '#contract/images/limits';
import { usePlatform } from '#lib/platform';
import { Button, IconButton } from '#ui/button';
import { passFocusOn } from '#ui/empty-state';
import { Field } from '#ui/field';

import { type Limits } from '../../shared/abilities.tsx';
import { type LoraEntry } from '../../shared/recipe.ts';
import { addLoras, describeLora, removeLora, setLoraWeight, toggleTriggerWord } from '../draft.ts';
import { hasWord } from '../trigger-words.ts';
import { isModelId, useModelInfo } from './model-info.ts';
import { generatorTexts } from './texts.ts';

import styles from './generator.module.css';

const { loras: texts, model: modelTexts } = generatorTexts;

type LoraListProps = { readonly loras: readonly LoraEntry[]; readonly limits: Limits };

export function LoraList({ loras, limits }: LoraListProps) {
  return (
    <section tabIndex={-1} className={styles.loras} aria-labelledby="loras-heading">
      <div className={styles.head}>
        <h3 id="loras-heading">{texts.heading}</h3>
        <span className={styles.count}>{texts.count(loras.length, limits.loras)}</span>
      </div>
      {loras.length === 0 ? (
        <p className={styles.hint}>{texts.none}</p>
      ) : (
        <ul className={styles.list}>
          {loras.map((lora) => (
            <LoraRow key={lora.id} lora={lora} range={limits.weight} />
          ))}
        </ul>
      )}
      <AddLora loras={loras} limit={limits.loras} />
    </section>
  );
}

/** Finds out the name and the trigger words of LoRAs that were added by their ID. Shows nothing. */
export function LoraNames({ loras }: Pick<LoraListProps, 'loras'>) {
  return loras
    .filter(({ name }) => name === undefined)
    .map(({ id }) => <LoraName key={id} id={id} />);
}

function LoraName({ id }: { readonly id: string }) {
  const info = useModelInfo(id);

  useEffect(() => {
    // Stored with the draft, as the query's result is gone after a reload.
    if (info) {
      describeLora({ id, name: info.name, triggerWords: info.triggerWords });
    }
  }, [id, info]);

  return null;
}

type LoraRowProps = { readonly lora: LoraEntry; readonly range: Limits['weight'] };

function LoraRow({ lora, range }: LoraRowProps) {
  const { id, name, percentage } = lora;
  const platform = usePlatform();
  const shownName = name ?? id;

  return (
    <li className={styles.row}>
      <div className={styles.name}>
        <span dir="auto">{shownName}</span>
        {id.trim() === '' && <span className={styles.hint}>{texts.noId}</span>}
        {shownName !== id && <span className={styles.id}>{id}</span>}
      </div>
      <input
        type="range"
        className={styles.slider}
        aria-label={texts.slide(shownName)}
        min={range.min}
        max={range.max}
        step={loraWeight.step}
        value={percentage}
        onChange={(event) => setLoraWeight(id, event.target.valueAsNumber)}
      />
      <WeightInput
        key={id}
        label={texts.weight(shownName)}
        range={range}
        value={percentage}
        onChange={(weight) => setLoraWeight(id, Math.min(range.max, weight))}
      />
      <IconButton
        ref={passFocusOn}
        label={texts.remove(shownName)}
        className={styles.remove}
        icon={<X aria-hidden size={20} />}
        onClick={() => {
          platform.haptic('light');
          removeLora(id);
        }}
      />
    </li>
  );
}

type WeightInputProps = {
  readonly label: string;
  readonly range: Limits['weight'];
  readonly value: number;
  readonly onChange: (weight: number) => void;
};

/** Keeps the typed text while it means the same weight: "70." must not become "70". */
function WeightInput({ label, range, value, onChange }: WeightInputProps) {
  const [typed, setTyped] = useState<string>();
  const shown = typed !== undefined && parseWeight(typed) === value ? typed : String(value);
  return (
    <span className={styles.weight}>
      <input
        type="text"
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        title={texts.weightRange(range.min, range.max)}
        value={shown}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(parseWeight(event.target.value));
        }}
        onBlur={() => setTyped(undefined)}
        onKeyDown={(event) => step(event, value, onChange)}
      />
      <span aria-hidden>%</span>
    </span>
  );
}

/** A comma is a decimal point in many languages. Returns 0 for a text that is no number. */
function parseWeight(text: string): number {
  const number = Number(text.replace(',', '.'));
  return Number.isFinite(number) ? number : 0;
}

/** Arrow keys change the weight by the smallest step, with Shift by a hundred steps. */
function step(event: KeyboardEvent, value: number, onChange: (weight: number) => void): void {
  const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (direction !== undefined) {
    event.preventDefault();
    onChange(value + direction * loraWeight.step * (event.shiftKey ? 100 : 1));
  }
}

type AddLoraProps = { readonly loras: readonly LoraEntry[]; readonly limit: number };

function AddLora({ loras, limit }: AddLoraProps) {
  const platform = usePlatform();
  const [typed, setTyped] = useState('');
  const id = typed.trim();
  const isFull = loras.length >= limit;
  const isPresent = loras.some((lora) => lora.id === id);
  const problem = findProblem({ id, isPresent });

  const add = () => {
    if (id !== '' && problem === undefined && !isFull) {
      platform.haptic('light');
      addLoras([{ id }]);
      setTyped('');
    }
  };

  return (
    <Field
      label={texts.byId}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      enterKeyHint="done"
      value={typed}
      disabled={isFull}
      error={problem}
      hint={isFull ? texts.full(limit) : undefined}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        // Otherwise Enter would submit the form.
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
          event.preventDefault();
          add();
        }
      }}
      trailing={
        <Button
          icon={<Plus aria-hidden size={18} />}
          disabled={isFull || id === '' || problem !== undefined}
          onClick={add}
        >
          {texts.add}
        </Button>
      }
    />
  );
}

function findProblem({ id, isPresent }: { id: string; isPresent: boolean }): string | undefined {
  if (isPresent) {
    return texts.present;
  }
  return id === '' || isModelId(id) ? undefined : modelTexts.badId;
}

type TriggerChipsProps = {
  readonly loras: readonly LoraEntry[];
  readonly prompt: string;
};

/** The trigger words of the LoRAs; a click puts one into the prompt or takes it out. */
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
        // Screen readers announce a fieldset as a part of the form to fill in.
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
