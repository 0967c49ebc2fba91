/**
 * `npm run pictures`: converts the drawings in scripts/pictures/ into the PNG files in public/ that phones and
 * link previews need. Run it when a drawing has changed. The preview's words are outlines (of M PLUS
 * Rounded 1c, OFL), so that they look the same on every machine.
 */
import path from 'node:path';
import process from 'node:process';
import sharp from 'sharp';

import { root } from './lib/run.mjs';

/** The transparent logo, and the mascot on a full square that a phone crops to its own shape. */
const pictures = [
  { drawing: 'social.svg', file: 'social.png', width: 1200, height: 630 },
  { drawing: 'icon.svg', file: 'icon-192.png', width: 192, height: 192 },
  { drawing: 'icon.svg', file: 'icon-512.png', width: 512, height: 512 },
  { drawing: 'icon-full.svg', file: 'icon-maskable.png', width: 512, height: 512 },
  { drawing: 'icon-full.svg', file: 'apple-touch-icon.png', width: 180, height: 180 },
] as const;

await Promise.all(
  pictures.map(async ({ drawing, file, width, height }) => {
    const { size } = await sharp(path.join(root, 'scripts/pictures', drawing), { density: 288 })
      .resize(width, height)
      .png({ palette: true, quality: 92, effort: 10 })
      .toFile(path.join(root, 'public', file));
    process.stdout.write(`${file}: ${width}×${height}, ${(size / 1000).toFixed(1)} kB\n`);
  }),
);
