/** Attacks on codes, passwords and tokens: guessing them, measuring how much work they make, and exhausting the server with them. */
import { argon2, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';

import { register, sendOtp } from '#contract/endpoints/account';
import { login } from '#contract/endpoints/session';
import { openDatabase } from '#server/db/client';
import { createPasswordHasher } from '#server/lib/password-hasher';
import { secureRandom } from '#server/lib/random';
import {
  ada,
  adaId,
  createTestServer,
  goodPassword,
  minute,
  openTestDatabase,
  type TestServer,
} from '#tests/test-server';

test('each of the six digits of a code is evenly distributed, and none comes from Math.random', () => {
  const guessable = vi.spyOn(Math, 'random').mockImplementation(() => {
    throw new Error('Math.random can be predicted');
  });
  const counts = Array.from({ length: 6 }, () => Array.from({ length: 10 }, () => 0));

  for (let sample = 0; sample < 100_000; sample += 1) {
    const code = secureRandom.digits(6);
    for (const [place, digit] of code.split('').entries()) {
      const ofPlace = counts[place] ?? [];
      ofPlace[Number(digit)] = (ofPlace[Number(digit)] ?? 0) + 1;
    }
  }
  guessable.mockRestore();

  // 10,000 each are expected, with a standard deviation of 95: this is more than seven of them.
  const odd = counts.flat().filter((count) => Math.abs(count - 10_000) > 700);
  expect(odd).toEqual([]);
});

test.each([
  ['14 characters', 'seven otters 7'],
  ['15 characters', 'seven otters 77'],
  ['64 characters', 'seven otters, '.repeat(5).slice(0, 63).concat('x')],
  [
    '256 characters, beyond which other algorithms stop reading',
    'seven otters, '.repeat(19).slice(0, 256),
  ],
  ['characters of four bytes', '🦦 𝔰𝔢𝔳𝔢𝔫 𝔬𝔱𝔱𝔢𝔯𝔰 🐙'],
  ['spaces inside and at the ends', '  seven  otters  '],
])(
  'a password of %s logs in as it was typed, and not when its last character is another',
  async (_what, password) => {
    const server = await createTestServer();
    await server.signUp(ada, password);
    const cut = password.replace(/.$/u, '');

    const same = await server.call(login, { telegram_id: adaId, password });
    const wrong = [
      await server.call(login, { telegram_id: adaId, password: `${cut}~` }),
      await server.call(login, { telegram_id: adaId, password: cut }),
    ];

    expect(same.status).toBe(200);
    expect(wrong.map(({ status }) => status)).toEqual([401, 401]);
  },
);

test('fifty logins at the same moment compute four hashes at a time, in 76 MiB', async () => {
  // How many hashes are being computed, and how much memory they take together, in KiB.
  const work = { running: 0, maxRunning: 0, memory: 0, maxMemory: 0 };
  const derive = promisify(argon2);
  const measured = async (algorithm: 'argon2id', parameters: Argon2Parameters) => {
    work.running += 1;
    work.memory += parameters.memory;
    work.maxRunning = Math.max(work.maxRunning, work.running);
    work.maxMemory = Math.max(work.maxMemory, work.memory);
    const hash = await derive(algorithm, parameters);
    work.running -= 1;
    work.memory -= parameters.memory;
    return hash;
  };
  const server = await createTestServer({
    hasher: createPasswordHasher(undefined, measured),
    variables: { TRUST_PROXY: '1' },
  });

  // An unknown ID is checked like a known one, with the strength of a real server.
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_none, index) =>
      server.call(
        login,
        { telegram_id: String(1000 + index), password: goodPassword },
        { headers: { 'X-Forwarded-For': `198.51.100.${index}` } },
      ),
    ),
  );

  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
  expect(work.maxRunning).toBe(4);
  expect(work.maxMemory).toBe(4 * 19_456);
});

/** A server, and a function that returns the statements and hashes of a call. */
async function startMeasured() {
  const statements: string[] = [];
  const onStatement = (sql: string) => void statements.push(sql);
  const url = process.env['TEST_DATABASE_URL'] ?? '';
  const database =
    url === '' ? openDatabase({ onStatement }) : await openTestDatabase(url, onStatement);
  const server = await createTestServer({ database });
  const measure = async (act: () => Promise<{ status: number; body: unknown }>) => {
    const hashings = server.hashings();
    statements.length = 0;
    const { status, body } = await act();
    return { status, body, hashings: server.hashings() - hashings, statements: [...statements] };
  };
  return { server, measure };
}

const bob = '987654321';

function logIn(server: TestServer, telegram_id: string) {
  return server.call(login, { telegram_id, password: 'not the password' });
}

test('a login with a wrong password makes the same answer and the same statements for a known and an unknown ID', async () => {
  const { server, measure } = await startMeasured();
  await server.signUp(ada);
  await logIn(server, '5');

  const known = await measure(() => logIn(server, adaId));
  const unknown = await measure(() => logIn(server, bob));

  expect(known).toMatchObject({ status: 401, hashings: 1 });
  expect(unknown).toEqual(known);
});

test('asking for a code makes the same answer and the same statements whether or not the ID has an account', async () => {
  const { server, measure } = await startMeasured();
  await server.signUp(ada);
  server.wait(minute);
  await server.call(sendOtp, { telegram_id: '5' });

  const known = await measure(() => server.call(sendOtp, { telegram_id: adaId }));
  const unknown = await measure(() => server.call(sendOtp, { telegram_id: bob }));

  expect(known).toMatchObject({ status: 202, hashings: 0 });
  expect(unknown).toEqual(known);
});

test('a registration makes the same answer and one hash whether or not the ID has an account', async () => {
  const { server, measure } = await startMeasured();
  await server.signUp(ada);
  server.wait(minute);
  const registerId = (telegram_id: string) => () =>
    server.call(register, { telegram_id, email: 'eve@example.org', password: 'the guess of Eve' });

  const known = await measure(registerId(adaId));
  const unknown = await measure(registerId(bob));

  expect([known.status, known.hashings]).toEqual([unknown.status, unknown.hashings]);
  expect(Object.keys(Object(known.body))).toEqual(Object.keys(Object(unknown.body)));
  expect(known).toMatchObject({ status: 201, hashings: 1 });
});
