/** What warnings lead to: ready-made rules, and each of them by itself. Every choice applies at once. */
import { useQueryClient } from '@tanstack/react-query';
import { Minus, Plus } from 'lucide-react';
import { useId } from 'react';

import { type ValuePreset, valuePresetNames, valuePresets } from '#contract/chats/value-presets';
import { readValue, type WarnAction, warnLimits, wholeChat } from '#contract/chats/values';
import { getPlatform } from '#lib/platform';
import { IconButton } from '#ui/button';
import { Cell, Section } from '#ui/section';

import { useChooseValue } from '../choose-value.ts';
import { reportFailedWrite, showInfo } from '../failed-writes.ts';
import { MissingRight } from '../sections/missing-right.tsx';
import { offerUndo } from '../settings-change.ts';
import { chatTexts } from '../texts.ts';
import { applyValues } from '../value-changes.ts';
import { actText, timeText, valueLine } from '../value-lines.ts';
import { valueTexts } from '../value-texts.ts';
import { isSame, useShownValues } from '../value-writes.ts';
import { moderationTexts } from './texts.ts';
import { TimeChoice } from './time-choice.tsx';

import styles from './moderation.module.css';

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
    <Section
      heading={texts.heading}
      headingLevel={3}
      remark={
        <>
          <p>{texts.about}</p>
          <MissingRight chatId={chatId} right="restrict" />
        </>
      }
    >
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
