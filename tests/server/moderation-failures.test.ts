/** What happens to a message that Telegram refuses to delete, and to the messages after it. */
import { expect, test } from 'vitest';

import {
  chatId,
  moderatedChat,
  people,
  later,
  listen,
  readBotPlace,
  seenBot,
  waitingRows,
} from '#tests/moderated-chat';
import { samples } from '#tests/sample-messages';

const hourMs = 3_600_000;

test('a message that is already deleted needs no further call', async () => {
  const chat = await moderatedChat();
  await chat.block(['photo']);
  chat.api.fail('deleteMessage', {
    error_code: 400,
    description: 'Bad Request: message to delete not found',
  });

  await chat.write(samples.photo);
  await later(chat, hourMs);

  expect(chat.api.callsTo('deleteMessage')).toHaveLength(1);
  expect(await waitingRows(chat)).toEqual([]);
});

test('a missing right is logged once, and deleting is retried once a minute', async () => {
  const chat = await moderatedChat({ chat: { botMayDelete: false } });
  await seenBot(chat);
  await chat.block(['photo']);
  const heard = listen(chat);

  await chat.write(samples.photo);
  await chat.write(samples.photo, samples.photo);
  await chat.write(samples.photo);

  expect(chat.deleted()).toHaveLength(1);
  expect(await readBotPlace(chat)).toEqual({ is_in: 1, may_delete: 0 });
  expect(heard).toEqual(['health']);
  expect(await waitingRows(chat)).toEqual([]);

  chat.server.wait(61_000);
  await chat.write(samples.photo);
  await chat.write(samples.photo);
  expect(chat.deleted()).toHaveLength(2);
  expect(heard).toEqual(['health']);
});

test('without the right, messages that were collected meanwhile are not all tried one by one', async () => {
  const chat = await moderatedChat({ chat: { botMayDelete: false } });
  await chat.block(['photo']);

  await chat.write(...Array.from({ length: 50 }, () => samples.photo));

  const calls = ['deleteMessage', 'deleteMessages'].flatMap((name) => chat.api.callsTo(name));
  expect(calls.length).toBeLessThanOrEqual(3);
});

test('deleting resumes as soon as Telegram reports the right or a retry succeeds', async () => {
  const chat = await moderatedChat({ chat: { botMayDelete: false } });
  await seenBot(chat);
  await chat.block(['photo']);
  await chat.write(samples.photo);
  chat.api.addChat({ id: chatId, creator: people.owner });

  chat.server.services.chatEvents.publish(chatId, { kind: 'health' });
  const [next] = await chat.write(samples.photo);

  expect(chat.deleted()).toContain(next);

  const blind = await moderatedChat({ chat: { botMayDelete: false } });
  await seenBot(blind);
  await blind.block(['photo']);
  await blind.write(samples.photo);
  blind.api.addChat({ id: chatId, creator: people.owner });
  const heard = listen(blind);
  blind.server.wait(61_000);
  await blind.write(samples.photo);

  expect(await readBotPlace(blind)).toEqual({ is_in: 1, may_delete: 1 });
  expect(heard).toEqual(['health']);
});

test('a message that is too old does not count as a missing right', async () => {
  const chat = await moderatedChat();
  await seenBot(chat);
  await chat.block(['photo']);
  const old = chat.message({ ...samples.photo, date: chat.server.now() / 1000 - 49 * 3600 });
  chat.api.deletions.forbid(chatId, old.message_id);

  await chat.server.services.moderation.handleMessage({ ...old, edit_date: 1 });
  const [next] = await chat.write(samples.photo);

  expect(chat.deleted()).toEqual([old.message_id, next]);
  expect(await readBotPlace(chat)).toEqual({ is_in: 1, may_delete: 1 });
});

test('one message that cannot be deleted does not block the others of its call', async () => {
  const chat = await moderatedChat();
  await seenBot(chat);
  await chat.block(['photo']);
  const messages = Array.from({ length: 5 }, () => chat.message(samples.photo));
  const ids = messages.map(({ message_id }) => message_id);
  chat.api.deletions.forbid(chatId, ids[2] ?? 0);

  await Promise.all(messages.map((one) => chat.server.services.moderation.handleMessage(one)));

  // The call with all of them was refused, so each message got a call of its own.
  const tries = ids.map((id) => chat.deleted().filter((deleted) => deleted === id).length);
  expect(Math.min(...tries)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...tries)).toBe(2);
  expect(chat.api.callsTo('deleteMessages')).toHaveLength(1);
  const before = chat.deleted().length;
  expect(await readBotPlace(chat)).toEqual({ is_in: 1, may_delete: 1 });
  await later(chat, hourMs);
  expect(chat.deleted()).toHaveLength(before);
});

