/** How the server reads Telegram's answers, over real HTTP against the stand-in. */
import { afterEach, beforeEach, expect, test } from 'vitest';

import { AppError } from '#server/lib/errors';
import { connectTelegram, type Telegram } from '#server/upstream/telegram/telegram';
import { type BotApi, type Failure, startBotApi } from '#tests/bot-api-server';
import { timeoutFor } from '#tests/stand-in';

let bot: BotApi;
let telegram: Telegram;

beforeEach(async () => {
  bot = await startBotApi();
  telegram = connect(20_000);
});
afterEach(() => bot.close());

const connect = (timeoutMs: number): Telegram =>
  connectTelegram({ token: bot.token, apiRoot: `${bot.apiRoot}/`, timeoutMs });

const chatId = -1009876543210;

/** The refusal with which a call fails. */
async function catchRefusal(call: Promise<unknown>): Promise<AppError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) {
    throw new Error(`Expected a refusal, got ${String(error)}`);
  }
  return error;
}

test('a message with a code has a button to copy it, is protected, and shows no preview', async () => {
  const outcome = await telegram.sendMessage(42, {
    text: '123456 is your code',
    code: '123456',
    copyLabel: 'Copy 123456',
  });

  expect(outcome).toBe('sent');
  expect(bot.callsTo('sendMessage')[0]?.body).toMatchObject({
    chat_id: 42,
    text: '123456 is your code',
    protect_content: true,
    link_preview_options: { is_disabled: true },
    reply_markup: {
      inline_keyboard: [[{ text: 'Copy 123456', copy_text: { text: '123456' } }]],
    },
  });
});

test('a message without a code is an ordinary message', async () => {
  await telegram.sendMessage(42, { text: 'Hello' });

  expect(bot.callsTo('sendMessage')[0]?.body).not.toHaveProperty('protect_content');
  expect(bot.callsTo('sendMessage')[0]?.body).not.toHaveProperty('reply_markup');
});

test.each(['never started', 'blocked', 'unknown', 'deleted'] as const)(
  'a user who cannot receive messages (%s) is not reported as a failure',
  async (reach) => {
    bot.setReach(42, reach);

    expect(await telegram.sendMessage(42, { text: 'Hello' })).toBe('unreachable');
  },
);

const outages: Record<string, Failure> = {
  'a server error': { error_code: 500, description: 'Internal Server Error' },
  'a bad gateway page': 'html',
  'a broken connection': 'reset',
  'no answer at all': 'hang',
  'a revoked token': { error_code: 401, description: 'Unauthorized' },
  'a bot that another process polls': { error_code: 409, description: 'Conflict' },
  'an answer of another shape': { result: [1, 'two', null] },
};

test.each(Object.entries(outages))(
  '%s counts as Telegram being unavailable',
  async (_name, failure) => {
    const asked = connect(timeoutFor(failure));
    bot.failAll(failure);

    const refusals = await Promise.all(
      [
        asked.username(),
        asked.readChat(chatId),
        asked.administrators(chatId),
        asked.member(chatId, 42),
        asked.mayDeleteMessages(chatId),
      ].map(catchRefusal),
    );

    expect(refusals.map(({ code }) => code)).toEqual(Array(5).fill('telegram_unavailable'));
  },
);

test('a call over a connection that Telegram has closed is repeated', async () => {
  bot.fail('sendMessage', 'reset');

  expect(await telegram.sendMessage(42, { text: 'Hello' })).toBe('sent');
  expect(bot.callsTo('sendMessage')).toHaveLength(2);
});

test('a call whose connection breaks again is not repeated', async () => {
  bot.failAll('reset');

  expect(await catchRefusal(telegram.sendMessage(42, { text: 'Hello' }))).toMatchObject({
    code: 'telegram_unavailable',
  });
  expect(bot.callsTo('sendMessage')).toHaveLength(2);
});

test('a limited call returns how long to wait, and is not repeated', async () => {
  bot.fail('sendMessage', {
    error_code: 429,
    description: 'Too Many Requests: retry after 17',
    parameters: { retry_after: 17 },
  });

  const refusal = await catchRefusal(telegram.sendMessage(42, { text: 'Hello' }));

  expect(refusal).toMatchObject({ code: 'telegram_unavailable', retryAfterS: 17 });
  expect(bot.callsTo('sendMessage')).toHaveLength(1);
});

test('no failure contains the token or the message', async () => {
  const failures = [
    ...Object.values(outages),
    { error_code: 400, description: 'Bad Request: odd' },
  ];
  const seen: string[] = [];

  for (const failure of failures) {
    bot.failAll(failure);
    await connect(timeoutFor(failure))
      .sendMessage(42, { text: 'code 987654', code: '987654' })
      .catch((error: Error) => {
        seen.push(describeDeep(error));
      });
  }

  expect(seen).toHaveLength(failures.length - 1); // any answer to a sent message means that it was sent
  expect(seen.join('\n')).not.toContain(bot.token.split(':')[1]);
  expect(seen.join('\n')).not.toContain('987654');
});

