/** The bot in a server that is stopped, killed, or running twice. */
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type Database, migrate, openDatabase } from '#server/db/client';
import { type BotApi, startBotApi } from '#tests/bot-api-server';
import { startPostgres } from '#tests/postgres';
import { findFreePort, type ServerProcess, startServerProcess } from '#tests/server-process';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

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

const helpCommand = {
  message: {
    ...startCommand.message,
    message_id: 2,
    text: '/help',
    entities: [{ type: 'bot_command', offset: 0, length: 5 }],
  },
};

test('the next server handles the updates that a killed one was handling', async () => {
  const killed = start();
  api.fail('sendMessage', 'hang');
  api.updates.push(startCommand);
  await expect.poll(() => api.callsTo('sendMessage'), { timeout: 60_000 }).toHaveLength(1);
  await api.updates.confirmed();
  killed.process.kill('SIGKILL');
  await killed.ended;
  expect(api.messages).toEqual([]);

  expect(api.updates.waiting()).toEqual([]);
  start();

  await expect.poll(() => api.messages, { timeout: 60_000 }).toHaveLength(1);
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

describe.skipIf(postgres === undefined)('two servers with one PostgreSQL', () => {
  let database: Database;
  let url: string;

  beforeEach(async () => {
    const name = `bot_${randomUUID().replaceAll('-', '')}`;
    const address = new URL(postgres?.url ?? '');
    const admin = openDatabase({ url: address.toString() });
    await sql.raw(`create database ${name}`).execute(admin.db);
    await admin.close();
    address.pathname = `/${name}`;
    url = address.toString();
    database = openDatabase({ url });
    await migrate(database);
  });
  afterEach(() => database.close());

  /** Starts a server that takes updates by webhook; `receives` sends it one. */
  async function startWebhook() {
    const port = await findFreePort();
    const server = start({
      NORI_DATA_DIR: join(folder, `data-${port}`),
      DATABASE_URL: url,
      BOT_MODE: 'webhook',
      PUBLIC_URL: 'https://nori.example.org',
      SECRET_KEY: 'a-key-of-tests-with-32-characters',
      PORT: String(port),
    });
    await server.hears(/Nori is running/);
    // One of them leads, and tells Telegram where it is to send updates.
    await expect.poll(() => api.updates.webhook(), { timeout: 60_000 }).toBeDefined();
    return {
      server,
      receives: async (update: object) => {
        const { status } = await fetch(`http://127.0.0.1:${port}/backend/bot/updates`, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            'X-Telegram-Bot-Api-Secret-Token': String(api.updates.webhook()?.['secret_token']),
          },
          body: JSON.stringify(update),
        });
        return status;
      },
    };
  }

  const openRows = () =>
    database.db
      .selectFrom('bot_inbox')
      .select('update_id')
      .where('handled_at', 'is', null)
      .execute();

  test('a command that Telegram sends to both is answered once', async () => {
    const one = await startWebhook();
    const other = await startWebhook();
    const update = { update_id: 7, ...startCommand };

    expect(await Promise.all([one.receives(update), other.receives(update)])).toEqual([204, 204]);
    await expect.poll(openRows).toEqual([]);
    expect(await other.receives(update)).toBe(204);
    expect(await one.receives({ ...update, update_id: 8 })).toBe(204);

    await expect.poll(() => api.messages.length).toBe(2);
    await expect.poll(openRows).toEqual([]);
    expect(api.messages).toHaveLength(2);
  });

  test('the updates of a killed one are handled by the other', async () => {
    const killed = await startWebhook();
    const other = await startWebhook();
    api.fail('sendMessage', 'hang');
    expect(await killed.receives({ update_id: 7, ...startCommand })).toBe(204);
    await expect.poll(() => api.callsTo('sendMessage')).toHaveLength(1);
    killed.server.process.kill('SIGKILL');
    await killed.server.ended;

    expect(await other.receives({ update_id: 8, ...helpCommand })).toBe(204);

    await expect.poll(() => api.messages.length, { timeout: 30_000 }).toBe(2);
    await expect.poll(openRows).toEqual([]);
  });

  test('one of them deletes and counts each message that is due', async () => {
    const chatId = -1_001_000_000_042;
    api.addChat({ id: chatId });
    await Promise.all([startWebhook(), startWebhook()]);
    const ids = Array.from({ length: 300 }, (_, index) => index + 1);
    await database.db
      .insertInto('due_deletions')
      .values(
        ids.map((message_id) => ({
          chat_id: chatId,
          message_id,
          due_at: 0,
          setting: 'photo_blocked',
          sender_id: null,
          give_up_at: Date.now() + 3_600_000,
        })),
      )
      .execute();

    const counted = () => database.db.selectFrom('deletions').select('total').execute();
    await expect.poll(counted, { timeout: 60_000 }).toEqual([{ total: 300 }]);
    expect(api.deletions.of(chatId).toSorted((one, two) => one - two)).toEqual(ids);
  });
});
