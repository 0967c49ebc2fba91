/** The texts of the server in all languages: English from the text modules, the others from `locales/`. */
import {
  isArgumentElement,
  isLiteralElement,
  isNumberElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  type MessageFormatElement,
  parse,
  type PluralOrSelectOption,
  TYPE,
} from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger } from 'pino';
import * as v from 'valibot';

import { type Language, languages, languageTags, sourceLanguage } from '#contract/languages';
import { listTexts } from '#contract/list-texts';
import { markDirections, parameterNames } from '#contract/text-functions';

/** The exports of a text module: trees of texts by name. */
type TextModule = Readonly<Record<string, object>>;

/** Text modules by their namespace, which is the name of their file in `locales/<language>/`. */
export type TextModules = Readonly<Record<string, TextModule>>;

/** Returns the texts of a tree in one language; the tree of the text module is the English one. */
export type Say = <Texts extends object>(texts: Texts) => Texts;

/** A sentence that can be said in every language. */
export type Sentence = (say: Say) => string;

export const sayEnglish: Say = (texts) => texts;

/** In which language a user is written to. `isChosen` is false where it follows the user's Telegram. */
export type UserLanguage = { readonly language: Language; readonly isChosen: boolean };

/** The parts as one text, with the comma of the language between them; empty for no parts. */
export function joinList(parts: readonly string[], say: Say): string {
  const [first = '', ...others] = parts;
  return others.reduce((list, part) => say(listTexts).list(list, part), first);
}

export type ServerLanguages = {
  /** The languages of this server in the order of lists; English is always one of them. */
  readonly offered: readonly Language[];
  /** The texts in a language; in English where the server does not offer it. */
  readonly textsIn: (language: Language) => Say;
};

/** A server that speaks English only. */
export const englishOnly: ServerLanguages = {
  offered: [sourceLanguage],
  textsIn: () => sayEnglish,
};

/** Where the texts of a tree are found: `prefix` begins their keys. */
type Place = { readonly namespace: string; readonly prefix: string };

type Sources = {
  readonly folder: string;
  readonly modules: TextModules;
  readonly places: ReadonlyMap<object, Place>;
  readonly log: Logger;
};

/**
 * Reads the translations of `modules` from the folders of `folder`. `limitTo` are the languages of which the
 * operator wants no others. A text that is missing or cannot be formatted is English, and is logged once.
 */
export function openLanguages({
  limitTo,
  ...sources
}: Omit<Sources, 'places'> & {
  readonly limitTo: readonly Language[] | undefined;
}): ServerLanguages {
  const places = findPlaces(sources.modules);
  const offered = languageTags.filter(
    (language) =>
      language === sourceLanguage ||
      (existsSync(join(sources.folder, language)) && (limitTo?.includes(language) ?? true)),
  );
  const spoken = new Map<Language, Say>(
    offered
      .filter((language) => language !== sourceLanguage)
      .map((language) => [language, createSay(language, { ...sources, places })]),
  );
  return { offered, textsIn: (language) => spoken.get(language) ?? sayEnglish };
}

function findPlaces(modules: TextModules): ReadonlyMap<object, Place> {
  return new Map(
    Object.entries(modules).flatMap(([namespace, module]) => {
      const trees = Object.entries(module);
      return trees.map(([name, tree]) => {
        const prefix = trees.length > 1 ? `${name}.` : '';
        return [tree, { namespace, prefix }] as const;
      });
    }),
  );
}

/** Undefined when these values cannot be formatted. */
type Format = (values: readonly unknown[]) => string | undefined;

/** A text of a module: its key in the file of the namespace. */
type TextName = { readonly namespace: string; readonly key: string };

function createSay(language: Language, { folder, modules, places, log }: Sources): Say {
  const files = new Map(
    Object.keys(modules).map((namespace) => {
      const messages = readMessages(join(folder, language, `${namespace}.json`));
      if (messages === undefined) {
        log.warn({ language, namespace }, 'a translation cannot be read, so its texts are English');
      }
      return [namespace, messages];
    }),
  );
  const formats = new Map<string, Format | undefined>();

  /** Undefined when there is no usable translation. */
  function findFormat({ namespace, key }: TextName, names: () => readonly string[]) {
    const name = `${namespace}/${key}`;
    if (!formats.has(name)) {
      formats.set(name, makeFormat({ namespace, key }, names));
    }
    return formats.get(name);
  }

  function warn(text: TextName, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ language, ...text, reason }, 'a text is not translated');
  }

  function makeFormat(
    { namespace, key }: TextName,
    names: () => readonly string[],
  ): Format | undefined {
    const messages = files.get(namespace);
    if (messages === undefined) {
      return undefined;
    }
    try {
      const pattern = messages[key];
      if (pattern === undefined) {
        throw new TypeError('There is no translation');
      }
      const format = compile(pattern, { language, names: names() });
      return (values) => {
        try {
          return format(values);
        } catch (error) {
          // Once is enough: from now on this text is English.
          formats.set(`${namespace}/${key}`, undefined);
          warn({ namespace, key }, error);
          return undefined;
        }
      };
    } catch (error) {
      warn({ namespace, key }, error);
      return undefined;
    }
  }

  function translate<Texts extends object>(texts: Texts, { namespace, key }: TextName): Texts {
    return new Proxy(texts, {
      get: (target, name) => {
        const english: unknown = Reflect.get(target, name);
        if (typeof name === 'symbol' || !Object.hasOwn(target, name)) {
          return english;
        }
        const text = { namespace, key: key + name };
        if (typeof english === 'string') {
          return findFormat(text, () => slotNames(english))?.([]) ?? english;
        }
        if (isTextFunction(english)) {
          const format = findFormat(text, () => parameterNames(english));
          return (...values: unknown[]) => format?.(values) ?? english(...values);
        }
        return typeof english === 'object' && english !== null
          ? translate(english, { namespace, key: `${text.key}.` })
          : english;
      },
    });
  }

  return (texts) => {
    const place = places.get(texts);
    return place === undefined
      ? texts
      : translate(texts, { namespace: place.namespace, key: place.prefix });
  };
}

