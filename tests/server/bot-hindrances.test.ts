/**
 * While Telegram is slow or the database is unavailable: blocked messages are deleted, and no
 * update is lost.
 */
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { openDatabase } from '#server/db/client';
import { chatId, moderatedChat, later, waitingRows } from '#tests/moderated-chat';
import { samples } from '#tests/sample-messages';
import { createTestServer } from '#tests/test-server';

const help = { text: '/help', entities: [{ type: 'bot_command', offset: 0, length: 5 }] };

test('while an answer to a command hangs, blocked messages in the same chat are deleted', async () => {
  const { api, block, deleted, message } = await moderatedChat({
    variables: { BOT_MODE: 'polling' },
  });
  await block(['photo']);
  api.fail('sendMessage', 'hang');
  const photo = message(samples.photo);

  api.updates.push({ message: message(help) });
  await expect.poll(() => api.callsTo('sendMessage')).toHaveLength(1);
  api.updates.push({ message: photo });

  await expect.poll(deleted).toEqual([photo.message_id]);
  // Stopping the bot would wait for the answer.
  await api.close();
});

const flood = {
  error_code: 429,
  description: 'Too Many Requests: retry after 1',
  parameters: { retry_after: 1 },
};

/** A chat that blocks photos, and a database that can be made read-only. */
async function chatOnWeakDisk(variables: Readonly<Record<string, string>>) {
  const database = openDatabase({});
  const chat = await moderatedChat({ database, variables });
  await chat.block(['photo']);
  const takeWrites = (takes: boolean) =>
    sql.raw(`pragma query_only = ${takes ? 'off' : 'on'}`).execute(database.db);
  const triesAgain = (times: number) =>
    expect
      .poll(() => chat.server.logLines.filter((line) => line.includes('tried again')).length)
      .toBeGreaterThanOrEqual(times);
  return { ...chat, database, takeWrites, triesAgain };
}

test('an update is confirmed once its deletion could be saved', async () => {
  const chat = await chatOnWeakDisk({ BOT_MODE: 'polling' });
  chat.api.fail('deleteMessage', flood);
  const photo = chat.message(samples.photo);
  await chat.takeWrites(false);

  chat.api.updates.push({ message: photo });
  await chat.triesAgain(2);
  expect(chat.api.updates.waiting()).toHaveLength(1);

  await chat.takeWrites(true);
  await chat.api.updates.confirmed();
  expect(await waitingRows(chat)).toMatchObject([{ message_id: photo.message_id }]);
  await later(chat, 1000);
  expect(chat.api.deletions.gone(chatId)).toEqual([photo.message_id]);
});

test('a bot that is stopped while the database is read-only receives the update again', async () => {
  const chat = await chatOnWeakDisk({ BOT_MODE: 'polling' });
  chat.api.fail('deleteMessage', flood);
  await chat.takeWrites(false);
  const photo = chat.message(samples.photo);
  chat.api.updates.push({ message: photo });
  await chat.triesAgain(1);

  await chat.server.stopBot();
  expect(chat.api.updates.waiting()).toMatchObject([{ message: photo }]);

  await chat.takeWrites(true);
  const { api, database } = chat;
  const next = await createTestServer({
    bot: { api },
    database: { ...database, close: () => Promise.resolve() },
  });
  await api.updates.confirmed();
  expect(api.deletions.gone(chatId)).toEqual([photo.message_id]);
  await next.close();
});

test('the upgrade of a group to a supergroup is stored once the database accepts writes again', async () => {
  const chat = await chatOnWeakDisk({ BOT_MODE: 'polling' });
  const newId = -1_001_000_000_999;
  await chat.takeWrites(false);

  chat.api.updates.push({ message: chat.message({ migrate_to_chat_id: newId }) });
  await chat.triesAgain(2);
  await chat.takeWrites(true);
  await chat.api.updates.confirmed();

  const { db } = chat.database;
  expect(await db.selectFrom('chats').select('chat_id').execute()).toEqual([{ chat_id: newId }]);
});

test('a stopped webhook makes Telegram send again what could not be saved', async () => {
  const chat = await chatOnWeakDisk({
    BOT_MODE: 'webhook',
    PUBLIC_URL: 'https://nori.example.org',
  });
  await expect.poll(() => chat.api.updates.webhook()).toBeDefined();
  chat.api.fail('deleteMessage', flood);
  await chat.takeWrites(false);

  const brought = chat.server.request('/backend/bot/updates', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Telegram-Bot-Api-Secret-Token': String(chat.api.updates.webhook()?.['secret_token']),
    },
    body: JSON.stringify({ update_id: 1, message: chat.message(samples.photo) }),
  });
  await chat.triesAgain(1);
  await chat.server.stopBot();

  expect((await brought).status).toBe(503);
  await chat.takeWrites(true);
});
