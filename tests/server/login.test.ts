/** Logging in, by password and from Telegram. */
import * as v from 'valibot';
import { expect, test } from 'vitest';

import { register } from '#contract/endpoints/account';
import { login, loginWithTelegram, readMe } from '#contract/endpoints/session';
import { readCapabilities } from '#contract/endpoints/site';
import { AppError } from '#server/lib/errors';
import { createPasswordHasher } from '#server/lib/password-hasher';
import { signLaunchData } from '#tests/launch-data';
import { createTestServer, goodPassword, type TestServer } from '#tests/test-server';

const ada = 123_456_789;
const minute = 60_000;

function logIn(server: TestServer, password = goodPassword, id = ada) {
  return server.call(login, { telegram_id: String(id), password });
}

test('a user logs in with ID and password, and gets a new token each time', async () => {
  const server = await createTestServer();
  const first = await server.signUp(ada);

  const reply = await logIn(server);
  const { access_token: token } = v.parse(login.output, reply.body);
  const me = await server.call(readMe, {}, { token });

  expect(reply).toMatchObject({
    status: 200,
    body: { token_type: 'bearer', telegram_id: String(ada) },
  });
  expect(token).not.toBe(first);
  expect(me.status).toBe(200);
});

test('a wrong password and an unknown ID get the same answer after the same work', async () => {
  const server = await createTestServer();
  await server.signUp(ada);
  const before = server.hashings();

  const wrong = await logIn(server, 'not the password');
  const afterWrong = server.hashings();
  const unknown = await logIn(server, 'not the password', 987_654_321);
  const afterUnknown = server.hashings();

  expect(wrong).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } });
  expect(unknown.status).toBe(wrong.status);
  expect(unknown.body).toEqual(wrong.body);
  expect(afterWrong - before).toBe(1);
  expect(afterUnknown - afterWrong).toBe(1);
});

test.each([
  ['in capitals', goodPassword.toUpperCase()],
  ['with a space behind', `${goodPassword} `],
  ['with a space before', ` ${goodPassword}`],
  ['cut short', goodPassword.slice(0, -1)],
])('the password %s is another password', async (_case, password) => {
  const server = await createTestServer();
  await server.signUp(ada);

  expect((await logIn(server, password)).status).toBe(401);
});

test('only a user who knows the password is told that the account is not verified yet', async () => {
  const server = await createTestServer();
  await server.call(register, {
    telegram_id: String(ada),
    email: 'ada@example.org',
    password: goodPassword,
  });

  const right = await logIn(server);
  const wrong = await logIn(server, 'not the password');

  expect(right).toMatchObject({ status: 403, body: { code: 'not_verified' } });
  expect(wrong).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } });
});

test('after ten failures an account is blocked for a quarter of an hour, known and unknown IDs alike', async () => {
  const server = await createTestServer();
  await server.signUp(ada);

  for (const id of [ada, 987_654_321]) {
    for (let count = 0; count < 10; count += 1) {
      expect((await logIn(server, 'not the password', id)).status).toBe(401);
    }
  }
  const known = await logIn(server);
  const unknown = await logIn(server, goodPassword, 987_654_321);
  server.wait(15 * minute);
  const later = await logIn(server);

  expect(known).toMatchObject({
    status: 429,
    body: { detail: 'Too many login attempts. Please try again in 15 minutes.' },
  });
  expect(known.headers.get('Retry-After')).toBe('900');
  expect(unknown.body).toEqual(known.body);
  expect(later.status).toBe(200);
});

test('frequent logins do not count as failures', async () => {
  const server = await createTestServer();
  await server.signUp(ada);

  for (let count = 0; count < 15; count += 1) {
    expect((await logIn(server)).status).toBe(200);
  }
});

test('parallel failures all count', async () => {
  const server = await createTestServer();
  await server.signUp(ada);

  const replies = await Promise.all(
    Array.from({ length: 20 }, () => logIn(server, 'not the password')),
  );

  expect(replies.filter(({ status }) => status === 401)).toHaveLength(10);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(10);
});

