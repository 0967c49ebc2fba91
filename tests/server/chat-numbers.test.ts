/** The numbers of a chat: counted by the hour, added up for each database and process, and read by day. */
import { sql } from 'kysely';
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';

import { readDeletions } from '#contract/endpoints/chat-activity';
import { readChatNumbers } from '#contract/endpoints/chat-numbers';
import { createChatNumberRepository } from '#server/db/chat-numbers';
import { wholeChatId } from '#server/db/chat-values';
import { type Database, openDatabase } from '#server/db/client';
import { sweep } from '#server/services/maintenance';
import { signIn } from '#tests/chats';
import { startPostgres } from '#tests/postgres';
import { groupId, owner, startManaged } from '#tests/test-bot';
import { minute, openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const hour = 60 * minute;
const day = 24 * hour;
const chat = { chat_id: String(groupId) };

const readRows = ({ db }: Pick<Database, 'db'>) =>
  db
    .selectFrom('chat_numbers')
    .select(['name', 'topic_id', 'hour', 'count'])
    .orderBy('hour')
    .orderBy('name')
    .orderBy('topic_id')
    .execute();

/** Reads the numbers as the owner's page does. */
async function startReading(database?: Database) {
  const bot = await startManaged(database === undefined ? {} : { database });
  const { server, me } = bot;
  const { chatNumbers, chatValues } = server.services;
  return {
    ...bot,
    chatNumbers,
    read: async (days: 7 | 30, offset?: number, by = me) => {
      const { status, body } = await server.call(readChatNumbers, { ...chat, days, offset }, by);
      expect(status).toBe(200);
      return v.parse(readChatNumbers.output, body);
    },
    set: (values: Readonly<Record<string, unknown>>) =>
      chatValues.changeByCommand(
        { chatId: groupId, chatName: 'Otters', by: owner, kind: 'values' },
        new Map([[wholeChatId, values]]),
      ),
  };
}

describe.each(Object.entries(engines))('on %s', (_name, open) => {
  test('what happens in an hour is one row for each name and topic', async () => {
    const database = await open();
    const { server, chatNumbers } = await startReading(database);
    chatNumbers.count(groupId, 'join');
    chatNumbers.count(groupId, 'join', { times: 4 });
    chatNumbers.count(groupId, 'deleted:photo_blocked', { topicId: 0 });
    chatNumbers.count(groupId, 'deleted:photo_blocked', { topicId: 5 });
    await chatNumbers.save();
    chatNumbers.count(groupId, 'join');
    server.wait(hour);
    chatNumbers.count(groupId, 'join');
    await chatNumbers.save();
    const began = server.now() - hour - (server.now() % hour);
    expect(await readRows(server)).toEqual([
      { name: 'deleted:photo_blocked', topic_id: 0, hour: began, count: 1 },
      { name: 'deleted:photo_blocked', topic_id: 5, hour: began, count: 1 },
      { name: 'join', topic_id: -1, hour: began, count: 6 },
      { name: 'join', topic_id: -1, hour: began + hour, count: 1 },
    ]);
  });

  test('two processes add to the same rows', async () => {
    const database = await open();
    await startReading(database);
    const one = createChatNumberRepository(database.db);
    const two = createChatNumberRepository(database.db);
    const numbers = Array.from({ length: 60 }, (_one, index) => ({
      chatId: groupId,
      topicId: index,
      name: 'deleted:url_blocked',
      hour: 0,
      count: 1,
    }));
    // In another order: neither may wait for the other for ever.
    await Promise.all([one.add(numbers), two.add(numbers.toReversed())]);
    const rows = await readRows(database);
    expect(rows.map(({ count }) => count)).toEqual(numbers.map(() => 2));
  });

  test('while the chat is under attack, all is counted for the attack, too, and to the moment', async () => {
    const database = await open();
    const { server, chatNumbers, read, set } = await startReading(database);
    chatNumbers.count(groupId, 'raid_removed');
    server.wait(minute);
    const since = server.now();
    await set({ attack: { since, until: since + day } });
    chatNumbers.count(groupId, 'raid_removed', { times: 3 });
    chatNumbers.count(groupId, 'deleted:url_blocked', { topicId: 5, times: 2 });
    chatNumbers.count(groupId, 'deleted:invite_link_blocked', { topicId: 0 });
    expect((await read(7)).attack).toEqual({
      since,
      until: since + day,
      counts: { raid_removed: 3, deleted: 3 },
    });

    server.wait(minute);
    await set({ attack: null });
    chatNumbers.count(groupId, 'raid_removed');
    const ended = await read(7);
    expect(ended.attack).toEqual({ since, until: null, counts: { raid_removed: 3, deleted: 3 } });
    expect(ended.days.at(-1)?.counts).toEqual({ raid_removed: 5, deleted: 3 });
  });

  test('an attack whose time is over is counted no more', async () => {
    const database = await open();
    const { server, chatNumbers, read, set } = await startReading(database);
    const since = server.now();
    await set({ attack: { since, until: since + hour } });
    chatNumbers.count(groupId, 'join');
    server.wait(hour);
    chatNumbers.count(groupId, 'join');
    expect((await read(7)).attack).toEqual({ since, until: since + hour, counts: { join: 1 } });
  });

  test('days are those of the reader, and each of them is there', async () => {
    const database = await open();
    const { server, chatNumbers, read } = await startReading(database);
    // 12:00 in Greenwich.
    server.wait(9 * hour);
    chatNumbers.count(groupId, 'join', { times: 2 });
    server.wait(day);
    chatNumbers.count(groupId, 'join');
    chatNumbers.count(groupId, 'leave');
    const utc = await read(7);
    expect(utc.from).toBe('2026-11-16');
    expect(utc.days.map(({ day: name }) => name)).toEqual([
      '2026-11-16',
      '2026-11-17',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
      '2026-11-21',
      '2026-11-22',
    ]);
    expect(utc.days.slice(-2).map(({ counts }) => counts)).toEqual([
      { join: 2 },
      { join: 1, leave: 1 },
    ]);
    // At 21:00 in Greenwich, it is the next morning in Kathmandu.
    const nepal = await read(7, 5 * 60 + 45);
    expect(nepal.days.at(-1)).toEqual({ day: '2026-11-23', counts: { join: 1, leave: 1 } });
    expect(nepal.days.at(-2)).toEqual({ day: '2026-11-22', counts: { join: 2 } });
    const west = await read(30, -8 * 60);
    expect(west.days).toHaveLength(30);
    expect(west.days.at(-1)).toEqual({ day: '2026-11-22', counts: { join: 1, leave: 1 } });
  });

  test('deletions are sorted by type and by topic, over all days that are shown', async () => {
    const database = await open();
    const { server, chatNumbers, read } = await startReading(database);
    chatNumbers.count(groupId, 'deleted:photo_blocked', { topicId: 5, times: 2 });
    server.wait(2 * day);
    chatNumbers.count(groupId, 'deleted:photo_blocked', { topicId: 0 });
    chatNumbers.count(groupId, 'deleted:blocklist', { topicId: 7, times: 9 });
    chatNumbers.count(groupId, 'deleted:flood');
    const { deletions, days } = await read(7);
    expect(deletions).toEqual({
      by_type: [
        { name: 'blocklist', count: 9 },
        { name: 'photo_blocked', count: 3 },
        { name: 'flood', count: 1 },
      ],
      by_topic: [
        { topic_id: 7, count: 9 },
        { topic_id: 5, count: 2 },
        { topic_id: -1, count: 1 },
        { topic_id: 0, count: 1 },
      ],
    });
    expect(days.at(-1)?.counts).toEqual({ deleted: 11 });
    server.wait(6 * day);
    expect((await read(7)).deletions.by_type).toContainEqual({ name: 'blocklist', count: 9 });
    expect((await read(7)).deletions.by_type).toContainEqual({ name: 'photo_blocked', count: 1 });
  });

  test('they are swept after 31 days, and those of an attack, too', async () => {
    const database = await open();
    const { server, chatNumbers, read, set } = await startReading(database);
    await set({ attack: { since: server.now(), until: server.now() + hour } });
    chatNumbers.count(groupId, 'join');
    await chatNumbers.save();
    await set({ attack: null });
    server.wait(30 * day);
    await sweep(server.deps);
    expect(await readRows(server)).toHaveLength(2);
    server.wait(2 * day);
    await sweep(server.deps);
    expect(await readRows(server)).toEqual([]);
    expect((await read(30, 0, await signIn(server, owner))).attack).toBeNull();
  });
});

test('numbers are read by those who manage the chat, for 7 or 30 days', async () => {
  const { server, me } = await startReading();
  const stranger = await signIn(server, 999);
  const refused = await server.call(readChatNumbers, { ...chat, days: 7 }, stranger);
  expect([refused.status, refused.body]).toMatchObject([404, { code: 'chat_not_found' }]);
  for (const query of ['days=8', 'days=7&offset=841', 'days=7&offset=0.5', '']) {
    const response = await server.app.request(`/backend/chats/${groupId}/numbers?${query}`, {
      headers: { authorization: `Bearer ${me.token}` },
    });
    expect([query, response.status]).toEqual([query, 422]);
  }
});

test('what could not be saved is saved later, and the end of the bot saves the rest', async () => {
  const { server, chatNumbers } = await startReading();
  chatNumbers.count(groupId, 'join');
  const { db } = server;
  await sql`alter table chat_numbers rename to moved`.execute(db);
  await chatNumbers.save();
  await sql`alter table moved rename to chat_numbers`.execute(db);
  chatNumbers.count(groupId, 'join');
  await chatNumbers.stop();
  expect((await readRows(server)).map(({ name, count }) => [name, count])).toEqual([['join', 2]]);
});

test('a deleted message is counted in its topic once it is gone; the old counter stays as it was', async () => {
  const { server, me, chatNumbers, read } = await startReading();
  const { deletions, deletionCounts } = server.services;
  const giveUpAt = server.now() + day;
  const message = { chatId: groupId, setting: 'photo_blocked', giveUpAt };
  await deletions.deleteNow([{ ...message, messageId: 1, topicId: 5 }]);
  await deletions.deleteNow([{ ...message, messageId: 2, topicId: 0, setting: 'blocklist' }]);
  await Promise.all([chatNumbers.save(), deletionCounts.save()]);
  expect((await read(7)).deletions).toEqual({
    by_type: [
      { name: 'blocklist', count: 1 },
      { name: 'photo_blocked', count: 1 },
    ],
    by_topic: [
      { topic_id: 0, count: 1 },
      { topic_id: 5, count: 1 },
    ],
  });
  expect((await server.call(readDeletions, chat, me)).body).toMatchObject({
    day: { photo_blocked: 1 },
  });
});

test('a deletion that Telegram puts off is counted in its topic when it happens', async () => {
  const { server, api, chatNumbers, read } = await startReading();
  api.fail('deleteMessage', {
    error_code: 429,
    description: 'Too Many Requests: retry after 3',
    parameters: { retry_after: 3 },
  });
  const { deletions } = server.services;
  await deletions.deleteNow([
    {
      chatId: groupId,
      messageId: 1,
      topicId: 5,
      setting: 'url_blocked',
      giveUpAt: server.now() + day,
    },
  ]);
  expect((await read(7)).deletions.by_topic).toEqual([]);
  server.wait(4000);
  await deletions.deleteDue();
  await chatNumbers.save();
  expect((await read(7)).deletions.by_topic).toEqual([{ topic_id: 5, count: 1 }]);
});
