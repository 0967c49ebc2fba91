/** Texts for which a rule of the check does not hold, each with its reason. */
import { type Language } from '#contract/languages';

/** A rule of `check.ts` that an exception may name. */
export type RuleName =
  | 'arguments'
  | 'slots'
  | 'plurals'
  | 'ends'
  | 'pairs'
  | 'spaces'
  | 'translated'
  | 'fixed'
  | 'marks'
  | 'length';

export type Exception = {
  readonly rule: RuleName;
  /** Namespace and key: `home/greeting`. */
  readonly text: string;
  /** All languages when absent. */
  readonly language?: Language;
  readonly reason: string;
};

export const exceptions: readonly Exception[] = [
  {
    rule: 'pairs',
    text: 'images-pixai-models/selection.count',
    reason: 'English writes "LoRA(s)", other languages have a plural.',
  },
];
