/** Logs are useful, and neither they nor the database contain secrets. */
import * as v from 'valibot';
import { expect, test } from 'vitest';

import { changePassword, register, sendOtp, verifyOtp } from '#contract/endpoints/account';
import { addChat, listChats } from '#contract/endpoints/chats';
import { login, logout, readMe } from '#contract/endpoints/session';
import { createLog } from '#server/lib/log';
import { secureRandom } from '#server/lib/random';
import {
  ada,
  adaId,
  anotherThan,
  minute,
  createTestServer,
  goodPassword,
  type TestServer,
} from '#tests/test-server';

/** Codes that no timestamp of these tests contains by chance. */
function createServerWithKnownCodes() {
  const codes = ['081723', '917530', '640918', '350817'];
  return createTestServer({ random: { ...secureRandom, digits: () => codes.shift() ?? '208164' } });
}

/**
 * Uses the server as users do, with valid and invalid input, and returns every secret that was
 * involved.
 */
async function useEverything(server: TestServer): Promise<string[]> {
  const secrets = [goodPassword, 'an even better otter'];
  const password = goodPassword;
  const registered = await server.call(register, {
    telegram_id: adaId,
    email: 'ada@example.org',
    password,
  });
  const { attempt } = v.parse(v.object({ attempt: v.string() }), registered.body);
  server.wait(minute);
  secrets.push(attempt, server.readCode(ada));
  await server.call(sendOtp, { telegram_id: adaId, attempt });
  const code = server.readCode(ada);
  secrets.push(code);
  await server.call(verifyOtp, { telegram_id: adaId, otp_code: anotherThan(code), attempt });
  const verified = await server.call(verifyOtp, { telegram_id: adaId, otp_code: code, attempt });
  const { access_token: token } = v.parse(verifyOtp.output, verified.body);
  await server.call(login, { telegram_id: adaId, password: 'an even better otter' });
  const again = await server.call(login, { telegram_id: adaId, password });
  const { access_token: second } = v.parse(login.output, again.body);
  secrets.push(token, second);

  await server.call(addChat, { chat_id: '-1001234567890' }, { token });
  secrets.push(...server.inbox.flatMap((message) => message.code ?? []));
  await server.call(listChats, {}, { token });
  await server.call(
    changePassword,
    { current_password: password, new_password: 'an even better otter' },
    { token },
  );
  await server.call(logout, {}, { token });
  return secrets;
}

test('no password, code or token is in the log after valid and invalid requests', async () => {
  const server = await createServerWithKnownCodes();

  const secrets = await useEverything(server);
  // A failure inside the server while a request with secrets is handled.
  await server.db.schema.dropTable('registrations').execute();
  const broken = await server.call(login, { telegram_id: adaId, password: goodPassword });

  expect(broken.status).toBe(500);
  expect(secrets.length).toBeGreaterThanOrEqual(7);
  const log = server.logLines.join('');
  expect(log).toContain('"path":"/backend/verify-otp"');
  for (const secret of secrets) {
    expect(log).not.toContain(secret);
  }
});

test('no password, code or token is in the database, only hashes of them', async () => {
  const server = await createServerWithKnownCodes();

  const secrets = await useEverything(server);
  const tables = ['people', 'registrations', 'sessions', 'otps', 'rate_buckets', 'chats'] as const;
  const rows = await Promise.all(
    tables.map((table) => server.db.selectFrom(table).selectAll().execute()),
  );

  const dump = JSON.stringify(rows);
  expect(dump).toContain('$argon2id$');
  for (const secret of secrets) {
    expect(dump).not.toContain(secret);
  }
});

test('each request leaves one line with its ID, path, status and time', async () => {
  const server = await createTestServer();

  const reply = await server.call(readMe, {});

  expect(server.logLines).toHaveLength(1);
  expect(JSON.parse(server.logLines[0] ?? '')).toMatchObject({
    requestId: reply.headers.get('X-Request-Id'),
    method: 'GET',
    path: '/backend/auth/me',
    status: 401,
    refusal: 'unauthenticated',
    ms: expect.any(Number),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
});

test('successful health checks are not logged', async () => {
  const server = await createTestServer();

  await server.request('/backend/health');

  expect(server.logLines).toEqual([]);
});

test('an error is logged without the values of the row that it is about', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const error = Object.assign(new Error('insert or update violates a foreign key constraint'), {
    // As PostgreSQL says it.
    code: '23503',
    detail: 'Key (owner_id)=(7042424241717) is not present in table "people".',
    parameters: ['mila@example.org'],
  });

  log.error({ err: error }, 'Could not save');

  expect(lines.join('')).toContain('violates a foreign key constraint');
  expect(lines.join('')).toContain('"errorCode":"23503"');
  expect(lines.join('')).toContain('logs.test.ts');
  expect(lines.join('')).not.toMatch(/7042424241717|mila/);
});

test('a private chat is not named in the log, as its ID is that of a person', async () => {
  const server = await createTestServer();

  server.deps.log.info({ chatId: 7_042_424_241_717 }, 'an answer could not be sent');
  server.deps.log.info({ chatId: -1_001_234_567_890 }, 'an answer could not be sent');
  await server.request('/backend/chats/7042424241717');

  const log = server.logLines.join('');
  expect(log).toContain('/backend/chats/[private]');
  expect(log).toContain('-1001234567890');
  expect(log).not.toContain('7042424241717');
});

test('a secret that is logged by mistake is redacted', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });

  log.info({
    password: 'hunter2',
    body: { otp_code: '123456' },
    deep: { er: { token: 'abcdef' } },
  });

  expect(lines.join('')).not.toMatch(/hunter2|123456|abcdef/);
});
