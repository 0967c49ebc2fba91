/** `docs/security.md` names a test for each check and each attack, and that test exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const document = readFileSync(join(root, 'docs/security.md'), 'utf8');

type Row = {
  readonly id: string;
  readonly cells: readonly string[];
  readonly tests: readonly Reference[];
};
type Reference = { readonly file: string; readonly name: string };

/** The rows of all tables whose first cell is a number or the number of an attack. */
const rows: readonly Row[] = [...document.matchAll(/^\| *(A?\d+) *\|(.*)\|$/gm)].map(
  ([, id = '', rest = '']) => ({
    id,
    cells: rest.split('|').map((cell) => cell.trim()),
    tests: [...rest.matchAll(/`([^`]+)` › ([^|]*?)(?=<br>|\s*\||\s*$)/g)].map(
      ([, file = '', name = '']) => ({ file, name: name.trim() }),
    ),
  }),
);

/** The name as it is typed in the file, where `%s` and `$name` stand for the values of a table. */
function hasTest({ file, name }: Reference): boolean {
  const path = join(root, 'tests', file);
  const source = existsSync(path) ? readFileSync(path, 'utf8').replaceAll(/\(\s+/g, '(') : '';
  return ["'", '"', '`'].some((quote) => source.includes(`(${quote}${name}${quote},`));
}

test('has a row for each of the 48 checks and the 12 attacks, in order', () => {
  expect(rows.map(({ id }) => id)).toEqual([
    ...Array.from({ length: 48 }, (_none, index) => String(index + 1)),
    ...Array.from({ length: 12 }, (_none, index) => `A${index + 1}`),
  ]);
});

test('says of each what it is about, and names a test for it', () => {
  const empty = rows.filter(({ cells, tests }) => cells[0] === '' || tests.length === 0);

  expect(empty.map(({ id }) => id)).toEqual([]);
});

test('names only tests that exist, by exactly their names', () => {
  const references = rows.flatMap(({ tests }) => tests);
  // Every ` › ` of a row was read as a test.
  expect(references).toHaveLength(
    rows.map(({ cells }) => cells.join('|').split(' › ').length - 1).reduce((a, b) => a + b, 0),
  );

  const missing = references.filter((reference) => !hasTest(reference));

  expect(missing.map(({ file, name }) => `${file} › ${name}`)).toEqual([]);
});

test('a test that was renamed is noticed', () => {
  const file = 'contract/security-doc.test.ts';

  expect(hasTest({ file, name: 'a test that was renamed is noticed' })).toBe(true);
  expect(hasTest({ file, name: 'a test that was renamed is' })).toBe(false);
  expect(hasTest({ file: 'contract/nothing.test.ts', name: 'anything' })).toBe(false);
});

/** What makes markup or code of a text. React's children and attributes are texts. */
const dangerous =
  /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(|srcdoc|createContextualFragment|DOMParser/i;

test('no module of the page makes markup or code of a text', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name),
  );

  const found = files.filter((name) =>
    dangerous.test(readFileSync(join(root, 'src', name), 'utf8')),
  );

  expect(files.length).toBeGreaterThan(200);
  expect(found).toEqual([]);
});
