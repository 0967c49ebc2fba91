/** Adding and removing passkeys, and what proves that the user of a session is present. */

import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { deleteAccount } from '#contract/endpoints/account';
import {
  addPasskey,
  passkeyLimits,
  removePasskey,
  requestConfirmationCode,
  requestPasskey,
  requestPasskeyProof,
} from '#contract/endpoints/passkeys';
import { requestPasswordReset, resetPassword } from '#contract/endpoints/password-reset';
import { login } from '#contract/endpoints/session';
import { signLaunchData } from '#tests/launch-data';
import {
  addPasskeyTo,
  countStatuses,
  createAuthenticator,
  isAlive,
  readPasskeys,
  logInBy,
  tokenIn,
  withPasskey,
} from '#tests/passkeys';
import {
  ada,
  adaId,
  anotherThan,
  createTestServer,
  goodPassword,
  minute,
  type TestServer,
} from '#tests/test-server';

const mallory = 666_666_666;
const botToken = '123456789:a-token-of-a-bot-that-tests-use-0000';
const proof = { password: goodPassword };
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0 Safari';

describe('adding', () => {
  test('a passkey has the name that was typed, or that of the device', async () => {
    const server = await createTestServer();
    const token = await server.signUp(ada);
    const headers = { 'User-Agent': chrome };

    const named = await addPasskeyTo(server, createAuthenticator(), {
      token,
      name: '  My \n phone ',
    });
    const unnamed = await addPasskeyTo(server, createAuthenticator(), { token, headers, name: '' });

    expect(named).toMatchObject({ status: 201, body: { name: 'My phone' } });
    expect(unnamed).toMatchObject({ status: 201, body: { name: 'Chrome on Windows' } });
    expect((await readPasskeys(server, token)).map(({ name }) => name).toSorted()).toEqual([
      'Chrome on Windows',
      'My phone',
    ]);
    const tooLong = await addPasskeyTo(server, createAuthenticator(), {
      token,
      name: 'x'.repeat(passkeyLimits.nameLength + 1),
    });
    expect(tooLong.status).toBe(422);
  });

  test('ends no session, and is in the list of what happened', async () => {
    const { server, token } = await withPasskey();
    const elsewhere = tokenIn(
      await server.call(login, { telegram_id: adaId, password: goodPassword }),
    );

    await addPasskeyTo(server, createAuthenticator(), { token, name: 'Second' });

    expect(await isAlive(server, elsewhere)).toBe(true);
    const events = await server.db.selectFrom('account_events').selectAll().execute();
    expect(
      events.filter(({ kind }) => kind === 'passkey_added').map(({ detail }) => detail),
    ).toEqual(expect.arrayContaining(['My phone', 'Second']));
    expect(server.securityLines.join('')).not.toContain('My phone');
  });

  test('the options hide the ID of the user, and leave no second passkey on a device', async () => {
    const { server, token, authenticator } = await withPasskey();

    const { body } = await server.call(requestPasskey, { proof }, { token });

    const { options } = v.parse(requestPasskey.output, body);
    expect(Buffer.from(options.user.id, 'base64url').toString('latin1')).not.toContain(adaId);
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32);
    expect(options.authenticatorSelection).toEqual({
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    });
    expect(() => authenticator.create(options)).toThrow('InvalidStateError');
  });

  test.each([
    ['a page of another site', { origin: 'https://nori.evil.example' }],
    ['another domain', { rpId: 'evil.example' }],
    ['no fingerprint, face or PIN', { isUserVerified: false }],
    ['a login', { type: 'webauthn.get' }],
    ['a challenge of no user', { challenge: Buffer.alloc(32).toString('base64url') }],
  ])('what was made for %s is refused', async (_what, forgery) => {
    const server = await createTestServer();
    const token = await server.signUp(ada);

    const reply = await addPasskeyTo(server, createAuthenticator(), { token, forgery });

    expect(reply).toMatchObject({ status: 403, body: { code: 'passkey_refused' } });
    expect(await readPasskeys(server, token)).toEqual([]);
  });

  test('a stolen session alone adds nothing', async () => {
    const { server, token, authenticator } = await withPasskey();
    const own = createAuthenticator();

    const without = await server.call(requestPasskey, { proof: {} }, { token });
    const wrong = await addPasskeyTo(server, own, { token, proof: { password: 'a guess' } });
    const guessed = await addPasskeyTo(server, own, { token, proof: { otp_code: '000000' } });
    // Made for a challenge of another purpose, the only ones that a session gets without a proof.
    const asked = await server.call(requestPasskeyProof, {}, { token });
    const { challenge } = v.parse(requestPasskeyProof.output, asked.body).options;
    const { options } = v.parse(
      requestPasskey.output,
      (await server.call(requestPasskey, { proof: { password: goodPassword } }, { token })).body,
    );
    const response = own.create({ ...options, challenge });
    const smuggled = await server.call(addPasskey, { response }, { token });

    expect(without.status).toBe(422);
    expect(wrong).toMatchObject({ status: 403, body: { code: 'wrong_password' } });
    expect(guessed).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
    expect(smuggled).toMatchObject({ status: 403, body: { code: 'passkey_refused' } });
    expect(await readPasskeys(server, token)).toHaveLength(1);
    expect((await logInBy(server, authenticator)).status).toBe(200);
  });

  test('options of one user add nothing for another', async () => {
    const server = await createTestServer();
    const token = await server.signUp(ada);
    const theirs = await server.signUp(mallory);
    const asked = await server.call(requestPasskey, { proof }, { token: theirs });
    const { options } = v.parse(requestPasskey.output, asked.body);
    const response = createAuthenticator().create(options);

    const reply = await server.call(addPasskey, { response }, { token });

    expect(reply).toMatchObject({ status: 403, body: { code: 'passkey_refused' } });
  });

  test('a passkey that is known already is not added to another account', async () => {
    const { server, token, authenticator } = await withPasskey();
    const theirs = await server.signUp(mallory);
    const copy = createAuthenticator();
    const asked = await server.call(requestPasskey, { proof }, { token: theirs });
    const response = copy.create(v.parse(requestPasskey.output, asked.body).options);
    const [known] = authenticator.stored;
    const id = known?.id ?? '';

    // The ID outside differs from the signed one, as an attacker would send it.
    const reply = await server.call(
      addPasskey,
      { response: { ...response, id, rawId: id } },
      { token: theirs },
    );

    expect(reply).toMatchObject({ status: 403, body: { code: 'passkey_refused' } });
    expect(await readPasskeys(server, token)).toHaveLength(1);
    expect((await logInBy(server, authenticator)).body).toMatchObject({ telegram_id: adaId });
  });

  test('the eleventh is refused, also when several are added at the same time', async () => {
    const server = await createTestServer();
    const token = await server.signUp(ada);
    for (let index = 1; index < passkeyLimits.perUser; index += 1) {
      await addPasskeyTo(server, createAuthenticator(), { token });
    }

    const replies = await Promise.all([
      addPasskeyTo(server, createAuthenticator(), { token }),
      addPasskeyTo(server, createAuthenticator(), { token }),
    ]);
    const late = await addPasskeyTo(server, createAuthenticator(), { token });

    expect(countStatuses(replies)).toEqual({ 201: 1, 409: 1 });
    expect(late).toMatchObject({ status: 409, body: { code: 'too_many_passkeys' } });
    expect(await readPasskeys(server, token)).toHaveLength(passkeyLimits.perUser);
  });
});

