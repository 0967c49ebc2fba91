/** The entry of a painting thread: paints a sketch back to front and encodes it. */
import { parentPort } from 'node:worker_threads';
import sharp from 'sharp';

import { answerTask } from '#server/lib/thread-pool';

import { finishPixels, writeCaption } from './finish.ts';
import { type SketchRequest } from './index.ts';
import {
  paintCity,
  paintDunes,
  paintRidges,
  paintSky,
  paintSpace,
  paintWater,
} from './landscape.ts';
import { createScene, type Scene, type SketchInput } from './scene.ts';
import { paintDrift, paintFarSubjects, paintNearSubjects } from './subjects.ts';

const webpQuality = 82;
const pngCompression = 6;

const paintPlace: Record<Scene['place'], (scene: Scene) => void> = {
  ridges: (scene) => {
    paintFarSubjects(scene);
    paintRidges(scene);
  },
  dunes: (scene) => {
    paintFarSubjects(scene);
    paintDunes(scene);
  },
  city: (scene) => {
    paintFarSubjects(scene);
    paintCity(scene);
  },
  space: paintSpace,
  water: (scene) => {
    paintRidges(scene);
    paintFarSubjects(scene);
    paintWater(scene);
  },
};

/** Returns red, green and blue of each pixel, row by row. */
function paintPixels(input: SketchInput, hasCaption: boolean): Buffer {
  const scene = createScene(input);
  paintSky(scene);
  paintPlace[scene.place](scene);
  paintNearSubjects(scene);
  paintDrift(scene);
  const { variant = '', style = '', seed, width, height } = input;
  const bytes = finishPixels(scene.canvas, { variant, style, seed });
  if (hasCaption) {
    writeCaption({ bytes, width, height });
  }
  return bytes;
}

async function render(request: SketchRequest): Promise<Uint8Array<ArrayBuffer>> {
  const { caption = true, format = 'png', quality = webpQuality, ...input } = request;
  const { width, height } = input;
  const image = sharp(paintPixels(input, caption), { raw: { width, height, channels: 3 } });
  if (format === 'png') {
    return new Uint8Array(await image.png({ compressionLevel: pngCompression }).toBuffer());
  }
  // The caption is small text, which plain subsampling of colours would blur.
  const webp = await image.webp({ quality, smartSubsample: caption }).toBuffer();
  // A copy with its own memory can be transferred to the main thread.
  return new Uint8Array(webp);
}

parentPort?.on('message', (request: SketchRequest) => void answerTask(() => render(request)));
