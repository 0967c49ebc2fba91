/** An account whose password another person has chosen, or that its owner has forgotten. */
import { sql } from 'kysely';
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';

import { changePassword, deleteAccount } from '#contract/endpoints/account';
import {
  requestPasswordReset,
  resetPassword,
  resetPasswordWithTelegram,
} from '#contract/endpoints/password-reset';
import { login, loginWithTelegram, readMe } from '#contract/endpoints/session';
import { createAccountRepository } from '#server/db/accounts';
import { openDatabase } from '#server/db/client';
import { createPasswordHasher } from '#server/lib/password-hasher';
import { signLaunchData } from '#tests/launch-data';
import { startPostgres } from '#tests/postgres';
import {
  ada,
  adaId,
  anotherThan,
  createTestServer,
  goodPassword,
  minute,
  openTestDatabase,
  registerAs,
  type TestServer,
  verify,
} from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const chosenByAnother = 'a thief chose this one';
const chosenByAda = 'nine patient herons';
const botToken = '123456789:a-token-of-a-bot-that-tests-use-0000';

const logIn = (server: TestServer, password: string) =>
  server.call(login, { telegram_id: adaId, password });

const tokenIn = ({ body }: { body: unknown }) =>
  v.parse(v.object({ access_token: v.string() }), body).access_token;

const isAlive = async (server: TestServer, token: string) =>
  (await server.call(readMe, {}, { token })).status === 200;

/** Asks for a code, and returns it with the attempt that it belongs to. */
async function askForCode(server: TestServer, telegram_id = adaId) {
  const before = server.inbox.length;
  const reply = await server.call(requestPasswordReset, { telegram_id });
  await expect.poll(() => server.inbox.length).toBe(before + 1);
  const { attempt } = v.parse(v.object({ attempt: v.string() }), reply.body);
  return { reply, attempt, code: server.readCode(Number(telegram_id)) };
}

describe('another person registers the ID first', () => {
  test('a code that is entered without the attempt does not confirm their password', async () => {
    const server = await createTestServer();
    const { code } = await registerAs(server, chosenByAnother, 'mallory@example.org');

    const verified = await verify(server, code);

    expect(verified.status).toBe(200);
    expect(await isAlive(server, tokenIn(verified))).toBe(true);
    const theirs = await logIn(server, chosenByAnother);
    const unknown = await server.call(login, { telegram_id: '999', password: chosenByAnother });
    expect(theirs.status).toBe(401);
    expect(theirs.body).toEqual(unknown.body);
    const me = await server.call(readMe, {}, { token: tokenIn(verified) });
    expect(me.body).toMatchObject({ has_password: false });
  });

  test('the owner, in by launch data, sets a password, and the other one is out for good', async () => {
    const server = await createTestServer({ variables: { BOT_TOKEN: botToken } });
    const { code, attempt } = await registerAs(server, chosenByAnother, 'mallory@example.org');
    await verify(server, code, attempt);
    const theirs = tokenIn(await logIn(server, chosenByAnother));
    const init_data = signLaunchData({ user: { id: ada }, signedAt: server.now(), botToken });
    const mine = tokenIn(await server.call(loginWithTelegram, { init_data }));

    const reset = await server.call(resetPasswordWithTelegram, {
      init_data,
      new_password: chosenByAda,
    });

    expect(reset.status).toBe(200);
    expect(await isAlive(server, theirs)).toBe(false);
    expect(await isAlive(server, mine)).toBe(false);
    expect(await isAlive(server, tokenIn(reset))).toBe(true);
    expect((await logIn(server, chosenByAnother)).status).toBe(401);
    expect((await logIn(server, chosenByAda)).status).toBe(200);
  });
});

test('the browser that registered confirms the password that it sent', async () => {
  const server = await createTestServer();
  const token = await server.signUp(ada);

  expect((await logIn(server, goodPassword)).status).toBe(200);
  expect((await server.call(readMe, {}, { token })).body).toMatchObject({ has_password: true });
});

