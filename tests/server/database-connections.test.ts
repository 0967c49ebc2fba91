/** A PostgreSQL that ends connections or makes calls wait: the process lives, and what can answer does. */
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { listChats, setSetting } from '#contract/endpoints/chats';
import { readHealth } from '#contract/endpoints/site';
import { migrate } from '#server/db/client';
import { isDatabaseAway } from '#server/db/failures';
import { followed } from '#tests/chat-stream';
import { blockPhotos, chatId, giveChats, owner, signIn, startDemoServer } from '#tests/chats';
import { startPostgres } from '#tests/postgres';
import { openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const otherChat = -1002;
const photos = { topic_id: 0, setting_name: 'photo_blocked', value: true };

/** A server on PostgreSQL with two chats, and two connections to its database that are not the server's. */
async function start() {
  const database = await openTestDatabase(postgres?.url);
  await migrate(database);
  const {
    rows: [names],
  } = await sql<{ name: string }>`select current_database() as name`.execute(database.db);
  const address = new URL(postgres?.url ?? '');
  address.pathname = `/${names?.name}`;
  const [outside, locker] = await Promise.all([connect(address), connect(address)]);

  const server = await startDemoServer(database);
  // Before the server is closed, which drops its database.
  onTestFinished(async () => void (await Promise.all([outside.end(), locker.end()])));
  const me = await signIn(server, owner);
  await giveChats(server, owner, [{ id: chatId }, { id: otherChat }]);
  return { server, me, outside, locker };
}

const outsiders = 'test';

async function connect(address: URL): Promise<Client> {
  const client = new Client({ connectionString: address.toString(), application_name: outsiders });
  await client.connect();
  return client;
}

type World = Awaited<ReturnType<typeof start>>;

/** Ends every connection of the server, as a restart of PostgreSQL does. */
async function endConnections({ outside }: Pick<World, 'outside'>): Promise<void> {
  const others = `datname = current_database() and application_name <> '${outsiders}'`;
  const { rows } = await outside.query<{ pid: number }>(
    `select pid, pg_terminate_backend(pid) from pg_stat_activity where ${others}`,
  );
  // Not those that the server has opened since.
  const ended = rows.map(({ pid }) => pid);
  await expect
    .poll(
      async () =>
        (await outside.query('select from pg_stat_activity where pid = any($1)', [ended])).rowCount,
    )
    .toBe(0);
}

/** Resolves when this many connections of the server wait for a lock. */
async function waitForWaiting({ outside }: Pick<World, 'outside'>, count: number): Promise<void> {
  const waiting = `datname = current_database() and wait_event_type = 'Lock'`;
  await expect
    .poll(
      async () => (await outside.query(`select from pg_stat_activity where ${waiting}`)).rowCount,
    )
    .toBeGreaterThanOrEqual(count);
}

const lockChat = `update chats set chat_name = chat_name where chat_id = ${chatId}`;

describe.runIf(postgres !== undefined)('on PostgreSQL', () => {
  test('idle connections end, and the next call works', async () => {
    const { server, me, outside } = await start();
    await server.call(readHealth, {});

    await endConnections({ outside });
    // PostgreSQL forgets a connection a moment before its end arrives.
    await expect.poll(() => server.deps.database.connections?.().idle).toBe(0);

    expect((await server.call(listChats, {}, me)).status).toBe(200);
    await expect.poll(async () => (await server.call(readHealth, {})).status).toBe(200);
  });

  test('a connection ends between two statements of a transaction', async () => {
    const { server, me, outside } = await start();

    const error: unknown = await server.db
      .transaction()
      .execute(async (tx) => {
        await tx.selectFrom('chats').selectAll().execute();
        await endConnections({ outside });
        await tx.selectFrom('chats').selectAll().execute();
      })
      .catch((thrown: unknown) => thrown);

    expect(isDatabaseAway(error)).toBe(true);
    await expect.poll(async () => (await server.call(listChats, {}, me)).status).toBe(200);
  });

  test('calls whose connections end answer 503, and work when they are repeated', async () => {
    const { server, me, outside, locker } = await start();
    await locker.query('begin');
    await locker.query(lockChat);
    const underWay = blockPhotos(server, me);
    await waitForWaiting({ outside }, 1);

    await endConnections({ outside });
    const cut = await underWay;
    await locker.query('rollback');

    expect(cut).toMatchObject({ status: 503, body: { code: 'busy' } });
    expect(cut.headers.get('Retry-After')).toBe('1');
    await expect.poll(async () => (await blockPhotos(server, me)).status).toBe(200);
  });

  test('a page that follows a chat hears the next change', async () => {
    const { server, me, outside } = await start();
    const stream = await followed(server, me);

    await endConnections({ outside });
    // The end of a connection may arrive while a call uses it: 503, which the app repeats.
    await expect.poll(async () => (await blockPhotos(server, me)).status).toBe(200);

    expect(await stream.next()).toMatchObject({ topics: { '0': { photo_blocked: true } } });
    await server.services.chatStreams.stop();
  });

  test('a locked chat refuses its own calls and holds up no others', async () => {
    const { server, me, outside, locker } = await start();
    await locker.query('begin');
    await locker.query(lockChat);
    let answered = 0;
    const locked = Array.from({ length: 20 }, async () => {
      const reply = await blockPhotos(server, me);
      answered += 1;
      return reply;
    });
    await waitForWaiting({ outside }, 1);

    const health = await server.call(readHealth, {});
    const other = await server.call(setSetting, { chat_id: otherChat, ...photos }, me);
    const answeredBefore = answered;
    const replies = await Promise.all(locked);
    await locker.query('rollback');

    expect(health.status).toBe(200);
    expect(other.status).toBe(200);
    expect(answeredBefore).toBe(0);
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 503, body: { code: 'busy' } });
      expect(reply.headers.get('Retry-After')).toBe('1');
    }
    expect((await blockPhotos(server, me)).status).toBe(200);
  });

  test('the health check answers while every connection for calls is taken', async () => {
    const { server } = await start();
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    let taken = 0;
    const holding = Array.from({ length: 20 }, () =>
      server.db
        .connection()
        .execute(async () => {
          taken += 1;
          await done;
        })
        .catch((error: unknown) => error),
    );
    await expect.poll(() => taken).toBe(10);

    const health = await server.call(readHealth, {});
    const takenMeanwhile = taken;
    release();
    await Promise.all(holding);

    expect(health.status).toBe(200);
    expect(takenMeanwhile).toBe(10);
  });

  test('no connection of a call waits without end: for a lock, a statement or an open transaction', async () => {
    const { server } = await start();

    const { rows } = await sql<{
      name: string;
      setting: string;
    }>`select name, setting from pg_settings where name in
    ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout') order by name`.execute(
      server.db,
    );

    expect(rows.map(({ name, setting }) => [name, Number(setting) > 0])).toEqual([
      ['idle_in_transaction_session_timeout', true],
      ['lock_timeout', true],
      ['statement_timeout', true],
    ]);
  });

  test('a second server that starts waits for the migrations of the first', async () => {
    const database = await openTestDatabase(postgres?.url);

    const starts = await Promise.allSettled([migrate(database), migrate(database)]);

    expect(starts.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });
});
