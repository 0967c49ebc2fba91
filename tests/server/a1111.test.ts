/** A1111 as the engine: requests, and all failures. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { readImageAbilities } from '#contract/endpoints/image-abilities';
import { cancelJob, generate, generateWithLoras, readJob } from '#contract/endpoints/images';
import { readRecipe } from '#contract/images/recipe-file';
import { connectA1111 } from '#server/upstream/images/a1111';
import { startA1111, standInPicture, getPending, webUiSamplers } from '#tests/image-services';
import { withoutRecipe } from '#tests/pictures';
import { timeoutFor } from '#tests/stand-in';
import { createTestServer } from '#tests/test-server';

const input = getPending();
const draw = 'POST /sdapi/v1/txt2img';

async function startServer(options: { timeoutMs?: number; auth?: string } = {}) {
  const webUi = await startA1111(options);
  const engine = connectA1111({ url: webUi.url, ...options });
  return { webUi, server: await createTestServer({ engines: { pixai: engine } }) };
}

/** The recipe in the file of the job. */
async function readMade(server: Awaited<ReturnType<typeof createTestServer>>) {
  const { body } = await server.call(readJob, { job_key: input.job_key });
  const { image_url: link = '' } = v.parse(readJob.output, body);
  return readRecipe(new Uint8Array(await (await server.app.request(link)).arrayBuffer()));
}

test('the environment connects it, and the picture has size, model and LoRAs as requested', async () => {
  const webUi = await startA1111({ auth: 'ada:pass:word' });
  const server = await createTestServer({ variables: webUi.variables });

  const reply = await server.app.request('/backend/pixai/api/v1/generate-lora', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...input, model_id: 'abc123', loras: { ink_style: 0.7, glow: 1 } }),
  });

  expect(reply.status).toBe(200);
  expect(withoutRecipe(await reply.arrayBuffer())).toEqual(standInPicture);
  expect(reply.headers.get('X-Nori-Engine')).toBe('a1111');
  expect(webUi.callsTo(draw)[0]?.body).toMatchObject({
    prompt: 'a secret garden at dusk <lora:ink_style:0.7> <lora:glow:1>',
    negative_prompt: 'blurry',
    seed: 1_234_567_890,
    cfg_scale: 6,
    width: 832,
    height: 1248,
    batch_size: 1,
    override_settings: { sd_model_checkpoint: 'dreamy.safetensors [abc123]' },
  });
});

test('a PixAI key takes precedence over it', async () => {
  const server = await createTestServer({
    variables: { PIXAI_API_KEY: 'sk-x', A1111_URL: 'http://127.0.0.1:1' },
  });

  expect(server.services.engines.pixai.name).toBe('pixai');
});

