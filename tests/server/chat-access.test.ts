/** How long access to a chat lasts: lost roles, failures of Telegram, and upgraded groups. */
import { expect, test } from 'vitest';

import {
  addChat,
  addTopic,
  listChats,
  readChat,
  readTopic,
  setSetting,
  verifyChat,
} from '#contract/endpoints/chats';
import { type BotApi } from '#tests/bot-api-server';
import { blockPhotos, chatId, friend, manage, owner, signIn, startWorld } from '#tests/chats';

const minute = 60_000;

async function startManaged(telegramId: number, role: 'creator' | 'administrator' | 'member') {
  const world = await startWorld();
  if (role === 'administrator') {
    world.chat.administrators = [telegramId];
    world.chat.members = [];
  }
  const me = await signIn(world.server, telegramId);
  await manage(world, me, world.chat);
  return { ...world, me };
}

type Managed = Awaited<ReturnType<typeof startManaged>>;
type Loss = {
  readonly what: string;
  readonly who: number;
  readonly role: 'creator' | 'administrator' | 'member';
  readonly lose: (chat: Managed['chat']) => void;
};
const losses: readonly Loss[] = [
  {
    what: 'an administrator is demoted',
    who: friend,
    role: 'administrator',
    lose: (chat) => Object.assign(chat, { administrators: [], members: [friend] }),
  },
  {
    what: 'an administrator leaves',
    who: friend,
    role: 'administrator',
    lose: (chat) => Object.assign(chat, { administrators: [] }),
  },
  {
    what: 'a member leaves or is removed',
    who: friend,
    role: 'member',
    lose: (chat) => Object.assign(chat, { members: [] }),
  },
  {
    what: 'the owner gives the chat away',
    who: owner,
    role: 'creator',
    lose: (chat) => Object.assign(chat, { creator: 444, administrators: [owner] }),
  },
  {
    what: 'the owner who vouched for a member gives the chat away',
    who: friend,
    role: 'member',
    lose: (chat) => Object.assign(chat, { creator: 444 }),
  },
  {
    what: 'the owner who vouched leaves without an heir',
    who: friend,
    role: 'member',
    lose: (chat) => Object.assign(chat, { creator: undefined }),
  },
];

test.each(losses)('when $what, writes are refused a minute later', async ({ who, role, lose }) => {
  const { server, chat, me } = await startManaged(who, role);
  expect((await blockPhotos(server, me)).status).toBe(200);

  lose(chat);
  server.wait(minute);
  const refused = await blockPhotos(server, me, false);

  expect(refused).toMatchObject({ status: 403, body: { code: 'chat_not_verified' } });
  expect((await server.call(listChats, {}, me)).body).toMatchObject({ chats: [] });
  expect((await server.call(readChat, { chat_id: chatId }, me)).status).toBe(404);
});

test('a read request also detects that access is lost', async () => {
  const world = await startManaged(friend, 'member');
  world.chat.members = [];
  world.server.wait(minute);

  const reply = await world.server.call(readChat, { chat_id: chatId }, world.me);

  expect(reply).toMatchObject({ status: 403, body: { code: 'chat_not_verified' } });
});

test('a member who became an administrator, and a manager whose role stays, keep the chat', async () => {
  const world = await startManaged(friend, 'member');
  world.chat.members = [];
  world.chat.administrators = [friend];
  world.server.wait(minute);

  expect((await blockPhotos(world.server, world.me)).status).toBe(200);
});

test('when one user loses access, another keeps it', async () => {
  const world = await startManaged(friend, 'member');
  const boss = await signIn(world.server, owner);
  await manage(world, boss, world.chat);
  world.chat.members = [];
  world.server.wait(minute);

  const [lost, kept] = [
    await blockPhotos(world.server, world.me),
    await blockPhotos(world.server, boss),
  ];

  expect([lost.status, kept.status]).toEqual([403, 200]);
});

test('a user who lost a chat can regain it with a new code', async () => {
  const world = await startManaged(friend, 'member');
  world.chat.members = [];
  world.server.wait(minute);
  await blockPhotos(world.server, world.me);
  world.chat.members = [friend];

  await manage(world, world.me, world.chat);

  expect((await blockPhotos(world.server, world.me)).status).toBe(200);
});

test('Telegram is called once a minute, and once for many parallel requests', async () => {
  const { server, bot, me } = await startManaged(owner, 'creator');
  bot.forgetCalls();

  await Promise.all(Array.from({ length: 10 }, () => blockPhotos(server, me)));
  expect(bot.callsTo('getChatAdministrators')).toHaveLength(1);
  await blockPhotos(server, me);
  server.wait(minute - 1);
  await blockPhotos(server, me);
  expect(bot.callsTo('getChatAdministrators')).toHaveLength(1);

  server.wait(1);
  await blockPhotos(server, me);
  expect(bot.callsTo('getChatAdministrators')).toHaveLength(2);
});

