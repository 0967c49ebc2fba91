/** The server as a process: starting, refusing to start, and stopping. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { startBotApi } from '#tests/bot-api-server';
import { type ServerProcess, startServerProcess } from '#tests/server-process';
import { goodPassword } from '#tests/test-server';

let dataDir: string;
const running: ServerProcess[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'nori-process-'));
});
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.process.kill('SIGKILL');
    await server.ended;
  }
  await rm(dataDir, { recursive: true });
});

function start(variables: Record<string, string> = {}): ServerProcess {
  const server = startServerProcess({ NORI_DATA_DIR: dataDir, ...variables });
  running.push(server);
  return server;
}

async function readAddress(server: ServerProcess): Promise<string> {
  const [, address = ''] = await server.hears(/Open (http:\S+)/);
  return address;
}

function post(address: string, path: string, body: unknown) {
  return fetch(`${address}/backend${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const ada = { telegram_id: '123456789', email: 'ada@example.org', password: goodPassword };

test('it starts without variables, prints its address, and prints codes on the console', async () => {
  const server = start();
  const address = await readAddress(server);

  const health = await fetch(`${address}/backend/health`);
  const registered = await post(address, '/register', ada);
  const [, code = ''] = await server.hears(
    /^demo: no bot connected — one-time password for 123456789: (\d{6})$/m,
  );

  expect(await health.json()).toEqual({ status: 'ok' });
  expect(registered.status).toBe(201);
  expect(await registered.text()).not.toContain(code);
  expect(server.said()).toContain('demo: no bot connected. One-time passwords are printed here');
  expect(server.said().split(code)).toHaveLength(2);
});

test('with a bot, codes are sent by Telegram and never printed on the console', async () => {
  const bot = await startBotApi();
  const server = start({ BOT_TOKEN: bot.token, TELEGRAM_API_ROOT: bot.apiRoot });
  const address = await readAddress(server);

  await post(address, '/register', ada);

  expect(bot.lastCode(123_456_789)).toMatch(/^\d{6}$/);
  expect(server.said()).not.toContain(bot.lastCode(123_456_789));
  expect(server.said()).not.toContain('demo');
  await bot.close();
});

test('behind a proxy that it was not told of it warns that all callers count as one, and else it does not', async () => {
  const warning = /counts as one address/;
  const publicUrl = 'http://nori.example.org';

  const untold = start({ PUBLIC_URL: publicUrl });
  await untold.hears(warning);
  untold.process.kill('SIGTERM');
  await untold.ended;
  const told = start({ PUBLIC_URL: publicUrl, TRUST_PROXY: '1' });
  await told.hears(/demo: no bot connected/);

  expect(untold.said()).toContain('Set TRUST_PROXY=1');
  expect(told.said()).not.toMatch(warning);
});

test('a second server on the same folder is refused in one clear line, and the first keeps running', async () => {
  const first = start();
  const address = await readAddress(first);

  const second = start();
  const code = await second.ended;

  expect(code).toBe(1);
  expect(second.said()).toBe(
    `Another Nori server is already using the data folder ${dataDir}. Stop it first, or set NORI_DATA_DIR to another folder.\n`,
  );
  expect((await fetch(`${address}/backend/health`)).status).toBe(200);
});

test('a killed server does not prevent the next one from starting', async () => {
  const first = start();
  await readAddress(first);
  first.process.kill('SIGKILL');
  await first.ended;

  const address = await readAddress(start());

  expect((await fetch(`${address}/backend/health`)).status).toBe(200);
});

test('sessions survive a restart', async () => {
  const first = start();
  const before = await readAddress(first);
  const registered = await post(before, '/register', ada);
  const { attempt } = v.parse(v.object({ attempt: v.string() }), await registered.json());
  const [, otp_code = ''] = await first.hears(/password for 123456789: (\d{6})/);
  const verified = await post(before, '/verify-otp', { ...ada, otp_code, attempt });
  const session = v.parse(v.object({ access_token: v.string() }), await verified.json());
  first.process.kill('SIGTERM');
  await first.ended;

  const after = await readAddress(start());
  const me = await fetch(`${after}/backend/auth/me`, {
    headers: { Authorization: `Bearer ${session.access_token}` },
  });

  expect(await me.json()).toMatchObject({ telegram_id: '123456789' });
});

test('a stopped server finishes its requests and ends', async () => {
  const server = start();
  const address = await readAddress(server);
  const body = JSON.stringify({ telegram_id: '1', password: 'not the password' });
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  let reply = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    reply += chunk;
  });
  socket.write(
    `POST /backend/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  // The server waits for the body of this request when the stop signal arrives.
  socket.write(body.slice(0, 10));
  await fetch(`${address}/backend/health`);

  server.process.kill('SIGTERM');
  await server.hears(/Stopping/);
  const refused = await fetch(`${address}/backend/health`).catch(() => 'refused');
  const closed = once(socket, 'close');
  socket.write(body.slice(10));
  await closed;
  const code = await server.ended;

  expect(refused).toBe('refused');
  expect(reply).toContain('HTTP/1.1 401');
  expect(reply).toContain('wrong_credentials');
  expect(code).toBe(0);
  expect(server.said()).toContain('Stopped.');
});

test('an invalid environment is reported in plain lines, without a stack', async () => {
  const server = start({ PORT: 'eighty', BOT_MODE: 'on' });

  expect(await server.ended).toBe(1);
  expect(server.said()).toBe(
    [
      'Some environment variables are wrong:',
      'PORT: must be a port number from 0 to 65535',
      'BOT_MODE: must be one of polling, webhook, off',
      '',
    ].join('\n'),
  );
});

test('an unreachable database is reported in one line', async () => {
  const server = start({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nori',
    SECRET_KEY: 'a-key-of-tests-with-32-characters',
  });

  expect(await server.ended).toBe(1);
  expect(server.said()).toMatch(
    /^The database at the address of DATABASE_URL cannot be opened: .*ECONNREFUSED.*\n$/,
  );
});

test('a taken port is reported in one line', async () => {
  const first = start();
  const address = new URL(await readAddress(first));

  const second = start({ PORT: address.port, NORI_DATA_DIR: join(dataDir, 'other') });

  expect(await second.ended).toBe(1);
  expect(second.said()).toBe(
    `Port ${address.port} is already in use. Stop what uses it, or set PORT to another one.\n`,
  );
});
