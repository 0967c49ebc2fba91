/** What users read is in text modules: only they are translated. */
import fs from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

const sources = fs
  .globSync('{contract,src}/**/*.{ts,tsx}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/(?:^|[/-])texts\.ts$/.test(file))
  .toSorted();

/** Files whose strings stay as they are in every language. */
const untranslated: ReadonlySet<string> = new Set([
  // The names of the languages, each in its own.
  'contract/languages.ts',
  // Queries of another service.
  'contract/images/model-documents.ts',
  // The names of packages.
  'src/features/about/open-source.ts',
  // Commands as they are typed.
  'contract/commands/anime.ts',
  'contract/commands/group.ts',
  'contract/commands/inline.ts',
  'contract/commands/misc.ts',
  // What other programs write into pictures.
  'contract/images/recipe-text.ts',
]);

/** Names, what is typed, and words of protocols. */
const untranslatedStrings: ReadonlySet<string> = new Set(
  [
    'Nori|Telegram|Spotify|Pixiv|Kemono|Hanime|Douyin|Facebook|Instagram|Pinterest|Threads|Kusa|Imagine Art',
    'Midjourney|Python|Wikipedia|Wiktionary',
    // Examples of the public API.
    'Mikasa Ackerman|Edogawa|Spike Spiegel|Cowboy Bebop|Holo|Hatsune Miku|Totoro|Low|Heroes|Others',
    'Hello, world!|こんにちは、せかい|안녕하세요, 세계',
    // What backends say, of a refused token and of silence.
    'Not authenticated|No track is currently playing.',
    // Names of actions.
    'make again|use again',
    '/status|Bearer |noopener noreferrer',
  ].flatMap((names) => names.split('|')),
);

/** Their arguments are for programs and logs: of a failed call users read the detail. */
const untranslatedCalls =
  /^(?:closest|matches|matchMedia|querySelector|querySelectorAll|glob|split|log\w+|(?:Api|Type)?Error|MissingChunk)$/;
const untranslatedAttributes = /^(?:className|d|rel)$/;

const isCode = (text: string) => /\b(?:await|headers|import)\b|\n {2}-H |^\([\w-]+:/.test(text);

const severalWords = /\p{L}[,.:;!?…]? \p{L}/u;
/** Between the values of a template; others are parts of names, such as `${name}Action`. */
const beginning = /^\p{Lu}\p{Ll}+[ :]/u;
const singleWord = /^\p{Lu}\p{Ll}+[.!?…]*$/u;

const isTranslated = (text: string) => !untranslatedStrings.has(text) && !isCode(text);

type Callee = { readonly type: string; readonly name?: unknown; readonly property?: unknown };

function calledName({ type, name, property }: Callee): string {
  const last = type === 'MemberExpression' ? property : { name };
  const found = typeof last === 'object' && last !== null && 'name' in last ? last.name : undefined;
  return typeof found === 'string' ? found : '';
}

/** The strings of a file that users would read. */
function findTexts(file: string, code: string): readonly string[] {
  const found: string[] = [];
  let skipped = 0;
  const skip = () => {
    skipped += 1;
  };
  const unskip = () => {
    skipped -= 1;
  };
  const skipIf = (isSkipped: boolean) => {
    skipped += isSkipped ? 1 : 0;
  };
  const unskipIf = (isSkipped: boolean) => {
    skipped -= isSkipped ? 1 : 0;
  };
  const read = (text: string, isText: boolean) => {
    if (skipped === 0 && isText && isTranslated(text)) {
      found.push(text);
    }
  };
  /** Where the names of cases begin. */
  const cases = new Set<number>();
  const isComparison = ({ operator }: { readonly operator: string }) => /^[!=]==$/.test(operator);
  const isForPrograms = ({ callee }: { readonly callee: Callee }) =>
    untranslatedCalls.test(calledName(callee));
  const isTechnical = ({ name }: { readonly name: { readonly name: unknown } }) =>
    typeof name.name === 'string' && untranslatedAttributes.test(name.name);

  new Visitor({
    ImportDeclaration: skip,
    'ImportDeclaration:exit': unskip,
    ImportExpression: skip,
    'ImportExpression:exit': unskip,
    TSLiteralType: skip,
    'TSLiteralType:exit': unskip,
    BinaryExpression: (node) => skipIf(isComparison(node)),
    'BinaryExpression:exit': (node) => unskipIf(isComparison(node)),
    CallExpression: (node) => skipIf(isForPrograms(node)),
    'CallExpression:exit': (node) => unskipIf(isForPrograms(node)),
    NewExpression: (node) => skipIf(isForPrograms(node)),
    'NewExpression:exit': (node) => unskipIf(isForPrograms(node)),
    JSXAttribute: (node) => skipIf(isTechnical(node)),
    'JSXAttribute:exit': (node) => unskipIf(isTechnical(node)),
    JSXText: ({ value }) => {
      const text = value.replaceAll(/\s+/g, ' ').trim();
      read(text, /\p{L}/u.test(text));
    },
    SwitchCase: (node) => void (node.test && cases.add(node.test.start)),
    Literal: ({ value, start }) => {
      if (typeof value === 'string' && !cases.has(start)) {
        read(value, severalWords.test(value) || singleWord.test(value));
      }
    },
    TemplateElement: ({ value }) => {
      const text = value.cooked ?? '';
      read(text, severalWords.test(text) || beginning.test(text));
    },
  }).visit(parseSync(file, code).program);
  return found;
}

test('what users read is in text modules', () => {
  expect(sources.length).toBeGreaterThan(200);
  const found = sources
    .filter((file) => !untranslated.has(file))
    .flatMap((file) =>
      findTexts(file, fs.readFileSync(join(root, file), 'utf8')).map((text) => `${file}: ${text}`),
    );

  expect(found).toEqual([]);
});

test.each([
  ['words between tags', 'const a = <p>Try again</p>;', 'Try again'],
  ['a single word between tags', 'const a = <p>{count} likes</p>;', 'likes'],
  ['a label', 'const a = <Button label="Close" />;', 'Close'],
  ['a name for screen readers', "const a = <p aria-label={isOpen ? 'Open it' : ''} />;", 'Open it'],
  ['a part of a sentence', 'notify({ text: `${name} was removed` });', ' was removed'],
  ['a property', "const tab = { id: 'models', label: 'Models' };", 'Models'],
  ['a message that is shown', "refuse(new Refusal('Nothing came back'));", 'Nothing came back'],
])('%s: a text outside of text modules is found', (_case, code, text) => {
  expect(findTexts('a.tsx', code)).toEqual([text]);
});

test.each([
  ['an import', "import { a } from './Some file.ts';"],
  ['a type', "type Key = 'Enter' | 'Two words';"],
  ['a key', "const isEnd = event.key === 'End';"],
  ['a case', "switch (event.key) { case 'Home': go(); }"],
  ['a part of a name', 'const text = texts[`${step}Action`];'],
  ['a selector', "element.closest('input, textarea');"],
  ['a message for the log', "throw new Error('The page has no root');"],
  ['classes', 'const a = <p className={`visually hidden ${styles.a}`}>{texts.a}</p>;'],
  ['the name of a product', 'const a = <b>Spotify</b>;'],
])('%s is no text', (_case, code) => {
  expect(findTexts('a.tsx', code)).toEqual([]);
});
