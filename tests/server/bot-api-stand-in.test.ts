/** The stand-in of the Bot API is as strict as Telegram's server where that matters to the bot. */
import { afterEach, beforeEach, expect, test } from 'vitest';

import { type BotApi, startBotApi } from '#tests/bot-api-server';

let now: number;
let api: BotApi;
beforeEach(async () => {
  now = Date.now();
  api = await startBotApi({ clock: () => now });
});
afterEach(() => api.close());

async function call(method: string, body: object) {
  const response = await fetch(`${api.apiRoot}/bot${api.token}/${method}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  return answer;
}

const written = (id: number, chatId = 42) => ({
  message: { message_id: id, date: 0, chat: { id: chatId, type: 'private' }, text: 'Hello' },
});

test('the same offset again, within half a second, gets one update', async () => {
  const [first, second] = [api.updates.push(written(1)), api.updates.push(written(2))];

  expect(await call('getUpdates', { offset: 1 })).toEqual({ ok: true, result: [first, second] });
  expect(await call('getUpdates', { offset: 1 })).toEqual({ ok: true, result: [first] });
  expect(await call('getUpdates', { offset: second.update_id })).toEqual({
    ok: true,
    result: [second],
  });
});

test('the same offset again, without patience, waits all the same', async () => {
  expect(await call('getUpdates', { offset: 1, timeout: 0 })).toEqual({ ok: true, result: [] });
  const waiting = call('getUpdates', { offset: 1, timeout: 0 });
  await api.updates.asked();
  const update = api.updates.push(written(1));

  expect(await waiting).toEqual({ ok: true, result: [update] });
});

test('a second poller ends the first', async () => {
  const first = call('getUpdates', { offset: 1, timeout: 10 });
  await api.updates.asked();
  const second = call('getUpdates', { offset: 2, timeout: 10 });

  expect(await first).toMatchObject({
    error_code: 409,
    description:
      'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  });
  const update = api.updates.push(written(1));
  expect(await second).toEqual({ ok: true, result: [update] });
});

test('a webhook gets one update of a chat at a time, and a failed one at once again', async () => {
  const sent: number[] = [];
  const answer = Promise.withResolvers<void>();
  await call('setWebhook', { url: 'https://nori.example.org/hook', max_connections: 100 });
  api.updates.deliver(async ({ update_id }) => {
    sent.push(update_id);
    if (sent.length === 1) {
      return { status: 500 };
    }
    await answer.promise;
    return { status: 200 };
  });
  const ids = [1, 2].map((id) => api.updates.push(written(id)).update_id);
  const elsewhere = api.updates.push(written(3, 43)).update_id;
  const [first = 0, second = 0] = ids;

  await expect.poll(() => sent).toEqual([first, elsewhere, first]);
  answer.resolve();
  await api.updates.confirmed();

  expect(sent).toEqual([first, elsewhere, first, second]);
});

test('updates end after a day, and presses as soon as they cannot be answered', async () => {
  const message = api.updates.push(written(1));
  api.updates.push({ callback_query: { id: '9', from: { id: 42 }, data: 'v1:undo:1' } });

  now += 150_000;
  expect(await call('getUpdates', { offset: 1 })).toEqual({ ok: true, result: [message] });
  now += 86_400_000;
  expect(api.updates.waiting()).toEqual([]);
});

test('a webhook gets posts by chat, presses by person, and joins with requests to join by person', async () => {
  const sent: number[] = [];
  await call('setWebhook', { url: 'https://nori.example.org/hook', max_connections: 100 });
  const answer = Promise.withResolvers<void>();
  const pushed = [
    written(1, -1),
    { channel_post: written(2, -1).message },
    { callback_query: { id: '1', from: { id: 42 } } },
    { callback_query: { id: '2', from: { id: 42 } } },
    { callback_query: { id: '3', from: { id: 43 } } },
    { chat_member: { chat: { id: -1 }, new_chat_member: { user: { id: 42 } } } },
    { chat_join_request: { chat: { id: -2 }, from: { id: 42 } } },
  ].map((content) => api.updates.push(content).update_id);
  api.updates.deliver(async ({ update_id }) => {
    sent.push(update_id);
    await answer.promise;
    return { status: 200 };
  });

  const first = [0, 2, 4, 5].map((at) => pushed[at]);
  await expect.poll(() => sent).toEqual(first);
  answer.resolve();
  await api.updates.confirmed();
  expect(new Set(sent.slice(4))).toEqual(new Set([1, 3, 6].map((at) => pushed[at])));
});

test.each([
  [{ chat_id: -1 }, 'message identifiers are not specified'],
  [{ chat_id: -1, message_ids: [] }, 'message identifiers are not specified'],
  [{ chat_id: -1, message_ids: Array(101).fill(1) }, 'too many message identifiers specified'],
  [{ chat_id: -1, message_ids: [0] }, 'invalid message identifier specified'],
])('deleteMessages refuses %j', async (body, why) => {
  api.addChat({ id: -1 });

  expect(await call('deleteMessages', body)).toMatchObject({
    error_code: 400,
    description: `Bad Request: ${why}`,
  });
});

test('deleteMessages skips what is gone, and refuses what is older than two days', async () => {
  api.addChat({ id: -1 });
  const date = Math.floor(Date.now() / 1000) - 49 * 3600;
  api.updates.push({ message: { message_id: 8, date, chat: { id: -1 } } });
  api.deletions.vanish(-1, 7);

  expect(await call('deleteMessages', { chat_id: -1, message_ids: [6, 7] })).toEqual({
    ok: true,
    result: true,
  });
  expect(await call('deleteMessage', { chat_id: -1, message_id: 7 })).toMatchObject({
    description: 'Bad Request: message to delete not found',
  });
  expect(await call('deleteMessages', { chat_id: -1, message_ids: [8, 9] })).toMatchObject({
    description: "Bad Request: message can't be deleted",
  });
});

const long = (length: number) => 'ж'.repeat(length);
const oneCommand = (fields: object) => ({
  commands: [{ command: 'start', description: 'Go', ...fields }],
});

test.each([
  ['setMyCommands', { commands: [], language_code: 'pt-br' }, 'invalid language code specified'],
  ['setMyDescription', { language_code: 'RU' }, 'invalid language code specified'],
  ['getMyShortDescription', { language_code: 'zho' }, 'invalid language code specified'],
  ['setMyCommands', {}, 'expected an Array of BotCommand'],
  ['setMyCommands', oneCommand({ command: '/' }), 'command must be non-empty'],
  ['setMyCommands', oneCommand({ command: long(33) }), 'command length must not exceed 32'],
  ['setMyCommands', oneCommand({ command: 'Start' }), 'BOT_COMMAND_INVALID'],
  ['setMyCommands', oneCommand({ description: ' ' }), 'command description must be non-empty'],
  [
    'setMyCommands',
    oneCommand({ description: long(257) }),
    'command description length must not exceed 256',
  ],
  [
    'setMyCommands',
    { commands: Array.from({ length: 101 }, () => ({ command: 'start', description: 'Go' })) },
    'BOT_COMMANDS_TOO_MUCH',
  ],
  ['setMyDescription', { description: long(513) }, 'DESCRIPTION_TOO_LONG'],
  ['setMyShortDescription', { short_description: long(121) }, 'ABOUT_TOO_LONG'],
  ['setChatMenuButton', { chat_id: -1 }, 'invalid chat_id specified'],
  ['setChatMenuButton', { chat_id: 7 }, 'user not found'],
  [
    'setChatMenuButton',
    { menu_button: { type: 'web_app', text: 'Nori', web_app: { url: 'http://nori.example.org' } } },
    "menu button Web App URL 'http://nori.example.org' is invalid: Only HTTPS links are allowed",
  ],
])('%s refuses %j', async (method, body, why) => {
  api.setReach(7, 'unknown');

  expect(await call(method, body)).toMatchObject({
    error_code: 400,
    description: `Bad Request: ${why}`,
  });
});

test('commands are kept by scope and language, and an empty list removes one', async () => {
  const scope = { type: 'all_group_chats' };
  const list = (description: string) => [{ command: 'help', description }];
  await call('setMyCommands', { scope, commands: list('Help') });
  await call('setMyCommands', { scope, commands: list('Hilfe'), language_code: 'de' });

  expect(await call('getMyCommands', { scope })).toMatchObject({ result: list('Help') });
  expect(await call('getMyCommands', { scope, language_code: 'de' })).toMatchObject({
    result: list('Hilfe'),
  });
  expect(await call('getMyCommands', { scope, language_code: 'fr' })).toMatchObject({ result: [] });
  expect(await call('getMyCommands', {})).toMatchObject({ result: [] });

  await call('setMyCommands', { scope, commands: [], language_code: 'de' });
  expect(api.profile.languages()).toEqual([]);
});

test('a user without a menu button of their own has that of all', async () => {
  const button = (url: string) => ({ type: 'web_app', text: 'Nori', web_app: { url } });
  const [all, own] = [button('https://nori.example.org/'), button('https://nori.example.org/ru/')];
  await call('setChatMenuButton', { menu_button: all });
  await call('setChatMenuButton', { chat_id: 42, menu_button: own });

  expect(await call('getChatMenuButton', { chat_id: 42 })).toMatchObject({ result: own });
  expect(await call('getChatMenuButton', { chat_id: 43 })).toMatchObject({
    result: { type: 'default' },
  });
  await call('setChatMenuButton', { chat_id: 42, menu_button: { type: 'default' } });
  expect(api.profile.menuButton(42)).toEqual(all);
});

const text = (length: number) => ({ chat_id: 42, text: 'x'.repeat(length) });
const entity = (offset: number, length: number) => ({
  chat_id: 42,
  text: 'An 🦦',
  entities: [{ type: 'bold', offset, length }],
});
const button = (fields: object, chatId = 42) => ({
  chat_id: chatId,
  text: 'Hello',
  reply_markup: { inline_keyboard: [[{ text: 'Press', ...fields }]] },
});

test.each<readonly [object, string]>([
  [text(0), 'message text is empty'],
  [text(4097), 'message is too long'],
  [{ chat_id: 42, text: ' ' }, 'text must be non-empty'],
  [entity(5, 1), 'entity begins after the end of the text at UTF-16 offset 5'],
  [
    entity(3, 3),
    'entity beginning at UTF-16 offset 3 ends after the end of the text at UTF-16 offset 6',
  ],
  [entity(4, 1), 'entity begins in a middle of a UTF-16 symbol'],
  [entity(0, 4), 'entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol'],
  [button({ callback_data: 'x'.repeat(65) }), 'BUTTON_DATA_INVALID'],
  [button({ web_app: { url: 'https://nori.example.org/' } }, -1), 'BUTTON_TYPE_INVALID'],
  [
    { chat_id: -1, text: 'Hello', reply_parameters: { message_id: 404 } },
    'message to be replied not found',
  ],
  [{ chat_id: -1, text: 'Hello', reply_parameters: {} }, 'can\'t find field "message_id"'],
  [
    { chat_id: 42, text: 'Hello', ephemeral_message_parameters: { receiver_user_id: 42 } },
    'BOT_NOT_ADMIN',
  ],
  [{ chat_id: -2, text: 'Hello' }, 'need administrator rights in the channel chat'],
])('sendMessage refuses %j', async (body, why) => {
  api.addChat({ id: -1 });
  api.addChat({ id: -2, type: 'channel', botMayPost: false });

  expect(await call('sendMessage', body)).toMatchObject({
    error_code: 400,
    description: `Bad Request: ${why}`,
  });
});

test.each([text(4096), entity(3, 2), button({ callback_data: 'x'.repeat(64) })])(
  'sendMessage takes %j',
  async (body) => {
    expect(await call('sendMessage', body)).toMatchObject({ ok: true });
  },
);

test('a bot edits its own messages, as long as they are there', async () => {
  api.addChat({ id: -1 });
  api.updates.push(written(7, -1));
  await call('sendMessage', { chat_id: -1, text: 'Hello' });
  const edit = (messageId: number) =>
    call('editMessageText', { chat_id: -1, message_id: messageId, text: 'Hi' });

  expect(await edit(7)).toMatchObject({ description: "Bad Request: message can't be edited" });
  expect(await edit(1)).toMatchObject({ ok: true, result: { message_id: 1, text: 'Hi' } });
  api.deletions.vanish(-1, 1);
  expect(await edit(1)).toMatchObject({ description: 'Bad Request: message to edit not found' });
});

test('a press is answered once, and in time', async () => {
  const tooOld = {
    description:
      'Bad Request: query is too old and response timeout expired or query ID is invalid',
  };
  const answer = (id: string) => call('answerCallbackQuery', { callback_query_id: id });
  for (const id of ['1', '2']) {
    api.updates.push({ callback_query: { id, from: { id: 42 }, data: 'v1:undo:1' } });
  }

  expect(await answer('1')).toMatchObject({ ok: true });
  expect(await answer('1')).toMatchObject(tooOld);
  expect(await answer('404')).toMatchObject(tooOld);
  now += 151_000;
  expect(await answer('2')).toMatchObject(tooOld);
});

test('only who sees a message presses its buttons', async () => {
  api.addChat({ id: -1 });
  await call('sendMessage', {
    ...button({ callback_data: 'v1:undo:1' }, -1),
    ephemeral_message_parameters: { receiver_user_id: 42 },
  });
  const [message] = api.messages;
  if (message === undefined) {
    throw new Error('Nothing was sent');
  }

  expect(() => api.presses.press(message, 43, 'Press')).toThrow('43 does not see “Hello”');
  expect(() => api.presses.press(message, 42, 'Undo')).toThrow('No button “Undo”');
  api.presses.press(message, 42, 'Press');
  expect(api.updates.waiting()).toMatchObject([
    {
      callback_query: {
        from: { id: 42 },
        data: 'v1:undo:1',
        message: { message_id: 0, ephemeral_message_id: 1, chat: { id: -1 } },
      },
    },
  ]);
});

test('a removal takes a second, in which the user is banned', async () => {
  api.addChat({ id: -1, members: [42] });

  const removal = call('unbanChatMember', { chat_id: -1, user_id: 42 });
  await expect.poll(() => api.members.read(-1, 42).status).toBe('kicked');
  expect(await removal).toEqual({ ok: true, result: true });
  expect(api.members.read(-1, 42)).toEqual({ status: 'left' });
});

test.each([
  ['29 seconds', 29, 0],
  ['30 seconds', 30, 30],
  ['366 days', 366 * 86_400, 366 * 86_400],
  ['367 days', 367 * 86_400, 0],
])('a ban for %s ends then, or never', async (_name, seconds, endsAfter) => {
  const start = Math.floor(now / 1000);
  api.addChat({ id: -1, members: [42] });

  await call('banChatMember', { chat_id: -1, user_id: 42, until_date: start + seconds });

  expect(api.members.read(-1, 42)).toEqual({
    status: 'kicked',
    until: endsAfter === 0 ? 0 : start + endsAfter,
  });
});

test('who is let in again after a ban is a member, and a topic must be known', async () => {
  const chat = api.addChat({ id: -1, isForum: true });
  api.members.put(-1, 42, { status: 'kicked' });
  expect(await call('getChatMember', { chat_id: -1, user_id: 42 })).toMatchObject({
    result: { status: 'kicked', until_date: 0 },
  });
  chat.members.push(42);
  expect(api.members.read(-1, 42)).toEqual({ status: 'member' });

  expect(await call('closeForumTopic', { chat_id: -1, message_thread_id: 5 })).toMatchObject({
    description: 'Bad Request: TOPIC_ID_INVALID',
  });
});