test.each<[string, Failure]>([
  ['unknown to the bot', { error_code: 400, description: 'Bad Request: chat not found' }],
  [
    'that removed the bot',
    { error_code: 403, description: 'Forbidden: bot was kicked from the supergroup chat' },
  ],
  [
    'the bot never joined',
    { error_code: 403, description: 'Forbidden: bot is not a member of the channel chat' },
  ],
  ['that was deleted', { error_code: 403, description: 'Forbidden: the group chat was deleted' }],
])('a chat %s counts as one without the bot', async (_name, failure) => {
  bot.failAll(failure);

  const codes = (
    await Promise.all(
      [telegram.readChat(chatId), telegram.administrators(chatId), telegram.member(chatId, 42)].map(
        catchRefusal,
      ),
    )
  ).map(({ code }) => code);

  expect(codes).toEqual(Array(3).fill('bot_not_in_chat'));
});

test('a bot that is no administrator of a channel counts as lacking the right', async () => {
  bot.addChat({ id: chatId });
  bot.fail('getChatAdministrators', {
    error_code: 400,
    description: 'Bad Request: member list is inaccessible',
  });

  expect(await catchRefusal(telegram.administrators(chatId))).toMatchObject({
    code: 'bot_cannot_delete',
  });
});

test('an unknown refusal is thrown unchanged', async () => {
  bot.fail('getChat', { error_code: 400, description: 'Bad Request: something new' });

  await expect(telegram.readChat(chatId)).rejects.toThrow('Telegram refused getChat: 400');
});

test('the creator, administrators, members and former members are distinguished', async () => {
  bot.addChat({ id: chatId, creator: 1, administrators: [2], members: [3] });

  const { administrators } = await telegram.administrators(chatId);
  const places = await Promise.all([1, 2, 3, 4].map((id) => telegram.member(chatId, id)));

  expect(administrators.map(({ telegramId, status }) => [telegramId, status])).toEqual([
    [1, 'creator'],
    [2, 'administrator'],
    [bot.bot.id, 'administrator'],
  ]);
  expect(places.map(({ member }) => [member.status, member.isPresent])).toEqual([
    ['creator', true],
    ['administrator', true],
    ['member', true],
    ['left', false],
  ]);
});

test('a restricted user counts as a member only while in the chat, and an unknown status never does', async () => {
  bot.addChat({ id: chatId });
  bot.fail('getChatMember', memberWithStatus('restricted', { is_member: true }));
  bot.fail('getChatMember', memberWithStatus('restricted', { is_member: false }));
  bot.fail('getChatMember', memberWithStatus('emperor', {}));

  const present = [
    await telegram.member(chatId, 5),
    await telegram.member(chatId, 5),
    await telegram.member(chatId, 5),
  ].map(({ member }) => member.isPresent);

  expect(present).toEqual([true, false, false]);
});

test('a user unknown to Telegram is not in the chat', async () => {
  bot.addChat({ id: chatId });
  bot.fail('getChatMember', { error_code: 400, description: 'Bad Request: user not found' });

  const { member } = await telegram.member(chatId, 999);

  expect(member).toMatchObject({ telegramId: 999, isPresent: false });
});

test('whether the bot may delete messages follows its rights', async () => {
  const chat = bot.addChat({ id: chatId });

  expect(await telegram.mayDeleteMessages(chatId)).toBe(true);
  chat.botMayDelete = false;
  expect(await telegram.mayDeleteMessages(chatId)).toBe(false);
  chat.bot = 'member';
  expect(await telegram.mayDeleteMessages(chatId)).toBe(false);
});

test('administrators have rights and titles, the creator all of them, and bots are told apart', async () => {
  const chat = bot.addChat({
    id: chatId,
    creator: 1,
    administrators: [2, 3],
    members: [4],
    administratorRights: { 2: ['delete', 'info'] },
    titles: { 1: 'Captain' },
    anonymous: [2],
    promotedBy: { 3: bot.bot.id },
  });
  bot.addPerson({ id: 3, first_name: 'Helper', username: 'helper_bot', is_bot: true });

  const { administrators } = await telegram.administrators(chatId);

  expect(administrators).toMatchObject([
    { telegramId: 1, title: 'Captain', isBot: false, isAnonymous: false, canBeEdited: false },
    { telegramId: 2, title: undefined, isBot: false, isAnonymous: true, canBeEdited: false },
    { telegramId: 3, isBot: true, isAnonymous: false, canBeEdited: true, username: 'helper_bot' },
    { telegramId: bot.bot.id, isBot: true },
  ]);
  expect(administrators.map(({ rights }) => Array.from(rights))).toEqual([
    ['delete', 'restrict', 'invite', 'pin', 'topics', 'promote', 'tags', 'info'],
    ['delete', 'info'],
    ['delete', 'restrict', 'invite', 'pin', 'topics', 'tags', 'info'],
    ['delete', 'restrict', 'invite', 'pin', 'topics', 'promote', 'tags', 'info'],
  ]);

  chat.botRights = ['delete', 'pin'];
  expect([...(await telegram.readBotStatus(chatId)).rights]).toEqual(['delete', 'pin']);
  chat.bot = 'kicked';
  expect([...(await telegram.readBotStatus(chatId)).rights]).toEqual([]);
});

