/** Logging in by passkey, what attackers sign, and the sites that have passkeys. */
import { generateKeyPairSync } from 'node:crypto';
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';

import { deleteAccount } from '#contract/endpoints/account';
import { loginWithPasskey, passkeys, requestPasskeyLogin } from '#contract/endpoints/passkey-login';
import { passkeyLimits, removePasskey, requestPasskeyProof } from '#contract/endpoints/passkeys';
import { readCapabilities } from '#contract/endpoints/site';
import { limits } from '#server/lib/limits';
import { sweep } from '#server/services/maintenance';
import {
  addPasskeyTo,
  askForLogin,
  countStatuses,
  createAuthenticator,
  isAlive,
  readPasskeys,
  logInBy,
  proveBy,
  tokenIn,
  withPasskey,
} from '#tests/passkeys';
import { startPostgres } from '#tests/postgres';
import {
  ada,
  adaId,
  createTestServer,
  goodPassword,
  minute,
  openTestDatabase,
} from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const mallory = 666_666_666;
const proof = { password: goodPassword };

describe('logging in', () => {
  test('a passkey that was added logs its user in, without the ID being typed', async () => {
    const { server, authenticator } = await withPasskey();

    const reply = await logInBy(server, authenticator);

    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ telegram_id: adaId, token_type: 'bearer' });
    expect(await isAlive(server, tokenIn(reply))).toBe(true);
  });

  test('an account without a password works with passkeys alone', async () => {
    const { server, authenticator } = await withPasskey();
    await server.db
      .updateTable('people')
      .set({ password_hash: server.deps.hasher.unmatchableHash })
      .execute();

    const token = tokenIn(await logInBy(server, authenticator));
    const other = createAuthenticator();
    const added = await addPasskeyTo(server, other, {
      token,
      proof: await proveBy(server, authenticator, { token }),
    });
    const deleted = await server.call(deleteAccount, await proveBy(server, other, { token }), {
      token,
    });

    expect(added.status).toBe(201);
    expect(deleted.status).toBe(204);
    expect(await isAlive(server, token)).toBe(false);
  });

  test('an authenticator that does not count works again and again', async () => {
    const server = await createTestServer();
    const token = await server.signUp(ada);
    const synchronised = createAuthenticator({ counts: false });
    await addPasskeyTo(server, synchronised, { token });

    expect((await logInBy(server, synchronised)).status).toBe(200);
    expect((await logInBy(server, synchronised)).status).toBe(200);
  });

  test('the options are the same for everybody: they name no passkey and need no ID', async () => {
    const { server } = await withPasskey();

    const { challenge: one, ...options } = await askForLogin(server);
    const { challenge: other, ...others } = await askForLogin(await createTestServer());

    expect(options).toEqual(others);
    expect(options).toEqual({
      rpId: 'localhost',
      timeout: 5 * minute,
      userVerification: 'required',
      allowCredentials: [],
    });
    expect(one).not.toBe(other);
    expect(Buffer.from(one, 'base64url')).toHaveLength(32);
  });

  test('a passkey that was removed is not known any more', async () => {
    const { server, token, authenticator } = await withPasskey();
    const [passkey] = await readPasskeys(server, token);
    await server.call(removePasskey, { id: passkey?.id ?? '', proof }, { token });

    const reply = await logInBy(server, authenticator);

    expect(reply.status).toBe(403);
    expect(reply.body).toMatchObject({
      code: 'passkey_unknown',
      detail: 'This passkey is not known here. It may have been removed.',
    });
  });

  test('from one address only so many options are given', async () => {
    const server = await createTestServer();
    const { addressPasskeyLogins: limit } = limits;
    await server.services.limiter.tryTake(limit, 'local', limit.max - 1);

    const replies = [
      await server.call(requestPasskeyLogin, {}),
      await server.call(requestPasskeyLogin, {}),
    ];

    expect(replies.map(({ status }) => status)).toEqual([200, 429]);
  });
});

