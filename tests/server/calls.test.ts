/** Ordinary calls of one caller in a minute: generous to people, tight to loops. Refusals in the log of security events. */
import { expect, test } from 'vitest';

import { register } from '#contract/endpoints/account';
import { listChats } from '#contract/endpoints/chats';
import { readMe } from '#contract/endpoints/session';
import { readHealth } from '#contract/endpoints/site';
import {
  openTestDatabase,
  createTestServer,
  goodPassword,
  minute,
  type TestServer,
} from '#tests/test-server';

/** Makes calls one after another, and counts the answers by their status. */
async function repeat(times: number, call: () => Promise<{ readonly status: number }>) {
  const counts: Record<number, number> = {};
  for (let index = 0; index < times; index += 1) {
    const { status } = await call();
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

const withDefault = { variables: { CALLS_PER_MINUTE: '600' } };

test('a loop of a signed-in user is refused after 600 reads of a minute, with the time to wait, and no other is', async () => {
  const server = await createTestServer(withDefault);
  const [loop, other] = [await server.signUp(1), await server.signUp(2)];
  const read = (token?: string) => server.call(readMe, {}, { token });

  const counts = await repeat(601, () => read(loop));
  const refused = await read(loop);

  expect(counts).toEqual({ 200: 600, 429: 1 });
  expect(refused.body).toEqual({
    code: 'rate_limited',
    detail: 'Too many requests. Please try again in 60 seconds.',
  });
  expect(refused.headers.get('Retry-After')).toBe('60');
  expect((await read(other)).status).toBe(200);
  expect((await server.call(readHealth, {}, { token: loop })).status).toBe(200);
  server.wait(minute);
  expect((await read(loop)).status).toBe(200);
});

test('a loop of writes is refused earlier, and reads go on', async () => {
  const server = await createTestServer(withDefault);
  const token = await server.signUp(1);
  const write = () =>
    server.request('/backend/chats', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{}',
    });

  const counts = await repeat(250, write);

  expect(counts).toEqual({ 422: 240, 429: 10 });
  expect((await server.call(listChats, {}, { token })).status).toBe(200);
});

test('visitors are counted by their address, for which ADDRESS_LIMIT_FACTOR makes room', async () => {
  const variables = { CALLS_PER_MINUTE: '5', ADDRESS_LIMIT_FACTOR: '2', TRUST_PROXY: '1' };
  const server = await createTestServer({ variables });
  const readFrom = (address: string) => () =>
    server.call(readMe, {}, { headers: { 'X-Forwarded-For': address } });

  expect(await repeat(12, readFrom('198.51.100.7'))).toEqual({ 401: 10, 429: 2 });
  expect(await repeat(1, readFrom('198.51.100.8'))).toEqual({ 401: 1 });
});

test('a loop that is refused costs no statement but that of its session', async () => {
  const statements: string[] = [];
  const database = await openTestDatabase(undefined, (sql) => void statements.push(sql));
  const server = await createTestServer({ database, variables: { CALLS_PER_MINUTE: '5' } });
  const token = await server.signUp(1);
  await repeat(5, () => server.call(readMe, {}, { token }));
  const before = statements.length;

  expect(await repeat(3, () => server.call(readMe, {}, { token }))).toEqual({ 429: 3 });
  expect(statements.length - before).toBeLessThanOrEqual(3);
});

const toEvents = ({ securityLines }: TestServer): unknown[] =>
  securityLines.map((line) => JSON.parse(line));

test('a user who reaches for the chat of others is in the log of security events, at LOG_LEVEL=silent too, once a minute', async () => {
  const server = await createTestServer({ variables: { LOG_LEVEL: 'silent' } });
  const token = await server.signUp(7);
  const headers = { 'X-Forwarded-For': '203.0.113.77' };
  const reach = () =>
    server.request('/backend/chats/-1001234567890/topics/0/settings', {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ setting_name: 'photo_blocked', value: true }),
    });
  const isForeign = (event: unknown) => JSON.stringify(event).includes('foreign_access');

  expect((await reach()).status).toBe(403);
  await reach();
  const atOnce = toEvents(server).filter(isForeign);
  server.wait(minute);
  await reach();

  expect(atOnce).toEqual([
    {
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      event: 'foreign_access',
      subject: server.services.accountEvents.toSubject(7),
      from: '',
      detail: 'chat_not_verified PUT /backend/chats/…/topics/…/settings',
      msg: 'security',
    },
  ]);
  expect(toEvents(server).filter(isForeign)).toHaveLength(2);
  expect(server.securityLines.join('')).not.toMatch(/-1001234567890|203\.0\.113\.77/);
});

test('limits that are reached on calls of accounts are in the log of security events, with the network of the caller', async () => {
  const server = await createTestServer({
    variables: { TRUST_PROXY: '1', ADDRESS_LIMIT_FACTOR: '0.05' },
  });
  const tryOne = (id: number) =>
    server.call(
      register,
      { telegram_id: String(id), email: 'a@example.org', password: goodPassword },
      { headers: { 'X-Forwarded-For': '203.0.113.77' } },
    );

  for (let id = 1; id <= 5; id += 1) {
    await tryOne(id);
  }

  expect(toEvents(server)).toContainEqual({
    level: 30,
    time: expect.any(String),
    requestId: expect.any(String),
    event: 'rate_limited',
    from: '203.0.113.*',
    detail: 'rate_limited POST /backend/register',
    msg: 'security',
  });
  expect(
    toEvents(server).filter((event) => JSON.stringify(event).includes('/register')),
  ).toHaveLength(1);
});
