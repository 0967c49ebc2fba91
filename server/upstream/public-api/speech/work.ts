/** What a speaking thread is told. */
import { type SpeechLanguage } from '#contract/playground/speech';

import { type Voice } from './synthesiser.ts';

export type SpeechOrder = {
  readonly text: string;
  readonly language: SpeechLanguage;
  readonly voice: Voice;
};
