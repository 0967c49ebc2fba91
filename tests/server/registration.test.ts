/** Creating an account, also against attackers who know the Telegram ID. */
import * as v from 'valibot';
import { expect, test } from 'vitest';

import { register, sendOtp, verifyOtp } from '#contract/endpoints/account';
import { login, readMe } from '#contract/endpoints/session';
import { connectTelegram } from '#server/upstream/telegram/telegram';
import { startBotApi } from '#tests/bot-api-server';
import {
  ada,
  adaId,
  minute,
  registerAs,
  verify,
  createTestServer,
  goodPassword,
} from '#tests/test-server';

test('a user registers, enters the code, and is logged in', async () => {
  const server = await createTestServer();

  const { reply, attempt, code } = await registerAs(server);
  const verified = await verify(server, code, attempt);
  const { access_token: token } = v.parse(verifyOtp.output, verified.body);
  const me = await server.call(readMe, {}, { token });

  expect(reply).toMatchObject({ status: 201, body: { telegram_id: adaId } });
  expect(code).toMatch(/^\d{6}$/);
  expect(verified).toMatchObject({ status: 200, body: { token_type: 'bearer' } });
  expect(me.body).toMatchObject({ telegram_id: adaId, email: 'ada@example.org' });
});

test('the code is sent by Telegram, with what it confirms', async () => {
  const bot = await startBotApi();
  const server = await createTestServer({
    telegram: connectTelegram({ token: bot.token, apiRoot: bot.apiRoot }),
  });

  const { reply, attempt } = await registerAs(server);
  const verified = await verify(server, bot.lastCode(ada), attempt);

  expect(bot.messages[0]?.text).toContain('a•••@example.org');
  expect(bot.messages[0]?.body).toMatchObject({ protect_content: true });
  expect(JSON.stringify(reply.body)).not.toContain(bot.lastCode(ada));
  expect(server.inbox).toEqual([]);
  expect(verified.status).toBe(200);
  await bot.close();
});

test('a user who never pressed Start gets the same answer, with the hint to do so', async () => {
  const bot = await startBotApi();
  bot.setReach(ada, 'never started');
  const server = await createTestServer({
    telegram: connectTelegram({ token: bot.token, apiRoot: bot.apiRoot }),
  });

  const { reply } = await registerAs(server);

  expect(reply.status).toBe(201);
  expect(reply.body).toMatchObject({ message: expect.stringContaining('press Start') });
  await bot.close();
});

test('while Telegram does not answer, registering says so', async () => {
  const bot = await startBotApi();
  bot.failAll('reset');
  const server = await createTestServer({
    telegram: connectTelegram({ token: bot.token, apiRoot: bot.apiRoot }),
  });

  const reply = await server.call(register, {
    telegram_id: adaId,
    email: 'ada@example.org',
    password: goodPassword,
  });

  expect(reply).toMatchObject({ status: 503, body: { code: 'telegram_unavailable' } });
  await bot.close();
});

test('a stranger who registers the ID of another user gains nothing from that user’s code', async () => {
  const server = await createTestServer();
  const stranger = await registerAs(server, 'the password of a stranger', 'evil@example.org');
  server.wait(minute);
  const owner = await registerAs(server);

  // A plain client sends no attempt. With two waiting registrations, the code alone does not identify one.
  const without = await verify(server, owner.code);
  const own = await verify(server, owner.code, owner.attempt);
  const strangers = await verify(server, stranger.code, stranger.attempt);
  const login2 = await server.call(login, {
    telegram_id: adaId,
    password: 'the password of a stranger',
  });

  expect(without).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
  expect(own.status).toBe(200);
  expect(strangers.status).toBe(400);
  expect(login2.status).toBe(401);
});

test('a plain client without attempts registers, resends and verifies', async () => {
  const server = await createTestServer();
  await registerAs(server);
  server.wait(minute);

  const resent = await server.call(sendOtp, { telegram_id: adaId });
  const verified = await verify(server, server.readCode(ada));

  expect(resent.status).toBe(202);
  expect(verified.status).toBe(200);
});

test('registering an ID that has an account gets the same answer, and its owner is notified', async () => {
  const server = await createTestServer();
  await server.signUp(ada);
  const fresh = await createTestServer();
  server.wait(minute);

  const known = await registerAs(server, 'the password of a stranger');
  const unknown = await registerAs(fresh, 'the password of a stranger');
  const withDecoy = await verify(server, '000000', known.attempt);

  const withoutIds = { attempt: '', start_param: '' };
  expect({ ...Object(known.reply.body), ...withoutIds }).toEqual({
    ...Object(unknown.reply.body),
    ...withoutIds,
  });
  expect(known.reply.status).toBe(201);
  expect(known.attempt).toHaveLength(unknown.attempt.length);
  expect(server.inbox.at(-1)).toMatchObject({
    telegramId: ada,
    text: expect.stringContaining('already have one'),
  });
  expect(server.inbox.at(-1)?.code).toBeUndefined();
  expect(withDecoy.status).toBe(400);
});

test('only a user who gives the password of the account is told that it exists', async () => {
  const server = await createTestServer();
  await server.signUp(ada);
  server.wait(minute);

  const reply = await server.call(register, {
    telegram_id: adaId,
    email: 'ada@example.org',
    password: goodPassword,
  });

  expect(reply).toMatchObject({ status: 409, body: { code: 'account_exists' } });
});

test('registering allows no more password attempts than login', async () => {
  const server = await createTestServer();
  await server.signUp(ada);
  for (let count = 0; count < 10; count += 1) {
    await server.call(login, { telegram_id: adaId, password: `wrong password ${count}` });
  }
  server.wait(minute);

  const reply = await server.call(register, {
    telegram_id: adaId,
    email: 'ada@example.org',
    password: goodPassword,
  });

  expect(reply.status).toBe(201);
});

test('a registration costs one password hash, whether or not the ID has an account', async () => {
  for (const hasAccount of [true, false]) {
    const server = await createTestServer();
    if (hasAccount) {
      await server.signUp(ada);
      server.wait(minute);
    }
    const before = server.hashings();

    await registerAs(server, 'the password of a stranger');

    expect(server.hashings() - before).toBe(1);
  }
});

test('an unconfirmed registration is removed after half an hour', async () => {
  const server = await createTestServer();
  const { attempt } = await registerAs(server);

  server.wait(30 * minute);
  await server.call(sendOtp, { telegram_id: adaId, attempt });
  const early = await server.call(login, { telegram_id: adaId, password: goodPassword });

  expect(server.inbox).toHaveLength(1);
  expect(early).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } });
});

test.each([
  ['no fields at all', {}, 'All fields are required'],
  [
    'an email that is none',
    { telegram_id: adaId, email: 'ada', password: goodPassword },
    'Please enter a valid email address',
  ],
  [
    'an id that is a name',
    { telegram_id: 'ada', email: 'a@b.org', password: goodPassword },
    'A Telegram user ID is a number, such as 123456789',
  ],
])('registering with %s names the error', async (_case, body, detail) => {
  const server = await createTestServer();

  const reply = await server.request('/backend/register', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

  expect(reply).toMatchObject({ status: 422, body: { code: 'invalid_input', detail } });
});

test('an ID may be sent as a number or as text', async () => {
  const server = await createTestServer();

  const reply = await server.call(register, {
    telegram_id: ada,
    email: 'ada@example.org',
    password: goodPassword,
  });

  expect(reply).toMatchObject({ status: 201, body: { telegram_id: adaId } });
});
