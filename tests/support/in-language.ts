/** Finds on a page in another language what a test names in English, by the messages of that language. */
import {
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  type MessageFormatElement,
} from '@formatjs/icu-messageformat-parser';
import { type Frame, type Locator } from '@playwright/test';

import { type Language, sourceLanguage } from '#contract/languages';
import { longestLanguage } from '#scripts/languages/build-language.ts';
import { type GetMessage, readMessageFiles, readTranslations } from '#scripts/languages/files.ts';
import { readLongest } from '#scripts/languages/longest.ts';
import { type Messages, parseMessage } from '#scripts/languages/messages.ts';

type Entry = {
  readonly english: readonly MessageFormatElement[];
  readonly pattern: RegExp;
  /** What it says for some values of its arguments. */
  readonly sample: string;
  readonly translation: readonly MessageFormatElement[];
};

type Values = ReadonlyMap<string, string>;

const escape = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
/** Text as it stands on pages, where lines break and spaces may be of any kind. */
const written = (text: string) => escape(text).replaceAll(/\s+/g, String.raw`\s+`);
const either = (sources: Iterable<string>) => `(?:${[...new Set(sources)].join('|')})`;
/** What languages from right to left have around arguments, and before the first. */
const isolates = String.raw`[\u200F\u2066-\u2069]*`;

/** The source of an expression that reads the arguments of an English message. */
function toPattern(elements: readonly MessageFormatElement[], names: string[]): string {
  return elements
    .map((element): string => {
      if (isLiteralElement(element)) {
        return escape(element.value);
      }
      if (isPluralElement(element) || isSelectElement(element)) {
        const inner = Object.values(element.options).map(({ value }) => {
          const source = toPattern(value, names);
          if (isPluralElement(element) && source.includes('#')) {
            names.push(element.value);
            return source.replace('#', String.raw`([\d,]+)`);
          }
          return source;
        });
        return either(inner);
      }
      if (isPoundElement(element)) {
        return '#';
      }
      names.push(element.value);
      return '(.+)';
    })
    .join('');
}

function toSample(elements: readonly MessageFormatElement[]): string {
  return elements
    .map((element): string => {
      if (isLiteralElement(element)) {
        return element.value;
      }
      return isPluralElement(element) || isSelectElement(element)
        ? toSample(element.options['other']?.value ?? [])
        : '2';
    })
    .join('');
}

class Phrasebook {
  readonly #entries: readonly Entry[];
  readonly #known = new Map<string, string>();

  constructor(getMessage: GetMessage) {
    this.#entries = Object.entries(readMessageFiles(sourceLanguage)).flatMap(
      ([namespace, messages]: [string, Messages]) =>
        Object.entries(messages).flatMap(([key, message]): Entry[] => {
          const english = parseMessage(message);
          const translation = getMessage(namespace, key);
          const sample = toSample(english);
          return translation === undefined || (english.length === 1 && sample === '2')
            ? []
            : [
                {
                  english,
                  pattern: new RegExp(`^${toPattern(english, [])}$`),
                  sample,
                  translation,
                },
              ];
        }),
    );
  }

  /** The source of an expression for all that this English text may be; without `isExact` it may be a part of a text. */
  translate(text: string, isExact: boolean, depth = 0): string {
    const name = `${depth} ${isExact} ${text}`;
    const known = this.#known.get(name);
    if (known !== undefined) {
      return known;
    }
    const whole = this.#entries.flatMap((entry) => {
      const found = depth > 2 ? null : entry.pattern.exec(text);
      return found ? [{ entry, source: this.#say(entry, readValues(entry, found), depth) }] : [];
    });
    const isKnown = isExact || text.length < 8 || whole.some(({ entry }) => entry.sample === text);
    const parts = isKnown
      ? []
      : this.#entries
          .filter(({ sample }) => sample.toLowerCase().includes(text.toLowerCase()))
          .map((entry) => this.#say(entry, new Map(), depth));
    const source = either([...whole.map((found) => found.source), ...parts, writeData(text)]);
    this.#known.set(name, source);
    return source;
  }

  #say({ translation }: Entry, values: Values, depth: number): string {
    const say = (parts: readonly MessageFormatElement[], counted: string): string =>
      parts
        .map((element): string => {
          if (isLiteralElement(element)) {
            return written(element.value);
          }
          if (isPoundElement(element)) {
            return counted;
          }
          const value = values.get(element.value);
          const said =
            value === undefined
              ? '.*'
              : isolates + this.translate(value, true, depth + 1) + isolates;
          return isPluralElement(element) || isSelectElement(element)
            ? either(
                Object.values(element.options).map((option) =>
                  say(option.value, isPluralElement(element) ? said : counted),
                ),
              )
            : said;
        })
        .join('');
    return say(translation, '');
  }
}

