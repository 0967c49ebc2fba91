/** Limits of generations: at once, waiting, and per hour. */
import { describe, expect, test } from 'vitest';

import { cancelJob, generate } from '#contract/endpoints/images';
import { createHandEngine, startByHand } from '#tests/image-engines';
import { getPending } from '#tests/image-services';
import { createTestServer } from '#tests/test-server';

const input = getPending();
const hour = 60 * 60 * 1000;

describe('the wait for a picture', () => {
  /** Has pictures made that take 20 seconds each by the server's clock. */
  async function startMeasured(count: number) {
    const started = await startByHand();
    const { server, hand } = started;
    const token = await server.signUp(1);
    for (let index = 0; index < count; index += 1) {
      const made = server.call(generate, getPending(50 + index), { token });
      await expect.poll(hand.asked).toBe(index + 1);
      server.wait(20_000);
      hand.finish();
      await made;
    }
    return { ...started, token };
  }

  test('is told from what the engine took for the last ones, and becomes shorter', async () => {
    const { server, hand, readState, token } = await startMeasured(3);
    const made = server.call(generate, getPending(0), { token });
    await expect.poll(hand.asked).toBe(4);

    expect(await readState(getPending(0).job_key, token)).toMatchObject({
      state: 'running',
      expected_seconds: 20,
    });
    server.wait(15_000);
    expect(await readState(getPending(0).job_key, token)).toMatchObject({ expected_seconds: 5 });
    server.wait(15_000);
    expect(await readState(getPending(0).job_key, token)).not.toHaveProperty('expected_seconds');

    hand.finish();
    await made;
    expect(await readState(getPending(0).job_key, token)).not.toHaveProperty('queue_position');
  });

  test('is not told while too few were measured', async () => {
    const { server, hand, readState, token } = await startMeasured(2);
    const made = server.call(generate, getPending(0), { token });
    await expect.poll(hand.asked).toBe(3);

    expect(await readState(getPending(0).job_key, token)).not.toHaveProperty('expected_seconds');

    hand.finish();
    await made;
  });
});

describe('slots', () => {
  test('a requester has four pictures made at a time, their others wait, and other requesters are not delayed', async () => {
    const { server, hand, readState } = await startByHand();
    const token = await server.signUp(1);
    const calls = Array.from({ length: 6 }, (_, index) =>
      server.call(generate, getPending(index), { token }),
    );
    await expect.poll(hand.asked).toBe(4);
    const guest = server.call(generate, getPending(100));
    await expect.poll(hand.asked).toBe(5);

    expect(await readState(getPending(5).job_key, token)).toEqual({
      state: 'queued',
      engine: 'sketch',
      queue_position: 2,
    });
    for (let count = 0; count < 7; count += 1) {
      await expect.poll(hand.asked).toBeGreaterThan(count);
      hand.finish();
    }

    expect((await guest).status).toBe(200);
    expect((await Promise.all(calls)).every(({ status }) => status === 200)).toBe(true);
  });

  test('twelve may wait; the next is refused until later', async () => {
    const { server, hand, readState } = await startByHand();
    const calls = Array.from({ length: 16 }, (_, index) =>
      server.call(generate, getPending(index)),
    );
    await expect.poll(hand.asked).toBe(4);
    await expect.poll(() => readState(getPending(15).job_key)).toMatchObject({ state: 'queued' });

    const refused = await server.call(generate, getPending(16));

    expect(refused).toMatchObject({
      status: 429,
      body: {
        code: 'rate_limited',
        detail: 'You have many pictures under way. Please wait until some are ready.',
      },
    });
    expect(refused.headers.get('Retry-After')).toBe('15');
    for (let count = 0; count < 16; count += 1) {
      await expect.poll(hand.asked).toBeGreaterThan(count);
      hand.finish();
    }
    expect((await Promise.all(calls)).every(({ status }) => status === 200)).toBe(true);
  });

  test('a waiting job can be cancelled, and is never made', async () => {
    const { server, hand, readState } = await startByHand({ concurrency: 1 });
    const first = server.call(generate, input);
    await expect.poll(hand.asked).toBe(1);
    const second = server.call(generate, getPending(1));
    await expect.poll(() => readState(getPending(1).job_key)).toMatchObject({ state: 'queued' });

    await server.call(cancelJob, { job_key: getPending(1).job_key });
    hand.finish();

    expect((await first).status).toBe(200);
    expect((await second).status).toBe(409);
    expect(hand.asked()).toBe(1);
  });
});