test('messages that cannot be deleted, first in a call, keep no later one of it', async () => {
  const chat = await moderatedChat();
  await seenBot(chat);
  await chat.block(['photo']);
  const messages = Array.from({ length: 6 }, () => chat.message(samples.photo));
  const ids = messages.map(({ message_id }) => message_id);
  const [kept, deletable] = [ids.slice(0, 3), ids.slice(3)];
  chat.api.deletions.forbid(chatId, ...kept);

  await Promise.all(messages.map((one) => chat.server.services.moderation.handleMessage(one)));

  expect(chat.api.deletions.gone(chatId)).toEqual(deletable);
  expect(await readBotPlace(chat)).toEqual({ is_in: 1, may_delete: 1 });
  expect(await waitingRows(chat)).toEqual([]);
});

test('edits of old messages do not slow the deletion of new ones down', async () => {
  const chat = await moderatedChat();
  await seenBot(chat);
  await chat.block(['photo']);
  const date = chat.server.now() / 1000 - 49 * 3600;
  const old = Array.from({ length: 3 }, () =>
    chat.message({ ...samples.photo, date, edit_date: date + 1 }),
  );
  const recent = Array.from({ length: 3 }, () => chat.message(samples.photo));
  chat.api.deletions.forbid(chatId, ...old.map(({ message_id }) => message_id));

  await Promise.all(
    [...old, ...recent].map((one) => chat.server.services.moderation.handleMessage(one)),
  );

  expect(chat.api.deletions.gone(chatId)).toEqual(recent.map(({ message_id }) => message_id));
  expect(chat.api.callsTo('deleteMessages')).toHaveLength(2);
  expect(chat.api.callsTo('deleteMessage')).toEqual([]);
});

test('while Telegram does not say whether the bot may delete, what it refuses waits', async () => {
  const chat = await moderatedChat();
  await seenBot(chat);
  await chat.block(['photo']);
  const heard = listen(chat);
  const messages = Array.from({ length: 3 }, () => chat.message(samples.photo));
  const ids = messages.map(({ message_id }) => message_id);
  chat.api.deletions.forbid(chatId, ids[0] ?? 0);
  chat.api.fail('getChatMember', {
    error_code: 429,
    description: 'Too Many Requests: retry after 7',
    parameters: { retry_after: 7 },
  });

  await Promise.all(messages.map((one) => chat.server.services.moderation.handleMessage(one)));
  expect(await waitingRows(chat)).toHaveLength(3);
  await later(chat, 6000);
  expect(await waitingRows(chat)).toHaveLength(3);
  await later(chat, 1000);

  expect(chat.api.deletions.gone(chatId)).toEqual(ids.slice(1));
  expect(await waitingRows(chat)).toEqual([]);
  expect(heard).toEqual([]);
});

test('a removed bot is stored as not in the chat', async () => {
  const chat = await moderatedChat();
  await seenBot(chat);
  await chat.block(['photo']);
  await chat.write(samples.photo);
  const heard = listen(chat);
  chat.api.fail('deleteMessage', {
    error_code: 403,
    description: 'Forbidden: bot was kicked from the supergroup chat',
  });

  await chat.write(samples.photo);
  await chat.write(samples.photo);

  expect(await readBotPlace(chat)).toEqual({ is_in: 0, may_delete: 0 });
  expect(heard).toEqual(['health']);
  expect(chat.api.callsTo('deleteMessage')).toHaveLength(2);
});

test('an unknown refusal changes nothing', async () => {
  const chat = await moderatedChat();
  await seenBot(chat);
  await chat.block(['photo']);
  await chat.write(samples.photo);
  chat.api.fail('deleteMessage', { error_code: 400, description: 'Bad Request: MESSAGE_ON_FIRE' });

  await chat.write(samples.photo);
  await later(chat, hourMs);

  expect(chat.api.callsTo('deleteMessage')).toHaveLength(2);
  expect(await readBotPlace(chat)).toEqual({ is_in: 1, may_delete: 1 });
});

test.each([
  [403, 'Forbidden: bot was kicked from the supergroup chat', { is_in: 0, may_delete: 0 }],
  [400, 'Bad Request: member list is inaccessible', { is_in: 1, may_delete: 0 }],
])(
  'a bot that may not see the members of a chat (%i) does not repeat the call',
  async (...refusal) => {
    const [error_code, description, place] = refusal;
    const chat = await moderatedChat();
    await seenBot(chat);
    await chat.block(['photo']);
    const heard = listen(chat);
    chat.api.fail('getChatAdministrators', { error_code: 503, description: 'Service Unavailable' });
    await chat.write(samples.photo);
    chat.api.fail('getChatAdministrators', { error_code, description });

    await later(chat, 5000);
    await chat.write(samples.photo, samples.photo);

    expect(await waitingRows(chat)).toEqual([]);
    expect(await readBotPlace(chat)).toEqual(place);
    expect(heard).toEqual(['health']);
    await later(chat, 30_000);
    expect(chat.api.callsTo('getChatAdministrators')).toHaveLength(2);
    expect(chat.deleted()).toEqual([]);

    // An update says that the bot has its status and its rights again.
    chat.server.services.chatEvents.publish(chatId, { kind: 'health' });
    const [next] = await chat.write(samples.photo);
    expect(chat.deleted()).toEqual([next]);
  },
);
