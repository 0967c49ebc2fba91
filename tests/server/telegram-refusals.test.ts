/** What Telegram's refusals of the bot's actions in groups mean, over real HTTP against the stand-in. */
import { afterEach, beforeEach, expect, test } from 'vitest';

import {
  type ActionRefusal,
  type ChatActions,
  connectChatActions,
} from '#server/upstream/telegram/chat-actions';
import { type BotApi, type Failure, startBotApi } from '#tests/bot-api-server';

const chatId = -1_009_876_543_210;
const [owner, boss, ann, ben] = [1, 2, 3, 4];

let api: BotApi;
let chat: ReturnType<BotApi['addChat']>;
let actions: ChatActions;

beforeEach(async () => {
  api = await startBotApi({ kickMs: 0 });
  chat = api.addChat({
    id: chatId,
    creator: owner,
    administrators: [boss],
    members: [ann, ben],
    isForum: true,
  });
  actions = connectChatActions(api);
});
afterEach(() => api.close());

const done = { kind: 'done', result: true };
const refused = (why: ActionRefusal) => ({ kind: 'refused', why });

test.each<readonly [string, ActionRefusal]>([
  ['Bad Request: not enough rights to restrict/unrestrict chat member', 'no right'],
  ['Bad Request: not enough rights', 'no right'],
  ['Bad Request: not enough rights to manage pinned messages in the chat', 'no right'],
  ['Bad Request: CHAT_ADMIN_REQUIRED', 'no right'],
  ['Bad Request: RIGHT_FORBIDDEN', 'no right'],
  ['Bad Request: need administrator rights in the channel chat', 'no right'],
  ['Bad Request: user is an administrator of the chat', 'administrator'],
  ["Bad Request: can't remove chat owner", 'administrator'],
  ['Bad Request: user not found', 'unknown person'],
  ['Bad Request: member not found', 'unknown person'],
  ['Bad Request: PARTICIPANT_ID_INVALID', 'unknown person'],
  ['Bad Request: invalid user_id specified', 'unknown person'],
  ['Bad Request: method is available only for supergroups', 'supergroup only'],
  ['Bad Request: method is available for supergroup and channel chats only', 'supergroup only'],
  [
    'Bad Request: query is too old and response timeout expired or query ID is invalid',
    'unchanged',
  ],
  [
    'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    'unchanged',
  ],
  ['Bad Request: the chat is not a forum', 'no topics'],
  ['Bad Request: TOPIC_NOT_MODIFIED', 'unchanged'],
  ['Bad Request: CHAT_NOT_MODIFIED', 'unchanged'],
  ['Bad Request: message to pin not found', 'message gone'],
  ['Bad Request: message to unpin not found', 'message gone'],
  ['Bad Request: message to edit not found', 'message gone'],
  ['Bad Request: message to delete not found', 'message gone'],
  ['Bad Request: MESSAGE_ID_INVALID', 'message gone'],
  ['Bad Request: CUSTOM_TITLE_EMOJI_NOT_ALLOWED', 'emoji'],
  ['Bad Request: TAG_EMOJI_NOT_ALLOWED', 'emoji'],
  ['Bad Request: not enough rights to change custom title of the user', 'not ours'],
  ['Bad Request: chat not found', 'not in chat'],
  ['Bad Request: message thread not found', 'other'],
  ['Bad Request: BOT_NOT_ADMIN', 'other'],
])('“%s” means: %s', async (description, why) => {
  api.fail('banChatMember', { error_code: 400, description });

  expect(await actions.ban(chatId, ann)).toEqual({ kind: 'refused', why, description });
});

test.each([
  'Forbidden: bot was kicked from the supergroup chat',
  'Forbidden: bot is not a member of the supergroup chat',
  'Forbidden: the group chat was deleted',
])('“%s” means that the bot is not in the chat', async (description) => {
  api.fail('banChatMember', { error_code: 403, description });

  expect(await actions.ban(chatId, ann)).toEqual({
    kind: 'refused',
    why: 'not in chat',
    description,
  });
});

test('an older server of the Bot API lacks a method', async () => {
  api.fail('setChatMemberTag', { error_code: 404, description: 'Not Found: method not found' });

  expect(await actions.setTag(chatId, ann, 'Otter')).toMatchObject(refused('unknown method'));
});

test('an administrator can be changed only by who made them one', async () => {
  expect(await actions.promote(chatId, boss, ['pin'])).toMatchObject(refused('not ours'));
  expect(await actions.promote(chatId, boss, [])).toMatchObject(refused('not ours'));
  expect(await actions.setTitle(chatId, boss, 'Herald')).toMatchObject(refused('not ours'));
  expect(await actions.promote(chatId, owner, [])).toMatchObject(refused('administrator'));

  chat.promotedBy = { [boss]: api.bot.id };
  expect(await actions.setTitle(chatId, boss, 'Herald')).toEqual(done);
  expect(await actions.promote(chatId, boss, [])).toEqual(done);
});

test('administrators and the owner are left alone', async () => {
  const outcomes = [
    await actions.ban(chatId, boss),
    await actions.kick(chatId, boss, false),
    await actions.mute(chatId, boss),
    await actions.ban(chatId, owner),
  ];

  expect(outcomes).toMatchObject(Array(4).fill(refused('administrator')));
});

