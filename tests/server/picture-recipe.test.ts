/** Pictures carry their recipe: what an engine has made says how, in all formats, and is otherwise as it came. */
import sharp from 'sharp';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { generateWithLoras, readJob } from '#contract/endpoints/images';
import { generateMidjourney } from '#contract/endpoints/midjourney';
import { readRecipe } from '#contract/images/recipe-file';
import { formatParameters, type FoundRecipe } from '#contract/images/recipe-text';
import { stripMetadata } from '#server/lib/picture-metadata';
import { addNotes } from '#server/lib/picture-notes';
import { type EngineOrigin, ownSoftware } from '#server/lib/picture-recipe';
import { detectPictureType } from '#server/lib/picture-type';
import { createHandEngine } from '#tests/image-engines';
import { standInPicture } from '#tests/image-services';
import { pngChunk, withPngChunks } from '#tests/picture-files';
import { ann, makePng, toKey, withoutRecipe } from '#tests/pictures';
import { createTestServer } from '#tests/test-server';

const recipe: FoundRecipe = {
  program: 'nori',
  provider: 'pixai',
  prompt: 'a fox — 秋の森,\r\n"quoted": 🦊\nNegative prompt: is no mark here',
  negativePrompt: 'blurry,\tlow',
  modelId: '1983308862240288769',
  loras: { '77': 0.7 },
  seed: '9223372036854775807',
  width: 24,
  height: 16,
  scale: 6,
  steps: 25,
};

const draw = (channels: 3 | 4 = 3) =>
  sharp({ create: { width: 24, height: 16, channels, background: '#0b7a5c80' } });
const formats: readonly (readonly [string, () => Promise<Buffer>])[] = [
  ['a PNG', () => draw().png().toBuffer()],
  ['a PNG with a palette', () => draw(4).png({ palette: true }).toBuffer()],
  ['a JPEG', () => draw().jpeg().toBuffer()],
  [
    'a progressive JPEG with a profile',
    () => draw().jpeg({ progressive: true }).withIccProfile('p3').toBuffer(),
  ],
  ['a WebP', () => draw().webp().toBuffer()],
  ['a WebP without loss', () => draw().webp({ lossless: true }).toBuffer()],
  ['a WebP with transparency', () => draw(4).webp().toBuffer()],
  ['a WebP without loss, with transparency', () => draw(4).webp({ lossless: true }).toBuffer()],
  ['a WebP with a profile', () => draw().webp().withIccProfile('p3').toBuffer()],
];

const requireType = (bytes: Buffer) => detectPictureType(bytes) ?? 'image/png';
const write = (bytes: Buffer, software: string = ownSoftware.pixai) =>
  addNotes(bytes, requireType(bytes), { software, recipe });
const pixels = (bytes: Buffer) => sharp(bytes).ensureAlpha().raw().toBuffer();

describe.each(formats)('%s', (_name, make) => {
  test('carries its recipe, exactly, and looks the same', async () => {
    const plain = await make();

    const file = write(plain);

    expect(readRecipe(file)).toEqual({ ...recipe, program: 'nori' });
    expect(await pixels(file)).toEqual(await pixels(plain));
    const [before, after] = [await sharp(plain).metadata(), await sharp(file).metadata()];
    expect([after.width, after.height, after.hasAlpha, after.icc]).toEqual([
      before.width,
      before.height,
      before.hasAlpha,
      before.icc,
    ]);
  });

  test('keeps it when it is saved again, and loses it when its user says so', async () => {
    const plain = await make();
    const file = write(plain);

    const saved = stripMetadata(Buffer.from(file), requireType(file));
    const bare = stripMetadata(Buffer.from(file), requireType(file), { keepsRecipe: false });

    expect(saved).toEqual(file);
    expect(bare && readRecipe(bare)).toBeUndefined();
    expect(bare?.toString('latin1')).not.toMatch(/Nori|nori|parameters|Steps|1983308862240288769/);
    expect(bare && (await pixels(bare))).toEqual(await pixels(plain));
  });
});

