/** The history of values: reverting them, and who changed what, on both databases. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { wholeChatId } from '#server/db/chat-values';
import { type Database, openDatabase } from '#server/db/client';
import { createPeopleSeenRepository } from '#server/db/people-seen';
import { actingOnValues } from '#tests/chat-values';
import {
  acting,
  blockPhotos,
  chatId,
  giveChats,
  owner,
  type SignedIn,
  signIn,
  startDemoServer,
  stranger,
} from '#tests/chats';
import { startPostgres } from '#tests/postgres';
import { openTestDatabase, type TestServer } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  let server: TestServer;
  let me: SignedIn;
  let mine: ReturnType<typeof actingOnValues>;
  let settings: ReturnType<typeof acting>;

  beforeEach(async () => {
    server = await startDemoServer(await open());
    me = await signIn(server, owner);
    await giveChats(server, owner, [{ id: chatId, name: 'Cats', topics: [0, 7] }]);
    [mine, settings] = [actingOnValues(server, me), acting(server, me)];
  });

  test('an undo gives each value what it had, and what was changed since stays', async () => {
    await mine.change({ chat: { warn_limit: 5 } });
    const change = await mine.change({
      chat: { warn_limit: 7, warn_action: { kind: 'kick' }, reports: false },
      '7': { 'off:report': true },
    });
    await mine.change({ chat: { reports: true } });

    const { change: undone, skipped } = await settings.revert(change?.change_id ?? '');

    expect(skipped).toBe(1);
    expect(undone).toMatchObject({ kind: 'undo' });
    expect(undone?.values).toEqual([
      { place: 'chat', name: 'warn_action', was: { kind: 'kick' }, becomes: null },
      { place: 'chat', name: 'warn_limit', was: 7, becomes: 5 },
      { place: '7', name: 'off:report', was: true, becomes: null },
    ]);
    expect(await mine.read()).toEqual({ chat: { warn_limit: 5, reports: true } });
    // Once more: there is nothing left that was not changed since.
    expect(await settings.revert(change?.change_id ?? '')).toEqual({ change: null, skipped: 4 });
    // And the undo can be undone.
    await settings.revert(undone?.change_id ?? '', 'revert');
    expect((await mine.read())['chat']).toMatchObject({ warn_limit: 7, reports: true });
  });

  test('a value that is not possible any more is not given back', async () => {
    await mine.change({ chat: { warn_limit: 5 } });
    const change = await mine.change({ chat: { warn_limit: 6 } });
    await server.db.updateTable('setting_value_items').set({ was: '99' }).execute();

    expect(await settings.revert(change?.change_id ?? '')).toEqual({ change: null, skipped: 1 });
    expect(await mine.read()).toEqual({ chat: { warn_limit: 6 } });
  });

  test('values and settings share one history', async () => {
    await blockPhotos(server, me);
    server.wait(1);
    await mine.change({ chat: { reports: false } });
    server.wait(1);
    await settings.change({ '7': { url_blocked: true } });

    const { changes } = await settings.history();

    expect(changes.map(({ kind, items, values }) => [kind, items.length, values.length])).toEqual([
      ['bulk', 1, 0],
      ['values', 0, 1],
      ['toggle', 1, 0],
    ]);
    expect(await settings.history(changes[0]?.change_id)).toMatchObject({
      changes: [{ kind: 'values' }, { kind: 'toggle' }],
    });
  });

  test('of two changes at once each says truly what was there before it', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => mine.change({ chat: { warn_limit: index + 1 } })),
    );

    const { changes } = await settings.history();
    const steps = changes.toReversed().flatMap(({ values }) => values);
    expect(steps).toHaveLength(10);
    expect(steps.map(({ was }) => was)).toEqual([
      null,
      ...steps.slice(0, -1).map(({ becomes }) => becomes),
    ]);
    expect(await mine.read()).toEqual({ chat: { warn_limit: steps.at(-1)?.becomes } });
  });

  test('a user without an account has the name by which the bot has seen them', async () => {
    const people = createPeopleSeenRepository(server.database);
    await people.learn([{ telegramId: stranger, username: 'sam', firstName: 'Sam' }], 1);
    const by = { chatId, chatName: undefined, kind: 'values' as const };
    const { chatValues } = server.services;
    await chatValues.changeByCommand(
      { ...by, by: stranger },
      new Map([[wholeChatId, { reports: false }]]),
    );
    server.wait(1);
    // An anonymous administrator.
    await chatValues.changeByCommand(
      { ...by, by: 1_087_968_824 },
      new Map([[wholeChatId, { warn_limit: 9 }]]),
    );

    expect((await settings.history()).changes).toMatchObject([
      { changed_by: { telegram_id: '1087968824', name: '' } },
      { changed_by: { telegram_id: String(stranger), name: 'Sam' } },
    ]);
  });
});
