/** Which passwords are accepted, and how they are stored. */
import { expect, test } from 'vitest';

import { register } from '#contract/endpoints/account';
import { login } from '#contract/endpoints/session';
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
  ['that has a common word among others', 'dragon password lighthouse'],
  ['that begins with a common word and goes on with many digits', 'dragon 83719462 1930'],
  ['that repeats words', 'otter otter heron'],
  ['with short runs of neighbouring letters', 'first defender hijacks'],
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
  ...[
    'Password1!',
    'p@ssw0rd',
    'P@$$w0rd2026!',
    '!Dragon99',
    'ｐａｓｓｗｏｒｄ１',
    'Sunsh1ne!',
  ].map((password) => [
    `that is a common one with ornaments, such as ${password}`,
    password,
    'This password is one of the most common ones. Please choose another.',
  ]),
  ...['aaaaaaaaaaaa', 'abcabcabcab', '-_-_-_-_-', 'ёёёёёёёё', '🦦🦦🦦🦦🦦🦦🦦🦦'].map(
    (password) => [
      `of one pattern again and again, such as ${password}`,
      password,
      'This password is one of the most common ones. Please choose another.',
    ],
  ),
  ...['12345678', '987654321', 'abcdefgh', 'qwertyuiop', 'asdf7890', 'йцукенгш', 'qwe123asd'].map(
    (password) => [
      `along the keys, such as ${password}`,
      password,
      'This password is one of the most common ones. Please choose another.',
    ],
  ),
  ...[' '.repeat(8), '\u3000'.repeat(8), ' \t'.repeat(6)].map((password) => [
    `of blanks only, such as ${JSON.stringify(password)}`,
    password,
    'Please choose a password that is more than spaces.',
  ]),
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

test('what is hashed is what was typed, not what it is compared as', async () => {
  const server = await createTestServer();
  const password = 'ﬁve quiet ｏtters';
  await server.signUp(1, password);
  const logInWith = (typed: string) => server.call(login, { telegram_id: '1', password: typed });

  expect((await logInWith(password)).status).toBe(200);
  expect((await logInWith(password.normalize('NFKC'))).status).toBe(401);
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
