/** Blocked words are found however they are written, and what that costs has a bound that no pattern exceeds. */
import { array, assert as assertProperty, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { maxPatternSigns } from '#contract/chats/values';
import { foldText, toSigns } from '#server/services/automatic/signs';
import { compileWords } from '#server/services/automatic/words';

const compile = (entries: readonly string[]) =>
  compileWords(entries.map((text) => ({ text, hasWildcards: true })));

const search = (entries: readonly string[], text: string) =>
  compile(entries).find(toSigns(foldText(text)));

const finds = (entry: string, text: string) => search([entry], text).found === 0;

describe('a word is found', () => {
  test.each([
    ['casino', 'My CASINO!'],
    ['CASINO', 'my casino'],
    ['casino', 'casino'],
    ['casino', '(casino)'],
    ['Casino', 'ｃａｓｉｎｏ'],
    ['casino', '𝓬𝓪𝓼𝓲𝓷𝓸'],
    ['casino', 'ⓒⓐⓢⓘⓝⓞ'],
    ['casino', '🅲🅰🆂🅸🅽🅾'],
    // Cyrillic and Greek letters among the Latin ones.
    ['casino', 'саsіnо'],
    ['casino', 'cαѕιηο'],
    ['казино', 'КАЗИНО'],
    ['казино', 'кaзинo'],
    ['νερο', 'ΝΕΡΟ'],
    // Marks, and signs without width.
    ['casino', 'c\u0301a\u0300s\u0323ino'],
    ['casino', 'cásïnö'],
    ['casino', 'ca\u200Bsi\u00ADn\u2060o'],
    // Digits and signs for letters.
    ['casino', 'c4s1n0'],
    ['casino', 'c@$!no'],
    ['hello', 'he11o'],
    ['ass', 'a$$'],
    ['b00bs', 'boobs'],
    ['b00bs', 'b00bs'],
    ['v1agra', 'viagra'],
    ['office', 'oﬃce'],
    // Scripts without spaces between words.
    ['赌博', '来赌博吧'],
    ['🎰', 'Win🎰🎰'],
    ['c++', 'use c++ now'],
    ['100', 'for 100 $'],
    ['free money', 'FREE \n money, now'],
  ])('%j in %j', (entry, text) => {
    expect(finds(entry, text)).toBe(true);
  });
});

describe('a word is not found', () => {
  test.each([
    ['casino', 'casinos'],
    ['casino', 'mycasino'],
    ['casino', 'cas ino'],
    ['fail', 'fall'],
    ['loo', '100'],
    ['soo', '500 g'],
    ['free money', 'free, money'],
    // Vowels of Hindi and the marks of Japanese letters make other words.
    ['कम', 'काम'],
    ['かき', 'がき'],
  ])('%j in %j', (entry, text) => {
    expect(finds(entry, text)).toBe(false);
  });
});

describe('wildcards', () => {
  test.each([
    ['casino*', 'casinos', true],
    ['casino*', 'casino', true],
    ['casino*', 'mycasino', false],
    ['*casino', 'mycasino', true],
    ['*casino*', 'x-mycasinos.', true],
    ['cas*no', 'cashino', true],
    ['cas*no', 'cas and no', false],
    ['c?sino', 'cosino', true],
    ['c?sino', 'c🎰sino', true],
    ['c?sino', 'csino', false],
    ['c?sino', 'c sino', false],
    ['c?s1no', 'casino', true],
    ['a?*', 'ab', true],
    ['a?*', 'a', false],
    ['free*money', 'free lots of money', false],
    ['free * money', 'free lots of money', true],
    ['free money*', 'free moneybags', true],
    ['*', 'anything', false],
    ['?', 'x', false],
    ['*?*', 'anything', false],
  ])('%j in %j: %s', (entry, text, expected) => {
    expect(finds(entry, text)).toBe(expected);
  });

  test('a star in a message of 4,096 signs', () => {
    expect(finds('begin*end', `begin${'x'.repeat(4088)}end`)).toBe(true);
    expect(finds('begin*end', `begin${'x'.repeat(4087)}en d`)).toBe(false);
    expect(finds('*a*a*a*b', 'a'.repeat(4096))).toBe(false);
    expect(finds('*a*a*a*b', `${'a'.repeat(4095)}b`)).toBe(true);
  });
});

test('of several entries one is found, also after others that are not', () => {
  const entries = ['roulette', 'poker*', 'free money', '*win*', 'lottery'];
  expect(search(entries, 'a lottery').found).toBe(4);
  expect(search(entries, 'pokerface').found).toBe(1);
  expect(search(entries, 'get free money').found).toBe(2);
  expect(search(entries, 'nothing of it').found).toBeUndefined();
});

/** The rules written a second time, as simply as possible, for letters, spaces and commas. */
function isFoundSimply(entry: string, text: string): boolean {
  const isPhrase = entry.includes(' ');
  const matches = (from: number, at: number): readonly number[] => {
    const sign = entry[at];
    if (sign === undefined) {
      return [from];
    }
    const next = text[from];
    if (sign === '*') {
      const isRun = next !== undefined && (isPhrase || next !== ' ');
      return [...matches(from, at + 1), ...(isRun ? matches(from + 1, at) : [])];
    }
    const isSame = next !== undefined && (sign === '?' ? next !== ' ' : sign === next);
    return isSame ? matches(from + 1, at + 1) : [];
  };
  const isLetter = (at: number) => /[a-z]/.test(text[at] ?? '');
  const isEdge = (at: number) => !isLetter(at - 1) || !isLetter(at);
  return Array.from(text, (_sign, start) => start).some(
    (start) => isEdge(start) && matches(start, 0).some((end) => isEdge(end)),
  );
}

const letters = (signs: string, max: number) =>
  string({ unit: constantFrom(...Array.from(signs)), minLength: 1, maxLength: max });

test('what is found is what the rules say', () => {
  const entries = letters('ab*? ', 6).filter(
    (entry) => entry === entry.trim() && !entry.includes('  ') && /[ab]/.test(entry),
  );
  const texts = letters('abc, ', 12).map((text) => text.replaceAll(/ +/g, ' ').trim());
  assertProperty(
    property(entries, texts, (entry, text) => {
      expect(finds(entry, text)).toBe(isFoundSimply(entry, text));
    }),
    { numRuns: 3000 },
  );
});

/** Patterns that are hard for others: many stars, and the same signs again and again. */
const hardEntries = array(
  oneof(
    letters('a*', 64),
    letters('ab*?', 64),
    letters('a? *', 64),
    letters('a1|*', 64),
    letters('ab ', 64),
    constantFrom('*a*a*a*b', 'a?*', '?*?*?*b', `${'a'.repeat(63)}b`, `*${'a?'.repeat(16)}`),
  ),
  { minLength: 1, maxLength: 60 },
);
const hardTexts = oneof(
  letters('a', 600),
  letters('ab', 600),
  letters('a ', 600),
  letters('a1|', 600),
  letters('a\u0301㌖ﬃ', 600),
);

/**
 * How many signs are compared at most. For each sign of the text: once for each entry with wildcards; and in phrases, up
 * to three times (as `1` may be an i or an l) two steps in the trie and one for each length of an entry.
 */
function toBound(entries: readonly string[], text: string): number {
  const { length } = toSigns(foldText(text)).codes;
  const loose = entries.filter((entry) => /[*?]/.test(entry)).length;
  const phraseSteps = loose === entries.length ? 0 : 3 * (2 + Math.min(64, entries.length - loose));
  return length * (loose + phraseSteps) + maxPatternSigns * loose;
}

test('no pattern and no text cost more than the bound', () => {
  assertProperty(
    property(hardEntries, hardTexts, (entries, text) => {
      expect(search(entries, text).steps).toBeLessThanOrEqual(toBound(entries, text));
    }),
    { numRuns: 300 },
  );
});

test('the bound also holds for 500 entries and 4,096 signs, and grows with the signs alone', () => {
  const entries = Array.from(
    { length: 500 },
    (_item, index) =>
      `*${index.toString(2).padStart(9, '0').replaceAll('0', 'a*').replaceAll('1', '?')}b*c`,
  );
  const matcher = compile(entries);
  const measure = (length: number) =>
    matcher.find(toSigns(foldText(`c ${'ab'.repeat(length / 2)}`.slice(0, length)))).steps;
  expect(measure(4096)).toBeLessThanOrEqual(toBound(entries, 'a'.repeat(4096)));
  expect(measure(4096) / measure(2048)).toBeLessThan(2.1);
});

test('what is written out as many signs makes no message longer', () => {
  const written = toSigns(foldText('㌖'.repeat(4096)));
  expect(written.codes.length).toBeLessThanOrEqual(4096);
  expect(toSigns(foldText('\uFDFA'.repeat(4096))).codes.length).toBeLessThanOrEqual(4096);
});
