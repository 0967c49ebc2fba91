/** Users can neither read nor change chats that they do not manage. */
import { beforeEach, expect, test } from 'vitest';

import { readDeletions, readChatHealth } from '#contract/endpoints/chat-activity';
import { changeSettings, listChanges } from '#contract/endpoints/chat-changes';
import { addTopic, listChats, readChat, readTopic, setSetting } from '#contract/endpoints/chats';
import {
  chatId,
  chatIn,
  friend,
  manage,
  owner,
  type SignedIn,
  signIn,
  startWorld,
} from '#tests/chats';
import { type TestServer } from '#tests/test-server';

const dogs = -1005550000000;
const blockPhotos = { topic_id: 0, setting_name: 'photo_blocked', value: true };
const unknown = -1009999999999;

let server: TestServer;
let me: SignedIn;
let other: SignedIn;

/** `me` manages the cats, `other` the dogs. */
beforeEach(async () => {
  const world = await startWorld();
  server = world.server;
  const dogChat = world.bot.addChat({ id: dogs, title: 'Dog lovers', creator: friend });
  [me, other] = [await signIn(server, owner), await signIn(server, friend)];
  await manage(world, me, world.chat);
  await manage(world, other, dogChat);
});

/** Every call that names a chat. */
const verbs = {
  'read a chat': (chat_id: number, who: SignedIn) => server.call(readChat, { chat_id }, who),
  'read a topic': (chat_id: number, who: SignedIn) =>
    server.call(readTopic, { chat_id, topic_id: 0 }, who),
  'add a topic': (chat_id: number, who: SignedIn) =>
    server.call(addTopic, { chat_id, topic_id: 3 }, who),
  'set a setting': (chat_id: number, who: SignedIn) =>
    server.call(setSetting, { chat_id, ...blockPhotos }, who),
  'change settings': (chat_id: number, who: SignedIn) =>
    server.call(
      changeSettings,
      { chat_id, kind: 'bulk', topics: { '0': { poll_blocked: true } } },
      who,
    ),
  'read changes': (chat_id: number, who: SignedIn) => server.call(listChanges, { chat_id }, who),
  'read its health': (chat_id: number, who: SignedIn) =>
    server.call(readChatHealth, { chat_id }, who),
  'read deletions': (chat_id: number, who: SignedIn) =>
    server.call(readDeletions, { chat_id }, who),
};

test.each(Object.entries(verbs))(
  '%s: refused for a chat of another user like for an unknown chat',
  async (name, call) => {
    const refusals = [
      await call(dogs, me),
      await call(chatId, other),
      await call(unknown, me),
      await call(unknown, other),
    ];

    const isRead = name.startsWith('read');
    for (const { status, body } of refusals) {
      expect({ status, body }).toEqual({
        status: isRead ? 404 : 403,
        body: isRead
          ? { code: 'chat_not_found', detail: 'This chat is not in your list.' }
          : {
              code: 'chat_not_verified',
              detail: 'You do not manage this chat. Verify that you own it to change its settings.',
            },
      });
    }
    expect((await call(chatId, me)).status).toBeLessThan(300);
    expect((await call(dogs, other)).status).toBeLessThan(300);
  },
);

test('each user sees only their own chats', async () => {
  const [mine, theirs] = [
    await server.call(listChats, {}, me),
    await server.call(listChats, {}, other),
  ];

  expect(mine.body).toMatchObject({ chats: [{ chat_id: String(chatId) }] });
  expect(theirs.body).toMatchObject({ chats: [{ chat_id: String(dogs) }] });
});

test('a refused change changes nothing', async () => {
  await server.call(setSetting, { chat_id: dogs, ...blockPhotos }, me);
  await server.call(addTopic, { chat_id: dogs, topic_id: 3 }, me);

  const { topics } = chatIn(await server.call(readChat, { chat_id: dogs }, other));
  expect(Object.keys(topics)).toEqual(['0']);
  expect(topics['0']).toMatchObject({ photo_blocked: false });
});
