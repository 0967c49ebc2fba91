/** Imagine Art: pictures in six styles, for visitors and users, and all failures of the service. */
import sharp from 'sharp';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { readImageAbilities } from '#contract/endpoints/image-abilities';
import { readJob } from '#contract/endpoints/images';
import { listImagineHistory, saveImagine } from '#contract/endpoints/imagine';
import { imagineRatios, imagineStyles } from '#contract/images/imagine-styles';
import { ratios } from '#contract/images/ratios';
import { connectImagine } from '#server/upstream/images/imagine';
import { renderSketch } from '#server/upstream/images/sketch/index';
import { imaginePicture } from '#tests/hub-services';
import { startImagine } from '#tests/image-engines';
import { readOrigin, toKey, withoutRecipe } from '#tests/pictures';
import { timeoutFor } from '#tests/stand-in';
import { createTestServer, type Reply } from '#tests/test-server';

const ann = 111_222_333;
const input = {
  prompt: 'a secret garden at dusk',
  style: 'anime',
  aspect_ratio: '3:2',
  seed: 4711,
  job_key: toKey('garden'),
} as const;

const readMade = ({ body }: Reply) =>
  v.parse(v.looseObject({ id: v.string(), image_url: v.string(), seed: v.number() }), body);

async function fileAt(server: Awaited<ReturnType<typeof createTestServer>>, url: string) {
  const response = await server.app.request(url);
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** A server whose Imagine Art is the stand-in. */
async function startWithImagine(timeoutMs = 20_000) {
  const imagine = await startImagine();
  const engine = connectImagine({
    apiKey: imagine.apiKey,
    apiRoot: `${imagine.url}/v2`,
    timeoutMs,
  });
  const server = await createTestServer({ engines: { 'imagine-art': engine } });
  return { server, imagine };
}

describe('without a key', () => {
  test('a visitor gets a sketch, labelled as such, by a link that needs no header', async () => {
    const server = await createTestServer({ paint: renderSketch });

    const reply = await server.call(saveImagine, input);
    const made = readMade(reply);
    const file = await fileAt(server, made.image_url);
    const { width, height } = await sharp(file.bytes).metadata();

    expect(reply).toMatchObject({
      status: 200,
      body: {
        prompt: input.prompt,
        model_id: 'anime',
        model_name: 'anime',
        style: 'anime',
        seed: 4711,
        ratio: '3:2',
        nsfw: false,
        created_at: '2026-11-21T12:00:00.000Z',
        tags: ['imagine'],
        engine: 'sketch',
        is_saved: false,
      },
    });
    expect([width, height]).toEqual([1248, 832]);
    const { software, recipe } = await readOrigin(file.bytes);
    expect(software).toContain('made without AI');
    expect(recipe).toContain('Style: anime');
  });

  test('a picture of a visitor is available for an hour, and is in no history', async () => {
    const server = await createTestServer();
    const token = await server.signUp(ann);
    const { image_url } = readMade(await server.call(saveImagine, input));
    server.wait(59 * 60_000);

    const file = await fileAt(server, image_url);
    const download = await server.app.request(`${image_url}&download=1`);
    const history = await server.call(listImagineHistory, { user_id: String(ann) }, { token });

    expect(file.status).toBe(200);
    expect(download.headers.get('Content-Disposition')).toMatch(/^attachment; filename="nori-/);
    expect(history.body).toEqual({ history: [] });
  });

  test.each(ratios)('makes pictures in $name', async ({ name, width, height }) => {
    const server = await createTestServer();

    const { image_url } = readMade(
      await server.call(saveImagine, { ...input, aspect_ratio: name, style: 'realistic' }),
    );
    const metadata = await sharp((await fileAt(server, image_url)).bytes).metadata();

    expect([metadata.width, metadata.height]).toEqual([width, height]);
  });

  test('the six styles look different, with the same scene and seed', async () => {
    const looks = await Promise.all(
      imagineStyles.map(async (style) => {
        const drawn = await renderSketch({
          prompt: input.prompt,
          seed: String(input.seed),
          style,
          width: 320,
          height: 320,
        });
        return sharp(drawn).resize(64, 64, { fit: 'fill' }).removeAlpha().raw().toBuffer();
      }),
    );

    for (const [index, one] of looks.entries()) {
      for (const other of looks.slice(index + 1)) {
        expect(meanDifference(one, other)).toBeGreaterThan(6);
      }
    }
  });

  test('the answer has a seed that the form accepts, also for no seed or one that is too large', async () => {
    const server = await createTestServer();

    const none = readMade(await server.call(saveImagine, { ...input, seed: undefined }));
    const large = readMade(
      await server.call(saveImagine, { ...input, seed: '12345678901', job_key: toKey('large') }),
    );

    expect(none.seed).toBeLessThanOrEqual(999_999);
    expect(large.seed).toBe(12_345_678_901 % 1_000_000);
  });
});

describe('a missing value', () => {
  test.each([
    ['a prompt', { prompt: '' }],
    ['a style', { style: '' }],
    ['a ratio', { aspect_ratio: '' }],
  ])('%s is named in the words of the form', async (_case, missing) => {
    const server = await createTestServer();

    const reply = await server.request('/backend/pixai/api/v1/api/imagine-art/save', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...input, ...missing }),
    });

    expect(reply).toMatchObject({
      status: 422,
      body: { detail: 'Please fill in prompt, style, and ratio.' },
    });
  });

  test('a prompt of more than 4000 characters is too long', async () => {
    const server = await createTestServer();

    expect(await server.call(saveImagine, { ...input, prompt: 'a'.repeat(4001) })).toMatchObject({
      status: 422,
      body: { detail: 'A prompt has at most 4000 characters' },
    });
  });
});

