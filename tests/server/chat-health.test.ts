/** The health of a chat, and how often Telegram is called for it. */
import { beforeEach, describe, expect, test } from 'vitest';

import { readChatHealth } from '#contract/endpoints/chat-activity';
import { readChat } from '#contract/endpoints/chats';
import { type BotApi } from '#tests/bot-api-server';
import {
  chatId,
  manage,
  owner,
  type SignedIn,
  signIn,
  startDemoServer,
  startWorld,
  stranger,
  giveChats,
} from '#tests/chats';
import { createTestServer, type TestServer } from '#tests/test-server';

const minute = 60_000;
const wellIn = { is_in: true, may_delete: true, sees_all: true, is_forum: false };
const out = { is_in: false, may_delete: false, sees_all: false, is_forum: false };

let server: TestServer;
let bot: BotApi;
let chat: ReturnType<BotApi['addChat']>;
let me: SignedIn;

beforeEach(async () => {
  const world = await startWorld();
  ({ server, bot, chat } = world);
  me = await signIn(server, owner);
  await manage(world, me, chat);
  bot.forgetCalls();
});

const health = (id = chatId, who = me) => server.call(readChatHealth, { chat_id: id }, who);
const asked = () => bot.callsTo('getChatMember').length;
const stored = () => server.db.selectFrom('bot_chats').selectAll().execute();

describe('the health', () => {
  test('a bot that is an administrator and may delete sees the messages of all members', async () => {
    expect(await health()).toMatchObject({
      status: 200,
      body: { bot: 'nori_test_bot', is_listening: false, ...wellIn, checked_at: server.now() },
    });
  });

  test.each([
    [
      'an administrator without the right',
      { botMayDelete: false },
      { ...wellIn, may_delete: false },
    ],
    ['a member', { bot: 'member' }, { ...wellIn, may_delete: false, sees_all: false }],
    ['out of a public chat', { bot: 'left' }, out],
    ['removed', { bot: 'kicked' }, out],
    ['unknown there', { bot: 'absent' }, out],
    ['in a chat with topics', { isForum: true }, { ...wellIn, is_forum: true }],
  ] as const)('the bot is %s', async (_case, place, expected) => {
    Object.assign(chat, place);

    expect(await health()).toMatchObject({ status: 200, body: expected });
  });

  test('a bot that is a member without privacy mode sees the messages of all members', async () => {
    chat.bot = 'member';
    bot.bot.readsAll = true;

    expect((await health()).body).toMatchObject({ sees_all: true, may_delete: false });
  });

  test('the rights of the bot are named, none of a member, and none without a bot', async () => {
    chat.botRights = ['pin', 'delete', 'restrict'];
    expect((await health()).body).toMatchObject({ rights: ['delete', 'restrict', 'pin'] });

    chat.bot = 'member';
    server.wait(15_000);
    expect((await health()).body).toMatchObject({ rights: [] });

    const demo = await startDemoServer();
    const person = await signIn(demo, owner);
    await giveChats(demo, owner, [{ id: chatId }]);
    expect((await demo.call(readChatHealth, { chat_id: chatId }, person)).body).toMatchObject({
      rights: [],
    });
  });

  test('open pages hear that the bot has other rights, and nothing while they are the same', async () => {
    const kinds: string[] = [];
    server.services.chatEvents.follow(chatId, ({ kind }) => void kinds.push(kind));
    await health();
    server.wait(15_000);
    await health();
    expect(kinds).toEqual([]);

    chat.botRights = ['delete'];
    server.wait(15_000);
    await health();
    server.wait(15_000);
    await health();

    expect(kinds).toEqual(['health']);
  });

  test('a manager is told that the bot is out, also when the owner of the chat is unknown', async () => {
    chat.bot = 'kicked';
    server.wait(minute);

    expect((await server.call(readChat, { chat_id: chatId }, me)).body).toMatchObject({
      code: 'bot_not_in_chat',
    });
    expect(await health()).toMatchObject({ status: 200, body: out });
  });

  test('Telegram’s answer is stored without losing the user who added the bot', async () => {
    await health();
    expect(await stored()).toMatchObject([
      {
        chat_id: chatId,
        chat_name: 'Cat lovers',
        is_in: 1,
        may_delete: 1,
        is_forum: 0,
        added_by: null,
      },
    ]);
    await server.db.updateTable('bot_chats').set({ added_by: owner }).execute();

    chat.bot = 'kicked';
    server.wait(15_000);
    await health();

    expect(await stored()).toMatchObject([
      {
        chat_name: 'Cat lovers',
        is_in: 0,
        may_delete: 0,
        added_by: owner,
        updated_at: server.now(),
      },
    ]);
  });

  test('the health says what BOT_MODE says about receiving updates', async () => {
    const { telegram } = server.deps;
    const listening = await createTestServer({
      telegram,
      database: server.database,
      variables: { BOT_TOKEN: bot.token, BOT_MODE: 'polling' },
    });
    listening.wait(server.now() - listening.now());

    expect((await listening.call(readChatHealth, { chat_id: chatId }, me)).body).toMatchObject({
      is_listening: true,
    });
  });

  test('without a bot there is no health, and no error', async () => {
    const demo = await startDemoServer();
    const person = await signIn(demo, owner);
    await giveChats(demo, owner, [{ id: chatId }]);

    expect(await demo.call(readChatHealth, { chat_id: chatId }, person)).toMatchObject({
      status: 200,
      body: { bot: null, is_listening: false, ...out, checked_at: demo.now() },
    });
  });

  test('a user cannot read the health of a chat that they do not manage, and Telegram is not called', async () => {
    const visitor = await signIn(server, stranger);

    expect(await health(chatId, visitor)).toMatchObject({
      status: 404,
      body: { code: 'chat_not_found' },
    });
    expect(await health(-1009999999999)).toMatchObject({ status: 404 });
    expect(bot.calls).toEqual([]);
  });

  test('the health of a former group is read by the new ID of its supergroup, with all stored data', async () => {
    bot.upgrade(chatId, -1004321);

    expect(await health()).toMatchObject({ status: 200, body: wellIn });
    expect(await server.call(readChat, { chat_id: chatId }, me)).toMatchObject({
      body: { chat_id: '-1004321' },
    });
    expect(await stored()).toMatchObject([{ chat_id: -1004321 }]);
  });
});

