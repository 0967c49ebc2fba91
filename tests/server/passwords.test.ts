/** Which passwords are accepted, and how they are stored. */
import { expect, test } from 'vitest';

import { register } from '#contract/endpoints/account';
import { AppError } from '#server/lib/errors';
import { createPasswordHasher } from '#server/lib/password-hasher';
import { createTestServer, goodPassword } from '#tests/test-server';

async function registerWith(password: string, email = 'lovelace@example.org') {
  const server = await createTestServer();
  return server.call(register, { telegram_id: '123456789', email, password });
}

test.each([
  ['of eight characters', 'kz9 !wqx'],
  ['of 256 characters', 'kz9 !wqx'.repeat(32)],
  ['with spaces at both ends', '  seven otters '],
  ['of eight emoji', '🦦🦔🐙🦭🐳🦜🦚🐢'],
  ['of letters alone, when they are many', 'sevenquietotterssleep'],
  ['in another script', '静かなかわうそたち'],
  ['that has the name of the site inside other words', 'honorific otters'],
])('a password %s is accepted', async (_case, password) => {
  expect((await registerWith(password)).status).toBe(201);
});

test.each([
  ['of seven characters', 'kz9 !wq', 'Use at least 8 characters for the password'],
  ['of seven emoji', '🦦🦔🐙🦭🐳🦜🦚', 'Use at least 8 characters for the password'],
  ['of 257 characters', `${'kz9 !wqx'.repeat(32)}k`, 'Use at most 256 characters for the password'],
  [
    'that everybody uses',
    'password1',
    'This password is one of the most common ones. Please choose another.',
  ],
  [
    'that everybody uses, in capitals',
    'QWERTYUIOP',
    'This password is one of the most common ones. Please choose another.',
  ],
  [
    'with the own Telegram user ID',
    'my id is 123456789',
    'Please choose a password that does not contain your Telegram user ID.',
  ],
  [
    'with the name of the own mailbox',
    'Lovelace-in-2026',
    'Please choose a password that does not contain your email address.',
  ],
  [
    'of the name of the site and little else',
    'nori2026',
    'Please choose a password that is more than the name of this site.',
  ],
])('a password %s is refused, with the reason', async (_case, password, detail) => {
  const reply = await registerWith(password);

  expect(reply).toMatchObject({ status: 422, body: { detail } });
});

test('a short mailbox name forbids no words in passwords', async () => {
  expect((await registerWith('quiet otters bob', 'bob@example.org')).status).toBe(201);
});

test('passwords are hashed with Argon2id at the recommended strength', async () => {
  const hasher = createPasswordHasher();

  const hash = await hasher.hash(goodPassword);

  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await hasher.verify(goodPassword, hash)).toBe(true);
  expect(await hasher.verify(`${goodPassword} `, hash)).toBe(false);
  expect(hasher.isOutdated(hash)).toBe(false);
});

test('a hash made elsewhere to the same standard is accepted', async () => {
  // A test vector of the reference implementation.
  const hash =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  const hasher = createPasswordHasher();

  expect(await hasher.verify('password', hash)).toBe(true);
  expect(await hasher.verify('Password', hash)).toBe(false);
});

test('the unmatchable hash matches no password', async () => {
  const hasher = createPasswordHasher({ memory: 8, passes: 1 });

  expect(await hasher.verify('', hasher.unmatchableHash)).toBe(false);
  expect(await hasher.verify(goodPassword, hasher.unmatchableHash)).toBe(false);
});

test('when too many passwords wait to be checked, the server answers that it is busy', async () => {
  const hasher = createPasswordHasher({ memory: 8, passes: 1 });

  const outcomes = await Promise.allSettled(
    Array.from({ length: 120 }, () => hasher.verify('x', hasher.unmatchableHash)),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  const later = await hasher.verify('x', hasher.unmatchableHash);

  expect(refused).toHaveLength(16);
  expect(refused[0]?.reason).toBeInstanceOf(AppError);
  expect(refused[0]?.reason).toMatchObject({ code: 'busy' });
  expect(later).toBe(false);
});
