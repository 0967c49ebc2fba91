/** What warnings lead to: ready-made rules, and each of them by itself. Every choice applies at once. */
import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';

import { type ValuePreset, valuePresetNames, valuePresets } from '#contract/chats/value-presets';
import { readValue, warnLimits, wholeChat } from '#contract/chats/values';
import { getPlatform } from '#lib/platform';
import { Cell, Section } from '#ui/section';

import { useChooseValue } from '../choose-value.ts';
import { reportFailedWrite, showInfo } from '../failed-writes.ts';
import { offerUndo } from '../settings-change.ts';
import { chatTexts } from '../texts.ts';
import { applyValues } from '../value-changes.ts';
import { actText, timeText, valueLine } from '../value-lines.ts';
import { ActionRows, MissingRight, Stepper, TimeChoice } from '../value-rows.tsx';
import { valueTexts } from '../value-texts.ts';
import { isSame, useShownValues } from '../value-writes.ts';
import { moderationTexts } from './texts.ts';

const texts = moderationTexts.rules;

const day = 86_400;

const kinds = ['mute', 'ban', 'kick'] as const;

/** In seconds. */
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
      <Stepper
        title={texts.limit}
        about={texts.limitAbout}
        count={limit}
        {...warnLimits}
        fewer={texts.fewer}
        more={texts.more}
        onChoose={(value) => set('warn_limit', value)}
      />
      <ActionRows
        title={texts.action}
        kinds={kinds}
        action={action}
        usualSeconds={day}
        onChoose={(value) => set('warn_action', value)}
      />
      <TimeChoice
        title={texts.expiry}
        times={expiryTimes}
        others={[['off', texts.noExpiry]]}
        value={expiry}
        onChoose={(value) => set('warn_expiry', value)}
      />
    </Section>
  );
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