test('a picture without its recipe still knows which side is up', async () => {
  const turned = await draw().jpeg().withMetadata({ orientation: 6 }).toBuffer();

  const bare = stripMetadata(Buffer.from(turned), 'image/jpeg', { keepsRecipe: false });

  expect((await sharp(bare).metadata()).orientation).toBe(6);
});

test('what A1111 has written into its own file stays, beside ours', async () => {
  const text = 'a fox\nSteps: 20, Sampler: Euler a, Seed: 7, Size: 24x16, Model hash: 6ce0161689';
  const png = withPngChunks(await draw().png().toBuffer(), pngChunk('tEXt', `parameters\0${text}`));

  const file = write(png);

  expect(file.toString('latin1').match(/parameters\0/g)).toHaveLength(1);
  expect(file.toString('latin1')).toContain(text);
  expect(readRecipe(file)).toMatchObject({ program: 'nori', steps: 25 });
});

test('a recipe that is longer than a part of a JPEG is left out, and the file stays whole', async () => {
  const jpeg = await draw().jpeg().toBuffer();

  const file = addNotes(jpeg, 'image/jpeg', {
    software: ownSoftware.pixai,
    recipe: { ...recipe, prompt: '秋'.repeat(60_000) },
  });

  expect(readRecipe(file)).toBeUndefined();
  expect(await pixels(file)).toEqual(await pixels(jpeg));
});

test.each(['image/png', 'image/jpeg', 'image/webp'] as const)(
  'a file that cannot be taken apart is as it came: %s',
  (type) => {
    const broken = Buffer.from('RIFF\xff\xff\xff\xffWEBPVP8X no picture at all', 'latin1');

    expect(addNotes(broken, type, { recipe })).toBe(broken);
  },
);

const body = {
  prompt: 'a fox, in the snow: “autumn”',
  model_id: 'model-1',
  negative_prompt: 'blurry',
  seed: '4711',
  ratio: '3:2',
  loras: { ink: 0.7 },
} as const;

/** What a server whose engine has this origin stores, for the user and with the job. */
async function makeOnServer(origin: EngineOrigin) {
  const hand = createHandEngine({}, origin);
  const server = await createTestServer({ engines: { pixai: hand.engine } });
  const token = await server.signUp(ann);
  const job_key = toKey('fox');
  const call = server.call(generateWithLoras, { ...body, job_key }, { token });
  await expect.poll(hand.asked).toBe(1);
  hand.finish();
  const made = (await call).headers.get('X-Nori-Image-Url') ?? '';
  const job = v.parse(readJob.output, (await server.call(readJob, { job_key }, { token })).body);
  const read = async (link: string) =>
    Buffer.from(await (await server.app.request(link)).arrayBuffer());
  return { server, link: made, stored: await read(made), ofJob: await read(job.image_url ?? '') };
}

describe('a picture that this server has made', () => {
  test('says what the engine has used, in the history and with the job', async () => {
    const { stored, ofJob } = await makeOnServer({
      software: ownSoftware.pixai,
      steps: 25,
      usesSeed: true,
      usesScale: true,
    });

    expect(stored).toEqual(ofJob);
    expect(readRecipe(stored)).toEqual({
      program: 'nori',
      provider: 'pixai',
      prompt: body.prompt,
      negativePrompt: 'blurry',
      modelId: 'model-1',
      loras: { ink: 0.7 },
      seed: '4711',
      // Of the file, which is no picture of that ratio.
      width: 64,
      height: 64,
      scale: 6,
      steps: 25,
    });
    expect(stored.toString('latin1')).toContain(
      'Steps: 25, CFG scale: 6, Seed: 4711, Size: 64x64, Model: model-1',
    );
  });

  test('says nothing that nobody knows', async () => {
    const { stored } = await makeOnServer({
      software: ownSoftware.midjourney,
      usesSeed: false,
      usesScale: false,
    });

    expect(Object.keys(readRecipe(stored) ?? {}).toSorted()).toEqual([
      'height',
      'loras',
      'modelId',
      'negativePrompt',
      'program',
      'prompt',
      'provider',
      'width',
    ]);
    expect(stored.toString('latin1')).toContain('Steps: 0, Size: 64x64');
  });

  test('is the file of the engine when its recipe is taken out', async () => {
    const { stored } = await makeOnServer({
      software: ownSoftware.pixai,
      usesSeed: true,
      usesScale: true,
    });

    expect(readRecipe(withoutRecipe(stored) ?? stored)).toBeUndefined();
    expect((await sharp(withoutRecipe(stored)).metadata()).width).toBe(64);
  });
});

