/** Sketches: reproducible, different for every recipe, and labelled as made without AI. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';

import { ratios } from '#contract/images/ratios';
import { withRecipes } from '#server/lib/picture-recipe';
import { createSketchEngine, renderSketch } from '#server/upstream/images/sketch/index';
import { readOrigin } from '#tests/pictures';

const order = { prompt: '1girl, sakura, lake', seed: '7', width: 320, height: 240 } as const;
const recipe = {
  prompt: 'a fox, “autumn” 秋',
  negativePrompt: 'blurry',
  modelId: 'model-1',
  loras: { ink: 0.7 },
  seed: '12345678901',
  width: 320,
  height: 240,
  scale: 6,
  ratio: '4:3',
  style: '',
};

const make = (changed: Partial<typeof recipe> = {}) =>
  createSketchEngine().make(
    { ...recipe, ...changed },
    {
      taskId: undefined,
      onSubmitted: async () => undefined,
      signal: new AbortController().signal,
    },
  );

test('the same order gives the same bytes, also in parallel', async () => {
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => renderSketch(order)));

  for (const other of others) {
    expect(first?.equals(other)).toBe(true);
  }
});

test.each([
  ['seed', { seed: '8' }],
  ['prompt', { prompt: 'a dragon over a burning castle' }],
  ['model', { modelId: 'model-2' }],
  ['LoRA', { loras: { ink: 0.8 } }],
] as const)('another %s gives another picture', async (_name, changed) => {
  const [one, other] = await Promise.all([make(), make({ ...changed })]);

  expect(await readPixels(one.files[0])).not.toEqual(await readPixels(other.files[0]));
});

test.each(ratios)('$name is $width × $height pixels', async ({ width, height }) => {
  const metadata = await sharp(await renderSketch({ ...order, width, height })).metadata();

  expect(metadata).toMatchObject({ format: 'png', width, height });
});

test('the words of a prompt decide the colours', async () => {
  const fire = await sharp(await renderSketch({ ...order, prompt: 'volcano, lava, fire' })).stats();
  const sea = await sharp(await renderSketch({ ...order, prompt: 'tropical ocean' })).stats();
  const [red, , blue] = fire.channels;
  const [seaRed, , seaBlue] = sea.channels;

  expect(red?.mean).toBeGreaterThan(blue?.mean ?? 255);
  expect(seaBlue?.mean).toBeGreaterThan(seaRed?.mean ?? 255);
});

describe('made without AI', () => {
  test('is written in the lower right corner only', async () => {
    const size = { ...order, width: 1024, height: 1024 };
    const [marked, plain] = await Promise.all([
      readPixels(await renderSketch(size)),
      readPixels(await renderSketch({ ...size, caption: false })),
    ]);
    const changed = [...plain.keys()].filter((index) => plain[index] !== marked[index]);
    const places = changed.map((index) => Math.floor(index / 3));

    expect(Math.min(...places.map((pixel) => pixel % 1024))).toBeGreaterThan(600);
    expect(Math.floor(Math.min(...places) / 1024)).toBeGreaterThan(980);
    // Bright letters on a dark strip, on any background.
    const inked = changed.filter((index) => (marked[index] ?? 0) > 235).length;
    expect(inked).toBeGreaterThan(3000);
  });

  test('is in the metadata, with the recipe', async () => {
    const { origin: facts } = createSketchEngine();

    const [file] = withRecipes(await make(), { recipe, provider: 'pixai', origin: facts });

    const origin = await readOrigin(file);
    expect(origin.software).toBe('Nori sketch (made without AI)');
    expect(origin.recipe).toBe(
      [
        'a fox, “autumn” 秋',
        'Negative prompt: blurry',
        'Steps: 1, Sampler: Nori sketch, Seed: 12345678901, Size: 320x240, Model: model-1, LoRAs: "{\\"ink\\":0.7}", Provider: pixai, Version: Nori',
      ].join('\n'),
    );
  });
});

test('a picture that is kept takes a tenth of what a PNG takes', async () => {
  const { files } = await make({ width: 1024, height: 1024 });
  const [file] = files;
  const { format, width, height } = await sharp(file).metadata();
  const png = await renderSketch({ ...order, width: 1024, height: 1024 });

  expect({ format, width, height }).toEqual({ format: 'webp', width: 1024, height: 1024 });
  expect(file?.length).toBeLessThan(png.length / 10);
});

test('a picture without the caption is a small file', async () => {
  const picture = await renderSketch({ ...order, caption: false, format: 'webp' });

  expect((await sharp(picture).metadata()).format).toBe('webp');
  expect(picture.length).toBeLessThan(40_000);
});

test('painting does not block the server', async () => {
  let turns = 0;
  const interval = setInterval(() => {
    turns += 1;
  }, 5);

  await renderSketch({ ...order, width: 1024, height: 1024 });
  clearInterval(interval);

  // On the main thread, the interval could not fire before the end.
  expect(turns).toBeGreaterThan(3);
});

test('a sketch that cannot be painted fails, and the next one succeeds', async () => {
  await expect(renderSketch({ ...order, width: -1 })).rejects.toThrow(/painted/);

  expect((await renderSketch(order)).length).toBeGreaterThan(1000);
});

async function readPixels(file: Buffer | undefined): Promise<Buffer> {
  return sharp(file).removeAlpha().raw().toBuffer();
}
