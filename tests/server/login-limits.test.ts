/** What wrong passwords count against, the code beside the password, and links that have the bot send a code. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { changePassword, register, verifyOtp } from '#contract/endpoints/account';
import { requestPasswordReset, resetPassword } from '#contract/endpoints/password-reset';
import { login, readMe, requestLoginCode } from '#contract/endpoints/session';
import { readCapabilities } from '#contract/endpoints/site';
import { openDatabase } from '#server/db/client';
import { signLaunchData } from '#tests/launch-data';
import { startBot, type TestBot } from '#tests/test-bot';
import {
  ada,
  adaId,
  anotherThan,
  createTestServer,
  goodPassword,
  minute,
  registerAs,
  type Reply,
  type TestServer,
  verify,
} from '#tests/test-server';

const bob = 777;
const wrong = 'not the password';
const botToken = '123456789:a-token-of-a-bot-that-tests-use-0000';

const startServer = (variables: Record<string, string> = {}) =>
  createTestServer({ variables: { TRUST_PROXY: '1', ...variables } });

type Login = {
  readonly id?: number;
  readonly password?: string;
  readonly device?: string | undefined;
  readonly from?: string;
};

const at = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

function logIn(
  server: TestServer,
  { id = ada, password = goodPassword, device, from = '203.0.113.7' }: Login = {},
): Promise<Reply> {
  return server.call(login, { telegram_id: String(id), password, device }, at(from));
}

const readDevice = ({ body }: Reply) => v.parse(login.output, body).device;
const readAttempt = ({ body }: Reply) => v.parse(requestLoginCode.output, body).attempt ?? '';

const requested = v.object({
  attempt: v.string(),
  start_param: v.string(),
  is_sent: v.boolean(),
});

async function registerByBot(server: TestServer, id: number) {
  const details = { email: 'ada@example.org', password: goodPassword };
  const { body } = await server.call(register, { telegram_id: String(id), ...details });
  return v.parse(requested, body);
}

async function signUpByBot({ server, api }: TestBot, id: number): Promise<Reply> {
  const { attempt } = await registerByBot(server, id);
  const code = { telegram_id: String(id), otp_code: api.lastCode(id), attempt };
  return server.call(verifyOtp, code);
}

/** Wrong passwords from as many addresses, all at once. */
function guessFromEverywhere(server: TestServer, count: number, id = ada): Promise<Reply[]> {
  return Promise.all(
    Array.from({ length: count }, (_none, index) =>
      logIn(server, { id, password: wrong, from: `198.51.100.${index + 1}` }),
    ),
  );
}

const readStatuses = (replies: readonly Reply[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(replies, ({ status }) => String(status))).map(
      ([status, found]) => [status, found?.length],
    ),
  );