describe('a file without its recipe', () => {
  const origin = { software: ownSoftware.pixai, usesSeed: true, usesScale: true } as const;

  test('is what the engine has made, whole and in ranges, by the link and by the download', async () => {
    const { server, link, stored } = await makeOnServer(origin);
    const download = `/backend/pixai/api/v1/midjourney/download?recipe=none&url=${encodeURIComponent(link)}`;

    const whole = await server.app.request(`${link}&recipe=none`);
    const part = await server.app.request(`${link}&recipe=none`, {
      headers: { Range: 'bytes=1-3' },
    });
    const behind = await server.app.request(`${link}&recipe=none`, {
      headers: { Range: `bytes=${stored.length - 1}-` },
    });
    const downloaded = await server.app.request(download);
    const again = await server.app.request(link);

    const bare = Buffer.from(await whole.arrayBuffer());
    expect(bare).toEqual(standInPicture);
    expect([part.status, await part.text()]).toEqual([206, 'PNG']);
    expect(part.headers.get('Content-Range')).toBe(`bytes 1-3/${standInPicture.length}`);
    expect(behind.status).toBe(416);
    expect(Buffer.from(await downloaded.arrayBuffer())).toEqual(standInPicture);
    expect(whole.headers.get('ETag')).not.toBe(again.headers.get('ETag'));
    // What is stored has not changed.
    expect(Buffer.from(await again.arrayBuffer())).toEqual(stored);
  });

  test('needs the same signature', async () => {
    const { server, link } = await makeOnServer(origin);

    const reply = await server.app.request(
      `${link.replace(/signature=.{5}/, 'signature=abcde')}&recipe=none`,
    );

    expect(reply.status).toBe(403);
  });
});

test('each of four pictures has its own seed', async () => {
  const file = Buffer.from(await (await makePng()).arrayBuffer());
  const hand = createHandEngine(
    { pictures: 2 },
    { software: ownSoftware.sketch, usesSeed: true, usesScale: false },
  );
  const engine = {
    ...hand.engine,
    make: () => Promise.resolve({ files: [file, file], seed: '7', seeds: ['7', '8'] }),
  };
  const server = await createTestServer({ engines: { midjourney: engine } });

  const { body: made } = await server.call(generateMidjourney, { prompt: 'a fox' });
  const { s3_urls: links } = v.parse(v.looseObject({ s3_urls: v.array(v.string()) }), made);
  const seeds = await Promise.all(
    links.map(async (link) => {
      const reply = await server.app.request(link);
      return readRecipe(new Uint8Array(await reply.arrayBuffer()))?.seed;
    }),
  );

  expect(seeds).toEqual(['7', '8']);
});

test('the text of a recipe is what A1111 shows', () => {
  expect(formatParameters({ ...recipe, prompt: 'a fox', negativePrompt: '' })).toBe(
    'a fox\nSteps: 25, CFG scale: 6, Seed: 9223372036854775807, Size: 24x16, Model: 1983308862240288769, LoRAs: "{\\"77\\":0.7}", Provider: pixai, Version: Nori',
  );
});
