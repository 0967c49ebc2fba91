/** What the bot tells users about their accounts, and the button that ends a session. */
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';

import { changePassword, register, verifyOtp } from '#contract/endpoints/account';
import { setAccountLanguage } from '#contract/endpoints/language';
import { requestPasswordReset, resetPassword } from '#contract/endpoints/password-reset';
import { login, loginWithTelegram, logout, readMe } from '#contract/endpoints/session';
import { signLaunchData } from '#tests/launch-data';
import { standInLanguages } from '#tests/stand-in-languages';
import { startBot, type TestBot } from '#tests/test-bot';
import { createTestServer, goodPassword, type TestServer } from '#tests/test-server';

const ada = 279_058_397;
const eve = 666;
const telegram_id = String(ada);
const day = 24 * 60 * 60_000;
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const fromElsewhere = { 'User-Agent': chrome, 'X-Forwarded-For': '203.0.113.77' };
const variables = { TRUST_PROXY: '1', PUBLIC_URL: 'https://nori.example' };

/** A bot that Ada has an account at. */
async function startWithAda(options: Parameters<typeof startBot>[0] = {}) {
  const bot = await startBot({ variables, ...options });
  const token = await signUp(bot);
  bot.api.forgetCalls();
  return { ...bot, token, told: () => bot.api.messages.filter(isNotice) };
}

const isNotice = ({ to, text }: { to: number; text: string }) => to === ada && !/code/.test(text);

async function signUp({ server, api }: TestBot) {
  const account = { telegram_id, email: 'ada@example.org', password: goodPassword };
  const { body } = await server.call(register, account);
  const { attempt } = v.parse(v.looseObject({ attempt: v.string() }), body);
  const code = { telegram_id, otp_code: api.lastCode(ada), attempt };
  const verified = await server.call(verifyOtp, code);
  return v.parse(verifyOtp.output, verified.body).access_token;
}

async function logIn(server: TestServer, device?: string) {
  const typed = { telegram_id, password: goodPassword };
  const { body } = await server.call(
    login,
    { ...typed, ...(device === undefined ? {} : { device }) },
    { headers: fromElsewhere },
  );
  await server.services.accountEvents.settled();
  return v.parse(login.output, body);
}

const isAlive = async (server: TestServer, token: string) =>
  (await server.call(readMe, {}, { token })).status === 200;

/** Presses the button below the newest notice. */
async function press({ api, server }: TestBot, from: number, label = 'It wasn’t me') {
  const notice = api.messages.findLast(isNotice);
  const id = notice && api.presses.press(notice, from, label);
  await expect.poll(() => api.presses.answers.some(({ pressId }) => pressId === id)).toBe(true);
  await server.handled();
  return notice;
}

test('a login on an unknown device is told: device, part of the address, and time', async () => {
  const bot = await startWithAda();

  await logIn(bot.server);

  expect(bot.told().map(({ text }) => text)).toEqual([
    'New login: Chrome on Windows, 203.0.113.*, 21 Nov 2026, 12:00 UTC.\n\nIf that was you, there is nothing to do.',
  ]);
});

test('signing up, a login on a known device and one by launch data are no news', async () => {
  const bot = await startWithAda();
  expect(bot.told()).toEqual([]);
  const { device } = await logIn(bot.server);

  await logIn(bot.server, device);
  await bot.server.call(loginWithTelegram, {
    init_data: signLaunchData({
      user: { id: ada },
      botToken: bot.api.token,
      signedAt: bot.server.now(),
    }),
  });
  await bot.server.services.accountEvents.settled();

  expect(bot.told()).toHaveLength(1);
});

test('the device token of another user makes no device known', async () => {
  const bot = await startWithAda();
  const { knownDevices } = bot.server.services;

  await logIn(bot.server, knownDevices.make(eve));

  expect(bot.told()).toHaveLength(1);
});

test('“It wasn’t me” ends the session while it is in use, and voids launches; a new password is one tap away', async () => {
  const bot = await startWithAda();
  const { server, api, token } = bot;
  const stolen = signLaunchData({ user: { id: ada }, botToken: api.token, signedAt: server.now() });
  const { access_token: theirs } = await logIn(server);
  expect(await isAlive(server, theirs)).toBe(true);

  const notice = await press(bot, ada);

  expect(await isAlive(server, theirs)).toBe(false);
  expect(await isAlive(server, token)).toBe(true);
  expect((await server.call(loginWithTelegram, { init_data: stolen })).status).toBe(401);
  expect(notice && api.show(notice)).toMatchObject({
    text: 'Logged out: Chrome on Windows. Now set a new password, so that only you can log in.',
    buttons: [['Set a new password']],
  });
  expect(JSON.stringify(api.callsTo('editMessageText').at(-1)?.body)).toContain(
    'https://nori.example/reset-password',
  );
  expect(server.securityLines.filter((line) => line.includes('"session_ended"'))).toHaveLength(1);
});

test('a press of a stranger does nothing', async () => {
  const bot = await startWithAda();
  const { server } = bot;
  const { access_token: session } = await logIn(server);

  await press(bot, eve);

  expect(await isAlive(server, session)).toBe(true);
  expect(server.securityLines.some((line) => line.includes('"session_ended"'))).toBe(false);
});

