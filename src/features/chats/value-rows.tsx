/** Rows in which one value of a chat is chosen, for all tabs. What is chosen applies at once. */
import { useQuery } from '@tanstack/react-query';
import { Minus, Plus } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';

import { type Right } from '#contract/commands/command';
import { chatActivity } from '#contract/endpoints/chat-activity';
import { useCapabilities } from '#lib/capabilities';
import { Button, IconButton } from '#ui/button';
import { Field } from '#ui/field';
import { Notice } from '#ui/notice';
import { Cell } from '#ui/section';
import { Switch } from '#ui/switch';

import { rightTexts } from './moderation/right-texts.ts';
import { parseTime } from './moderation/times.ts';
import { chatQueries } from './queries.ts';
import { timeText } from './value-lines.ts';
import { valueTexts } from './value-texts.ts';

import styles from './sections/sections.module.css';

const texts = valueTexts.choice;

/** How long a switch refuses further presses, as the toggles of message types do. */
const lockMs = 150;

type SwitchCellProps = {
  readonly title: string;
  readonly about?: ReactNode;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
};

/** A row with a switch. */
export function SwitchCell({ title, about, isOn, isDisabled = false, onChange }: SwitchCellProps) {
  const id = useId();
  const [isLocked, setIsLocked] = useState(false);
  return (
    <Cell
      isLabel
      title={title}
      subtitle={about === undefined ? undefined : <span id={id}>{about}</span>}
      after={
        <Switch
          aria-label={title}
          aria-describedby={about === undefined ? undefined : id}
          checked={isOn}
          disabled={isDisabled}
          isLocked={isLocked}
          onChange={(event) => {
            setIsLocked(true);
            setTimeout(() => setIsLocked(false), lockMs);
            onChange(event.target.checked);
          }}
        />
      }
    />
  );
}

type StepperProps = {
  readonly title: string;
  readonly about?: string;
  readonly count: number;
  readonly min: number;
  readonly max: number;
  /** The accessible names of the buttons. */
  readonly fewer: string;
  readonly more: string;
  readonly onChoose: (count: number) => void;
};

/** A row with a small number, and a button on each side of it. */
export function Stepper({ title, about, count, min, max, fewer, more, onChoose }: StepperProps) {
  const step = (by: 1 | -1) => {
    const next = count + by;
    if (next >= min && next <= max) {
      onChoose(next);
    }
  };
  return (
    <Cell
      title={title}
      subtitle={about}
      after={
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A fieldset would be a box of its own.
        <span role="group" aria-label={title} className={styles.stepper}>
          <IconButton
            label={fewer}
            icon={<Minus aria-hidden size={20} />}
            aria-disabled={count <= min}
            onClick={() => step(-1)}
          />
          <output className={styles.count}>{count}</output>
          <IconButton
            label={more}
            icon={<Plus aria-hidden size={20} />}
            aria-disabled={count >= max}
            onClick={() => step(1)}
          />
        </span>
      }
    />
  );
}

/** The key and the label of each choice. */
type Choices<Key extends string> = readonly (readonly [key: Key, label: string])[];

type ChoiceProps<Key extends string> = {
  readonly title: string;
  readonly about?: string;
  readonly choices: Choices<Key>;
  readonly value: Key;
  readonly onChoose: (key: Key) => void;
};