describe('removing', () => {
  test('needs a proof, and is in the list of what happened', async () => {
    const { server, token } = await withPasskey();
    const [passkey] = await readPasskeys(server, token);
    const id = passkey?.id ?? '';

    const without = await server.call(removePasskey, { id, proof: { password: '' } }, { token });
    const wrong = await server.call(removePasskey, { id, proof: { password: 'no' } }, { token });
    expect([without.status, wrong.status]).toEqual([422, 403]);
    expect(await readPasskeys(server, token)).toHaveLength(1);
    const reply = await server.call(removePasskey, { id, proof }, { token });

    expect(reply.status).toBe(204);
    expect(await readPasskeys(server, token)).toEqual([]);
    const events = await server.db.selectFrom('account_events').selectAll().execute();
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'passkey_removed', detail: 'My phone' }),
    );
  });

  test('removes nothing of another user, whatever ID is sent', async () => {
    const { server, token, authenticator } = await withPasskey();
    const theirs = await server.signUp(mallory);
    const [passkey] = await readPasskeys(server, token);

    for (const id of [passkey?.id ?? '', authenticator.stored[0]?.id ?? '']) {
      const reply = await server.call(removePasskey, { id, proof }, { token: theirs });
      expect(reply.status).toBe(204);
    }

    expect(await readPasskeys(server, theirs)).toEqual([]);
    expect((await logInBy(server, authenticator)).status).toBe(200);
  });

  test('a passkey of another user proves nothing', async () => {
    const { server, token } = await withPasskey();
    const theirs = await server.signUp(mallory);
    const own = createAuthenticator();
    await addPasskeyTo(server, own, { token: theirs });
    const asked = await server.call(requestPasskeyProof, {}, { token });
    const { options } = v.parse(requestPasskeyProof.output, asked.body);
    const passkey = own.get({ ...options, allowCredentials: [] });

    const reply = await server.call(deleteAccount, { passkey }, { token });

    expect(reply).toMatchObject({ status: 403, body: { code: 'passkey_unknown' } });
    expect(await isAlive(server, token)).toBe(true);
  });
});