test('when the clock is set back, an answer from the future is not used', async () => {
  const { server, bot, me } = await startManaged(owner, 'creator');
  await blockPhotos(server, me);
  bot.forgetCalls();

  server.wait(-5 * minute);
  await blockPhotos(server, me);

  expect(bot.callsTo('getChatAdministrators')).toHaveLength(1);
});

const outages: [string, Parameters<BotApi['failAll']>[0]][] = [
  ['does not answer', 'hang'],
  ['breaks', { error_code: 500, description: 'Internal Server Error' }],
  [
    'is flooded',
    { error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 120 } },
  ],
];

test.each(outages)(
  'while Telegram %s its last answer is valid for ten minutes, and no longer',
  async (_n, failure) => {
    const { server, bot, me } = await startManaged(owner, 'creator');
    await blockPhotos(server, me);
    bot.failAll(failure);

    server.wait(10 * minute - 1);
    expect((await blockPhotos(server, me)).status).toBe(200);
    server.wait(1);
    const refused = await blockPhotos(server, me);
    expect(refused).toMatchObject({ status: 503, body: { code: 'telegram_unavailable' } });
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);

    bot.failAll();
    server.wait(2 * minute);
    expect((await blockPhotos(server, me)).status).toBe(200);
  },
);

test('after a failure Telegram is not called for a while, so that requests are not delayed', async () => {
  const { server, bot, me } = await startManaged(owner, 'creator');
  bot.forgetCalls();
  bot.failAll({ error_code: 502, description: 'Bad Gateway' });

  await blockPhotos(server, me);
  await blockPhotos(server, me);
  server.wait(14_000);
  await blockPhotos(server, me);
  expect(bot.calls).toHaveLength(1);

  server.wait(1000);
  await blockPhotos(server, me);
  expect(bot.calls).toHaveLength(2);
});

test('while the bot is out of the chat every request is refused; when it is back, the chat is available', async () => {
  const { server, chat, me } = await startManaged(owner, 'creator');
  chat.bot = 'kicked';
  server.wait(minute);

  const away = await blockPhotos(server, me);
  chat.bot = 'administrator';
  const back = await blockPhotos(server, me);

  expect(away).toMatchObject({ status: 404, body: { code: 'bot_not_in_chat' } });
  expect(back.status).toBe(200);
});

test('a group that becomes a supergroup keeps its settings, and its old ID leads to the new one', async () => {
  const { server, bot } = await startWorld();
  const me = await signIn(server, owner);
  const group = bot.addChat({ id: -4321, type: 'group', title: 'Old friends', creator: owner });
  await manage({ server, bot }, me, group);
  await server.call(addTopic, { chat_id: -4321, topic_id: 7 }, me);
  const change = { chat_id: -4321, topic_id: 7, setting_name: 'poll_blocked', value: true };
  await server.call(setSetting, change, me);

  bot.upgrade(-4321, -1004321);
  server.wait(minute);
  const byOldId = await server.call(readChat, { chat_id: -4321 }, me);
  const byNewId = await server.call(readChat, { chat_id: -1004321 }, me);
  const listed = await server.call(listChats, {}, me);
  const topic = await server.call(readTopic, { chat_id: -4321, topic_id: 7 }, me);
  const written = await server.call(setSetting, { ...change, value: false }, me);

  expect(byOldId).toMatchObject({
    status: 200,
    body: { chat_id: '-1004321', topics: { '7': { poll_blocked: true } } },
  });
  expect(byNewId.body).toEqual(byOldId.body);
  expect(listed.body).toMatchObject({ chats: [{ chat_id: '-1004321' }] });
  expect(topic.body).toMatchObject({ settings: { poll_blocked: true } });
  expect(written).toMatchObject({ status: 200, body: { value: false } });
});

test('a group can be added by the ID that it had before it became a supergroup', async () => {
  const { server, bot } = await startWorld();
  const me = await signIn(server, owner);
  bot.addChat({ id: -4321, type: 'group', title: 'Old friends', creator: owner });
  bot.upgrade(-4321, -1004321);

  await server.call(addChat, { chat_id: -4321 }, me);
  const otp = bot.lastCode(owner);
  const verified = await server.call(verifyChat, { chat_id: -4321, otp }, me);

  expect(verified).toMatchObject({ status: 200, body: { chat: { chat_id: '-1004321' } } });
});
