/** The calls by which the bot acts in groups, over real HTTP against the stand-in. */
import { afterEach, beforeEach, expect, test } from 'vitest';

import { connectTelegramBot } from '#server/upstream/telegram/bot';
import { type ChatActions, connectChatActions } from '#server/upstream/telegram/chat-actions';
import { type BotApi, startBotApi } from '#tests/bot-api-server';

const chatId = -1_009_876_543_210;
const [owner, boss, ann] = [1, 2, 3];
const startedAt = Date.UTC(2026, 0, 1);

let now: number;
let api: BotApi;
let actions: ChatActions;

beforeEach(async () => {
  now = startedAt;
  api = await startBotApi({ clock: () => now, kickMs: 0 });
  api.addChat({
    id: chatId,
    creator: owner,
    administrators: [boss],
    members: [ann],
    isForum: true,
  });
  actions = connectChatActions({ token: api.token, apiRoot: `${api.apiRoot}/` });
});
afterEach(() => api.close());

const done = { kind: 'done', result: true };
const inSeconds = (seconds: number) => Math.floor(now / 1000) + seconds;

/** The body of the only call of a method. */
function readCall(method: string) {
  const [only, ...others] = api.callsTo(method);
  expect(others).toEqual([]);
  return only?.body;
}

/** A message of Ann that the bot has seen. */
function seeMessage(messageId: number, fields: object = {}): void {
  api.updates.push({
    message: {
      message_id: messageId,
      date: inSeconds(0),
      chat: { id: chatId, type: 'supergroup' },
      from: { id: ann, is_bot: false, first_name: 'Ann' },
      text: 'Hello',
      ...fields,
    },
  });
}

test('a ban ends at its time, and a later one sets another', async () => {
  const until = inSeconds(7200);

  expect(await actions.ban(chatId, ann, until)).toEqual(done);
  expect(readCall('banChatMember')).toEqual({ chat_id: chatId, user_id: ann, until_date: until });
  expect(api.members.read(chatId, ann)).toEqual({ status: 'kicked', until });

  await actions.ban(chatId, ann, inSeconds(3600));
  now += 3_600_000;
  expect(api.members.read(chatId, ann)).toEqual({ status: 'left' });
});

test('a ban without a time is for ever, and is lifted by hand', async () => {
  await actions.ban(chatId, ann);

  expect(readCall('banChatMember')).toEqual({ chat_id: chatId, user_id: ann });
  expect(api.members.read(chatId, ann)).toEqual({ status: 'kicked', until: 0 });

  expect(await actions.unban(chatId, ann)).toEqual(done);
  expect(readCall('unbanChatMember')).toEqual({
    chat_id: chatId,
    user_id: ann,
    only_if_banned: true,
  });
  expect(api.members.read(chatId, ann)).toEqual({ status: 'left' });
});

test('lifting a ban that is none does not remove a member', async () => {
  expect(await actions.unban(chatId, ann)).toEqual(done);

  expect(api.members.read(chatId, ann)).toEqual({ status: 'member' });
});

test('a removed member may come back', async () => {
  expect(await actions.kick(chatId, ann, false)).toEqual(done);

  expect(readCall('unbanChatMember')).toEqual({ chat_id: chatId, user_id: ann });
  expect(api.members.read(chatId, ann)).toEqual({ status: 'left' });
});

test('in a basic group a removal is a ban, and a ban ends by itself', async () => {
  api.addChat({ id: -500, type: 'group', creator: owner, members: [ann] });

  expect(await actions.kick(-500, ann, true)).toEqual(done);

  expect(readCall('banChatMember')).toEqual({ chat_id: -500, user_id: ann });
  expect(api.callsTo('unbanChatMember')).toEqual([]);
  expect(api.members.read(-500, ann)).toEqual({ status: 'left' });
});

test('the owner of a channel is kept from writing in its name, and may again', async () => {
  const channel = -1_001_112_223_334;

  expect(await actions.banChannel(chatId, channel)).toEqual(done);
  expect(readCall('banChatSenderChat')).toEqual({ chat_id: chatId, sender_chat_id: channel });
  expect(api.members.bannedChannels(chatId)).toEqual([channel]);

  expect(await actions.unbanChannel(chatId, channel)).toEqual(done);
  expect(readCall('unbanChatSenderChat')).toEqual({ chat_id: chatId, sender_chat_id: channel });
  expect(api.members.bannedChannels(chatId)).toEqual([]);
});

