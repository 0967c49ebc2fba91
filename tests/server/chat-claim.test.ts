/** Verifying a chat without a code: for its owner alone, who is known by launch data and by Telegram. */
import { expect, test } from 'vitest';

import { addChat, claimChat, listChats, readChat } from '#contract/endpoints/chats';
import { errorTexts } from '#contract/endpoints/error-texts';
import { errorStatuses } from '#contract/endpoints/errors';
import { readCapabilities } from '#contract/endpoints/site';
import { giveChats, signIn } from '#tests/chats';
import { signLaunchData } from '#tests/launch-data';
import {
  ada,
  administrator,
  botUser,
  groupId,
  left,
  member,
  moved,
  owner,
  service,
  startBot,
  type TestBot,
} from '#tests/test-bot';
import { createTestServer } from '#tests/test-server';

const newId = -1_009_999_999_999;
const friend = 222;
const hourMs = 60 * 60_000;

/** A bot with all rights in the group of `owner`, to which `friend` belongs. */
async function startOwned() {
  const bot = await startBot();
  const chat = bot.api.addChat({
    id: groupId,
    title: 'Otters',
    creator: owner,
    administrators: [friend],
  });
  return { ...bot, chat, me: await signIn(bot.server, owner) };
}

const signLaunch = ({ api, server }: TestBot, id: number, ageMs = 0) =>
  signLaunchData({
    user: { id, first_name: 'Olga' },
    botToken: api.token,
    signedAt: server.now() - ageMs,
  });

test('the owner of a chat manages it without a code, and Telegram is asked at that moment', async () => {
  const bot = await startOwned();
  const { server, api, me } = bot;
  await bot.hears(moved(left, administrator, { ...ada, id: owner }));
  expect((await server.call(listChats, {}, me)).body).toMatchObject({
    unverified: [{ chat_id: String(groupId), may_delete: true }],
  });

  const reply = await server.call(
    claimChat,
    { chat_id: groupId, init_data: signLaunch(bot, owner) },
    me,
  );

  expect(reply).toMatchObject({
    status: 200,
    body: { chat: { chat_id: String(groupId), chat_name: 'Otters' } },
  });
  expect(api.callsTo('getChatMember').map(({ body }) => body['user_id'])).toContain(owner);
  expect(api.messages).toEqual([]);
  expect((await server.call(readChat, { chat_id: groupId }, me)).status).toBe(200);
  expect((await server.call(listChats, {}, me)).body).toMatchObject({ unverified: [] });
  expect(await server.db.selectFrom('chat_managers').selectAll().execute()).toMatchObject([
    { telegram_id: owner, owner_id: owner, role: 'creator', verified_at: server.now() },
  ]);
});

test('an administrator who is not the owner is refused, and may ask the owner for a code', async () => {
  const bot = await startOwned();
  const me = await signIn(bot.server, friend);

  const refused = await bot.server.call(
    claimChat,
    { chat_id: groupId, init_data: signLaunch(bot, friend) },
    me,
  );

  expect(refused).toMatchObject({
    status: 403,
    body: { code: 'not_owner', detail: errorTexts.not_owner },
  });
  expect((await bot.server.call(readChat, { chat_id: groupId }, me)).status).toBe(404);
  expect((await bot.server.call(addChat, { chat_id: groupId }, me)).status).toBe(202);
});

test.each<[string, (bot: TestBot) => string]>([
  ['is another user’s', (bot) => signLaunch(bot, friend)],
  ['is older than an hour', (bot) => signLaunch(bot, owner, hourMs + 60_000)],
  [
    'is not signed for this bot',
    (bot) => signLaunch(bot, owner).replace(/hash=\w{4}/, 'hash=0000'),
  ],
  ['is none at all', () => 'user=%7B%7D'],
])('the session of the owner does not do where the launch data %s', async (_case, toInitData) => {
  const bot = await startOwned();
  bot.api.forgetCalls();

  const reply = await bot.server.call(
    claimChat,
    { chat_id: groupId, init_data: toInitData(bot) },
    bot.me,
  );

  expect(reply).toMatchObject({ status: 403, body: { code: 'launch_too_old' } });
  expect(bot.api.callsTo('getChatMember')).toEqual([]);
  expect(await bot.server.db.selectFrom('chat_managers').selectAll().execute()).toEqual([]);
});

test('launch data without a session verifies nothing', async () => {
  const bot = await startOwned();

  const init_data = signLaunch(bot, owner);
  const reply = await bot.server.call(claimChat, { chat_id: groupId, init_data });

  expect(reply).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
});

