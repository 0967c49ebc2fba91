/** Warnings, approvals and actions as they are stored, on both databases. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createActionRepository, type NewAction } from '#server/db/actions';
import { createApprovalRepository } from '#server/db/approvals';
import { type Database, migrate, openDatabase } from '#server/db/client';
import { createPeopleSeenRepository } from '#server/db/people-seen';
import { createWarningRepository } from '#server/db/warnings';
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
const day = 24 * hour;

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
    await migrate(database);
  });
  afterEach(() => database.close());

  describe('warnings', () => {
    const warnings = () => createWarningRepository(database.db);
    const warning = (id: string, facts: { updateId?: number; expiresAt?: number } = {}) => ({
      id,
      chatId: cats,
      telegramId: ann,
      byId: bo,
      reason: `because of ${id}`,
      givenAt: now,
      expiresAt: facts.expiresAt,
      updateId: facts.updateId,
    });

    test('an update warns a member once, also when it is handled twice at the same time', async () => {
      const added = await Promise.all([
        warnings().add(warning('a', { updateId: 5 })),
        warnings().add(warning('b', { updateId: 5 })),
      ]);

      expect(added.filter(Boolean)).toHaveLength(1);
      expect(await warnings().add({ ...warning('c', { updateId: 5 }), telegramId: bo })).toBe(true);
      expect(await warnings().add({ ...warning('d', { updateId: 5 }), chatId: dogs })).toBe(true);
      expect(await warnings().listOpen(cats, ann, now)).toHaveLength(1);
    });

    test('warnings without an update are each one of their own', async () => {
      expect([await warnings().add(warning('a')), await warnings().add(warning('b'))]).toEqual([
        true,
        true,
      ]);
    });

    test('those count that are neither expired nor ended, the oldest first', async () => {
      await warnings().add({ ...warning('second'), givenAt: now + 1 });
      await warnings().add(warning('first', { expiresAt: now + 10 }));
      await warnings().add(warning('expired', { expiresAt: now + 5 }));
      await warnings().add({ ...warning('of another'), telegramId: bo, givenAt: now + 2 });
      const counted = async () =>
        (await warnings().listOpen(cats, ann, now + 5)).map(({ id }) => id);

      expect(await counted()).toEqual(['first', 'second']);
      expect((await warnings().listOpenInChat(cats, now + 5, 2)).map(({ id }) => id)).toEqual([
        'of another',
        'second',
      ]);
      expect(await warnings().end(['first', 'expired', 'unknown'], now + 5)).toEqual(['first']);
      expect(await warnings().end(['first'], now + 6)).toEqual([]);
      expect(await warnings().end([], now + 6)).toEqual([]);
      expect(await counted()).toEqual(['second']);
      await warnings().reopen(['first']);
      expect(await counted()).toEqual(['first', 'second']);
      expect((await warnings().endAll(cats, ann, now + 6)).toSorted()).toEqual(['first', 'second']);
      expect(await counted()).toEqual([]);
      expect(await warnings().listOpen(cats, bo, now + 6)).toHaveLength(1);
    });

    test('two who end the warnings of a member at once share them: each is ended by one', async () => {
      for (const id of ['a', 'b', 'c']) {
        await warnings().add(warning(id));
      }

      const ended = await Promise.all([
        warnings().endAll(cats, ann, now),
        warnings().endAll(cats, ann, now),
        warnings().end(['a', 'b'], now),
      ]);

      expect(ended.flat().toSorted()).toEqual(['a', 'b', 'c']);
    });

    test('a warning is found in its chat alone', async () => {
      await warnings().add(warning('a', { expiresAt: now + 1 }));

      expect(await warnings().find(cats, 'a')).toEqual({
        id: 'a',
        chatId: cats,
        telegramId: ann,
        byId: bo,
        reason: 'because of a',
        givenAt: now,
        expiresAt: now + 1,
      });
      expect(await warnings().find(dogs, 'a')).toBeUndefined();
    });
  });

  describe('approvals', () => {
    const approvals = () => createApprovalRepository(database.db);
    const approval = { chatId: cats, telegramId: ann, byId: bo, at: now, until: undefined };

    test('an approval counts until its end, and the newest replaces an earlier one', async () => {
      await approvals().add(approval);
      expect(await approvals().find(cats, ann, now)).toEqual(approval);

      await approvals().add({ ...approval, byId: cleo, until: now + 10 });
      expect(await approvals().find(cats, ann, now + 9)).toMatchObject({ byId: cleo });
      expect(await approvals().find(cats, ann, now + 10)).toBeUndefined();
      expect(await approvals().list(cats, now + 10)).toEqual([]);
      expect(await approvals().find(dogs, ann, now)).toBeUndefined();
    });

    test('the newest are listed first, and one is removed once', async () => {
      await approvals().add(approval);
      await approvals().add({ ...approval, telegramId: bo, at: now + 1 });

      expect((await approvals().list(cats, now)).map(({ telegramId }) => telegramId)).toEqual([
        bo,
        ann,
      ]);
      expect(await approvals().remove(cats, ann)).toBe(true);
      expect(await approvals().remove(cats, ann)).toBe(false);
    });

    test('a chat has at most 500 that count; more are refused until one is over', async () => {
      await database.db
        .insertInto('approvals')
        .values(
          Array.from({ length: 500 }, (_, index) => ({
            chat_id: cats,
            telegram_id: index + 1,
            by_id: bo,
            until: index === 0 ? now + 10 : null,
            at: now,
          })),
        )
        .execute();

      expect(await approvals().add({ ...approval, telegramId: 500 })).toBe(true);
      expect(await approvals().add(approval)).toBe(false);
      expect(await approvals().find(cats, ann, now)).toBeUndefined();
      expect(await approvals().add({ ...approval, chatId: dogs })).toBe(true);
      expect(await approvals().add({ ...approval, at: now + 10 })).toBe(true);
    });
  });

  describe('actions', () => {
    const actions = () => createActionRepository(database.db);
    const action = (id: string, facts: Partial<NewAction> = {}): NewAction => ({
      id,
      chatId: cats,
      at: now,
      kind: 'ban',
      byId: bo,
      targetId: ann,
      reason: '',
      until: undefined,
      ...facts,
    });
    const everything = { since: 0, limit: 100 };
    const listIds = async (query: Partial<Parameters<ReturnType<typeof actions>['list']>[1]>) => {
      const page = await actions().list(cats, { ...everything, ...query });
      return { ids: page.actions.map(({ id }) => id), hasMore: page.hasMore };
    };

    test('an action is recorded once, and found with the names of both', async () => {
      await createPeopleSeenRepository(database).learn(
        [{ telegramId: ann, username: 'Ann_O', firstName: 'Ann' }],
        now,
      );

      expect(await actions().add(action('a', { reason: 'spam', until: now + day }))).toBe(true);
      expect(await actions().add(action('a', { kind: 'kick' }))).toBe(false);
      expect(await actions().find(cats, 'a')).toEqual({
        id: 'a',
        chatId: cats,
        at: now,
        kind: 'ban',
        by: { telegramId: bo, name: '', username: undefined },
        target: { telegramId: ann, name: 'Ann', username: 'ann_o' },
        reason: 'spam',
        until: now + day,
        undoneAt: undefined,
      });
      expect(await actions().find(dogs, 'a')).toBeUndefined();
    });

    test('pages go back in time, and new or simultaneous actions are neither skipped nor repeated', async () => {
      for (const [id, at] of [
        ['a', 0],
        ['b', 1],
        ['c', 1],
        ['d', 1],
        ['e', 2],
      ] as const) {
        await actions().add(action(id, { at: now + at }));
      }
      await actions().add(action('of dogs', { chatId: dogs }));

      expect(await listIds({ limit: 2 })).toEqual({ ids: ['e', 'd'], hasMore: true });
      await actions().add(action('newest', { at: now + 3 }));
      const before = await actions().find(cats, 'd');
      expect(await listIds({ limit: 2, before })).toEqual({ ids: ['c', 'b'], hasMore: true });
      expect(await listIds({ limit: 3, before })).toEqual({
        ids: ['c', 'b', 'a'],
        hasMore: false,
      });
      expect(await listIds({ since: now + 1, before })).toEqual({
        ids: ['c', 'b'],
        hasMore: false,
      });
    });

    test('a search finds parts of names, @names and reasons in any case, and whole IDs', async () => {
      await createPeopleSeenRepository(database).learn(
        [
          { telegramId: ann, username: 'otter_1', firstName: 'Änne' },
          { telegramId: bo, username: undefined, firstName: 'БОРИС' },
        ],
        now,
      );
      await actions().add(action('by boris', { reason: 'Überflüssig', at: now + 1 }));
      await actions().add(action('by id', { targetId: 555, byId: 1, reason: '100% spam_x' }));

      const find = async (search: string) => (await listIds({ search })).ids;
      expect(await find('ÄNN')).toEqual(['by boris']);
      expect(await find('борис')).toEqual(['by boris']);
      expect(await find(' @OTTER_ ')).toEqual(['by boris']);
      expect(await find('überflüss')).toEqual(['by boris']);
      expect(await find('555')).toEqual(['by id']);
      expect(await find('55')).toEqual([]);
      // These stand for nothing but themselves.
      expect(await find('100%')).toEqual(['by id']);
      expect(await find('%')).toEqual(['by id']);
      expect(await find('spam_x')).toEqual(['by id']);
      expect(await find('spam-x')).toEqual([]);
      expect(await find('  ')).toEqual(['by boris', 'by id']);
    });

    test('a search looks through many actions, page by page', async () => {
      await database.db
        .insertInto('actions')
        .values(
          Array.from({ length: 2500 }, (_, index) => ({
            id: `action ${index}`,
            chat_id: cats,
            at: now + index,
            by_id: bo,
            target_id: ann,
            kind: 'warn' as const,
            reason: index % 1000 === 0 ? 'Needle' : 'hay',
            until: null,
            undone_at: null,
          })),
        )
        .execute();

      const first = await listIds({ search: 'needle', limit: 2 });
      const before = await actions().find(cats, first.ids[1] ?? '');

      expect(first).toEqual({ ids: ['action 2000', 'action 1000'], hasMore: true });
      expect(await listIds({ search: 'needle', limit: 2, before })).toEqual({
        ids: ['action 0'],
        hasMore: false,
      });
    });

    test('of two who undo an action at once, one has done it', async () => {
      await actions().add(action('a'));

      const undone = await Promise.all([
        actions().markUndone(cats, 'a', now + 1),
        actions().markUndone(cats, 'a', now + 1),
      ]);

      expect(undone.filter(Boolean)).toHaveLength(1);
      expect(await actions().markUndone(dogs, 'a', now)).toBe(false);
      expect(await actions().find(cats, 'a')).toMatchObject({ undoneAt: now + 1 });
    });
  });
});
