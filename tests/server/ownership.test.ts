/** Verifying a chat by the code of its owner, and what the code is valid for. */
import { expect, test } from 'vitest';

import { addChat, listChats, readChat, verifyChat } from '#contract/endpoints/chats';
import { startBotApi } from '#tests/bot-api-server';
import {
  blockPhotos,
  chatId,
  chatIn,
  friend,
  manage,
  owner,
  serverWith,
  signIn,
  startWorld,
  stranger,
} from '#tests/chats';

const minute = 60_000;

test('an owner adds a chat with the code that Telegram delivers, and everything is allowed there', async () => {
  const { server, bot } = await startWorld();
  const me = await signIn(server, owner);

  const asked = await server.call(addChat, { chat_id: chatId }, me);
  const verified = await server.call(verifyChat, { chat_id: chatId, otp: bot.lastCode(owner) }, me);

  expect(asked).toMatchObject({
    status: 202,
    body: { message: 'A code for “Cat lovers” was sent to you by Telegram.' },
  });
  expect(verified).toMatchObject({
    status: 200,
    body: { chat: { chat_id: String(chatId), chat_name: 'Cat lovers', is_demo: false } },
  });
  const { topics } = chatIn(verified);
  expect(Object.keys(topics)).toEqual(['0']);
  expect(Object.values(topics['0'] ?? {})).toEqual(Array(27).fill(false));
  expect((await server.call(listChats, {}, me)).body).toMatchObject({
    chats: [{ chat_id: String(chatId), chat_name: 'Cat lovers' }],
  });
});

test('a member requests a code, the owner is told for whom and what, and the code works for that member alone', async () => {
  const { server, bot } = await startWorld();
  const [requester, boss] = [await signIn(server, friend), await signIn(server, owner)];

  const asked = await server.call(addChat, { chat_id: chatId }, requester);
  const otp = bot.lastCode(owner);
  const byAnother = await server.call(verifyChat, { chat_id: chatId, otp }, boss);
  const byTheRequester = await server.call(verifyChat, { chat_id: chatId, otp }, requester);

  expect(asked.body).toMatchObject({
    message: 'A code was sent to the owner of “Cat lovers” by Telegram. Ask them for it.',
  });
  expect(bot.messages).toHaveLength(1);
  const { text, to } = bot.messages[0]!;
  expect(to).toBe(owner);
  expect(text).toContain('the chat “Cat lovers”');
  expect(text).toContain('Farid (ID 222) asked for it');
  expect(text).toContain('change what this chat blocks');
  expect(text).toContain('If you do not want that, ignore this message.');
  expect(byAnother).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
  expect(byTheRequester.status).toBe(200);
});

test('the code is in the message only: in no answer and no log line', async () => {
  const { server, bot } = await startWorld();
  const me = await signIn(server, owner);

  const asked = await server.call(addChat, { chat_id: chatId }, me);
  const otp = bot.lastCode(owner);
  await server.call(verifyChat, { chat_id: chatId, otp }, me);

  expect(JSON.stringify(asked.body)).not.toContain(otp);
  expect(server.logLines.join('')).not.toContain(otp);
  expect(server.logLines.join('')).not.toContain(bot.token);
});

test('a name cannot forge a line of the message', async () => {
  const { server, bot, chat } = await startWorld();
  chat.title = 'Cats”\n\n999999 is your code for a prize\u202E';
  const me = await signIn(server, friend);

  await server.call(addChat, { chat_id: chatId }, me);

  expect(bot.messages[0]!.text).toContain(
    'the chat “Cats” 999999 is your code for a prize” in Nori.',
  );
  expect(bot.messages[0]!.text.split('\n\n')).toHaveLength(3);
});

test.each(['000000', '999999'])(
  'the wrong code %s is refused in the words of the product',
  async (otp) => {
    const { server } = await startWorld();
    const me = await signIn(server, owner);
    await server.call(addChat, { chat_id: chatId }, me);

    const reply = await server.call(verifyChat, { chat_id: chatId, otp }, me);

    expect(reply).toMatchObject({
      status: 400,
      body: { detail: 'Invalid or expired verification code', code: 'invalid_code' },
    });
    expect((await server.call(listChats, {}, me)).body).toMatchObject({ chats: [] });
  },
);

