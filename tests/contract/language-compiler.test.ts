/** How texts become messages for translators, and translated messages become scripts. */
import * as fc from 'fast-check';
import { IntlMessageFormat } from 'intl-messageformat';
import { compileFunction } from 'node:vm';
import { describe, expect, test } from 'vitest';

import { type Language, languages, languageTags } from '#contract/languages';
import { formatFindings } from '#scripts/languages/check.ts';
import { compileText, pluralSource } from '#scripts/languages/compile.ts';
import { makeEnglish } from '#scripts/languages/english.ts';
import { parseMessage, quoteText, sampleValues } from '#scripts/languages/messages.ts';
import { toPseudo } from '#scripts/languages/pseudo.ts';
import { type Parameter, type Value } from '#scripts/languages/texts.ts';
import { count, isBlocked, name, textFrom, type TextSource } from '#tests/translated-texts';

describe('the English sentence of a function', () => {
  const sentence = (source: TextSource, parameters: readonly Parameter[], known?: string) => {
    const made = makeEnglish(
      [textFrom(source, parameters)],
      known === undefined ? {} : { home: { key: known } },
    );
    return made.files['home']?.['key'] ?? formatFindings(made.findings);
  };

  const cases: readonly [string, TextSource, readonly Parameter[], string][] = [
    ['a string', (who: string) => `Hi, ${who}!`, [name], 'Hi, {name}!'],
    ['a number', (n: number) => `${n} more`, [count], '{count} more'],
    [
      'a plural',
      (n: number) => `All ${n} ${n === 1 ? 'topic' : 'topics'}.`,
      [count],
      'All {count, plural, one {# topic} other {# topics}}.',
    ],
    [
      'none of something',
      (n: number) => (n === 0 ? 'Nothing' : `${n} blocked`),
      [count],
      '{count, plural, =0 {Nothing} other {# blocked}}',
    ],
    [
      'thousands',
      (n: number) => `${n.toLocaleString('en')} lines`,
      [count],
      '{count, number} lines',
    ],
    [
      'a choice',
      (is: boolean) => `It is ${is ? 'blocked' : 'allowed'} here`,
      [isBlocked],
      'It is {isBlocked, select, true {blocked} other {allowed}} here',
    ],
    [
      'a plural behind a name, with a number that stays',
      (n: number, who: string) => `${who}: ${n} ${n === 1 ? 'day' : 'days'} of 7 months`,
      [count, name],
      '{name}: {count, plural, one {# day} other {# days}} of 7 months',
    ],
  ];
  test.each(cases.map(([what, ...rest]) => ({ what, rest })))(
    'is made from $what',
    ({ rest: [source, parameters, expected] }) => {
      expect(sentence(source, parameters)).toBe(expected);
    },
  );

  test('is the one that is written already while it says the same', () => {
    const source = (n: number) => `${n} ${n === 1 ? 'topic' : 'topics'}`;
    const known = '{count, plural, one {1 topic} other {# topics}}';

    expect(sentence(source, [count], known)).toBe(known);
    expect(sentence(source, [count], '{count} topics')).toBe(
      '{count, plural, one {# topic} other {# topics}}',
    );
  });

  test('is asked for, with the name of the text, where none can be made', () => {
    const source = (who: string) => (who === '' ? 'No cover' : `Cover of ${who}`);

    expect(sentence(source, [name])).toMatch(
      /^src\/features\/home\/texts\.ts: key no sentence could be made .*\{name\} to locales\/en\/home\.json/,
    );
  });

  test('quotes what has a meaning in messages', () => {
    for (const text of ["It's", "'{x}'", '100 % {', 'a } b', '{link} and {', "'", "don't {name}"]) {
      const format = new IntlMessageFormat(quoteText(text), 'en', undefined, { ignoreTag: true });

      expect(format.format({ x: '{x}', link: '{link}', name: '{name}' })).toBe(text);
    }
  });
});

/** Runs a compiled text: its source has no imports, as the two helpers are given. */
function run(source: string, language: Language): (...values: readonly Value[]) => string {
  const { locale, thousands } = languages[language];
  const helper = pluralSource(locale).replace('export const plural', 'const $plural');
  const made: unknown = compileFunction(`${helper}return ${source};`, ['$count'])((n: number) =>
    group(n, thousands),
  );
  return (...values) =>
    typeof made === 'function' ? String(Reflect.apply(made, undefined, values)) : String(made);
}

function group(n: number, thousands: string): string {
  return String(n).replaceAll(/\B(?=(?:\d{3})+$)/g, thousands);
}

