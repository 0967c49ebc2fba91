/** Making pictures with the engine that needs no key. */
import * as v from 'valibot';
import { expect, test } from 'vitest';

import { generate, readJob } from '#contract/endpoints/images';
import { createTestServer } from '#tests/test-server';

const wish = {
  prompt: 'a lake in the mountains',
  model_id: 'm1',
  ratio: '1:1',
  seed: '7',
} as const;

test('a guest asks for a picture, gets it, and can ask what became of it', async () => {
  const server = await createTestServer();
  const job_key = 'a-key-of-twenty-two-or-more';

  const made = await server.call(generate, { ...wish, job_key });

  expect(made.status).toBe(200);
  expect(made.headers.get('Content-Type')).toBe('image/png');
  expect(made.headers.get('X-Nori-Engine')).toBe('sketch');
  expect(made.headers.get('X-Nori-Seed')).toBe('7');
  const job = v.parse(readJob.output, (await server.call(readJob, { job_key })).body);
  expect(job).toMatchObject({ state: 'done', seed: '7', engine: 'sketch' });
  const linked = await server.app.request(`${job.image_url}&download=1`);
  expect(linked.headers.get('Content-Type')).toBe('image/png');
  expect(linked.headers.get('Content-Disposition')).toMatch(/^attachment; filename="nori-/);
});
