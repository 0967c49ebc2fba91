/**
 * Style sheets and inline styles say "start" and "end", or use the factor `--direction`: a left or right would be the
 * wrong side in Arabic and Persian. Where it is right, a comment before it says `physical:` and why.
 */
import fs from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => fs.readFileSync(join(root, file), 'utf8');

const sheets = fs.globSync('src/**/*.css', { cwd: root }).toSorted();
const scripts = fs.globSync('src/**/*.{ts,tsx}', { cwd: root }).toSorted();

type Declaration = { readonly name: string; readonly value: string };

/** Strings first, so that nothing in a data URL looks like a declaration. */
const declarationPattern =
  /"[^"]*"|'[^']*'|(?<physical>\/\*\s*physical:[\s\S]*?\*\/)|\/\*[\s\S]*?\*\/|(?<=[{;\s])(?<name>[\w-]+)\s*:\s*(?<value>(?:"[^"]*"|[^;{}"])*);/g;

/** The declarations that no comment calls physical. */
function readDeclarations(css: string): readonly Declaration[] {
  const found: Declaration[] = [];
  let isPhysical = false;
  for (const { groups } of css.matchAll(declarationPattern)) {
    const { physical, name, value } = groups ?? {};
    if (name !== undefined && value !== undefined && !isPhysical) {
      found.push({ name, value: value.replaceAll(/"[^"]*"/g, '""').replaceAll(/\s+/g, ' ') });
    }
    isPhysical = physical !== undefined || (isPhysical && name === undefined);
  }
  return found;
}

/** Splits at a character that is outside of brackets. */
function split(value: string, at: ',' | ' ' | '/'): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of value) {
    depth += { '(': 1, ')': -1 }[letter] ?? 0;
    if (letter === at && depth === 0) {
      parts.push('');
    } else {
      parts.push((parts.pop() ?? '') + letter);
    }
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** The arguments of each call of a function in a value. */
function callsIn(value: string, name: string): readonly (readonly string[])[] {
  return [...value.matchAll(new RegExp(`(?<![\\w-])${name}\\(`, 'g'))].map(
    ({ index, 0: start }) => {
      const rest = value.slice(index + start.length);
      let depth = 1;
      const end = rest.split('').findIndex((letter) => {
        depth += { '(': 1, ')': -1 }[letter] ?? 0;
        return depth === 0;
      });
      return split(rest.slice(0, end), ',');
    },
  );
}

const isDirected = (value: string) => value.includes('--direction');
/** Whether a length moves nothing sideways, or follows the direction. */
const isNeutral = (x = '0') => /^-?0(?:[a-z]+|%)?$/.test(x) || isDirected(x);
const isMiddle = (x = 'center') => x === '50%' || x === 'center' || isDirected(x);

const fourSides = /^(?:(?:scroll-)?(?:margin|padding)|inset|border-(?:width|color|style))$/;

/** What is wrong with a declaration; undefined for nothing. */
const rules: Readonly<Record<string, (declaration: Declaration) => boolean>> = {
  'a side in a name': ({ name }) =>
    !name.startsWith('--') && /(?:^|-)(?:left|right)(?:-|$)/.test(name),
  'a side in a value': ({ name, value }) =>
    !name.startsWith('grid') &&
    name !== 'animation' &&
    /(?<![\w-])(?:left|right)(?![\w-])/.test(value),
  'unequal sides': ({ name, value }) => {
    const [, right, , left] = split(value, ' ');
    return (
      fourSides.test(name) &&
      left !== undefined &&
      right !== left &&
      // The edges of the device are physical.
      !(right?.includes('--inset-right') === true && right.replace('right', 'left') === left)
    );
  },
  'unequal corners': ({ name, value }) => {
    const [first, second = first, third = first, fourth = second] = split(value, ' ');
    return name === 'border-radius' && !(first === second && third === fourth);
  },
  'an edge of the device on a logical side': ({ name, value }) =>
    name.includes('-inline') && /--inset-(?:left|right)/.test(value),
  'a move sideways': ({ name, value }) =>
    ['translate', 'translateX', 'translate3d'].some((call) =>
      callsIn(value, call).some(([x]) => !isNeutral(x)),
    ) ||
    (name === 'translate' && value !== 'none' && !isNeutral(split(value, ' ')[0])),
  'a shadow to a side': ({ name, value }) =>
    [
      ...(/^(?:box|text)-shadow$|^--shadow/.test(name) ? split(value, ',') : []),
      ...callsIn(value, 'drop-shadow').flat(),
    ]
      .map((shadow) => split(shadow, ' ').find((part) => /^-?[\d.]|^calc/.test(part)))
      .some((x) => !isNeutral(x)),
  'a gradient to a side': ({ value }) =>
    callsIn(value, 'linear-gradient').some(
      ([angle = '']) => /deg/.test(angle) && !/^-?(?:0|180)deg$/.test(angle) && !isDirected(angle),
    ) ||
    ['radial-gradient', 'conic-gradient'].some((call) =>
      callsIn(value, call).some(([shape = '']) => {
        const [, place] = shape.split(/\bat /);
        return place !== undefined && !isMiddle(split(place, ' ')[0]);
      }),
    ),
  'a picture at a side': ({ name, value }) =>
    (/^(?:background|mask)$|^--track$/.test(name) &&
      split(value, ',').some((layer) => {
        const [before, size] = split(layer, '/');
        const x = split(before ?? '', ' ').find((part) => /^-?[\d.]|^calc|^var/.test(part));
        return size !== undefined && !isMiddle(x);
      })) ||
    (/^(?:background|mask|object)-position(?:-x)?$/.test(name) && !isMiddle(split(value, ' ')[0])),
  'an origin at a side': ({ name, value }) =>
    name === 'transform-origin' && /^-?[\d.]/.test(value) && !isMiddle(split(value, ' ')[0]),
};

function findPhysical(css: string): readonly string[] {
  return readDeclarations(css).flatMap((declaration) =>
    Object.entries(rules)
      .filter(([, isWrong]) => isWrong(declaration))
      .map(([rule]) => `${rule}: ${declaration.name}: ${declaration.value}`),
  );
}

describe('style sheets', () => {
  test('there is no left and right in them', () => {
    const found = sheets.flatMap((file) => findPhysical(read(file)).map((line) => [file, line]));
    expect(found).toEqual([]);
  });

  test('they know the direction by `--direction` only', () => {
    expect(sheets.filter((file) => read(file).includes(':dir('))).toEqual([]);
  });

  test.each([
    ['left: 0', 'a side in a name'],
    ['border-top-left-radius: 4px', 'a side in a name'],
    ['text-align: right', 'a side in a value'],
    ['background: linear-gradient(to right, red, blue)', 'a side in a value'],
    ['margin: 1px 2px 3px 4px', 'unequal sides'],
    ['inset: 0 auto 0 0', 'unequal sides'],
    ['padding: 0 var(--inset-right) 0 var(--inset-top)', 'unequal sides'],
    ['border-radius: 4px 0', 'unequal corners'],
    ['margin-inline-start: var(--inset-left)', 'an edge of the device on a logical side'],
    ['transform: rotate(4deg) translateX(4px)', 'a move sideways'],
    ['translate: -50% 0', 'a move sideways'],
    ['box-shadow: inset 0 0 red, 2px 0 red', 'a shadow to a side'],
    ['filter: drop-shadow(-1px 0 red)', 'a shadow to a side'],
    ['mask-image: linear-gradient(90deg, #000, #0000)', 'a gradient to a side'],
    ['background: radial-gradient(circle at 20% 50%, red, blue)', 'a gradient to a side'],
    ['background: url() 0 0 / 20px', 'a picture at a side'],
    ['background-position: 4px 0', 'a picture at a side'],
    ['transform-origin: 0 50%', 'an origin at a side'],
  ])('%s is found', (declaration, rule) => {
    expect(findPhysical(`.a {\n  ${declaration};\n}`)).toEqual([`${rule}: ${declaration}`]);
    expect(findPhysical(`.a {\n  /* physical: a reason. */\n  ${declaration};\n}`)).toEqual([]);
  });

  test.each([
    'inset: 0',
    'padding: 1px 2px 3px',
    'padding: 0 calc(1px + var(--inset-right)) 0 calc(1px + var(--inset-left))',
    'border-radius: 4px 4px 0 0',
    'transform: translateY(4px)',
    'translate: 0 -50%',
    'transform: translateX(calc(4px * var(--direction)))',
    'box-shadow: 0 1px 2px red, inset 0 0 0 1px blue',
    'background: linear-gradient(calc(90deg * var(--direction)), red, blue)',
    'background: radial-gradient(red, blue) 50% 50% / 6px 6px',
    'scroll-snap-align: start',
  ])('%s is right', (declaration) => {
    expect(findPhysical(`.a {\n  ${declaration};\n}`)).toEqual([]);
  });
});

/** Sides in inline styles and moves in scripts, each with the line before it. */
const scriptPattern =
  /(?<before>[^\n]*\n)?[^\n]*(?:\bstyle=\{\{[^}]*\b(?:left|right|(?:margin|padding)(?:Left|Right))\s*:|\.style\.(?:left|right|marginLeft|marginRight)\b|\btranslate(?:X|3d)?\((?!calc\([^\n]*--direction|\$\{[^}\n]*pageDirection))[^\n]*/g;

test('there is no left and right in the styles of scripts', () => {
  const found = scripts.flatMap((file) =>
    [...read(file).matchAll(scriptPattern)].map(([lines]) => [file, lines]),
  );
  expect(found.filter(([, lines]) => lines?.includes('// physical: ') !== true)).toEqual([]);
});

describe('icons', () => {
  /** What points sideways. Not among them: keys of players, clocks, ticks, and what turns around itself. */
  const pointing = [
    'arrow-left',
    'arrow-right',
    'arrow-up-right',
    'chevron-left',
    'chevron-right',
    'external-link',
    'log-in',
    'log-out',
    'send',
    'undo-2',
  ];
  const used = new Set(
    scripts
      .flatMap((file) => read(file).match(/(?<=import \{)[^}]*(?=\} from 'lucide-react')/g) ?? [])
      .flatMap((names) => names.split(','))
      .map((name) =>
        name
          .trim()
          .replaceAll(/(?<=[a-z])(?=[A-Z\d])/g, '-')
          .toLowerCase(),
      ),
  );
  const turned = new Set(read('src/ui/languages.css').match(/(?<=\[d=')[^']+/g));
  const shapes = (icon: string) =>
    read(`node_modules/lucide-react/dist/esm/icons/${icon}.mjs`).match(/(?<=\bd: ")[^"]+/g) ?? [];

  test('those that point sideways are turned', () => {
    const isTurned = (icon: string) => shapes(icon).some((shape) => turned.has(shape));
    expect(pointing.filter((icon) => used.has(icon) && !isTurned(icon))).toEqual([]);
  });

  test('no other one is turned', () => {
    const others = [...used].filter((icon) => !pointing.includes(icon) && /^[a-z]/.test(icon));
    const known = others.filter((icon) =>
      fs.existsSync(join(root, `node_modules/lucide-react/dist/esm/icons/${icon}.mjs`)),
    );
    expect(known.length).toBeGreaterThan(30);
    expect(known.filter((icon) => shapes(icon).some((shape) => turned.has(shape)))).toEqual([]);
  });
});
