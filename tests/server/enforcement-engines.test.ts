/** Albums that Telegram cannot take now are written down, on SQLite and on a real PostgreSQL alike. */
import { afterAll, describe, expect, test } from 'vitest';

import { type Database, openDatabase } from '#server/db/client';
import { chatId, enforcedChat, inOrder } from '#tests/enforcement';
import { later, waitingRows } from '#tests/enforcement-aftermath';
import { samples } from '#tests/message-samples';
import { startPostgres } from '#tests/postgres';
import { openTestDatabase } from '#tests/server-kit';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const ofAlbum = { ...samples.photo, media_group_id: 'album' };

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  test('an album in a flood is written down whole, with what else comes then, and deleted later', async () => {
    const chat = await enforcedChat({ database: await open() });
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

  test('an album waits whole while it is unknown who is an administrator', async () => {
    const chat = await enforcedChat({ database: await open() });
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
});
