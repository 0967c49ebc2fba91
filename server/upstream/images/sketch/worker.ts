/** The entry of a painting thread: paints a sketch back to front and encodes it. */
import { parentPort } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';

import { answerTask } from '#server/lib/thread-work';

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
  const { caption = true, format = 'png', texts = {}, ...input } = request;
  const { width, height } = input;
  const image = sharp(paintPixels(input, caption), { raw: { width, height, channels: 3 } });
  const file =
    format === 'webp'
      ? await image.webp({ quality: webpQuality }).toBuffer()
      : addTexts(await image.png({ compressionLevel: pngCompression }).toBuffer(), texts);
  // A copy with its own memory can be transferred to the main thread.
  return new Uint8Array(file);
}

/** Bytes of the PNG signature and the header chunk. */
const pngHeaderEnd = 33;

/** Writes texts into a PNG as chunks after the header. Keywords must be Latin letters. */
function addTexts(png: Buffer, texts: Readonly<Record<string, string>>): Buffer {
  const chunks = Object.entries(texts).map(([keyword, text]) => createTextChunk(keyword, text));
  return Buffer.concat([png.subarray(0, pngHeaderEnd), ...chunks, png.subarray(pngHeaderEnd)]);
}

/** An international text chunk (iTXt): not compressed, without language and translated keyword. */
function createTextChunk(keyword: string, text: string): Buffer {
  const body = Buffer.concat([Buffer.from(`iTXt${keyword}\0\0\0\0\0`), Buffer.from(text, 'utf8')]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

parentPort?.on('message', (request: SketchRequest) => void answerTask(() => render(request)));
