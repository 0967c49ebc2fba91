/** PixAI as the engine: requests, polling, and cancelling. */
import { setImmediate as breathe } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { readImageAbilities } from '#contract/endpoints/image-abilities';
import { cancelJob, generate, generateWithLoras } from '#contract/endpoints/images';
import { readCapabilities } from '#contract/endpoints/site';
import { connectPixai } from '#server/upstream/images/pixai';
import { startWithPixai } from '#tests/image-engines';
import { standInPicture, startPixai, getPending, requestedSize } from '#tests/image-services';
import { readHistory, withoutRecipe } from '#tests/pictures';
import { createTestServer } from '#tests/test-server';

const input = getPending();
const { job_key } = input;

describe('a picture', () => {
  test('is submitted once and polled, and its bytes are copied at once', async () => {
    const { server, pixai, waits, job } = await startWithPixai();

    const reply = await server.app.request('/backend/pixai/api/v1/generate', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...input, scale: 6, is_direct_image: true, nsfw: false }),
    });

    expect(reply.status).toBe(200);
    expect(withoutRecipe(await reply.arrayBuffer())).toEqual(standInPicture);
    expect(reply.headers.get('Content-Type')).toBe('image/png');
    expect(reply.headers.get('X-Nori-Engine')).toBe('pixai');
    expect(reply.headers.get('X-Nori-Seed')).toBe('1234567890');
    expect(pixai.callsTo('POST /v1/task').map(({ body }) => body)).toEqual([
      {
        parameters: {
          prompts: 'a secret garden at dusk',
          negativePrompts: 'blurry',
          modelId: 'dreamy',
          ...requestedSize,
          batchSize: 1,
          samplingSteps: 25,
          cfgScale: 6,
          seed: '1234567890',
        },
      },
    ]);
    expect(Math.min(...waits)).toBe(1500);
    expect(waits).toEqual(waits.toSorted((one, other) => one - other));
    expect(await job()).toMatchObject({ state: 'done', engine: 'pixai', seed: '1234567890' });
  });

  test('has the weights of its LoRAs, and a seed of the server when the user gave none', async () => {
    const { server, pixai } = await startWithPixai();

    const made = await server.call(generateWithLoras, {
      ...input,
      seed: '',
      loras: { '1861558740588989558': 0.7, '17': 1 },
    });

    const seed = made.headers.get('X-Nori-Seed') ?? '';
    expect(Number(seed)).toBeGreaterThanOrEqual(1_000_000_000);
    expect(Number(seed)).toBeLessThan(2 ** 32);
    expect(pixai.callsTo('POST /v1/task')[0]?.body).toMatchObject({
      parameters: { seed, lora: { '1861558740588989558': 0.7, '17': 1 } },
    });
  });

  test('has LoRAs of 100 % at most: the abilities say so, larger weights are reduced, and the history shows what was used', async () => {
    const { server, pixai } = await startWithPixai();
    const token = await server.signUp(1);

    const abilities = await server.call(readImageAbilities, {});
    const loras = { '1861558740588989558': 0.7, '17': 2 };
    const made = await server.call(generateWithLoras, { ...input, loras }, { token });
    const again = await server.call(generateWithLoras, { ...input, loras }, { token });

    const used = { '1861558740588989558': 0.7, '17': 1 };
    expect(abilities.body).toMatchObject({
      providers: { pixai: { engine: 'pixai', lora_weight: { min: 0, max: 1 } } },
    });
    expect([made.status, again.status]).toEqual([200, 200]);
    expect(pixai.callsTo('POST /v1/task').map(({ body }) => body)).toMatchObject([
      { parameters: { lora: used } },
    ]);
    expect(await readHistory(server, token)).toMatchObject([{ loras: used }]);
  });

  test('has the steps that were chosen, within the range of the engine, and no sampler', async () => {
    const { server, pixai } = await startWithPixai();

    await server.call(generate, { ...input, steps: 12 });
    await server.call(generate, { ...getPending(1), steps: 150, sampler: 'Euler a' });

    const { body } = await server.call(readImageAbilities, {});
    expect(body).toMatchObject({
      providers: { pixai: { steps: { min: 10, max: 30, default: 25 } } },
    });
    expect(JSON.stringify(body)).not.toContain('samplers');
    const sent = pixai.callsTo('POST /v1/task').map((call) => call.body);
    expect(sent).toMatchObject([
      { parameters: { samplingSteps: 12 } },
      { parameters: { samplingSteps: 30 } },
    ]);
    expect(JSON.stringify(sent)).not.toContain('Euler');
  });

  test('succeeds although a few polls in a row fail', async () => {
    const { server, pixai, waits } = await startWithPixai();
    pixai.fail('GET /v1/task/*', { status: 503, body: {} });
    pixai.fail('GET /v1/task/*', 'reset');
    pixai.fail('GET /v1/task/*', 'page');
    pixai.fail('GET /v1/task/*', { status: 429, body: {} });
    pixai.fail('GET /files/*', { status: 500, body: {} });

    const made = await server.call(generate, input);

    expect(made.status).toBe(200);
    expect(pixai.callsTo('POST /v1/task')).toHaveLength(1);
    expect(waits.slice(0, 5)).toEqual([1500, 1500, 3000, 6000, 12_000]);
  });

  test('has its engine in the capabilities', async () => {
    const { server } = await startWithPixai();

    expect((await server.call(readCapabilities, {})).body).toMatchObject({ image_engine: 'pixai' });
  });
});

describe('cancelling', () => {
  test('calls the service, ends the job, and answers the waiting request', async () => {
    const { server, pixai, job } = await startWithPixai();
    pixai.hold();
    const waiting = server.call(generate, input);
    await expect.poll(() => pixai.callsTo('GET /v1/task/*').length).toBeGreaterThan(0);

    const cancelled = await server.call(cancelJob, { job_key });

    expect(cancelled.status).toBe(204);
    expect(await waiting).toMatchObject({ status: 409, body: { code: 'generation_cancelled' } });
    expect(await job()).toMatchObject({ state: 'cancelled' });
    expect(pixai.getStatus('1000')).toBe('cancelled');
    expect(pixai.callsTo('POST /graphql')[0]?.headers.authorization).toBe('Bearer sk-stand-in');
  });

  test('ends the job also when the service refuses', async () => {
    const { server, pixai, job } = await startWithPixai();
    pixai.hold();
    pixai.fail('POST /graphql', { status: 500, body: {} });
    const waiting = server.call(generate, input);
    await expect.poll(() => pixai.callsTo('GET /v1/task/*').length).toBeGreaterThan(0);

    await server.call(cancelJob, { job_key });

    expect((await waiting).status).toBe(409);
    expect(await job()).toMatchObject({ state: 'cancelled' });
  });

  test('a finished job changes nothing', async () => {
    const { server, job } = await startWithPixai();
    await server.call(generate, input);

    expect((await server.call(cancelJob, { job_key })).status).toBe(204);

    expect(await job()).toMatchObject({ state: 'done' });
  });
});

test('a picture that takes too long is cancelled here and at the service', async () => {
  const pixai = await startPixai();
  pixai.hold();
  const engine = connectPixai({
    apiKey: pixai.apiKey,
    apiRoot: pixai.url,
    deadlineMs: 300,
    sleep: () => breathe(),
  });
  const server = await createTestServer({ engines: { pixai: engine } });

  const reply = await server.call(generate, input);

  expect(reply).toMatchObject({ status: 504, body: { code: 'generation_slow' } });
  await expect.poll(() => pixai.getStatus('1000')).toBe('cancelled');
});
