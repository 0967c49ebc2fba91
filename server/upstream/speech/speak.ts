/** Speaks: a text in one of four languages becomes a WAV file, without a network and without a model. */
import { type SpeechLanguage } from '#contract/playground/speech';

import { isPause } from './phonemes.ts';
import { readText } from './reader.ts';
import { sampleRate, synthesise, type Voice } from './synthesiser.ts';
import { wavOf } from './wav.ts';

export type SpeechOrder = {
  readonly text: string;
  readonly language: SpeechLanguage;
  readonly voice: Voice;
};

/** A WAV file: one channel, 16 bits. The same order always gives the same bytes. */
export async function speak({ text, language, voice }: SpeechOrder): Promise<Buffer> {
  const { sounds } = await readText(text, language);
  return wavOf(synthesise(sounds, voice), sampleRate);
}

/** What of a text can be spoken. */
export async function checkText(
  text: string,
  language: SpeechLanguage,
): Promise<{ readonly isSpoken: boolean; readonly unread: readonly string[] }> {
  const { sounds, unread } = await readText(text, language);
  return { isSpoken: sounds.some(({ sound }) => !isPause(sound)), unread };
}
