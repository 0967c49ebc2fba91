/** The history of changes, and reverting them, on SQLite and on a real PostgreSQL. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { settingNames } from '#contract/chats/message-types';
import { listChanges, revertChange } from '#contract/endpoints/chat-changes';
import { type Database, openDatabase } from '#server/db/client';
import {
  chatId,
  friend,
  owner,
  type SignedIn,
  signIn,
  startDemoServer,
  acting,
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

const dogs = -1005550000000;

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  let server: TestServer;
  let mine: SignedIn;
  let theirs: SignedIn;
  let me: ReturnType<typeof acting>;
  let other: ReturnType<typeof acting>;

  /** Both users manage the cats, only `other` manages the dogs. */
  beforeEach(async () => {
    server = await startDemoServer(await open());
    [mine, theirs] = [await signIn(server, owner), await signIn(server, friend)];
    await giveChats(server, owner, [{ id: chatId, name: 'Cats', topics: [0, 7] }]);
    await giveChats(server, friend, [{ id: dogs, name: 'Dogs' }]);
    await server.db
      .insertInto('chat_managers')
      .values({
        chat_id: chatId,
        telegram_id: friend,
        owner_id: owner,
        role: 'member',
        verified_at: server.now(),
        checked_at: server.now(),
      })
      .execute();
    [me, other] = [acting(server, mine), acting(server, theirs)];
  });

  test('a change of the bot’s language is listed, and reverted only to a language that is still offered', async () => {
    const { chatChanges } = server.services;
    const wrote = { chat_name: '', is_in: 0, may_delete: 0, is_forum: 0, updated_at: 0 };
    await server.db
      .insertInto('bot_chats')
      .values({ ...wrote, chat_id: chatId, language: 'de' })
      .execute();
    await chatChanges.setLanguage(owner, chatId, 'en');
    await chatChanges.setLanguage(owner, chatId, 'en');

    const { changes } = await other.history();
    expect(changes).toMatchObject([
      { kind: 'language', items: [], language: { was: 'de', becomes: 'en' } },
    ]);
    expect(await me.revert(changes[0]?.change_id ?? '')).toEqual({ change: null, skipped: 1 });
    expect(await server.services.chats.readLanguage(chatId)).toBe('en');
  });

  test('every change is listed, the newest first, with its user and time', async () => {
    const { db } = server;
    await db
      .updateTable('people')
      .set({ first_name: 'Olga' })
      .where('telegram_id', '=', owner)
      .execute();
    await me.toggle('photo_blocked', true);
    server.wait(5000);
    await other.change({ '0': { photo_blocked: false }, '7': { url_blocked: true } });

    expect(await me.history()).toMatchObject({
      changes: [
        {
          kind: 'bulk',
          changed_at: server.now(),
          changed_by: { telegram_id: String(friend), name: '' },
          items: [
            { topic_id: '0', setting_name: 'photo_blocked', was: true, becomes: false },
            { topic_id: '7', setting_name: 'url_blocked', was: false, becomes: true },
          ],
        },
        {
          kind: 'toggle',
          changed_at: server.now() - 5000,
          changed_by: { telegram_id: String(owner), name: 'Olga' },
          items: [{ setting_name: 'photo_blocked', was: false, becomes: true }],
        },
      ],
      has_more: false,
    });
  });

  test('a toggle without effect is not recorded; a toggle that is reverted at once is recorded twice', async () => {
    await me.toggle('photo_blocked', false);
    await me.toggle('photo_blocked', true);
    await me.toggle('photo_blocked', true);
    await me.toggle('photo_blocked', false);

    const { changes } = await me.history();

    expect(changes.map(({ items }) => items[0]?.becomes)).toEqual([false, true]);
  });

  test('the list has pages of thirty, and each page continues after the last one', async () => {
    for (let times = 0; times < 65; times += 1) {
      await me.toggle('photo_blocked', times % 2 === 0);
    }

    const first = await me.history();
    const second = await me.history(first.changes.at(-1)?.change_id);
    const third = await me.history(second.changes.at(-1)?.change_id);

    expect([first, second, third].map(({ changes }) => changes.length)).toEqual([30, 30, 5]);
    expect([first, second, third].map((page) => page.has_more)).toEqual([true, true, false]);
    const all = [first, second, third].flatMap(({ changes }) => changes);
    expect(new Set(all.map(({ change_id }) => change_id)).size).toBe(65);
    expect(all.map(({ items }) => items[0]?.becomes)).toEqual(all.map((_, at) => at % 2 === 0));
  });

  test('changes are listed in the order in which they were made, also when the clock is set back', async () => {
    await me.toggle('photo_blocked', true);
    server.wait(-60_000);
    await me.toggle('poll_blocked', true);

    const { changes } = await me.history();

    expect(changes.map(({ items }) => items[0]?.setting_name)).toEqual([
      'poll_blocked',
      'photo_blocked',
    ]);
  });

  test('any manager of the chat can revert a whole change, and the revert is recorded as a change', async () => {
    await me.toggle('dice_blocked', true);
    const made = await me.change({
      '0': { photo_blocked: true, dice_blocked: false },
      '7': { url_blocked: true },
    });

    const { change, skipped } = await other.revert(made?.change_id ?? '', 'revert');

    expect(skipped).toBe(0);
    expect(change).toMatchObject({ kind: 'revert', changed_by: { telegram_id: String(friend) } });
    expect(await me.blocked()).toEqual({ '0': ['dice_blocked'], '7': [] });
    expect((await me.history()).changes[0]).toEqual(change);

    await me.revert(change?.change_id ?? '', 'undo');
    expect(await me.blocked()).toEqual({ '0': ['photo_blocked'], '7': ['url_blocked'] });
  });

  test('a setting that was changed since then stays, and counts as skipped', async () => {
    const made = await me.change({
      '0': { photo_blocked: true, url_blocked: true },
      '7': { poll_blocked: true },
    });
    await other.change({ '0': { photo_blocked: false } });

    const first = await me.revert(made?.change_id ?? '');
    const again = await me.revert(made?.change_id ?? '');

    expect(first).toMatchObject({ skipped: 1, change: { kind: 'undo' } });
    expect(first.change?.items.map(({ setting_name }) => setting_name)).toEqual([
      'url_blocked',
      'poll_blocked',
    ]);
    expect(again).toEqual({ change: null, skipped: 3 });
    expect(await me.blocked()).toEqual({ '0': [], '7': [] });
  });

  test('a change of another chat, and an unknown change, are not found', async () => {
    await server.db
      .insertInto('setting_changes')
      .values({
        id: 'a-change-to-dogs',
        chat_id: dogs,
        changed_at: 1,
        changed_by: friend,
        kind: 'bulk',
        preset: null,
        item_count: 0,
      })
      .execute();

    for (const change_id of ['a-change-to-dogs', 'no-such-change', '../settings', "' or 1=1"]) {
      const [taken, listed] = await Promise.all([
        server.call(revertChange, { chat_id: chatId, change_id, kind: 'undo' }, mine),
        server.call(listChanges, { chat_id: chatId, before: change_id }, mine),
      ]);
      expect(taken).toMatchObject({ status: 404, body: { code: 'change_not_found' } });
      expect(listed).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
    }
  });

  test('a user cannot read the history of a chat that they do not manage', async () => {
    const listed = await server.call(listChanges, { chat_id: dogs }, mine);
    const taken = await server.call(
      revertChange,
      { chat_id: dogs, change_id: 'x', kind: 'revert' },
      mine,
    );

    expect(listed).toMatchObject({ status: 404, body: { code: 'chat_not_found' } });
    expect(taken).toMatchObject({ status: 403, body: { code: 'chat_not_verified' } });
  });

  test('when two owners change everything at once, the last change applies completely and the history agrees', async () => {
    const all = (isBlocked: boolean) => {
      const settings = Object.fromEntries(settingNames.map((name) => [name, isBlocked]));
      return { '0': settings, '7': settings };
    };

    await Promise.all(
      Array.from({ length: 6 }, (_, index) => [
        me.change(all(index % 2 === 0)),
        other.change(all(index % 2 === 1)),
        other.toggle('photo_blocked', index % 2 === 1),
      ]).flat(),
    );

    const { changes } = await me.history();
    const now = await me.blocked();
    const kinds = Object.entries(now).flatMap(([id, names]) =>
      names.map((name) => `${id} ${name}`),
    );
    const told = new Set<string>();
    for (const { topic_id, setting_name, was, becomes } of changes
      .toReversed()
      .flatMap(({ items }) => items)) {
      const key = `${topic_id} ${setting_name}`;
      // The previous values of each change are the values that the change before it left.
      expect(told.has(key)).toBe(was);
      if (becomes) {
        told.add(key);
      } else {
        told.delete(key);
      }
    }
    expect(kinds.toSorted()).toEqual([...told].toSorted());
    // All values are from one bulk change, except for later single toggles.
    const others = kinds.filter((key) => !key.endsWith('photo_blocked'));
    expect([0, 52]).toContain(others.length);
  });
});
