/** The stand-in of the Bot API is as strict as Telegram's server where that matters to the bot. */
import { afterEach, beforeEach, expect, test } from 'vitest';

import { type BotApi, startBotApi } from '#tests/bot-api-server';

let api: BotApi;
beforeEach(async () => {
  api = await startBotApi();
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
