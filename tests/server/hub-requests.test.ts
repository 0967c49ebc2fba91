/** Requests to Imagine Art and MidJourney: one result for each key, and limits. */
import { describe, expect, test } from 'vitest';

import { saveImagine } from '#contract/endpoints/imagine';
import { generateMidjourney } from '#contract/endpoints/midjourney';
import { limits } from '#server/lib/limits';
import { sweep } from '#server/services/maintenance';
import { createHandEngine } from '#tests/image-engines';
import {
  ann,
  createQuickEngine,
  garden,
  gardens,
  readMade,
  shrine,
  shrines,
  startWithMakers,
  toKey,
} from '#tests/pictures';
import { createTestServer } from '#tests/test-server';

const hour = 60 * 60_000;

describe('repeating a request with the same key', () => {
  test('returns the same pictures, and makes and saves no others', async () => {
    const { server, tokens, imagine, midjourney } = await startWithMakers();
    const { ann: token } = tokens;

    const replies = await Promise.all(
      [1, 2, 3].map(() => server.call(generateMidjourney, garden, { token })),
    );
    const saved = [
      await server.call(saveImagine, shrine, { token }),
      await server.call(saveImagine, shrine, { token }),
    ];

    expect(new Set(replies.map((reply) => readMade(reply).id)).size).toBe(1);
    expect(new Set(saved.map((reply) => readMade(reply).id)).size).toBe(1);
    expect(await gardens(server, token)).toHaveLength(1);
    expect(await shrines(server, token)).toHaveLength(1);
    expect([imagine.asked(), midjourney.asked()]).toEqual([1, 1]);
  });

  test('finds them also after the job was deleted', async () => {
    const { server, tokens, imagine } = await startWithMakers();
    const { ann: token } = tokens;
    const first = await server.call(saveImagine, shrine, { token });
    server.wait(60 * hour);
    await sweep(server.deps);

    const again = await server.call(saveImagine, shrine, { token });

    expect(readMade(again).id).toBe(readMade(first).id);
    expect(imagine.asked()).toBe(1);
  });

  test('is refused for another request', async () => {
    const { server, tokens } = await startWithMakers();
    const { ann: token } = tokens;
    await server.call(saveImagine, shrine, { token });

    const replies = [
      await server.call(saveImagine, { ...shrine, style: 'anime' }, { token }),
      await server.call(saveImagine, { ...shrine, prompt: 'another' }, { token }),
      await server.call(
        generateMidjourney,
        { prompt: shrine.prompt, job_key: shrine.job_key },
        { token },
      ),
    ];

    expect(replies.map(({ status }) => status)).toEqual([409, 409, 409]);
  });

  test('is unknown to other users', async () => {
    const { server, tokens } = await startWithMakers();
    await server.call(saveImagine, shrine, { token: tokens.ann });

    for (const token of [tokens.bob, undefined]) {
      expect(await server.call(saveImagine, shrine, { token })).toMatchObject({
        status: 404,
        body: { code: 'job_not_found' },
      });
    }
  });
});

describe('limits', () => {
  test('of an hour apply to all providers together, and the answer says when to retry', async () => {
    const { server, tokens } = await startWithMakers();
    for (let count = 0; count < limits.generations.max - 1; count += 1) {
      await server.services.limiter.take(limits.generations, ann);
    }

    const last = await server.call(saveImagine, shrine, { token: tokens.ann });
    const refused = [
      await server.call(generateMidjourney, garden, { token: tokens.ann }),
      await server.call(saveImagine, { ...shrine, job_key: toKey('x') }, { token: tokens.ann }),
    ];
    const other = await server.call(generateMidjourney, garden, { token: tokens.bob });

    expect(last.status).toBe(200);
    for (const reply of refused) {
      expect(reply).toMatchObject({
        status: 429,
        body: { detail: 'You have made many pictures. Please try again in 60 minutes.' },
      });
      expect(reply.headers.get('Retry-After')).toBe('3600');
    }
    expect(other.status).toBe(200);
  });

  test('of an address apply to its visitors together', async () => {
    const { engine } = createQuickEngine('midjourney', 4);
    const server = await createTestServer({
      engines: { midjourney: engine },
      variables: { ADDRESS_LIMIT_FACTOR: '0.002' },
    });
    const replies = [
      await server.call(generateMidjourney, { prompt: 'one' }),
      await server.call(generateMidjourney, { prompt: 'two' }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([200, 429]);
  });

  test('of jobs at a time apply to these providers, too', async () => {
    const hand = createHandEngine();
    const server = await createTestServer({ engines: { midjourney: hand.engine } });
    const token = await server.signUp(ann);
    const calls = Array.from({ length: 17 }, (_none, index) =>
      server.call(generateMidjourney, { prompt: `prompt ${index}` }, { token }),
    );
    const refused = await Promise.race(calls);
    for (let count = 0; count < 16; count += 1) {
      await expect.poll(hand.asked).toBeGreaterThan(count);
      expect(hand.asked()).toBeLessThanOrEqual(count + 4);
      hand.finish();
    }
    const statuses = (await Promise.all(calls)).map(({ status }) => status);

    expect(refused).toMatchObject({
      status: 429,
      body: { detail: 'You have many pictures under way. Please wait until some are ready.' },
    });
    expect(statuses.filter((status) => status === 200)).toHaveLength(16);
  });
});

test('a server that stops leaves new jobs for the next one to make', async () => {
  const hand = createHandEngine();
  const server = await createTestServer({ engines: { midjourney: hand.engine } });
  const calls = Array.from({ length: 17 }, (_none, index) =>
    server.call(generateMidjourney, { prompt: `prompt ${index}` }),
  );
  await Promise.race(calls);

  await server.services.generationJobs.stop();

  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 503)).toHaveLength(16);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});
