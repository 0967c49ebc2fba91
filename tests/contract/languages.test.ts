/** The translations: ours are in order, what the check of one finds, and which languages are built. */
import { describe, expect, test } from 'vitest';

import { type Language } from '#contract/languages';
import {
  languageConstants,
  languagesToBuild,
  shippedLanguages,
} from '#scripts/languages/build-language.ts';
import { checkLanguage, formatFindings } from '#scripts/languages/check.ts';
import { checkEnglish, makeEnglish } from '#scripts/languages/english.ts';
import { type Exception, exceptions } from '#scripts/languages/exceptions.ts';
import { readMessageFiles } from '#scripts/languages/files.ts';
import { loadTexts, type Text } from '#scripts/languages/texts.ts';
import { textModules } from '#server/app/text-modules';
import { count, isBlocked, name, textFrom } from '#tests/translated-texts';

const { texts, findings } = await loadTexts();
const kept = readMessageFiles('en');
const english = makeEnglish(texts, kept);

describe('our texts', () => {
  test('are constants and functions that translators can say in other words', () => {
    expect(texts.length).toBeGreaterThan(1000);
    expect(formatFindings([...findings, ...english.findings])).toBe('');
  });

  test('are in locales/en as the code says them', () => {
    expect(formatFindings(checkEnglish(english.files, kept))).toBe('');
  });

  test('have the names that the server looks for', () => {
    const namespaces = new Set(texts.map(({ namespace }) => namespace));

    expect(Object.keys(textModules).filter((namespace) => !namespaces.has(namespace))).toEqual([]);
  });

  test.each(shippedLanguages().slice(1))('are complete in %s', (language) => {
    const files = readMessageFiles(language);

    const found = checkLanguage({ language, texts, english: english.files, files });

    expect(formatFindings(found)).toBe('');
  });

  test('have exceptions only where there is such a text, each with a reason', () => {
    const known = new Set(texts.map(({ namespace, key }) => `${namespace}/${key}`));

    expect(exceptions.filter(({ text }) => !known.has(text))).toEqual([]);
    expect(exceptions.filter(({ reason }) => reason.length < 10)).toEqual([]);
  });
});

