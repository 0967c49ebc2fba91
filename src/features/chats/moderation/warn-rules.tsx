/** What warnings lead to: ready-made rules, and each of them by itself. Every choice applies at once. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Minus, Plus } from 'lucide-react';
import { useId, useRef, useState } from 'react';

import { type ValuePreset, valuePresetNames, valuePresets } from '#contract/chats/value-presets';
import { readValue, type WarnAction, warnLimits, wholeChat } from '#contract/chats/values';
import { type Right } from '#contract/commands/command';
import { chatActivity } from '#contract/endpoints/chat-activity';
import { useCapabilities } from '#lib/capabilities';
import { getPlatform } from '#lib/platform';
import { Button, IconButton } from '#ui/button';
import { Field } from '#ui/field';
import { Notice } from '#ui/notice';
import { Cell, Section } from '#ui/section';

import { useChooseValue } from '../choose-value.ts';
import { reportFailedWrite, showInfo } from '../failed-writes.ts';
import { chatQueries } from '../queries.ts';
import { offerUndo } from '../settings-change.ts';
import { chatTexts } from '../texts.ts';
import { applyValues } from '../value-changes.ts';
import { actText, timeText, valueLine } from '../value-lines.ts';
import { valueTexts } from '../value-texts.ts';
import { isSame, useShownValues } from '../value-writes.ts';
import { rightTexts } from './right-texts.ts';
import { moderationTexts } from './texts.ts';
import { parseTime } from './times.ts';

import styles from '../sections/sections.module.css';

const texts = moderationTexts.rules;

const hour = 3600;
const day = 24 * hour;

/** In seconds. */
const lastingTimes = [hour, day, 7 * day] as const;
const expiryTimes = [day, 7 * day, 30 * day, 90 * day, 365 * day] as const;

const names = ['warn_limit', 'warn_action', 'warn_expiry'] as const;

/** The rules as they are shown, also while they are on their way to the server. */
export function useShownRules(chatId: string) {
  const shown = useShownValues({ chatId, names });
  return {
    warn_limit: readValue(shown, 'warn_limit'),
    warn_action: readValue(shown, 'warn_action'),
    warn_expiry: readValue(shown, 'warn_expiry'),
  };
}

type Rules = ReturnType<typeof useShownRules>;

export function WarnRules({ chatId }: { readonly chatId: string }) {
  const rules = useShownRules(chatId);
  const choose = useChooseValue(chatId);
  const set = (name: keyof Rules, value: unknown) =>
    choose({ name, value, text: valueLine(name, value) });
  const { warn_limit: limit, warn_action: action, warn_expiry: expiry } = rules;

  return (
    <Section heading={texts.heading} headingLevel={3} remark={texts.about}>
      <MissingRight chatId={chatId} right="restrict" />
      <Presets chatId={chatId} rules={rules} />
      <Limit limit={limit} onChoose={(value) => set('warn_limit', value)} />
      <ActionChoice action={action} onChoose={(value) => set('warn_action', value)} />
      {action.kind !== 'kick' && (
        <TimeChoice
          title={texts.lasting}
          times={lastingTimes}
          endless={texts.forGood}
          canType
          value={action.seconds}
          onChoose={(seconds) => set('warn_action', withSeconds(action.kind, seconds))}
        />
      )}
      <TimeChoice
        title={texts.expiry}
        times={expiryTimes}
        endless={texts.noExpiry}
        value={expiry === 'off' ? undefined : expiry}
        onChoose={(seconds) => set('warn_expiry', seconds ?? 'off')}
      />
    </Section>
  );
}

function withSeconds(kind: 'mute' | 'ban', seconds: number | undefined): WarnAction {
  return seconds === undefined ? { kind } : { kind, seconds };
}

type PresetsProps = { readonly chatId: string; readonly rules: Rules };

