/** The server's texts in other languages: what is translated, how it is formatted, and what is missing. */
import { assert, constantFrom, integer, property, string } from 'fast-check';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { errorTexts } from '#contract/endpoints/error-texts';
import { languageTags } from '#contract/languages';
import { textModules } from '#server/app/text-modules';
import { createSentenceFinder } from '#server/lib/known-sentences';
import { isTextFunction, joinList, sayEnglish } from '#server/lib/languages';
import { limitTexts } from '#server/lib/limit-texts';
import { withoutMarks } from '#tests/spoken';
import {
  listTexts,
  openTestLanguages,
  standInFiles,
  writeLocales,
} from '#tests/stand-in-languages';

const samples = [0, 1, 2, 5, 11, 21, 100];

test('every text module of the server and the contract is one that the server can translate', () => {
  const namespaces = ['server', 'contract'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?:^|\/|-)texts\.ts$/.test(file))
      .map((file) =>
        `${root}/${file}`
          .replace('services/', '')
          .replace(/[/-]texts\.ts$/, '')
          .replaceAll('/', '-'),
      ),
  );

  expect(Object.keys(textModules).toSorted()).toEqual(namespaces.toSorted());
});

test.each(Object.entries(textModules))(
  'of %s, every constant and function is said in a language, with its arguments in order',
  (_namespace, module) => {
    const say = openTestLanguages(writeLocales({ de: standInFiles('de') })).textsIn('de');
    const translated = Object.fromEntries(
      Object.entries(module).map(([name, tree]) => [name, say(tree)]),
    );
    const said = listTexts(translated);

    expect(said.map(({ key }) => key)).toEqual(listTexts(module).map(({ key }) => key));
    for (const [index, { key, english }] of listTexts(module).entries()) {
      const text = said[index]?.english;
      const results = isTextFunction(text)
        ? samples.map((n) => text(n, n + 1, n + 2, n + 3))
        : text;
      const expected = isTextFunction(english)
        ? samples.map((n) => {
            const values = english.length === 0 ? [] : [n, n + 1, n + 2, n + 3];
            return `<de>${key} ${values.slice(0, english.length).join(' ')}</de>`;
          })
        : `<de>${String(english)}</de>`;
      expect(results).toEqual(expected);
    }
  },
);

test.each(Object.entries(textModules))(
  'what translators read of %s is what the functions say',
  (namespace, module) => {
    const file = readFileSync(join('locales', 'en', `${namespace}.json`), 'utf8');
    const messages = v.parse(v.record(v.string(), v.string()), JSON.parse(file));
    // German counts like English.
    const folder = writeLocales({ de: { [namespace]: messages } });
    const say = openTestLanguages(folder, { modules: { [namespace]: module } }).textsIn('de');
    const translated = Object.fromEntries(
      Object.entries(module).map(([name, tree]) => [name, say(tree)]),
    );

    const sayAll = (texts: Readonly<Record<string, object>>) =>
      listTexts(texts).map(({ english }) =>
        isTextFunction(english)
          ? samples.flatMap((n) => [english(n, n, n, n), english(true, n, n, n)])
          : english,
      );
    expect(sayAll(translated)).toEqual(sayAll(module));
  },
);

test('English is the text modules themselves, also where the server offers another language', () => {
  const { textsIn } = openTestLanguages(writeLocales({ de: standInFiles('de') }));

  expect(textsIn('en')(errorTexts)).toBe(errorTexts);
  expect(textsIn('fr')(errorTexts)).toBe(errorTexts);
});

const words = {
  count: (count: number) => (count === 1 ? '1 chat' : `${count} chats`),
  blocked: (title: string, count: number) => `${count} in ${title}`,
  who: (isOwn: boolean, name: string) => (isOwn ? 'You' : name),
  deep: { list: ['one', 'two'] },
  slot: 'Open {command} now',
  rule: "That's {not} all",
};
const modules = { words: { words } };

function sayWith(language: 'ru' | 'ar' | 'de' | 'fr', messages: Readonly<Record<string, string>>) {
  const languages = openTestLanguages(writeLocales({ [language]: { words: messages } }), {
    modules,
  });
  return { texts: languages.textsIn(language)(words), logLines: languages.logLines };
}

test('a list has the comma of its language', () => {
  const ours = openTestLanguages('locales');
  const commas = languageTags.map((tag) => {
    return [tag, withoutMarks(joinList(['url', 'forward', 'quote'], ours.textsIn(tag)))];
  });

  const others = Object.fromEntries(languageTags.map((tag) => [tag, 'url, forward, quote']));
  const arabic = 'url، forward، quote';
  expect(Object.fromEntries(commas)).toEqual({ ...others, ar: arabic, fa: arabic });
  expect(['url'].map((part) => joinList([part], ours.textsIn('ar')))).toEqual(['url']);
  expect(joinList([], ours.textsIn('ar'))).toBe('');
});