describe('with a key', () => {
  test('the service makes the picture, with all fields of the request', async () => {
    const { server, imagine } = await startWithImagine();

    const reply = await server.call(saveImagine, input);
    const { bytes } = await fileAt(server, readMade(reply).image_url);

    expect(reply.body).toMatchObject({ engine: 'imagine', seed: 4711 });
    expect(withoutRecipe(bytes)).toEqual(imaginePicture);
    expect(imagine.calls.map(({ body }) => body)).toEqual([
      { prompt: input.prompt, style: 'anime', aspect_ratio: '3:2', seed: '4711' },
    ]);
    expect(imagine.calls[0]?.headers['content-type']).toContain('multipart/form-data');
  });

  test('the environment connects the service', async () => {
    const imagine = await startImagine();
    const server = await createTestServer({ variables: imagine.variables });

    expect((await server.call(saveImagine, input)).body).toMatchObject({ engine: 'imagine' });
  });

  test('only its six ratios are possible: the abilities list them, and others are refused', async () => {
    const { server, imagine } = await startWithImagine();
    const reason = 'Imagine Art makes pictures in 1:1, 3:2, 4:3, 3:4, 16:9, and 9:16 only.';

    const abilities = await server.call(readImageAbilities, {});
    const refused = await server.call(saveImagine, { ...input, aspect_ratio: '21:9' });

    expect(abilities.body).toMatchObject({
      providers: {
        pixai: {
          engine: 'sketch',
          pictures: 1,
          max_prompt_length: 4000,
          max_model_id_length: 100,
          max_loras: 15,
          lora_weight: { min: 0, max: 2 },
        },
        'imagine-art': {
          engine: 'imagine',
          ratios: [...imagineRatios],
          ratios_reason: reason,
          max_prompt_length: 4000,
          seed: { min: '0', max: '999999' },
        },
        midjourney: { engine: 'sketch', pictures: 4 },
      },
    });
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'ratio_impossible', detail: reason },
    });
    expect(imagine.calls).toEqual([]);
  });

  test('an impossible ratio does not count against the limit', async () => {
    const { server } = await startWithImagine();
    const token = await server.signUp(ann);

    await server.call(saveImagine, { ...input, aspect_ratio: '21:9' }, { token });
    const bucket = await server.db
      .selectFrom('rate_buckets')
      .select('hits')
      .where('key', 'like', 'generations:%')
      .executeTakeFirst();

    expect(bucket).toBeUndefined();
  });
});

describe('a failure of the service is reported and never retried', () => {
  const error = (code: number, group: string, message = 'about your secret garden') => ({
    status: code,
    body: { status: 'error', code, error: group, message },
  });

  test.each([
    ['the key is refused', error(401, 'authorization'), 502, 'image_service_key'],
    ['the key may not', error(403, 'authorization'), 502, 'image_service_key'],
    ['the prompt is refused', error(400, 'validation'), 422, 'generation_refused'],
    ['it is out of credit', error(402, 'service'), 402, 'out_of_credit'],
    [
      'it says that credits are missing',
      error(400, 'service', 'You have no credits left'),
      402,
      'out_of_credit',
    ],
    ['it is asked too often', error(429, 'service'), 503, 'image_service_busy'],
    ['it is broken', error(500, 'general'), 503, 'image_service_unavailable'],
    ['there is another server', error(404, 'general'), 503, 'image_service_unavailable'],
    [
      'it leads elsewhere',
      { status: 302, headers: { Location: 'http://127.0.0.1:1/' } },
      503,
      'image_service_unavailable',
    ],
    ['the connection breaks', 'reset', 503, 'image_service_unavailable'],
    ['it never answers', 'hang', 504, 'generation_slow'],
    ['it answers a page', 'page', 502, 'picture_broken'],
    [
      'it answers an error as if it were none',
      { body: { status: 'error' } },
      502,
      'picture_broken',
    ],
    [
      'the picture breaks off',
      { headers: { 'Content-Type': 'image/png' }, body: Buffer.from('\u{89}PN') },
      502,
      'picture_broken',
    ],
  ] as const)('when %s', async (...[, failure, status, code]) => {
    const { server, imagine } = await startWithImagine(timeoutFor(failure));
    imagine.fail('POST /v2/image/generations', failure);

    const reply = await server.call(saveImagine, input);
    const again = await server.call(saveImagine, input);
    const job = await server.call(readJob, { job_key: input.job_key });

    expect(reply).toMatchObject({ status, body: { code } });
    expect(again).toMatchObject({ status, body: { code } });
    expect(job.body).toMatchObject({ state: 'failed' });
    expect(imagine.calls).toHaveLength(1);
    expect(server.logLines.join('') + JSON.stringify(reply.body)).not.toMatch(/garden|vk-stand-in/);
  });
});

function meanDifference(one: Buffer, other: Buffer): number {
  const total = one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0);
  return total / one.length;
}
