/** Palettes of Telegram's clients become readable themes. */
import { assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { contrast, ensureContrast, mix, parseHex, toVariables } from '#lib/palette';

/** Palettes of Telegram's clients. */
const palettes = {
  'desktop and web, light': {
    bg_color: '#ffffff',
    secondary_bg_color: '#f1f1f1',
    text_color: '#000000',
    hint_color: '#999999',
    link_color: '#2481cc',
    button_color: '#40a7e3',
    button_text_color: '#ffffff',
    destructive_text_color: '#d14e4e',
  },
  'desktop, light, blue button': {
    bg_color: '#ffffff',
    secondary_bg_color: '#f1f1f1',
    text_color: '#000000',
    hint_color: '#999999',
    link_color: '#168acd',
    button_color: '#5288c1',
    button_text_color: '#ffffff',
  },
  'desktop, dark': {
    bg_color: '#17212b',
    secondary_bg_color: '#232e3c',
    text_color: '#f5f5f5',
    hint_color: '#708499',
    link_color: '#6ab3f3',
    button_color: '#5288c1',
    button_text_color: '#ffffff',
    destructive_text_color: '#ec3942',
  },
  'Android, light': {
    bg_color: '#ffffff',
    secondary_bg_color: '#f0f0f0',
    text_color: '#222222',
    hint_color: '#a8a8a8',
    link_color: '#2678b6',
    button_color: '#50a8eb',
    button_text_color: '#ffffff',
    destructive_text_color: '#cc2929',
  },
  'iOS, light': {
    bg_color: '#ffffff',
    secondary_bg_color: '#efeff4',
    section_bg_color: '#ffffff',
    text_color: '#000000',
    hint_color: '#8e8e93',
    link_color: '#007aff',
    button_color: '#007aff',
    button_text_color: '#ffffff',
    destructive_text_color: '#ff3b30',
  },
  'iOS, dark': {
    bg_color: '#1c1c1e',
    secondary_bg_color: '#2c2c2e',
    section_bg_color: '#2c2c2e',
    text_color: '#ffffff',
    hint_color: '#98989e',
    link_color: '#3e88f7',
    button_color: '#3e88f7',
    button_text_color: '#ffffff',
    destructive_text_color: '#eb5545',
  },
};

const enough = 4.5;

describe.each(Object.entries(palettes))('the palette of %s', (_name, palette) => {
  const { theme, variables } = toVariables(palette) ?? { theme: 'light', variables: {} };
  const read = (name: string) => variables[name] ?? 'missing';

  test('gives text a contrast of at least 4.5:1 on every surface', () => {
    const texts = ['--text', '--text-2', '--text-3', '--link', '--danger'];
    for (const text of [...texts, '--accent-text', '--subtitle']) {
      for (const surface of ['--bg', '--surface', '--surface-2']) {
        expect(contrast(read(text), read(surface)), `${text} on ${surface}`).toBeGreaterThanOrEqual(
          enough,
        );
      }
    }
  });

  test('gives buttons readable labels', () => {
    expect(contrast(read('--on-accent'), read('--accent'))).toBeGreaterThanOrEqual(enough);
    expect(contrast(read('--on-accent-soft'), read('--accent-soft'))).toBeGreaterThanOrEqual(
      enough,
    );
    expect(contrast(read('--on-danger'), read('--danger'))).toBeGreaterThanOrEqual(enough);
  });

  test('gives code readable colours on Telegram’s grey', () => {
    for (const name of ['key', 'string', 'number', 'keyword', 'punctuation', 'comment']) {
      expect(
        contrast(read(`--code-${name}`), read('--code-bg')),
        `code: ${name}`,
      ).toBeGreaterThanOrEqual(enough);
    }
  });

  test('gives outlines a contrast of at least 3:1', () => {
    expect(contrast(read('--focus'), read('--surface'))).toBeGreaterThanOrEqual(3);
    expect(contrast(read('--border-strong'), read('--surface'))).toBeGreaterThanOrEqual(3);
  });

  test('keeps Telegram’s background, and tells light from dark', () => {
    expect(read('--bg')).toBe(palette.secondary_bg_color);
    expect(theme).toBe(_name.includes('dark') ? 'dark' : 'light');
  });
});

test('a palette without a background or text colour is not used', () => {
  expect(toVariables({})).toBeUndefined();
  expect(toVariables({ bg_color: '#ffffff' })).toBeUndefined();
  expect(toVariables({ bg_color: 'url(evil)', text_color: '#000000' })).toBeUndefined();
});

test('any palette gives readable text', () => {
  const color = integer({ min: 0, max: 0xff_ff_ff }).map(
    (n) => `#${n.toString(16).padStart(6, '0')}`,
  );

  assert(
    property(color, constantFrom('#000000', '#ffffff'), (given, pull) => {
      const background = pull === '#000000' ? '#ffffff' : '#000000';

      expect(
        contrast(ensureContrast(given, [background], pull), background),
      ).toBeGreaterThanOrEqual(enough);
    }),
  );
});

test('a readable colour is not changed', () => {
  expect(ensureContrast('#14211c', ['#ffffff'], '#000000')).toBe('#14211c');
});

test('only #rgb and #rrggbb are read', () => {
  expect(parseHex('#fff')).toEqual([255, 255, 255]);
  expect(parseHex('#0B7A5C')).toEqual([11, 122, 92]);
  expect(parseHex('#12345')).toBeUndefined();
  expect(parseHex('red')).toBeUndefined();
  expect(parseHex(undefined)).toBeUndefined();
  expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080');
});
