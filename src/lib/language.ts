/** The language of this build, and the one that the user chose on this device. */
import * as v from 'valibot';

import type { Language } from '#contract/languages';

import { storedValue } from './storage.ts';

/** The bundler puts it in place, so the scripts hold nothing of the others. */
export const language: Language = import.meta.env.NORI_LANGUAGE;

/** For dates and times by `Intl`. Digits are Latin; of the variants of English it is one with a 24-hour clock. */
export const locale: string = import.meta.env.NORI_LOCALE;

/** The tag of the choice, which the page's inline script reads, too. Kept when they log out. */
export const chosenLanguage = storedValue('language', v.string(), { isJson: false });

/** Stands for no choice: the language is that of Telegram or of the browser. The tag of what is not determined. */
export const automatic = 'und';
