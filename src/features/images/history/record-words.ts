/** What the details and the accessible names of a generation say about it. */
import { language, locale } from '#lib/language';

import { historyTexts as texts } from './texts.ts';

const maxNameLength = 120;

/** A prompt as an accessible name has it. */
export function shortenPrompt(prompt: string): string {
  return prompt.length > maxNameLength ? `${prompt.slice(0, maxNameLength - 1)}…` : prompt;
}

export function describeEngine(engine = ''): string {
  return engine === 'sketch' ? texts.madeBySketch : engine;
}

/** Where it is kept: `remoteId` is its ID on the server, if it has one. */
export function describePlace(remoteId: string | undefined): string {
  return remoteId === undefined ? texts.keptOnDevice : texts.keptInAccount;
}

/** Of a time in epoch milliseconds; empty for 0, which is an unknown time. */
export function describeMoment(ms: number): string {
  return ms === 0
    ? ''
    : new Date(ms).toLocaleString(language === 'en' ? 'en' : locale, {
        dateStyle: 'medium',
        timeStyle: 'short',
      });
}
