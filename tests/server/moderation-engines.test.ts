/** Deletions that have to wait are saved, on SQLite and on a real PostgreSQL alike. */
import { afterAll, describe, expect, test } from 'vitest';

import { type Database, migrate, openDatabase } from '#server/db/client';
import { createDueDeletionRepository } from '#server/db/due-deletions';
import {
  chatId,
  inOrder,
  later,
  moderatedChat,
  type ModeratedChat,
  waitingRows,
} from '#tests/moderated-chat';
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

  test('of two servers with the same database, one deletes and counts each message that is due', async () => {
    const database = await open();
    const answer = Promise.withResolvers<void>();
    const one = await moderatedChat({
      database,
      line: (method) => (method === 'deleteMessages' ? answer.promise : undefined),
    });
    const other = await moderatedChat({ database, isRestart: true });
    const ids = Array.from({ length: 300 }, (_, index) => index + 1);
    await saveDue(one, ids);

    const deleting = later(one, 1000);
    await one.api.deletions.reach(chatId, 100);
    await later(other, 1000);
    answer.resolve();
    await deleting;

    expect(inOrder([...one.deleted(), ...other.deleted()])).toEqual(ids);
    await one.server.services.deletionCounts.save();
    await other.server.services.deletionCounts.save();
    expect(await database.db.selectFrom('deletions').select('total').execute()).toEqual([
      { total: 300 },
    ]);
    expect(await waitingRows(one)).toEqual([]);
  });

  test('the next server deletes what a killed one has begun, when its lease is over', async () => {
    const database = await open();
    const never = Promise.withResolvers<void>();
    const killed = await moderatedChat({
      database,
      line: (method) => (method === 'deleteMessage' ? never.promise : undefined),
    });
    await saveDue(killed, [7]);
    void later(killed, 1000);
    await killed.api.deletions.reach(chatId, 1);

    const next = await moderatedChat({ database, isRestart: true });
    await later(next, 2000);
    expect(next.deleted()).toEqual([]);
    await database.db.updateTable('due_deletions').set({ leased_until: 0 }).execute();
    await later(next, 1000);

    expect(next.deleted()).toEqual([7]);
    expect(await waitingRows(next)).toEqual([]);
    never.resolve();
  });

  test('a server that lost its lease changes nothing of what another has claimed since', async () => {
    const database = await open();
    await migrate(database);
    const rows = createDueDeletionRepository(database);
    const deletion = { chatId, messageId: 7, setting: 'photo_blocked', senderId: undefined };
    await rows.add([{ ...deletion, giveUpAt: 10 }], 0);
    const claim = { limit: 10, leaseMs: 60_000 };
    const late = await rows.claimDue(1, claim);
    await rows.releaseAll();
    const current = await rows.claimDue(1, claim);
    const stored = () => database.db.selectFrom('due_deletions').selectAll().execute();
    const before = await stored();

    await rows.renew(late, 3_600_000);
    await rows.postpone(late, 5);
    await rows.remove(late);
    expect(await stored()).toEqual(before);

    await rows.remove(current);
    expect(await stored()).toEqual([]);
  });
});

/** Saves deletions that are due. */
async function saveDue({ server }: ModeratedChat, ids: readonly number[]): Promise<void> {
  await server.db
    .insertInto('due_deletions')
    .values(
      ids.map((message_id) => ({
        chat_id: chatId,
        message_id,
        due_at: server.now(),
        setting: 'photo_blocked',
        sender_id: null,
        give_up_at: server.now() + 3_600_000,
      })),
    )
    .execute();
}