describe('a forgotten password', () => {
  test('is replaced with a code by the bot, and all sessions end', async () => {
    const server = await createTestServer();
    const before = await server.signUp(ada);
    const { attempt, code } = await askForCode(server);

    const reset = await server.call(resetPassword, {
      telegram_id: adaId,
      otp_code: code,
      attempt,
      new_password: chosenByAda,
    });
    const again = await server.call(resetPassword, {
      telegram_id: adaId,
      otp_code: code,
      attempt,
      new_password: chosenByAnother,
    });

    expect(reset.status).toBe(200);
    expect(await isAlive(server, before)).toBe(false);
    expect(await isAlive(server, tokenIn(reset))).toBe(true);
    expect((await logIn(server, goodPassword)).status).toBe(401);
    expect((await logIn(server, chosenByAda)).status).toBe(200);
    expect(again).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
  });

  test('the answer is the same for an ID without an account, and nothing is sent there', async () => {
    const server = await createTestServer();
    await server.signUp(ada);
    const known = await askForCode(server);
    const messages = server.inbox.length;

    const unknown = await server.call(requestPasswordReset, { telegram_id: '999' });
    const { attempt, ...answer } = v.parse(
      v.object({ attempt: v.string(), message: v.string() }),
      unknown.body,
    );
    const guessed = await server.call(resetPassword, {
      telegram_id: '999',
      otp_code: '123456',
      attempt,
      new_password: chosenByAda,
    });

    expect(unknown.status).toBe(known.reply.status);
    expect(known.reply.body).toMatchObject(answer);
    expect(guessed).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
    expect(server.inbox).toHaveLength(messages);
  });

  test('the server does the same for an ID with an account and for one without', async () => {
    const statements: string[] = [];
    const database = openDatabase({ onStatement: (text) => void statements.push(text) });
    const server = await createTestServer({ database });
    await server.signUp(ada);

    statements.length = 0;
    await askForCode(server);
    const known = [...statements];
    statements.length = 0;
    await server.call(requestPasswordReset, { telegram_id: '999' });

    expect(known.length).toBeGreaterThan(0);
    await expect.poll(() => statements).toEqual(known);
  });

  describe('while another person is using the old password', () => {
    /** The password is right, and what follows waits for `finish`. */
    async function startSlowly() {
      const hasher = createPasswordHasher({ memory: 8, passes: 1 });
      let isHeld = false;
      const { promise: held, resolve: finish } = Promise.withResolvers<void>();
      const { promise: checked, resolve: hold } = Promise.withResolvers<void>();
      const verifySlowly = async (password: string, hash: string) => {
        const isRight = await hasher.verify(password, hash);
        if (isHeld) {
          hold();
          await held;
        }
        return isRight;
      };
      const server = await createTestServer({ hasher: { ...hasher, verify: verifySlowly } });
      const token = await server.signUp(ada);
      isHeld = true;
      return { server, token, checked, finish };
    }

    async function reset(server: TestServer) {
      const { attempt, code: otp_code } = await askForCode(server);
      const input = { telegram_id: adaId, otp_code, attempt, new_password: chosenByAda };
      return server.call(resetPassword, input);
    }

    test('a login of theirs that is under way opens no session', async () => {
      const { server, checked, finish } = await startSlowly();
      const theirs = logIn(server, goodPassword);
      await checked;

      const mine = await reset(server);
      finish();

      expect(await theirs).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } });
      expect(await isAlive(server, tokenIn(mine))).toBe(true);
    });

    test('a change of theirs that is under way sets no password', async () => {
      const { server, token, checked, finish } = await startSlowly();
      const change = { current_password: goodPassword, new_password: chosenByAnother };
      const theirs = server.call(
        changePassword,
        { ...change, end_other_sessions: true },
        { token },
      );
      await checked;

      const mine = await reset(server);
      finish();

      expect(await theirs).toMatchObject({ body: { code: 'wrong_password' } });
      expect(await isAlive(server, tokenIn(mine))).toBe(true);
      expect((await logIn(server, chosenByAnother)).status).toBe(401);
      expect((await logIn(server, chosenByAda)).status).toBe(200);
    });
  });

  test('five wrong codes end the code, with one count for all of them', async () => {
    const server = await createTestServer();
    await server.signUp(ada);
    const { attempt, code } = await askForCode(server);
    const guess = (otp_code: string, by = attempt) =>
      server.call(resetPassword, {
        telegram_id: adaId,
        otp_code,
        attempt: by,
        new_password: chosenByAnother,
      });

    for (let step = 1; step <= 20; step += 1) {
      await guess(anotherThan(code, step), 'made-up.attempt.AAAA');
    }
    for (let step = 1; step <= 5; step += 1) {
      expect((await guess(anotherThan(code, step))).status).toBe(400);
    }
    expect((await guess(code)).status).toBe(400);
    expect((await logIn(server, goodPassword)).status).toBe(200);
  });

  test('strangers without the attempt use up none of its tries', async () => {
    const server = await createTestServer();
    await server.signUp(ada);
    const { attempt, code } = await askForCode(server);
    const set = (otp_code: string, by: string) =>
      server.call(resetPassword, {
        telegram_id: adaId,
        otp_code,
        attempt: by,
        new_password: chosenByAda,
      });

    for (let step = 1; step <= 20; step += 1) {
      await set(anotherThan(code, step), 'made-up.attempt.AAAA');
    }

    expect((await set(code, attempt)).status).toBe(200);
  });

  test('a weak password uses up no code, and an expired code sets none', async () => {
    const server = await createTestServer();
    await server.signUp(ada);
    const first = await askForCode(server);
    const set = (otp_code: string, attempt: string, new_password: string) =>
      server.call(resetPassword, { telegram_id: adaId, otp_code, attempt, new_password });

    expect(await set(first.code, first.attempt, 'password1')).toMatchObject({
      status: 422,
      body: { code: 'weak_password' },
    });
    expect((await set(first.code, first.attempt, chosenByAda)).status).toBe(200);

    server.wait(minute + 1);
    const second = await askForCode(server);
    server.wait(5 * minute + 1);
    expect((await set(second.code, second.attempt, chosenByAnother)).status).toBe(400);
  });

  test('codes are limited to one a minute and ten a day', async () => {
    const server = await createTestServer();
    await server.signUp(ada);
    const request = () => server.call(requestPasswordReset, { telegram_id: adaId });

    const first = await request();
    const second = await request();
    server.wait(minute);
    for (let count = 2; count <= 10; count += 1) {
      expect((await request()).status).toBe(202);
      server.wait(minute);
    }
    const eleventh = await request();

    expect(first.status).toBe(202);
    expect(second).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(eleventh).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  });

  test('a code to register does not set a password, and the other way round', async () => {
    const server = await createTestServer();
    const registration = await registerAs(server);

    const reset = await server.call(resetPassword, {
      telegram_id: adaId,
      otp_code: registration.code,
      attempt: registration.attempt,
      new_password: chosenByAnother,
    });

    expect(reset).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
    expect((await verify(server, registration.code, registration.attempt)).status).toBe(200);
  });

  test('an account that is deleted meanwhile gets no password', async () => {
    const server = await createTestServer();
    const token = await server.signUp(ada);
    const { attempt, code } = await askForCode(server);
    await server.call(deleteAccount, { password: goodPassword }, { token });

    const reset = await server.call(resetPassword, {
      telegram_id: adaId,
      otp_code: code,
      attempt,
      new_password: chosenByAda,
    });

    expect(reset).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
  });
});

