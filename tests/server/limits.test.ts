/** Limits per address, which address counts, and the removal of expired counters. */
import { expect, test } from 'vitest';

import { register } from '#contract/endpoints/account';
import { login } from '#contract/endpoints/session';
import { type Limit } from '#server/lib/limits';
import { createLimiter } from '#server/services/limiter';
import { sweep } from '#server/services/maintenance';
import { minute, createTestServer, goodPassword, type TestServer } from '#tests/test-server';

const day = 24 * 60 * minute;

async function registerMany(
  server: TestServer,
  count: number,
  getHeaders: (index: number) => Record<string, string> = () => ({}),
) {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const reply = await server.call(
      register,
      { telegram_id: String(1000 + index), email: 'a@example.org', password: goodPassword },
      { headers: getHeaders(index) },
    );
    statuses.push(reply.status);
  }
  return statuses;
}

test('sixty users an hour can register from one address', async () => {
  const server = await createTestServer();

  const statuses = await registerMany(server, 61);
  const refused = await server.call(register, {
    telegram_id: '5',
    email: 'a@example.org',
    password: goodPassword,
  });
  server.wait(60 * minute);
  const later = await registerMany(server, 1);

  expect(statuses.slice(0, 60).every((status) => status === 201)).toBe(true);
  expect(statuses[60]).toBe(429);
  expect(refused).toMatchObject({
    body: {
      code: 'rate_limited',
      detail: 'Too many requests. Please try again in 60 minutes.',
    },
  });
  expect(later).toEqual([201]);
});

test('a shared network may raise the limits per address, but not those per account', async () => {
  const server = await createTestServer({ variables: { ADDRESS_LIMIT_FACTOR: '2' } });

  const statuses = await registerMany(server, 121);
  const failures = await Promise.all(
    Array.from({ length: 11 }, () =>
      server.call(login, { telegram_id: '1000', password: 'not the password' }),
    ),
  );

  expect(statuses.filter((status) => status === 201)).toHaveLength(120);
  expect(failures.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(1);
});

test('without a proxy, an address in a header is ignored', async () => {
  const server = await createTestServer();

  const statuses = await registerMany(server, 61, (index) => ({
    'X-Forwarded-For': `198.51.100.${index}`,
  }));

  expect(statuses[60]).toBe(429);
});

test('behind one proxy the address that it saw counts, and earlier entries of the header are ignored', async () => {
  const server = await createTestServer({ variables: { TRUST_PROXY: '1' } });

  const forged = await registerMany(server, 61, (index) => ({
    'X-Forwarded-For': `203.0.113.${index}, 198.51.100.7`,
  }));
  const other = await server.call(
    login,
    { telegram_id: '1', password: 'x' },
    { headers: { 'X-Forwarded-For': '198.51.100.8' } },
  );

  expect(forged[60]).toBe(429);
  expect(other.status).toBe(401);
});

test.each(['2001:db8:1:2', '2001:db8:'])(
  'an IPv6 caller cannot avoid a limit by changing addresses in its own network %s',
  async (network) => {
    const server = await createTestServer({ variables: { TRUST_PROXY: '1' } });

    const statuses = await registerMany(server, 61, (index) => ({
      'X-Forwarded-For': `${network}:${network.endsWith(':') ? '' : ':'}${(index + 1).toString(16)}`,
    }));

    expect(statuses[60]).toBe(429);
  },
);

const three: Limit = { name: 'three', max: 3, windowMs: 1000, text: 'requests' };

test('of parallel requests, exactly as many as allowed pass', async () => {
  const server = await createTestServer();
  const limiter = createLimiter(server.deps);

  const passed = await Promise.all(Array.from({ length: 20 }, () => limiter.tryTake(three, 'ada')));

  expect(passed.filter(Boolean)).toHaveLength(3);
});

test('a count that is given back can be used again, and the window restarts when it is over', async () => {
  const server = await createTestServer();
  const limiter = createLimiter(server.deps);
  const take = () => limiter.tryTake(three, 'ada');

  expect([await take(), await take(), await take()]).toEqual([true, true, true]);
  await limiter.giveBack(three, 'ada');
  expect([await take(), await take()]).toEqual([true, false]);
  server.wait(1000);
  expect(await take()).toBe(true);
});

test.each([
  [1, '1 second'],
  [42_000, '42 seconds'],
  [119_001, '2 minutes'],
  [3_540_001, '60 minutes'],
  [7_200_000, '2 hours'],
])('a wait of %i ms is stated in words and never too short', async (windowMs, wait) => {
  const server = await createTestServer();
  const limiter = createLimiter(server.deps);
  const once = { ...three, max: 1, windowMs };

  await limiter.take(once, 'ada');

  await expect(limiter.take(once, 'ada')).rejects.toMatchObject({
    code: 'rate_limited',
    detail: `Too many requests. Please try again in ${wait}.`,
  });
});

test('sweeping removes only expired counters', async () => {
  const server = await createTestServer();
  await server.signUp(1);
  await registerMany(server, 1);
  const counts = async () => ({
    people: (await server.db.selectFrom('people').selectAll().execute()).length,
    sessions: (await server.db.selectFrom('sessions').selectAll().execute()).length,
    registrations: (await server.db.selectFrom('registrations').selectAll().execute()).length,
    otps: (await server.db.selectFrom('otps').selectAll().execute()).length,
    buckets: (await server.db.selectFrom('rate_buckets').selectAll().execute()).length > 0,
  });

  await sweep(server.deps);
  const atOnce = await counts();
  server.wait(30 * minute);
  await sweep(server.deps);
  const soon = await counts();
  server.wait(7 * day);
  await sweep(server.deps);
  const late = await counts();

  expect(atOnce).toEqual({ people: 1, sessions: 1, registrations: 1, otps: 1, buckets: true });
  expect(soon).toEqual({ people: 1, sessions: 1, registrations: 0, otps: 0, buckets: true });
  expect(late).toEqual({ people: 1, sessions: 0, registrations: 0, otps: 0, buckets: false });
});

test('a clock that was far ahead and is corrected does not hold a limit for ever', async () => {
  const server = await createTestServer();
  const limit: Limit = { name: 'test-clock', max: 1, windowMs: minute, text: 'requests' };
  const limiter = createLimiter(server.deps);
  server.wait(365 * day);
  await limiter.take(limit, 'ada');
  await expect(limiter.take(limit, 'ada')).rejects.toMatchObject({ code: 'rate_limited' });

  server.wait(-365 * day);

  await expect(limiter.take(limit, 'ada')).resolves.toBeUndefined();
});
