/** The bot in a server that is stopped, killed, or running twice. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { type BotApi, startBotApi } from '#tests/bot-api-server';
import { type ServerProcess, startServerProcess } from '#tests/server-process';

let api: BotApi;
let folder: string;
const running: ServerProcess[] = [];

beforeEach(async () => {
  api = await startBotApi();
  folder = await mkdtemp(join(tmpdir(), 'nori-bot-'));
});
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.process.kill('SIGKILL');
    await server.ended;
  }
  await api.close();
  await rm(folder, { recursive: true });
});

function start(variables: Record<string, string> = {}): ServerProcess {
  const server = startServerProcess({
    NORI_DATA_DIR: join(folder, 'data'),
    BOT_TOKEN: api.token,
    TELEGRAM_API_ROOT: api.apiRoot,
    BOT_MODE: 'polling',
    ...variables,
  });
  running.push(server);
  return server;
}

const startCommand = {
  message: {
    message_id: 1,
    date: 0,
    chat: { id: 42, type: 'private', first_name: 'Ada' },
    from: { id: 42, is_bot: false, first_name: 'Ada' },
    text: '/start',
    entities: [{ type: 'bot_command', offset: 0, length: 6 }],
  },
};

test('the next server handles the updates that a killed one was handling', async () => {
  const killed = start();
  api.fail('sendMessage', 'hang');
  api.updates.push(startCommand);
  await expect.poll(() => api.callsTo('sendMessage'), { timeout: 60_000 }).toHaveLength(1);
  killed.process.kill('SIGKILL');
  await killed.ended;
  expect(api.messages).toEqual([]);

  start();
  await api.updates.confirmed();

  expect(api.messages).toHaveLength(1);
});

test('a stopped server ends at once, and confirms the updates that it has handled', async () => {
  const server = start();
  api.updates.push(startCommand);
  await api.updates.confirmed();
  await api.updates.asked();

  const stoppedAt = performance.now();
  server.process.kill('SIGTERM');

  expect(await server.ended).toBe(0);
  expect(performance.now() - stoppedAt).toBeLessThan(9000);
  expect(server.said()).toContain('The bot is @nori_test_bot.');
  expect(api.updates.waiting()).toEqual([]);
  expect(api.messages).toHaveLength(1);
});

test('a second server with the same bot is logged', async () => {
  const first = start();
  await api.updates.asked();
  const second = start({ NORI_DATA_DIR: join(folder, 'other') });

  const said = await first.hears(/something else asks for its updates.*/);

  expect(said[0]).toContain('Stop the other server with this BOT_TOKEN');
  expect(first.said() + second.said()).not.toContain(api.token);
});

test('the operator of a bot that only sends is told how to change that', async () => {
  const server = start({ BOT_MODE: 'off' });

  const [said] = await server.hears(/The bot only sends messages.*/);

  expect(said).toContain('Set BOT_MODE=polling');
});

test('a webhook without an https address is refused in one clear line', async () => {
  const server = start({ BOT_MODE: 'webhook', PUBLIC_URL: 'http://nori.example.org' });

  expect(await server.ended).toBe(1);
  expect(server.said()).toContain('PUBLIC_URL: must be an address of https');
});
