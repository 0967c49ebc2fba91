/** Jobs: one picture for each key, also after repeated requests and lost connections. */
import { describe, expect, test } from 'vitest';

import { cancelJob, generate, generateWithLoras, readJob } from '#contract/endpoints/images';
import { AppError } from '#server/lib/errors';
import { sweep } from '#server/services/maintenance';
import { createHandEngine, startByHand } from '#tests/image-engines';
import { getPending } from '#tests/image-services';
import { createMemoryStore, createTestServer } from '#tests/test-server';

const input = getPending();
const { job_key } = input;
const hour = 60 * 60 * 1000;

describe('a key', () => {
  test('makes one picture, however often it is sent', async () => {
    const { server, hand } = await startByHand();
    const calls = [1, 2, 3].map(() => server.call(generate, input));
    await expect.poll(hand.asked).toBe(1);

    hand.finish();
    const replies = await Promise.all(calls);
    const later = await server.call(generate, input);

    expect([...replies, later].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(hand.asked()).toBe(1);
  });

  test('counts once against the hour’s limit', async () => {
    const { server, hand } = await startByHand();
    const token = await server.signUp(1);
    const calls = [1, 2, 3].map(() => server.call(generate, input, { token }));
    await expect.poll(hand.asked).toBe(1);
    hand.finish();
    await Promise.all(calls);

    const bucket = await server.db
      .selectFrom('rate_buckets')
      .select('hits')
      .where('key', 'like', 'generations:%')
      .executeTakeFirst();

    expect(bucket?.hits).toBe(1);
  });

  test('belongs to one recipe, with the LoRAs in any order', async () => {
    const { server, hand } = await startByHand();
    const first = server.call(generateWithLoras, { ...input, loras: { a: 1, b: 0.5 } });
    await expect.poll(hand.asked).toBe(1);
    hand.finish();
    await first;

    const same = await server.call(generateWithLoras, { ...input, loras: { b: 0.5, a: 1 } });
    const other = await server.call(generateWithLoras, { ...input, loras: { a: 1, b: 0.6 } });
    const another = await server.call(generate, { ...input, prompt: 'something else' });

    expect(same.status).toBe(200);
    expect(other).toMatchObject({ status: 409, body: { code: 'job_key_used' } });
    expect(another).toMatchObject({ status: 409, body: { code: 'job_key_used' } });
  });

  test('of a user is unknown to all others', async () => {
    const { server, hand, readState } = await startByHand();
    const ada = await server.signUp(1);
    const bob = await server.signUp(2);
    const hers = server.call(generate, input, { token: ada });
    await expect.poll(hand.asked).toBe(1);

    for (const token of [bob, undefined]) {
      expect((await server.call(readJob, { job_key }, { token })).status).toBe(404);
      expect((await server.call(generate, input, { token })).status).toBe(404);
      expect((await server.call(cancelJob, { job_key }, { token })).status).toBe(404);
    }
    hand.finish();

    expect((await hers).status).toBe(200);
    expect(await readState(job_key, ada)).toMatchObject({ state: 'done' });
  });

  test('of a visitor still works after they have logged in', async () => {
    const { server, hand, readState } = await startByHand();
    const call = server.call(generate, input);
    await expect.poll(hand.asked).toBe(1);
    hand.finish();
    await call;

    expect(await readState(job_key, await server.signUp(1))).toMatchObject({ state: 'done' });
  });

  test('of no request is unknown', async () => {
    const { server } = await startByHand();

    expect(await server.call(readJob, { job_key })).toMatchObject({
      status: 404,
      body: { code: 'job_not_found' },
    });
    expect((await server.call(cancelJob, { job_key })).status).toBe(404);
  });

  test('is not needed: each request without one makes a new picture', async () => {
    const { server, hand } = await startByHand();
    const { job_key: _key, ...keyless } = input;
    const calls = [server.call(generate, keyless), server.call(generate, keyless)];
    await expect.poll(hand.asked).toBe(2);
    hand.finish();
    hand.finish();

    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('a picture', () => {
  test('is made although the client has disconnected', async () => {
    const { server, hand, readState } = await startByHand();
    const caller = new AbortController();
    void Promise.resolve(
      server.app.request('/backend/pixai/api/v1/generate', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(input),
        signal: caller.signal,
      }),
    ).catch(() => undefined);
    await expect.poll(hand.asked).toBe(1);

    caller.abort();
    hand.finish();

    await expect.poll(() => readState()).toMatchObject({ state: 'done' });
  });

  test('counts as use once, and a failure does not', async () => {
    const { server, hand } = await startByHand();
    const good = server.call(generate, input);
    const bad = server.call(generate, getPending(1));
    await expect.poll(hand.asked).toBe(2);
    hand.finish();
    hand.fail(new AppError('out_of_credit'));
    await Promise.all([good, bad]);

    expect(await server.services.usage.totals()).toEqual([
      { _id: 'Image generation', count: 1, today: 1 },
    ]);
  });

  test('that fails unexpectedly gets a general message, and the log has the reason', async () => {
    const { server, hand, readState } = await startByHand();
    const call = server.call(generate, input);
    await expect.poll(hand.asked).toBe(1);
    hand.fail(new Error('the paint is dry'));

    expect(await call).toMatchObject({ status: 500, body: { code: 'unexpected' } });
    expect(await readState()).toMatchObject({ state: 'failed' });
    expect(server.logLines.join('')).toContain('the paint is dry');
  });

  test('that cannot be stored is reported as a failure', async () => {
    const hand = createHandEngine();
    const objects = createMemoryStore();
    const server = await createTestServer({ engines: { pixai: hand.engine }, objects });
    objects.fill();
    const call = server.call(generate, input);
    await expect.poll(hand.asked).toBe(1);
    hand.finish();

    expect((await call).status).toBe(500);
    expect((await server.call(readJob, { job_key })).body).toMatchObject({ state: 'failed' });
  });

  test('takes no longer than its engine may', async () => {
    const { server, readState } = await startByHand({ deadlineMs: 50 });

    expect(await server.call(generate, input)).toMatchObject({ status: 504 });
    expect(await readState()).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('too long'),
    });
  });

  test('of a user is available for a day and is then swept, with its bytes', async () => {
    const hand = createHandEngine();
    const objects = createMemoryStore();
    const server = await createTestServer({ engines: { pixai: hand.engine }, objects });
    const token = await server.signUp(1);
    const call = server.call(generate, input, { token });
    await expect.poll(hand.asked).toBe(1);
    hand.finish();
    await call;

    server.wait(23 * hour);
    await sweep(server.deps);
    const kept = await server.call(readJob, { job_key }, { token });
    server.wait(hour);
    await sweep(server.deps);

    expect(kept.status).toBe(200);
    expect((await server.call(readJob, { job_key }, { token })).status).toBe(404);
    // The picture stays in the history, with its small copy.
    expect(objects.names()).toHaveLength(2);
  });
});