describe('wrong passwords', () => {
  test('of one address do not count for another', async () => {
    const server = await startServer();
    await server.signUp(ada);
    for (let count = 1; count <= 10; count += 1) {
      await logIn(server, { password: wrong, from: '198.51.100.7' });
    }

    expect((await logIn(server, { from: '198.51.100.7' })).status).toBe(429);
    expect((await logIn(server, { from: '203.0.113.7' })).status).toBe(200);
  });

  test('of a known device count for it alone, be it at any address', async () => {
    const server = await startServer();
    await server.signUp(ada);
    const device = readDevice(await logIn(server));
    for (let count = 1; count <= 10; count += 1) {
      await logIn(server, { password: wrong, device, from: `198.51.100.${count}` });
    }

    const onDevice = await logIn(server, { device });
    expect(onDevice.status).toBe(429);
    expect((await logIn(server)).status).toBe(200);
    server.wait(15 * minute);
    const later = await logIn(server, { device });
    expect(readDevice(later)).toBe(device);
  });

  test('with the device of another user, or a made-up one, count as those of a stranger', async () => {
    const server = await startServer();
    await server.signUp(ada);
    await server.signUp(bob);
    const foreign = readDevice(await logIn(server, { id: bob }));
    await guessFromEverywhere(server, 100);

    for (const device of [foreign, 'made-up.AAAAAAAAAAAAAAAAAAAAAA', '']) {
      expect(await logIn(server, { device })).toMatchObject({ body: { code: 'code_required' } });
    }
  });

  test('are a hundred a day in all, also when they are tried at the same time', async () => {
    const server = await startServer();
    await server.signUp(ada);

    const replies = await guessFromEverywhere(server, 130);

    expect(readStatuses(replies)).toEqual({ 401: 100, 403: 30 });
    server.wait(24 * 60 * minute);
    expect((await logIn(server)).status).toBe(200);
  });

  test('leave a login by a known device alone, and say the same for every ID and password', async () => {
    const server = await startServer();
    await server.signUp(ada);
    const device = readDevice(await logIn(server));
    await guessFromEverywhere(server, 100);
    await guessFromEverywhere(server, 100, bob);
    const hashings = server.hashings();

    const right = await logIn(server);
    const others = [
      await logIn(server, { password: wrong }),
      await logIn(server, { id: bob }),
      await logIn(server, { id: bob, password: wrong }),
    ];

    expect(right).toMatchObject({
      status: 403,
      body: {
        code: 'code_required',
        detail:
          'Many wrong passwords were tried for this ID today. Log in with a code that the bot sends.',
      },
    });
    for (const other of others) {
      expect(other.status).toBe(403);
      expect(other.body).toEqual(right.body);
    }
    expect(server.hashings()).toBe(hashings);
    expect((await logIn(server, { device })).status).toBe(200);
  });

  test('are seen by their user in one row for an hour, and in the log without an ID', async () => {
    const server = await startServer();
    const token = await server.signUp(ada);
    await guessFromEverywhere(server, 101);
    await guessFromEverywhere(server, 101, bob);

    const events = await server.db
      .selectFrom('account_events')
      .select(['telegram_id', 'times'])
      .where('kind', '=', 'login_failed')
      .execute();
    const log = server.securityLines.join('\n');
    expect(events).toEqual([{ telegram_id: ada, times: 100 }]);
    expect(log).toContain('"event":"login_failed"');
    expect(log).toContain('"event":"login_locked"');
    expect(log).toContain('198.51.100.*');
    expect(log).not.toContain(adaId);
    expect((await server.call(readMe, {}, { token })).status).toBe(200);
  });

  test('in registrations stop at the same number, and leave a known device alone', async () => {
    const bot = await startBot({ variables: { TRUST_PROXY: '1' } });
    const known = await signUpByBot(bot, ada);
    const registerWith = (password: string, from: string) =>
      bot.server.call(register, { telegram_id: adaId, email: 'x@example.org', password }, at(from));
    const early = await registerWith(goodPassword, '203.0.113.1');
    for (let count = 1; count <= 100; count += 1) {
      await registerWith(`${wrong} ${count}`, `198.51.100.${count}`);
    }

    const late = await registerWith(goodPassword, '203.0.113.2');

    expect(early).toMatchObject({ status: 409, body: { code: 'account_exists' } });
    expect(late).toMatchObject({ status: 201, body: { is_sent: false } });
    expect((await logIn(bot.server)).status).toBe(403);
    expect((await logIn(bot.server, { device: readDevice(known) })).status).toBe(200);
  });

  test('of a session count for it alone: strangers keep no one from changing a password', async () => {
    const server = await startServer();
    const one = await server.signUp(ada);
    const { access_token: other } = v.parse(login.output, (await logIn(server)).body);
    await guessFromEverywhere(server, 120);
    const change = (token: string, current_password: string) =>
      server.call(
        changePassword,
        { current_password, new_password: 'nine patient herons' },
        { token },
      );

    for (let count = 1; count <= 10; count += 1) {
      expect((await change(other, wrong)).status).toBe(403);
    }

    expect(await change(other, goodPassword)).toMatchObject({
      status: 429,
      body: { detail: 'Too many wrong passwords. Please try again in 15 minutes.' },
    });
    expect((await change(one, goodPassword)).status).toBe(204);
  });
});

test('the database is asked the same for an ID with an account and for one without', async () => {
  const statements: string[] = [];
  const database = openDatabase({ onStatement: (text) => void statements.push(text) });
  const server = await createTestServer({ database });
  await server.signUp(ada);
  const record = async (call: () => Promise<Reply>) => {
    statements.length = 0;
    await call();
    return [...statements];
  };
  const requestCode = (id: number) =>
    server.call(requestLoginCode, { telegram_id: String(id), password: wrong });

  const known = await record(() => logIn(server, { password: wrong }));
  const knownAsked = await record(() => requestCode(ada));

  expect(known.length).toBeGreaterThan(0);
  expect(await record(() => logIn(server, { id: bob, password: wrong }))).toEqual(known);
  expect(await record(() => requestCode(bob))).toEqual(knownAsked);
});

