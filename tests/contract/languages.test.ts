/** The languages of the product, by the tags that Telegram, browsers and addresses have for them. */
import { expect, test } from 'vitest';

import {
  acceptedLanguage,
  isLanguage,
  type Language,
  languageFrom,
  languagePrefix,
  languages,
  languageTags,
  sourceLanguage,
} from '#contract/languages';

test.each([
  ['ru', 'ru'],
  ['it-IT', 'it'],
  ['pt-br', 'pt-BR'],
  ['pt', 'pt-BR'],
  ['uz-latn', 'uz'],
  ['uz-cyrl', undefined],
  ['zh-hans', undefined],
  ['', undefined],
  [undefined, undefined],
] as const)('the language for the tag %s is %s', (tag, language) => {
  expect(languageFrom(tag)).toBe(language);
});

test.each([
  ['ru,en;q=0.8', 'ru'],
  ['en;q=0.5, de-AT;q=0.9', 'de'],
  ['zh, fa;q=0.1', 'fa'],
  ['ru;q=0, tr', 'tr'],
  ['zh', undefined],
  ['', undefined],
  [undefined, undefined],
] as const)('of "%s" the language is %s', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});

test('each language has addresses of its own, and English those without a prefix', () => {
  const prefix = (language: Language) => languagePrefix(language);
  expect(prefix(sourceLanguage)).toBe('');
  expect(prefix('pt-BR')).toBe('/pt-br');
  expect(new Set(languageTags.map(prefix)).size).toBe(Object.keys(languages).length);
  expect(languageTags.every((tag) => languageFrom(prefix(tag).slice(1) || 'en') === tag)).toBe(
    true,
  );
  expect(isLanguage('pt-br')).toBe(false);
});