describe('a code of the bot', () => {
  async function askForCode(server: TestServer, token: string) {
    const reply = await server.call(requestConfirmationCode, {}, { token });
    return { reply, code: server.readCode(ada) };
  }

  test('replaces a lost passkey, and says what it is for', async () => {
    const { server, token, authenticator } = await withPasskey();
    const [lost] = await readPasskeys(server, token);
    const { reply, code } = await askForCode(server, token);

    expect(reply.status).toBe(202);
    expect(server.inbox.at(-1)?.text).toContain('add or remove a passkey, or delete your account');
    const removed = await server.call(
      removePasskey,
      { id: lost?.id ?? '', proof: { otp_code: code } },
      { token },
    );
    server.wait(minute);
    const next = await askForCode(server, token);
    const fresh = createAuthenticator();
    const added = await addPasskeyTo(server, fresh, { token, proof: { otp_code: next.code } });

    expect([removed.status, added.status]).toEqual([204, 201]);
    expect((await logInBy(server, authenticator)).status).toBe(403);
    expect((await logInBy(server, fresh)).status).toBe(200);
  });

  test('is valid once, for five minutes, and only in the session that asked', async () => {
    const { server, token } = await withPasskey();
    const elsewhere = tokenIn(
      await server.call(login, { telegram_id: adaId, password: goodPassword }),
    );
    const { code } = await askForCode(server, token);
    const use = (otp_code: string, by = token) =>
      server.call(requestPasskey, { proof: { otp_code } }, { token: by });

    expect((await use(code, elsewhere)).status).toBe(400);
    expect((await use(code)).status).toBe(200);
    expect((await use(code)).status).toBe(400);
    server.wait(minute);
    const late = await askForCode(server, token);
    server.wait(5 * minute);
    expect((await use(late.code)).status).toBe(400);
  });

  test('guesses burn it, and no session of the user is locked by them', async () => {
    const { server, token } = await withPasskey();
    const { code } = await askForCode(server, token);
    for (let step = 1; step <= 5; step += 1) {
      const guess = { otp_code: anotherThan(code, step) };
      expect((await server.call(deleteAccount, guess, { token })).status).toBe(400);
    }

    expect((await server.call(deleteAccount, { otp_code: code }, { token })).status).toBe(400);
    expect(await isAlive(server, token)).toBe(true);
    expect((await server.call(deleteAccount, proof, { token })).status).toBe(204);
  });

  test('is sent at most ten times a day, and uses up no code of another purpose', async () => {
    const { server, token } = await withPasskey();
    const statuses = [];
    for (let index = 0; index < 11; index += 1) {
      statuses.push((await server.call(requestConfirmationCode, {}, { token })).status);
      server.wait(minute);
    }

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 202), 429]);
    expect((await server.call(requestPasswordReset, { telegram_id: adaId })).status).toBe(202);
  });

  test('is for logged-in users only', async () => {
    const server = await createTestServer();

    expect((await server.call(requestConfirmationCode, {})).status).toBe(401);
  });
});

describe('launch data', () => {
  const signLaunch = (server: TestServer, id: number, ageMs = 0) =>
    signLaunchData({ user: { id }, signedAt: server.now() - ageMs, botToken });

  test('of the last hour and of the same user is a proof', async () => {
    const { server, token } = await withPasskey({ variables: { BOT_TOKEN: botToken } });
    const use = (init_data: string) =>
      server.call(requestPasskey, { proof: { init_data } }, { token });
    const tooOld = { status: 403, body: { code: 'launch_too_old' } };

    expect(await use(signLaunch(server, ada, 61 * minute))).toMatchObject(tooOld);
    expect(await use(signLaunch(server, mallory))).toMatchObject(tooOld);
    expect(await use('user=%7B%22id%22%3A123456789%7D&hash=00')).toMatchObject(tooOld);
    expect((await use(signLaunch(server, ada))).status).toBe(200);
    const deleted = await server.call(
      deleteAccount,
      { init_data: signLaunch(server, ada) },
      { token },
    );
    expect(deleted.status).toBe(204);
  });
});

test('a new password without the old one removes passkeys: an intruder may have added them', async () => {
  const { server, authenticator } = await withPasskey();
  const before = server.inbox.length;
  const asked = await server.call(requestPasswordReset, { telegram_id: adaId });
  await expect.poll(() => server.inbox.length).toBe(before + 1);
  const { attempt } = v.parse(v.object({ attempt: v.string() }), asked.body);

  const reset = await server.call(resetPassword, {
    telegram_id: adaId,
    otp_code: server.readCode(ada),
    attempt,
    new_password: 'nine patient herons',
  });

  expect(await readPasskeys(server, tokenIn(reset))).toEqual([]);
  expect(await logInBy(server, authenticator)).toMatchObject({ status: 403 });
});

test('wrong tries of a stolen session lock no other session out', async () => {
  const { server, token } = await withPasskey();
  const stolen = tokenIn(await server.call(login, { telegram_id: adaId, password: goodPassword }));
  const statuses = [];
  for (let index = 0; index < 12; index += 1) {
    const guess = { password: `guess ${index}` };
    statuses.push((await server.call(deleteAccount, guess, { token: stolen })).status);
  }

  expect(statuses.at(0)).toBe(403);
  expect(statuses.at(-1)).toBe(429);
  expect((await server.call(deleteAccount, proof, { token })).status).toBe(204);
});