/** Names and numbers, whose thousands are divided by another sign. */
function writeData(text: string): string {
  return written(text).replaceAll(/(?<=\d),(?=\d{3})/g, String.raw`\D?`);
}

function readValues({ english }: Entry, found: RegExpExecArray): Values {
  const names: string[] = [];
  toPattern(english, names);
  return new Map(
    names.flatMap((name, index): [string, string][] => {
      const value = found[index + 1];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

type Options = { readonly name?: string | RegExp; readonly exact?: boolean };

function isOptions(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && !(value instanceof RegExp);
}

const isText = (value: unknown): value is string | RegExp =>
  typeof value === 'string' || value instanceof RegExp;

/** The words of an expression are translated, the rest stays. */
const words = /(?<!\\)\b[A-Za-z0-9][A-Za-z0-9 '’]*/g;

function translateQuery(book: Phrasebook, query: string | RegExp, isExact: boolean): RegExp {
  if (query instanceof RegExp) {
    const source = query.source.replaceAll(words, (text) => {
      const [, before = '', word = '', after = ''] = /^(\s*)(.*?)(\s*)$/.exec(text) ?? [];
      return before + isolates + book.translate(word, false) + isolates + after;
    });
    return new RegExp(source.replace(/^\^/, `^${isolates}`), query.flags);
  }
  const source = book.translate(query, isExact);
  return isExact ? new RegExp(`^${source}$`) : new RegExp(source, 'i');
}

const byText = new Set([
  'getByText',
  'getByLabel',
  'getByPlaceholder',
  'getByTitle',
  'getByAltText',
]);

/** The frame or locator, whose methods take English texts and find those of the other language. */
function speak<Place extends object>(place: Place, book: Phrasebook): Place {
  return new Proxy(place, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') {
        return value;
      }
      return (...given: unknown[]) => {
        const [first, second] = given;
        const options = isOptions(second) ? second : {};
        const isExact = options.exact === true;
        const translated =
          key === 'getByRole' && isText(options.name)
            ? [
                first,
                { ...options, exact: false, name: translateQuery(book, options.name, isExact) },
              ]
            : typeof key === 'string' && byText.has(key) && isText(first)
              ? [translateQuery(book, first, isExact)]
              : given;
        const found: unknown = Reflect.apply(value, target, translated);
        return isLocator(found) ? speak(found, book) : found;
      };
    },
  });
}

function isLocator(value: unknown): value is Locator {
  return typeof value === 'object' && value !== null && 'getByRole' in value && 'nth' in value;
}

const books = new Map<string, Phrasebook>();

/**
 * The app on pages in the language `tag`, for functions that name things in English: texts are looked up in the English
 * messages, and found by their translations. What is no message, such as the name of a chat, is found as it is.
 */
export function inLanguage(app: Frame, tag: Language | typeof longestLanguage): Frame {
  const book =
    books.get(tag) ??
    new Phrasebook(tag === longestLanguage ? readLongest() : readTranslations(tag));
  books.set(tag, book);
  return speak(app, book);
}
