/** A picture that is asked for in a group of a server whose process is killed: it comes once, and is in the history once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { migrate, openDatabase } from '#server/db/client';
import { type BotApi, startBotApi } from '#tests/bot-api-server';
import { writtenMessage } from '#tests/bot-api-world';
import { type ServerProcess, startServerProcess } from '#tests/server-process';
import { groupId } from '#tests/test-bot';

const ann = 444;

let api: BotApi;
let dataDir: string;
const running: ServerProcess[] = [];

beforeEach(async () => {
  api = await startBotApi();
  api.addChat({ id: groupId, title: 'Otters', members: [ann] });
  dataDir = await mkdtemp(join(tmpdir(), 'nori-imagine-'));
  const database = openDatabase({ dataDir });
  await migrate(database);
  await database.db
    .insertInto('people')
    .values({
      telegram_id: ann,
      email: 'ann@example.org',
      password_hash: 'unused',
      first_name: null,
      username: null,
      photo_url: null,
      created_at: 0,
    })
    .execute();
  await database.close();
});
afterEach(async () => {
  await api.close();
  await Promise.all(running.splice(0).map(kill));
  await rm(dataDir, { recursive: true });
});

function start(): ServerProcess {
  const server = startServerProcess({
    NORI_DATA_DIR: dataDir,
    BOT_TOKEN: api.token,
    TELEGRAM_API_ROOT: api.apiRoot,
    BOT_MODE: 'polling',
  });
  running.push(server);
  return server;
}

async function kill(server: ServerProcess): Promise<void> {
  server.process.kill('SIGKILL');
  await server.ended;
}

function requestPicture(): void {
  const message = writtenMessage({
    text: '/imagine a fox in the snow',
    chatId: groupId,
    from: ann,
    messageId: 9001,
  });
  api.updates.push({ message: { ...message, date: Math.floor(Date.now() / 1000) } });
}

const photos = () =>
  api.messages.filter((message) => api.show(message)?.media?.kind === 'photo').length;

/** Of the stopped server. */
async function countHistory(): Promise<number> {
  const database = openDatabase({ dataDir });
  const rows = await database.db.selectFrom('generations').select('telegram_id').execute();
  await database.close();
  return rows.filter(({ telegram_id }) => telegram_id === ann).length;
}

const never = new Promise<void>(() => undefined);

test.each([
  ['while it is painted', 'sendMessage', (): void => undefined],
  [
    'before Telegram has heard of the picture',
    'editMessageMedia',
    (): void => api.fail('editMessageMedia', 'hang'),
  ],
  [
    'after Telegram has taken the picture',
    'editMessageMedia',
    (): void => api.hold('editMessageMedia', never),
  ],
] as const)('killed %s', async (_when, method, cutOff) => {
  const first = start();
  await api.updates.asked();
  cutOff();
  requestPicture();
  await expect.poll(() => api.callsTo(method).length, { interval: 10 }).toBeGreaterThan(0);
  await kill(first);

  const second = start();
  await expect.poll(photos).toBe(1);
  await second.hears(/The bot is @/);
  // Whatever would be sent a second time is sent when the next server has started.
  const third = await restart(second);

  expect(photos()).toBe(1);
  await kill(third);
  expect(await countHistory()).toBe(1);
});

/** Stops a server, so that it has done all that it was doing, and starts the next. */
async function restart(server: ServerProcess): Promise<ServerProcess> {
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  const next = start();
  await next.hears(/The bot is @/);
  await api.updates.asked();
  return next;
}