describe('what attackers sign', () => {
  const refused = { status: 403, body: { code: 'passkey_refused' } };

  test('a response that was already used is refused', async () => {
    const { server, authenticator } = await withPasskey();
    const response = authenticator.get(await askForLogin(server));
    expect((await server.call(loginWithPasskey, { response })).status).toBe(200);

    expect(await server.call(loginWithPasskey, { response })).toMatchObject(refused);
  });

  test('of two logins by the same response at the same time, one succeeds', async () => {
    const { server, authenticator } = await withPasskey();
    const response = authenticator.get(await askForLogin(server));

    const replies = await Promise.all([
      server.call(loginWithPasskey, { response }),
      server.call(loginWithPasskey, { response }),
    ]);

    expect(countStatuses(replies)).toEqual({ 200: 1, 403: 1 });
  });

  test('a challenge that the server did not make is refused', async () => {
    const { server, authenticator } = await withPasskey();
    const challenge = Buffer.alloc(32).toString('base64url');

    expect(await logInBy(server, authenticator, { challenge })).toMatchObject(refused);
  });

  test('a challenge that is older than five minutes is refused, and then removed', async () => {
    const { server, authenticator } = await withPasskey();
    const response = authenticator.get(await askForLogin(server));
    server.wait(5 * minute);

    expect(await server.call(loginWithPasskey, { response })).toMatchObject(refused);
    await sweep(server.deps);
    expect(await server.db.selectFrom('passkey_challenges').selectAll().execute()).toEqual([]);
  });

  test('a challenge for a confirmation logs no one in, and one for a login confirms nothing', async () => {
    const { server, token, authenticator } = await withPasskey();
    const { passkey: confirming } = await proveBy(server, authenticator, { token });
    const loggingIn = authenticator.get(await askForLogin(server));

    expect(await server.call(loginWithPasskey, { response: confirming })).toMatchObject(refused);
    expect(await server.call(deleteAccount, { passkey: loggingIn }, { token })).toMatchObject(
      refused,
    );
    expect(await isAlive(server, token)).toBe(true);
  });

  test('a challenge of another user confirms nothing', async () => {
    const { server, token, authenticator } = await withPasskey();
    const theirs = await server.signUp(mallory);
    const asked = await server.call(requestPasskeyProof, {}, { token: theirs });
    const { options } = v.parse(requestPasskeyProof.output, asked.body);
    const response = authenticator.get({ ...options, allowCredentials: [] });

    expect(await server.call(deleteAccount, { passkey: response }, { token })).toMatchObject(
      refused,
    );
  });

  test.each([
    ['a page of another site', { origin: 'https://nori.evil.example' }],
    ['another port of this machine', { origin: 'http://localhost:8080' }],
    ['a passkey for another domain', { rpId: 'evil.example' }],
    ['no fingerprint, face or PIN', { isUserVerified: false }],
    ['the making of a passkey', { type: 'webauthn.create' }],
    ['another user', { userHandle: Buffer.alloc(32).toString('base64url') }],
    ['another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
  ])('a signature that stands for %s is refused', async (_what, forgery) => {
    const { server, token, authenticator } = await withPasskey();

    expect(await logInBy(server, authenticator, forgery)).toMatchObject(refused);
    expect((await readPasskeys(server, token))[0]).not.toHaveProperty('last_used_at');
    expect((await logInBy(server, authenticator)).status).toBe(200);
  });

  test('a counter that goes back is refused and logged: the key was copied', async () => {
    const { server, authenticator } = await withPasskey();
    await logInBy(server, authenticator, { counter: 40 });

    expect(await logInBy(server, authenticator, { counter: 40 })).toMatchObject(refused);
    expect(await logInBy(server, authenticator, { counter: 39 })).toMatchObject(refused);
    expect(await logInBy(server, authenticator, { counter: 0 })).toMatchObject(refused);
    const copied = server.securityLines.filter((line) => line.includes('passkey_copied'));
    expect(copied).toHaveLength(3);
    expect(copied.join('')).not.toContain(adaId);
    expect((await logInBy(server, authenticator, { counter: 41 })).status).toBe(200);
  });

  test('what is no response at all is refused as input', async () => {
    const { server, authenticator } = await withPasskey();
    const response = authenticator.get(await askForLogin(server));
    const broken = { ...response, response: { ...response.response, clientDataJSON: 'e30' } };

    expect(await server.call(loginWithPasskey, { response: broken })).toMatchObject(refused);
    const path = '/backend/auth/passkeys/login';
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    const odd = await server.request(path, { ...init, body: '{"response":{"id":["x"]}}' });
    expect(odd.status).toBe(422);
  });
});

describe('the address of the site', () => {
  async function offered(publicUrl: string | undefined, requestedAt = 'http://localhost:8080') {
    const server = await createTestServer({
      variables: publicUrl === undefined ? {} : { PUBLIC_URL: publicUrl },
    });
    const capabilities = await server.request(`${requestedAt}/backend/capabilities`);
    const asked = await server.request(`${requestedAt}/backend/auth/passkeys/login/options`, {
      method: 'POST',
    });
    const isListed = v
      .parse(readCapabilities.output, capabilities.body)
      .capabilities.includes(passkeys);
    expect(isListed).toBe(asked.status === 200);
    return isListed ? v.parse(requestPasskeyLogin.output, asked.body).options.rpId : undefined;
  }

  test('is the domain of PUBLIC_URL, whatever the request says', async () => {
    expect(await offered('https://nori.example.org/')).toBe('nori.example.org');
    expect(await offered('https://nori.example.org:8443', 'http://evil.example')).toBe(
      'nori.example.org',
    );
  });

  test('is localhost without one, and nothing else', async () => {
    expect(await offered(undefined)).toBe('localhost');
    expect(await offered(undefined, 'http://127.0.0.1:8080')).toBeUndefined();
    expect(await offered(undefined, 'http://nori.evil.example')).toBeUndefined();
    expect(await offered(undefined, 'http://localhost.evil.example')).toBeUndefined();
  });

  test('offers no passkeys where browsers have none', async () => {
    expect(await offered('https://203.0.113.7')).toBeUndefined();
    expect(await offered('https://[2001:db8::7]')).toBeUndefined();
    expect(await offered('http://nori.example.org')).toBeUndefined();
  });

  test('a passkey of the site logs in at the site only', async () => {
    const page = 'https://nori.example.org';
    const server = await createTestServer({ variables: { PUBLIC_URL: page } });
    const token = await server.signUp(ada);
    const authenticator = createAuthenticator({ page });
    await addPasskeyTo(server, authenticator, { token });

    expect((await logInBy(server, authenticator)).status).toBe(200);
    const origin = 'https://nori.example.org.evil.example';
    expect((await logInBy(server, authenticator, { origin })).status).toBe(403);
    expect((await logInBy(server, authenticator, { origin: `${page}:8443` })).status).toBe(403);
  });
});

test.skipIf(postgres === undefined)(
  'PostgreSQL stores passkeys, counts and limits the same way',
  async () => {
    const database = await openTestDatabase(postgres?.url);
    const server = await createTestServer({ database });
    const token = await server.signUp(ada);
    const authenticator = createAuthenticator();
    await addPasskeyTo(server, authenticator, { token });
    for (let index = 2; index < passkeyLimits.perUser; index += 1) {
      await addPasskeyTo(server, createAuthenticator(), { token });
    }

    const replies = await Promise.all([
      addPasskeyTo(server, createAuthenticator(), { token }),
      addPasskeyTo(server, createAuthenticator(), { token }),
    ]);

    expect(countStatuses(replies)).toEqual({ 201: 1, 409: 1 });
    expect(await readPasskeys(server, token)).toHaveLength(passkeyLimits.perUser);
    expect((await logInBy(server, authenticator)).status).toBe(200);
    expect((await logInBy(server, authenticator, { counter: 1 })).status).toBe(403);
  },
);