describe('limits', () => {
  test('a user has 120 an hour', async () => {
    const { server } = await startByHand({ deadlineMs: 1 });
    const token = await server.signUp(1);
    for (let count = 0; count < 120; count += 1) {
      expect((await server.call(generate, getPending(count), { token })).status).toBe(504);
    }

    const refused = await server.call(generate, getPending(120), { token });
    const known = await server.call(generate, getPending(119), { token });
    server.wait(hour);
    const later = await server.call(generate, getPending(121), { token });

    expect(refused).toMatchObject({
      status: 429,
      body: { detail: 'You have made many pictures. Please try again in 60 minutes.' },
    });
    expect(refused.headers.get('Retry-After')).toBe('3600');
    expect(known.status).toBe(504);
    expect(later.status).toBe(504);
  });

  test('visitors share the limit of their address, which the operator can change', async () => {
    const hand = createHandEngine({ deadlineMs: 1 });
    const server = await createTestServer({
      engines: { pixai: hand.engine },
      variables: { ADDRESS_LIMIT_FACTOR: '0.005' },
    });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      statuses.push((await server.call(generate, getPending(count))).status);
    }

    expect(statuses).toEqual([504, 504, 504, 429]);
  });

  test('visitors have a lower limit for pictures that cost money, and are advised to log in', async () => {
    const hand = createHandEngine({ deadlineMs: 1, isFree: false });
    const server = await createTestServer({ engines: { pixai: hand.engine } });
    const token = await server.signUp(1);
    for (let count = 0; count < 60; count += 1) {
      expect((await server.call(generate, getPending(count))).status).toBe(504);
    }

    const refused = await server.call(generate, getPending(60));
    const member = await server.call(generate, getPending(61), { token });

    expect(refused).toMatchObject({
      status: 429,
      body: {
        detail:
          'Many pictures were made from your network. Please log in, or try again in 60 minutes.',
      },
    });
    expect(member.status).toBe(504);
  });

  test('the operator can limit a day for all; a refused request counts against no other limit', async () => {
    const hand = createHandEngine({ deadlineMs: 1, isFree: false });
    const server = await createTestServer({
      engines: { pixai: hand.engine },
      variables: { PAID_PICTURES_PER_DAY: '2' },
    });
    const [ann, bob] = [await server.signUp(1), await server.signUp(2)];
    const statuses: number[] = [];
    for (const [index, token] of [ann, bob].entries()) {
      statuses.push((await server.call(generate, getPending(index), { token })).status);
    }

    for (let count = 3; count < 130; count += 1) {
      await server.call(generate, getPending(count), { token: ann });
    }
    // If refused requests counted, Ann's hour would be full by now.
    const refused = await server.call(generate, getPending(2), { token: ann });
    server.wait(24 * hour);
    const tomorrow = await server.call(generate, getPending(130), { token: ann });

    expect(statuses).toEqual([504, 504]);
    expect(refused).toMatchObject({
      status: 429,
      body: {
        code: 'rate_limited',
        detail:
          'This server has made as many pictures as it can pay for today. Please try again in 24 hours.',
      },
    });
    expect(hand.asked()).toBe(3);
    expect(tomorrow.status).toBe(504);
  });

  test('free pictures have no limit for all', async () => {
    const hand = createHandEngine({ deadlineMs: 1 });
    const server = await createTestServer({
      engines: { pixai: hand.engine },
      variables: { PAID_PICTURES_PER_DAY: '0' },
    });

    expect((await server.call(generate, getPending())).status).toBe(504);
  });
});
