/** Which requests the server accepts, and how it refuses the others. */
import { Hono } from 'hono';
import * as v from 'valibot';
import { expect, test } from 'vitest';

import { sendOtp, verifyOtp } from '#contract/endpoints/account';
import { endpoint } from '#contract/endpoints/endpoint';
import { login, logout, readMe } from '#contract/endpoints/session';
import { type AppEnv } from '#server/http/app-env';
import { bodyLimit } from '#server/http/body';
import { on } from '#server/http/on';
import { answerErrors } from '#server/http/requests';
import { createLog } from '#server/lib/log';
import { createTestServer, goodPassword } from '#tests/test-server';

const ada = 123_456_789;
const json = { 'Content-Type': 'application/json' };

function post(path: string, body: BodyInit, headers: Record<string, string> = json) {
  return { path: `/backend${path}`, init: { method: 'POST', headers, body } };
}

const credentials = JSON.stringify({ telegram_id: String(ada), password: goodPassword });

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/json',
])('a body of type %s is refused, so that a form of another site cannot send it', async (type) => {
  const server = await createTestServer();
  const token = await server.signUp(ada);
  const headers = { 'Content-Type': type, Authorization: `Bearer ${token}` };

  for (const path of [
    '/login',
    '/register',
    '/send-otp',
    '/verify-otp',
    '/chats/verify',
    '/auth/logout',
  ]) {
    const { init } = post(path, credentials, headers);
    const reply = await server.request(`/backend${path}`, init);
    expect(reply).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  }
});

test('a body without a type is refused', async () => {
  const server = await createTestServer();

  const reply = await server.request('/backend/login', {
    method: 'POST',
    body: new Blob([credentials]),
  });

  expect(reply.status).toBe(415);
});

test('JSON may name its character set', async () => {
  const server = await createTestServer();
  await server.signUp(ada);
  const { path, init } = post('/login', credentials, {
    'Content-Type': 'Application/JSON; charset=utf-8',
  });

  expect((await server.request(path, init)).status).toBe(200);
});

test('a call whose inputs are all in the address works without a body', async () => {
  const server = await createTestServer();
  await server.signUp(ada);
  server.wait(60_000);
  await server.call(sendOtp, { telegram_id: String(ada) });

  const reply = await server.call(verifyOtp, { telegram_id: String(ada), otp_code: '123456' });

  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
});

test('a code may also be sent in the body, where no proxy logs it', async () => {
  const server = await createTestServer();
  const { path, init } = post(
    '/verify-otp',
    JSON.stringify({ telegram_id: String(ada), otp_code: '123456' }),
  );

  const reply = await server.request(path, init);

  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
});

test.each([
  ['{"telegram_id": "1', { status: 400, body: { code: 'invalid_json' } }],
  ['hello', { status: 400, body: { code: 'invalid_json' } }],
  ['[1, 2]', { status: 422, body: { code: 'invalid_input' } }],
  ['"hello"', { status: 422, body: { code: 'invalid_input' } }],
  ['null', { status: 422, body: { code: 'invalid_input' } }],
])('a JSON body that is %s is refused', async (body, refusal) => {
  const server = await createTestServer();
  const { path, init } = post('/login', body);

  expect(await server.request(path, init)).toMatchObject(refusal);
});

test('a body above 64 kB is refused, whether or not it states its length', async () => {
  const server = await createTestServer();
  const large = JSON.stringify({ telegram_id: '1', password: 'x'.repeat(bodyLimit) });
  const inChunks = new ReadableStream<Uint8Array>({
    start(controller) {
      const bytes = new TextEncoder().encode(large);
      for (let from = 0; from < bytes.length; from += 1000) {
        controller.enqueue(bytes.slice(from, from + 1000));
      }
      controller.close();
    },
  });

  const told = await server.request('/backend/login', {
    method: 'POST',
    headers: { ...json, 'Content-Length': String(large.length) },
    body: large,
  });
  // Node requires `duplex` for a stream; the type of fetch in browsers has no such field.
  const stream = { method: 'POST', headers: json, body: inChunks, duplex: 'half' };
  const untold = await server.request('/backend/login', stream);

  expect(told).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  expect(untold).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
});

test('a refusal never repeats its input', async () => {
  const server = await createTestServer();
  const { path, init } = post(
    '/login',
    JSON.stringify({ telegram_id: 'secret-id', password: { my: 'hunter2-hunter2' } }),
  );

  const reply = await server.request(path, init);

  expect(reply.status).toBe(422);
  expect(JSON.stringify(reply.body)).not.toMatch(/hunter2|secret-id/);
  expect(reply.body).toEqual({
    detail: 'A Telegram user ID is a number, such as 123456789. All fields are required',
    code: 'invalid_input',
  });
});