describe('launch data', () => {
  async function start() {
    const server = await createTestServer({ variables: { BOT_TOKEN: botToken } });
    await server.signUp(ada);
    const set = (init_data: string) =>
      server.call(resetPasswordWithTelegram, { init_data, new_password: chosenByAda });
    return { server, set };
  }

  test('older than an hour sets no password', async () => {
    const { server, set } = await start();
    const init_data = signLaunchData({
      user: { id: ada },
      signedAt: server.now() - 61 * minute,
      botToken,
    });

    expect(await set(init_data)).toMatchObject({
      status: 401,
      body: { code: 'invalid_launch_data' },
    });
    expect((await logIn(server, goodPassword)).status).toBe(200);
  });

  test('of another bot, and of a user without an account, sets none', async () => {
    const { server, set } = await start();
    const at = server.now();

    const forged = await set(
      signLaunchData({ user: { id: ada }, signedAt: at, botToken: '1:another-token' }),
    );
    const unknown = await set(signLaunchData({ user: { id: 999 }, signedAt: at, botToken }));

    expect(forged.status).toBe(401);
    expect(unknown).toMatchObject({ status: 404, body: { code: 'no_account' } });
    expect((await logIn(server, goodPassword)).status).toBe(200);
  });
});

test.runIf(postgres !== undefined)(
  'on PostgreSQL a session waits for a new password that is being stored, and does not begin',
  async () => {
    const database = await openTestDatabase(postgres?.url);
    const server = await createTestServer({ database });
    await server.signUp(ada);
    const accounts = createAccountRepository(database.db);
    const old = (await accounts.find(ada))?.passwordHash;
    const countWaiting = async () => {
      const waiting = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
      return (await waiting.execute(database.db)).rows.length;
    };

    const { outcome } = await database.db.transaction().execute(async (tx) => {
      await createAccountRepository(tx).setPasswordHash(ada, 'another');
      // Caught at once, because the refusal may arrive before the answer to the commit.
      const starting = server.services.sessions
        .start(ada, { address: '', userAgent: undefined }, { passwordHash: old })
        .catch(String);
      await expect.poll(countWaiting).toBe(1);
      return { outcome: starting };
    });

    expect(await outcome).toBe('AppError: wrong_credentials');
  },
);
