/** The recipe is found in the files of our own pictures, and of those that A1111, ComfyUI and InvokeAI have made. */
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

import { maxRecipeFileBytes, readRecipe, withoutRecipe } from '#contract/images/recipe-file';
import { formatOwnRecipe } from '#contract/images/recipe-text';
import {
  exifWith,
  jpegSegment,
  jpegWith,
  pngChunk,
  tinyPng,
  webpWith,
  withPngChunks,
} from '#tests/picture-files';

const settings = 'Steps: 20, Sampler: Euler a, CFG scale: 7, Seed: 4711, Size: 512x768';
const text = `a fox, 秋 🦊\nNegative prompt: blurry\n${settings}`;
const plain = `a fox\nNegative prompt: blurry\n${settings}`;
const fox = { prompt: 'a fox', negativePrompt: 'blurry', seed: '4711', steps: 20 };

const png = (...chunks: readonly Buffer[]) => withPngChunks(tinyPng, ...chunks);
const iTXt = (key: string, content: string) =>
  pngChunk('iTXt', Buffer.from(`${key}\0\0\0\0\0${content}`));

const own = formatOwnRecipe({ prompt: 'ours', negativePrompt: '', loras: {}, seed: '1' });
const invoke = JSON.stringify({ positive_prompt: 'a fox', negative_prompt: 'blurry', seed: 4711 });
const comfy = JSON.stringify({
  '3': {
    class_type: 'KSampler',
    inputs: { seed: 4711, positive: ['6', 0], negative: ['7', 0], latent_image: ['5', 0] },
  },
  '5': { class_type: 'EmptyLatentImage', inputs: { width: 512, height: 768 } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a fox' } },
  '7': { class_type: 'CLIPTextEncode', inputs: { text: 'blurry' } },
});

describe('a PNG', () => {
  test.each([
    ['with Latin text, as A1111 writes it', pngChunk('tEXt', `parameters\0${plain}`), 'a1111'],
    ['with text in all scripts', iTXt('parameters', plain), 'a1111'],
    [
      'with packed text',
      pngChunk('zTXt', Buffer.concat([Buffer.from('parameters\0\0'), deflateSync(plain)])),
      'a1111',
    ],
    [
      'with packed text in all scripts',
      pngChunk(
        'iTXt',
        Buffer.concat([Buffer.from('parameters\0\u0001\0de\0Angaben\0'), deflateSync(plain)]),
      ),
      'a1111',
    ],
    ['of InvokeAI', pngChunk('tEXt', `invokeai_metadata\0${invoke}`), 'invokeai'],
    ['of ComfyUI', pngChunk('tEXt', `prompt\0${comfy}`), 'comfyui'],
    ['with EXIF data', pngChunk('eXIf', exifWith({}, { 0x9286: `ASCII\0\0\0${plain}` })), 'a1111'],
  ])('%s is read', (_what, chunk, program) => {
    expect(readRecipe(png(chunk))).toMatchObject({
      ...fox,
      program,
      steps: program === 'a1111' ? 20 : undefined,
    });
  });

  test('with accents in Latin text is read as they are', () => {
    const chunk = pngChunk('tEXt', Buffer.from(`parameters\0café\n${settings}`, 'latin1'));

    expect(readRecipe(png(chunk))?.prompt).toBe('café');
  });

  test('is read by our own text first, wherever it stands', () => {
    const file = Buffer.concat([
      png(pngChunk('tEXt', `prompt\0${comfy}`), iTXt('parameters', text)).subarray(0, -12),
      iTXt('nori', own),
      pngChunk('IEND', ''),
    ]);

    expect(readRecipe(file)).toMatchObject({ program: 'nori', prompt: 'ours' });
  });

  test('whose own text is broken is read by the next', () => {
    expect(readRecipe(png(iTXt('nori', '{'), iTXt('parameters', text)))).toMatchObject({
      program: 'a1111',
      prompt: 'a fox, 秋 🦊',
    });
  });

  test.each([
    ['without texts', tinyPng],
    ['with another text', png(pngChunk('tEXt', 'Comment\0a fox'))],
    ['with a key that goes on', png(pngChunk('tEXt', `parameters2\0${plain}`))],
    ['with a text without an end of its key', png(pngChunk('tEXt', 'parameters'))],
    ['with a text that is not packed', png(pngChunk('zTXt', `parameters\0\0${plain}`))],
    ['with a text that ends in its head', png(pngChunk('iTXt', 'parameters\0\0\0'))],
    [
      'with a packed text that is far too large',
      png(
        pngChunk(
          'zTXt',
          Buffer.concat([
            Buffer.from('parameters\0\0'),
            deflateSync(Buffer.concat([Buffer.alloc(64 * 1024 * 1024, ' '), Buffer.from(plain)])),
          ]),
        ),
      ),
    ],
    ['that says nothing of a recipe', png(iTXt('parameters', 'a fox in the snow'))],
  ])('%s has none', (_what, file) => {
    expect(readRecipe(file)).toBeUndefined();
  });
});

test('many texts that are packed small are not all unpacked', () => {
  const packed = Buffer.concat([Buffer.from('parameters\0\0'), deflateSync(Buffer.alloc(4e6))]);
  const file = png(
    ...Array.from({ length: 1000 }, () => pngChunk('zTXt', packed)),
    iTXt('nori', own),
  );
  const before = process.cpuUsage();

  expect(readRecipe(file)).toMatchObject({ prompt: 'ours' });
  expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
});

describe('EXIF data', () => {
  const wide = (order: 'utf16le' | 'big') => {
    const bytes = Buffer.from(text, 'utf16le');
    return Buffer.concat([Buffer.from('UNICODE\0'), order === 'big' ? bytes.swap16() : bytes]);
  };
  const comments: readonly (readonly [string, Buffer])[] = [
    ['as A1111 writes it', exifWith({}, { 0x9286: wide('big') }, 'MM')],
    ['in the other order', exifWith({}, { 0x9286: wide('utf16le') }, 'II')],
    ['in an order that the data does not have', exifWith({}, { 0x9286: wide('big') }, 'II')],
    ['without a mark', exifWith({}, { 0x9286: Buffer.from(text) })],
    ['with an empty mark', exifWith({}, { 0x9286: Buffer.from(`${'\0'.repeat(8)}${text}`) })],
  ];

  test.each(comments)('%s is read from JPEG and WebP', (_what, exif) => {
    const marked = Buffer.concat([Buffer.from('Exif\0\0'), exif]);
    const files = [
      jpegWith(
        jpegSegment(0xe0, 'JFIF\0'),
        jpegSegment(0xe1, 'http://ns.adobe.com/xap/1.0/\0'),
        jpegSegment(0xe1, marked),
      ),
      webpWith(['VP8X', Buffer.alloc(10)], ['VP8 ', Buffer.alloc(7)], ['EXIF', exif]),
      webpWith(['EXIF', marked]),
    ];

    for (const file of files) {
      expect(readRecipe(file)).toMatchObject({
        program: 'a1111',
        prompt: 'a fox, 秋 🦊',
        negativePrompt: 'blurry',
        seed: '4711',
      });
    }
  });

  test('of ComfyUI is where cameras name themselves', () => {
    const exif = exifWith({ 0x010f: 'workflow:{}\0', 0x0110: `prompt:${comfy}\0` });

    expect(readRecipe(webpWith(['EXIF', exif]))).toMatchObject({ ...fox, steps: undefined });
  });

  test('of a camera has none', () => {
    const exif = exifWith({ 0x010f: 'Canon\0', 0x0110: 'EOS 5D\0' }, { 0x927c: 'Canon notes' });

    expect(
      readRecipe(jpegWith(jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif])))),
    ).toBeUndefined();
  });
});

