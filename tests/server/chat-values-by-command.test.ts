/** The values of a chat for the bot: reading them, and changing them by commands; and what open pages hear of it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { readValues } from '#contract/endpoints/chat-values';
import { addTopic, readChat } from '#contract/endpoints/chats';
import { wholeChatId } from '#server/db/chat-values';
import { followed, type SharedWorld, startSharedWorld } from '#tests/chat-stream';
import { actingOnValues } from '#tests/chat-values';
import {
  acting,
  chatId,
  friend,
  giveChats,
  manage,
  owner,
  signIn,
  startDemoServer,
  startWorld,
  stranger,
} from '#tests/chats';
import { createTestServer, type TestServer } from '#tests/test-server';

const dogs = -1005550000000;

describe('what the bot reads', () => {
  let server: TestServer;
  const readForBot = async () =>
    (await server.services.chatValues.readForBot(chatId)).get(wholeChatId);

  beforeEach(async () => {
    server = await startDemoServer();
    await signIn(server, owner);
    await giveChats(server, owner, [{ id: chatId, isDemo: false }]);
  });

  test('every change counts at once, also a revert, and for the new ID of the chat', async () => {
    const { chatValues, chatChanges, chatUpgrades } = server.services;
    expect(await readForBot()).toBeUndefined();

    const change = await chatValues.change(owner, {
      chatId,
      kind: 'values',
      wanted: new Map([[wholeChatId, { warn_limit: 5 }]]),
    });
    expect(await readForBot()).toEqual(new Map([['warn_limit', 5]]));

    await chatUpgrades.upgrade(chatId, dogs);
    expect(await readForBot()).toBeUndefined();
    expect((await chatValues.readForBot(dogs)).get(wholeChatId)?.get('warn_limit')).toBe(5);

    await chatChanges.revert(owner, { chatId: dogs, changeId: change?.id ?? '', kind: 'undo' });
    expect((await chatValues.readForBot(dogs)).size).toBe(0);
  });

  test('values of a demo do not count until the chat is verified', async () => {
    await server.db.updateTable('chats').set({ is_demo: 1 }).execute();
    await server.services.chatValues.change(owner, {
      chatId,
      kind: 'values',
      wanted: new Map([[wholeChatId, { trust_anonymous: true }]]),
    });
    expect(await readForBot()).toBeUndefined();

    await server.db.updateTable('chats').set({ is_demo: 0 }).execute();
    server.services.chatEvents.publish(chatId, { kind: 'topics' });

    expect(await readForBot()).toEqual(new Map([['trust_anonymous', true]]));
  });

  test('on SQLite the values are not read for each message', async () => {
    const { db } = server;
    let reads = 0;
    const executor = db.getExecutor();
    const provide = executor.provideConnection.bind(executor);
    executor.provideConnection = (use) => {
      reads += 1;
      return provide(use);
    };
    await readForBot();
    const first = reads;
    await readForBot();
    await readForBot();
    executor.provideConnection = provide;

    expect(reads - first).toBe(server.database.engine === 'sqlite' ? 0 : 2);
  });
});

describe('by a command in the chat', () => {
  const cats = { chatId, chatName: 'Cat lovers', by: friend };
  const lock = new Map([[0, { photo_blocked: true }]]);
  const limit = new Map([[wholeChatId, { warn_limit: 5 }]]);

  test('a chat that is not in Nori is added by the first change, and not by a change without effect', async () => {
    const server = await createTestServer();
    const { chatValues, chatChanges } = server.services;
    const readChats = () => server.db.selectFrom('chats').selectAll().execute();

    expect(
      await chatChanges.lockByCommand(cats, new Map([[0, { photo_blocked: false }]])),
    ).toBeNull();
    expect(
      await chatValues.changeByCommand(
        { ...cats, kind: 'values' },
        new Map([[wholeChatId, { warn_limit: null }]]),
      ),
    ).toBeNull();
    expect(await readChats()).toEqual([]);

    const change = await chatValues.changeByCommand({ ...cats, kind: 'values' }, limit);
    expect(change).toMatchObject({
      kind: 'values',
      changedBy: { telegramId: friend, name: '' },
      values: [{ topicId: wholeChatId, name: 'warn_limit', was: null, becomes: 5 }],
    });
    expect(await readChats()).toMatchObject([
      { chat_id: chatId, chat_name: 'Cat lovers', is_demo: 0 },
    ]);
    expect(await server.db.selectFrom('topics').select('topic_id').execute()).toEqual([
      { topic_id: 0 },
    ]);
    await server.close();
  });

  test('a topic is added by its first lock, and the lock counts for the next message', async () => {
    const server = await createTestServer();
    const { chatChanges, chatValues, chatEvents } = server.services;
    const kinds: string[] = [];
    chatEvents.followAll(({ kind }) => void kinds.push(kind));

    const change = await chatChanges.lockByCommand(
      cats,
      new Map([[12, { photo_blocked: true, url_blocked: true }]]),
    );
    await chatValues.changeByCommand(
      { ...cats, kind: 'values' },
      new Map([[13, { 'off:report': true }]]),
    );
    const again = await chatChanges.lockByCommand(cats, new Map([[12, { url_blocked: true }]]));
    const opened = await chatChanges.lockByCommand(cats, new Map([[12, { url_blocked: false }]]));

    expect(change).toMatchObject({ kind: 'bulk' });
    expect(change?.items).toHaveLength(2);
    expect(again).toBeNull();
    expect(opened).toMatchObject({ kind: 'toggle', items: [{ topicId: 12, name: 'url_blocked' }] });
    expect(kinds).toEqual(['topics', 'settings', 'topics', 'values', 'settings']);
    const topics = await server.db.selectFrom('topics').select('topic_id').execute();
    expect(new Set(topics.map(({ topic_id }) => topic_id))).toEqual(new Set([0, 12, 13]));
    await server.close();
  });

  test('a chat with as many topics as are possible gets no further one', async () => {
    const server = await createTestServer();
    const { chatChanges } = server.services;
    await chatChanges.lockByCommand(cats, lock);
    await server.db
      .insertInto('topics')
      .values(
        Array.from({ length: 999 }, (_, index) => ({
          chat_id: chatId,
          topic_id: index + 1,
          created_at: 1,
        })),
      )
      .execute();

    const locking = chatChanges.lockByCommand(cats, new Map([[5000, { photo_blocked: true }]]));

    await expect(locking).rejects.toMatchObject({ code: 'invalid_input' });
    expect(
      await chatChanges.lockByCommand(cats, new Map([[999, { photo_blocked: true }]])),
    ).not.toBeNull();
    await server.close();
  });

  test('a chat is found by the ID that it had as a group', async () => {
    const server = await createTestServer();
    const { chatChanges, chatUpgrades } = server.services;
    await chatUpgrades.upgrade(-77, chatId);

    await chatChanges.lockByCommand({ ...cats, chatId: -77 }, lock);

    expect(await server.db.selectFrom('chats').select('chat_id').execute()).toEqual([
      { chat_id: chatId },
    ]);
    await server.close();
  });

  test('what was set for the chat in a demo is gone, as no administrator of it has agreed', async () => {
    const server = await createTestServer();
    await signIn(server, stranger);
    await giveChats(server, stranger, [{ id: chatId, topics: [0, 3] }]);
    const { chatChanges, chatValues } = server.services;
    await chatChanges.change(stranger, {
      chatId,
      kind: 'bulk',
      wanted: new Map([[3, { text_blocked: true }]]),
    });
    await chatValues.change(stranger, {
      chatId,
      kind: 'values',
      wanted: new Map([[wholeChatId, { trust_anonymous: true }]]),
    });

    await chatChanges.lockByCommand(cats, lock);

    expect(
      await server.db.selectFrom('topic_settings').select(['topic_id', 'name']).execute(),
    ).toEqual([{ topic_id: 0, name: 'photo_blocked' }]);
    expect((await chatValues.readForBot(chatId)).size).toBe(0);
    expect(await server.db.selectFrom('chat_managers').selectAll().execute()).toEqual([]);
    await server.close();
  });

  test('impossible values and settings are refused, and no chat is added', async () => {
    const server = await createTestServer();
    const { chatChanges, chatValues } = server.services;

    await expect(
      chatValues.changeByCommand(
        { ...cats, kind: 'values' },
        new Map([[wholeChatId, { warn_limit: 21 }]]),
      ),
    ).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(
      chatChanges.lockByCommand(cats, new Map([[0, { hamster_blocked: true }]])),
    ).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(
      chatValues.changeByCommand({ ...cats, chatName: undefined, kind: 'values' }, limit),
    ).rejects.toMatchObject({ code: 'chat_not_found' });
    expect(await server.db.selectFrom('chats').selectAll().execute()).toEqual([]);
    await server.close();
  });
});

describe('with a bot', () => {
  test('the owner who verifies a chat later finds what was set by commands, and can undo it', async () => {
    const { server, bot, chat } = await startWorld();
    const me = await signIn(server, owner);
    const by = { chatId, chatName: chat.title, by: friend };
    const { chatChanges, chatValues } = server.services;
    await chatChanges.lockByCommand(by, new Map([[4, { photo_blocked: true }]]));
    await chatValues.changeByCommand(
      { ...by, kind: 'values' },
      new Map([[wholeChatId, { warn_limit: 5 }]]),
    );

    // Until then it is not a chat of anyone.
    expect(await server.call(readValues, { chat_id: chatId }, me)).toMatchObject({ status: 404 });
    expect((await actingOnValues(server, me).put({ chat: { reports: false } })).status).toBe(403);

    await manage({ server, bot }, me, chat);
    expect((await server.call(readChat, { chat_id: chatId }, me)).body).toMatchObject({
      chat_name: 'Cat lovers',
      topics: { '4': { photo_blocked: true } },
    });
    expect(await actingOnValues(server, me).read()).toEqual({ chat: { warn_limit: 5 } });

    const { changes } = await acting(server, me).history();
    expect(changes).toHaveLength(2);
    await acting(server, me).revert(changes[0]?.change_id ?? '');
    expect(await actingOnValues(server, me).read()).toEqual({});
  });
});

describe('open pages', () => {
  let world: SharedWorld;
  beforeEach(async () => {
    world = await startSharedWorld();
  });
  afterEach(() => world.server.services.chatStreams.stop());

  test('hear of changes of values by others, with who changed what and where', async () => {
    const { server, me, other } = world;
    await server.call(addTopic, { chat_id: chatId, topic_id: 5 }, me);
    const stream = await followed(server, me);
    const theirs = actingOnValues(server, other);

    const change = await theirs.change({ chat: { warn_limit: 5 }, '5': { 'off:report': true } });
    await acting(server, other).revert(change?.change_id ?? '');

    const by = { telegram_id: String(friend), name: '' };
    expect(await stream.next()).toEqual({
      kind: 'values',
      by,
      values: { chat: { warn_limit: 5 }, '5': { 'off:report': true } },
    });
    expect(await stream.next()).toEqual({
      kind: 'values',
      by,
      values: { chat: { warn_limit: null }, '5': { 'off:report': null } },
    });
  });

  test('hear of what was done to members without a question to Telegram for each', async () => {
    const { server, me, bot } = world;
    const stream = await followed(server, me);
    bot.forgetCalls();

    server.services.chatEvents.publish(chatId, { kind: 'action' });
    server.services.chatEvents.publish(chatId, { kind: 'approvals' });

    expect(await stream.next()).toEqual({ kind: 'action' });
    expect(await stream.next()).toEqual({ kind: 'approvals' });
    expect(bot.callsTo('getChatAdministrators')).toEqual([]);
  });
});
