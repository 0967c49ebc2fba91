/**
 * The one-time password of a registration: its lifetime, its attempts, and what it is valid for.
 */
import { expect, test } from 'vitest';

import { sendOtp } from '#contract/endpoints/account';
import { login, readMe } from '#contract/endpoints/session';
import { secureRandom } from '#server/lib/random';
import { createServices } from '#server/services/services';
import {
  ada,
  adaId,
  anotherThan,
  minute,
  registerAs,
  verify,
  createTestServer,
  goodPassword,
} from '#tests/test-server';

test('codes are evenly distributed, have six digits, and may begin with a zero', () => {
  const firstDigits = new Map<string, number>();
  for (let count = 0; count < 100_000; count += 1) {
    const code = secureRandom.digits(6);
    expect(code.length).toBe(6);
    firstDigits.set(code.charAt(0), (firstDigits.get(code.charAt(0)) ?? 0) + 1);
  }

  expect(firstDigits.size).toBe(10);
  // 10,000 each are expected, with a standard deviation of 95: this is more than seven of them.
  for (const count of firstDigits.values()) {
    expect(Math.abs(count - 10_000)).toBeLessThan(700);
  }
});

test('a code is valid only for its purpose', async () => {
  const server = await createTestServer();
  const { oneTimePasswords } = createServices(server.deps);
  const code = await oneTimePasswords.issue({
    purpose: 'chat',
    subject: 'chat 1 for Ada',
    recipient: ada,
  });
  const open = (purpose: 'chat' | 'registration', subject: string) =>
    oneTimePasswords.verify({ purpose, subject, code });

  await expect(open('registration', 'chat 1 for Ada')).rejects.toThrow('invalid_code');
  await expect(open('chat', 'chat 2 for Ada')).rejects.toThrow('invalid_code');
  await expect(open('chat', 'chat 1 for Bob')).rejects.toThrow('invalid_code');
  await expect(open('chat', 'chat 1 for Ada')).resolves.toBeUndefined();
});

test('a code is valid for five minutes and not a second longer', async () => {
  const server = await createTestServer();
  const first = await registerAs(server);

  server.wait(5 * minute + 1000);
  const late = await verify(server, first.code, first.attempt);
  await server.call(sendOtp, { telegram_id: adaId, attempt: first.attempt });
  server.wait(5 * minute - 1000);
  const inTime = await verify(server, server.readCode(ada), first.attempt);

  expect(late).toMatchObject({
    status: 400,
    body: { code: 'invalid_code', detail: 'Invalid or expired verification code' },
  });
  expect(inTime.status).toBe(200);
});

test('a code works once', async () => {
  const server = await createTestServer();
  const { code, attempt } = await registerAs(server);

  await verify(server, code, attempt);
  const again = await verify(server, code, attempt);

  expect(again).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
});

test('of two verifications at the same time exactly one wins', async () => {
  const server = await createTestServer();
  const { code, attempt } = await registerAs(server);

  const replies = await Promise.all([
    verify(server, code, attempt),
    verify(server, code, attempt),
    verify(server, code, attempt),
  ]);

  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
});

test('the code of one registration is invalid for another', async () => {
  const server = await createTestServer();
  const first = await registerAs(server);
  server.wait(minute);
  const second = await registerAs(server, 'a different passphrase');

  const crossed = await verify(server, first.code, second.attempt);
  const straight = await verify(server, first.code, first.attempt);

  expect(crossed.status).toBe(400);
  expect(straight.status).toBe(200);
});

test('a new code invalidates the one before', async () => {
  const server = await createTestServer();
  const { code: old, attempt } = await registerAs(server);
  server.wait(minute);

  await server.call(sendOtp, { telegram_id: adaId, attempt });
  const fresh = server.readCode(ada);
  const withOld = await verify(server, old === fresh ? anotherThan(fresh) : old, attempt);
  const withFresh = await verify(server, fresh, attempt);

  expect(withOld.status).toBe(400);
  expect(withFresh.status).toBe(200);
});

