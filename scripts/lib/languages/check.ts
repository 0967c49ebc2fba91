/** Compares the translations of a language with the English texts, and says what its translators have to do. */
import {
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  type MessageFormatElement,
} from '@formatjs/icu-messageformat-parser';

import { type Language, languages } from '#contract/languages';

import { type Exception, exceptions, type RuleName } from './exceptions.ts';
import { type MessageFiles } from './files.ts';
import { parseMessage, readArguments } from './messages.ts';
import { brandArgument, type Finding, type Parameter, type Text } from './texts.ts';

/** One message with its translation. */
type Pair = {
  readonly text: Text;
  readonly english: readonly MessageFormatElement[];
  readonly translation: readonly MessageFormatElement[];
  readonly language: Language;
};

/** What is wrong with a translation, in sentences that say what to do; empty when all is well. */
type Rule = (pair: Pair) => readonly string[];

/** Languages whose numbers have a form only from a million on. */
const rareMany: ReadonlySet<string> = new Set(['es', 'fr', 'it', 'pt-BR']);

const list = (names: Iterable<string>) => [...names].map((name) => `{${name}}`).join(', ');

function checkArguments({ text, english, translation }: Pair): string[] {
  const wanted = new Set(readArguments(english).map(({ name }) => name));
  const used = readArguments(translation);
  const names = new Set(used.map(({ name }) => name));
  const parameters = new Map<string, Parameter['type']>(
    typeof text.english === 'string'
      ? []
      : text.english.parameters.map(({ name, type }) => [name, type]),
  );
  const missing = [...wanted].filter((name) => !names.has(name));
  const unknown = [...names].filter((name) => !wanted.has(name) && !parameters.has(name));
  const cases = new Map(
    readArguments(english).map(({ name, use, forms }) => [name, use === 'select' ? forms : []]),
  );
  return [
    ...(missing.length > 0
      ? [`lacks ${list(missing)}: put it where your grammar wants it, spelled as in English`]
      : []),
    ...(unknown.length > 0 ? [`has ${list(unknown)}, which English has not: remove it`] : []),
    ...used.flatMap(({ name, use, forms }) => {
      const type = parameters.get(name) ?? 'slot';
      const isNumber = type === 'number';
      if (use === 'other') {
        return [`uses {${name}} in a way that is not possible here: write {${name}}, or a plural`];
      }
      if ((use === 'plural' || use === 'number') && !isNumber) {
        return [`counts with {${name}}, which is no number: write {${name}}`];
      }
      const strange = forms.filter((form) => !(cases.get(name) ?? []).includes(form));
      return use === 'select' && strange.length > 0
        ? [`chooses {${name}} by ${strange.join(', ')}, which English does not: use its words`]
        : [];
    }),
  ];
}

function countArguments(elements: readonly MessageFormatElement[], wanted: string): number {
  return readArguments(elements).filter(({ name }) => name === wanted).length;
}

function checkSlots({ text, english, translation }: Pair): string[] {
  if (typeof text.english !== 'string') {
    return [];
  }
  const twice = readArguments(english).filter(
    ({ name }) =>
      name !== brandArgument && countArguments(translation, name) > countArguments(english, name),
  );
  return twice.map(({ name }) => `has {${name}} more than once: keep one`);
}

function checkPlurals({ english, translation, language }: Pair): string[] {
  const categories = new Intl.PluralRules(languages[language].locale).resolvedOptions()
    .pluralCategories;
  const plurals = readArguments(translation).filter(({ use }) => use === 'plural');
  const counted = readArguments(english).filter(({ use }) => use === 'plural');
  const without = new Set(
    counted
      .map(({ name }) => name)
      .filter((name) => categories.length > 1 && plurals.every((plural) => plural.name !== name)),
  );
  const all = categories.toSorted().join(', ');
  return [
    ...[...without].map(
      (name) => `has no plural: write {${name}, plural, …} with the forms ${all}`,
    ),
    ...plurals.flatMap(({ name, forms }) => {
      const missing = categories.filter(
        (category) => !forms.includes(category) && !(category === 'many' && rareMany.has(language)),
      );
      return missing.length === 0
        ? []
        : `lacks the plural forms ${missing.join(', ')} of {${name}}: write ${all}`;
    }),
    ...plurals.flatMap(({ forms }) => {
      const strange = forms.filter(
        (form) => !/^=\d+$/.test(form) && !categories.some((category) => category === form),
      );
      return strange.length === 0
        ? []
        : `has the plural forms ${strange.join(', ')}, which the language lacks: write ${all}`;
    }),
  ];
}