function Presets({ chatId, rules }: PresetsProps) {
  const id = useId();
  const client = useQueryClient();

  async function apply(preset: ValuePreset): Promise<void> {
    getPlatform().haptic('selection');
    try {
      const values = { [wholeChat]: { ...valuePresets[preset] } };
      const change = await applyValues(client, { chatId, kind: 'preset', preset, values });
      if (change) {
        offerUndo(client, [{ chatId, change }], (count) =>
          texts.applied(valueTexts.presets[preset], count),
        );
      } else {
        showInfo('nothing-changed', chatTexts.change.nothingChanged);
      }
    } catch (error) {
      reportFailedWrite(chatId, error);
    }
  }

  return (
    <fieldset>
      <legend className="visually-hidden">{texts.presets}</legend>
      {valuePresetNames.map((preset) => {
        const { warn_limit, warn_action, warn_expiry } = valuePresets[preset];
        const title = valueTexts.presets[preset];
        return (
          <Cell
            key={preset}
            isLabel
            title={title}
            subtitle={
              <span id={`${id}-${preset}`}>
                {texts.preset(warn_limit, actText(warn_action), timeText(warn_expiry))}
              </span>
            }
            after={
              <input
                type="radio"
                name={id}
                value={preset}
                checked={names.every((name) => isSame(rules[name], valuePresets[preset][name]))}
                aria-label={title}
                aria-describedby={`${id}-${preset}`}
                onChange={() => void apply(preset)}
              />
            }
          />
        );
      })}
    </fieldset>
  );
}

type LimitProps = { readonly limit: number; readonly onChoose: (limit: number) => void };

function Limit({ limit, onChoose }: LimitProps) {
  const step = (by: 1 | -1) => {
    const next = limit + by;
    if (next >= warnLimits.min && next <= warnLimits.max) {
      onChoose(next);
    }
  };
  return (
    <Cell
      title={texts.limit}
      subtitle={texts.limitAbout}
      after={
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A fieldset would be a box of its own.
        <span role="group" aria-label={texts.limit} className={styles.stepper}>
          <IconButton
            label={texts.fewer}
            icon={<Minus aria-hidden size={20} />}
            aria-disabled={limit <= warnLimits.min}
            onClick={() => step(-1)}
          />
          <output className={styles.count}>{limit}</output>
          <IconButton
            label={texts.more}
            icon={<Plus aria-hidden size={20} />}
            aria-disabled={limit >= warnLimits.max}
            onClick={() => step(1)}
          />
        </span>
      }
    />
  );
}

const kinds = ['mute', 'ban', 'kick'] as const satisfies readonly WarnAction['kind'][];

type ActionChoiceProps = {
  readonly action: WarnAction;
  readonly onChoose: (action: WarnAction) => void;
};

function ActionChoice({ action, onChoose }: ActionChoiceProps) {
  return (
    <Cell
      isLabel
      className={styles.choice}
      title={texts.action}
      after={
        <select
          aria-label={texts.action}
          value={action.kind}
          onChange={({ target }) => {
            const kind = kinds.find((name) => name === target.value) ?? 'mute';
            const seconds = action.kind === 'kick' ? day : action.seconds;
            onChoose(kind === 'kick' ? { kind } : withSeconds(kind, seconds));
          }}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {texts.kinds[kind]}
            </option>
          ))}
        </select>
      }
    />
  );
}

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

/** A row in which one of some times is chosen, or another is typed. */
function TimeChoice({ title, times, endless, value, canType = false, onChoose }: TimeChoiceProps) {
  const select = useRef<HTMLSelectElement>(null);
  const [isTyping, setIsTyping] = useState(false);
  // A command may have set any time.
  const offered = value === undefined || times.includes(value) ? times : [...times, value];

  return (
    <>
      <Cell
        isLabel
        className={styles.choice}
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
      className={styles.inset}
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

type MissingRightProps = { readonly chatId: string; readonly right: Right };

/** Which right the bot lacks, and how it gets it. Nothing while the bot has the right, or is not in the chat, which the bar above says. */
function MissingRight({ chatId, right }: MissingRightProps) {
  const isOffered = useCapabilities().has(chatActivity) === true;
  const { data: health } = useQuery({ ...chatQueries.health(chatId), enabled: isOffered });
  const isMissing = health?.is_in === true && health.rights?.includes(right) === false;

  return (
    <div aria-live="polite">
      {isMissing && (
        <div className={styles.inset}>
          <Notice tone="warning" isInLiveRegion>
            {rightTexts.missing(rightTexts.names[right])}
          </Notice>
        </div>
      )}
    </div>
  );
}
