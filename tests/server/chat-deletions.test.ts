/** Counts of deleted messages of the last 24 hours and the last 7 days. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { readDeletions } from '#contract/endpoints/chat-activity';
import { type Database, openDatabase } from '#server/db/client';
import { sweep } from '#server/services/maintenance';
import {
  chatId,
  friend,
  owner,
  type SignedIn,
  signIn,
  startDemoServer,
  giveChats,
} from '#tests/chats';
import { startPostgres } from '#tests/postgres';
import { openTestDatabase, type TestServer } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const hour = 60 * 60_000;
const day = 24 * hour;
const dogs = -1005550000000;

/** The answer when every message was deleted alone. */
const exactly = (inDay: Record<string, number>, inWeek: Record<string, number>) => ({
  day: inDay,
  week: inWeek,
  exact: { day: inDay, week: inWeek },
});

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  let server: TestServer;
  let me: SignedIn;

  /** Noon. */
  beforeEach(async () => {
    server = await startDemoServer(await open());
    [me] = [await signIn(server, owner), await signIn(server, friend)];
    await giveChats(server, owner, [{ id: chatId }]);
    await giveChats(server, friend, [{ id: dogs }]);
  });

  /** Records this many deleted messages in the hour that began this many hours ago. */
  const deleted = (hoursAgo: number, counts: Record<string, number>, chat_id = chatId) =>
    server.db
      .insertInto('deletions')
      .values(
        Object.entries(counts).map(([name, total]) => ({
          chat_id,
          name,
          total,
          hour: server.now() - hoursAgo * hour,
        })),
      )
      .execute();

  const counts = async () => (await server.call(readDeletions, { chat_id: chatId }, me)).body;

  test('the hours are added up for each type, and types without deletions are left out', async () => {
    await deleted(0, { photo_blocked: 3 });
    await deleted(1, { photo_blocked: 4 });
    await deleted(30, { photo_blocked: 100, url_blocked: 5 });
    await deleted(2, { poll_blocked: 0 });
    await deleted(1, { photo_blocked: 1000 }, dogs);

    expect(await counts()).toEqual(
      exactly({ photo_blocked: 7 }, { photo_blocked: 107, url_blocked: 5 }),
    );
  });

  test('messages that were deleted with others count as at most, and not as exact', async () => {
    await deleted(1, { photo_blocked: 3 });
    await server.db
      .insertInto('deletions')
      .values([
        { chat_id: chatId, name: 'photo_blocked', hour: server.now(), total: 40, uncertain: 38 },
        { chat_id: chatId, name: 'url_blocked', hour: server.now(), total: 5, uncertain: 5 },
      ])
      .execute();

    expect(await counts()).toEqual({
      day: { photo_blocked: 43, url_blocked: 5 },
      week: { photo_blocked: 43, url_blocked: 5 },
      exact: { day: { photo_blocked: 5 }, week: { photo_blocked: 5 } },
    });
  });

  test('a chat without deletions has no counts', async () => {
    expect(await counts()).toEqual(exactly({}, {}));
  });

  test('an hour counts until its start is older than the period', async () => {
    await deleted(24, { photo_blocked: 1 });
    await deleted(7 * 24, { url_blocked: 1 });
    expect(await counts()).toEqual(
      exactly({ photo_blocked: 1 }, { photo_blocked: 1, url_blocked: 1 }),
    );

    server.wait(1);
    expect(await counts()).toEqual(exactly({}, { photo_blocked: 1 }));

    server.wait(6 * day - 1);
    expect(await counts()).toEqual(exactly({}, { photo_blocked: 1 }));
    server.wait(1);
    expect(await counts()).toEqual(exactly({}, {}));
  });

  test('the current hour counts at once', async () => {
    server.wait(59 * 60_000);
    await server.db
      .insertInto('deletions')
      .values({ chat_id: chatId, name: 'dice_blocked', total: 2, hour: server.now() - 59 * 60_000 })
      .execute();

    expect(await counts()).toMatchObject({ day: { dice_blocked: 2 } });
  });

  test('counts older than a week are deleted within a day', async () => {
    await deleted(7 * 24, { photo_blocked: 1 });
    await deleted(8 * 24, { url_blocked: 1 });
    server.wait(1);

    await sweep(server.deps);

    expect(await server.db.selectFrom('deletions').select('name').execute()).toEqual([
      { name: 'photo_blocked' },
    ]);
  });

  test('a user cannot read the counts of a chat that they do not manage', async () => {
    const replies = await Promise.all(
      [dogs, -1009999999999].map((chat_id) => server.call(readDeletions, { chat_id }, me)),
    );

    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'chat_not_found' } });
    }
  });
});
