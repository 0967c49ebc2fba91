/** What is stored of a picture that a user uploads: its pixels, and nothing that its user does not know of. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { formatParameters } from '#contract/images/recipe-text';
import { createExif } from '#server/lib/picture-notes';
import { ownSoftware } from '#server/lib/picture-recipe';
import { readOrigin, readSaved, save, startWithPeople } from '#tests/pictures';

vi.mock('sharp', { spy: true });

beforeEach(() => void vi.mocked(sharp).mockClear());

const canary = 'the-canary-sings';
const page = Buffer.from(`<html><script>alert("${canary}")</script></html>`);

/** Stores a file, and returns what is served of it; undefined when it is refused. */
async function upload(bytes: Buffer) {
  const { server, tokens, objects } = await startWithPeople();
  vi.mocked(sharp).mockClear();
  const reply = await save(server, tokens.ann, { image: new Blob([new Uint8Array(bytes)]) });
  const decodes = vi.mocked(sharp).mock.calls.length;
  if (reply.status !== 201) {
    return { reply, decodes, names: objects.names(), stored: Buffer.alloc(0) };
  }
  const served = await server.app.request(readSaved(reply).image_url);
  const small = await server.app.request(readSaved(reply).thumbnail_url);
  return {
    reply,
    decodes,
    names: objects.names(),
    stored: Buffer.from(await served.arrayBuffer()),
    small: Buffer.from(await small.arrayBuffer()),
    type: served.headers.get('Content-Type'),
  };
}

/** Red, green and blue of each pixel as a viewer shows them. */
const readPixels = async (bytes: Buffer) =>
  sharp(bytes).autoOrient().removeAlpha().raw().toBuffer({ resolveWithObject: true });

async function expectSamePixels(one: Buffer, other: Buffer): Promise<void> {
  const [{ data, info }, expected] = [await readPixels(one), await readPixels(other)];
  expect([info.width, info.height]).toEqual([expected.info.width, expected.info.height]);
  expect(data.equals(expected.data)).toBe(true);
}

/** Stripes, so that it can be seen which side is up. */
function draw() {
  const [width, height] = [24, 16];
  const pixels = Buffer.alloc(width * height * 3, 40);
  pixels.fill(230, 0, width * 3 * 4);
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** As cameras write it: where, with which device, and which side is up. */
const cameraExif = {
  orientation: 6,
  exif: {
    IFD0: { Artist: canary, ImageDescription: canary },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSAreaInformation: canary },
  },
};

const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);

function segment(marker: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xff, marker]), u16(content.length + 2), content]);
}

/** Puts segments behind the beginning of a JPEG. */
const withSegments = (jpeg: Buffer, ...segments: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

function chunk(name: string, content: Buffer | string): Buffer {
  const body = Buffer.concat([Buffer.from(name), Buffer.from(content)]);
  const whole = Buffer.concat([Buffer.alloc(4), body, Buffer.alloc(4)]);
  whole.writeUInt32BE(body.length - 4, 0);
  whole.writeUInt32BE(crc32(body), whole.length - 4);
  return whole;
}

const pngHead = 33;

/** Puts chunks between the header of a PNG and its pixels. */
const withChunks = (png: Buffer, ...chunks: Buffer[]) =>
  Buffer.concat([png.subarray(0, pngHead), ...chunks, png.subarray(pngHead)]);

function listChunks(png: Buffer): string[] {
  const names: string[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    names.push(png.toString('latin1', at + 4, at + 8));
  }
  return names;
}

function riffChunk(name: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name), size, content, Buffer.alloc(content.length % 2)]);
}

