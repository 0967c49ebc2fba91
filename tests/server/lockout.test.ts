/**
 * A stranger calls everything that needs no session for Ada's Telegram ID, from one address and from a thousand. After
 * that she signs up, logs in, changes her password and deletes her account as if no one had.
 */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import {
  changePassword,
  deleteAccount,
  register,
  sendOtp,
  verifyOtp,
} from '#contract/endpoints/account';
import { type CallInput, type Endpoint } from '#contract/endpoints/endpoint';
import { requestPasswordReset, resetPassword } from '#contract/endpoints/password-reset';
import { login, loginWithTelegram, readMe, requestLoginCode } from '#contract/endpoints/session';
import { signLaunchData } from '#tests/launch-data';
import { ada, startBot, type TestBot } from '#tests/test-bot';
import { goodPassword, minute, type Reply } from '#tests/test-server';

const adaId = String(ada.id);
const strange = 'the password of a stranger';
const nextPassword = 'nine patient herons';
const home = '203.0.113.7';

const attackers = [
  // Ten wrong passwords in a quarter of an hour are too few for the limit of a day.
  { name: 'one address', getAddress: () => '198.51.100.7', needsCode: false },
  {
    name: 'a thousand addresses',
    getAddress: (index: number) => `198.51.${100 + Math.floor(index / 250)}.${(index % 250) + 1}`,
    needsCode: true,
  },
];

const startServer = () => startBot({ variables: { TRUST_PROXY: '1' } });

function callFrom<E extends Endpoint>(
  { server }: TestBot,
  address: string,
  [endpoint, input, token]: readonly [E, CallInput<E>, string?],
): Promise<Reply> {
  return server.call(endpoint, input, { token, headers: { 'X-Forwarded-For': address } });
}

/** A thousand calls of all kinds, a bit more than an hour and a half in all, up to now. */
async function attack(bot: TestBot, getAddress: (index: number) => string): Promise<void> {
  let attempt: string | undefined;
  const telegram_id = adaId;
  const otp_code = '000000';
  const kinds = [
    (from: string) =>
      callFrom(bot, from, [register, { telegram_id, email: 'x@example.org', password: strange }]),
    (from: string) => callFrom(bot, from, [sendOtp, { telegram_id }]),
    (from: string) => callFrom(bot, from, [verifyOtp, { telegram_id, otp_code }]),
    (from: string) => callFrom(bot, from, [login, { telegram_id, password: strange }]),
    (from: string) => callFrom(bot, from, [requestLoginCode, { telegram_id, password: strange }]),
    (from: string) => callFrom(bot, from, [requestPasswordReset, { telegram_id }]),
    (from: string) =>
      callFrom(bot, from, [
        resetPassword,
        { telegram_id, otp_code, attempt, new_password: strange },
      ]),
  ];
  for (let index = 0; index < 1000; index += 1) {
    const reply = await kinds[index % kinds.length]?.(getAddress(index));
    attempt = readAttempt(reply) ?? attempt;
    bot.server.wait(minute / 10);
  }
}

const readAttempt = (reply: Reply | undefined) => {
  const answer = v.safeParse(v.object({ attempt: v.string() }), reply?.body);
  return answer.success ? answer.output.attempt : undefined;
};

const readToken = ({ body }: Reply) => v.parse(login.output, body).access_token;

/** Signed anew each time, as by another launch. */
const launch = ({ server, api }: TestBot, id: number = ada.id) =>
  signLaunchData({ user: { id }, botToken: api.token, signedAt: server.now() });

/** Registers at home; `init_data` comes along inside Telegram. */
async function registerAtHome(bot: TestBot, init_data?: string) {
  const details = { telegram_id: adaId, email: 'ada@example.org', password: goodPassword };
  const reply = await callFrom(bot, home, [register, { ...details, init_data }]);
  return v.parse(
    v.object({ attempt: v.string(), start_param: v.string(), is_sent: v.boolean() }),
    reply.body,
  );
}

const verifyAtHome = (bot: TestBot, attempt: string) =>
  callFrom(bot, home, [
    verifyOtp,
    { telegram_id: adaId, otp_code: bot.api.lastCode(ada.id), attempt },
  ]);

const logInWith = (bot: TestBot, address: string, more: Partial<CallInput<typeof login>> = {}) =>
  callFrom(bot, address, [login, { telegram_id: adaId, password: goodPassword, ...more }]);