describe('a code beside the password', () => {
  const askForCode = (server: TestServer, password: string, id = ada) =>
    server.call(requestLoginCode, { telegram_id: String(id), password });

  const loginCodes = ({ inbox }: TestServer) =>
    inbox.filter(({ text }) => text.includes('log in to Nori'));

  test('is sent only to who knows the password, and the answer and the work are the same', async () => {
    const server = await startServer();
    await server.signUp(ada);
    const before = server.hashings();

    const right = await askForCode(server, goodPassword);
    const others = [
      await askForCode(server, wrong),
      await askForCode(server, goodPassword, bob),
      await askForCode(server, wrong, bob),
    ];

    await expect.poll(() => loginCodes(server)).toHaveLength(1);
    expect(right.status).toBe(202);
    for (const other of others) {
      expect(other.status).toBe(202);
      expect({ ...Object(other.body), attempt: '' }).toEqual({
        ...Object(right.body),
        attempt: '',
      });
    }
    expect(server.hashings() - before).toBe(4);
  });

  test('opens the account once, with its attempt and the password, after a hundred wrong ones', async () => {
    const server = await startServer();
    await server.signUp(ada);
    await guessFromEverywhere(server, 100);
    const attempt = readAttempt(await askForCode(server, goodPassword));
    await expect.poll(() => loginCodes(server)).toHaveLength(1);
    const otp_code = server.readCode(ada);
    const enter = (more: { attempt: string; otp_code?: string; password?: string }) =>
      server.call(login, { telegram_id: adaId, password: goodPassword, otp_code, ...more });

    const ofAnother = readAttempt(await askForCode(server, goodPassword, bob));
    expect(await enter({ attempt: ofAnother })).toMatchObject({ body: { code: 'invalid_code' } });
    const guessed = await enter({ attempt, otp_code: anotherThan(otp_code) });
    expect(guessed).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
    expect((await enter({ attempt })).status).toBe(200);
    expect((await enter({ attempt })).status).toBe(400);
  });

  test('is worth nothing without the password, and takes five guesses', async () => {
    const server = await startServer();
    await server.signUp(ada);
    const attempt = readAttempt(await askForCode(server, goodPassword));
    await expect.poll(() => loginCodes(server)).toHaveLength(1);
    const enter = (otp_code: string, password = goodPassword) =>
      server.call(login, { telegram_id: adaId, password, otp_code, attempt });

    for (let step = 1; step <= 5; step += 1) {
      await enter(anotherThan(server.readCode(ada), step));
    }
    expect((await enter(server.readCode(ada))).status).toBe(400);

    const next = readAttempt(await askForCode(server, goodPassword));
    await expect.poll(() => loginCodes(server)).toHaveLength(2);
    const otp_code = server.readCode(ada);
    const input = { telegram_id: adaId, otp_code, attempt: next };
    expect((await server.call(login, { ...input, password: wrong })).status).toBe(401);
  });

  test('is sent ten times a day, and strangers use none of them up', async () => {
    const server = await startServer();
    await server.signUp(ada);
    for (let count = 1; count <= 30; count += 1) {
      await askForCode(server, wrong);
    }
    for (let count = 1; count <= 12; count += 1) {
      await askForCode(server, goodPassword);
      await expect.poll(() => loginCodes(server).length).toBe(Math.min(count, 10));
    }
  });
});

describe('launch data with a registration', () => {
  const registerEleven = async (server: TestServer, launch: () => string) => {
    const statuses = [];
    for (let count = 1; count <= 11; count += 1) {
      const details = { telegram_id: adaId, email: 'x@example.org', password: goodPassword };
      const reply = await server.call(register, { ...details, init_data: launch() });
      statuses.push(reply.status);
      server.wait(minute);
    }
    return statuses;
  };
  const sign = (server: TestServer, id: number, agoMs = 0) =>
    signLaunchData({ user: { id }, botToken, signedAt: server.now() - agoMs });

  test('of the same ID counts apart from strangers, but not without end', async () => {
    const server = await startServer({ BOT_TOKEN: botToken });
    expect((await registerEleven(server, () => sign(server, bob))).at(-1)).toBe(429);

    const own = await registerEleven(server, () => sign(server, ada));

    expect(own).toEqual([...Array(10).fill(201), 429]);
  });

  test.each([
    ['older than an hour', (server: TestServer) => sign(server, ada, 61 * minute)],
    ['that Telegram has not signed', () => 'user=%7B%22id%22%3A123456789%7D&hash=00'],
  ])('%s counts as that of a stranger', async (_case, init_data) => {
    const server = await startServer({ BOT_TOKEN: botToken });
    await registerAs(server);

    const reply = await server.call(register, {
      telegram_id: adaId,
      email: 'x@example.org',
      password: goodPassword,
      init_data: init_data(server),
    });

    expect(reply).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  });
});