test.each([
  ['is not in the chat', { bot: 'absent' }, 'bot_not_in_chat'],
  ['was removed', { bot: 'kicked' }, 'bot_not_in_chat'],
  ['is only a member', { bot: 'member' }, 'bot_cannot_delete'],
  ['may not delete messages', { botMayDelete: false }, 'bot_cannot_delete'],
  ['is asked about a private chat', { type: 'private' }, 'bot_not_in_chat'],
] as const)('while the bot %s, the owner learns it', async (_case, state, code) => {
  const bot = await startOwned();
  Object.assign(bot.chat, state);

  const input = { chat_id: groupId, init_data: signLaunch(bot, owner) };
  const refused = await bot.server.call(claimChat, input, bot.me);
  Object.assign(bot.chat, { bot: 'administrator', botMayDelete: true, type: 'supergroup' });
  const again = await bot.server.call(claimChat, input, bot.me);

  expect(refused).toMatchObject({ status: errorStatuses[code], body: { code } });
  expect(again.status).toBe(200);
});

test('a group that has become a supergroup meanwhile is claimed by its new ID', async () => {
  const bot = await startOwned();
  bot.api.upgrade(groupId, newId);

  const reply = await bot.server.call(
    claimChat,
    { chat_id: groupId, init_data: signLaunch(bot, owner) },
    bot.me,
  );

  expect(reply.body).toMatchObject({ chat: { chat_id: String(newId) } });
});

test('a chat that was added without a bot belongs to its owner alone from then on', async () => {
  const bot = await startOwned();
  await signIn(bot.server, friend);
  await giveChats(bot.server, friend, [{ id: groupId, topics: [0, 7] }]);

  const reply = await bot.server.call(
    claimChat,
    { chat_id: groupId, init_data: signLaunch(bot, owner) },
    bot.me,
  );

  expect(reply.body).toMatchObject({ chat: { is_demo: false, topics: { 7: {} } } });
  expect(await bot.server.db.selectFrom('chat_managers').select('telegram_id').execute()).toEqual([
    { telegram_id: owner },
  ]);
});

test('the former owner loses the chat at the next check, as after a code', async () => {
  const bot = await startOwned();
  const input = { chat_id: groupId, init_data: signLaunch(bot, owner) };
  await bot.server.call(claimChat, input, bot.me);

  Object.assign(bot.chat, { creator: friend, members: [owner] });
  await bot.hears(service({ chat_owner_changed: { new_owner: { ...ada, id: friend } } }));

  expect((await bot.server.call(readChat, { chat_id: groupId }, bot.me)).status).toBe(403);
  expect((await bot.server.call(claimChat, input, bot.me)).body).toMatchObject({
    code: 'not_owner',
  });
});

test('claims are limited together with codes, before Telegram is called', async () => {
  const bot = await startOwned();
  const input = { chat_id: groupId, init_data: signLaunch(bot, friend) };
  for (let tries = 0; tries < 60; tries += 1) {
    await bot.server.call(claimChat, input, bot.me);
  }
  bot.api.forgetCalls();

  const right = { chat_id: groupId, init_data: signLaunch(bot, owner) };
  const reply = await bot.server.call(claimChat, right, bot.me);

  expect(reply).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(bot.api.callsTo('getChat')).toEqual([]);
});

test('the list says when the right to delete is missing, and when it is given', async () => {
  const bot = await startOwned();
  const listed = async () => (await bot.server.call(listChats, {}, bot.me)).body;
  const by = { ...ada, id: owner };

  await bot.hears(moved(left, member, by));
  expect(await listed()).toMatchObject({ unverified: [{ may_delete: false }] });
  await bot.hears(moved(member, { ...administrator, can_delete_messages: false }, by));
  expect(await listed()).toMatchObject({ unverified: [{ may_delete: false }] });
  await bot.hears(moved(member, administrator, by));
  expect(await listed()).toMatchObject({ unverified: [{ may_delete: true }] });
  await bot.hears(moved(administrator, { status: 'left', user: botUser }, by));
  expect(await listed()).toMatchObject({ unverified: [] });
});

test('only a server with a bot announces it; without one the call does not exist', async () => {
  const { server } = await startBot();
  const demo = await createTestServer();
  const me = await signIn(demo, owner);

  const announced = async (one: typeof demo) => (await one.call(readCapabilities, {})).body;
  expect(await announced(server)).toMatchObject({
    capabilities: expect.arrayContaining(['chats.claim']),
  });
  expect(await announced(demo)).not.toMatchObject({
    capabilities: expect.arrayContaining(['chats.claim']),
  });
  expect(
    await demo.call(claimChat, { chat_id: groupId, init_data: 'user=%7B%7D' }, me),
  ).toMatchObject({ status: 404, body: { code: 'not_found' } });
  await demo.close();
});
