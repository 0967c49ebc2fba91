/** Clients that break off or stall while they send: no failure of the server, and none of its log. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

import { listen, listenRules } from '#server/http/listen';
import { createTestServer, type TestServer } from '#tests/test-server';

async function openPort(
  server: TestServer,
  rules?: Partial<Record<keyof typeof listenRules, number>>,
) {
  const http = listen({
    fetch: server.app.fetch,
    port: 0,
    host: '127.0.0.1',
    onListening: () => undefined,
    rules: { ...listenRules, ...rules },
  });
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  await once(http, 'listening');
  const address = http.address();
  return { http, port: typeof address === 'object' && address ? address.port : 0 };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  // A reset is an end, too.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** The beginning of a request whose body never comes as a whole. */
function beginRequest({ path, type, isChunked = false, token = '' }: Half): string {
  return [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Content-Type: ${type}`,
    ...(token === '' ? [] : [`Authorization: Bearer ${token}`]),
    isChunked ? 'Transfer-Encoding: chunked' : 'Content-Length: 500',
    '',
    isChunked ? '5\r\n{"tel' : '{"telegram_id": "1',
  ].join('\r\n');
}

type Half = {
  readonly path: string;
  readonly type: string;
  readonly isChunked?: boolean;
  readonly token?: string;
};

const json = { path: '/backend/login', type: 'application/json' };
const form = { path: '/backend/generations/save', type: 'multipart/form-data; boundary=x' };

const lastLine = (server: TestServer): unknown => JSON.parse(server.logLines.at(-1) ?? '{}');

test.each([
  ['a body of JSON', json],
  ['a body without a length', { ...json, isChunked: true }],
  ['a picture', form],
])('who breaks off %s is in the log as 499, without a failure', async (_case, half) => {
  const server = await createTestServer();
  const token = await server.signUp(1);
  const { http, port } = await openPort(server);
  const socket = await open(port);
  server.logLines.length = 0;
  const isBegun = once(http, 'request');

  socket.write(beginRequest({ ...half, token }));
  await isBegun;
  socket.destroy();

  await expect.poll(() => server.logLines).toHaveLength(1);
  expect(lastLine(server)).toMatchObject({ level: 30, path: half.path, status: 499 });
  expect(server.logLines.join('')).not.toMatch(/unexpected|"err"|stack/);
});

test('who stalls is cut off after the time that a request may take, and is in the log as 499', async () => {
  const server = await createTestServer();
  const { port } = await openPort(server, { headersMs: 100, requestMs: 100, checkEveryMs: 20 });
  const socket = await open(port);
  const ended = once(socket, 'close');

  socket.resume().write(beginRequest(json));
  await ended;

  await expect.poll(() => server.logLines).toHaveLength(1);
  expect(lastLine(server)).toMatchObject({ level: 30, status: 499 });
});

test.each([
  ['nothing', ''],
  ['half a head', 'GET / HTTP/1.1\r\nHost: local'],
])('who sends %s is cut off', async (_case, text) => {
  const server = await createTestServer();
  const { port } = await openPort(server, { headersMs: 100, requestMs: 100, checkEveryMs: 20 });
  const socket = await open(port);
  const ended = once(socket, 'close');

  socket.resume().write(text);

  await ended;
  expect(server.logLines).toEqual([]);
});

test('connections are capped: a further one is closed at once, and the others go on', async () => {
  const server = await createTestServer();
  const { http, port } = await openPort(server, { maxConnections: 3 });
  const sockets = await Promise.all([open(port), open(port), open(port)]);

  const further = await open(port);
  await once(further.resume(), 'close');
  sockets[0]?.write('GET /backend/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [answer] = sockets[0] === undefined ? [] : await once(sockets[0], 'data');

  expect(String(answer)).toContain('HTTP/1.1 200 OK');
  expect(http.maxRequestsPerSocket).toBe(listenRules.maxRequestsPerConnection);
});

test('a server as it is started has a cap, and looks at the times often enough to keep them', async () => {
  const { http } = await openPort(await createTestServer());

  expect(http.maxConnections).toBe(2000);
  expect(http.headersTimeout).toBe(15_000);
  expect(http.requestTimeout).toBe(60_000);
  expect(listenRules.checkEveryMs).toBeLessThan(http.headersTimeout);
});
