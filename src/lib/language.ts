/** The language of this build. The bundler puts it in place, so the scripts hold nothing of the others. */
import type { Language } from '#contract/languages';

export const language: Language = import.meta.env.NORI_LANGUAGE;

/** For dates and times by `Intl`. Digits are Latin; of the variants of English it is one with a 24-hour clock. */
export const locale: string = import.meta.env.NORI_LOCALE;
