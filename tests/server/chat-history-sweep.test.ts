/** How long changes of settings are stored, on SQLite and on a real PostgreSQL. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { type Database, openDatabase } from '#server/db/client';
import { sweep } from '#server/services/maintenance';
import { chatId, owner, signIn, startDemoServer, giveChats } from '#tests/chats';
import { startPostgres } from '#tests/postgres';
import { openTestDatabase, type TestServer } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const dogs = -1005550000000;
const day = 24 * 60 * 60_000;

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  let server: TestServer;

  beforeEach(async () => {
    server = await startDemoServer(await open());
    await signIn(server, owner);
    await giveChats(server, owner, [{ id: chatId }, { id: dogs }]);
  });

  test('changes older than ninety days are deleted, and after a week those beyond a thousand per chat', async () => {
    const rows = Array.from({ length: 1005 }, (_, index) => ({
      id: `change-${index}`,
      chat_id: chatId,
      changed_at: server.now() - 7 * day - 1 - index,
      changed_by: owner,
      kind: 'toggle' as const,
      preset: null,
      item_count: 1,
    }));
    const one = {
      ...rows[0],
      chat_id: dogs,
      kind: 'bulk' as const,
      preset: null,
      changed_by: owner,
    };
    await server.db
      .insertInto('setting_changes')
      .values([
        ...rows,
        { ...one, id: 'old', changed_at: server.now() - 90 * day - 1, item_count: 1 },
        { ...one, id: 'just-in-time', changed_at: server.now() - 90 * day, item_count: 1 },
        { ...one, id: 'huge', changed_at: server.now() - 2, item_count: 190_000 },
      ])
      .execute();
    const left = async (id: number) => {
      const query = server.db.selectFrom('setting_changes').select('id').where('chat_id', '=', id);
      return (await query.orderBy('changed_at', 'desc').execute()).map((row) => row.id);
    };

    await sweep(server.deps);
    expect(await left(chatId)).toEqual(rows.slice(0, 1000).map(({ id }) => id));
    expect(await left(dogs)).toEqual(['huge', 'just-in-time']);

    await server.db
      .insertInto('setting_changes')
      .values({ ...one, id: 'too-much', changed_at: server.now() - 3, item_count: 13_500 })
      .execute();
    await sweep(server.deps);
    expect(await left(dogs)).toEqual(['huge']);
  });

  test('many toggles cannot push the changes of the last week out of the history', async () => {
    const toggle = {
      chat_id: chatId,
      changed_by: owner,
      kind: 'toggle' as const,
      preset: null,
      item_count: 1,
    };
    const changes = [
      { ...toggle, id: 'opened the chat', changed_at: server.now() - 6 * day },
      { ...toggle, id: 'long ago', changed_at: server.now() - 8 * day },
    ];
    await server.db
      .insertInto('setting_changes')
      .values([
        ...Array.from({ length: 1100 }, (_, index) => ({
          ...toggle,
          id: `noise ${index}`,
          changed_at: server.now() - index,
        })),
        ...changes,
      ])
      .execute();

    await sweep(server.deps);

    const query = server.db.selectFrom('setting_changes').select('id').where('item_count', '=', 1);
    const left = await query.where('id', 'not like', 'noise%').execute();
    expect(left).toEqual([{ id: 'opened the chat' }]);
  });
});
