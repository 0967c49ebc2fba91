/** The table of commands: what Telegram accepts, names that are clear, and texts in all languages. */
import { describe, expect, test } from 'vitest';

import { type Need, needs } from '#contract/commands/command';
import {
  categories,
  commandIds,
  commandsIn,
  commandTable,
  findCommand,
  findCurrentId,
  findInline,
  isForPlace,
  isOffered,
} from '#contract/commands/index';
import { isInlineId } from '#contract/commands/inline';
import { commandTexts } from '#contract/commands/titles';
import { shippedLanguages } from '#scripts/languages/build-language.ts';
import { readMessageFiles } from '#scripts/languages/files.ts';

const inlineIds = commandIds.filter(isInlineId);
const chatCommandIds = commandIds.filter((id) => !isInlineId(id));

describe('a command', () => {
  test.each([
    ['begins with a slash', chatCommandIds],
    ['is found in any chat', inlineIds],
  ])('that %s has names that Telegram accepts, and that no other has', (_what, ids) => {
    const names = ids.flatMap((id) => commandTable[id].names);

    expect(names.filter((name) => !/^[a-z0-9_]{1,32}$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test('has one category', () => {
    expect(categories.flatMap(commandsIn).toSorted()).toEqual([...commandIds].toSorted());
  });

  test.each(commandIds)('%s is found by each of its names', (id) => {
    const find = isInlineId(id) ? findInline : findCommand;

    expect(commandTable[id].names.map(find)).toEqual(commandTable[id].names.map(() => id));
  });

  test.each(commandIds)('%s shows how it is used, by its own names', (id) => {
    const { names: own, usage } = commandTable[id];
    const typed = usage.flatMap((line) => (typeof line === 'string' ? [line] : line.slice(1)));
    const pattern = isInlineId(id) ? /^@bot (\w+)/g : /^\/(\w+)/g;
    const used = typed.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name));

    expect(usage.length).toBeGreaterThan(0);
    expect(isInlineId(id) ? used.length : typed.length).toBe(typed.length);
    expect(used.filter((name) => name === undefined || !own.includes(name))).toEqual([]);
  });

  test.each(commandIds)('%s has a place, and needs only what a server can have', (id) => {
    const { where, needs: needed = [] } = commandTable[id];

    expect(where.length).toBeGreaterThan(0);
    expect(needed.filter((need) => !needs.includes(need))).toEqual([]);
  });

  test.each(inlineIds)(
    '%s is no command: it is in no menu, and no message begins with it',
    (id) => {
      expect(commandTable[id].where).toEqual(['inline']);
      expect(commandTable[id].names.map(findCommand)).not.toContain(id);
    },
  );

  test('is unknown by another name', () => {
    const names = ['', 'Ban', '/ban', 'toString', 'nosuch'];

    expect([...names.map(findCommand), ...names.map(findInline)]).toEqual(
      Array.from({ length: 10 }, () => undefined),
    );
  });
});

test.each(['group', 'private'] as const)('a menu in a %s has room for all of them', (place) => {
  expect(commandIds.filter((id) => isForPlace(id, place)).length).toBeLessThanOrEqual(100);
});

describe('what a server offers', () => {
  test('without services is what needs none', () => {
    const offered = commandIds.filter((id) => isOffered(id, new Set()));

    expect(offered).toContain('ban');
    expect(offered).not.toContain('link');
    expect(offered.filter(isInlineId)).toEqual([]);
  });

  /** How many are offered where these services are connected. */
  const count = (...connected: readonly Need[]) =>
    commandIds.filter((id) => isOffered(id, new Set(connected))).length;

  test.each(needs)('grows with %s', (need) => {
    const without = needs.filter((one) => one !== need);

    expect(count('inline', need)).toBeGreaterThan(need === 'inline' ? 0 : count('inline'));
    expect(count(...without)).toBeLessThanOrEqual(count(...needs));
  });

  test('with all of them is all 76: of each category as many as the specification has', () => {
    expect(categories.map((category) => [category, commandsIn(category).length])).toEqual([
      ['group', 33],
      ['animeSFW', 13],
      ['animeNSFW', 3],
      ['misc', 18],
      ['inline', 9],
    ]);
    expect(count(...needs)).toBe(76);
  });

  test('with none of them is exactly what works without', () => {
    const offered = commandIds.filter((id) => isOffered(id, new Set()));

    const alone = 'start help sticker id info remind afk privacy imagine enhance'.split(' ');
    expect(new Set(offered)).toEqual(new Set([...commandsIn('group'), ...alone]));
  });
});

describe('a former ID', () => {
  test.each([
    ['tban', 'ban'],
    ['tmute', 'mute'],
    ['unlock', 'lock'],
    ['ping', 'status'],
    ['insta', 'download'],
    ['x', 'download'],
    ['animetts', 'tts'],
    ['pixiv', 'sfw'],
  ])('%s stands for %s today', (id, current) => {
    expect(findCurrentId(id)).toBe(current);
  });

  test('of a command that is gone stands for none', () => {
    expect(['kemono', 'inline-translate', 'toString', '__proto__', ''].map(findCurrentId)).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
  });

  test.each(commandIds)('may not be one of today: %s', (id) => {
    expect(findCurrentId(id)).toBe(id);
  });
});

describe('a description is short enough for the menus of Telegram', () => {
  test('in English', () => {
    const long = commandIds.filter((id) => commandTexts[id].description.length > 256);

    expect(long).toEqual([]);
  });

  test.each(shippedLanguages().slice(1))('in %s', (language) => {
    const files = readMessageFiles(language);
    const messages = ['group', 'anime', 'misc', 'inline'].flatMap((name) =>
      Object.entries(files[`contract-commands-${name}`] ?? {}),
    );
    const descriptions = messages.filter(([key]) => key.endsWith('.description'));

    expect(descriptions.length).toBeGreaterThan(10);
    expect(descriptions.filter(([, text]) => text.length > 256)).toEqual([]);
  });
});