describe('steps and sampler', () => {
  test('are offered, used, kept with the job and written into the file', async () => {
    const { server, webUi } = await startServer();
    const abilities = await server.call(readImageAbilities, {});

    const chosen = { ...input, steps: 40, sampler: 'Euler a' };
    const made = await server.call(generate, chosen);
    const again = await server.call(generate, chosen);
    const other = await server.call(generate, { ...chosen, steps: 41 });

    expect(abilities.body).toMatchObject({
      providers: {
        pixai: { steps: { min: 1, max: 150, default: 25 }, samplers: [...webUiSamplers] },
      },
    });
    expect([made.status, again.status]).toEqual([200, 200]);
    expect(webUi.callsTo(draw).map(({ body }) => body)).toMatchObject([
      { steps: 40, sampler_name: 'Euler a' },
    ]);
    expect(await readMade(server)).toMatchObject({ steps: 40, sampler: 'Euler a' });
    expect(other).toMatchObject({ status: 409, body: { code: 'job_key_used' } });
    expect(webUi.callsTo('GET /sdapi/v1/samplers')).toHaveLength(1);
  });

  test('that nobody chose are those of the web UI, and the file names them', async () => {
    const { server, webUi } = await startServer();

    await server.call(generate, input);

    expect(webUi.callsTo(draw)[0]?.body).toMatchObject({ steps: 25 });
    expect(webUi.callsTo(draw)[0]?.body).not.toHaveProperty('sampler_name');
    expect(await readMade(server)).toMatchObject({ steps: 25, sampler: 'Euler' });
  });

  test('an unknown sampler is refused with those that exist, and steps are whole numbers', async () => {
    const { server, webUi } = await startServer();

    const unknown = await server.call(generate, { ...input, sampler: 'Magic' });
    const half = await server.call(generate, { ...input, steps: 2.5 });

    expect(unknown).toMatchObject({
      status: 422,
      body: {
        code: 'invalid_input',
        detail: 'This server does not have that sampler. It has: DPM++ 2M, Euler a, Euler, DDIM.',
      },
    });
    expect(half).toMatchObject({
      status: 422,
      body: { detail: 'Steps are a whole number from 1 to 150' },
    });
    expect(webUi.callsTo(draw)).toHaveLength(0);
  });

  test('a web UI that does not tell its samplers offers none, and refuses an unknown one itself', async () => {
    const { server, webUi } = await startServer();
    webUi.fail('GET /sdapi/v1/samplers', { status: 500, body: {} });
    const abilities = await server.call(readImageAbilities, {});

    const unknown = await server.call(generate, { ...input, sampler: 'Magic' });

    expect(JSON.stringify(abilities.body)).not.toContain('samplers');
    expect(unknown).toMatchObject({
      status: 422,
      body: { detail: 'This server does not have that sampler.' },
    });
  });
});

test('a seed beyond its range is folded into the range, and the answer has the seed that was used', async () => {
  const { server, webUi } = await startServer();
  const folded = 9_999_999_999 % 2 ** 32;

  const made = await server.call(generate, { ...input, seed: '9999999999' });

  expect(webUi.callsTo(draw)[0]?.body).toMatchObject({ seed: folded });
  expect(made.headers.get('X-Nori-Seed')).toBe(String(folded));
});

test('the answer has the seed that A1111 reports', async () => {
  const { server, webUi } = await startServer();
  const images = [`data:image/png;base64,${standInPicture.toString('base64')}`];
  webUi.fail(draw, { body: { images, info: JSON.stringify({ seed: 42 }) } });
  webUi.fail(draw, { body: { images, info: 'nothing to read' } });

  const first = await server.call(generate, input);
  const second = await server.call(generate, getPending(1));

  expect(first.headers.get('X-Nori-Seed')).toBe('42');
  expect(second.headers.get('X-Nori-Seed')).toBe('1234567890');
});

test('an unknown model is refused with the list of its models', async () => {
  const { server, webUi } = await startServer();

  const reply = await server.call(generate, { ...input, model_id: 'unheard-of' });

  expect(reply).toMatchObject({
    status: 422,
    body: {
      code: 'invalid_model',
      detail: expect.stringMatching(
        /^This server does not have that model\. It has: dreamy, inky, /,
      ),
    },
  });
  expect(webUi.callsTo(draw)).toHaveLength(0);
});

describe('failures are reported', () => {
  const images = (text: string) => ({ body: { images: [text], info: '{}' } });

  test.each([
    [
      'it is off',
      { call: draw, failure: 'reset' },
      { status: 503, code: 'image_service_unavailable' },
    ],
    ['it is slow', { call: draw, failure: 'hang' }, { status: 504, code: 'generation_slow' }],
    [
      'it is behind a broken proxy',
      { call: draw, failure: 'page' },
      { status: 502, code: 'picture_broken' },
    ],
    [
      'its card has no memory left',
      { call: draw, failure: { status: 500, body: { error: 'OutOfMemoryError' } } },
      { status: 503, code: 'image_service_unavailable' },
    ],
    [
      'it refuses',
      { call: draw, failure: { status: 422, body: { detail: 'Sampler not found' } } },
      { status: 422, code: 'generation_refused' },
    ],
    [
      'it makes none',
      { call: draw, failure: { body: { images: [], info: '{}' } } },
      { status: 502, code: 'picture_broken' },
    ],
    [
      'it sends what is no picture',
      { call: draw, failure: images('aGVsbG8=') },
      { status: 502, code: 'picture_broken' },
    ],
    [
      'it is another program',
      { call: 'GET /sdapi/v1/sd-models', failure: { status: 404, body: {} } },
      { status: 503, code: 'image_service_unavailable' },
    ],
    [
      'its models are unreadable',
      { call: 'GET /sdapi/v1/sd-models', failure: { body: { models: 1 } } },
      { status: 502, code: 'picture_broken' },
    ],
    [
      'its password is another',
      { call: 'GET /sdapi/v1/sd-models', failure: { status: 401, body: {} } },
      { status: 502, code: 'image_service_key' },
    ],
  ] as const)('when %s', async (_case, { call, failure }, { status, code }) => {
    const { server, webUi } = await startServer({ timeoutMs: timeoutFor(failure, 400) });
    webUi.fail(call, failure);

    const reply = await server.call(generate, input);

    expect(reply).toMatchObject({ status, body: { code } });
    expect(server.logLines.join('')).not.toMatch(/garden|ada:/);
  });
});

