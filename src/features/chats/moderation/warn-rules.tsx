/** What warnings lead to: ready-made rules, and each of them by itself. Every choice applies at once. */
import { useId } from 'react';

import { warnPresetNames, warnPresets } from '#contract/chats/value-presets';
import { readValue, warnLimits } from '#contract/chats/values';
import { Cell, Section } from '#ui/section';

import { useApplyPreset, useChooseValue } from '../choose-value.ts';
import { ActionRows } from '../rule-rows.tsx';
import { actText, timeText, valueLine } from '../value-lines.ts';
import { MissingRight, Stepper, TimeChoice } from '../value-rows.tsx';
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
  const apply = useApplyPreset(chatId);

  return (
    <fieldset>
      <legend className="visually-hidden">{texts.presets}</legend>
      {warnPresetNames.map((preset) => {
        const { warn_limit, warn_action, warn_expiry } = warnPresets[preset];
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
                checked={names.every((name) => isSame(rules[name], warnPresets[preset][name]))}
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