/** Adds chunks to a WebP that has more than pixels. */
function withRiff(webp: Buffer, ...chunks: Buffer[]): Buffer {
  const whole = Buffer.concat([webp, ...chunks]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

const recipe = {
  program: 'nori',
  prompt: 'a lighthouse – 灯台, <lora:77:0.7>\nat night',
  negativePrompt: 'fog',
  modelId: '1983308862240288769',
  loras: { '77': 0.7 },
  seed: '1234567890123',
  width: 24,
  height: 16,
  scale: 6,
} as const;
const recipeText = formatParameters(recipe);

describe('a JPEG', () => {
  test('from a camera keeps its pixels and which side is up, not where it was taken or what follows its end', async () => {
    const jpeg = await draw()
      .jpeg({ chromaSubsampling: '4:4:4' })
      .withMetadata(cameraExif)
      .toBuffer();
    const secret = Buffer.from(`\0${canary}`);
    const file = Buffer.concat([
      withSegments(
        jpeg,
        segment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/'), secret])),
        segment(0xe2, Buffer.concat([Buffer.from('MPF'), secret])),
        segment(0xed, Buffer.concat([Buffer.from('Photoshop 3.0'), secret])),
        segment(0xfe, page),
      ),
      page,
    ]);
    expect(file.toString('latin1')).toContain(canary);

    const { reply, stored, small, type } = await upload(file);

    expect(reply.status).toBe(201);
    expect(type).toBe('image/jpeg');
    expect(stored.toString('latin1')).not.toMatch(/canary|GPS|xap|MPF|Photoshop|html/);
    expect(await sharp(stored).metadata()).toMatchObject({ orientation: 6 });
    await expectSamePixels(stored, jpeg);
    // Upright, as the large one is shown.
    expect(await sharp(small).metadata()).toMatchObject({ width: 16, height: 24 });
  });

  test('keeps the profile of its colours, and none that is no profile', async () => {
    const wide = await draw().jpeg().withIccProfile('p3').toBuffer();
    const fake = withSegments(
      await draw().jpeg().toBuffer(),
      segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\u0001\u0001'), page])),
    );

    const [{ stored: kept }, { stored: cleaned }] = [await upload(wide), await upload(fake)];

    expect((await sharp(kept).metadata()).icc).toEqual((await sharp(wide).metadata()).icc);
    expect(cleaned.toString('latin1')).not.toContain(canary);
  });

  test('for print keeps its four colours', async () => {
    const print = await draw().toColourspace('cmyk').jpeg().toBuffer();

    const { stored } = await upload(Buffer.concat([print, page]));

    expect(await sharp(stored).metadata()).toMatchObject({ space: 'cmyk' });
    await expectSamePixels(stored, print);
  });

  test('with bytes between its parts is encoded anew', async () => {
    const jpeg = await draw().jpeg().toBuffer();
    const at = jpeg.indexOf(Buffer.from([0xff, 0xc4]));

    const { stored, type } = await upload(
      Buffer.concat([jpeg.subarray(0, at), page, jpeg.subarray(at)]),
    );

    expect(type).toBe('image/jpeg');
    expect(stored.toString('latin1')).not.toContain(canary);
    expect(await sharp(stored).metadata()).toMatchObject({ width: 24, height: 16 });
  });

  test('that is progressive is stored as it came', async () => {
    const jpeg = await draw().jpeg({ progressive: true, mozjpeg: true }).toBuffer();

    const { stored } = await upload(jpeg);

    expect(stored.equals(jpeg)).toBe(true);
  });
});

describe('a PNG', () => {
  test('keeps its pixels, not its texts, times and what follows its end', async () => {
    const png = await draw().png().toBuffer();
    const file = Buffer.concat([
      withChunks(
        png,
        chunk('tEXt', `Comment\0${canary}`),
        chunk('iTXt', `XML:com.adobe.xmp\0\0\0\0\0${canary}`),
        // A thousand times as large when it is inflated.
        chunk(
          'zTXt',
          Buffer.concat([Buffer.from('Raw\0\0'), deflateSync(Buffer.alloc(9_000_000))]),
        ),
        chunk('eXIf', createExif({ software: canary }) ?? ''),
        chunk('tIME', '1234567'),
        chunk('prVt', page),
        // Longer than it may be.
        chunk('pHYs', page),
      ),
      page,
    ]);

    const { stored, type } = await upload(file);

    expect(type).toBe('image/png');
    expect(stored.toString('latin1')).not.toContain(canary);
    expect(new Set(listChunks(stored))).toEqual(new Set(listChunks(png)));
    await expectSamePixels(stored, png);
  });

  test('keeps its colours and which side is up', async () => {
    const png = await draw().png().withIccProfile('p3').toBuffer();
    const gamma = chunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]));
    const turned = chunk('eXIf', createExif({ orientation: 8, software: canary }) ?? '');

    const { stored } = await upload(withChunks(png, gamma, turned));

    expect(listChunks(stored)).toEqual(expect.arrayContaining(['gAMA', 'iCCP', 'eXIf']));
    expect(stored.toString('latin1')).not.toContain(canary);
    const { icc, orientation } = await sharp(stored).metadata();
    expect(icc).toEqual((await sharp(png).metadata()).icc);
    expect(orientation).toBe(8);
    await expectSamePixels(stored, withChunks(png, turned));
  });

  test('that is animated stays animated', async () => {
    const png = await draw().png().toBuffer();
    const end = png.length - 12;
    const [idat] = /IDAT(.*)$/s.exec(png.toString('latin1', 0, end - 4)) ?? [];
    const frame = Buffer.from(idat?.slice(4) ?? '', 'latin1');
    const control = (sequence: number) =>
      chunk(
        'fcTL',
        Buffer.concat([
          u16(0),
          u16(sequence),
          u16(0),
          u16(24),
          u16(0),
          u16(16),
          Buffer.alloc(8),
          Buffer.from([0, 1, 0, 10, 0, 0]),
        ]),
      );
    const file = Buffer.concat([
      withChunks(
        png.subarray(0, end),
        chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])),
        control(0),
      ),
      control(1),
      chunk('fdAT', Buffer.concat([Buffer.from([0, 0, 0, 2]), frame])),
      png.subarray(end),
    ]);

    const { stored } = await upload(file);

    expect(stored.equals(file)).toBe(true);
  });

  test('of an engine keeps its recipe, written anew', async () => {
    const png = await draw().png().toBuffer();
    const settings =
      'Steps: 25, Sampler: DPM++ 2M, Schedule type: Karras, CFG scale: 7, Seed: 4711, Size: 24x16, Model hash: 6ce0161689, Model: tide_pool';
    const file = withChunks(
      png,
      chunk(
        'tEXt',
        `parameters\0a lighthouse\nNegative prompt: fog\n${settings}, Secret: ${canary}, Model: again`,
      ),
      chunk('tEXt', `parameters\0${canary}`),
    );
    const clean = withChunks(
      png,
      chunk(
        'tEXt',
        `parameters\0a lighthouse\nNegative prompt: fog\n${settings}, Secret: ${canary}`,
      ),
    );

    const [twice, once] = [await upload(file), await upload(clean)];

    // The last one counts, as in A1111.
    expect(twice.stored.toString('latin1')).toContain('Model: again');
    expect(twice.stored.toString('latin1')).not.toContain(canary);
    expect(once.stored.toString('latin1')).not.toContain(canary);
    expect(once.stored.toString('latin1')).toContain(
      `parameters\0\0\0\0\0a lighthouse\nNegative prompt: fog\n${settings}`,
    );
    // And again when it is saved again.
    expect((await upload(once.stored)).stored.equals(once.stored)).toBe(true);
  });
});

