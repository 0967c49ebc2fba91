/** `docs/message-types.md` names every field of a message of the Bot API once, and says what the code does with it. */
import fs from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

import { allMessageTypes } from '#contract/chats/message-types';
import { signsByType } from '#services/moderation';

const root = resolve(import.meta.dirname, '../..');
const page = fs.readFileSync(resolve(root, 'docs/message-types.md'), 'utf8');
const [locks = '', notLocks = ''] = page.split('## Not a lock');

/** The rows of all tables, without their heads. */
const readRows = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^\| [^-]/.test(line) && !/^\| (?:Setting|Fields) /.test(line))
    .map((line) => line.split('|').slice(1, -1));

const readNames = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name);

const documented = readRows(locks).map(([setting = '', fields, entities]) => ({
  type: setting.trim(),
  fields: readNames(fields),
  entities: readNames(entities),
}));

/** The names of the fields of `Message`, in the types of the Bot API. */
function readMessageFields(): ReadonlySet<string> {
  const types = fs
    .readFileSync(resolve(root, 'node_modules/@grammyjs/types/message.d.ts'), 'utf8')
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, '');
  const interfaces = [
    ...types.matchAll(
      /interface (?:ServiceMessage|CommonMessage|CaptionableMessage|MediaMessage|Message)(?: extends [\w.]+)? \{([^}]*)\}/g,
    ),
  ];
  return new Set(
    interfaces.flatMap(([, body = '']) =>
      [...body.matchAll(/^\s*(\w+)\??:/gm)].map(([, name = '']) => name),
    ),
  );
}

test('the tables have a row for each message type, in the order of the settings', () => {
  expect(documented.map(({ type }) => type)).toEqual(allMessageTypes);
});

test.each(documented)('the row of $type says by what the code recognises it', (row) => {
  const signs = [...signsByType].find(([type]) => type === row.type)?.[1];

  expect(new Set(row.fields)).toEqual(new Set(signs?.fields));
  expect(new Set(row.entities)).toEqual(new Set(signs?.entities));
});

test('each field of a message in the Bot API is named once: as a setting, or as none', () => {
  const known = readMessageFields();
  const named = [
    ...documented.flatMap(({ fields }) => fields),
    ...readRows(notLocks).flatMap(([fields]) => readNames(fields)),
  ];

  expect(known.size).toBeGreaterThan(100);
  expect(new Set(named)).toEqual(known);
  expect(named).toHaveLength(known.size);
});
