/** The languages of the product. English is the source; the others are translations in `locales/`. */

type LanguageEntry = {
  /** Its own name, as lists of languages show it. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** For `Intl`. Arabic and Persian have Latin digits, as in Telegram. */
  readonly locale: string;
  /** Between the thousands of a number. */
  readonly thousands: string;
};

const noBreakSpace = '\u00A0';
const narrowSpace = '\u202F';

/** By language tag. Those that are most spoken by Telegram's users come first. */
export const languages = {
  en: { name: 'English', direction: 'ltr', locale: 'en', thousands: ',' },
  ru: { name: 'Русский', direction: 'ltr', locale: 'ru', thousands: noBreakSpace },
  fa: { name: 'فارسی', direction: 'rtl', locale: 'fa-u-nu-latn', thousands: ',' },
  uz: { name: 'Oʻzbekcha', direction: 'ltr', locale: 'uz', thousands: noBreakSpace },
  ar: { name: 'العربية', direction: 'rtl', locale: 'ar-u-nu-latn', thousands: ',' },
  es: { name: 'Español', direction: 'ltr', locale: 'es', thousands: '.' },
  'pt-BR': { name: 'Português (Brasil)', direction: 'ltr', locale: 'pt-BR', thousands: '.' },
  id: { name: 'Bahasa Indonesia', direction: 'ltr', locale: 'id', thousands: '.' },
  tr: { name: 'Türkçe', direction: 'ltr', locale: 'tr', thousands: '.' },
  uk: { name: 'Українська', direction: 'ltr', locale: 'uk', thousands: noBreakSpace },
  de: { name: 'Deutsch', direction: 'ltr', locale: 'de', thousands: '.' },
  fr: { name: 'Français', direction: 'ltr', locale: 'fr', thousands: narrowSpace },
  it: { name: 'Italiano', direction: 'ltr', locale: 'it', thousands: '.' },
  hi: { name: 'हिन्दी', direction: 'ltr', locale: 'hi', thousands: ',' },
} as const satisfies Record<string, LanguageEntry>;

export type Language = keyof typeof languages;

export const sourceLanguage = 'en' satisfies Language;

export const languageTags = Object.keys(languages).filter(isLanguage);

/** Whether it is the tag of one of our languages, in our spelling. */
export function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(languages, tag);
}

/** The first part of a language's addresses: "/pt-br"; empty for English. */
export function languagePrefix(language: Language): string {
  return language === sourceLanguage ? '' : `/${language.toLowerCase()}`;
}

/** The address of a page in a language: "/ru/login", and "/ru" for "/". It stays on this host: "//a" is "/a". */
export function languagePath(language: Language, path: string): string {
  const prefix = languagePrefix(language);
  const own = path.replace(/^\/*/, '/');
  return prefix === '' ? own : prefix + own.replace(/^\/(?=$|[?#])/, '');
}

/**
 * Our language for a tag as Telegram and browsers write them: "ru", "it-IT", "pt-br". Undefined for
 * languages that we lack, and for Uzbek in Cyrillic, as ours is in Latin letters.
 */
export function languageFrom(tag: string | undefined): Language | undefined {
  const [base = '', ...rest] = (tag ?? '').toLowerCase().split(/[-_]/);
  if (rest.includes('cyrl')) {
    return undefined;
  }
  return base === 'pt' ? 'pt-BR' : isLanguage(base) ? base : undefined;
}

/**
 * The language that an `Accept-Language` header prefers among `offered`, which are all of ours unless told
 * otherwise; undefined when it names none of them.
 */
export function acceptedLanguage(
  header: string | undefined,
  offered: readonly Language[] = languageTags,
): Language | undefined {
  const wanted = (header ?? '')
    .split(',')
    .slice(0, 20)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const [, quality = '1'] =
        parameters.map((piece) => /^q=([\d.]+)$/i.exec(piece)).find(Boolean) ?? [];
      return { language: languageFrom(tag), quality: Number(quality) };
    });
  return wanted
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .find(({ language }) => language !== undefined && offered.includes(language))?.language;
}