test('who is muted may send nothing and react to nothing, until the time is over', async () => {
  const until = inSeconds(3600);

  expect(await actions.mute(chatId, ann, until)).toEqual(done);

  expect(readCall('restrictChatMember')).toEqual({
    chat_id: chatId,
    user_id: ann,
    permissions: {
      can_send_messages: false,
      can_send_audios: false,
      can_send_documents: false,
      can_send_photos: false,
      can_send_videos: false,
      can_send_video_notes: false,
      can_send_voice_notes: false,
      can_send_polls: false,
      can_send_other_messages: false,
      can_add_web_page_previews: false,
      can_react_to_messages: false,
    },
    use_independent_chat_permissions: true,
    until_date: until,
  });
  const { status, permissions = {} } = api.members.read(chatId, ann);
  expect([status, Object.values(permissions).some(Boolean)]).toEqual(['restricted', false]);

  now += 3_600_000;
  expect(api.members.read(chatId, ann)).toEqual({ status: 'member' });
});

test('who is no longer muted may do all that the chat allows', async () => {
  await actions.mute(chatId, ann);
  expect(readCall('restrictChatMember')).not.toHaveProperty('until_date');

  expect(await actions.unmute(chatId, ann)).toEqual(done);

  const { permissions, ...call } = api.callsTo('restrictChatMember')[1]?.body ?? {};
  expect(call).toEqual({ chat_id: chatId, user_id: ann, use_independent_chat_permissions: true });
  expect(permissions).toEqual({
    can_send_messages: true,
    can_send_audios: true,
    can_send_documents: true,
    can_send_photos: true,
    can_send_videos: true,
    can_send_video_notes: true,
    can_send_voice_notes: true,
    can_send_polls: true,
    can_send_other_messages: true,
    can_add_web_page_previews: true,
    can_react_to_messages: true,
    can_change_info: true,
    can_invite_users: true,
    can_pin_messages: true,
    can_manage_topics: true,
    can_edit_tag: true,
  });
  expect(api.members.read(chatId, ann)).toEqual({ status: 'member' });
});

const noRights = {
  is_anonymous: false,
  can_manage_chat: false,
  can_delete_messages: false,
  can_manage_video_chats: false,
  can_restrict_members: false,
  can_promote_members: false,
  can_change_info: false,
  can_invite_users: false,
  can_pin_messages: false,
  can_manage_topics: false,
  can_manage_tags: false,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
  can_send_welcome_messages: false,
};

test('an administrator gets exactly the given rights, and never the one to add others', async () => {
  expect(await actions.promote(chatId, ann, ['delete', 'tags', 'promote'])).toEqual(done);

  expect(readCall('promoteChatMember')).toEqual({
    chat_id: chatId,
    user_id: ann,
    ...noRights,
    can_delete_messages: true,
    can_manage_tags: true,
  });
  expect(api.members.read(chatId, ann)).toEqual({
    status: 'administrator',
    rights: ['delete', 'tags'],
  });
});

test('each right has its name in Telegram', async () => {
  await actions.promote(chatId, ann, ['restrict', 'invite', 'pin', 'topics', 'info']);

  expect(readCall('promoteChatMember')).toMatchObject({
    ...noRights,
    can_restrict_members: true,
    can_invite_users: true,
    can_pin_messages: true,
    can_manage_topics: true,
    can_change_info: true,
  });
});

test('an administrator whom the bot made gets a title, and loses both again', async () => {
  await actions.promote(chatId, ann, ['pin']);

  expect(await actions.setTitle(chatId, ann, 'Herald')).toEqual(done);
  expect(readCall('setChatAdministratorCustomTitle')).toEqual({
    chat_id: chatId,
    user_id: ann,
    custom_title: 'Herald',
  });
  expect(api.members.read(chatId, ann)).toMatchObject({ title: 'Herald' });

  expect(await actions.promote(chatId, ann, [])).toEqual(done);
  expect(api.callsTo('promoteChatMember')[1]?.body).toEqual({
    chat_id: chatId,
    user_id: ann,
    ...noRights,
  });
  expect(api.members.read(chatId, ann)).toEqual({ status: 'member' });
});

test('a member gets a tag, and an empty one removes it', async () => {
  expect(await actions.setTag(chatId, ann, 'Otter')).toEqual(done);
  expect(readCall('setChatMemberTag')).toEqual({ chat_id: chatId, user_id: ann, tag: 'Otter' });
  expect(api.members.read(chatId, ann)).toMatchObject({ tag: 'Otter' });

  expect(await actions.setTag(chatId, ann, '')).toEqual(done);
  expect(api.members.read(chatId, ann)).toEqual({ status: 'member' });
});

