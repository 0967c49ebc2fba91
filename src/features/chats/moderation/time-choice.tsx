/** A row in which one of some times is chosen, or another is typed. */
import { useId, useRef, useState } from 'react';

import { Button } from '#ui/button';
import { Field } from '#ui/field';
import { Cell } from '#ui/section';

import { timeText } from '../value-lines.ts';
import { moderationTexts } from './texts.ts';
import { parseTime } from './times.ts';

import styles from './moderation.module.css';

const texts = moderationTexts.rules;

type TimeChoiceProps = {
  readonly title: string;
  /** In seconds. */
  readonly times: readonly number[];
  /** What stands for no end. */
  readonly endless: string;
  /** Undefined for no end. */
  readonly value: number | undefined;
  /** Whether other times can be typed. */
  readonly canType?: boolean;
  readonly onChoose: (seconds: number | undefined) => void;
};

export function TimeChoice({
  title,
  times,
  endless,
  value,
  canType = false,
  onChoose,
}: TimeChoiceProps) {
  const select = useRef<HTMLSelectElement>(null);
  const [isTyping, setIsTyping] = useState(false);
  // A command may have set any time.
  const offered = value === undefined || times.includes(value) ? times : [...times, value];

  return (
    <>
      <Cell
        isLabel
        title={title}
        after={
          <select
            ref={select}
            aria-label={title}
            value={isTyping ? 'other' : String(value ?? 'endless')}
            onChange={({ target }) => {
              const isOther = target.value === 'other';
              setIsTyping(isOther);
              if (!isOther) {
                onChoose(target.value === 'endless' ? undefined : Number(target.value));
              }
            }}
          >
            {offered
              .toSorted((one, other) => one - other)
              .map((seconds) => (
                <option key={seconds} value={seconds}>
                  {timeText(seconds)}
                </option>
              ))}
            <option value="endless">{endless}</option>
            {canType && <option value="other">{texts.other}</option>}
          </select>
        }
      />
      {isTyping && (
        <TypedTime
          onSet={(seconds) => {
            setIsTyping(false);
            select.current?.focus();
            onChoose(seconds);
          }}
        />
      )}
    </>
  );
}

function TypedTime({ onSet }: { readonly onSet: (seconds: number) => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();

  return (
    <form
      noValidate
      className={styles.typed}
      onSubmit={(event) => {
        event.preventDefault();
        const seconds = parseTime(text);
        if (seconds === undefined) {
          setError(texts.otherInvalid);
          document.getElementById(id)?.focus();
        } else {
          onSet(seconds);
        }
      }}
    >
      <Field
        id={id}
        label={texts.otherField}
        hint={texts.otherHint}
        error={error}
        value={text}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="done"
        onChange={({ target }) => {
          setText(target.value);
          setError(undefined);
        }}
        trailing={<Button type="submit">{texts.otherSet}</Button>}
      />
    </form>
  );
}
