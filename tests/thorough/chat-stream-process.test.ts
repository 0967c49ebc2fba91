/**
 * Following a chat over a real connection: events arrive at once, and open streams do not delay
 * stopping.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { read } from '#tests/chat-stream';
import { type ServerProcess, startServerProcess } from '#tests/server-process';
import { goodPassword } from '#tests/test-server';

let dataDir: string;
let server: ServerProcess;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'nori-streams-'));
  server = startServerProcess({ NORI_DATA_DIR: dataDir });
});
afterEach(async () => {
  server.process.kill('SIGKILL');
  await server.ended;
  await rm(dataDir, { recursive: true });
});

const chatId = -1001234567890;
const ada = { telegram_id: '123456789', email: 'ada@example.org', password: goodPassword };

/**
 * Signs up and adds a chat, on a server without a bot; returns a function that calls the server.
 */
async function manageChat() {
  const [, address = ''] = await server.hears(/Open (http:\S+)/);
  let token = '';
  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${address}/backend${path}`, {
      method,
      headers: {
        ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  const registered = await call('POST', '/register', ada);
  const { attempt } = v.parse(v.object({ attempt: v.string() }), await registered.json());
  const [, otp_code] = await server.hears(/password for 123456789: (\d{6})/);
  const verified = await call('POST', '/verify-otp', { ...ada, otp_code, attempt });
  token = v.parse(v.object({ access_token: v.string() }), await verified.json()).access_token;

  await call('POST', '/chats', { chat_id: String(chatId) });
  const [, otp = ''] = await server.hears(
    /password for 123456789: \d{6}[^]*password for \S+ (\d{6})/,
  );
  expect((await call('POST', `/chats/verify?chat_id=${chatId}&otp=${otp}`)).status).toBe(200);
  return call;
}

test('a change arrives while the connection is open, and stopping ends the connection at once', async () => {
  const call = await manageChat();
  const stream = read(await call('GET', `/chats/${chatId}/events`));
  expect(stream.headers.get('Content-Encoding')).toBeNull();
  expect(stream.headers.get('Cache-Control')).toBe('no-store, no-transform');

  await call('PUT', `/chats/${chatId}/settings`, {
    kind: 'bulk',
    topics: { '0': { photo_blocked: true } },
  });
  expect(await stream.next()).toMatchObject({ topics: { '0': { photo_blocked: true } } });

  const toldAt = performance.now();
  server.process.kill('SIGTERM');
  expect(await stream.next()).toBeUndefined();
  expect(await server.ended).toBe(0);
  expect(performance.now() - toldAt).toBeLessThan(9000);
  expect(server.said()).toContain('Stopped.');
});

test('closed pages make room for others', async () => {
  const call = await manageChat();

  for (let page = 0; page < 30; page += 1) {
    const stream = read(await call('GET', `/chats/${chatId}/events`));
    expect(stream.status).toBe(200);
    await stream.leave();
    // The server notices when the connection closes; the next request is sent afterwards.
    await call('GET', '/health');
  }
});
