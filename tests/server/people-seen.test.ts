/** Whom and which messages the bot has seen, on both databases. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type Database, migrate, openDatabase } from '#server/db/client';
import { createPeopleSeenRepository, type SeenPerson } from '#server/db/people-seen';
import { createSeenMessageRepository } from '#server/db/seen-messages';
import { startPostgres } from '#tests/postgres';
import { openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

/** Ids beyond 32 bits, as Telegram's are. */
const cats = -1_002_345_678_901;
const dogs = -1_002_345_678_902;
const [ann, bo, cleo] = [7_123_456_789, 8_123_456_789, 9_123_456_789];
const now = 1_790_000_000_000;
const hour = 60 * 60_000;

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
    await migrate(database);
  });
  afterEach(() => database.close());

  describe('people', () => {
    const person = (telegramId: number, username?: string, firstName = 'Ann'): SeenPerson => ({
      telegramId,
      username,
      firstName,
    });
    const people = () => createPeopleSeenRepository(database);

    test('a person is found by @name in any case, and by ID, until they are forgotten', async () => {
      await people().learn([person(ann, 'Ann_Otter')], now);

      const stored = { telegramId: ann, username: 'ann_otter', firstName: 'Ann' };
      expect(await people().findByUsername('@ANN_otter')).toEqual(stored);
      expect(await people().findByUsername('ann_otter')).toEqual(stored);
      expect(await people().find(ann)).toEqual(stored);
      expect(await people().findByUsername('ann')).toBeUndefined();

      await people().forget(ann);
      expect(await people().find(ann)).toBeUndefined();
    });

    test('a @name that moved to another person leads to that one, and the former owner has none', async () => {
      await people().learn([person(ann, 'otter'), person(bo, 'beaver', 'Bo')], now);
      await people().learn([person(bo, 'otter', 'Bo')], now + 1);

      expect(await people().findByUsername('otter')).toMatchObject({ telegramId: bo });
      expect(await people().find(ann)).toMatchObject({ username: undefined });
      expect(await people().findByUsername('beaver')).toBeUndefined();
    });

    test('two people who swap their @names at once both keep one', async () => {
      await people().learn([person(ann, 'otter'), person(bo, 'beaver', 'Bo')], now);
      await people().learn([person(ann, 'beaver'), person(bo, 'otter', 'Bo')], now + 1);

      expect(await people().findByUsername('beaver')).toMatchObject({ telegramId: ann });
      expect(await people().findByUsername('otter')).toMatchObject({ telegramId: bo });
    });

    test('of two people in one batch with the same @name, the one seen last has it', async () => {
      await people().learn([person(bo, 'otter', 'Bo'), person(ann, 'otter')], now);

      expect(await people().findByUsername('otter')).toMatchObject({ telegramId: ann });
      expect(await people().find(bo)).toEqual(person(bo, undefined, 'Bo'));
    });

    test('a known person is written again when the name changes, and otherwise once in an hour', async () => {
      const readTimes = async () =>
        (await database.db.selectFrom('people_seen').select('seen_at').execute()).map(
          (row) => row.seen_at,
        );
      await people().learn([person(ann, 'otter')], now);

      await people().learn([person(ann, 'otter')], now + hour);
      expect(await readTimes()).toEqual([now]);
      await people().learn([person(ann, 'otter', 'Anna')], now + hour);
      expect(await readTimes()).toEqual([now + hour]);
      await people().learn([person(ann, undefined, 'Anna')], now + hour + 1);
      expect(await readTimes()).toEqual([now + hour + 1]);
      await people().learn([person(ann, undefined, 'Anna')], now + 3 * hour);
      expect(await readTimes()).toEqual([now + 3 * hour]);
    });

    test('many processes that learn people with the same @names at once do not fail, and each @name has one owner', async () => {
      const ids = Array.from({ length: 40 }, (_, index) => ann + index);
      const rounds = Array.from({ length: 8 }, (_, round) =>
        // Each round in another order, and with other owners of the same names.
        ids
          .map((id, index) => person(id, `name_${(index * 7 + round) % ids.length}`))
          .toSorted((one, other) => (one.telegramId - other.telegramId) * (round % 2 ? 1 : -1)),
      );

      // So that all have a connection, and begin at the same time.
      await Promise.all(rounds.map(() => sql`select 1`.execute(database.db)));

      await Promise.all([
        ...rounds.map((some) => people().learn(some, now)),
        people().removeBefore(now - 1),
      ]);

      const rows = await database.db.selectFrom('people_seen').selectAll().execute();
      expect(rows).toHaveLength(40);
      expect(new Set(rows.map(({ username }) => username)).size).toBe(40);
    });

    test('a large batch is saved whole', async () => {
      const many = Array.from({ length: 2300 }, (_, index) => person(ann + index, `n${index}`));

      await people().learn(many, now);

      expect(await people().findByUsername('n2299')).toMatchObject({ telegramId: ann + 2299 });
      expect((await people().findNames(many.map(({ telegramId }) => telegramId))).size).toBe(2300);
    });

    test('accounts of Telegram in whose name others write have no name', async () => {
      await people().learn(
        [
          person(1_087_968_824, 'GroupAnonymousBot', 'Group'),
          person(777_000, undefined, 'Telegram'),
        ],
        now,
      );

      expect(await people().findNames([1_087_968_824, 777_000])).toEqual(new Map());
    });

    test('what people told Nori comes before what the bot has seen; unknown people are missing', async () => {
      await database.db
        .insertInto('people')
        .values(
          [ann, bo].map((telegram_id) => ({
            telegram_id,
            email: 'a@example.org',
            password_hash: 'x',
            first_name: telegram_id === ann ? 'Annabel' : null,
            username: null,
            photo_url: null,
            created_at: 1,
          })),
        )
        .execute();
      await people().learn([person(ann, 'ann'), person(bo, 'bo', '')], now);

      expect(await people().findNames([ann, bo, cleo])).toEqual(
        new Map([
          [ann, 'Annabel'],
          [bo, '@bo'],
        ]),
      );
    });
  });

  describe('seen messages', () => {
    const messages = () => createSeenMessageRepository(database.db);
    const message = (messageId: number, facts: { topicId?: number; senderId?: number } = {}) => ({
      chatId: cats,
      messageId,
      topicId: 0,
      senderId: ann,
      sentAt: now + messageId,
      ...facts,
    });

    test('the messages of a topic are listed from one on and back from the newest, and repeated ones once', async () => {
      await messages().add([
        message(1),
        message(2, { topicId: 5 }),
        message(3),
        message(4, { senderId: bo }),
        message(5),
        { ...message(3), chatId: dogs },
      ]);
      await messages().add([message(3, { topicId: 9 }), message(6, { topicId: 5 })]);

      const all = { sentAfter: 0, limit: 100 };
      const rows = messages();
      expect(await rows.listFrom(cats, { ...all, topicId: 0, fromMessageId: 3 })).toEqual([
        3, 4, 5,
      ]);
      expect(await rows.listFrom(cats, { ...all, fromMessageId: 2, toMessageId: 4 })).toEqual([
        2, 3, 4,
      ]);
      expect(await rows.listFrom(cats, { ...all, fromMessageId: 1, limit: 2 })).toEqual([1, 2]);
      expect(await rows.listFrom(cats, { ...all, fromMessageId: 1, sentAfter: now + 4 })).toEqual([
        5, 6,
      ]);
      expect(
        await rows.listNewest(cats, { ...all, topicId: 0, beforeMessageId: 5, limit: 2 }),
      ).toEqual([4, 3]);
      expect(await rows.listNewest(cats, { ...all, beforeMessageId: 7 })).toEqual([
        6, 5, 4, 3, 2, 1,
      ]);
      expect(await rows.listBySender(cats, ann, { ...all, limit: 3 })).toEqual([6, 5, 3]);
      expect(await rows.listBySender(cats, cleo, all)).toEqual([]);
    });

    test('old ones are removed, and of a full chat the oldest beyond what it may have', async () => {
      await messages().add(Array.from({ length: 2500 }, (_, index) => message(index + 1)));
      await messages().add([{ ...message(1), chatId: dogs }]);

      await messages().removeOld({ before: now + 11, maxPerChat: 2000 });

      const left = await messages().listFrom(cats, {
        fromMessageId: 0,
        sentAfter: 0,
        limit: 5000,
      });
      expect([left.length, left[0], left.at(-1)]).toEqual([2000, 501, 2500]);
      expect(await messages().listFrom(dogs, { fromMessageId: 0, sentAfter: 0, limit: 9 })).toEqual(
        [],
      );
    });
  });
});