describe('the check of a translation', () => {
  const blockedTopics = (n: number) => `${n} ${n === 1 ? 'topic' : 'topics'} blocked.`;
  const check = (
    text: Text,
    message: string | undefined,
    { language = 'ru', allowed = [] }: { language?: Language; allowed?: readonly Exception[] } = {},
  ) => {
    const made = makeEnglish([text], {}).files;
    const files = message === undefined ? {} : { [text.namespace]: { [text.key]: message } };
    return formatFindings(
      checkLanguage({ language, texts: [text], english: made, files }, allowed),
    );
  };
  const russian =
    '{count, plural, one {# тема заблокирована} few {# темы заблокированы} many {# тем заблокировано} other {# темы заблокировано}}.';

  const accepted: readonly [string, Text, string, Language][] = [
    ['a constant', textFrom('Try again.'), 'Повторите.', 'ru'],
    ['a plural', textFrom(blockedTopics, [count]), russian, 'ru'],
    [
      'a plural without the rare form of millions',
      textFrom(blockedTopics, [count]),
      '{count, plural, one {# tema bloqueado} other {# temas bloqueados}}.',
      'es',
    ],
    [
      'one form where the language has one',
      textFrom(blockedTopics, [count]),
      '{count} topik diblokir.',
      'id',
    ],
    ['marks of its own', textFrom('Really “so”?'), 'هل «هكذا» حقًا؟', 'ar'],
    ['a danda', textFrom('It is done.'), 'हो गया।', 'hi'],
    ['a slot elsewhere', textFrom('Write {command} here'), 'Hier {command} schreiben', 'de'],
    [
      'a choice',
      textFrom((is: boolean) => (is ? 'On' : 'Off'), [isBlocked]),
      '{isBlocked, select, true {An} other {Aus}}',
      'de',
    ],
    ['the same word', textFrom('Chat ID'), 'Chat ID', 'it'],
  ];
  test.each(accepted.map(([what, ...rest]) => ({ what, rest })))(
    'accepts $what',
    ({ rest: [text, message, language] }) => {
      expect(check(text, message, { language })).toBe('');
    },
  );

  const faults: readonly [string, Text, string | undefined, RegExp, Language?][] = [
    ['a missing text', textFrom('Home'), undefined, /key is missing: translate “Home”/],
    [
      'broken braces',
      textFrom((who: string) => `Hi, ${who}`, [name]),
      'Привет, {name',
      /cannot be read/,
    ],
    [
      'a lost argument',
      textFrom((who: string) => `Hi, ${who}`, [name]),
      'Привет',
      /lacks \{name\}/,
    ],
    [
      'an argument in quotes',
      textFrom((who: string) => `Of ${who}`, [name]),
      "L'{name}",
      /lacks \{name\}/,
      'it',
    ],
    [
      'a translated argument',
      textFrom((who: string) => `Hi, ${who}`, [name]),
      'Привет, {имя} {name}',
      /has \{имя\}, which English has not/,
    ],
    ['a lost slot', textFrom('Write {command}'), 'Напишите', /lacks \{command\}/],
    [
      'a slot twice',
      textFrom('Write {command}'),
      '{command} {command}',
      /\{command\} more than once/,
    ],
    [
      'a plural of a name',
      textFrom((who: string) => `Hi, ${who}`, [name]),
      '{name, plural, one {a} few {b} many {c} other {d}}',
      /counts with \{name\}, which is no number/,
    ],
    [
      'a date',
      textFrom((n: number) => `${n} more`, [count]),
      '{count, date}',
      /uses \{count\} in a way/,
    ],
    [
      'a strange choice',
      textFrom((is: boolean) => (is ? 'On' : 'Off'), [isBlocked]),
      '{isBlocked, select, ja {An} other {Aus}}',
      /by ja, which English does not/,
    ],
    [
      'a lost plural',
      textFrom(blockedTopics, [count]),
      '{count} тем заблокировано.',
      /no plural: write \{count, plural/,
    ],
    [
      'lost plural forms',
      textFrom(blockedTopics, [count]),
      '{count, plural, one {# тема} other {# темы}}.',
      /lacks the plural forms few, many of \{count\}/,
    ],
    [
      'a plural form that the language lacks',
      textFrom(blockedTopics, [count]),
      russian.replace('few', 'two {# темы} few'),
      /forms two, which the language lacks/,
    ],
    [
      'another mark at the end',
      textFrom('Try again.'),
      'Повторите',
      /ends with no mark, English with “\.”/,
    ],
    [
      'another mark in one form',
      textFrom(blockedTopics, [count]),
      russian.slice(0, -1),
      /ends with no mark/,
    ],
    ['lost brackets', textFrom('Seed (optional)'), 'Зерно', /has 0 brackets, English 2/],
    [
      'a quote that never ends',
      textFrom('The right “Delete” is missing'),
      'Нет права «Удалять',
      /has 1 quotation marks, English 2/,
    ],
    ['a lost space', textFrom('No code? '), 'Нет кода?', /begins or ends with other spaces/],
    ['English', textFrom('Choose what is blocked'), 'Choose what is blocked', /is English still/],
    [
      'a changed address',
      textFrom('Ask https://t.me/BotFather for it'),
      'Спросите https://t.me/BotPapa',
      /lacks https:\/\/t\.me\/BotFather/,
    ],
    ['a changed variable', textFrom('Set BOT_TOKEN here'), 'Задайте БОТ', /lacks BOT_TOKEN/],
    [
      'directional marks',
      textFrom('Chat ID'),
      'معرّف \u200Fالدردشة',
      /invisible directional marks/,
      'ar',
    ],
    [
      'too much for Telegram',
      textFrom('What I can do', [], 'commands.help'),
      'ы'.repeat(257),
      /has 257 characters, and Telegram takes 256/,
    ],
  ];
  test.each(faults.map(([what, ...rest]) => ({ what, rest })))(
    'finds $what',
    ({ rest: [text, message, expected, language = 'ru'] }) => {
      const found = check(text, message, { language });

      expect(found).toMatch(expected);
      expect(found.trim().split('\n')).toHaveLength(1);
      expect(found).toMatch(/^locales\/\w+\/[\w-]+\.json: /);
    },
  );

  test('finds a text that the product has no more', () => {
    const found = checkLanguage({
      language: 'ru',
      texts: [],
      english: {},
      files: { home: { gone: 'Ушло' } },
    });

    expect(formatFindings(found)).toBe(
      'locales/ru/home.json: gone is no text of the product any more: remove it\n',
    );
  });

  test('lets a text stay English where an exception says why', () => {
    const text = textFrom('Stable Diffusion web UI');
    const exception = { rule: 'translated', text: 'home/key', reason: 'A name.' } as const;

    expect(check(text, 'Stable Diffusion web UI')).toMatch(/is English still/);
    expect(check(text, 'Stable Diffusion web UI', { allowed: [exception] })).toBe('');
    expect(
      check(text, 'Stable Diffusion web UI', { allowed: [{ ...exception, language: 'fa' }] }),
    ).toMatch(/is English still/);
  });
});

describe('which languages are built', () => {
  test('all shipped ones, English first, or those that are named', () => {
    expect(languagesToBuild(undefined)).toEqual(shippedLanguages());
    expect(languagesToBuild('')).toEqual(shippedLanguages());
    expect(languagesToBuild(' en ')).toEqual(['en']);
    expect(languagesToBuild('en-XA')).toEqual(['en-XA']);
  });

  test('an unknown one is a clear error', () => {
    expect(() => languagesToBuild('en,xx')).toThrow(/NORI_LANGUAGES names “xx”.*: en/);
  });

  test('the scripts know their language, and the pseudo-language is English to them', () => {
    const site = { isSite: true };
    expect(languageConstants('de', site)).toMatchObject({
      'import.meta.env.NORI_THOUSANDS': '"."',
      'import.meta.env.NORI_PREFIX': '"/de"',
    });
    expect(languageConstants('en-XA', site)).toMatchObject({
      'import.meta.env.NORI_LANGUAGE': '"en"',
      'import.meta.env.NORI_PREFIX': '""',
    });
    expect(languageConstants('de', { isSite: false })).toMatchObject({
      'import.meta.env.NORI_PREFIX': '""',
      'import.meta.env.NORI_LANGUAGES': '"de"',
    });
  });
});