/** Formats by the library. `#` has no separators in our messages, so the library is given its own digits. */
function createLibraryFormat(message: string, language: Language) {
  const { locale, thousands } = languages[language];
  const rules = new Intl.PluralRules(locale);
  return new IntlMessageFormat(message, locale, undefined, {
    ignoreTag: true,
    formatters: {
      // The library gives a style to `{n, number}`, and none to `#`.
      getNumberFormat: (...given: readonly unknown[]) =>
        Object.create(Intl.NumberFormat.prototype, {
          format: { value: (n: number) => (given.length > 1 ? group(n, thousands) : String(n)) },
        }),
      getDateTimeFormat: () => new Intl.DateTimeFormat(locale),
      getPluralRules: () => rules,
    },
  });
}

const parameters: readonly Parameter[] = [count, name, isBlocked];
const words = fc.stringMatching(/^[a-zа-яابت .,:“”`$\\\n]{0,12}$/);

/** Messages with everything that translations may have. */
function messagesIn(language: Language) {
  const { pluralCategories } = new Intl.PluralRules(languages[language].locale).resolvedOptions();
  const forms = [...pluralCategories.filter((form) => form !== 'other'), '=0', '=1', '=21'];
  const { message } = fc.letrec<{ message: string; plural: string; choice: string }>((tie) => ({
    message: fc
      .array(
        fc.oneof(
          { depthSize: 'small', withCrossShrink: true },
          words,
          fc.constantFrom('{count}', '{name}', '{count, number}', '{slot}'),
          tie('plural'),
          tie('choice'),
        ),
        { maxLength: 4 },
      )
      .map((parts) => parts.join(' ')),
    plural: fc
      .tuple(fc.subarray(forms), fc.array(tie('message'), { minLength: 9, maxLength: 9 }))
      .map(([some, said]) => {
        const cases = [...some, 'other'].map((form, index) => `${form} {${said[index]} #}`);
        return `{count, plural, ${cases.join(' ')}}`;
      }),
    choice: fc
      .tuple(tie('message'), tie('message'))
      .map(([yes, no]) => `{isBlocked, select, true {${yes}} other {${no}}}`),
  }));
  return message;
}

describe('compiled texts', () => {
  test.each(languageTags)('say in %s what the library says, for all sample values', (language) => {
    const isRightToLeft = languages[language].direction === 'rtl';
    fc.assert(
      fc.property(messagesIn(language), (message) => {
        const text = { english: { parameters, call: () => '' } };
        const source = compileText(text, parseMessage(message), { isRightToLeft, brand: 'Nori' });
        const say = run(source, language);
        const format = createLibraryFormat(message, language);
        for (const [n, who, is] of sampleValues(parameters)) {
          const shown = isRightToLeft ? `\u2068${who}\u2069` : String(who);
          const values = { count: n ?? 0, name: shown, isBlocked: String(is), slot: '{slot}' };
          expect(say(n ?? 0, who ?? '', is ?? false)).toBe(String(format.format(values)));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('keep slots and the name of the product, and isolate strings but no numbers', () => {
    const target = { isRightToLeft: true, brand: 'Miso' };
    const constant = compileText({ english: '' }, parseMessage('{brand}: {link}'), target);
    const called = compileText(
      { english: { parameters, call: () => '' } },
      parseMessage('{brand}: {name} {count}'),
      target,
    );

    expect(run(constant, 'ar')()).toBe('Miso: {link}');
    expect(run(called, 'ar')(5, 'Ann', true)).toBe('Miso: \u2068Ann\u2069 5');
  });
});

describe('the pseudo-language', () => {
  const say = (message: string) =>
    run(
      compileText({ english: { parameters, call: () => '' } }, toPseudo(parseMessage(message)), {
        isRightToLeft: false,
        brand: 'Nori',
      }),
      'en',
    )(2, 'Ann', true);

  test('has an accent on every letter, and brackets; arguments stay', () => {
    expect(say('Try {count, plural, one {# topic} other {# topics}} of {name}')).toMatch(
      /^⟦Ţŕý 2 ţöþîçš öƒ Ann.*⟧$/,
    );
    expect(say('')).toBe('');
  });

  test.each([
    ['Home', 2.2],
    ['Choose what is done', 1.7],
    ['Everything that the bot deleted in the last 7 days', 1.5],
  ])('is longer: %s', (text, factor) => {
    expect(say(text).length / text.length).toBeGreaterThan(factor - 0.3);
    expect(say(text).length / text.length).toBeLessThanOrEqual(factor + 0.1);
  });
});
