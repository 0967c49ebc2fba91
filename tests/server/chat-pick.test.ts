/**
 * Chats to verify that appear without typing: picked in Telegram's list, or after the bot was
 * added.
 */
import { beforeEach, describe, expect, test } from 'vitest';

import { preparePick } from '#contract/endpoints/chat-activity';
import { listChats } from '#contract/endpoints/chats';
import { readCapabilities } from '#contract/endpoints/site';
import { type BotApi } from '#tests/bot-api-server';
import {
  chatId,
  friend,
  manage,
  owner,
  type SignedIn,
  signIn,
  startDemoServer,
  startWorld,
} from '#tests/chats';
import { createTestServer, type TestServer } from '#tests/test-server';

let silent: TestServer;
let server: TestServer;
let bot: BotApi;
let chat: ReturnType<BotApi['addChat']>;
let me: SignedIn;

/**
 * The bot of `silent` only sends, the one of `server` also receives updates. Both have the same
 * users.
 */
beforeEach(async () => {
  const world = await startWorld();
  ({ server: silent, bot, chat } = world);
  server = await createTestServer({
    telegram: silent.deps.telegram,
    database: silent.database,
    variables: { BOT_TOKEN: bot.token, BOT_MODE: 'polling' },
  });
  me = await signIn(server, owner);
});

describe('picking a group', () => {
  test('Telegram prepares a list of groups that the user owns, in which the bot gets its rights', async () => {
    const reply = await server.call(preparePick, {}, me);

    expect(reply).toMatchObject({ status: 200, body: { request_id: 'prepared-button-1' } });
    expect(bot.callsTo('savePreparedKeyboardButton')).toMatchObject([
      {
        body: {
          user_id: owner,
          button: {
            request_chat: {
              request_id: 1,
              chat_is_channel: false,
              chat_is_created: true,
              bot_is_member: false,
              bot_administrator_rights: { can_delete_messages: true, can_promote_members: false },
              user_administrator_rights: { can_delete_messages: true, can_promote_members: true },
            },
          },
        },
      },
    ]);
  });

  test.each(['never started', 'blocked', 'unknown'] as const)(
    'a user who cannot receive messages (%s) gets instructions',
    async (reach) => {
      bot.setReach(owner, reach);

      expect(await server.call(preparePick, {}, me)).toMatchObject({
        status: 403,
        body: {
          code: 'bot_not_started',
          detail:
            'The bot may not show you your groups yet. Open the bot, press Start, and come back.',
        },
      });
    },
  );

  test('a server whose bot receives no updates, and one without a bot, offer no group list', async () => {
    const demo = await startDemoServer();
    const person = await signIn(demo, owner);

    for (const reply of [
      await silent.call(preparePick, {}, me),
      await demo.call(preparePick, {}, person),
    ]) {
      expect(reply).toMatchObject({ status: 503, body: { code: 'service_not_set_up' } });
    }
    expect(bot.calls).toEqual([]);
  });

  test('only a server that can prepare the list announces it', async () => {
    const [able, unable] = [
      await server.call(readCapabilities, {}),
      await silent.call(readCapabilities, {}),
    ];

    expect(able.body).toMatchObject({ capabilities: expect.arrayContaining(['chats.pick']) });
    expect(unable.body).not.toMatchObject({ capabilities: expect.arrayContaining(['chats.pick']) });
  });

  test.each(['hang', 'html', { result: {} }] as const)(
    'a Telegram answer like %j counts as Telegram being unavailable',
    async (failure) => {
      bot.fail('savePreparedKeyboardButton', failure);

      expect(await server.call(preparePick, {}, me)).toMatchObject({
        status: 503,
        body: { code: 'telegram_unavailable' },
      });
    },
  );

  test('a list can be requested at most sixty times an hour, and never by a visitor', async () => {
    expect((await server.call(preparePick, {})).status).toBe(401);
    await Promise.all(Array.from({ length: 60 }, () => server.call(preparePick, {}, me)));

    expect(await server.call(preparePick, {}, me)).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
    });
    expect(bot.callsTo('savePreparedKeyboardButton')).toHaveLength(60);
  });
});

describe('chats to verify', () => {
  /** The bot was added to these chats, one after the other. */
  const arrived = (chats: readonly { id: number; by: number | null; isIn?: boolean }[]) =>
    server.db
      .insertInto('bot_chats')
      .values(
        chats.map(({ id, by, isIn = true }, index) => ({
          chat_id: id,
          chat_name: `Chat ${id}`,
          is_in: Number(isIn),
          may_delete: 0,
          is_forum: 0,
          added_by: by,
          added_at: null,
          updated_at: index,
        })),
      )
      .execute();

  const unverified = async (who = me) => {
    const { body } = await server.call(listChats, {}, who);
    return body;
  };

  test('chats to which the user has added the bot are listed, the newest first', async () => {
    await arrived([
      { id: -1, by: owner },
      { id: -2, by: friend },
      { id: -3, by: owner, isIn: false },
      { id: -4, by: owner },
      { id: -5, by: null },
    ]);

    expect(await unverified()).toEqual({
      chats: [],
      unverified: [
        { chat_id: '-4', chat_name: 'Chat -4', may_delete: false },
        { chat_id: '-1', chat_name: 'Chat -1', may_delete: false },
      ],
    });
  });

  test('a verified chat is listed with the other chats until access to it is lost', async () => {
    await arrived([{ id: chatId, by: owner }]);
    await manage({ server: silent, bot }, me, chat);
    expect(await unverified()).toMatchObject({
      chats: [{ chat_id: String(chatId) }],
      unverified: [],
    });

    await server.db.deleteFrom('chat_managers').execute();
    expect(await unverified()).toMatchObject({
      chats: [],
      unverified: [{ chat_id: String(chatId) }],
    });
  });

  test('at most fifty are listed', async () => {
    await arrived(Array.from({ length: 60 }, (_, index) => ({ id: -index - 1, by: owner })));

    const body = await unverified();

    expect(body).toMatchObject({ unverified: expect.objectContaining({ length: 50 }) });
    expect(body).toMatchObject({
      unverified: expect.arrayContaining([
        { chat_id: '-60', chat_name: 'Chat -60', may_delete: false },
      ]),
    });
  });

  test('a server without a bot lists none', async () => {
    const demo = await startDemoServer(server.database);
    await arrived([{ id: -1, by: owner }]);

    expect((await demo.call(listChats, {}, me)).body).toEqual({ chats: [], unverified: [] });
  });
});