test('a repeated query parameter is refused, as two readers might use different values', async () => {
  const server = await createTestServer();

  const reply = await server.request(
    `/backend/verify-otp?telegram_id=1&telegram_id=2&otp_code=123456`,
    { method: 'POST' },
  );

  expect(reply).toMatchObject({
    status: 422,
    body: { detail: 'A query parameter is given twice.' },
  });
});

test('the address and the body may repeat each other, but not contradict', async () => {
  const server = await createTestServer();
  const send = (telegramId: unknown) => {
    const body = JSON.stringify({ telegram_id: telegramId });
    const { path, init } = post(`/verify-otp?telegram_id=${ada}&otp_code=123456`, body);
    return server.request(path, init);
  };

  expect((await send(ada)).status).toBe(400);
  expect((await send('987')).status).toBe(422);
});

test('credentials in the address are not read', async () => {
  const server = await createTestServer();
  await server.signUp(ada);
  const query = new URLSearchParams({ telegram_id: String(ada), password: goodPassword });

  const reply = await server.request(`/backend/login?${query}`, { method: 'POST' });

  expect(reply.status).toBe(422);
});

test.each([
  ['GET', '/backend/nowhere'],
  ['GET', '/backend'],
  ['POST', '/backend/health'],
  ['GET', '/backend/login'],
  ['GET', '/backend/auth/logout'],
  ['GET', '/backend/verify-otp?telegram_id=1&otp_code=123456'],
  ['DELETE', '/backend/chats'],
  ['PATCH', '/backend/auth/me'],
])('%s %s is not found, in JSON', async (method, path) => {
  const server = await createTestServer();

  expect(await server.request(path, { method })).toMatchObject({
    status: 404,
    body: { detail: 'There is nothing at this address.', code: 'not_found' },
  });
});

test('no GET changes data', async () => {
  const server = await createTestServer();
  const token = await server.signUp(ada);
  const state = async () => ({
    people: await server.db.selectFrom('people').selectAll().execute(),
    sessions: await server.db.selectFrom('sessions').select('id').execute(),
  });
  const before = await state();

  for (const path of ['/auth/me', '/auth/sessions', '/auth/logout', '/login', '/chats']) {
    await server.request(`/backend${path}`, { headers: { Authorization: `Bearer ${token}` } });
  }

  expect(await state()).toEqual(before);
  expect((await server.call(readMe, {}, { token })).status).toBe(200);
});

test('an unexpected error is logged, and its details are not sent', async () => {
  const server = await createTestServer();
  await server.db.schema.dropTable('sessions').execute();

  const reply = await server.call(logout, {}, { token: 'A'.repeat(43) });

  expect(reply).toMatchObject({
    status: 500,
    body: {
      detail: 'Something went wrong on our side. Please try again.',
      code: 'unexpected',
    },
  });
  const requestId = reply.headers.get('X-Request-Id') ?? 'none';
  expect(
    server.logLines.some((line) => line.includes(requestId) && line.includes('sessions')),
  ).toBe(true);
});

/** A server with one endpoint, whose handler returns too much. */
function careless(answer: { readonly name: string; readonly password_hash: string }) {
  const app = new Hono<AppEnv>();
  app.onError(answerErrors(() => false));
  app.use(async (c, next) => {
    c.set('log', createLog('silent'));
    c.set('language', 'en');
    await next();
  });
  const shown = endpoint({
    method: 'GET',
    path: '/shown',
    input: v.object({}),
    output: v.object({ name: v.pipe(v.string(), v.nonEmpty()) }),
  });
  on(app, shown, () => answer);
  return app.request('/shown');
}

test('an answer has only the fields that the contract names', async () => {
  const reply = await careless({ name: 'Ada', password_hash: 'secret' });

  expect(await reply.json()).toEqual({ name: 'Ada' });
});

test('an answer that does not match the contract is not sent', async () => {
  const reply = await careless({ name: '', password_hash: 'secret' });

  expect(reply.status).toBe(500);
  expect(await reply.text()).not.toContain('secret');
});

test('the login answer ignores additional input', async () => {
  const server = await createTestServer();
  await server.signUp(ada);
  const { path, init } = post(
    '/login',
    JSON.stringify({ ...JSON.parse(credentials), is_admin: true, __proto__: { admin: true } }),
  );

  const reply = await server.request(path, init);

  expect(Object.keys(v.parse(v.record(v.string(), v.unknown()), reply.body)).toSorted()).toEqual([
    'access_token',
    'device',
    'telegram_id',
    'token_type',
  ]);
  expect(v.is(login.output, reply.body)).toBe(true);
});
