/** What the bot hears about chats: where it is, what they are called, whose they are, and which id they have. */
import { expect, test } from 'vitest';

import { type ChatEvent } from '#contract/endpoints/chat-care';
import { addChat, listChats, readChat, setSetting, verifyChat } from '#contract/endpoints/chats';
import { ada, type BotKit, groupId, startBot } from '#tests/bot-kit';
import { signIn } from '#tests/chats';

const newId = -1_009_999_999_999;
const chat = { id: groupId, type: 'supergroup', title: 'Otters', is_forum: true };
const bot = { id: 123_456_789, is_bot: true, first_name: 'Nori', username: 'nori_test_bot' };
const owner = 111;

const left = { status: 'left', user: bot };
const member = { status: 'member', user: bot };
const administrator = { status: 'administrator', user: bot, can_delete_messages: true };

const moved = (from: object, to: object, by: object = ada) => ({
  my_chat_member: { chat, from: by, date: 0, old_chat_member: from, new_chat_member: to },
});

const service = (fields: object, inChat: object = chat) => ({
  message: { message_id: 7, date: 0, chat: inChat, from: ada, ...fields },
});

/** What pages that show the chat are told. */
function follow({ server }: BotKit, chatId = groupId): ChatEvent[] {
  const events: ChatEvent[] = [];
  server.services.chatEvents.follow(chatId, (event) => void events.push(event));
  return events;
}

async function startManaged() {
  const kit = await startBot();
  kit.api.addChat({ id: groupId, title: 'Otters', creator: owner });
  const me = await signIn(kit.server, owner);
  await kit.server.call(addChat, { chat_id: groupId }, me);
  await kit.server.call(verifyChat, { chat_id: groupId, otp: kit.api.lastCode(owner) }, me);
  return { ...kit, me };
}

const placeOf = ({ server }: BotKit, chatId = groupId) =>
  server.db.selectFrom('bot_chats').selectAll().where('chat_id', '=', chatId).executeTakeFirst();

test('whoever adds the bot to a group finds it in Nori as one to verify', async () => {
  const kit = await startBot();
  const events = follow(kit);
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
  const events = follow(kit);

  await kit.hears(moved(administrator, { status: 'kicked', user: bot, until_date: 0 }));

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
      new_chat_member: { status: 'kicked', user: bot, until_date: 0 },
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
  const events = follow(kit);
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

test.each([
  ['migrate_to_chat_id', { id: groupId, type: 'group', title: 'Otters' }, newId],
  ['migrate_from_chat_id', { id: newId, type: 'supergroup', title: 'Otters' }, groupId],
])('a group that becomes a supergroup (%s) takes all that is stored along', async (...told) => {
  const [field, inChat, otherId] = told;
  const kit = await startManaged();
  const { server, me } = kit;
  await kit.hears(moved(left, administrator));
  await server.call(
    setSetting,
    { chat_id: groupId, topic_id: 0, setting_name: 'photo_blocked', value: true },
    me,
  );
  const at = server.now();
  await server.db
    .insertInto('deletions')
    .values([
      { chat_id: groupId, name: 'photo_blocked', hour: 0, total: 2 },
      { chat_id: newId, name: 'photo_blocked', hour: 0, total: 3 },
    ])
    .execute();
  await server.db
    .insertInto('topic_names')
    .values({ chat_id: groupId, topic_id: 5, name: 'Rules', updated_at: at })
    .execute();
  await server.services.dueDeletions.add(groupId, [77], 60_000);
  const events = follow(kit);
  kit.api.upgrade(groupId, newId);

  await kit.hears(service({ [field]: otherId }, inChat));
  await kit.hears(service({ [field]: otherId }, inChat));

  const { body } = await server.call(readChat, { chat_id: groupId }, me);
  expect(body).toMatchObject({
    chat_id: String(newId),
    topics: { 0: { photo_blocked: true } },
  });
  expect(await placeOf(kit, newId)).toMatchObject({ is_in: 1, added_by: ada.id });
  const stored = (table: 'deletions' | 'topic_names' | 'setting_changes' | 'due_deletions') =>
    server.db.selectFrom(table).selectAll().execute();
  expect(await stored('deletions')).toEqual([
    { chat_id: newId, name: 'photo_blocked', hour: 0, total: 5 },
  ]);
  expect(await stored('topic_names')).toMatchObject([{ chat_id: newId, name: 'Rules' }]);
  expect(await stored('setting_changes')).toMatchObject([{ chat_id: newId, changed_by: owner }]);
  // The numbers of messages mean others in the supergroup.
  expect(await stored('due_deletions')).toEqual([]);
  expect(await placeOf(kit, groupId)).toBeUndefined();
  expect(events[0]).toEqual({ kind: 'upgraded', chat_id: String(newId) });
});

test.each([
  [
    'the service message about a new owner',
    service({ chat_owner_changed: { new_owner: { ...ada, id: 222 } } }),
  ],
  ['the service message about an owner who left', service({ chat_owner_left: {} })],
  [
    'the update about their own membership',
    {
      chat_member: {
        chat,
        from: ada,
        date: 0,
        old_chat_member: { status: 'creator', user: { ...ada, id: owner }, is_anonymous: false },
        new_chat_member: { status: 'left', user: { ...ada, id: owner } },
      },
    },
  ],
])('an owner who lost the chat is shut out at once by %s', async (_, update) => {
  const kit = await startManaged();
  const events = follow(kit);
  kit.api.addChat({ id: groupId, title: 'Otters', creator: 222, members: [owner] });
  const before = await kit.server.call(readChat, { chat_id: groupId }, kit.me);

  await kit.hears(update);

  const after = await kit.server.call(readChat, { chat_id: groupId }, kit.me);
  expect([before.status, after.status]).toEqual([200, 403]);
  expect(events).toEqual([{ kind: 'health' }]);
});

test('somebody who has no part in managing the chat comes and goes without a question to Telegram', async () => {
  const kit = await startManaged();
  const events = follow(kit);
  kit.api.forgetCalls();

  await kit.hears({
    chat_member: {
      chat,
      from: ada,
      date: 0,
      old_chat_member: { status: 'left', user: ada },
      new_chat_member: { status: 'member', user: ada },
    },
  });
  await kit.server.call(readChat, { chat_id: groupId }, kit.me);

  expect(events).toEqual([]);
  expect(kit.api.callsOf('getChatAdministrators')).toEqual([]);
});