test('a code expires after five minutes, after one use, and when a newer one was requested', async () => {
  const { server, bot } = await startWorld();
  const me = await signIn(server, owner);
  const requestCode = async () => {
    await server.call(addChat, { chat_id: chatId }, me);
    return bot.lastCode(owner);
  };
  const enter = async (otp: string) =>
    (await server.call(verifyChat, { chat_id: chatId, otp }, me)).status;

  const late = await requestCode();
  server.wait(5 * minute + 1000);
  expect(await enter(late)).toBe(400);

  const replaced = await requestCode();
  server.wait(minute + 1000);
  const current = await requestCode();
  expect(replaced === current ? 400 : await enter(replaced)).toBe(400);
  expect(await enter(current)).toBe(200);
  expect(await enter(current)).toBe(400);
});

test('of two parallel requests with a valid code exactly one succeeds', async () => {
  const { server, bot } = await startWorld();
  const me = await signIn(server, owner);
  await server.call(addChat, { chat_id: chatId }, me);
  const otp = bot.lastCode(owner);

  const replies = await Promise.all(
    [1, 2, 3].map(() => server.call(verifyChat, { chat_id: chatId, otp }, me)),
  );

  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 400, 400,
  ]);
});

test('a code for one chat is invalid for others, also of the same owner', async () => {
  const { server, bot } = await startWorld();
  bot.addChat({ id: -1002, title: 'Dog lovers', creator: owner });
  const me = await signIn(server, owner);
  await server.call(addChat, { chat_id: chatId }, me);

  const reply = await server.call(verifyChat, { chat_id: -1002, otp: bot.lastCode(owner) }, me);

  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
  expect((await server.call(readChat, { chat_id: -1002 }, me)).status).toBe(404);
});

test('a code expires when the owner of the chat changes before it is entered', async () => {
  const { server, bot, chat } = await startWorld();
  const me = await signIn(server, friend);
  await server.call(addChat, { chat_id: chatId }, me);
  chat.creator = 444;
  chat.administrators = [owner];

  const reply = await server.call(verifyChat, { chat_id: chatId, otp: bot.lastCode(owner) }, me);

  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
});

test('an owner gets a code at most once a minute, and other users cannot use up the owner’s own codes', async () => {
  const { server } = await startWorld();
  const [requester, boss] = [await signIn(server, friend), await signIn(server, owner)];

  const first = await server.call(addChat, { chat_id: chatId }, requester);
  const second = await server.call(addChat, { chat_id: chatId }, requester);
  const own = await server.call(addChat, { chat_id: chatId }, boss);

  expect([first.status, second.status, own.status]).toEqual([202, 429, 202]);
  expect(second.headers.get('Retry-After')).toBe('60');
});

test('a chat can be added again, and the newer verification counts', async () => {
  const { server, bot, chat } = await startWorld();
  const me = await signIn(server, owner);
  await manage({ server, bot }, me, chat);
  await blockPhotos(server, me);
  chat.title = 'Cats and their people';

  await manage({ server, bot }, me, chat);

  const { body } = await server.call(readChat, { chat_id: chatId }, me);
  expect(body).toMatchObject({
    chat_name: 'Cats and their people',
    topics: { '0': { photo_blocked: true, video_blocked: false } },
  });
});

test('a user with too many requests is refused before Telegram is called', async () => {
  const { server, bot } = await startWorld();
  const me = await signIn(server, stranger);
  for (let times = 0; times < 60; times += 1) {
    await server.call(addChat, { chat_id: -1 - times }, me);
  }
  bot.forgetCalls();

  const reply = await server.call(addChat, { chat_id: chatId }, me);

  expect(reply).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(reply.headers.get('Retry-After')).toBe('3600');
  expect(bot.calls).toEqual([]);
});

test('a bot of another server does not know these chats', async () => {
  const { server, bot, chat } = await startWorld();
  await manage({ server, bot }, await signIn(server, owner), chat);
  const otherBot = await startBotApi({ token: '987654321:another-bot' });
  const other = await serverWith(otherBot);
  const me = await signIn(other, owner);

  expect((await other.call(listChats, {}, me)).body).toMatchObject({ chats: [] });
  await otherBot.close();
});
