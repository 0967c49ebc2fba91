/**
 * A stranger who knows a Telegram ID can neither prevent a registration nor learn whether an
 * account exists.
 */
import { expect, test } from 'vitest';

import { register, sendOtp } from '#contract/endpoints/account';
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

test('strangers who guess and request codes do not prevent the owner from signing up', async () => {
  const server = await createTestServer();
  await server.call(sendOtp, { telegram_id: adaId });
  const { code, attempt } = await registerAs(server);

  for (let step = 1; step <= 51; step += 1) {
    await verify(server, anotherThan(code, step));
    await verify(server, anotherThan(code, step), `made-up-attempt-${step}`);
  }
  const foreign = await server.call(sendOtp, { telegram_id: adaId, attempt: 'made-up-attempt' });
  const own = await verify(server, code, attempt);

  expect(foreign.status).toBe(429);
  expect(server.inbox).toHaveLength(1);
  expect(own.status).toBe(200);
});

test('strangers who request codes all day do not use up the codes of the owner', async () => {
  const server = await createTestServer();
  for (let count = 1; count <= 11; count += 1) {
    await server.call(sendOtp, { telegram_id: adaId });
    server.wait(minute);
  }
  const stranger = await server.call(sendOtp, { telegram_id: adaId });

  const { reply, attempt } = await registerAs(server);
  server.wait(minute);
  const resent = await server.call(sendOtp, { telegram_id: adaId, attempt });
  const verified = await verify(server, server.readCode(ada), attempt);

  expect(stranger.status).toBe(429);
  expect(reply.status).toBe(201);
  expect(resent.status).toBe(202);
  expect(server.inbox).toHaveLength(2);
  expect(verified.status).toBe(200);
});

test('a stranger who knows the ID alone has two tries for a code, and three stay for the browser of the owner', async () => {
  const server = await createTestServer();
  const { code, attempt } = await registerAs(server);

  for (let step = 1; step <= 5; step += 1) {
    await verify(server, anotherThan(code, step));
  }
  const strangers = await verify(server, code);
  await verify(server, anotherThan(code, 6), attempt);
  await verify(server, anotherThan(code, 7), attempt);
  const own = await verify(server, code, attempt);

  expect(strangers).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
  expect(own.status).toBe(200);
});

test.each([
  ['first without the attempt', [false, false, true, true, true]],
  ['by turns', [false, true, false, true, true]],
  ['with the attempt', [true, true, true, true, true]],
])('a code takes five guesses in all: %s, and the sixth fails', async (_case, mixture) => {
  const server = await createTestServer();
  const { code, attempt } = await registerAs(server);

  for (const [step, hasAttempt] of mixture.entries()) {
    await verify(server, anotherThan(code, step + 1), hasAttempt ? attempt : undefined);
  }
  const [{ tries } = { tries: 0 }] = await server.db.selectFrom('otps').select('tries').execute();

  expect(tries).toBe(5);
  expect((await verify(server, code, attempt)).status).toBe(400);
  expect((await verify(server, code)).status).toBe(400);
});

test('an attempt is valid for its ID and its half hour', async () => {
  const server = await createTestServer();
  const { attempt } = await registerAs(server);
  const other = String(ada + 1);
  const resend = (telegram_id: string) => server.call(sendOtp, { telegram_id, attempt });

  // The owner's own count still has room after each of these: they were counted as a stranger's.
  const foreign = await resend(other);
  const otherOwner = await server.call(register, {
    telegram_id: other,
    email: 'bob@example.org',
    password: goodPassword,
  });
  server.wait(30 * minute);
  const late = await resend(adaId);
  const anew = await registerAs(server);

  expect([foreign.status, otherOwner.status]).toEqual([202, 201]);
  expect([late.status, anew.reply.status]).toEqual([202, 201]);
});

test('no answer to a resend shows whether the ID has an account', async () => {
  const withAccount = await createTestServer();
  await withAccount.signUp(ada);
  const without = await createTestServer();
  const [one, other] = await Promise.all(
    [withAccount, without].map(async (server) => {
      server.wait(24 * 60 * minute);
      const { attempt } = await registerAs(server, 'the password of a stranger');
      const statuses: number[] = [];
      for (let count = 1; count <= 25; count += 1) {
        server.wait(minute / 2);
        const sent = await server.call(sendOtp, {
          telegram_id: adaId,
          ...(count % 3 === 0 ? {} : { attempt }),
        });
        statuses.push(sent.status);
      }
      server.wait(minute);
      const again = await server.call(register, {
        telegram_id: adaId,
        email: 'ada@example.org',
        password: 'the password of a stranger',
      });
      return { statuses, again: again.status };
    }),
  );

  expect(one).toEqual(other);
  expect(new Set(one?.statuses)).toEqual(new Set([202, 429]));
});
