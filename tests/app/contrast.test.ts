/** The colours of text and of what is behind it have a contrast of at least 4.5:1 in both themes. */
import fs from 'node:fs';
import { expect, test } from 'vitest';

import { contrast } from '#lib/palette';

const tokens = fs.readFileSync('src/ui/tokens.css', 'utf8');
const [light = '', dark = ''] = tokens.split(":root[data-theme='dark']");

function readColours(block: string): ReadonlyMap<string, string> {
  return new Map(
    [...block.matchAll(/(--[\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

/** The colours of Telegram's own messages, in the preview of what the bot sends: light, dark, dark on iOS. */
const bubbles = fs
  .readFileSync('src/features/chats/editor/preview.module.css', 'utf8')
  .split('--bubble:')
  .slice(1)
  .map((block) => readColours(`--bubble:${block.split('}')[0]}`));

const darkColours = [...readColours(light), ...readColours(dark)];

const themes = {
  light: new Map([...readColours(light), ...(bubbles[0] ?? [])]),
  dark: new Map([...darkColours, ...(bubbles[1] ?? [])]),
  'dark on iOS': new Map([...darkColours, ...(bubbles[1] ?? []), ...(bubbles[2] ?? [])]),
};

const texts = ['--text', '--text-2', '--text-3', '--link', '--ume', '--yuzu', '--danger', '--info'];
const backgrounds = ['--bg', '--surface', '--surface-2'];

/** `--on-x` is written on `--x`, every `--code-…` on `--code-bg`, and the texts on each background. */
const systemPairs = [
  ...texts.flatMap((text) => backgrounds.map((background) => [text, background] as const)),
  ...[...themes.light.keys()].flatMap((name) =>
    name.startsWith('--on-') && themes.light.has(name.replace('--on-', '--'))
      ? [[name, name.replace('--on-', '--')] as const]
      : name.startsWith('--code-') && name !== '--code-bg'
        ? [[name, '--code-bg'] as const]
        : [],
  ),
];

/** Rules of the style sheets that name both colours. */
const writtenPairs = fs
  .globSync('src/**/*.css')
  .flatMap((file) => fs.readFileSync(file, 'utf8').match(/\{[^{}]*\}/g) ?? [])
  .flatMap((rule) => {
    const text = /(?:^|[\s;])color: var\((--[\w-]+)\)/.exec(rule)?.[1];
    const background = /background(?:-color)?: var\((--[\w-]+)\)/.exec(rule)?.[1];
    return text !== undefined && background !== undefined ? [[text, background] as const] : [];
  })
  // Overlays are translucent: what is behind them is a picture.
  .filter(([, background]) => !background.startsWith('--overlay'));

test.each(Object.entries(themes))('text can be read: %s', (_theme, colours) => {
  expect(systemPairs.length).toBeGreaterThan(30);
  expect(writtenPairs.length).toBeGreaterThan(10);

  const unreadable = [...systemPairs, ...writtenPairs].flatMap(([text, background]) => {
    const [front, back] = [colours.get(text), colours.get(background)];
    const ratio = front !== undefined && back !== undefined ? contrast(front, back) : 0;
    return ratio >= 4.5 ? [] : [`${text} on ${background}: ${ratio.toFixed(2)}`];
  });

  expect(unreadable).toEqual([]);
});
