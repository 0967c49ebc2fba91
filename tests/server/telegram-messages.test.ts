/** The messages that the bot sends in groups and changes, and its answers to presses, over real HTTP against the stand-in. */
import { afterEach, beforeEach, expect, test } from 'vitest';

import {
  type ActionRefusal,
  type ChatActions,
  connectChatActions,
} from '#server/upstream/telegram/chat-actions';
import { type BotApi, startBotApi } from '#tests/bot-api-server';

const chatId = -1_009_876_543_210;
const [owner, boss, ann] = [1, 2, 3];

let now: number;
let api: BotApi;
let chat: ReturnType<BotApi['addChat']>;
let actions: ChatActions;

beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  api = await startBotApi({ clock: () => now });
  chat = api.addChat({
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
const refused = (why: ActionRefusal) => ({ kind: 'refused', why });

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
      date: Math.floor(now / 1000),
      chat: { id: chatId, type: 'supergroup' },
      from: { id: ann, is_bot: false, first_name: 'Ann' },
      text: 'Hello',
      ...fields,
    },
  });
}

test('a message has entities instead of markup, no preview, its topic, a reply and buttons', async () => {
  const sent = await actions.send({
    chatId,
    text: '<b>Ann</b> is banned.',
    entities: [{ type: 'bold', offset: 0, length: 10 }],
    topicId: 5,
    replyTo: 77,
    buttons: [
      [
        { text: 'Undo', data: 'v1:undo:1' },
        { text: 'Rules', url: 'https://nori.example.org/', opens: 'link' },
      ],
    ],
  });

  expect(sent).toEqual({ kind: 'done', result: { messageId: 1 } });
  expect(readCall('sendMessage')).toEqual({
    chat_id: chatId,
    text: '<b>Ann</b> is banned.',
    entities: [{ type: 'bold', offset: 0, length: 10 }],
    message_thread_id: 5,
    link_preview_options: { is_disabled: true },
    reply_parameters: { message_id: 77, allow_sending_without_reply: true },
    reply_markup: {
      inline_keyboard: [
        [
          { text: 'Undo', callback_data: 'v1:undo:1' },
          { text: 'Rules', url: 'https://nori.example.org/' },
        ],
      ],
    },
  });
});

test('a message may be for one user alone', async () => {
  seeMessage(77);
  const sent = await actions.send({
    chatId,
    text: 'Whom?',
    replyTo: 77,
    onlyFor: { telegramId: ann },
  });

  expect(sent).toEqual({ kind: 'done', result: { messageId: 0 } });
  expect(readCall('sendMessage')).toEqual({
    chat_id: chatId,
    text: 'Whom?',
    link_preview_options: { is_disabled: true },
    reply_parameters: { message_id: 77, allow_sending_without_reply: true },
    ephemeral_message_parameters: { receiver_user_id: ann },
  });
  expect(api.messages[0]?.ephemeral).toMatchObject({ to: ann });
});

test('a message for one user alone is sent without the reply when that message is gone', async () => {
  const sent = await actions.send({
    chatId,
    text: 'Whom?',
    topicId: 5,
    replyTo: 77,
    onlyFor: { telegramId: ann },
  });

  expect(sent).toEqual({ kind: 'done', result: { messageId: 0 } });
  expect(api.messages).toMatchObject([
    { ephemeral: { to: ann }, body: { text: 'Whom?', message_thread_id: 5 } },
  ]);
  expect(api.messages[0]?.body).not.toHaveProperty('reply_parameters');

  seeMessage(0, { ephemeral_message_id: 9 });
  now += 16_000;
  const late = await actions.send({
    chatId,
    text: 'Whom?',
    onlyFor: { telegramId: ann, replyToEphemeral: 9 },
  });
  expect(late).toEqual({ kind: 'done', result: { messageId: 0 } });
  expect(api.messages[1]).toMatchObject({ ephemeral: { to: ann } });
});

