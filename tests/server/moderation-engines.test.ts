/** Deletions that have to wait are saved, on SQLite and on a real PostgreSQL alike. */
import { afterAll, describe, expect, test } from 'vitest';

import { type Database, openDatabase } from '#server/db/client';
import { chatId, moderatedChat, inOrder, later, waitingRows } from '#tests/moderated-chat';
import { startPostgres } from '#tests/postgres';
import { samples } from '#tests/sample-messages';
import { openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const ofAlbum = { ...samples.photo, media_group_id: 'album' };

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  test('while Telegram limits the bot, a whole album is saved with other messages, and deleted later', async () => {
    const chat = await moderatedChat({ database: await open() });
    await chat.block(['photo']);
    await chat.write(samples.photo);
    const before = chat.api.deletions.gone(chatId);
    chat.api.fail('deleteMessage', {
      error_code: 429,
      description: 'Too Many Requests: retry after 30',
      parameters: { retry_after: 30 },
    });
    const [first] = await chat.write(samples.photo);

    const others = await chat.write(ofAlbum, ofAlbum, ofAlbum, samples.photo);
    expect(await waitingRows(chat)).toHaveLength(5);

    await later(chat, 30_000);
    expect(inOrder(chat.api.deletions.gone(chatId))).toEqual(
      inOrder([...before, first, ...others]),
    );
    expect(await waitingRows(chat)).toEqual([]);
  });

  test('a whole album waits while the administrators are unknown', async () => {
    const chat = await moderatedChat({ database: await open() });
    await chat.block(['photo']);
    chat.api.fail('getChatAdministrators', {
      error_code: 503,
      description: 'Service Unavailable',
    });

    const album = await chat.write(ofAlbum, ofAlbum, ofAlbum);
    expect(chat.deleted()).toEqual([]);
    expect(await waitingRows(chat)).toHaveLength(3);

    await later(chat, 10_000);
    expect(inOrder(chat.deleted())).toEqual(album);
    expect(await waitingRows(chat)).toEqual([]);
  });

  test('deletions without an answer are saved when room is needed, and removed after the answer', async () => {
    const answer = Promise.withResolvers<void>();
    const chat = await moderatedChat({
      database: await open(),
      line: (method) => (method === 'deleteMessage' ? answer.promise : undefined),
    });
    await chat.block(['photo']);
    const written = chat.write(samples.photo);
    await chat.api.deletions.reach(chatId, 1);

    await chat.server.services.deletions.saveInFlight();
    const ids = await written;
    expect(await waitingRows(chat)).toMatchObject([
      { message_id: ids[0], setting: 'photo_blocked', sender_id: null },
    ]);

    answer.resolve();
    await expect.poll(() => waitingRows(chat)).toEqual([]);
    await later(chat, 60_000);
    expect(chat.deleted()).toEqual(ids);
  });

  test('the next server deletes the saved deletions of the previous one that have no answer', async () => {
    const database = await open();
    const never = Promise.withResolvers<void>();
    const chat = await moderatedChat({
      database,
      line: (method) => (method === 'deleteMessage' ? never.promise : undefined),
    });
    const kept = await moderatedChat({ database, isRestart: true });
    await kept.block(['photo']);
    const written = chat.write(samples.photo);
    await chat.api.deletions.reach(chatId, 1);
    await chat.server.services.deletions.saveInFlight();
    const ids = await written;

    await later(kept, 60_000);

    expect(kept.deleted()).toEqual(ids);
    expect(await waitingRows(kept)).toEqual([]);
    never.resolve();
  });
});