test('a bot without a right is told so', async () => {
  api.updates.push({ message: { message_id: 11, date: 0, chat: { id: chatId } } });
  chat.botRights = ['delete'];
  const outcomes = [
    await actions.ban(chatId, ann),
    await actions.mute(chatId, ann),
    await actions.kick(chatId, ann, false),
    await actions.promote(chatId, ann, ['delete']),
    await actions.setTag(chatId, ann, 'Otter'),
    await actions.pin(chatId, 11, false),
    await actions.createTopic(chatId, 'Otters'),
    await actions.closeTopic(chatId, 0),
    await actions.banChannel(chatId, -1_001_112_223_334),
  ];

  expect(outcomes).toMatchObject(Array(9).fill(refused('no right')));
});

test('a bot cannot give a right that it has not', async () => {
  chat.botRights = ['promote', 'delete'];

  expect(await actions.promote(chatId, ann, ['pin'])).toMatchObject(refused('no right'));
});

test('neither a title nor a tag has an emoji', async () => {
  await actions.promote(chatId, ann, ['pin']);

  expect(await actions.setTitle(chatId, ann, 'Boss 🦦')).toMatchObject(refused('emoji'));
  expect(await actions.setTag(chatId, ben, '🦦')).toMatchObject(refused('emoji'));
});

test('a basic group knows neither mutes nor rights nor topics', async () => {
  api.addChat({ id: -500, type: 'group', creator: owner, members: [ann] });

  expect(await actions.mute(-500, ann)).toMatchObject(refused('supergroup only'));
  expect(await actions.promote(-500, ann, ['pin'])).toMatchObject(refused('supergroup only'));
  expect(await actions.unban(-500, ann)).toMatchObject(refused('supergroup only'));
  expect(await actions.createTopic(-500, 'Otters')).toMatchObject(refused('no topics'));
});

test('what is so already is told apart from what cannot be', async () => {
  expect(await actions.reopenTopic(chatId, 0)).toMatchObject(refused('unchanged'));
  expect(await actions.renameTopic(chatId, 0, 'General')).toMatchObject(refused('unchanged'));
  expect(await actions.pin(chatId, 404, false)).toMatchObject(refused('message gone'));
  expect(await actions.unpin(chatId)).toMatchObject(refused('message gone'));

  await actions.send({ chatId, text: 'Hello' });
  expect(await actions.edit({ chatId, messageId: 1, text: 'Hello' })).toMatchObject(
    refused('unchanged'),
  );
  expect(await actions.edit({ chatId, messageId: 404, text: 'Hi' })).toMatchObject(
    refused('message gone'),
  );
});

test('Telegram does not know a person', async () => {
  api.setReach(99, 'unknown');

  expect(await actions.ban(chatId, 99)).toMatchObject(refused('unknown person'));
  expect(await actions.mute(chatId, -5)).toMatchObject(refused('unknown person'));
});

test.each(['never started', 'blocked', 'unknown', 'deleted'] as const)(
  'a user who cannot receive messages (%s) is as a chat without the bot',
  async (reach) => {
    api.setReach(42, reach);

    expect(await actions.send({ chatId: 42, text: 'Hello' })).toMatchObject(refused('not in chat'));
  },
);

test('a bot that was removed, or has left, does nothing', async () => {
  chat.bot = 'kicked';
  expect(await actions.ban(chatId, ann)).toMatchObject(refused('not in chat'));
  chat.bot = 'left';
  expect(await actions.send({ chatId, text: 'Hello' })).toMatchObject(refused('not in chat'));
});

test('a group that became a supergroup has another ID', async () => {
  api.addChat({ id: -500, type: 'group' });
  api.upgrade(-500, -1_005_000_000_000);

  expect(await actions.send({ chatId: -500, text: 'Hello' })).toEqual({
    kind: 'moved',
    chatId: -1_005_000_000_000,
  });
  expect(await actions.ban(-500, ann)).toMatchObject({ kind: 'moved' });
});

test.each<readonly [string, Failure, number | undefined]>([
  ['a server error', { error_code: 500, description: 'Internal Server Error' }, undefined],
  ['a bad gateway page', 'html', undefined],
  ['a revoked token', { error_code: 401, description: 'Unauthorized' }, undefined],
  ['a token that is none', { error_code: 404, description: 'Not Found' }, undefined],
  [
    'too many calls',
    {
      error_code: 429,
      description: 'Too Many Requests: retry after 17',
      parameters: { retry_after: 17 },
    },
    17,
  ],
])('%s means: later', async (_name, failure, retryAfterS) => {
  api.failAll(failure);

  expect(await actions.ban(chatId, ann)).toEqual({ kind: 'later', retryAfterS });
  expect(await actions.send({ chatId, text: 'Hello' })).toEqual({ kind: 'later', retryAfterS });
  expect(api.calls).toHaveLength(2);
});

test('a call over a broken connection is repeated once, and then means: later', async () => {
  api.fail('banChatMember', 'reset');
  expect(await actions.ban(chatId, ann)).toEqual(done);

  api.failAll('reset');
  expect(await actions.ban(chatId, ann)).toEqual({ kind: 'later', retryAfterS: undefined });
});