describe('how often Telegram is called', () => {
  test('many requests at a time, and soon after each other, make one call', async () => {
    await Promise.all(Array.from({ length: 10 }, () => health()));
    server.wait(11_999);
    chat.botMayDelete = false;
    expect((await health()).body).toMatchObject({ may_delete: true });
    expect(asked()).toBe(1);

    server.wait(1);
    expect((await health()).body).toMatchObject({ may_delete: false });
    expect(asked()).toBe(2);
  });

  test('an update about the bot makes the last answer outdated at once', async () => {
    await health();
    chat.botMayDelete = false;

    server.services.chatEvents.publish(chatId, { kind: 'health' });

    expect((await health()).body).toMatchObject({ may_delete: false });
  });

  test('an answer is not stored when an update about the bot came during the call', async () => {
    const slow = health();
    await expect.poll(asked).toBe(1);
    chat.botMayDelete = false;
    server.services.chatEvents.publish(chatId, { kind: 'health' });
    await slow;

    expect((await health()).body).toMatchObject({ may_delete: false });
  });

  test('after a failure Telegram is not called for a while', async () => {
    bot.failAll({ error_code: 502, description: 'Bad Gateway' });

    for (let times = 0; times < 3; times += 1) {
      expect(await health()).toMatchObject({ status: 503, body: { code: 'telegram_unavailable' } });
    }
    expect(bot.callsTo('getMe')).toHaveLength(1);

    bot.failAll();
    server.wait(12_000);
    expect((await health()).status).toBe(200);
  });

  test('after a flood error Telegram is not called about any chat for as long as it says', async () => {
    const dogs = bot.addChat({ id: -1005550000000, creator: owner });
    await giveChats(server, owner, [{ id: dogs.id, isDemo: false }]);
    bot.fail('getMe', {
      error_code: 429,
      description: 'Too Many Requests',
      parameters: { retry_after: 40 },
    });

    const refused = await health();
    expect(refused).toMatchObject({ status: 503, body: { code: 'telegram_unavailable' } });
    expect(refused.headers.get('Retry-After')).toBe('40');
    server.wait(25_000);
    expect((await health()).headers.get('Retry-After')).toBe('15');
    expect((await health(dogs.id)).status).toBe(503);
    expect(bot.callsTo('getMe')).toHaveLength(1);

    server.wait(15_000);
    expect((await health()).status).toBe(200);
  });

  test.each(['hang', 'html', { result: { id: 'not a number' } }] as const)(
    'an answer like %j is invalid',
    async (failure) => {
      bot.fail('getChatMember', failure);

      expect(await health()).toMatchObject({ status: 503, body: { code: 'telegram_unavailable' } });
    },
  );
});
