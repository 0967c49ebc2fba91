/** The covers of the built-in models: told apart by what they show, fitting their names, and always the same. */
import sharp from 'sharp';
import { expect, test } from 'vitest';

import { catalogue } from '#server/services/images/model-catalogue';
import { type Composition, compositions, renderCover } from '#server/upstream/images/sketch/cover';

const grid = 12;

/**
 * Where a picture is light and dark, without its colours: the brightness of large squares, so that neither the
 * hue, nor how bright or how rich in contrast the whole is, makes a difference.
 */
async function readLayout(file: Buffer): Promise<readonly number[]> {
  const pixels = await sharp(file)
    .resize(grid, grid, { fit: 'fill' })
    .removeAlpha()
    .greyscale()
    .raw()
    .toBuffer();
  const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
  const spread = Math.sqrt(pixels.reduce((sum, value) => sum + (value - mean) ** 2, 0));
  return [...pixels].map((value) => (value - mean) / spread);
}

/** 0 for the same layout, also of inverted brightness; 1 for layouts that have nothing in common. */
function differ(one: readonly number[], other: readonly number[]): number {
  return 1 - Math.abs(one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0));
}

const draw = (composition: Composition, palette: 'dusk' | 'lagoon' = 'dusk', seed = '1') =>
  renderCover({ composition, palette, seed, width: 120, height: 160 });

test('covers of different kinds differ in what stands where, not only in their colours', async () => {
  const layouts = await Promise.all(
    compositions.map(async (composition) => readLayout(await draw(composition))),
  );
  const pairs = layouts.flatMap((one, index) =>
    layouts.slice(index + 1).map((other) => differ(one, other)),
  );
  const twins = pairs.filter((difference) => difference < 0.2);
  const middle = pairs.toSorted((one, other) => one - other)[Math.floor(pairs.length / 2)];

  expect(compositions.length).toBeGreaterThanOrEqual(8);
  expect(twins).toEqual([]);
  expect(middle).toBeGreaterThan(0.5);
});

test('another palette leaves the composition as it is', async () => {
  const [dusk, lagoon] = await Promise.all([draw('bird', 'dusk'), draw('bird', 'lagoon')]);

  expect(dusk?.equals(lagoon ?? dusk)).toBe(false);
  expect(differ(await readLayout(dusk), await readLayout(lagoon))).toBeLessThan(0.35);
});

test('two models of the same kind and colours do not share a picture', async () => {
  const [one, other] = await Promise.all([draw('city', 'dusk', '1'), draw('city', 'dusk', '2')]);

  expect(one?.equals(other ?? one)).toBe(false);
});

test('the first page of models shows at least eight compositions, and every composition is used', () => {
  const popular = catalogue.toSorted((one, other) => other.trend - one.trend).slice(0, 24);

  expect(new Set(popular.map(({ cover }) => cover.composition)).size).toBeGreaterThanOrEqual(8);
  expect(new Set(catalogue.map(({ cover }) => cover.composition))).toEqual(new Set(compositions));
});

test.each([
  ['Tide Pixel Art', 'pixels'],
  ['Ember Tea House', 'tea-house'],
  ['Frost Stained Glass', 'stained-glass'],
  ['Neon Mecha Suit', 'mecha'],
  ['Plum Long Coat', 'wanderer'],
])('%s shows what its name says: %s', (title, composition) => {
  expect(catalogue.find((model) => model.title === title)?.cover.composition).toBe(composition);
});

test('the same cover has the same bytes, and fewer than 20 kB in a gallery', async () => {
  const files = await Promise.all(
    compositions.map(async (composition) => {
      const request = {
        composition,
        palette: 'ember',
        seed: '7',
        width: 300,
        height: 400,
      } as const;
      const [first, again] = await Promise.all([renderCover(request), renderCover(request)]);
      expect(first.equals(again)).toBe(true);
      return first;
    }),
  );

  expect(Math.max(...files.map(({ length }) => length))).toBeLessThan(20_000);
});