test('after five wrong attempts a code is invalid, even for the right digits', async () => {
  const server = await createTestServer();
  const { code, attempt } = await registerAs(server);

  for (let step = 1; step <= 5; step += 1) {
    const wrong = await verify(server, anotherThan(code, step), attempt);
    expect(wrong.status).toBe(400);
  }
  const right = await verify(server, code, attempt);

  expect(right).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
});

test('four wrong attempts leave the code valid', async () => {
  const server = await createTestServer();
  const { code, attempt } = await registerAs(server);

  for (let step = 1; step <= 4; step += 1) {
    await verify(server, anotherThan(code, step), attempt);
  }
  const right = await verify(server, code, attempt);

  expect(right.status).toBe(200);
});

test('guessing has a daily limit across codes and addresses, for known and unknown IDs alike', async () => {
  for (const isRegistered of [true, false]) {
    const server = await createTestServer();
    if (isRegistered) {
      await registerAs(server);
    }

    for (let step = 1; step <= 50; step += 1) {
      const guess = await verify(server, '000000');
      expect(guess.status).not.toBe(429);
    }
    const oneMore = await verify(server, '000000');
    server.wait(24 * 60 * minute);
    const tomorrow = await verify(server, '000000');

    expect(oneMore).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(tomorrow.status).toBe(400);
  }
});

test('a blocked code flow blocks neither login nor the session of the owner', async () => {
  const server = await createTestServer();
  const token = await server.signUp(ada);

  for (let step = 0; step < 51; step += 1) {
    await verify(server, '000000');
  }
  const me = await server.call(readMe, {}, { token });
  const again = await server.call(login, { telegram_id: adaId, password: goodPassword });

  expect((await verify(server, '000000')).status).toBe(429);
  expect(me.status).toBe(200);
  expect(again.status).toBe(200);
});

test('a minute must pass between two codes, and a day allows ten', async () => {
  const server = await createTestServer();
  const { attempt } = await registerAs(server);

  server.wait(18_000);
  const soon = await server.call(sendOtp, { telegram_id: adaId, attempt });
  const statuses: number[] = [];
  for (let count = 2; count <= 11; count += 1) {
    server.wait(minute);
    statuses.push((await server.call(sendOtp, { telegram_id: adaId, attempt })).status);
  }

  expect(soon).toMatchObject({
    status: 429,
    body: {
      code: 'rate_limited',
      detail: 'Please wait 42 seconds before asking for another code.',
    },
  });
  expect(soon.headers.get('Retry-After')).toBe('42');
  expect(statuses).toEqual([202, 202, 202, 202, 202, 202, 202, 202, 202, 429]);
});

test('requesting a code for an unregistered ID sends nothing, and the answer is the same', async () => {
  const server = await createTestServer();
  const known = await createTestServer();
  await registerAs(known);
  known.wait(minute);

  const unknown = await server.call(sendOtp, { telegram_id: adaId });
  const registered = await known.call(sendOtp, { telegram_id: adaId });
  const unknownAgain = await server.call(sendOtp, { telegram_id: adaId });
  const registeredAgain = await known.call(sendOtp, { telegram_id: adaId });

  expect(server.inbox).toEqual([]);
  expect(unknown).toMatchObject({ status: 202, body: registered.body });
  expect(unknownAgain).toMatchObject({ status: 429, body: registeredAgain.body });
});

test('a code is not resent for the attempt of another ID', async () => {
  const server = await createTestServer();
  await registerAs(server);
  server.wait(minute);

  const reply = await server.call(sendOtp, { telegram_id: adaId, attempt: 'not-the-attempt' });

  expect(reply.status).toBe(202);
  expect(server.inbox).toHaveLength(1);
});

test('a code cannot be verified before there is a registration', async () => {
  const server = await createTestServer();

  const reply = await verify(server, '123456');

  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
});