describe('formatting', () => {
  test('plurals follow the language, and a number is written as digits', () => {
    const { texts } = sayWith('ru', {
      count: '{count, plural, one {# чат} few {# чата} other {# чатов}}',
    });

    expect([1, 2, 5, 11, 21, 1000].map(texts.count)).toEqual([
      '1 чат',
      '2 чата',
      '5 чатов',
      '11 чатов',
      '21 чат',
      '1000 чатов',
    ]);
  });

  test('a number that is formatted has the separator of the language', () => {
    const pattern = { blocked: '{count, number} {title} {count}' };

    expect(sayWith('de', pattern).texts.blocked('x', 1234567)).toBe('1.234.567 x 1234567');
    expect(sayWith('ru', pattern).texts.blocked('x', 1234567)).toBe(
      '1\u00A0234\u00A0567 x 1234567',
    );
  });

  test('a name keeps its direction in a language that is written from right to left', () => {
    const pattern = { blocked: 'من {title}: {count}' };

    expect(sayWith('ar', pattern).texts.blocked('Ada', 3)).toBe('من \u2068Ada\u2069: 3');
    expect(sayWith('de', pattern).texts.blocked('Ada', 3)).toBe('من Ada: 3');
  });

  test('what consists of arguments runs from right to left, also as an argument of another', () => {
    const pattern = { blocked: '{title}، {count}' };

    expect(sayWith('ar', pattern).texts.blocked('Ada', 3)).toBe('\u200F\u2068Ada\u2069، 3');
    expect(sayWith('de', pattern).texts.blocked('Ada', 3)).toBe('Ada، 3');
  });

  test('an address, a username and a negative number keep theirs, too', () => {
    const pattern = { blocked: 'اكتب (@{title}) -100 https:// 1-2 {count}' };
    const shown = 'اكتب (\u2066@ada\u2069) \u2066-100\u2069 \u2066https://\u2069 1-2 3';

    expect(sayWith('ar', pattern).texts.blocked('ada', 3)).toBe(shown);
    expect(sayWith('de', pattern).texts.blocked('ada', 3)).toBe('اكتب (@ada) -100 https:// 1-2 3');
  });

  test('a choice is made by the value itself', () => {
    const pattern = { who: '{isOwn, select, true {شما} other {{name}}}' };

    expect(sayWith('ar', pattern).texts.who(true, 'Ada')).toBe('شما');
    expect(sayWith('ar', pattern).texts.who(false, 'Ada')).toBe('\u2068Ada\u2069');
  });

  test('slots stay for what fills them, and an apostrophe is one', () => {
    const { texts } = sayWith('fr', { slot: "Ouvrez d'abord {command}", rule: "C'est {not}" });

    expect(texts.slot).toBe("Ouvrez d'abord {command}");
    expect(texts.rule).toBe("C'est {not}");
  });

  test('a list is translated piece by piece', () => {
    const { texts } = sayWith('de', { 'deep.list.0': 'eins', 'deep.list.1': 'zwei' });

    expect(texts.deep.list.map((word) => word.toUpperCase())).toEqual(['EINS', 'ZWEI']);
  });

  test('signs in the words of users are no pattern', () => {
    const { texts } = sayWith('de', { blocked: '{title} hat {count}' });

    assert(
      property(string(), integer({ min: 0 }), (title, count) => {
        expect(texts.blocked(title, count)).toBe(`${title} hat ${count}`);
      }),
    );
    expect(texts.blocked("{count} <b>'#", 1)).toBe("{count} <b>'# hat 1");
  });
});

describe('what is missing or broken', () => {
  test.each([
    ['is missing', {}],
    ['is no pattern', { count: '{count, plural, one {#}' }],
    ['has an argument that the text lacks', { count: '{number} чатов' }],
    ['has a kind of argument that is not used', { count: '{count, date}' }],
  ])('a translation that %s is English, and the log says so once', (_case, messages) => {
    const { texts, logLines } = sayWith('ru', messages);

    expect([texts.count(1), texts.count(2), texts.count(2)]).toEqual([
      '1 chat',
      '2 chats',
      '2 chats',
    ]);
    expect(logLines).toHaveLength(1);
    expect(JSON.parse(logLines[0] ?? '')).toMatchObject({
      language: 'ru',
      namespace: 'words',
      key: 'count',
    });
  });

  test.each([
    ['broken JSON', '{"count": '],
    ['JSON of another shape', '{"count": {"one": "1"}}'],
  ])('a file with %s leaves its texts in English, and the server starts', (_case, content) => {
    const folder = writeLocales({ ru: {} });
    writeFileSync(join(folder, 'ru', 'words.json'), content);
    const { textsIn, offered, logLines } = openTestLanguages(folder, { modules });

    expect(offered).toEqual(['en', 'ru']);
    expect(textsIn('ru')(words).count(2)).toBe('2 chats');
    expect(logLines).toHaveLength(1);
  });

  test('without a folder of translations there is English', () => {
    expect(openTestLanguages('/nonexistent/locales').offered).toEqual(['en']);
  });
});

test('the languages are the folders, and the operator may want fewer', () => {
  const folder = writeLocales({ de: {}, ar: {}, ru: {} });

  expect(openTestLanguages(folder).offered).toEqual(['en', 'ru', 'ar', 'de']);
  expect(openTestLanguages(folder, { limitTo: ['ar', 'fr'] }).offered).toEqual(['en', 'ar']);
});

describe('a sentence that was made before', () => {
  const { textsIn } = openTestLanguages(writeLocales({ de: standInFiles('de') }));
  const find = createSentenceFinder([limitTexts, errorTexts]);

  test('is said again in another language, with its arguments', () => {
    const english = limitTexts.logins('3 hours');

    expect(find(english)?.(textsIn('de'))).toBe('<de>limitTexts.logins 3 hours</de>');
    expect(find(errorTexts.busy)?.(textsIn('de'))).toBe(`<de>${errorTexts.busy}</de>`);
  });

  test('is the same in English, whatever its arguments are', () => {
    const names = Object.keys(limitTexts).filter((name) => name in limitTexts);
    assert(
      property(constantFrom(...names), string({ minLength: 1 }), (name, wait) => {
        const text: unknown = Reflect.get(limitTexts, name);
        const english = isTextFunction(text) ? text(wait) : '';
        expect(find(english)?.(sayEnglish)).toBe(english);
      }),
    );
  });

  test('is unknown when none of our texts made it', () => {
    expect(find('The disk is on fire.')).toBeUndefined();
  });
});