test('messages are pinned silently or loudly, and unpinned one by one or all together', async () => {
  seeMessage(11);
  seeMessage(12, { is_topic_message: true, message_thread_id: 5 });
  seeMessage(13);

  expect(await actions.pin(chatId, 11, false)).toEqual(done);
  expect(await actions.pin(chatId, 12, true)).toEqual(done);
  await actions.pin(chatId, 13, false);
  expect(api.callsTo('pinChatMessage').map(({ body }) => body)).toMatchObject([
    { chat_id: chatId, message_id: 11, disable_notification: true },
    { chat_id: chatId, message_id: 12, disable_notification: false },
    { message_id: 13 },
  ]);
  expect(api.pins(chatId)).toEqual([11, 12, 13]);

  expect(await actions.unpin(chatId)).toEqual(done);
  expect(readCall('unpinChatMessage')).toEqual({ chat_id: chatId });
  expect(api.pins(chatId)).toEqual([11, 12]);

  await actions.pin(chatId, 13, false);
  expect(await actions.unpin(chatId, 11)).toEqual(done);
  expect(api.pins(chatId)).toEqual([12, 13]);

  expect(await actions.unpinAll(chatId, 5)).toEqual(done);
  expect(readCall('unpinAllForumTopicMessages')).toEqual({
    chat_id: chatId,
    message_thread_id: 5,
  });
  expect(api.pins(chatId)).toEqual([13]);

  await actions.pin(chatId, 12, false);
  expect(await actions.unpinAll(chatId, 0)).toEqual(done);
  expect(readCall('unpinAllGeneralForumTopicMessages')).toEqual({ chat_id: chatId });
  expect(api.pins(chatId)).toEqual([12]);

  expect(await actions.unpinAll(chatId, undefined)).toEqual(done);
  expect(readCall('unpinAllChatMessages')).toEqual({ chat_id: chatId });
  expect(api.pins(chatId)).toEqual([]);
});

test('a topic is created, renamed, closed and reopened', async () => {
  const created = await actions.createTopic(chatId, 'Otters');
  const [general, topic] = api.topics(chatId);
  const topicId = topic?.id ?? 0;
  expect(created).toEqual({ kind: 'done', result: topicId });
  expect(general).toEqual({ id: 0, name: 'General', isClosed: false });
  expect(readCall('createForumTopic')).toEqual({ chat_id: chatId, name: 'Otters' });

  expect(await actions.renameTopic(chatId, topicId, 'Beavers')).toEqual(done);
  expect(await actions.closeTopic(chatId, topicId)).toEqual(done);
  expect(api.topics(chatId)[1]).toEqual({ id: topicId, name: 'Beavers', isClosed: true });

  expect(await actions.reopenTopic(chatId, topicId)).toEqual(done);
  expect(api.topics(chatId)[1]).toMatchObject({ isClosed: false });
  expect(readCall('editForumTopic')).toEqual({
    chat_id: chatId,
    message_thread_id: topicId,
    name: 'Beavers',
  });
});

test('General is renamed, closed and reopened by calls of its own', async () => {
  expect(await actions.renameTopic(chatId, 0, 'Lobby')).toEqual(done);
  expect(await actions.closeTopic(chatId, 0)).toEqual(done);
  expect(api.topics(chatId)).toEqual([{ id: 0, name: 'Lobby', isClosed: true }]);
  expect(await actions.reopenTopic(chatId, 0)).toEqual(done);

  expect(api.calls.map(({ method, body }) => [method, body])).toEqual([
    ['editGeneralForumTopic', { chat_id: chatId, name: 'Lobby' }],
    ['closeGeneralForumTopic', { chat_id: chatId }],
    ['reopenGeneralForumTopic', { chat_id: chatId }],
  ]);
});

test('Telegram proposes the rights that the bot asks for to those who add it to a group', async () => {
  await connectTelegramBot({ token: api.token, apiRoot: api.apiRoot }).setDefaultRights();

  expect(api.profile.defaultRights()).toEqual({
    ...noRights,
    can_manage_chat: true,
    can_delete_messages: true,
    can_restrict_members: true,
    can_invite_users: true,
    can_pin_messages: true,
    can_manage_topics: true,
    can_manage_tags: true,
  });
});
