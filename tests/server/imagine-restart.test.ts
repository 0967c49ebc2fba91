/** A picture is asked for in a chat, and the server is killed at any step of it: it comes once, and is in the history once. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { type Database, openDatabase } from '#server/db/client';
import { type BotApi, startBotApi } from '#tests/bot-api-server';
import { writtenMessage } from '#tests/bot-api-world';
import { signIn } from '#tests/chats';
import { createHandEngine } from '#tests/image-engines';
import { startPostgres } from '#tests/postgres';
import { groupId } from '#tests/test-bot';
import {
  createMemoryStore,
  createTestServer,
  openTestDatabase,
  type TestServer,
} from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const ann = 444;

/** Servers one after the other in the same group, with the same database and files. */
async function startServers(open: () => Promise<Database>) {
  const api = await startBotApi();
  api.addChat({ id: groupId, title: 'Otters', members: [ann] });
  const database = await open();
  const servers: TestServer[] = [];
  onTestFinished(async () => {
    // First: a killed server may wait for an answer.
    await api.close();
    await Promise.all(servers.map((server) => server.close()));
    await database.close();
  });
  const shared = {
    bot: { api },
    database: { ...database, close: () => Promise.resolve() },
    objects: createMemoryStore(),
  };
  const start = async () => {
    const hand = createHandEngine();
    const server = await createTestServer({ ...shared, engines: { pixai: hand.engine } });
    servers.push(server);
    return { server, hand };
  };

  return {
    api,
    start,
    /** The next server finds what the killed one has left when its leases are over. */
    startAgain: async (killed: TestServer) => {
      await kill(killed);
      const next = await start();
      for (const table of ['due_jobs', 'generation_jobs'] as const) {
        await database.db.updateTable(table).set({ held_until: 0 }).execute();
      }
      await next.server.services.generationJobs.resume();
      void next.server.services.dueJobs.runDue();
      return next;
    },
    asks: async ({ handled }: TestServer) => {
      const message = writtenMessage({
        text: '/imagine a fox',
        chatId: groupId,
        from: ann,
        messageId: 9001,
      });
      api.updates.push({ message });
      await api.updates.confirmed();
      await handled();
    },
    photos: () => api.messages.filter((message) => api.show(message)?.media?.kind === 'photo'),
    /** Everything of the bot that is seen, once nothing is left to do. */
    settled: async ({ services, db }: TestServer) => {
      await expect
        .poll(async () => {
          await services.dueJobs.runDue();
          const kind = 'picture_delivery';
          return db.selectFrom('due_jobs').select('id').where('kind', '=', kind).execute();
        })
        .toEqual([]);
      return api.messages.flatMap((message) => api.show(message) ?? []);
    },
  };
}

/** It does nothing any more: its bot hears nothing, and what it has begun it never hears the answer of. */
async function kill({ services, stopBot }: TestServer): Promise<void> {
  services.dueJobs.abandon();
  services.outbox.stop();
  void stopBot();
  await services.generationJobs.stop();
}

const never = new Promise<void>(() => undefined);

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  test('killed before the engine has answered', async () => {
    const { api, start, startAgain, asks, settled, photos } = await startServers(open);
    const first = await start();
    await signIn(first.server, ann);
    await asks(first.server);
    await first.server.services.generationJobs.resume();
    await expect.poll(first.hand.waiting).toBe(1);
    await expect.poll(() => api.messages).toHaveLength(1);

    const next = await startAgain(first.server);
    await expect.poll(next.hand.waiting).toBe(1);
    next.hand.finish();
    await expect.poll(photos).toHaveLength(1);

    expect(await settled(next.server)).toMatchObject([{ media: { kind: 'photo' } }]);
    expect(await next.server.services.generations.list(ann)).toHaveLength(1);
  }, 30_000);

  test.each([
    [
      'before Telegram has heard of the picture',
      (api: BotApi) => api.fail('editMessageMedia', 'hang'),
    ],
    ['after Telegram has taken the picture', (api: BotApi) => api.hold('editMessageMedia', never)],
  ])(
    'killed after the engine has answered, %s',
    async (_when, cutOff) => {
      const { api, start, startAgain, asks, settled, photos } = await startServers(open);
      const first = await start();
      await signIn(first.server, ann);
      await asks(first.server);
      await first.server.services.generationJobs.resume();
      await expect.poll(first.hand.waiting).toBe(1);
      cutOff(api);
      first.hand.finish();
      await expect
        .poll(async () => {
          void first.server.services.dueJobs.runDue();
          return api.callsTo('editMessageMedia').length;
        })
        .toBeGreaterThan(0);

      const next = await startAgain(first.server);

      expect(await settled(next.server)).toMatchObject([{ media: { kind: 'photo' } }]);
      expect(photos()).toHaveLength(1);
      expect(next.hand.asked()).toBe(0);
      expect(await next.server.services.generations.list(ann)).toHaveLength(1);
    },
    30_000,
  );
});
