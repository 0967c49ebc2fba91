/** What is stored of members moves with their chat, and goes when it is old, on both databases. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createActionRepository } from '#server/db/actions';
import { createApprovalRepository } from '#server/db/approvals';
import { createBotChatRepository } from '#server/db/bot-chats';
import { createChatValueRepository, wholeChatId } from '#server/db/chat-values';
import { createChatRepository } from '#server/db/chats';
import { type Database, migrate, openDatabase } from '#server/db/client';
import { createDueJobRepository } from '#server/db/due-jobs';
import { createPeopleSeenRepository } from '#server/db/people-seen';
import { createSeenMessageRepository } from '#server/db/seen-messages';
import { createSettingChangeRepository } from '#server/db/setting-changes';
import { createTopicRepository } from '#server/db/topics';
import { createWarningRepository } from '#server/db/warnings';
import { sweep } from '#server/services/maintenance';
import { startPostgres } from '#tests/postgres';
import { createMemoryStore, openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

/** Ids beyond 32 bits, as Telegram's are. */
const cats = -1_002_345_678_901;
const [ann, bo, cleo] = [7_123_456_789, 8_123_456_789, 9_123_456_789];
const now = 1_790_000_000_000;
const hour = 60 * 60_000;
const day = 24 * hour;

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
    await migrate(database);
  });
  afterEach(() => database.close());

  test('a group that becomes a supergroup takes all of this with it, but not its messages', async () => {
    const { db } = database;
    const old = -500;
    const chats = createChatRepository(db);
    await chats.save({ chatId: old, name: 'Cats', isDemo: false }, now);
    await createTopicRepository(db).add(old, 0, now);
    await createChatValueRepository(db).set(
      old,
      [
        { topicId: wholeChatId, name: 'warn_limit', value: 5 },
        { topicId: 0, name: 'off:report', value: true },
      ],
      now,
    );
    const change = { id: 'change', chatId: old, by: ann, preset: null, items: [], language: null };
    const values = [{ topicId: wholeChatId, name: 'warn_limit', was: null, becomes: 5 }];
    await createSettingChangeRepository(db).add({ ...change, kind: 'values', values }, now);
    const facts = { chatId: old, reason: '', telegramId: ann, byId: bo };
    const warning = { ...facts, givenAt: now, expiresAt: undefined };
    await createWarningRepository(db).add({ ...warning, id: 'w1', updateId: 1 });
    await createWarningRepository(db).add({ ...warning, id: 'w2', updateId: 2 });
    // The update that was handled again after the upgrade.
    await createWarningRepository(db).add({ ...warning, chatId: cats, id: 'w3', updateId: 2 });
    const approvals = createApprovalRepository(db);
    const approval = { chatId: old, telegramId: ann, byId: bo, at: now, until: undefined };
    await approvals.add(approval);
    await approvals.add({ ...approval, telegramId: bo });
    await approvals.add({ ...approval, chatId: cats, byId: cleo });
    const acted = { id: 'a', chatId: old, at: now, kind: 'ban', byId: bo, targetId: ann } as const;
    await createActionRepository(db).add({ ...acted, reason: '', until: undefined });
    await createDueJobRepository(database).add({
      id: 'j',
      kind: 'log',
      chatId: old,
      telegramId: undefined,
      body: '{}',
      dueAt: now,
    });
    const seen = { chatId: old, messageId: 1, topicId: 0, senderId: ann, sentAt: now };
    await createSeenMessageRepository(db).add([seen]);

    await chats.upgrade(old, cats);
    await chats.upgrade(old, cats);

    expect(await createChatValueRepository(db).readAll(cats)).toEqual(
      new Map<number, ReadonlyMap<string, unknown>>([
        [wholeChatId, new Map([['warn_limit', 5]])],
        [0, new Map([['off:report', true]])],
      ]),
    );
    expect(await createSettingChangeRepository(db).find(cats, 'change')).toMatchObject({ values });
    const counted = await createWarningRepository(db).listOpen(cats, ann, now);
    expect(counted.map(({ id }) => id)).toEqual(['w1', 'w3']);
    expect(await approvals.find(cats, ann, now)).toMatchObject({ byId: cleo });
    expect(await approvals.list(cats, now)).toHaveLength(2);
    expect(await createActionRepository(db).find(cats, 'a')).toMatchObject({ chatId: cats });
    expect(await createDueJobRepository(database).take('j')).toMatchObject({ chatId: cats });
    for (const table of [
      'chat_values',
      'warnings',
      'approvals',
      'actions',
      'due_jobs',
      'seen_messages',
    ] as const) {
      const left = await db.selectFrom(table).selectAll().where('chat_id', '=', old).execute();
      expect([table, left]).toEqual([table, []]);
    }
    expect(await db.selectFrom('seen_messages').selectAll().execute()).toEqual([]);
  });

  test('the sweep removes exactly what is too old', async () => {
    const { db } = database;
    const people = createPeopleSeenRepository(database);
    const named = (telegramId: number) => ({ telegramId, username: undefined, firstName: 'x' });
    await people.learn([named(ann)], now - 90 * day);
    await people.learn([named(bo)], now - 90 * day - 1);

    const seen = { chatId: cats, topicId: 0, senderId: ann };
    await createSeenMessageRepository(db).add([
      { ...seen, messageId: 1, sentAt: now - 2 * day - 1 },
      { ...seen, messageId: 2, sentAt: now - 2 * day },
    ]);

    const warnings = createWarningRepository(db);
    const warning = { chatId: cats, telegramId: ann, byId: bo, reason: '', updateId: undefined };
    const given = { ...warning, givenAt: now - 400 * day };
    await warnings.add({ ...given, id: 'for good', expiresAt: undefined });
    await warnings.add({ ...given, id: 'expired long ago', expiresAt: now - 90 * day - 1 });
    await warnings.add({ ...given, id: 'expired', expiresAt: now - 90 * day });
    await warnings.add({ ...given, id: 'ended long ago', expiresAt: undefined });
    await warnings.add({ ...given, id: 'ended', expiresAt: undefined });
    await warnings.end(['ended long ago'], now - 90 * day - 1);
    await warnings.end(['ended'], now - 90 * day);

    const approvals = createApprovalRepository(db);
    const approval = { chatId: cats, byId: bo, at: now - day };
    await approvals.add({ ...approval, telegramId: ann, until: now });
    await approvals.add({ ...approval, telegramId: bo, until: now + 1 });
    await approvals.add({ ...approval, telegramId: cleo, until: undefined });

    const actions = createActionRepository(db);
    const action = { chatId: cats, byId: bo, targetId: ann, reason: '', until: undefined };
    await actions.add({ ...action, id: 'old', kind: 'ban', at: now - 90 * day - 1 });
    await actions.add({ ...action, id: 'just in time', kind: 'ban', at: now - 90 * day });

    const place = { mayDelete: true, isForum: false, name: undefined };
    for (const [chatId, isIn, at] of [
      [-1, false, now - 90 * day - 1],
      [-2, false, now - 90 * day],
      [-3, true, now - 200 * day],
      [-4, undefined, 0],
    ] as const) {
      await createChatRepository(db).save({ chatId, name: '', isDemo: false }, now);
      await createTopicRepository(db).add(chatId, 0, now);
      await createTopicRepository(db).setAll(
        chatId,
        [{ topicId: 0, name: 'photo_blocked', isBlocked: true }],
        now,
      );
      const value = { topicId: wholeChatId, name: 'warn_limit', value: 4 };
      await createChatValueRepository(db).set(chatId, [value], now - 200 * day);
      if (isIn !== undefined) {
        await createBotChatRepository(db).save(chatId, { ...place, isIn }, at);
      }
    }

    await sweep({ database, clock: () => now, objects: createMemoryStore() });

    const left = async (table: 'warnings' | 'actions'): Promise<readonly string[]> =>
      (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);
    expect(await people.find(ann)).toBeDefined();
    expect(await people.find(bo)).toBeUndefined();
    expect(
      await createSeenMessageRepository(db).listFrom(cats, {
        fromMessageId: 0,
        sentAfter: 0,
        limit: 9,
      }),
    ).toEqual([2]);
    expect(await left('warnings')).toEqual(['ended', 'expired', 'for good']);
    expect(await left('actions')).toEqual(['just in time']);
    const approved = await db.selectFrom('approvals').select('telegram_id').execute();
    expect(new Set(approved.map(({ telegram_id }) => telegram_id))).toEqual(new Set([bo, cleo]));
    expect(new Set(await createChatValueRepository(db).listChats())).toEqual(new Set([-2, -3, -4]));
    // What a chat blocks stays, as before.
    expect(await db.selectFrom('topic_settings').selectAll().execute()).toHaveLength(4);
  });
});