describe('a file that is broken', () => {
  const good = {
    png: png(iTXt('parameters', text)),
    jpeg: jpegWith(
      jpegSegment(
        0xe1,
        Buffer.concat([Buffer.from('Exif\0\0'), exifWith({}, { 0x9286: `ASCII\0\0\0${plain}` })]),
      ),
    ),
    webp: webpWith(
      ['VP8 ', Buffer.alloc(7)],
      ['EXIF', exifWith({}, { 0x9286: Buffer.from(text) })],
    ),
  };

  test.each(['png', 'jpeg', 'webp'] as const)('anywhere never fails: %s', (format) => {
    const file = good[format];
    expect(readRecipe(file)).toBeDefined();
    for (let at = 0; at < file.length; at += 1) {
      const wrong = Buffer.from(file);
      wrong[at] = (wrong[at] ?? 0) ^ 0xff;
      expect(() => readRecipe(wrong)).not.toThrow();
      expect(() => readRecipe(file.subarray(0, at))).not.toThrow();
      expect(() => withoutRecipe(wrong)).not.toThrow();
      // Never half of it.
      expect(withoutRecipe(file.subarray(0, at))?.length ?? 0).toBeLessThan(file.length);
    }
  });

  test.each(['png', 'jpeg', 'webp'] as const)('or whole loses all that is said: %s', (format) => {
    const bare = withoutRecipe(good[format]);

    expect(bare && readRecipe(bare)).toBeUndefined();
    expect(Buffer.from(bare ?? []).toString('latin1')).not.toMatch(/Steps|EXIF|Exif|fox/);
    expect(bare && withoutRecipe(bare)).toEqual(bare);
  });

  test.each([
    ['empty', Buffer.alloc(0)],
    ['a text', Buffer.from(plain)],
    ['a GIF', Buffer.from('GIF89a')],
    ['larger than is read', Buffer.concat([good.png, Buffer.alloc(maxRecipeFileBytes)])],
    [
      'a directory that leads to itself',
      webpWith([
        'EXIF',
        Buffer.from('4d4d002a00000008000187690004000000010000000800000000', 'hex'),
      ]),
    ],
  ])('or no picture has none: %s', (_what, file) => {
    expect(readRecipe(file)).toBeUndefined();
  });
});
