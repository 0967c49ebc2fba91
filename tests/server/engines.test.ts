/** Accounts behave the same on SQLite and on a real PostgreSQL, also under concurrent requests. */
import { afterAll, describe, expect, test } from 'vitest';

import { deleteAccount, register } from '#contract/endpoints/account';
import { listSessions, login, readMe } from '#contract/endpoints/session';
import { type Database, openDatabase, migrate } from '#server/db/client';
import { limits } from '#server/lib/limits';
import { createLimiter } from '#server/services/limiter';
import { sweep } from '#server/services/maintenance';
import { createServices } from '#server/services/services';
import { startPostgres } from '#tests/postgres';
import {
  ada,
  adaId,
  minute,
  registerAs,
  verify,
  createTestServer,
  goodPassword,
  openTestDatabase,
} from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  test('a user signs up, logs in, lists sessions and deletes the account', async () => {
    const server = await createTestServer({ database: await open() });
    const token = await server.signUp(7_123_456_789);
    const credentials = { telegram_id: '7123456789', password: goodPassword };

    const loggedIn = await server.call(login, credentials);
    const sessions = await server.call(listSessions, {}, { token });
    const me = await server.call(readMe, {}, { token });
    await server.call(deleteAccount, { password: goodPassword }, { token });
    const gone = await server.call(login, credentials);

    expect(loggedIn.status).toBe(200);
    expect(sessions.body).toMatchObject({ sessions: [{}, {}] });
    expect(me.body).toMatchObject({ telegram_id: '7123456789' });
    expect(gone.status).toBe(401);
    expect(await server.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    await server.close();
  });

  test('usage is counted by feature and day, also under concurrent requests', async () => {
    const server = await createTestServer({ database: await open() });
    const { usage } = createServices(server.deps);

    await Promise.all(Array.from({ length: 8 }, () => usage.countCommand('ban')));
    server.wait(24 * 60 * minute);
    await usage.countCommand('ban');
    await usage.countCommand('status');

    expect(await usage.totals()).toEqual([
      { _id: 'ban', count: 9, today: 1 },
      { _id: 'status', count: 1, today: 1 },
    ]);
    await server.close();
  });

  test('of many parallel verifications exactly one succeeds', async () => {
    const server = await createTestServer({ database: await open() });
    const { code, attempt } = await registerAs(server);

    const replies = await Promise.all(
      Array.from({ length: 5 }, () => verify(server, code, attempt)),
    );

    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    await server.close();
  });

  test('of two users who use the same code at the same time exactly one succeeds', async () => {
    const server = await createTestServer({ database: await open() });
    const { oneTimePasswords } = createServices(server.deps);
    const subject = 'what the code opens';
    const code = await oneTimePasswords.issue({ purpose: 'chat', subject, recipient: ada });

    const outcomes = await Promise.allSettled([
      oneTimePasswords.verify({ purpose: 'chat', subject, code }),
      oneTimePasswords.verify({ purpose: 'chat', subject, code }),
    ]);

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await server.close();
  });

  test('of twenty parallel guesses five are checked', async () => {
    const server = await createTestServer({ database: await open() });
    const { attempt } = await registerAs(server);

    await Promise.all(
      Array.from({ length: 20 }, (_none, index) => verify(server, `90000${index % 10}`, attempt)),
    );
    const { tries } = await server.db.selectFrom('otps').select('tries').executeTakeFirstOrThrow();

    expect(tries).toBe(5);
    await server.close();
  });

  test('a limit is enforced for twenty parallel requests', async () => {
    const server = await createTestServer({ database: await open() });
    const limiter = createLimiter(server.deps);

    const passed = await Promise.all(
      Array.from({ length: 20 }, () => limiter.tryTake(limits.loginFailures, ada)),
    );

    expect(passed.filter(Boolean)).toHaveLength(10);
    await server.close();
  });

  test('parallel registrations do not affect each other', async () => {
    const server = await createTestServer({ database: await open() });

    const replies = await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        server.call(register, {
          telegram_id: String(1000 + index),
          email: 'a@example.org',
          password: goodPassword,
        }),
      ),
    );

    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    await server.close();
  });

  test('sweeping and a second migration keep current data', async () => {
    const server = await createTestServer({ database: await open() });
    const token = await server.signUp(ada);
    server.wait(30 * minute);

    await sweep(server.deps);
    await Promise.all([migrate(server.database), migrate(server.database)]);

    expect((await server.call(readMe, {}, { token })).body).toMatchObject({ telegram_id: adaId });
    await server.close();
  });
});