const messagesToAda = ({ api }: TestBot) =>
  api.messages.filter(({ body }) => String(body['chat_id']) === adaId);

describe.each(attackers)('a stranger at $name', ({ getAddress, needsCode }) => {
  test('does not keep a newcomer from signing up, by the bot or inside Telegram', async () => {
    const bot = await startServer();
    await attack(bot, getAddress);

    // The codes of the day are used up: the bot's Start sends one.
    const byLink = await registerAtHome(bot);
    await bot.writes(`/start ${byLink.start_param}`);
    const first = await verifyAtHome(bot, byLink.attempt);
    const token = readToken(first);
    await callFrom(bot, home, [deleteAccount, { password: goodPassword }, token]);
    const inTelegram = await registerAtHome(bot, launch(bot));
    const second = await verifyAtHome(bot, inTelegram.attempt);

    expect(byLink.is_sent).toBe(false);
    expect(first.status).toBe(200);
    expect(inTelegram.is_sent).toBe(true);
    expect(second.status).toBe(200);
    expect((await logInWith(bot, home, readDevice(second))).status).toBe(200);
  });

  test('does not keep a user from logging in, changing the password and deleting the account', async () => {
    const bot = await startServer();
    const { attempt } = await registerAtHome(bot);
    const known = await verifyAtHome(bot, attempt);
    const token = readToken(known);
    bot.server.wait(minute);
    await attack(bot, getAddress);
    const messages = messagesToAda(bot).length;
    expect(messages).toBeGreaterThan(1 + 10);
    expect(messages).toBeLessThanOrEqual(1 + 10 + 10 + 10);

    const onKnownDevice = await logInWith(bot, home, readDevice(known));
    const onNewDevice = await (needsCode ? logInByCode(bot) : logInWith(bot, '203.0.113.99'));
    const inTelegram = await callFrom(bot, home, [loginWithTelegram, { init_data: launch(bot) }]);
    const change = { current_password: goodPassword, new_password: nextPassword };
    const changed = await callFrom(bot, home, [changePassword, change, token]);
    const deleted = await callFrom(bot, home, [deleteAccount, { password: nextPassword }, token]);

    expect(onKnownDevice.status).toBe(200);
    expect(onNewDevice.status).toBe(200);
    expect(inTelegram.status).toBe(200);
    expect(changed.status).toBe(204);
    expect(deleted.status).toBe(204);
    expect((await callFrom(bot, home, [readMe, {}, token])).status).toBe(401);
  });

  test('does not keep a user who forgot the password from setting a new one', async () => {
    const bot = await startServer();
    const { attempt } = await registerAtHome(bot);
    await verifyAtHome(bot, attempt);
    await attack(bot, getAddress);

    const requested = await callFrom(bot, home, [requestPasswordReset, { telegram_id: adaId }]);
    const { start_param, ...asked } = v.parse(requestPasswordReset.output, requested.body);
    await bot.writes(`/start ${start_param}`);
    const reset = await callFrom(bot, home, [
      resetPassword,
      {
        telegram_id: adaId,
        otp_code: bot.api.lastCode(ada.id),
        attempt: asked.attempt,
        new_password: nextPassword,
      },
    ]);

    expect(asked.is_sent).toBe(false);
    expect(reset.status).toBe(200);
    const again = await logInWith(bot, home, { ...readDevice(reset), password: nextPassword });
    expect(again.status).toBe(200);
  });
});

const readDevice = ({ body }: Reply) => ({ device: v.parse(login.output, body).device });

/** From a new device, by the password and a code, as too many wrong passwords were tried. */
async function logInByCode(bot: TestBot): Promise<Reply> {
  const address = '203.0.113.99';
  const plain = await logInWith(bot, address);
  expect(plain).toMatchObject({ status: 403, body: { code: 'code_required' } });
  const asked = await callFrom(bot, address, [
    requestLoginCode,
    { telegram_id: adaId, password: goodPassword },
  ]);
  const isForLogin = ({ text }: { text: string }) => text.includes('log in to Nori');
  await expect.poll(() => messagesToAda(bot).some(isForLogin)).toBe(true);
  const code = { otp_code: bot.api.lastCode(ada.id), attempt: readAttempt(asked) };
  return logInWith(bot, address, code);
}
