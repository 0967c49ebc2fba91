/** What the bot hears about chats: where it is, and what they and their topics are called. */
import { expect, test } from 'vitest';

import { readChatHealth } from '#contract/endpoints/chat-activity';
import { listChats } from '#contract/endpoints/chats';
import {
  administrator,
  botUser,
  chat,
  eventsOf,
  left,
  member,
  moved,
  owner,
  placeOf,
  service,
  startManaged,
} from '#tests/bot-chats';
import { ada, groupId, startBot } from '#tests/bot-kit';
import { signIn } from '#tests/chats';

test('whoever adds the bot to a group finds it in Nori as one to verify', async () => {
  const kit = await startBot();
  const events = eventsOf(kit);
  const me = await signIn(kit.server, ada.id);

  await kit.hears(moved(left, administrator));

  expect((await kit.server.call(listChats, {}, me)).body).toMatchObject({
    unverified: [{ chat_id: String(groupId), chat_name: 'Otters' }],
  });
  expect(await placeOf(kit)).toMatchObject({ is_in: 1, may_delete: 1, is_forum: 1 });
  expect(events).toEqual([{ kind: 'health' }]);
  expect(kit.api.messages).toEqual([]);
});

test('an adder who gave no right is told so, once, and the later promotion is noted', async () => {
  const kit = await startBot();

  await kit.hears(moved(left, member));
  await kit.hears(moved(member, left));
  await kit.hears(moved(left, member));
  expect(kit.api.messages.map(({ to, text }) => [to, text])).toEqual([
    [ada.id, expect.stringContaining('You have added me to “Otters”, but I may not delete')],
  ]);

  await kit.hears(moved(member, administrator, { ...ada, id: owner }));
  expect(await placeOf(kit)).toMatchObject({ may_delete: 1, added_by: ada.id });
});

test.each(['blocked', 'never started'] as const)(
  'an adder who cannot be written to (%s) changes nothing',
  async (reach) => {
    const kit = await startBot();
    kit.api.setReach(ada.id, reach);

    await kit.hears(moved(left, member));

    expect(await placeOf(kit)).toMatchObject({ is_in: 1, may_delete: 0, added_by: ada.id });
    expect(kit.server.logLines.join('')).not.toContain('update failed');
  },
);

test('the bot is put out of a group', async () => {
  const kit = await startBot();
  await kit.hears(moved(left, administrator));
  const events = eventsOf(kit);

  await kit.hears(moved(administrator, { status: 'kicked', user: botUser, until_date: 0 }));

  expect(await placeOf(kit)).toMatchObject({ is_in: 0, may_delete: 0, added_by: ada.id });
  expect(events).toEqual([{ kind: 'health' }]);
});

test('an anonymous administrator who adds the bot is nobody in particular', async () => {
  const kit = await startBot();
  await kit.hears(moved(left, member, { id: 1_087_968_824, is_bot: true, first_name: 'Group' }));

  expect(await placeOf(kit)).toMatchObject({ is_in: 1, added_by: null });
  expect(kit.api.messages).toEqual([]);
});

test('somebody who blocks the bot in private is no chat', async () => {
  const kit = await startBot();
  await kit.hears({
    my_chat_member: {
      chat: { id: ada.id, type: 'private', first_name: 'Ada' },
      from: ada,
      date: 0,
      old_chat_member: member,
      new_chat_member: { status: 'kicked', user: botUser, until_date: 0 },
    },
  });

  expect(await placeOf(kit, ada.id)).toBeUndefined();
});

test('a group that was picked in Telegram waits to be verified', async () => {
  const kit = await startBot();
  kit.api.addChat({ id: groupId, title: 'Otters', creator: ada.id });
  const me = await signIn(kit.server, ada.id);

  await kit.hears(
    service(
      { chat_shared: { request_id: 1, chat_id: groupId, title: 'Otters' } },
      { id: ada.id, type: 'private', first_name: 'Ada' },
    ),
  );

  expect((await kit.server.call(listChats, {}, me)).body).toMatchObject({
    unverified: [{ chat_id: String(groupId), chat_name: 'Otters' }],
  });
  expect(await placeOf(kit)).toMatchObject({ is_in: 1, may_delete: 1 });
});

test('a group that is picked again is the newest, be it managed or not', async () => {
  const kit = await startManaged();
  const { server, me } = kit;
  const pick = service(
    { chat_shared: { request_id: 1, chat_id: groupId, title: 'Otters' } },
    { id: owner, type: 'private', first_name: 'Olga' },
  );
  const newest = async () => (await server.call(listChats, {}, me)).body;
  expect(await newest()).not.toHaveProperty('newest');

  await kit.hears(pick);
  const first = { chat_id: String(groupId), added_at: server.now() };
  expect(await newest()).toMatchObject({ newest: first });
  server.wait(5000);
  await server.call(readChatHealth, { chat_id: String(groupId) }, me);
  expect(await newest()).toMatchObject({ newest: first });

  await kit.hears(pick);
  expect(await newest()).toMatchObject({ newest: { ...first, added_at: server.now() } });
});

test('a picked group that the bot has not come to yet shows once it has', async () => {
  const kit = await startBot();
  const me = await signIn(kit.server, ada.id);
  await kit.hears(
    service(
      { chat_shared: { request_id: 1, chat_id: groupId } },
      { id: ada.id, type: 'private', first_name: 'Ada' },
    ),
  );
  expect((await kit.server.call(listChats, {}, me)).body).not.toHaveProperty('unverified.0');

  await kit.hears(moved(left, administrator));
  expect((await kit.server.call(listChats, {}, me)).body).toHaveProperty('unverified.0');
});

test('topics have the names that were heard, made, changed or told by their first message', async () => {
  const kit = await startBot();
  const events = eventsOf(kit);
  const inTopic = (id: number) => ({ is_topic_message: true, message_thread_id: id });

  await kit.hears(
    service({ ...inTopic(5), forum_topic_created: { name: 'Rules', icon_color: 1 } }),
  );
  await kit.hears(service({ ...inTopic(5), forum_topic_edited: { name: 'House rules' } }));
  await kit.hears(service({ ...inTopic(5), forum_topic_edited: { icon_custom_emoji_id: '1' } }));
  const old = { message_id: 9, date: 0, chat, forum_topic_created: { name: 'Photos' } };
  await kit.hears(service({ ...inTopic(9), text: 'Hello', reply_to_message: old }));
  await kit.hears(service({ ...inTopic(9), text: 'Again', reply_to_message: old }));

  const names = await kit.server.db.selectFrom('topic_names').selectAll().execute();
  expect(names.map(({ topic_id, name }) => [topic_id, name])).toEqual([
    [5, 'House rules'],
    [9, 'Photos'],
  ]);
  expect(events).toEqual([{ kind: 'topics' }, { kind: 'topics' }, { kind: 'topics' }]);
});

test('a new name of a chat is seen by those who manage it', async () => {
  const kit = await startManaged();

  await kit.hears(service({ new_chat_title: 'Sea otters' }));

  expect((await kit.server.call(listChats, {}, kit.me)).body).toMatchObject({
    chats: [{ chat_name: 'Sea otters' }],
  });
});