test('a button that a stranger has made for the session of another user ends nothing', async () => {
  const bot = await startWithAda();
  const { server, hears } = bot;
  const { access_token: session } = await logIn(server);
  const { id } = await server.db
    .selectFrom('sessions')
    .select('id')
    .where('device', '=', 'Chrome on Windows')
    .executeTakeFirstOrThrow();

  await hears({
    callback_query: {
      id: '1',
      from: { id: eve, is_bot: false, first_name: 'Eve' },
      message: { message_id: 1, date: 0, chat: { id: eve, type: 'private' }, text: 'x' },
      chat_instance: '1',
      data: `v1:notme:${id}`,
    },
  });

  expect(await isAlive(server, session)).toBe(true);
});

test('a second press finds the session ended, and still leads to a new password', async () => {
  const bot = await startWithAda();
  const { server, api } = bot;
  const { access_token: theirs } = await logIn(server);
  await server.call(logout, {}, { token: theirs });

  const notice = await press(bot, ada);

  expect(notice && api.show(notice)?.text).toMatch(/^That device is logged out already\./);
});

test('five messages a day at most, whatever happens; the next day they go on', async () => {
  const bot = await startWithAda();
  for (let count = 0; count < 8; count += 1) {
    await logIn(bot.server);
  }
  expect(bot.told()).toHaveLength(5);

  bot.server.wait(day + 1000);
  await logIn(bot.server);

  expect(bot.told()).toHaveLength(6);
});

test('a changed password is told, and its button ends the session that has changed it', async () => {
  const bot = await startWithAda();
  const { server, token } = bot;
  await server.call(
    changePassword,
    { current_password: goodPassword, new_password: 'eight loud badgers' },
    { token, headers: fromElsewhere },
  );
  await server.services.accountEvents.settled();
  expect(bot.told().at(-1)?.text).toBe(
    'Your password was changed: Chrome on Windows, 203.0.113.*, 21 Nov 2026, 12:00 UTC.',
  );

  await press(bot, ada);

  expect(await isAlive(server, token)).toBe(false);
});

test('a password that was reset is one message, not two', async () => {
  const bot = await startWithAda();
  const { server, api } = bot;
  const { body } = await server.call(requestPasswordReset, { telegram_id });
  const { attempt } = v.parse(v.looseObject({ attempt: v.string() }), body);
  await expect.poll(() => api.messages.at(-1)?.text).toMatch(/new password/);
  const otp_code = api.lastCode(ada);
  const reset = { telegram_id, otp_code, attempt, new_password: 'eight loud badgers' };
  expect((await server.call(resetPassword, reset)).status).toBe(200);
  await server.services.accountEvents.settled();

  expect(bot.told().map(({ text }) => text.split(':')[0])).toEqual(['Your password was changed']);
});

test('passkeys and links are told by their names', async () => {
  const bot = await startWithAda();
  const { accountEvents } = bot.server.services;
  const event = { telegramId: ada, caller: { address: '203.0.113.77', userAgent: chrome } };

  await accountEvents.record({ ...event, kind: 'passkey_added', detail: 'Phone' });
  await accountEvents.record({ ...event, kind: 'passkey_removed', detail: 'Phone' });
  await accountEvents.record({ ...event, kind: 'linked', detail: 'Spotify' });
  await accountEvents.settled();

  expect(new Set(bot.told().map(({ text }) => text.split(':')[0]))).toEqual(
    new Set([
      'Spotify was linked to your account',
      'The passkey “Phone” was added to your account',
      'The passkey “Phone” was removed from your account',
    ]),
  );
});

test('the message is in the language that the user has chosen', async () => {
  const bot = await startWithAda({ languages: standInLanguages('de') });
  const { server, token } = bot;
  await server.call(setAccountLanguage, { language: 'de' }, { token });

  await logIn(server);

  expect(bot.told().at(-1)?.text).toMatch(/^<de>noticeTexts\.login .*21\. Nov\. 2026, 12:00 UTC/);
});

test('a login does not wait for Telegram, and succeeds when Telegram fails', async () => {
  const bot = await startWithAda();
  const { server, api } = bot;
  let release: () => void = () => undefined;
  api.hold('sendMessage', new Promise<void>((resolve) => (release = resolve)));

  const reply = await server.call(login, { telegram_id, password: goodPassword });
  expect(reply.status).toBe(200);
  release();
  await server.services.accountEvents.settled();

  api.failAll({ error_code: 502, description: 'Bad Gateway' });
  expect((await server.call(login, { telegram_id, password: goodPassword })).status).toBe(200);
  await server.services.accountEvents.settled();
  expect(server.logLines.join('\n')).toContain('Could not tell a user what happened');
});

test('a bot that hears no presses links to the account page instead', async () => {
  const bot = await startWithAda();
  const { api } = bot;
  const silent = await createTestServer({
    database: bot.server.database,
    telegram: bot.server.deps.telegram,
    variables: { ...variables, BOT_TOKEN: api.token, BOT_MODE: 'off' },
  });

  await logIn(silent);

  expect(JSON.stringify(bot.told().at(-1)?.body)).toContain('https://nori.example/account');
});

test('without a bot the console says it, with the address of the account page where there is one', async () => {
  const server = await createTestServer({ variables });
  onTestFinished(server.close);
  await server.signUp(ada);
  await logIn(server);
  const plain = await createTestServer();
  onTestFinished(plain.close);
  await plain.signUp(ada);
  await logIn(plain);

  expect(server.inbox.at(-1)?.text).toMatch(/^New login: .* https:\/\/nori\.example\/account$/s);
  expect(plain.inbox.at(-1)?.text).toMatch(/there is nothing to do\.$/);
});