const messageFile = v.record(v.string(), v.string());

/** Undefined when the file is missing or broken. */
function readMessages(file: string): Readonly<Record<string, string>> | undefined {
  try {
    const parsed = v.safeParse(messageFile, JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

export function isTextFunction(value: unknown): value is (...parameters: unknown[]) => string {
  return typeof value === 'function';
}

/** The places of an English constant that are filled later: they stay as they are. */
function slotNames(english: string): string[] {
  return [...english.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** Keeps a name or a code of left-to-right letters from turning the words around it. */
const [isolate, endIsolate] = ['\u2068', '\u2069'];

/**
 * Makes the function that formats a pattern. `names` are the arguments in the order of the values; without
 * a value an argument stays a slot. Throws for a broken pattern and for an argument that has no such name.
 */
function compile(
  pattern: string,
  { language, names }: { readonly language: Language; readonly names: readonly string[] },
): (values: readonly unknown[]) => string {
  const { locale, direction, thousands } = languages[language];
  const said = direction === 'rtl' ? markDirections(pattern) : pattern;
  const elements = nameForms(parse(said, { ignoreTag: true }), names);
  const message = new IntlMessageFormat(elements, locale);

  const show = (value: unknown) =>
    typeof value === 'string' && direction === 'rtl'
      ? `${isolate}${value}${endIsolate}`
      : String(value);
  const count = (value: unknown) => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, thousands);
  return (values) =>
    String(
      message.format(
        Object.fromEntries(
          names.flatMap((name, index) => {
            const value = index in values ? values[index] : undefined;
            const fill = (write: (known: unknown) => string) =>
              value === undefined ? `{${name}}` : write(value);
            return [
              [name, typeof value === 'number' ? value : String(value)],
              [shownName(name), fill(show)],
              [mentionedName(name), fill(String)],
              [countedName(name), count(value)],
            ] as const;
          }),
        ),
      ),
    );
}

/** An argument is written in one of three forms, and chooses between others as it is. */
const shownName = (name: string) => `shown ${name}`;
/** After an @, where Telegram makes no link of what begins with an invisible mark. */
const mentionedName = (name: string) => `mentioned ${name}`;
const countedName = (name: string) => `counted ${name}`;

/**
 * The elements with the form in which each argument is written: `{n}` and `#` as digits, `{n, number}` with
 * separators. Throws a `TypeError` for an argument that is none of `names`.
 */
function nameForms(
  elements: readonly MessageFormatElement[],
  names: readonly string[],
  counted = '',
): MessageFormatElement[] {
  return elements.map((element, index): MessageFormatElement => {
    if (isPoundElement(element)) {
      return { type: TYPE.argument, value: shownName(counted) };
    }
    if (isLiteralElement(element)) {
      return element;
    }
    if (!names.includes(element.value)) {
      throw new TypeError(`There is no argument "${element.value}"`);
    }
    if (isArgumentElement(element)) {
      const before = elements[index - 1];
      const isMention = before && isLiteralElement(before) && before.value.endsWith('@');
      return { ...element, value: (isMention ? mentionedName : shownName)(element.value) };
    }
    if (isNumberElement(element)) {
      return { type: TYPE.argument, value: countedName(element.value) };
    }
    if (isPluralElement(element)) {
      const toOption = (option: PluralOrSelectOption) => ({
        ...option,
        value: nameForms(option.value, names, element.value),
      });
      return { ...element, options: mapValues(element.options, toOption) };
    }
    if (isSelectElement(element)) {
      const toOption = (option: PluralOrSelectOption) => ({
        ...option,
        value: nameForms(option.value, names, counted),
      });
      return { ...element, options: mapValues(element.options, toOption) };
    }
    throw new TypeError('Only numbers, plurals and selects are possible');
  });
}

function mapValues<Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
