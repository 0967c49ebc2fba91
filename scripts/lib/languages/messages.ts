/** Messages in ICU MessageFormat: what stands in the files of translations. */
import {
  isArgumentElement,
  isLiteralElement,
  isNumberElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  type MessageFormatElement,
  parse,
  type PluralElement,
  type SelectElement,
} from '@formatjs/icu-messageformat-parser';

import { type Parameter, type Value } from './texts.ts';

export type Messages = Readonly<Record<string, string>>;

/** Throws with the parser's reason when the message is broken. */
export function parseMessage(message: string): MessageFormatElement[] {
  return parse(message, { ignoreTag: true });
}

/** Text as a message that says it to the letter. Slots, such as `{link}`, stay slots. */
export function quoteText(text: string): string {
  return text
    .replaceAll(/'(?=[{}'|#])|'$/g, "''")
    .replaceAll(/\{(?!\w+\})|(?<!\{\w+)\}/g, (brace) => `'${brace}'`);
}

const samples = {
  number: [0, 1, 2, 5, 11, 21, 100, 1234],
  string: ['Nori', ''],
  boolean: [true, false],
} satisfies Record<Parameter['type'], readonly Value[]>;

/** Every combination of sample values for the parameters. */
export function sampleValues(parameters: readonly Parameter[]): Value[][] {
  return parameters.reduce<Value[][]>(
    (all, { type }) => samples[type].flatMap((value) => all.map((values) => values.concat(value))),
    [[]],
  );
}

/** An argument of a message, and how it is used. */
export type Argument = {
  readonly name: string;
  readonly use: 'value' | 'number' | 'plural' | 'select' | 'other';
  /** Of a plural: its forms, such as `one` and `=0`. Of a select: its cases. */
  readonly forms: readonly string[];
};

/** All arguments of a message in their order; one that stands in several places comes several times. */
export function readArguments(elements: readonly MessageFormatElement[]): Argument[] {
  return elements.flatMap((element): Argument[] => {
    if (isLiteralElement(element) || isPoundElement(element)) {
      return [];
    }
    const { value: name } = element;
    if (isPluralElement(element) || isSelectElement(element)) {
      const inner = Object.values(element.options).flatMap(({ value }) => readArguments(value));
      return [{ name, use: branchUse(element), forms: Object.keys(element.options) }, ...inner];
    }
    const isCount = isNumberElement(element) && (element.style ?? '') === '';
    return [
      { name, use: isArgumentElement(element) ? 'value' : isCount ? 'number' : 'other', forms: [] },
    ];
  });
}

function branchUse(element: PluralElement | SelectElement): Argument['use'] {
  const isCardinal =
    isPluralElement(element) && element.offset === 0 && element.pluralType === 'cardinal';
  return isSelectElement(element) ? 'select' : isCardinal ? 'plural' : 'other';
}

type Speech = {
  readonly rules: Intl.PluralRules;
  readonly formatCount: (count: number) => string;
};

/** Says the message with these values, as the scripts of the build do. Slots without a value stay slots. */
export function sayMessage(
  elements: readonly MessageFormatElement[],
  values: Readonly<Record<string, Value>>,
  speech: Speech,
): string {
  const say = (parts: readonly MessageFormatElement[], counted: Value = ''): string =>
    parts.map((part) => sayPart(part, counted)).join('');

  function sayPart(part: MessageFormatElement, counted: Value): string {
    if (isPoundElement(part)) {
      return String(counted);
    }
    if (isLiteralElement(part)) {
      return part.value;
    }
    const value = values[part.value];
    if (value === undefined) {
      return `{${part.value}}`;
    }
    if (isPluralElement(part)) {
      const category = speech.rules.select(Number(value));
      const form = part.options[`=${value}`] ?? part.options[category] ?? part.options['other'];
      return say(form?.value ?? [], value);
    }
    if (isSelectElement(part)) {
      return say(selectForm(part, value), counted);
    }
    return isNumberElement(part) ? speech.formatCount(Number(value)) : String(value);
  }

  return say(elements);
}

function selectForm({ options }: SelectElement, value: Value): readonly MessageFormatElement[] {
  return (options[String(value)] ?? options['other'])?.value ?? [];
}

/** As English functions write numbers and strings. */
export const englishSpeech: Speech = {
  rules: new Intl.PluralRules('en'),
  formatCount: (count) => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ','),
};