test('fifty users log in at the same time', async () => {
  const server = await createTestServer();
  const ids = Array.from({ length: 50 }, (_none, index) => 1000 + index);
  for (const id of ids) {
    await server.signUp(id);
  }

  const replies = await Promise.all(ids.map((id) => logIn(server, goodPassword, id)));

  expect(replies.every(({ status }) => status === 200)).toBe(true);
});

test('a password hashed with weaker settings is hashed again at the next login', async () => {
  const weak = await createTestServer({ hasher: createPasswordHasher({ memory: 8, passes: 1 }) });
  await weak.signUp(ada);
  const strong = await createTestServer({
    database: weak.database,
    hasher: createPasswordHasher({ memory: 16, passes: 2 }),
  });

  const reply = await logIn(strong);
  const { password_hash: hash } = await strong.db
    .selectFrom('people')
    .select('password_hash')
    .executeTakeFirstOrThrow();

  expect(reply.status).toBe(200);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=16,t=2,p=1\$/);
  expect((await logIn(strong)).status).toBe(200);
});

const botToken = '123456789:a-token-of-a-bot-that-tests-use-0000';

function launchedBy(server: TestServer, user: Record<string, unknown>) {
  const signed = signLaunchData({ user, botToken, signedAt: server.now() });
  return server.call(loginWithTelegram, { init_data: signed });
}

test('a user who opens the app from Telegram is logged in without a form, with their name', async () => {
  const server = await createTestServer({ variables: { BOT_TOKEN: botToken } });
  await server.signUp(ada);

  const reply = await launchedBy(server, { id: ada, first_name: 'Ada', username: 'ada' });
  const { access_token: token } = v.parse(loginWithTelegram.output, reply.body);
  const me = await server.call(readMe, {}, { token });

  expect(reply).toMatchObject({
    status: 200,
    body: { telegram_id: String(ada), token_type: 'bearer', created: false },
  });
  expect(me.body).toEqual({
    telegram_id: String(ada),
    email: `person${ada}@example.org`,
    first_name: 'Ada',
    username: 'ada',
    has_password: true,
    language: null,
  });
});

test('a new user from Telegram is told that there is no account yet', async () => {
  const server = await createTestServer({ variables: { BOT_TOKEN: botToken } });

  const reply = await launchedBy(server, { id: ada, first_name: 'Ada' });

  expect(reply).toMatchObject({ status: 404, body: { code: 'no_account' } });
});

test('launch data that Telegram did not sign is refused', async () => {
  const server = await createTestServer({ variables: { BOT_TOKEN: botToken } });
  await server.signUp(ada);
  const forged = signLaunchData({
    user: { id: ada },
    botToken: '123456789:the-token-of-some-other-bot-00000000',
    signedAt: server.now(),
  });

  const reply = await server.call(loginWithTelegram, { init_data: forged });

  expect(reply).toMatchObject({ status: 401, body: { code: 'invalid_launch_data' } });
});

test('without a bot the server has no login from Telegram', async () => {
  const server = await createTestServer();

  const reply = await server.call(loginWithTelegram, { init_data: 'user=1' });

  expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('with a bot the server offers to log in with Telegram', async () => {
  const server = await createTestServer({ variables: { BOT_TOKEN: botToken } });

  const { body } = await server.call(readCapabilities, {});

  expect(body).toMatchObject({
    capabilities: expect.arrayContaining(['auth.logout', 'auth.sessions', 'auth.telegram', 'bot']),
  });
});

test('a server that is too busy to check a password does not count the attempt', async () => {
  const hasher = createPasswordHasher({ memory: 8, passes: 1 });
  let isBusy = false;
  const verify = (password: string, phc: string) =>
    isBusy ? Promise.reject(new AppError('busy')) : hasher.verify(password, phc);
  const server = await createTestServer({ hasher: { ...hasher, verify } });
  await server.signUp(ada);

  isBusy = true;
  const busy = [];
  for (let attempt = 0; attempt < 15; attempt += 1) {
    busy.push((await logIn(server)).status);
  }
  isBusy = false;

  expect(busy).toEqual(Array(15).fill(503));
  expect((await logIn(server)).status).toBe(200);
});
