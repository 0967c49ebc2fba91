/** Names, comments and documents use the words of `docs/glossary.md`, and none of those that it forbids. */
import fs from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => fs.readFileSync(join(root, file), 'utf8');
const glossary = read('docs/glossary.md');

/** The words after a sentence of the glossary that begins with `start`. */
function readList(start: string): ReadonlySet<string> {
  const [, list] = new RegExp(`^${start}: ([^.]+)\\.`, 'm').exec(glossary) ?? [];
  return new Set(
    (list ?? '')
      .replaceAll(/\s+/g, ' ')
      .split(/, /)
      .map((word) => word.trim()),
  );
}

const forbiddenWords = readList('Not a word of any name');
const forbiddenNames = readList('Not a whole name');
const forbiddenProse = readList('Not in comments, logs and documents');

const sources = fs
  .globSync('{contract,scripts,server,src,tests}/**/*.{ts,tsx,mjs,css}', { cwd: root })
  // It has to name what it forbids.
  .filter((file) => !file.endsWith('glossary.test.ts'))
  .toSorted();

/** Strings first, so that `//` in an address begins no comment. Regular expressions stay. */
const tokenPattern =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?\*\/|(?<![:\\'"`])\/\/[^\n]*/g;

const readComments = (text: string) =>
  [...text.matchAll(tokenPattern)].map(([part]) => part).filter((part) => /^\/[/*]/.test(part));

/** Identifiers, those in `${…}` included, and the words of the file's own name. */
function readNames(file: string): ReadonlySet<string> {
  const code = read(file).replaceAll(tokenPattern, (part) =>
    part.startsWith('`')
      ? [...part.matchAll(/\$\{([^}]*)\}/g)].map(([, inner]) => inner).join(' ')
      : ' ',
  );
  const names = code.match(/[A-Za-z_$][\w$]*/g) ?? [];
  return new Set([...names, ...file.split(/[/.-]/)]);
}

/** `useLeavingLost` → use, leaving, lost. */
const splitName = (name: string) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase());

const builtIn = new Set(['indexOf', 'lastIndexOf', 'toBeInstanceOf']);

function isForbidden(name: string): boolean {
  return (
    forbiddenNames.has(name) ||
    splitName(name).some((word) => forbiddenWords.has(word)) ||
    /^most[A-Z]/.test(name) ||
    (/[a-z\d]Of$/.test(name) && !builtIn.has(name))
  );
}

test('the glossary has at most 40 words, and lists what is forbidden', () => {
  const [table = ''] = glossary.split('## Before and after');
  const rows = table.split('\n').filter((line) => /^\| [a-z]/.test(line));

  expect(rows.length).toBeGreaterThan(30);
  expect(rows.length).toBeLessThanOrEqual(40);
  expect(forbiddenWords.size).toBeGreaterThan(10);
  expect(forbiddenNames.size).toBeGreaterThan(20);
  expect(forbiddenProse.size).toBeGreaterThan(5);
});

test.each(['wishOf', 'recordDeed', 'standing', 'mostKept', 'keyOf', 'ask-listed'])(
  '%s would be found',
  (name) => {
    expect(name.split('-').some(isForbidden)).toBe(true);
  },
);

test.each(['indexOf', 'pendingValue', 'memberStatus', 'maxEntries', 'almostDone', 'task'])(
  '%s is allowed',
  (name) => {
    expect(isForbidden(name)).toBe(false);
  },
);

describe('forbidden words', () => {
  test('are in no name', () => {
    expect(sources.length).toBeGreaterThan(500);
    const found = sources.flatMap((file) => {
      const names = [...readNames(file)].filter(isForbidden);
      return names.length > 0 ? [`${file}: ${names.join(', ')}`] : [];
    });

    expect(found).toEqual([]);
  });

  test('are in no comment and no document', () => {
    const pattern = new RegExp(
      `\\b(?:${[...forbiddenProse].map((word) => word.replaceAll(/["“”]/g, '')).join('|')})\\b`,
      'gi',
    );
    const documents = fs
      .globSync(['*.md', 'docs/**/*.md', 'server/**/*.md'], { cwd: root })
      .filter((file) => !file.endsWith('glossary.md'));
    const texts = [
      ...sources.map((file) => [file, readComments(read(file)).join('\n')] as const),
      ...documents.map((file) => [file, read(file)] as const),
    ];

    const found = texts.flatMap(([file, text]) => {
      const words = text.match(pattern) ?? [];
      return words.length > 0 ? [`${file}: ${[...new Set(words)].join(', ')}`] : [];
    });

    expect(found).toEqual([]);
  });
});
