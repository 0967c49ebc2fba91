/**
 * The longest translation of each text, with accents on its Latin letters: a page that has room for them has room in
 * every language, and what is plain English on it is in no text module.
 */
import {
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  type MessageFormatElement,
} from '@formatjs/icu-messageformat-parser';

import { languages, sourceLanguage } from '#contract/languages';

import { shippedLanguages } from './build-language.ts';
import { type GetMessage, type MessageFiles, readMessageFiles } from './files.ts';
import { parseMessage } from './messages.ts';
import { accent } from './pseudo.ts';

/** Their letters have other widths and directions, so a test looks at their own pages. */
const apart: ReadonlySet<string> = new Set(['ar', 'fa', 'hi']);

/** Reads the translations. The function returns undefined for what is no text. */
export function readLongest(): GetMessage {
  const all = shippedLanguages()
    .filter((tag) => !apart.has(tag) && languages[tag].direction === 'ltr')
    .map((tag): MessageFiles => readMessageFiles(tag));
  const source = readMessageFiles(sourceLanguage);
  return (namespace, key) => {
    const messages = [source, ...all].flatMap((files) => files[namespace]?.[key] ?? []);
    return messages.length === 0 ? undefined : accent(findLongest(messages.map(parseMessage)));
  };
}

/** The widest message, with the widest form of each plural in the place of all. */
function findLongest(
  messages: readonly (readonly MessageFormatElement[])[],
): MessageFormatElement[] {
  const [first = [], ...others] = messages.map(keepLongestForms);
  return others.reduce((best, next) => (width(next) > width(best) ? next : best), first);
}

function keepLongestForms(elements: readonly MessageFormatElement[]): MessageFormatElement[] {
  return elements.map((element): MessageFormatElement => {
    if (isPluralElement(element)) {
      const forms = Object.values(element.options).map(({ value }) => value);
      const other = element.options['other'];
      return other === undefined
        ? element
        : { ...element, options: { other: { ...other, value: findLongest(forms) } } };
    }
    return element;
  });
}

/** About so wide are letters, in widths of an “n”. */
const widths = [
  { letters: /[fijlrtıІіїЇ'’.,:;!|()[\]I ]/u, width: 0.55 },
  { letters: /[mwMWжшщюЖШЩЮмыМЫ@—…]/u, width: 1.5 },
  { letters: /\p{Lu}/u, width: 1.2 },
];
const argumentWidth = 6;

function width(elements: readonly MessageFormatElement[]): number {
  return elements.reduce((sum, element) => {
    if (isLiteralElement(element)) {
      return (
        sum +
        Array.from(element.value).reduce(
          (all, letter) => all + (widths.find(({ letters }) => letters.test(letter))?.width ?? 1),
          0,
        )
      );
    }
    if (isPluralElement(element) || isSelectElement(element)) {
      return sum + Math.max(...Object.values(element.options).map(({ value }) => width(value)));
    }
    return sum + (isPoundElement(element) ? 2 : argumentWidth);
  }, 0);
}
