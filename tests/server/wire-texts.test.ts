/** Texts that a database cannot store are refused anywhere in a request. */
import { expect, test } from 'vitest';

import { createTestServer, goodPassword } from '#tests/test-server';

const ada = 123_456_789;
const json = { 'Content-Type': 'application/json' };

test.each([
  [
    'in a field',
    '/register',
    { telegram_id: String(ada), email: 'a\0@example.org', password: goodPassword },
  ],
  ['in a name', '/register', { 'a\0': 1 }],
  ['deep inside', '/register', { email: [{ a: ['\0'] }] }],
  ['in the address', `/verify-otp?telegram_id=${ada}&otp_code=%00`, {}],
  ['in the path', '/generations/model-info/%00', undefined],
])('a NUL character is refused: %s', async (_where, path, body) => {
  const server = await createTestServer();

  const reply = await server.request(
    `/backend${path}`,
    body && { method: 'POST', headers: json, body: JSON.stringify(body) },
  );

  expect(reply).toMatchObject({
    status: 422,
    body: { code: 'invalid_input', detail: 'A text cannot hold the character U+0000.' },
  });
});

test('a body of thousands of brackets is read like any other', async () => {
  const server = await createTestServer();
  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

  const reply = await server.request('/backend/login', {
    method: 'POST',
    headers: json,
    body: `{"telegram_id":${nested},"password":"x"}`,
  });

  expect(reply).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
});
