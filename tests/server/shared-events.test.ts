/** Two servers on one PostgreSQL: what happens in a chat at one of them is heard by pages and caches of the other. */
import { type RootOperationNode, sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { type ChatEvent } from '#contract/endpoints/chat-activity';
import { logout } from '#contract/endpoints/session';
import {
  createChatEventRepository,
  removeBeforeLastHour,
  selectAfter,
} from '#server/db/chat-events';
import { type Database, openDatabase } from '#server/db/client';
import { sweep } from '#server/services/maintenance';
import { type FollowedChat, followed } from '#tests/chat-stream';
import {
  blockPhotos,
  chatId,
  friend,
  manage,
  owner,
  serverWith,
  type SignedIn,
  signIn,
  startWorld,
} from '#tests/chats';
import { startPostgres } from '#tests/postgres';
import { openTestDatabase, type TestServer } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

/** Lets the clock of the database be ahead in what is read. */
type Shift = { ms: number };

/** The same database with connections of its own, as another process has them. */
async function openAgain({ db }: Database, shift: Shift): Promise<Database> {
  const name = await db
    .selectNoFrom((eb) => eb.fn<string>('current_database', []).as('name'))
    .executeTakeFirstOrThrow();
  const address = new URL(postgres?.url ?? '');
  address.pathname = `/${name.name}`;
  const database = openDatabase({ url: address.toString() });
  return {
    ...database,
    db: database.db.withPlugin({
      transformQuery: ({ node }: { readonly node: RootOperationNode }) => node,
      transformResult: async ({ result }) => ({
        ...result,
        rows: result.rows.map((row) =>
          'snapshot' in row && typeof row['at'] === 'number'
            ? { ...row, at: row['at'] + shift.ms }
            : row,
        ),
      }),
    }),
  };
}

async function startTwo() {
  const database = await openTestDatabase(postgres?.url);
  const world = await startWorld({ database });
  const first = world.server;
  const shift = { ms: 0 };
  const second = await serverWith(world.bot, await openAgain(database, shift));
  const me = await signIn(first, owner);
  await manage(world, me, world.chat);
  await heardAll([first, second]);
  return { ...world, first, second, me, shift };
}

/** Resolves when the servers have heard of everything that was changed by now. */
async function heardAll(servers: readonly TestServer[]): Promise<void> {
  await Promise.all(servers.map(({ services }) => services.chatEvents.ready()));
  const heard = servers.map(({ services: { chatEvents } }) => {
    const marker = Promise.withResolvers<void>();
    const unfollow = chatEvents.follow(markedId, () => marker.resolve());
    return marker.promise.finally(unfollow);
  });
  servers[0]?.services.chatEvents.publish(markedId, { kind: 'approvals' });
  await Promise.all(heard);
}

/** A chat that is followed only to hear that everything before was heard. */
const markedId = -77;

/** Reads so many events. */
async function take(stream: FollowedChat, count: number): Promise<readonly ChatEvent[]> {
  const events: ChatEvent[] = [];
  while (events.length < count) {
    const event = await stream.next();
    if (event === undefined) {
      break;
    }
    events.push(event);
  }
  return events;
}

const isBlocked = (event: ChatEvent | undefined) =>
  event?.kind === 'settings' ? event.topics['0']?.['photo_blocked'] : undefined;

const settings = (value: boolean): ChatEvent => ({
  kind: 'settings',
  by: { telegram_id: String(owner), name: '' },
  topics: { '0': { photo_blocked: value } },
});

describe.skipIf(postgres === undefined)('two servers on one PostgreSQL', () => {
  let two: Awaited<ReturnType<typeof startTwo>>;
  let first: TestServer;
  let second: TestServer;
  let me: SignedIn;

  beforeEach(async () => {
    two = await startTwo();
    ({ first, second, me } = two);
  });

  test('a page at one hears what is changed at the other, and who changed it', async () => {
    const page = await followed(second, me);

    await blockPhotos(first, me);

    expect(await page.next()).toEqual(settings(true));
  });

  test('pages at both hear the changes of both in the order in which they were made', async () => {
    const pages = [await followed(first, me), await followed(second, me)];
    const made: boolean[] = [];
    for (let count = 0; count < 30; count += 1) {
      // The same one twice, then the other twice, so that each follows each.
      await blockPhotos(count % 4 < 2 ? first : second, me, count % 2 === 0);
      made.push(count % 2 === 0);
    }

    for (const page of pages) {
      expect((await take(page, made.length)).map(isBlocked)).toEqual(made);
    }
  });

  test('at the end of a storm of changes by both, every page shows what is stored', async () => {
    const pages = [await followed(first, me), await followed(second, me)];
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_one, index) =>
        blockPhotos(index % 2 === 0 ? first : second, me, index % 3 === 0),
      ),
    );
    expect(replies.map(({ status }) => status)).not.toContain(500);
    const { is_blocked: stored } = await first.db
      .selectFrom('topic_settings')
      .select('is_blocked')
      .where('chat_id', '=', chatId)
      .where('name', '=', 'photo_blocked')
      .executeTakeFirstOrThrow();
    first.services.chatEvents.publish(chatId, { kind: 'approvals' });

    for (const page of pages) {
      const heard: (boolean | undefined)[] = [];
      for (let event = await page.next(); event?.kind === 'settings'; event = await page.next()) {
        heard.push(isBlocked(event));
      }
      expect(heard.at(-1)).toBe(stored === 1);
    }
  });

  test('a change is heard although its process was killed before it told the others', async () => {
    const page = await followed(second, me);

    await first.db
      .transaction()
      .execute((tx) => first.services.chatEvents.save(tx, chatId, [settings(true)]));

    expect(isBlocked(await page.next())).toBe(true);
  });

  test('a transaction that began earlier and is committed later is not missed', async () => {
    const page = await followed(second, me);
    const { chatEvents } = first.services;
    const slow = Promise.withResolvers<void>();
    const hasBegun = Promise.withResolvers<void>();
    const earlier = first.db.transaction().execute(async (tx) => {
      const publishSaved = await chatEvents.save(tx, chatId, [settings(true)]);
      hasBegun.resolve();
      await slow.promise;
      return publishSaved;
    });
    await hasBegun.promise;
    const publishLater = await first.db
      .transaction()
      .execute((tx) => chatEvents.save(tx, chatId, [settings(false)]));
    publishLater();
    expect(isBlocked(await page.next())).toBe(false);
    const numbers = () => first.db.selectFrom('chat_events').select('xact').orderBy('id').execute();
    const before = (await numbers()).at(-1);

    slow.resolve();
    (await earlier)();

    expect(isBlocked(await page.next())).toBe(true);
    const [own] = (await numbers()).slice(-2);
    expect(own?.xact).toBeLessThan(before?.xact ?? 0);
  });

  test('a change that is rolled back is heard by no page', async () => {
    const pages = [await followed(first, me), await followed(second, me)];
    const { chatEvents } = first.services;

    await first.db
      .transaction()
      .execute(async (tx) => {
        await chatEvents.save(tx, chatId, [settings(true)]);
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    await blockPhotos(first, me);
    await blockPhotos(first, me, false);

    for (const page of pages) {
      expect((await take(page, 2)).map(isBlocked)).toEqual([true, false]);
    }
  });

  test('a server that starts hears nothing of before, and what cannot be known is skipped', async () => {
    await blockPhotos(first, me);
    const third = await serverWith(two.bot, await openAgain(first.database, { ms: 0 }));
    const page = await followed(third, me);
    const write = (event: string, xact: number) =>
      first.db
        .insertInto('chat_events')
        .values({ id: event, xact, origin: 'x', chat_id: chatId, event, at: Date.now() })
        .execute();
    const { xact } = await first.db
      .selectFrom('chat_events')
      .select('xact')
      .limit(1)
      .executeTakeFirstOrThrow();
    // One of a newer version, one that is broken, and one that was restored from another database.
    await write(JSON.stringify({ event: { kind: 'of-tomorrow' } }), xact + 1_000_000_000);
    await createChatEventRepository(first.db).add('x', [
      { chatId, text: JSON.stringify({ event: { kind: 'of-tomorrow' } }) },
      { chatId, text: '{' },
      { chatId, text: JSON.stringify({ told: 'not sealed' }) },
    ]);
    await write(JSON.stringify({ event: settings(true) }), xact + 1_000_000_000);

    await blockPhotos(first, me, false);

    expect(isBlocked(await page.next())).toBe(false);
  });

  test('what could not be told while the database did not take it is told later', async () => {
    const told: unknown[] = [];
    second.services.chatEvents.onTold((event) => told.push(event));
    await first.db.schema.alterTable('chat_events').renameTo('put_away').execute();
    const news = { kind: 'administrators', chatId } as const;

    first.services.chatEvents.tell(news);
    await expect
      .poll(() => first.logLines.join())
      .toContain('could not tell other processes what has happened');
    expect(told).toEqual([]);
    await first.db.schema.alterTable('put_away').renameTo('chat_events').execute();

    await expect.poll(() => told, { timeout: 10_000 }).toEqual([news]);
  });

  test('the list of administrators that one has is forgotten when the other hears of a new one', async () => {
    const { administrators } = second.services;
    expect(await administrators.memberStatus(chatId, friend)).toBe('member');
    two.chat.administrators.push(friend);
    expect(await administrators.memberStatus(chatId, friend)).toBe('member');

    first.services.administrators.forget(chatId);

    await expect
      .poll(() => administrators.memberStatus(chatId, friend), { timeout: 10_000 })
      .toBe('administrator');
  });

  test('a session that is ended at one ends its pages at the other', async () => {
    const page = await followed(second, me);

    await first.call(logout, {}, me);

    expect(await take(page, 2)).toEqual([{ kind: 'lost' }]);
  });

  test('a deleted account is forgotten by the other; its ID is in no event', async () => {
    const { administrators } = second.services;
    const isAsked = () => two.bot.callsTo('getChatAdministrators').length;
    const page = await followed(second, me);
    const readTexts = async () =>
      (await first.db.selectFrom('chat_events').select('event').execute())
        .map(({ event }) => event)
        .join();
    const named = `"telegram_id":"${owner}"`;
    await blockPhotos(first, me);
    await page.next();
    expect(await readTexts()).toContain(named);
    await administrators.list(chatId);
    const asked = isAsked();
    await administrators.list(chatId);
    expect(isAsked()).toBe(asked);

    await first.services.erasure.erase(owner);

    expect(await take(page, 2)).toEqual([{ kind: 'lost' }]);
    await expect
      .poll(async () => {
        await administrators.list(chatId);
        return isAsked();
      })
      .toBeGreaterThan(asked);
    expect(await readTexts()).not.toContain(named);
  });

  test('a server that was away for too long ends its pages and forgets what it knew', async () => {
    const { administrators } = second.services;
    const page = await followed(second, me);
    expect(await administrators.memberStatus(chatId, friend)).toBe('member');
    two.chat.administrators.push(friend);

    two.shift.ms = 50 * 60_000;
    await blockPhotos(first, me);
    expect(isBlocked(await page.next())).toBe(true);
    expect(await administrators.memberStatus(chatId, friend)).toBe('member');
    two.shift.ms += 56 * 60_000;

    expect(await page.next()).toBeUndefined();
    expect(await administrators.memberStatus(chatId, friend)).toBe('administrator');
    two.shift.ms += 1000;
    const again = await followed(second, me);
    await blockPhotos(first, me, false);
    expect(isBlocked(await again.next())).toBe(false);
  });

  test('new and old events are found by an index', async () => {
    const position = await createChatEventRepository(first.db).readPosition();
    const plans = await first.db.transaction().execute(async (tx) => {
      // A small table is otherwise read whole, whatever indexes it has.
      await sql`set local enable_seqscan = off`.execute(tx);
      const statements = [selectAfter(position), removeBeforeLastHour];
      const read: string[] = [];
      for (const statement of statements) {
        const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${statement}`.execute(tx);
        read.push(rows.map((row) => row['QUERY PLAN']).join(' '));
      }
      return read;
    });

    expect(plans).toEqual([
      expect.stringMatching(/chat_events_by_xact[^]*Index Cond: \(\(xact >= /),
      expect.stringMatching(/chat_events_by_time[^]*Index Cond: \(at < /),
    ]);
  });

  test('events are removed an hour later', async () => {
    await blockPhotos(first, me);
    const count = async () =>
      (await first.db.selectFrom('chat_events').select('id').execute()).length;
    const before = await count();
    const oldest = await first.db
      .selectFrom('chat_events')
      .select(['id', 'at'])
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    await first.db
      .updateTable('chat_events')
      .set({ at: oldest.at - 61 * 60_000 })
      .where('id', '=', oldest.id)
      .execute();

    await sweep(first.deps);

    expect(await count()).toBe(before - 1);
  });
});
