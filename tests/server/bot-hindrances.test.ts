/** Whatever is slow or broken beside it: what is blocked is deleted, and no update is lost. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { openDatabase } from '#server/db/client';
import { chatId, moderatedChat } from '#tests/moderated-chat';
import { later, waitingRows } from '#tests/moderation-aftermath';
import { samples } from '#tests/sample-messages';
import { createTestServer } from '#tests/test-server';

const help = { text: '/help', entities: [{ type: 'bot_command', offset: 0, length: 5 }] };

test('while Telegram is slow to take an answer, what is blocked in the same chat is deleted', async () => {
  const { api, block, deleted, message } = await moderatedChat({
    variables: { BOT_MODE: 'polling' },
  });
  await block(['photo']);
  api.fail('sendMessage', 'hang');
  const photo = message(samples.photo);

  api.updates.push({ message: message(help) });
  await expect.poll(() => api.callsOf('sendMessage')).toHaveLength(1);
  api.updates.push({ message: photo });

  await expect.poll(deleted).toEqual([photo.message_id]);
  // Whoever stops the bot would wait for the answer.
  await api.close();
});

const flood = {
  error_code: 429,
  description: 'Too Many Requests: retry after 1',
  parameters: { retry_after: 1 },
};

/** A chat that blocks photos, and a database on a disk that takes nothing at times. */
async function chatOnWeakDisk(variables: Readonly<Record<string, string>>) {
  const database = openDatabase({});
  const chat = await moderatedChat({ database, variables });
  await chat.block(['photo']);
  const takeWrites = (takes: boolean) =>
    sql.raw(`pragma query_only = ${takes ? 'off' : 'on'}`).execute(database.db);
  const triesAgain = (times: number) =>
    expect
      .poll(() => chat.server.logLines.filter((line) => line.includes('tried again')).length, {
        timeout: 60_000,
      })
      .toBeGreaterThanOrEqual(times);
  return { ...chat, database, takeWrites, triesAgain };
}

test('a deletion that cannot be written down is tried until it is, and confirmed then', async () => {
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

test('a bot that is stopped while the database takes nothing is brought the update again', async () => {
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

test('a group that becomes a supergroup while the database takes nothing does so later', async () => {
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

test('Telegram is told to bring again what a stopped webhook could not write down', async () => {
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
