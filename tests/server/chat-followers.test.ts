/** Following a chat ends when access to it is lost, and with the session. */
import { afterEach, beforeEach, expect, test } from 'vitest';

import { readChat } from '#contract/endpoints/chats';
import { endOtherSessions, logout } from '#contract/endpoints/session';
import { beat, follow, followed, type SharedWorld, startSharedWorld } from '#tests/chat-stream';
import {
  blockPhotos,
  chatId,
  owner,
  type SignedIn,
  signIn,
  stranger,
  takeChatAway,
} from '#tests/chats';

const second = 1000;
const minute = 60 * second;
const lost = { kind: 'lost' };

let server: SharedWorld['server'];
let bot: SharedWorld['bot'];
let chat: SharedWorld['chat'];
let me: SignedIn;
let other: SignedIn;

beforeEach(async () => {
  ({ server, bot, chat, me, other } = await startSharedWorld());
});
afterEach(() => server.services.chatStreams.stop());

test('a chat that the user does not manage is refused like one that does not exist', async () => {
  const visitor = await signIn(server, stranger);

  const refusals = [
    await follow(server, chatId, visitor),
    await follow(server, -1009999999999, visitor),
  ];

  for (const stream of refusals) {
    expect(stream.status).toBe(404);
    expect(await stream.refusal()).toMatchObject({ code: 'chat_not_found' });
  }
  expect((await follow(server, chatId, { token: 'x'.repeat(43) })).status).toBe(401);
});

test('lost ownership closes an open stream within a minute', async () => {
  const [mine, theirs] = [await followed(server, me), await followed(server, other)];
  await beat(server);
  // Another request was allowed just before: the latest possible moment.
  server.wait(19 * second);
  await server.call(readChat, { chat_id: chatId }, me);
  const lostAt = server.now();
  chat.creator = 444;

  while (server.now() - lostAt < minute) {
    server.wait(second);
    if ((server.now() - lostAt) % (20 * second) === second) {
      await server.services.chatStreams.beat();
    }
  }

  expect(await mine.next()).toEqual(lost);
  expect(await mine.next()).toBeUndefined();
  expect(await theirs.next()).toEqual(lost);
  await blockPhotos(server, me);
  expect((await follow(server, chatId, me)).status).toBe(404);
});

test('a user who lost the chat receives no later events', async () => {
  const stream = await followed(server, other);
  chat.members = [];
  await beat(server);
  await beat(server);

  await blockPhotos(server, me);

  expect(await stream.next()).toEqual(lost);
  expect(await stream.next()).toBeUndefined();
  expect(stream.heard()).not.toContain('photo_blocked');
});

test('when the bot’s status in the chat changes, access is checked at once', async () => {
  const [mine, theirs] = [await followed(server, me), await followed(server, other)];
  chat.members = [];

  server.services.chatEvents.publish(chatId, { kind: 'health' });

  expect(await theirs.next()).toEqual({ kind: 'health' });
  expect(await theirs.next()).toEqual(lost);
  expect(await mine.next()).toEqual({ kind: 'health' });
  await blockPhotos(server, me);
  expect(await mine.next()).toMatchObject({ kind: 'settings' });
});

test('Telegram is called for an open page about every 40 s, and not at every heartbeat', async () => {
  await followed(server, me);
  await followed(server, me);
  bot.forgetCalls();

  for (let time = 0; time < 2 * minute; time += 20 * second) {
    await beat(server);
  }

  expect(bot.callsTo('getChatAdministrators')).toHaveLength(3);
});

test('access that another user removes is lost at the next heartbeat', async () => {
  const stream = await followed(server, me);
  await takeChatAway(server, chatId);

  await beat(server);

  expect(await stream.next()).toEqual(lost);
});

test('logging out ends the streams of that session at once, and no others', async () => {
  const elsewhere = await signIn(server, owner);
  const [here, there] = [await followed(server, me), await followed(server, elsewhere)];

  await server.call(logout, {}, me);

  expect(await here.next()).toEqual(lost);
  expect(await here.next()).toBeUndefined();
  await blockPhotos(server, other);
  expect(await there.next()).toMatchObject({ kind: 'settings' });
});

test('ending the other sessions ends their streams', async () => {
  const elsewhere = await signIn(server, owner);
  const there = await followed(server, elsewhere);

  await server.call(endOtherSessions, {}, me);

  expect(await there.next()).toEqual(lost);
});

test('an expired session ends its streams at the next heartbeat', async () => {
  const stream = await followed(server, me);
  server.wait(8 * 24 * 60 * minute);

  await server.services.chatStreams.beat();

  expect(await stream.next()).toEqual(lost);
});

test('while the bot is out of the chat, a manager only receives the event that it is back', async () => {
  chat.bot = 'kicked';
  server.wait(minute);
  const stream = await followed(server, me);

  server.services.chatEvents.publish(chatId, { kind: 'topics' });
  chat.bot = 'administrator';
  server.services.chatEvents.publish(chatId, { kind: 'health' });

  expect(await stream.next()).toEqual({ kind: 'health' });
  // The page connects again, and reads what it missed.
  expect(await stream.next()).toBeUndefined();
  await followed(server, me);
});

test('while Telegram is unavailable for long, settings are not sent; afterwards the page connects again', async () => {
  const stream = await followed(server, me);
  bot.failAll({ error_code: 502, description: 'Bad Gateway' });
  server.wait(11 * minute);
  await server.services.chatStreams.beat();
  server.services.chatEvents.publish(chatId, { kind: 'topics' });
  bot.failAll();

  await beat(server);

  expect(await stream.next()).toBeUndefined();
  expect(stream.heard()).not.toContain('topics');
});
