/** Named sets of the values about warnings. */
import type { ChatValues } from './values.ts';

const day = 86_400;

/** Preset → the values that it sets. */
export const valuePresets = {
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
} as const satisfies Readonly<Record<string, Partial<ChatValues>>>;

export type ValuePreset = keyof typeof valuePresets;

/** All in the order in which they are offered. */
export const valuePresetNames: readonly ValuePreset[] = Object.keys(valuePresets).filter(
  (name): name is ValuePreset => name in valuePresets,
);
