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
  const { caption = true, format = 'png', origin, quality = webpQuality, ...input } = request;
  const { width, height } = input;
  const image = sharp(paintPixels(input, caption), { raw: { width, height, channels: 3 } });
  if (format === 'png') {
    return new Uint8Array(await image.png({ compressionLevel: pngCompression }).toBuffer());
  }
  // The caption is small text, which plain subsampling of colours would blur.
  const webp = await image.webp({ quality, smartSubsample: caption }).toBuffer();
  const file = origin ? addExif(webp, { width, height, exif: createExif(origin) }) : webp;
  // A copy with its own memory can be transferred to the main thread.
  return new Uint8Array(file);
}

/** Bytes before the first chunk: `RIFF`, the size of the rest, `WEBP`. */
const riffHeadBytes = 12;
const hasExif = 0x08;

/** Puts metadata into a WebP, which then needs a chunk that announces it and repeats the size. */
function addExif(
  webp: Buffer,
  { width, height, exif }: { readonly width: number; readonly height: number; exif: Buffer },
): Buffer {
  const announcement = Buffer.alloc(10);
  announcement.writeUInt8(hasExif, 0);
  announcement.writeUIntLE(width - 1, 4, 3);
  announcement.writeUIntLE(height - 1, 7, 3);
  const file = Buffer.concat([
    webp.subarray(0, riffHeadBytes),
    createChunk('VP8X', announcement),
    webp.subarray(riffHeadBytes),
    createChunk('EXIF', exif),
  ]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

/** Chunks begin at even places. */
function createChunk(name: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name), size, content, Buffer.alloc(content.length % 2)]);
}

const tags = { software: 0x0131, exifDirectory: 0x8769, userComment: 0x9286 } as const;
const types = { text: 2, long: 4, bytes: 7 } as const;

/**
 * The software and, as the comment, the recipe: where image programs look for both. Written by hand,
 * because sharp drops what is not ASCII.
 */
function createExif({ software, recipe }: NonNullable<SketchRequest['origin']>): Buffer {
  const program = Buffer.from(`${software}\0`, 'latin1');
  const comment = Buffer.concat([
    Buffer.from('UNICODE\0'),
    Buffer.from(recipe, 'utf16le').swap16(),
  ]);
  const head = Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8]);
  const programAt = head.length + directoryBytes(2);
  const exifAt = programAt + program.length + (program.length % 2);
  const commentAt = exifAt + directoryBytes(1);
  return Buffer.concat([
    head,
    createDirectory([
      { tag: tags.software, type: types.text, count: program.length, value: programAt },
      { tag: tags.exifDirectory, type: types.long, count: 1, value: exifAt },
    ]),
    program,
    Buffer.alloc(program.length % 2),
    createDirectory([
      { tag: tags.userComment, type: types.bytes, count: comment.length, value: commentAt },
    ]),
    comment,
  ]);
}

type DirectoryEntry = {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** The value, or where it begins. */
  readonly value: number;
};

function directoryBytes(entries: number): number {
  return 2 + 12 * entries + 4;
}

function createDirectory(entries: readonly DirectoryEntry[]): Buffer {
  const bytes = Buffer.alloc(directoryBytes(entries.length));
  bytes.writeUInt16BE(entries.length, 0);
  for (const [index, { tag, type, count, value }] of entries.entries()) {
    const at = 2 + 12 * index;
    bytes.writeUInt16BE(tag, at);
    bytes.writeUInt16BE(type, at + 2);
    bytes.writeUInt32BE(count, at + 4);
    bytes.writeUInt32BE(value, at + 8);
  }
  return bytes;
}

parentPort?.on('message', (request: SketchRequest) => void answerTask(() => render(request)));
