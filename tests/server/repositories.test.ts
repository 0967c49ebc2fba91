/** The storage of chats and of turns is the same on SQLite and on a real PostgreSQL, up to the HTTP answers. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';

import { addTopic, listChats, readChat, setSetting } from '#contract/endpoints/chats';
import { createDueHintRepository } from '#server/db/bot-chats';
import { createChatRepository } from '#server/db/chats';
import { type Database, openDatabase, migrate } from '#server/db/client';
import { createRateBucketRepository } from '#server/db/counters';
import { createManagerRepository, type Manager } from '#server/db/managers';
import { createTopicRepository } from '#server/db/topics';
import { manage, owner, signIn, startWorld } from '#tests/chats';
import { startPostgres } from '#tests/postgres';
import { openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

/** Ids beyond 32 bits, as Telegram's are. */
const chat = { chatId: -1002345678901, name: 'Cats & “dogs” 日本', isDemo: false };
const [ann, bob] = [7_123_456_789, 8_123_456_789];
const annManages: Manager = {
  chatId: chat.chatId,
  telegramId: ann,
  ownerId: ann,
  role: 'creator',
  verifiedAt: 1_790_000_000_000,
  checkedAt: 1_790_000_000_000,
};

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
    await migrate(database);
    await database.db
      .insertInto('people')
      .values(
        [ann, bob].map((telegram_id) => ({
          telegram_id,
          email: 'a@example.org',
          password_hash: 'x',
          first_name: null,
          username: null,
          photo_url: null,
          created_at: 1,
        })),
      )
      .execute();
  });
  afterEach(() => database.close());

  const repositories = () => ({
    chats: createChatRepository(database.db),
    managers: createManagerRepository(database.db),
    topics: createTopicRepository(database.db),
  });

  test('what one process at a time may have is another’s once it is given up, or its time is over', async () => {
    const buckets = createRateBucketRepository(database.db);
    const hold = (now: number) => buckets.hold('turn', { now, windowMs: 100 });

    expect(await Promise.all([hold(1000), hold(1001), hold(1002)])).toEqual([true, false, false]);
    await buckets.letGo('turn', 1000);
    expect(await hold(1050)).toBe(true);
    expect(await hold(1149)).toBe(false);
    expect(await hold(1150)).toBe(true);
    await buckets.letGo('turn', 1050);
    expect(await hold(1160)).toBe(false);
  });

  test('a chat is stored, found and updated', async () => {
    const { chats } = repositories();

    await chats.save({ ...chat, name: '', isDemo: true }, 1);
    await chats.save(chat, 2);

    expect(await chats.find(chat.chatId)).toEqual(chat);
    expect(await chats.find(-1)).toBeUndefined();
  });

  test('the chats of a user are listed by name, and no others', async () => {
    const { chats, managers } = repositories();
    for (const [chatId, name] of [
      [-3, 'Beta'],
      [-2, 'Alpha'],
      [-4, 'Gamma'],
    ] as const) {
      await chats.save({ ...chat, chatId, name }, 1);
    }
    await managers.save({ ...annManages, chatId: -3 });
    await managers.save({ ...annManages, chatId: -2 });
    await managers.save({ ...annManages, chatId: -4, telegramId: bob });

    expect((await chats.listManagedBy(ann)).map(({ name }) => name)).toEqual(['Alpha', 'Beta']);
    expect((await chats.listManagedBy(bob)).map(({ name }) => name)).toEqual(['Gamma']);
  });

  test('a manager is replaced by a newer verification, and an older check does not overwrite it', async () => {
    const { chats, managers } = repositories();
    await chats.save(chat, 1);
    await managers.save(annManages);
    const newer: Manager = {
      ...annManages,
      ownerId: bob,
      role: 'member',
      verifiedAt: 1_790_000_900_000,
    };
    await managers.save(newer);

    await managers.markChecked(annManages, 1_790_000_999_000);
    await managers.remove(annManages);

    expect(await managers.find(chat.chatId, ann)).toEqual({ ...newer, isDemo: false });
    await managers.markChecked(newer, 1_790_000_999_000);
    expect(await managers.find(chat.chatId, ann)).toMatchObject({ checkedAt: 1_790_000_999_000 });
    await managers.remove(newer);
    expect(await managers.find(chat.chatId, ann)).toBeUndefined();
  });

  test('all managers of a chat can be removed, and only of that one', async () => {
    const { chats, managers } = repositories();
    await chats.save(chat, 1);
    await chats.save({ ...chat, chatId: -2 }, 1);
    await managers.save(annManages);
    await managers.save({ ...annManages, telegramId: bob });
    await managers.save({ ...annManages, chatId: -2 });

    await managers.removeAll(chat.chatId);

    expect(await managers.find(chat.chatId, bob)).toBeUndefined();
    expect(await managers.find(-2, ann)).toBeDefined();
  });

  test('topics without settings, topics with settings and unknown topics are different', async () => {
    const { chats, topics } = repositories();
    await chats.save(chat, 1);
    await topics.add(chat.chatId, 12, 1);
    await topics.add(chat.chatId, 0, 1);
    const setting = { topicId: 12, name: 'photo_blocked', isBlocked: true };
    await topics.setAll(chat.chatId, [setting], 2);
    await topics.add(chat.chatId, 12, 3);

    expect([...(await topics.readAll(chat.chatId))]).toEqual([
      [0, new Map()],
      [12, new Map([['photo_blocked', true]])],
    ]);
    expect(await topics.read(chat.chatId, 12)).toEqual(new Map([['photo_blocked', true]]));
    expect(await topics.read(chat.chatId, 0)).toEqual(new Map());
    expect(await topics.read(chat.chatId, 13)).toBeUndefined();
    expect(await topics.read(-1, 0)).toBeUndefined();
    expect(await topics.count(chat.chatId)).toBe(2);
    expect(await topics.count(-1)).toBe(0);
  });

  test('a setting is stored with its time, and can be changed later', async () => {
    const { chats, topics } = repositories();
    await chats.save(chat, 1);
    await topics.add(chat.chatId, 0, 1);
    const setting = { topicId: 0, name: 'poll_blocked', isBlocked: true };

    await topics.setAll(chat.chatId, [setting], 1_790_000_000_000);
    await topics.setAll(chat.chatId, [{ ...setting, isBlocked: false }], 1_790_000_000_001);

    expect(await database.db.selectFrom('topic_settings').selectAll().execute()).toEqual([
      {
        chat_id: chat.chatId,
        topic_id: 0,
        name: 'poll_blocked',
        is_blocked: 0,
        updated_at: 1_790_000_000_001,
      },
    ]);
  });

  test('a group that becomes a supergroup keeps all data, and every former ID leads to the latest', async () => {
    const { chats, managers, topics } = repositories();
    await chats.save({ ...chat, chatId: -10 }, 5);
    await managers.save({ ...annManages, chatId: -10 });
    const ids = Array.from({ length: 1200 }, (_, index) => index);
    await database.db
      .insertInto('topics')
      .values(ids.map((topic_id) => ({ chat_id: -10, topic_id, created_at: 1 })))
      .execute();
    const setting = { topicId: 1100, name: 'poll_blocked', isBlocked: true };
    await topics.setAll(-10, [setting], 2);

    await chats.upgrade(-10, -20);
    await chats.upgrade(-20, chat.chatId);
    await chats.upgrade(-20, chat.chatId);

    expect(await Promise.all([-10, -20, -30].map((id) => chats.currentId(id)))).toEqual([
      chat.chatId,
      chat.chatId,
      -30,
    ]);
    expect(await chats.find(-10)).toBeUndefined();
    expect(await chats.find(chat.chatId)).toEqual(chat);
    expect(await managers.find(chat.chatId, ann)).toMatchObject({ ownerId: ann });
    expect(await topics.count(chat.chatId)).toBe(1200);
    expect(await topics.read(chat.chatId, 1100)).toEqual(new Map([['poll_blocked', true]]));
    expect(await topics.count(-10)).toBe(0);
  });

  test('an upgrade to a chat that is already managed keeps the data stored there', async () => {
    const { chats, managers, topics } = repositories();
    for (const chatId of [-10, -20]) {
      await chats.save({ ...chat, chatId, name: `Chat ${chatId}` }, 1);
      await topics.add(chatId, 0, 1);
      const setting = { topicId: 0, name: 'poll_blocked', isBlocked: chatId === -20 };
      await topics.setAll(chatId, [setting], 1);
    }
    await managers.save({ ...annManages, chatId: -20 });
    await managers.save({ ...annManages, chatId: -10, telegramId: bob });

    await chats.upgrade(-10, -20);

    expect(await chats.find(-20)).toMatchObject({ name: 'Chat -20' });
    expect(await topics.read(-20, 0)).toEqual(new Map([['poll_blocked', true]]));
    expect(await managers.find(-20, bob)).toBeDefined();
    expect(await managers.find(-20, ann)).toBeDefined();
  });

  test('a hint is claimed once it is due, by one process, and never for an upgraded group', async () => {
    const { chats } = repositories();
    const hints = createDueHintRepository(database.db);
    const hint = { telegramId: ann, dueAt: 3000, giveUpAt: 9000 };
    await hints.add({ ...hint, chatId: -1 });
    await hints.add({ ...hint, chatId: -1, telegramId: bob });
    await hints.add({ ...hint, chatId: -1_002 });
    await chats.upgrade(-2, -1_002);
    await hints.add({ ...hint, chatId: -1_002 });

    expect(await hints.claim(2999, 6000)).toEqual([]);
    expect(await hints.claim(3000, 6000)).toEqual([{ chatId: -1, telegramId: bob }]);
    expect(await hints.claim(3000, 6000)).toEqual([]);
    // The process that claimed it has ended.
    expect(await hints.claim(6000, 9000)).toEqual([{ chatId: -1, telegramId: bob }]);
    expect(await hints.claim(9000, 12_000)).toEqual([]);
    expect(await database.db.selectFrom('due_hints').selectAll().execute()).toEqual([]);
  });

  test('the whole flow works: verify, block, read again, follow an upgrade', async () => {
    const own = await open();
    const { server, bot, chat: cats } = await startWorld({ database: own });
    const me = await signIn(server, owner);

    await manage({ server, bot }, me, cats);
    await server.call(addTopic, { chat_id: cats.id, topic_id: 4 }, me);
    const change = { chat_id: cats.id, topic_id: 4, setting_name: 'photo_blocked', value: true };
    const written = await server.call(setSetting, change, me);
    const oldId = cats.id;
    bot.upgrade(oldId, -1007);
    server.wait(60_000);
    const read = await server.call(readChat, { chat_id: oldId }, me);

    expect(written).toMatchObject({ status: 200, body: { value: true } });
    expect(read).toMatchObject({
      status: 200,
      body: {
        chat_id: '-1007',
        chat_name: 'Cat lovers',
        topics: { '0': { photo_blocked: false }, '4': { photo_blocked: true } },
      },
    });
    expect((await server.call(listChats, {}, me)).body).toMatchObject({
      chats: [{ chat_id: '-1007' }],
    });
  });
});
