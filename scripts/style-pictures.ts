/**
 * `npm run style-pictures`: draws the previews of Imagine Art's styles with the sketch engine, each with its own
 * scene and filter, into src/features/images/imagine/previews/. Run it when the engine, a style or a
 * filter has changed.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import sharp, { type Sharp } from 'sharp';

import { type ImagineStyle } from '../contract/images/imagine-styles.ts';
import { renderSketch } from '../server/upstream/images/sketch/index.ts';
import { root } from './lib/run.mjs';

const size = { width: 640, height: 480 } as const;
const folder = path.join(root, 'src/features/images/imagine/previews');

type Preview = {
  readonly prompt: string;
  readonly seed: string;
  /** The filter that makes the style visible. */
  readonly manner: (picture: Sharp) => Promise<Sharp>;
};

const previews: Readonly<Record<ImagineStyle, Preview>> = {
  anime: {
    prompt: 'a fox under a cherry tree by a lake, spring morning, mountains',
    seed: '4',
    manner: async (picture) =>
      outlined(picture.median(3).modulate({ saturation: 1.35, brightness: 1.02 }), 0.5),
  },
  'flux-dev': {
    prompt: 'a deer in a green forest, waterfall, spring',
    seed: '4',
    manner: async (picture) => picture.sharpen({ sigma: 1.2 }).modulate({ saturation: 1.15 }),
  },
  'flux-schnell': {
    prompt: 'a girl with an umbrella in a meadow, blue sky, birds',
    seed: '4',
    manner: pencil,
  },
  'imagine-turbo': {
    prompt: 'a cat on a rooftop, city skyline, neon, rain',
    seed: '4',
    manner: async (picture) => picture.modulate({ saturation: 1.5 }).linear(1.2, -10),
  },
  realistic: {
    prompt: 'a lighthouse on a cliff, blue sea, sailing boat, dawn',
    seed: '3',
    manner: async (picture) => focused(picture.modulate({ saturation: 0.85 })),
  },
  'sdxl-1.0': {
    prompt: 'a castle on a hill, autumn, river',
    seed: '4',
    manner: async (picture) => picture.median(9).modulate({ saturation: 1.25 }).linear(1.08, -6),
  },
};

/** The edges of a picture as dark lines on white. */
async function drawLines(picture: Sharp, strength: number): Promise<Buffer> {
  return picture
    .clone()
    .greyscale()
    .blur(1.4)
    .convolve({ width: 3, height: 3, kernel: [-1, -1, -1, -1, 8, -1, -1, -1, -1] })
    .linear(strength * 6, 0)
    .negate()
    .png()
    .toBuffer();
}

async function outlined(picture: Sharp, strength: number): Promise<Sharp> {
  const flat = sharp(await picture.png().toBuffer());
  const lines = await drawLines(flat, strength);
  return sharp(
    await flat
      .clone()
      .composite([{ input: lines, blend: 'multiply' }])
      .png()
      .toBuffer(),
  );
}

/** Lines on paper with faint colours. */
async function pencil(picture: Sharp): Promise<Sharp> {
  const colours = await picture
    .clone()
    .blur(6)
    .modulate({ saturation: 0.9, brightness: 1.1 })
    .linear(0.45, 138)
    .png()
    .toBuffer();
  const lines = await drawLines(picture, 1);
  return sharp(
    await sharp(colours)
      .composite([{ input: lines, blend: 'multiply' }])
      .png()
      .toBuffer(),
  );
}

/** Sharp in the middle, blurred and darker towards the edge, like a photograph. */
async function focused(picture: Sharp): Promise<Sharp> {
  const { width, height } = size;
  const near = await picture.clone().png().toBuffer();
  const mask = Buffer.from(
    `<svg width="${width}" height="${height}"><defs><radialGradient id="m" cy="0.58" r="0.62"><stop offset="0.45" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs><rect width="100%" height="100%" fill="url(#m)"/></svg>`,
  );
  const middle = await sharp(near)
    .ensureAlpha()
    .composite([{ input: mask, blend: 'dest-in' }])
    .png()
    .toBuffer();
  const far = await sharp(near).blur(5).linear(0.86, 0).png().toBuffer();
  return sharp(
    await sharp(far)
      .composite([{ input: middle }])
      .png()
      .toBuffer(),
  );
}

mkdirSync(folder, { recursive: true });
await Promise.all(
  Object.entries(previews).map(async ([style, { prompt, seed, manner }]) => {
    const drawing = await renderSketch({ ...size, prompt, seed, caption: false });
    const picture = await manner(sharp(drawing));
    const { size: bytes } = await picture
      .webp({ quality: 80, effort: 6 })
      .toFile(path.join(folder, `${style}.webp`));
    process.stdout.write(`${style}.webp: ${(bytes / 1000).toFixed(1)} kB\n`);
  }),
);
// The engine's worker threads would keep the script running.
process.exit(0);