test('a clean file that is as long as the file that came is stored instead of it', async () => {
  const png = await draw().png().toBuffer();
  const text = `parameters\0${recipeText.replaceAll(/[^\0-~]/g, '-')}`;
  const untidy = withChunks(png, chunk('tEXt', text));
  // As many bytes as the recipe has more when it is written anew.
  const { stored: tidy } = await upload(Buffer.from(untidy));
  const file = Buffer.concat([untidy, Buffer.alloc(tidy.length - untidy.length, 'tail')]);

  const { stored } = await upload(file);

  expect(stored.length).toBe(file.length);
  expect(stored.toString('latin1', stored.length - 8, stored.length - 4)).toBe('IEND');
});

describe('a WebP', () => {
  test('keeps its pixels, not its metadata, unknown parts and what follows its end', async () => {
    const webp = await draw()
      .webp({ lossless: true })
      .withMetadata(cameraExif)
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${canary}</x:xmpmeta>`)
      .toBuffer();
    const file = Buffer.concat([withRiff(webp, riffChunk('JUNK', page)), page]);

    const { stored, type } = await upload(file);

    expect(type).toBe('image/webp');
    expect(stored.toString('latin1')).not.toMatch(/canary|xmp|JUNK|GPS/);
    expect(stored.readUInt32LE(4)).toBe(stored.length - 8);
    const { orientation, xmp } = await sharp(stored).metadata();
    expect([orientation, xmp]).toEqual([6, undefined]);
    await expectSamePixels(stored, webp);
  });

  test('of nothing but pixels loses what is behind them', async () => {
    const webp = await draw().webp().toBuffer();

    const [plain, tailed] = [
      await upload(webp),
      await upload(withRiff(webp, riffChunk('EXIF', page))),
    ];

    expect(plain.stored.equals(webp)).toBe(true);
    expect(tailed.stored.equals(webp)).toBe(true);
  });

  test('that is animated stays animated, without what is hidden in its frames', async () => {
    const frames = Buffer.alloc(24 * 32 * 3, 40).fill(200, 24 * 16 * 3);
    const webp = await sharp(frames, {
      raw: { width: 24, height: 32, channels: 3, pageHeight: 16 },
    })
      .webp({ delay: [100, 100], loop: 0 })
      .toBuffer();
    const at = webp.lastIndexOf('ANMF');
    const frame = webp.subarray(at + 8);
    const hidden = riffChunk('ANMF', Buffer.concat([frame, riffChunk('JUNK', page)]));
    const file = withRiff(webp.subarray(0, at), hidden);
    expect((await sharp(webp, { animated: true }).metadata()).pages).toBe(2);

    const [plain, cleaned] = [await upload(webp), await upload(file)];

    expect(plain.stored.equals(webp)).toBe(true);
    expect(cleaned.stored.equals(webp)).toBe(true);
  });

  test('of an engine keeps its recipe, in every script', async () => {
    const webp = await draw()
      .webp()
      .withMetadata({ exif: { IFD0: { Artist: canary } } })
      .toBuffer();
    const at = webp.indexOf('EXIF');
    const exif = createExif({ software: ownSoftware.sketch, recipe }) ?? Buffer.alloc(0);
    const made = withRiff(webp.subarray(0, at), riffChunk('EXIF', exif));

    const { stored } = await upload(Buffer.concat([made, page]));

    expect(stored.equals(made)).toBe(true);
    expect(await readOrigin(stored)).toEqual({ software: ownSoftware.sketch, recipe: recipeText });
  });

  test.each([
    ['is no recipe', undefined],
    ['is longer than a recipe', { ...recipe, prompt: 'a'.repeat(10_001) }],
  ])('keeps no comment that %s', async (_what, long) => {
    const webp = await draw()
      .webp()
      .withMetadata({ exif: { IFD0: { Artist: 'x' }, IFD2: { UserComment: canary } } })
      .toBuffer();
    const exif = long && createExif({ recipe: long });
    const file = exif
      ? withRiff(webp.subarray(0, webp.indexOf('EXIF')), riffChunk('EXIF', exif))
      : webp;

    const { stored } = await upload(file);

    expect((await sharp(stored).metadata()).exif).toBeUndefined();
  });
});

describe('a file that is no PNG, JPEG or WebP', () => {
  test.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['an SVG with a declaration', '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "a">]><svg/>'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a GIF', 'GIF89a\u0001\0\u0001\0\0\0\0;'],
    ['a GIF with a PNG behind', 'GIF89a\x89PNG\r\n\u001a\n'],
    ['a PDF', '%PDF-1.7\n%\u00ff'],
    ['a TIFF', 'II*\0\b\0\0\0'],
    ['an AVIF', '\0\0\0 ftypavif'],
    ['a film in a RIFF', 'RIFF\0\0\0\0AVI LIST'],
    ['nothing', ''],
  ])('such as %s is refused before a decoder sees it', async (_what, text) => {
    const { reply, decodes, names } = await upload(Buffer.from(text, 'latin1'));

    expect(reply).toMatchObject({ status: 422, body: { code: 'picture_unreadable' } });
    expect(decodes).toBe(0);
    expect(names).toEqual([]);
  });
});

describe('a broken file', () => {
  const makers = {
    png: async () => draw().png().toBuffer(),
    jpeg: async () => draw().jpeg().toBuffer(),
    webp: async () => draw().webp({ lossless: true }).toBuffer(),
  };

  test.each(['png', 'jpeg', 'webp'] as const)(
    'that ends too soon is refused: %s',
    async (format) => {
      const whole = await makers[format]();

      const { reply, names } = await upload(whole.subarray(0, Math.floor(whole.length * 0.6)));

      expect(reply).toMatchObject({ status: 422, body: { code: 'picture_unreadable' } });
      expect(names).toEqual([]);
    },
  );

  test.each(['png', 'jpeg', 'webp'] as const)(
    'is refused or stored clean, whichever byte is wrong: %s',
    async (format) => {
      const { server, tokens } = await startWithPeople();
      const whole = Buffer.concat([await makers[format](), page]);
      const served: string[] = [];
      for (let at = 12; at < Math.min(whole.length, 130); at += 1) {
        const file = Buffer.from(whole);
        file[at] = (file[at] ?? 0) ^ 0xff;
        const reply = await save(server, tokens.ann, { image: new Blob([new Uint8Array(file)]) });
        expect([201, 413, 422]).toContain(reply.status);
        if (reply.status === 201) {
          const stored = await server.app.request(readSaved(reply).image_url);
          served.push(await stored.text());
        }
      }
      expect(served.filter((text) => text.includes(canary))).toEqual([]);
    },
  );

  test('with a part that must be understood and is not is refused', async () => {
    const file = withChunks(await draw().png().toBuffer(), chunk('ABCD', page));

    const { reply, names } = await upload(file);

    expect(reply).toMatchObject({ status: 422, body: { code: 'picture_unreadable' } });
    expect(names).toEqual([]);
  });
});

test('a picture of an engine of this server is stored as it came', async () => {
  const { server } = await startWithPeople();
  const file = Buffer.concat([await draw().png().toBuffer(), Buffer.from('as it came')]);

  const { id } = await server.services.pictures.put(
    server.services.pictures.fromBytes(file),
    111_222_333,
  );

  const stored = await server.deps.objects.read(`${id}-original`);
  expect(stored?.bytes.equals(file)).toBe(true);
});
