/** Parts of a page stand where the text of a language has its places for them. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';

import { fillSlots } from '#ui/fill-slots';

const link = <a href="/bot">Open the bot</a>;
const code = <code>BOT_TOKEN</code>;

test('the parts stand in the order of the text, whatever its language makes of it', () => {
  expect(renderToStaticMarkup(fillSlots('{link} or set {code}.', { link, code }))).toBe(
    '<a href="/bot">Open the bot</a> or set <code>BOT_TOKEN</code>.',
  );
  expect(renderToStaticMarkup(fillSlots('{code} setzen oder {link}', { link, code }))).toBe(
    '<code>BOT_TOKEN</code> setzen oder <a href="/bot">Open the bot</a>',
  );
});

test('a part may stand twice, and a text may have none', () => {
  expect(renderToStaticMarkup(fillSlots('{code}, {code}', { code }))).toBe(
    '<code>BOT_TOKEN</code>, <code>BOT_TOKEN</code>',
  );
  expect(renderToStaticMarkup(fillSlots('Plain', {}))).toBe('Plain');
});

test('a part without a place and a place without a part are mistakes', () => {
  const translated: string = 'Öffnen: {lnk}';
  expect(() => fillSlots(translated, { link })).toThrow('no node for [lnk], no place for [link]');
});

test('the compiler knows the places of an English text', () => {
  // @ts-expect-error -- The text says `link`.
  expect(() => fillSlots('No code? {link}', { lnk: link })).toThrow('no node for [link]');
  // @ts-expect-error -- The text has two places.
  expect(() => fillSlots('{link} or {code}', { link })).toThrow('no node for [code]');
});
