/** A thread of its own for painting, so that the server goes on answering meanwhile. */
import { parentPort } from 'node:worker_threads';
import sharp from 'sharp';

import { answerOrder } from '#server/lib/thread-work';

import { paintSketch } from './paint.ts';
import { withTexts } from './png-text.ts';
import { type SketchWork } from './work.ts';

const quality = 82;

async function render({ wish, texts }: SketchWork): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, format } = wish;
  const image = sharp(paintSketch(wish), { raw: { width, height, channels: 3 } });
  const file =
    format === 'webp'
      ? await image.webp({ quality }).toBuffer()
      : withTexts(await image.png({ compressionLevel: 6 }).toBuffer(), texts);
  // A copy with memory of its own can be handed over instead of being copied once more.
  return new Uint8Array(file);
}

parentPort?.on('message', (work: SketchWork) => void answerOrder(() => render(work)));
