/** Colours that are repeated outside of CSS, for the page's frame and for incomplete palettes, equal the tokens. */
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';

import { toVariables } from '#lib/palette';
import { manifestJson } from '#scripts/head.ts';

const read = (file: string) => fs.readFileSync(file, 'utf8');
const [light = '', dark = ''] = read('src/ui/tokens.css').split(":root[data-theme='dark']");

/** The value of a token in one theme. */
function token(name: string, block: string): string {
  const [, value] = new RegExp(`${name}: (#[0-9a-f]{6});`).exec(block) ?? [];
  if (value === undefined) {
    throw new Error(`There is no token ${name}`);
  }
  return value;
}

const written = [
  '--accent',
  '--danger',
  '--code-key',
  '--code-string',
  '--code-number',
  '--code-keyword',
  '--code-punctuation',
  '--code-comment',
] as const;

describe.each([
  ['light', light],
  ['dark', dark],
])('%s', (theme, block) => {
  test('a palette with only background and text is completed with our colours', () => {
    const variables = toVariables({
      bg_color: token('--surface', block),
      secondary_bg_color: token('--bg', block),
      text_color: token('--text', block),
    })?.variables;

    const given = written.map((name) => [name, variables?.[name]]);

    expect(given).toEqual(written.map((name) => [name, token(name, block)]));
  });

  test('the browser’s own frame has the colour of the page', () => {
    expect(read('src/lib/theme.ts')).toContain(`${theme}: '${token('--bg', block)}'`);
  });
});

test('so has the frame before any script runs, and that of the installed app', () => {
  const background = token('--bg', light);

  expect(read('index.html')).toContain(`name="theme-color" content="${background}"`);
  expect(JSON.parse(manifestJson({ siteName: 'Nori', description: '' }))).toMatchObject({
    background_color: background,
    theme_color: background,
  });
});