test('a bot that is no administrator answers one user alone after a press or an ephemeral command', async () => {
  chat.bot = 'member';
  seeMessage(0, { ephemeral_message_id: 9 });
  await actions.send({ chatId, text: 'Sure?', buttons: [[{ text: 'Yes', data: 'v1:yes:1' }]] });
  const [question] = api.messages;
  if (question === undefined) {
    throw new Error('Nothing was sent');
  }
  const pressId = api.presses.press(question, ann, 'Yes');
  const alone = (onlyFor: object) =>
    actions.send({ chatId, text: 'Done.', onlyFor: { telegramId: ann, ...onlyFor } });

  expect(await alone({})).toMatchObject({
    ...refused('other'),
    description: 'Bad Request: BOT_NOT_ADMIN',
  });
  expect(await alone({ pressId })).toMatchObject({ kind: 'done' });
  expect(await alone({ replyToEphemeral: 9 })).toMatchObject({ kind: 'done' });
  expect(api.messages.slice(1).map(({ body }) => body)).toMatchObject([
    { ephemeral_message_parameters: { receiver_user_id: ann, callback_query_id: pressId } },
    {
      ephemeral_message_parameters: { receiver_user_id: ann },
      reply_parameters: { ephemeral_message_id: 9 },
    },
  ]);

  now += 16_000;
  expect(await alone({ pressId })).toMatchObject(refused('other'));
  expect(await alone({ replyToEphemeral: 9 })).toMatchObject(refused('other'));
  expect(api.messages).toHaveLength(3);
});

test('an older server of the Bot API sends all users what is meant for one', async () => {
  chat.knowsEphemeral = false;

  const sent = await actions.send({ chatId, text: 'Whom?', onlyFor: { telegramId: ann } });

  expect(sent).toEqual({ kind: 'done', result: { messageId: 1 } });
  expect(api.messages[0]?.ephemeral).toBeUndefined();
});

test('a message gets another text and loses its buttons, and a press is answered once', async () => {
  await actions.send({ chatId, text: 'Ann: warning', buttons: [[{ text: 'Undo', data: 'u' }]] });
  const [message] = api.messages;
  if (message === undefined) {
    throw new Error('Nothing was sent');
  }
  const pressId = api.presses.press(message, boss, 'Undo');

  expect(
    await actions.edit({
      chatId,
      messageId: 1,
      text: 'Taken back',
      entities: [{ type: 'italic', offset: 0, length: 5 }],
    }),
  ).toEqual(done);
  expect(readCall('editMessageText')).toEqual({
    chat_id: chatId,
    message_id: 1,
    text: 'Taken back',
    entities: [{ type: 'italic', offset: 0, length: 5 }],
    link_preview_options: { is_disabled: true },
  });
  expect(api.show(message)).toMatchObject({ text: 'Taken back', buttons: [] });

  expect(await actions.answerPress(pressId, 'Done.')).toEqual(done);
  expect(readCall('answerCallbackQuery')).toEqual({ callback_query_id: pressId, text: 'Done.' });
  expect(api.presses.answers).toEqual([{ pressId, text: 'Done.', isAlert: false }]);
  expect(await actions.answerPress(pressId)).toMatchObject(refused('unchanged'));
});

test('a message for one user alone gets another text and loses its buttons', async () => {
  const buttons = [[{ text: 'Undo', data: 'u' }]];
  await actions.send({ chatId, text: 'Ann: warning', buttons, onlyFor: { telegramId: boss } });
  const [message] = api.messages;
  const { id = 0 } = message?.ephemeral ?? {};
  const edit = (telegramId: number, ephemeralId = id) =>
    actions.edit({
      chatId,
      messageId: 0,
      onlyFor: { telegramId, ephemeralId },
      text: 'Taken back',
      entities: [{ type: 'italic', offset: 0, length: 5 }],
    });

  expect(await edit(boss)).toEqual(done);
  expect(readCall('editEphemeralMessageText')).toEqual({
    chat_id: chatId,
    receiver_user_id: boss,
    ephemeral_message_id: id,
    text: 'Taken back',
    entities: [{ type: 'italic', offset: 0, length: 5 }],
    link_preview_options: { is_disabled: true },
  });
  expect(message && api.show(message)).toMatchObject({ text: 'Taken back', buttons: [] });

  expect(await edit(boss)).toMatchObject(refused('unchanged'));
  expect(await edit(ann)).toMatchObject(refused('message gone'));
  expect(await edit(boss, id + 1)).toMatchObject(refused('message gone'));
  chat.knowsEphemeral = false;
  expect(await edit(boss)).toMatchObject(refused('unknown method'));
});
