/** The product's texts in a language, read from `locales/`, as users see them. */
import { IntlMessageFormat } from 'intl-messageformat';

import { type Language, languages } from '#contract/languages';
import { markDirections } from '#contract/text-functions';
import { readMessageFiles } from '#scripts/languages/files.ts';

type Values = Readonly<Record<string, string | number>>;

/** Says a text by its namespace and its key there: `chats/chatTexts.list.heading`. */
export type Spoken = (name: string, values?: Values) => string;

/** A text without the invisible marks of direction, to compare its words. */
export const withoutMarks = (text: string): string => text.replaceAll(/[\u200F\u2066-\u2069]/g, '');

export function spoken(language: Language): Spoken {
  const { locale, direction } = languages[language];
  const files = readMessageFiles(language);
  const isolate = (value: string | number) =>
    direction === 'rtl' && typeof value === 'string' ? `\u2068${value}\u2069` : value;
  return (name, values = {}) => {
    const [namespace = '', key = ''] = name.split('/');
    const message = files[namespace]?.[key];
    if (message === undefined) {
      throw new Error(`${language} has no text ${name}`);
    }
    const shown = Object.entries(values).map(([argument, value]) => [argument, isolate(value)]);
    const pattern = direction === 'rtl' ? markDirections(message) : message;
    return String(new IntlMessageFormat(pattern, locale).format(Object.fromEntries(shown)));
  };
}
