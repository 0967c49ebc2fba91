/** The recipe survives: Nori → text → A1111 → Nori. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { providerIds } from '#contract/images/providers';
import {
  formatOwnRecipe,
  formatParameters,
  type FoundRecipe,
  readOwnRecipe,
  readParameters,
} from '#contract/images/recipe-text';

/** What A1111 finds in a text. */
type Pasted = {
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly settings: ReadonlyMap<string, string>;
};

/** Python takes these away at the ends of a text. */
const pythonSpace =
  '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const strip = (text: string) =>
  text.replaceAll(new RegExp(`^${pythonSpace}+|${pythonSpace}+$`, 'gu'), '');

/** Its regular expression for one setting; its `\w` are the letters and digits of all languages. */
const pasteSetting = () =>
  new RegExp(
    `${pythonSpace}*([\\p{L}\\p{N}_][\\p{L}\\p{N}_ \\-/]+):${pythonSpace}*("(?:\\\\.|[^\\\\"])+"|[^,]*)(?:,|$)`,
    'gu',
  );

/**
 * Reads as A1111 1.10 does (`parse_generation_parameters`): the last line holds the settings if there are three in it, and
 * each line that begins with the mark goes on with the negative prompt.
 */
function pasteInA1111(text: string): Pasted {
  const lines = strip(text).split('\n');
  const last = lines.at(-1) ?? '';
  const hasSettings = [...last.matchAll(pasteSetting())].length >= 3;
  const found = { prompt: '', negativePrompt: '' };
  let side: keyof typeof found = 'prompt';
  for (const line of hasSettings ? lines.slice(0, -1) : lines) {
    let rest = strip(line);
    if (rest.startsWith('Negative prompt:')) {
      side = 'negativePrompt';
      rest = strip(rest.slice(16));
    }
    found[side] = found[side] === '' ? rest : `${found[side]}\n${rest}`;
  }
  const settings = new Map<string, string>();
  for (const [, key = '', value = ''] of hasSettings ? last.matchAll(pasteSetting()) : []) {
    if (value !== '') {
      settings.set(key, unquote(value));
    }
  }
  return { ...found, settings };
}

function unquote(value: string): string {
  try {
    return value.startsWith('"') && value.endsWith('"') ? String(JSON.parse(value)) : value;
  } catch {
    return value;
  }
}

/** Writes as A1111 does (`create_infotext`): values with commas, colons or line breaks are JSON. */
function writeInA1111({ prompt, negativePrompt, settings }: Pasted): string {
  const line = [...settings].map(
    ([key, value]) => `${key}: ${/[,:\n]/.test(value) ? JSON.stringify(value) : value}`,
  );
  const negative = negativePrompt === '' ? '' : `\nNegative prompt: ${negativePrompt}`;
  return strip(`${prompt}${negative}\n${line.join(', ')}`);
}

/** As civitai.com finds the parts of a text: the settings by how their line begins, the rest by the mark, wherever it is. */
function splitAsCivitai(text: string) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const settings = lines.find((line) => line.startsWith('Steps: '));
  const [prompt = '', ...negative] = lines
    .filter((line) => line !== settings)
    .join('\n')
    .split('Negative prompt:')
    .map((part) => part.trim());
  return { prompt, negative, settings };
}

/** What no program keeps: control characters, spaces at the ends of lines, and half of a character. */
const asKept = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n]+/gu, ' ')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();

const traps = [
  'Negative prompt:',
  'Negative prompt: bad hands',
  'Negative prompt :',
  'Negative prompt  :',
  'Steps: 20, Sampler: Euler a, CFG scale: 7, Seed: 1, Size: 512x512',
  'Steps:',
  'Steps : 4',
  '\n',
  '\r\n',
  '\u2028',
  '\u0085',
  '\uFEFF',
  '"',
  '\\',
  '\\"',
  ',',
  ': ',
  'Version: Nori',
  '<lora:ink:0.7>',
  '(masterpiece:1.2)',
  '秋の森',
  '🦊',
  'مرحبا',
];
const piece = fc.oneof(
  fc.constantFrom(...traps),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  // Halves of characters, too.
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
);
const prompts = fc
  .array(fc.tuple(piece, fc.constantFrom('', ' ', '\n', ', ')), { maxLength: 8 })
  .map((parts) => parts.flat().join(''));