test('what a restricted member may do is no right of an administrator', async () => {
  bot.addChat({ id: chatId, members: [5] });
  bot.members.put(chatId, 5, { status: 'restricted', permissions: { can_pin_messages: true } });

  const { member } = await telegram.member(chatId, 5);

  expect(member).toMatchObject({ status: 'restricted', isPresent: true, mayDelete: false });
  expect(member.rights).toEqual(new Set());
});

test('in a channel those may write who have the right, and the creator', async () => {
  const channel = bot.addChat({ id: chatId, type: 'channel', creator: 1, members: [3] });
  const read = async (id: number) => (await telegram.member(chatId, id)).member.mayPost;

  expect([await read(1), await read(3), await read(bot.bot.id)]).toEqual([true, false, true]);
  channel.botMayPost = false;
  expect(await read(bot.bot.id)).toBe(false);
});

test('Telegram prepares lists of groups and channels, in which the bot gets its rights', async () => {
  expect(await telegram.preparePick(42)).toEqual({ id: 'prepared-button-1' });
  expect(await telegram.preparePickChannel(42, 7)).toEqual({ id: 'prepared-button-1' });

  const [group, channel] = bot.callsTo('savePreparedKeyboardButton').map(({ body }) => body);
  expect(group).toMatchObject({
    user_id: 42,
    button: {
      request_chat: {
        chat_is_channel: false,
        bot_administrator_rights: {
          can_delete_messages: true,
          can_restrict_members: true,
          can_invite_users: true,
          can_pin_messages: true,
          can_manage_topics: true,
          can_manage_tags: true,
          can_promote_members: false,
          can_change_info: false,
        },
      },
    },
  });
  expect(channel).toMatchObject({
    user_id: 42,
    button: {
      request_chat: {
        request_id: 7,
        chat_is_channel: true,
        request_title: true,
        bot_administrator_rights: { can_post_messages: true, can_promote_members: false },
        user_administrator_rights: { can_post_messages: true, can_promote_members: true },
      },
    },
  });
});

test('a list of channels is not prepared for a user whom the bot may not write to', async () => {
  bot.setReach(42, 'blocked');

  expect(await telegram.preparePickChannel(42, 7)).toBe('unreachable');
});

test('every call finds a group that became a supergroup by its new ID', async () => {
  bot.addChat({ id: -500, type: 'group', title: 'Old friends', creator: 1 });
  bot.upgrade(-500, chatId);

  expect(await telegram.readChat(-500)).toEqual({
    chatId,
    title: 'Old friends',
    kind: 'supergroup',
    isPublic: false,
    linkedId: undefined,
  });
  expect((await telegram.administrators(-500)).chatId).toBe(chatId);
  expect((await telegram.member(-500, 1)).chatId).toBe(chatId);
  expect(await telegram.mayDeleteMessages(-500)).toBe(true);
});

test('the name of the bot is read once, and again after a failure', async () => {
  bot.fail('getMe', { error_code: 502, description: 'Bad Gateway' });

  await catchRefusal(telegram.username());
  const names = [await telegram.username(), await telegram.username()];

  expect(names).toEqual([bot.bot.username, bot.bot.username]);
  expect(bot.callsTo('getMe')).toHaveLength(2);
});

test('the stand-in refuses a wrong token, as Telegram does', async () => {
  const wrong = connectTelegram({ token: '1:wrong', apiRoot: bot.apiRoot });

  expect(await catchRefusal(wrong.username())).toMatchObject({ code: 'telegram_unavailable' });
  expect(bot.calls).toHaveLength(0);
});

/** Telegram's answer about a user with this status. */
function memberWithStatus(status: string, rest: object): Failure {
  return { result: { user: { id: 5, first_name: 'R' }, status, ...rest } };
}

/** All text of an error, including its causes. */
function describeDeep(error: unknown): string {
  if (!(error instanceof Error)) {
    return JSON.stringify(error);
  }
  const own = Object.getOwnPropertyNames(error).map((name) => Reflect.get(error, name));
  return own
    .map((value) => (value instanceof Error ? describeDeep(value) : JSON.stringify(value)))
    .join('\n');
}
