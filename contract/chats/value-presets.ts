/** Named sets of values, by what they are about. */
import type { ChatValues } from './values.ts';

const day = 86_400;

type Presets = Readonly<Record<string, Partial<ChatValues>>>;

/** What warnings lead to. */
export const warnPresets = {
  patient: {
    warn_limit: 5,
    warn_action: { kind: 'mute', seconds: 3600 },
    warn_expiry: 7 * day,
  },
  usual: {
    warn_limit: 3,
    warn_action: { kind: 'mute', seconds: day },
    warn_expiry: 30 * day,
  },
  strict: {
    warn_limit: 2,
    warn_action: { kind: 'ban' },
    warn_expiry: 90 * day,
  },
} as const satisfies Presets;

/** What is asked of newcomers, and what stops floods. */
const joinPresets = {
  quiet_start: { captcha_mode: 'button', flood: { count: 8, seconds: 10 } },
} as const satisfies Presets;

/** Preset → the values that it sets. */
export const valuePresets = { ...warnPresets, ...joinPresets } as const;

export type WarnPreset = keyof typeof warnPresets;
export type ValuePreset = keyof typeof valuePresets;

/** All in the order in which they are offered. */
export const valuePresetNames: readonly ValuePreset[] = Object.keys(valuePresets).filter(
  (name): name is ValuePreset => name in valuePresets,
);
export const warnPresetNames: readonly WarnPreset[] = Object.keys(warnPresets).filter(
  (name): name is WarnPreset => name in warnPresets,
);
