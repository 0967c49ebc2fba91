/** Making pictures with the engine that needs no key. */
import * as v from 'valibot';
import { expect, test } from 'vitest';

import { generate, generateWithLoras, readJob } from '#contract/endpoints/images';
import { readHistory, toKey } from '#tests/pictures';
import { createTestServer } from '#tests/test-server';

const request = {
  prompt: 'a lake in the mountains',
  model_id: 'm1',
  ratio: '1:1',
  seed: '7',
} as const;

test('a visitor requests a picture, gets it, and can read the state of its job', async () => {
  const server = await createTestServer();
  const job_key = 'a-key-of-twenty-two-or-more';

  const made = await server.call(generate, { ...request, job_key });

  expect(made.status).toBe(200);
  expect(made.headers.get('Content-Type')).toBe('image/webp');
  expect(made.headers.get('X-Nori-Engine')).toBe('sketch');
  expect(made.headers.get('X-Nori-Seed')).toBe('7');
  const job = v.parse(readJob.output, (await server.call(readJob, { job_key })).body);
  expect(job).toMatchObject({ state: 'done', seed: '7', engine: 'sketch' });
  const linked = await server.app.request(`${job.image_url}&download=1`);
  expect(linked.headers.get('Content-Type')).toBe('image/webp');
  expect(linked.headers.get('Content-Disposition')).toMatch(/^attachment; filename="nori-/);
});

test('a picture of a logged-in user is in their history when the answer arrives, once for repeated requests', async () => {
  const server = await createTestServer();
  const token = await server.signUp(1);
  const body = { prompt: 'a fox', model_id: '1001', ratio: '1:1', job_key: toKey('fox') } as const;

  const made = await server.call(generateWithLoras, { ...body, loras: { ink: 0.7 } }, { token });
  const again = await server.call(generateWithLoras, { ...body, loras: { ink: 0.7 } }, { token });

  const [saved, ...others] = await readHistory(server, token);
  expect(others).toEqual([]);
  expect(saved).toMatchObject({ prompt: 'a fox', modelId: '1001', loras: { ink: 0.7 } });
  expect(made.headers.get('X-Nori-Generation')).toBe(saved?.id);
  expect(made.headers.get('X-Nori-Image-Url')).toMatch(/^\/backend\/media\/[^/]+\/original\?/);
  expect(made.headers.get('X-Nori-Thumbnail-Url')).toMatch(/^\/backend\/media\/[^/]+\/thumbnail\?/);
  expect(again.headers.get('X-Nori-Generation')).toBe(saved?.id);
});

test('a picture of a visitor is in no history', async () => {
  const server = await createTestServer();

  const made = await server.call(generate, { prompt: 'a fox', model_id: '1001', ratio: '1:1' });

  expect(made.status).toBe(200);
  expect(made.headers.has('X-Nori-Generation')).toBe(false);
});
