/**
 * Exemptions, how soon a changed setting applies, and how many reads and calls moderation needs.
 */
import { expect, test } from 'vitest';

import { allMessageTypes } from '#contract/chats/message-types';
import { changeSettings } from '#contract/endpoints/chat-changes';
import { addTopic } from '#contract/endpoints/chats';
import { sweep } from '#server/services/maintenance';
import { createChatRules } from '#services/moderation';
import { chatId, moderatedChat, inOrder, people, topicId } from '#tests/moderated-chat';
import { samples } from '#tests/sample-messages';

const member = { id: people.member, is_bot: false, first_name: 'Mo' };

/** The sender of messages in the name of a chat, as Telegram gives it. */
const asGroup = {
  from: { id: 1_087_968_824, is_bot: true, first_name: 'Group' },
  sender_chat: { id: chatId, type: 'supergroup', title: 'Otters' },
};
const asChannel = {
  from: { id: 136_817_688, is_bot: true, first_name: 'Channel' },
  sender_chat: { id: -1_001_000_000_777, type: 'channel', title: 'News' },
};
const byTelegram = { from: { id: 777_000, is_bot: false, first_name: 'Telegram' } };

test('messages of anonymous administrators, the linked channel and the bot itself are exempt', async () => {
  const { api, block, write, deleted } = await moderatedChat();
  await block(allMessageTypes);
  const post = { ...asChannel, forward_origin: { type: 'channel', date: 1 } };

  await write(
    { ...samples.photo, ...asGroup },
    { ...samples.photo, ...post, is_automatic_forward: true },
    { ...samples.photo, ...byTelegram },
    { ...samples.photo, from: { ...api.bot, is_bot: true } },
  );

  expect(deleted()).toEqual([]);
  expect(api.callsTo('getChatAdministrators')).toEqual([]);
});

test('the messages of another bot that is an administrator are exempt', async () => {
  const { api, block, write, deleted } = await moderatedChat();
  await block(['photo']);

  await write({ ...samples.photo, from: { id: people.administrator, is_bot: true } });

  expect(deleted()).toEqual([]);
  expect(api.callsTo('getChatAdministrators')[0]?.body).toMatchObject({ return_bots: true });
});

test('a new administrator is exempt at once after an update, and within a minute without an update', async () => {
  const { api, server, block, write, deleted } = await moderatedChat();
  const chat = api.addChat({ id: chatId, creator: people.owner });
  await block(['photo']);
  const [before] = await write(samples.photo);

  chat.administrators.push(people.member);
  server.services.moderation.forgetAdministrators(chatId);
  await write(samples.photo);
  expect(deleted()).toEqual([before]);

  chat.administrators.pop();
  await write(samples.photo);
  server.wait(60_000);
  const [after] = await write(samples.photo);
  expect(deleted()).toEqual([before, after]);
});

test('administrators are read once a minute, and only when a message would be deleted', async () => {
  const { api, block, write } = await moderatedChat();
  await write(samples.photo);
  await block(['photo']);
  await write(samples.text);
  expect(api.callsTo('getChatAdministrators')).toEqual([]);

  await write(...Array.from({ length: 20 }, () => samples.photo));
  await write(samples.photo);

  expect(api.callsTo('getChatAdministrators')).toHaveLength(1);
});

test('a changed setting applies from the next message on', async () => {
  const { block, allow, write, deleted } = await moderatedChat();
  const expected: (number | undefined)[] = [];

  for (let round = 0; round < 5; round += 1) {
    await write(samples.photo);
    await block(['photo']);
    expected.push(...(await write(samples.photo)));
    await allow(['photo']);
  }

  expect(deleted()).toEqual(expected);
});

test('a change of many settings applies from the next message on, also in a new topic', async () => {
  const { server, write, deleted } = await moderatedChat();
  const token = (
    await server.services.sessions.start(people.owner, { address: '', userAgent: 'Test' })
  ).token;
  const chat_id = String(chatId);
  await write(samples.photo);

  await server.call(addTopic, { chat_id, topic_id: '9' }, { token });
  const { status } = await server.call(
    changeSettings,
    {
      chat_id,
      kind: 'bulk',
      topics: { 0: { photo_blocked: true }, 9: { sticker_blocked: true } },
    },
    { token },
  );
  const [photo, , sticker] = await write(
    samples.photo,
    { ...samples.photo, is_topic_message: true, message_thread_id: 9 },
    { ...samples.sticker, is_topic_message: true, message_thread_id: 9 },
  );

  expect(status).toBe(200);
  expect(deleted()).toEqual([photo, sticker]);
});

test('settings that change while they are being read are read again', async () => {
  const { server, block } = await moderatedChat();
  await block(['sticker']);
  const wasRead = Promise.withResolvers<undefined>();
  const mayGoOn = Promise.withResolvers<undefined>();
  let reads = 0;
  const db = server.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      reads += 1;
      // The first read is the list of chats, the second the settings of this chat.
      if (reads === 2) {
        wasRead.resolve(undefined);
        await mayGoOn.promise;
      }
      return result;
    },
  });
  const rules = createChatRules(
    { ...server.database, db, engine: 'sqlite' },
    server.services.chatEvents,
  );

  const before = rules.get(chatId);
  await wasRead.promise;
  server.services.chatEvents.publish(chatId, { kind: 'topics' });
  mayGoOn.resolve(undefined);
  await before;
  await rules.get(chatId);
  await rules.get(chatId);

  expect(reads).toBe(3);
});