/** A row in which one of a few is chosen. */
export function Choice<Key extends string>({
  title,
  about,
  choices,
  value,
  onChoose,
}: ChoiceProps<Key>) {
  const id = useId();
  return (
    <Cell
      isLabel
      className={styles.choice}
      title={title}
      subtitle={about === undefined ? undefined : <span id={id}>{about}</span>}
      after={
        <select
          aria-label={title}
          aria-describedby={about === undefined ? undefined : id}
          value={value}
          onChange={({ target }) => {
            const chosen = choices.find(([key]) => key === target.value);
            if (chosen) {
              onChoose(chosen[0]);
            }
          }}
        >
          {choices.map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
      }
    />
  );
}

type Limits = { readonly min: number; readonly max: number };

/** How another number than those that are offered is typed. */
type Typing = {
  /** The last choice, which opens the field. */
  readonly choice: string;
  readonly label: string;
  readonly hint: string;
  /** What is said about what is no such number. */
  readonly invalid: string;
  readonly parse: (text: string) => number | undefined;
};

type NumberChoiceProps<Other extends string> = {
  readonly title: string;
  readonly about?: string;
  readonly numbers: readonly number[];
  readonly write: (number: number) => string;
  /** What can be chosen in place of a number. */
  readonly others?: Choices<Other>;
  readonly typing?: Typing | undefined;
  readonly value: number | Other;
  readonly onChoose: (value: number | Other) => void;
};

const typedKey = 'typed';

/** A row in which one of some numbers is chosen, or another is typed. */
function NumberChoice<Other extends string = never>({
  title,
  about,
  numbers,
  write,
  others,
  typing,
  value,
  onChoose,
}: NumberChoiceProps<Other>) {
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  const [isTyping, setIsTyping] = useState(false);
  // A command may have set any number.
  const offered =
    typeof value !== 'number' || numbers.includes(value) ? numbers : [...numbers, value];

  return (
    <>
      <Cell
        isLabel
        className={styles.choice}
        title={title}
        subtitle={about === undefined ? undefined : <span id={id}>{about}</span>}
        after={
          <select
            ref={select}
            aria-label={title}
            aria-describedby={about === undefined ? undefined : id}
            value={isTyping ? typedKey : String(value)}
            onChange={({ target }) => {
              const isTyped = target.value === typedKey;
              setIsTyping(isTyped);
              if (!isTyped) {
                const other = others?.find(([key]) => key === target.value);
                onChoose(other === undefined ? Number(target.value) : other[0]);
              }
            }}
          >
            {offered
              .toSorted((one, other) => one - other)
              .map((number) => (
                <option key={number} value={number}>
                  {write(number)}
                </option>
              ))}
            {others?.map(([key, label]) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
            {typing && <option value={typedKey}>{typing.choice}</option>}
          </select>
        }
      />
      {isTyping && typing && (
        <TypedNumber
          typing={typing}
          onSet={(number) => {
            setIsTyping(false);
            select.current?.focus();
            onChoose(number);
          }}
        />
      )}
    </>
  );
}

type TypedNumberProps = {
  readonly typing: Typing;
  readonly onSet: (number: number) => void;
};

function TypedNumber({ typing, onSet }: TypedNumberProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();

  return (
    <form
      noValidate
      className={styles.inset}
      onSubmit={(event) => {
        event.preventDefault();
        const number = typing.parse(text);
        if (number === undefined) {
          setError(typing.invalid);
          document.getElementById(id)?.focus();
        } else {
          onSet(number);
        }
      }}
    >
      <Field
        id={id}
        label={typing.label}
        hint={typing.hint}
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
        trailing={<Button type="submit">{texts.set}</Button>}
      />
    </form>
  );
}

type TimeChoiceProps<Other extends string> = Omit<
  NumberChoiceProps<Other>,
  'numbers' | 'write' | 'typing'
> & {
  /** In seconds, as the value is. */
  readonly times: readonly number[];
  /** Other times can be typed, within these limits in seconds. */
  readonly typed?: { readonly limits: Limits };
};

/** A row in which one of some times is chosen, or another is typed. */
export function TimeChoice<Other extends string = never>({
  times,
  typed,
  ...props
}: TimeChoiceProps<Other>) {
  return (
    <NumberChoice
      {...props}
      numbers={times}
      write={timeText}
      typing={typed && timeTyping(typed.limits)}
    />
  );
}

function timeTyping(limits: Limits): Typing {
  const [from, to] = [timeText(limits.min), timeText(limits.max)];
  const isShort = limits.max < 3600;
  return {
    choice: texts.otherTime,
    label: texts.time,
    hint: isShort ? texts.shortTimeHint(from, to) : texts.timeHint(from, to),
    invalid: isShort ? texts.shortTimeInvalid(from, to) : texts.timeInvalid(from, to),
    parse: (text) => parseTime(text, limits),
  };
}

type CountChoiceProps<Other extends string> = Omit<
  NumberChoiceProps<Other>,
  'numbers' | 'typing'
> & {
  readonly counts: readonly number[];
  readonly limits: Limits;
};

/** A row in which one of some whole numbers is chosen, or another is typed. */
export function CountChoice<Other extends string = never>({
  counts,
  limits,
  ...props
}: CountChoiceProps<Other>) {
  return <NumberChoice {...props} numbers={counts} typing={countTyping(limits)} />;
}

function countTyping({ min, max }: Limits): Typing {
  return {
    choice: texts.otherCount,
    label: texts.count,
    hint: texts.countHint(min, max),
    invalid: texts.countInvalid(min, max),
    parse: (text) => {
      const count = /^\s*\d{1,6}\s*$/.test(text) ? Number(text) : Number.NaN;
      return count >= min && count <= max ? count : undefined;
    },
  };
}

type MissingRightProps = {
  readonly chatId: string;
  readonly right: Right;
  /** A second one that is needed. */
  readonly and?: Right;
};

/** Which right the bot lacks, and how it gets it. Nothing while the bot has the right, or is not in the chat, which the bar above says. */
export function MissingRight({ chatId, right, and }: MissingRightProps) {
  const isOffered = useCapabilities().has(chatActivity) === true;
  const { data: health } = useQuery({ ...chatQueries.health(chatId), enabled: isOffered });
  const missing = [right, and].filter(
    (one) => one !== undefined && health?.is_in === true && health.rights?.includes(one) === false,
  );
  const names = missing.flatMap((one) => (one === undefined ? [] : [rightTexts.names[one]]));
  const [name] = names;

  return (
    <div aria-live="polite">
      {name !== undefined && (
        <div className={styles.inset}>
          <Notice tone="warning" isInLiveRegion>
            {names.length === 1
              ? rightTexts.missing(name)
              : rightTexts.missingBoth(name, names.at(-1) ?? '')}
          </Notice>
        </div>
      )}
    </div>
  );
}
