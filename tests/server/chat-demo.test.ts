/** Chats on a server without a bot, their label, and what happens to them when a bot is added. */
import { expect, test } from 'vitest';

import { addChat, listChats, readChat, verifyChat } from '#contract/endpoints/chats';
import { openDatabase } from '#server/db/client';
import {
  blockPhotos,
  chatId,
  friend,
  manage,
  owner,
  serverWith,
  signIn,
  startDemoServer,
  startWorld,
} from '#tests/chats';

const minute = 60_000;

test('without a bot a chat is added without proof and labelled so, with the code from the console', async () => {
  const server = await startDemoServer();
  const me = await signIn(server, owner);

  const asked = await server.call(addChat, { chat_id: chatId }, me);
  const wrong = await server.call(verifyChat, { chat_id: chatId, otp: '000000' }, me);
  const otp = server.readCode(owner);
  const verified = await server.call(verifyChat, { chat_id: chatId, otp }, me);

  expect(asked).toMatchObject({
    status: 202,
    body: { message: "Demo: no bot connected. The code is on the server's console." },
  });
  expect(JSON.stringify(asked.body)).not.toContain(otp);
  expect(wrong.status).toBe(400);
  expect(verified).toMatchObject({
    status: 200,
    body: { chat: { chat_id: String(chatId), chat_name: '', is_demo: true } },
  });
  server.wait(24 * 60 * minute);
  expect((await blockPhotos(server, me)).status).toBe(200);
});

test('when the server gets a bot, chats that were added without proof have to be verified', async () => {
  const database = openDatabase({});
  const demo = await startDemoServer({ ...database, close: async () => undefined });
  const demoFriend = await signIn(demo, friend);
  await demo.call(addChat, { chat_id: chatId }, demoFriend);
  await demo.call(verifyChat, { chat_id: chatId, otp: demo.readCode(friend) }, demoFriend);
  await blockPhotos(demo, demoFriend);

  const { server, bot } = await startWorld({ database });
  const [boss, member] = [await signIn(server, owner), await signIn(server, friend)];
  expect((await server.call(listChats, {}, member)).body).toMatchObject({ chats: [] });
  expect((await server.call(readChat, { chat_id: chatId }, member)).status).toBe(404);
  expect((await blockPhotos(server, member)).status).toBe(403);

  await server.call(addChat, { chat_id: chatId }, boss);
  await server.call(verifyChat, { chat_id: chatId, otp: bot.lastCode(owner) }, boss);
  expect((await server.call(readChat, { chat_id: chatId }, boss)).body).toMatchObject({
    chat_name: 'Cat lovers',
    is_demo: false,
  });
  expect((await blockPhotos(server, member)).status).toBe(403);
});

test('a demo code is invalid once there is a bot', async () => {
  const database = openDatabase({});
  const demo = await startDemoServer({ ...database, close: async () => undefined });
  await demo.call(addChat, { chat_id: chatId }, await signIn(demo, owner));
  const otp = demo.readCode(owner);

  const { server } = await startWorld({ database });
  const reply = await server.call(
    verifyChat,
    { chat_id: chatId, otp },
    await signIn(server, owner),
  );

  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
});

test('when the bot is removed, a verified chat cannot be added by others without proof', async () => {
  const database = openDatabase({});
  const world = await startWorld({ database: { ...database, close: async () => undefined } });
  const boss = await signIn(world.server, owner);
  await manage(world, boss, world.chat);

  const demo = await startDemoServer(database);
  const [thief, again] = [await signIn(demo, friend), await signIn(demo, owner)];
  const asked = await demo.call(addChat, { chat_id: chatId }, thief);
  const entered = await demo.call(verifyChat, { chat_id: chatId, otp: '123456' }, thief);
  demo.wait(20 * minute);

  expect(asked).toMatchObject({ status: 503, body: { code: 'telegram_unavailable' } });
  expect(entered.status).toBe(503);
  expect(demo.inbox).toEqual([]);
  expect((await blockPhotos(demo, again)).status).toBe(503);
});

test('a restart changes no manager of a chat', async () => {
  const database = openDatabase({});
  const world = await startWorld({ database: { ...database, close: async () => undefined } });
  await manage(world, await signIn(world.server, owner), world.chat);
  await blockPhotos(world.server, await signIn(world.server, owner));

  const restarted = await serverWith(world.bot, database);
  const me = await signIn(restarted, owner);
  const { body } = await restarted.call(readChat, { chat_id: chatId }, me);

  expect(body).toMatchObject({ topics: { '0': { photo_blocked: true } } });
});