test('settings are not read for each message, and chats that block nothing need no reads', async () => {
  const { server, block, write } = await moderatedChat();
  await block(['photo']);
  await write(samples.photo, samples.text);
  const asked: string[] = [];
  const { db } = server;
  const executor = db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  executor.provideConnection = (use) => {
    asked.push('a query');
    return provide(use);
  };

  await write(samples.photo, samples.text, { ...samples.photo, chat: { id: -100_5 } });
  const cost = asked.length;
  await db.selectFrom('chats').selectAll().execute();
  executor.provideConnection = provide;

  // On PostgreSQL another server may have changed them.
  expect(cost).toBe(server.database.engine === 'sqlite' ? 0 : 3);
  expect(asked).toHaveLength(cost + 1);
});

test('settings of a demo delete nothing', async () => {
  const { server, block, write, deleted } = await moderatedChat();
  await block(['photo']);
  await server.db.updateTable('chats').set({ is_demo: 1 }).execute();
  server.services.chatEvents.publish(chatId, { kind: 'topics' });

  await write(samples.photo);

  expect(deleted()).toEqual([]);
});

test('a message is deleted once, however often its update arrives', async () => {
  const { server, block, message, deleted } = await moderatedChat();
  await block(['photo', 'url']);
  const one = message(samples.photo);
  const { handleMessage: handle } = server.services.moderation;

  await Promise.all([handle(one), handle(one), handle({ ...one, ...samples.url, edit_date: 2 })]);
  await handle(one);

  expect(deleted()).toEqual([one.message_id]);
});

test('messages that arrive during a call go into the next one, up to a hundred at a time', async () => {
  const { api, block, write, deleted } = await moderatedChat();
  await block(['photo']);
  await write(samples.photo);

  const ids = await write(...Array.from({ length: 250 }, () => samples.photo));

  expect(deleted().slice(1)).toEqual(ids);
  expect(api.calls.filter(({ method }) => method.startsWith('delete')).length).toBeLessThan(6);
});

test('an album with a blocked caption is deleted completely; an album in another topic stays', async () => {
  const { block, write, deleted } = await moderatedChat();
  await block(['url']);
  const caption = { caption: 'something', caption_entities: samples.url['entities'] };
  const inTopic = { is_topic_message: true, message_thread_id: topicId, media_group_id: '2' };

  const ids = await write(
    { ...samples.photo, media_group_id: '1' },
    { ...samples.video, media_group_id: '1', ...caption },
    { ...samples.photo, media_group_id: '1' },
  );
  await write({ ...samples.photo, ...inTopic }, { ...samples.photo, ...inTopic, ...caption });

  expect(inOrder(deleted())).toEqual(inOrder(ids));
});

test('an album is forgotten after ten seconds', async () => {
  const { server, block, write, deleted } = await moderatedChat();
  await block(['video']);
  const [first, second] = await write(
    { ...samples.photo, media_group_id: '1' },
    { ...samples.video, media_group_id: '1' },
  );
  server.wait(11_000);

  await write({ ...samples.photo, media_group_id: '1' });

  expect(inOrder(deleted())).toEqual(inOrder([first, second]));
});

test('deletions are counted for the most specific type, by hour, for eight days', async () => {
  const { server, block, write } = await moderatedChat();
  const { deletionCounts } = server.services;
  await block(['animation', 'document', 'url', 'text', 'forward']);

  await write(samples.animation, samples.url, samples.forward, { ...samples.text, from: member });
  await deletionCounts.save();
  server.wait(2 * 3_600_000);
  await write(samples.url);
  await deletionCounts.stop();

  const totals = await server.db
    .selectFrom('deletions')
    .select(['name', 'hour', 'total'])
    .orderBy('hour')
    .orderBy('name')
    .execute();
  const hour = Date.parse('2026-11-21T12:00:00Z');
  expect(totals).toEqual([
    { name: 'animation_blocked', hour, total: 1 },
    { name: 'forward_blocked', hour, total: 1 },
    { name: 'text_blocked', hour, total: 1 },
    { name: 'url_blocked', hour, total: 1 },
    { name: 'url_blocked', hour: hour + 2 * 3_600_000, total: 1 },
  ]);

  server.wait(8 * 24 * 3_600_000);
  await sweep(server.deps);
  expect(await server.db.selectFrom('deletions').selectAll().execute()).toHaveLength(1);
});

test('from the update to the deletion: a blocked message is deleted, and the update is confirmed', async () => {
  const chat = await moderatedChat({ variables: { BOT_MODE: 'polling' } });
  await chat.block(['sticker'], { topic: topicId });
  const inTopic = { is_topic_message: true, message_thread_id: topicId };
  const sticker = chat.message({ ...samples.sticker, ...inTopic });
  const edited = chat.message({ ...samples.sticker, ...inTopic, edit_date: 2 });

  chat.api.updates.push({ message: sticker });
  chat.api.updates.push({ message: chat.message(samples.sticker) });
  chat.api.updates.push({ edited_message: edited });
  await chat.api.updates.confirmed();
  await chat.server.handled();

  expect(inOrder(chat.deleted())).toEqual([sticker.message_id, edited.message_id]);
});