const anyName = piece.filter((text) => text !== '');
/**
 * What an ID of a LoRA can be, and more. V8 13.6 reads the key `"\n"` as `"\\"` once it has seen that one, and no parser of
 * ours takes the names of prototypes.
 */
const isKey = (text: string) => !/["\\\p{C}]|^__proto__$|^constructor$|^prototype$/u.test(text);
/** A1111 itself loses spaces at the ends of a value, and what follows a quote at its beginning. */
const name = anyName.filter((text) => asKept(text) === text && !text.startsWith('"'));
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const withNames = (names: fc.Arbitrary<string>): fc.Arbitrary<FoundRecipe> =>
  fc.record({
    prompt: prompts,
    negativePrompt: prompts,
    provider: maybe(fc.constantFrom(...providerIds)),
    modelId: maybe(names),
    modelHash: maybe(fc.constant('6ce0161689')),
    loras: fc.dictionary(
      names.filter(isKey),
      fc
        .float({ min: 0, max: 2, noNaN: true, noDefaultInfinity: true })
        .map((weight) => weight + 0),
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    ),
    seed: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
    modelName: fc.constant(undefined),
    width: fc.integer({ min: 1, max: 8192 }),
    height: fc.integer({ min: 1, max: 8192 }),
    program: fc.constant('nori' as const),
    style: maybe(names),
    scale: maybe(fc.constantFrom(0, 1, 3.5, 6, 7.25, 30)),
    steps: maybe(fc.integer({ min: 1, max: 150 })),
    sampler: maybe(names),
    schedule: maybe(fc.constantFrom('Karras', 'SGM Uniform')),
  });
const recipes = withNames(name);

describe('a recipe of ours', () => {
  test('survives A1111, whatever is in its prompts', () => {
    fc.assert(
      fc.property(recipes, (recipe) => {
        const text = formatParameters(recipe);
        const pasted = pasteInA1111(text);
        const back = readParameters(writeInA1111(pasted));

        const kept = {
          ...recipe,
          prompt: asKept(recipe.prompt),
          negativePrompt: asKept(recipe.negativePrompt),
        };
        expect(back).toEqual(kept);
        expect(readParameters(text)).toEqual(kept);
        // Each part is where A1111 shows it.
        expect(pasted.settings.get('Seed')).toBe(recipe.seed);
        expect(pasted.settings.get('Style')).toBe(recipe.style);
        expect(pasted.settings.get('Steps')).toBe(String(recipe.steps ?? 0));
      }),
      { numRuns: 3000 },
    );
  });

  test('is split by Civitai where it should be', () => {
    fc.assert(
      fc.property(recipes, (recipe) => {
        const { settings, negative, prompt } = splitAsCivitai(formatParameters(recipe));
        expect(settings).toMatch(/^Steps: \d+, [^\n]*Version: Nori$/);
        expect(negative.length).toBe(asKept(recipe.negativePrompt) === '' ? 0 : 1);
        expect(settings).toContain(`Seed: ${recipe.seed}`);
        expect(prompt.split('\n').length).toBeLessThanOrEqual(recipe.prompt.split(/[\r\n]/).length);
      }),
      { numRuns: 1000 },
    );
  });

  test('is exact to the last character in our own JSON', () => {
    fc.assert(
      fc.property(withNames(anyName), (recipe) => {
        expect(readParameters(formatParameters(recipe))).toMatchObject({
          style: recipe.style,
          loras: recipe.loras,
        });
        const found = readOwnRecipe(formatOwnRecipe(recipe));
        expect(found).toEqual(recipe);
      }),
      { numRuns: 1000 },
    );
  });

  test('reads as people know it', () => {
    expect(
      formatParameters({
        program: 'nori',
        provider: 'pixai',
        prompt: 'a fox, “autumn” 秋\nNegative prompt: is a trap ',
        negativePrompt: 'blurry',
        modelId: '1983308862240288769',
        modelName: 'Tide: pool, two',
        loras: { '77': 0.7 },
        seed: '4711',
        width: 768,
        height: 1280,
        style: undefined,
        modelHash: undefined,
        scale: 6,
        steps: 25,
        sampler: undefined,
        schedule: undefined,
      }),
    ).toBe(
      [
        'a fox, “autumn” 秋',
        'Negative prompt : is a trap',
        'Negative prompt: blurry',
        'Steps: 25, CFG scale: 6, Seed: 4711, Size: 768x1280, Model: "Tide: pool, two", Model ID: 1983308862240288769, LoRAs: "{\\"77\\":0.7}", Provider: pixai, Version: Nori',
      ].join('\n'),
    );
  });

  test.each([
    ['is no JSON', '{"version":1'],
    ['is of another version', '{"version":2,"prompt":"a fox"}'],
    ['has no prompt', '{"version":1,"seed":"3"}'],
    ['is a list', '[]'],
    ['is nothing', 'null'],
  ])('is not taken from a text that %s', (_what, text) => {
    expect(readOwnRecipe(text)).toBeUndefined();
  });

  test('is read without what is not valid in it', () => {
    const text = JSON.stringify({
      version: 1,
      prompt: 'a fox',
      seed: -3,
      width: 1e9,
      steps: 'many',
      provider: 'nobody',
      loras: { ink: 'heavy' },
      script: '<script>',
    });

    expect(readOwnRecipe(text)).toEqual({
      program: 'nori',
      prompt: 'a fox',
      negativePrompt: '',
      loras: {},
    });
  });
});

describe('a text of A1111', () => {
  const settings =
    'Steps: 20, Sampler: DPM++ 2M, Schedule type: Karras, CFG scale: 7.5, Seed: 965400086, Size: 512x768, Model hash: 45dee52b, Model: dreamshaper_8, Lora hashes: "ink: 1234, two: 5678", Version: v1.10.1';

  test('is read with its settings', () => {
    const found = readParameters(
      `a fox <lora:ink:0.8>,\nin the snow\nNegative prompt: blurry,\n(bad hands:1.2)\n${settings}`,
    );

    expect(found).toMatchObject({
      program: 'a1111',
      prompt: 'a fox <lora:ink:0.8>,\nin the snow',
      negativePrompt: 'blurry,\n(bad hands:1.2)',
      steps: 20,
      sampler: 'DPM++ 2M',
      schedule: 'Karras',
      scale: 7.5,
      seed: '965400086',
      width: 512,
      height: 768,
      modelHash: '45dee52b',
      modelName: 'dreamshaper_8',
    });
    // Its name means nothing to another service.
    expect(found?.modelId).toBeUndefined();
  });

  test.each([
    ['without a negative prompt', `a fox\n${settings}`, 'a fox'],
    ['without a prompt', settings, ''],
    ['with lines of an extension behind', `a fox\n${settings}\nTemplate: a {fox|cat}`, 'a fox'],
    ['with line breaks of Windows', `a fox\r\n${settings}\r\n`, 'a fox'],
  ])('is read %s', (_what, text, prompt) => {
    expect(readParameters(text)).toMatchObject({ prompt, negativePrompt: '', seed: '965400086' });
  });

  test.each([
    ['a sentence', 'A fox in the snow.'],
    ['one with two settings', 'a fox\nSteps: 20, Seed: 4'],
    ['nothing', ''],
  ])('is not seen in %s', (_what, text) => {
    expect(readParameters(text)).toBeUndefined();
  });

  test('of a hostile length takes no time', () => {
    const begun = performance.now();
    for (const text of [
      'a'.repeat(131_072),
      'ab:"'.repeat(32_000),
      'ab: "\\'.repeat(18_000),
      ' '.repeat(131_072),
      `Steps: ${'Steps: '.repeat(18_000)}`,
    ]) {
      readParameters(text);
    }
    expect(readParameters(`a\n${settings}${' '.repeat(200_000)}`)).toBeUndefined();
    expect(performance.now() - begun).toBeLessThan(3000);
  });
});

describe('a sketch of an earlier version', () => {
  test('keeps its model and LoRAs', () => {
    const text =
      'a fox\nSteps: 1, Sampler: Nori sketch, CFG scale: 6, Seed: 12345678901, Size: 320x240, Model: model-1, LoRA ink: 0.7';

    expect(readParameters(text)).toMatchObject({
      program: 'nori',
      modelId: 'model-1',
      loras: { ink: 0.7 },
      seed: '12345678901',
    });
  });
});