test('without a bot that hears Start, the codes of a day are limited as they were', async () => {
  const server = await startServer();
  const { body } = await server.call(readCapabilities, {});
  await registerAs(server);
  const details = { telegram_id: adaId, email: 'x@example.org', password: goodPassword };
  const again = await server.call(register, details);
  await server.call(requestPasswordReset, { telegram_id: adaId });
  const reset = await server.call(requestPasswordReset, { telegram_id: adaId });

  expect(body).not.toMatchObject({ capabilities: expect.arrayContaining(['auth.code-by-start']) });
  expect([again.status, reset.status]).toEqual([429, 429]);
});

describe('a link that has the bot send a code', () => {
  const mallory = 666;

  async function start() {
    const bot = await startBot();
    const open = async (payload: string, from = ada) => {
      await bot.writes(`/start ${payload}`, { from, chatId: from });
      return bot.api.messages.at(-1);
    };
    return { ...bot, open };
  }

  test('of a registration sends it to its own ID only, and says when there is an account', async () => {
    const { server, api, open } = await start();
    expect((await server.call(readCapabilities, {})).body).toMatchObject({
      capabilities: expect.arrayContaining(['auth.code-by-start']),
    });
    const { start_param, attempt } = await registerByBot(server, ada);
    const sent = api.lastCode(ada);

    const foreign = await open(start_param, mallory);
    const own = await open(start_param);
    const otp_code = api.lastCode(ada);
    const old = await verify(server, sent === otp_code ? anotherThan(sent) : sent, attempt);
    const entered = await verify(server, otp_code, attempt);

    expect(start_param).toMatch(/^verify_[\w-]{43}$/);
    expect(foreign?.text).toContain('This link is no longer good, or it is not yours.');
    expect(own?.text).toContain('is the code to create your Nori account');
    expect(own?.body).toMatchObject({ protect_content: true });
    expect(old.status).toBe(400);
    expect(entered.status).toBe(200);
    expect((await open(start_param))?.text).toBe('You already have an account. Please log in.');
  });

  test('of a new password, opened by another person, gives them a code that is worth nothing for it', async () => {
    const bot = await start();
    const { server, api, open } = bot;
    await signUpByBot(bot, ada);
    await signUpByBot(bot, mallory);
    const { body } = await server.call(requestPasswordReset, { telegram_id: adaId });
    const { attempt, start_param } = v.parse(requested, body);
    const set = (id: number, otp_code: string) =>
      server.call(resetPassword, {
        telegram_id: String(id),
        otp_code,
        attempt,
        new_password: 'a thief chose this one',
      });

    const theirs = await open(start_param, mallory);
    const code = api.lastCode(mallory);

    expect(start_param).toMatch(/^reset_[\w-]{43}$/);
    expect(theirs?.text).toContain('is the code to set a new password');
    expect((await set(ada, code)).status).toBe(400);
    expect((await set(mallory, code)).status).toBe(400);
    await open(start_param);
    expect((await set(ada, api.lastCode(ada))).status).toBe(200);
  });

  test('of a new password says when there is no account', async () => {
    const { server, open } = await start();
    const { body } = await server.call(requestPasswordReset, { telegram_id: adaId });
    const answer = await open(v.parse(requested, body).start_param);
    expect(answer?.text).toBe('There is no account for this Telegram user yet.');
  });

  test('sends twenty codes a day', async () => {
    const { server, api, open } = await start();
    const { start_param } = await registerByBot(server, ada);
    const countSent = () =>
      api.messages.filter(({ text }) => text.includes('is the code to create')).length;
    const before = countSent();

    for (let count = 1; count <= 21; count += 1) {
      await open(start_param);
      // The bot answers so many commands in a minute.
      server.wait(minute / 5);
    }

    expect(countSent() - before).toBe(20);
    expect(api.messages.at(-1)?.text).toContain('Too many codes were asked for.');
  });
});