/** Marks that end sentences alike, by the one of English. */
const endMarks: Readonly<Record<string, string>> = {
  '।': '.',
  '۔': '.',
  '؟': '?',
  '،': ',',
  '؛': ';',
  '...': '…',
};

/** The mark at the end, behind quotes and brackets that close there; empty for a letter. */
function readEnd(variant: string): string {
  const [mark = ''] =
    /(?:\.\.\.|[.:;,!?…।۔؟،؛])$/u.exec(variant.trim().replace(/["”“»«’'）)\]]+$/u, '')) ?? [];
  return endMarks[mark] ?? mark;
}

function describeMarks(marks: Iterable<string>): string {
  return [...new Set(marks)].map((mark) => (mark === '' ? 'no mark' : `“${mark}”`)).join(' or ');
}

function checkEnds({ english, translation }: Pair): string[] {
  const wanted = new Set(variants(english).map(readEnd));
  const strange = variants(translation)
    .map(readEnd)
    .filter((mark) => !wanted.has(mark));
  return strange.length > 0
    ? [`ends with ${describeMarks(strange)}, English with ${describeMarks(wanted)}: end it alike`]
    : [];
}

const pairs = [
  { what: 'brackets', signs: /[()[\]]/g },
  { what: 'quotation marks', signs: /["“”„«»‟]/g },
];

function checkPairs({ english, translation }: Pair): string[] {
  return pairs.flatMap(({ what, signs }) => {
    const count = (variant: string) => variant.match(signs)?.length ?? 0;
    const wanted = new Set(variants(english).map(count));
    const strange = variants(translation)
      .map(count)
      .find((found) => !wanted.has(found));
    return strange === undefined
      ? []
      : [`has ${strange} ${what}, English ${[...wanted].join(' or ')}: write as many`];
  });
}

function edges(variant: string): string {
  return `${/^\s*/.exec(variant)?.[0].length} and ${/\s*$/.exec(variant)?.[0].length}`;
}

function checkSpaces({ english, translation }: Pair): string[] {
  const wanted = new Set(variants(english).map(edges));
  return variants(translation).every((variant) => wanted.has(edges(variant)))
    ? []
    : ['begins or ends with other spaces than English: keep them as they are there'];
}

function wordsIn(variant: string): readonly string[] {
  return variant.replaceAll(/\{\w+\}/g, '').match(/\p{L}{2,}/gu) ?? [];
}

function checkTranslated({ english, translation }: Pair): string[] {
  const [source = ''] = variants(english);
  return wordsIn(source).length > 2 && variants(translation).includes(source)
    ? ['is English still: translate it, or say in scripts/lib/languages/exceptions.ts why not']
    : [];
}

/** Addresses and names of variables. */
const fixed = /https?:\/\/[^\s"”)]*[\w/]|\bt\.me\/[\w/]*|\b[A-Z]+(?:_[A-Z]+)+\b/g;

function checkFixed({ english, translation }: Pair): string[] {
  const [source = ''] = variants(english);
  const said = variants(translation);
  const missing = [...new Set(source.match(fixed))].filter(
    (word) => !said.every((variant) => variant.includes(word)),
  );
  return missing.map((word) => `lacks ${word}: keep it as it is`);
}

const directionalMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

function checkMarks({ translation }: Pair): string[] {
  return variants(translation).some((variant) => directionalMarks.test(variant))
    ? ['has invisible directional marks: remove them, the build isolates arguments by itself']
    : [];
}

/** What Telegram accepts, in characters. */
const limits = [
  { namespace: 'server-bot', key: /^commands\./, max: 256 },
  { namespace: 'contract-commands-group', key: /\.description$/, max: 256 },
  { namespace: 'contract-commands-misc', key: /\.description$/, max: 256 },
  { namespace: 'server-bot', key: /^description$/, max: 512 },
  { namespace: 'server-bot', key: /^shortDescription$/, max: 120 },
];

function checkLength({ text, translation }: Pair): string[] {
  const limit = limits.find(
    ({ namespace, key }) => namespace === text.namespace && key.test(text.key),
  );
  const length = Math.max(...variants(translation).map((variant) => variant.length));
  return limit !== undefined && length > limit.max
    ? [`has ${length} characters, and Telegram takes ${limit.max}: write it shorter`]
    : [];
}

const rules = {
  arguments: checkArguments,
  slots: checkSlots,
  plurals: checkPlurals,
  ends: checkEnds,
  pairs: checkPairs,
  spaces: checkSpaces,
  translated: checkTranslated,
  fixed: checkFixed,
  marks: checkMarks,
  length: checkLength,
} satisfies Record<RuleName, Rule>;

/** All texts that a message can become, with arguments as `{name}`. */
function variants(elements: readonly MessageFormatElement[], counted = ''): string[] {
  return elements.reduce<string[]>(
    (all, element) => {
      const said = isLiteralElement(element)
        ? [element.value]
        : isPoundElement(element)
          ? [`{${counted}}`]
          : isPluralElement(element) || isSelectElement(element)
            ? Object.values(element.options).flatMap(({ value }) =>
                variants(value, isPluralElement(element) ? element.value : counted),
              )
            : [`{${element.value}}`];
      return all.flatMap((start) => said.map((next) => start + next));
    },
    [''],
  );
}

type Translation = {
  readonly language: Language;
  readonly texts: readonly Text[];
  readonly english: MessageFiles;
  readonly files: MessageFiles;
};

/** Everything that is wrong with the translations of a language. */
export function checkLanguage(
  { language, texts, english, files }: Translation,
  allowed: readonly Exception[] = exceptions,
): Finding[] {
  const fileName = (namespace: string) => `locales/${language}/${namespace}.json`;
  const surplus = Object.entries(files).flatMap(([namespace, messages]) =>
    Object.keys(messages)
      .filter((key) => english[namespace]?.[key] === undefined)
      .map((key) => ({
        file: fileName(namespace),
        key,
        what: 'is no text of the product any more: remove it',
      })),
  );
  const found = texts.flatMap((text): Finding[] => {
    const { namespace, key } = text;
    const source = english[namespace]?.[key];
    const message = files[namespace]?.[key];
    if (source === undefined) {
      return [];
    }
    const at = (what: string) => ({ file: fileName(namespace), key, what });
    if (message === undefined) {
      return [at(`is missing: translate “${source}”`)];
    }
    return checkMessage({ text, source, message, language }, allowed).map(at);
  });
  return [...found, ...surplus];
}

type Translated = {
  readonly text: Text;
  readonly source: string;
  readonly message: string;
  readonly language: Language;
};

function checkMessage(
  { text, source, message, language }: Translated,
  allowed: readonly Exception[],
): string[] {
  let translation: MessageFormatElement[];
  try {
    translation = parseMessage(message);
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    return [`cannot be read (${reason}): compare its braces with those of English`];
  }
  const pair = { text, english: parseMessage(source), translation, language };
  const isAllowed = (rule: string) =>
    allowed.some(
      (exception) =>
        exception.rule === rule &&
        exception.text === `${text.namespace}/${text.key}` &&
        (exception.language === undefined || exception.language === language),
    );
  return Object.entries(rules).flatMap(([name, rule]) => (isAllowed(name) ? [] : rule(pair)));
}

/** One line for each finding. */
export function formatFindings(findings: readonly Finding[]): string {
  return findings.map(({ file, key, what }) => `${file}: ${key} ${what}\n`).join('');
}
