/**
 * Telegram is down while users register: they may retry at once, and the outage reveals and permits
 * nothing.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';

import { register, sendOtp } from '#contract/endpoints/account';
import { readCapabilities } from '#contract/endpoints/site';
import { connectTelegram } from '#server/upstream/telegram/telegram';
import { type BotApi, startBotApi } from '#tests/bot-api-server';
import {
  ada,
  adaId,
  minute,
  verify,
  createTestServer,
  goodPassword,
  type TestServer,
} from '#tests/test-server';

const unknownId = '987654321';

let bot: BotApi;
let server: TestServer;

beforeEach(async () => {
  bot = await startBotApi();
  server = await createTestServer({
    telegram: connectTelegram({ token: bot.token, apiRoot: bot.apiRoot, timeoutMs: 5000 }),
  });
});
afterEach(() => bot.close());

const registerWith = (password: string) =>
  server.call(register, { telegram_id: adaId, email: 'ada@example.org', password });

test('a user who could not be sent a code may register again at once', async () => {
  bot.failAll('html');
  const during = await registerWith(goodPassword);
  bot.failAll();

  const after = await registerWith(goodPassword);

  expect(during).toMatchObject({ status: 503, body: { code: 'telegram_unavailable' } });
  expect(after.status).toBe(201);
});

test('the outage allows no further attempts at the password of an account', async () => {
  await registerWith(goodPassword);
  await verify(server, bot.lastCode(ada));
  server.wait(minute);
  bot.failAll('html');
  for (let guess = 0; guess < 10; guess += 1) {
    await registerWith(`a wrong guess, number ${guess}`);
  }

  const rightGuess = await registerWith(goodPassword);

  expect(rightGuess.body).not.toMatchObject({ code: 'account_exists' });
});

test('requesting a code does not show whether a registration waits, and can be repeated at once', async () => {
  await registerWith(goodPassword);
  server.wait(minute);
  bot.failAll('html');

  const waiting = await server.call(sendOtp, { telegram_id: adaId });
  const unknown = await server.call(sendOtp, { telegram_id: unknownId });
  bot.failAll();
  const again = await server.call(sendOtp, { telegram_id: adaId });

  expect(waiting.body).toEqual(unknown.body);
  expect([waiting.status, unknown.status]).toEqual([202, 202]);
  expect(again.status).toBe(202);
  expect(bot.messages).toHaveLength(2);
});

test('the capabilities are sent without waiting for Telegram', async () => {
  const patient = await createTestServer({
    telegram: connectTelegram({ token: bot.token, apiRoot: bot.apiRoot, timeoutMs: 60_000 }),
  });
  bot.failAll('hang');

  const { status, body } = await patient.call(readCapabilities, {});

  expect(status).toBe(200);
  expect(body).toMatchObject({ capabilities: expect.arrayContaining(['auth.logout']) });
  expect(body).not.toHaveProperty('bot_username');
});