test('cancelling interrupts it while it works on the task', async () => {
  const { server, webUi } = await startServer();
  webUi.fail(draw, 'hang');
  const waiting = server.call(generateWithLoras, { ...input, loras: {} });
  await expect.poll(() => webUi.callsTo(draw).length).toBe(1);
  webUi.begin(webUi.getLastTask());

  await server.call(cancelJob, { job_key: input.job_key });

  expect(await waiting).toMatchObject({ status: 409 });
  expect(webUi.isInterrupted()).toBe(true);
  expect((await server.call(readJob, { job_key: input.job_key })).body).toMatchObject({
    state: 'cancelled',
  });
});

test('cancelling a task that waits in the web UI does not end the picture of another user', async () => {
  const { server, webUi } = await startServer();
  webUi.begin('the task of another program');
  webUi.fail(draw, 'hang');
  const waiting = server.call(generate, input);
  await expect.poll(() => webUi.callsTo(draw).length).toBe(1);

  await server.call(cancelJob, { job_key: input.job_key });

  expect(await waiting).toMatchObject({ status: 409, body: { code: 'generation_cancelled' } });
  expect(webUi.callsTo('POST /internal/progress')).toHaveLength(1);
  expect(webUi.isInterrupted()).toBe(false);
});

test('a web UI that cannot tell what it works on is not interrupted', async () => {
  const { server, webUi } = await startServer();
  webUi.fail(draw, 'hang');
  webUi.fail('POST /internal/progress', { status: 404, body: { detail: 'Not Found' } });
  const waiting = server.call(generate, input);
  await expect.poll(() => webUi.callsTo(draw).length).toBe(1);
  webUi.begin(webUi.getLastTask());

  await server.call(cancelJob, { job_key: input.job_key });

  expect((await waiting).status).toBe(409);
  expect(webUi.isInterrupted()).toBe(false);
});

test('half a picture, of work that was interrupted in the web UI, is not taken for a picture', async () => {
  const { server, webUi } = await startServer();
  webUi.interrupt();

  const interrupted = await server.call(generate, input);
  webUi.begin('the next task');
  const whole = await server.call(generate, getPending(1));

  expect(interrupted).toMatchObject({ status: 409, body: { code: 'generation_cancelled' } });
  expect(whole.status).toBe(200);
});

test('it receives one request at a time', async () => {
  const { server, webUi } = await startServer();
  webUi.fail(draw, 'hang');
  const first = server.call(generate, input);
  await expect.poll(() => webUi.callsTo(draw).length).toBe(1);

  const second = server.call(generate, getPending(1));
  await expect
    .poll(async () => (await server.call(readJob, { job_key: getPending(1).job_key })).body)
    .toMatchObject({ state: 'queued' });
  const askedMeanwhile = webUi.callsTo(draw).length;
  await server.call(cancelJob, { job_key: input.job_key });

  expect(askedMeanwhile).toBe(1);
  expect((await first).status).toBe(409);
  expect((await second).status).toBe(200);
});
