/** The budgets of the disk: of a user, of all together, of a visitor's network, and what stays free. */
import { type Kysely, sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';

import { deleteGeneration } from '#contract/endpoints/generations';
import { generate, readJob } from '#contract/endpoints/images';
import { type Database, openDatabase } from '#server/db/client';
import { createPictureRepository } from '#server/db/generations';
import { type Tables } from '#server/db/tables';
import { limits } from '#server/lib/limits';
import { sweep } from '#server/services/maintenance';
import { createHandEngine } from '#tests/image-engines';
import { getPending } from '#tests/image-services';
import {
  createQuickEngine,
  makeNoise,
  readHistory,
  readSaved,
  save,
  startWithPeople,
} from '#tests/pictures';
import { startPostgres } from '#tests/postgres';
import {
  createMemoryStore,
  createTestServer,
  type MemoryStore,
  openTestDatabase,
} from '#tests/test-server';

const mb = 1_000_000;
const hour = 60 * 60 * 1000;
const input = getPending();
const { job_key } = input;

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

async function countBytes(objects: MemoryStore): Promise<number> {
  const files = await Promise.all(objects.names().map((name) => objects.read(name)));
  return files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}

const fullDisk = {
  status: 507,
  body: {
    code: 'storage_full',
    detail: 'The server has no room for pictures right now. Please try again later.',
  },
};

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  test('a user whose pictures take all their space can save again after deleting some; others are not affected', async () => {
    const server = await createTestServer({
      database: await open(),
      variables: { STORAGE_PER_USER_MB: '1' },
    });
    const [ann, bob] = [await server.signUp(1), await server.signUp(2)];
    const image = await makeNoise(600);

    const first = await save(server, ann, { image });
    const refused = await save(server, ann, { image });
    const other = await save(server, bob, { image });
    await server.call(deleteGeneration, { id: readSaved(first).id }, { token: ann });
    const later = await save(server, ann, { image });

    expect([first.status, other.status, later.status]).toEqual([201, 201, 201]);
    expect(refused).toMatchObject({
      status: 507,
      body: {
        code: 'storage_quota',
        detail:
          'Your pictures take up all the space that you have here. Delete some to save new ones.',
      },
    });
    expect(await readHistory(server, ann)).toHaveLength(1);
    await server.close();
  });

  test('of pictures that two server processes save at once, no more are stored than a user has space for', async () => {
    const objects = createMemoryStore();
    const database = await open();
    const options = { database, objects, variables: { STORAGE_PER_USER_MB: '1' } };
    const servers = [await createTestServer(options), await createTestServer(options)];
    const token = (await servers[0]?.signUp(1)) ?? '';
    const image = await makeNoise(200);

    const replies = await Promise.all(
      servers.flatMap((server) => [1, 2, 3, 4].map(() => save(server, token, { image }))),
    );

    const stored = replies.filter(({ status }) => status === 201);
    expect(stored.length).toBeGreaterThan(1);
    expect(replies.filter(({ status }) => status === 507)).toHaveLength(8 - stored.length);
    expect(objects.names()).toHaveLength(2 * stored.length);
    expect(await countBytes(objects)).toBeLessThanOrEqual(mb);
    await database.close();
  });

  test('a picture whose saving fails at the end takes none of the user’s space', async () => {
    const objects = createMemoryStore();
    const server = await createTestServer({
      database: await open(),
      objects,
      variables: { STORAGE_PER_USER_MB: '1' },
    });
    const token = await server.signUp(1);
    const image = await makeNoise(600);
    await server.db.schema.alterTable('generations').renameTo('generations_away').execute();
    const failed = await save(server, token, { image });
    await sql`alter table generations_away rename to generations`.execute(server.db);

    const saved = await save(server, token, { image });
    // Whether the rows are there after all is not known before.
    await sweep(server.deps);
    const atFirst = objects.names().length;
    server.wait(hour);
    await sweep(server.deps);

    expect([failed.status, saved.status]).toEqual([500, 201]);
    expect(await readHistory(server, token)).toHaveLength(1);
    expect([atFirst, objects.names().length]).toEqual([4, 2]);
    expect(await server.db.selectFrom('loose_objects').selectAll().execute()).toEqual([]);
    await server.close();
  });

  test('when the pictures of all take what the operator allows, none is made or saved until some are deleted', async () => {
    const hand = createHandEngine();
    const server = await createTestServer({
      database: await open(),
      engines: { pixai: hand.engine },
      variables: { STORAGE_TOTAL_MB: '1' },
    });
    const [ann, bob] = [await server.signUp(1), await server.signUp(2)];
    const saved = await save(server, ann, { image: await makeNoise(600) });

    const refused = await save(server, bob, { image: await makeNoise(600) });
    const small = await save(server, bob, { image: await makeNoise(60) });
    await server.db
      .updateTable('pictures')
      .set({ bytes: 2 * mb })
      .execute();
    const visitor = await server.call(generate, input);
    const askedMeanwhile = hand.asked();
    await server.call(deleteGeneration, { id: readSaved(saved).id }, { token: ann });
    await server.db.updateTable('pictures').set({ bytes: 100 }).execute();
    const made = server.call(generate, input);
    await expect.poll(hand.asked).toBe(1);
    hand.finish();

    expect(saved.status).toBe(201);
    expect(refused).toMatchObject(fullDisk);
    expect(refused.headers.get('Retry-After')).toBe('900');
    expect(small.status).toBe(201);
    expect(visitor).toMatchObject(fullDisk);
    expect(askedMeanwhile).toBe(0);
    expect((await made).status).toBe(200);
    await server.close();
  });

  test('pictures of visitors count, too, until they are removed after an hour', async () => {
    const objects = createMemoryStore();
    const quick = createQuickEngine('sketch', 4);
    const server = await createTestServer({
      database: await open(),
      engines: { pixai: quick.engine },
      objects,
      variables: { STORAGE_TOTAL_MB: '0' },
    });
    const counted = await server.db
      .insertInto('generation_jobs')
      .values({
        job_key: 'x'.repeat(32),
        provider: 'pixai',
        engine: 'sketch',
        recipe: '{}',
        seed: '1',
        state: 'done',
        runner: 'r',
        held_until: 0,
        epoch: 0,
        picture_ids: '[]',
        picture_bytes: 1,
        created_at: server.now(),
        finished_at: server.now(),
      })
      .executeTakeFirst();
    const refused = await server.call(generate, input);
    server.wait(hour);
    await sweep(server.deps);

    const later = await server.call(generate, input);

    expect(counted.numInsertedOrUpdatedRows).toBe(1n);
    expect(refused).toMatchObject(fullDisk);
    expect(later.status).toBe(200);
    const { picture_bytes } = await server.db
      .selectFrom('generation_jobs')
      .select('picture_bytes')
      .executeTakeFirstOrThrow();
    expect(objects.names()).toHaveLength(4);
    expect(picture_bytes).toBe(await countBytes(objects));
    await server.close();
  });
});

test.runIf(postgres !== undefined)(
  'on PostgreSQL a picture waits for another of the same user that is being stored, and is counted after it',
  async () => {
    const database = await openTestDatabase(postgres?.url);
    const server = await createTestServer({ database });
    await server.signUp(1);
    const max = { count: 10, bytes: mb };
    const add = (tx: Kysely<Tables>, id: string) =>
      createPictureRepository(tx).add(
        {
          id,
          telegramId: 1,
          type: 'image/png',
          bytes: 0.6 * mb,
          width: 1,
          height: 1,
          createdAt: server.now(),
        },
        max,
      );
    const countWaiting = async () => {
      const waiting = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
      return (await waiting.execute(database.db)).rows.length;
    };

    const outcomes = await server.db.transaction().execute(async (tx) => {
      const first = await add(tx, 'first');
      const second = server.db.transaction().execute((other) => add(other, 'second'));
      await expect.poll(countWaiting).toBe(1);
      return { first, second };
    });

    expect(outcomes.first).toBe('added');
    expect(await outcomes.second).toBe('too large');
  },
);

test('while the disk has too little free space, pictures are refused before anything is made or read', async () => {
  const hand = createHandEngine();
  const objects = createMemoryStore();
  const server = await createTestServer({ engines: { pixai: hand.engine }, objects });
  const token = await server.signUp(1);
  objects.setFree(1000 * mb - 1);

  const replies = [
    await server.call(generate, input),
    await server.call(generate, getPending(1), { token }),
    await save(server, token),
  ];
  const askedMeanwhile = hand.asked();
  const storedMeanwhile = objects.names();
  objects.setFree(1001 * mb);
  const saved = await save(server, token);

  for (const reply of replies) {
    expect(reply).toMatchObject(fullDisk);
  }
  expect(askedMeanwhile).toBe(0);
  expect(storedMeanwhile).toEqual([]);
  expect(server.logLines.join('\n')).toContain('STORAGE_FREE_MB');
  expect(saved.status).toBe(201);
});

test('an upload that declares more than there is room for is refused unread', async () => {
  const { server, tokens } = await startWithPeople({ STORAGE_PER_USER_MB: '1' });
  let read = 0;
  const pull = () => {
    read += 1;
  };
  const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  // Undici requires `duplex` for a stream, and the type of a request does not have it yet.
  const streamed = { body, duplex: 'half' };

  const refused = await server.request('/backend/generations/save', {
    ...streamed,
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tokens.ann}`,
      'Content-Type': 'multipart/form-data; boundary=x',
      'Content-Length': String(2 * mb),
    },
  });

  expect(refused).toMatchObject({ status: 507, body: { code: 'storage_quota' } });
  expect(read).toBe(0);
});

test('a visitor’s picture is removed an hour after it was made, a user’s after a day', async () => {
  const quick = createQuickEngine('sketch', 1);
  const objects = createMemoryStore();
  const server = await createTestServer({ engines: { pixai: quick.engine }, objects });
  const token = await server.signUp(1);
  await server.call(generate, input);
  await server.call(generate, getPending(1), { token });
  const readStatuses = async () => {
    await sweep(server.deps);
    const { body: _, ...visitor } = await server.call(readJob, { job_key });
    const user = await server.call(readJob, { job_key: getPending(1).job_key }, { token });
    return [visitor.status, user.status];
  };
  const before = objects.names().length;

  server.wait(hour - 1);
  const anHour = await readStatuses();
  server.wait(1);
  const afterwards = await readStatuses();
  const left = objects.names().length;
  server.wait(23 * hour);
  const nextDay = await readStatuses();

  expect([anHour, afterwards, nextDay]).toEqual([
    [200, 200],
    [404, 200],
    [404, 404],
  ]);
  expect(left).toBe(before - 1);
});

test.each([
  { who: 'visitors of one network', isUser: false, limit: limits.addressMadeBytes, key: 'local' },
  { who: 'a user', isUser: true, limit: limits.madeBytes, key: 1 },
])('$who may have so many bytes of pictures made in a day', async ({ isUser, limit, key }) => {
  const quick = createQuickEngine('sketch', 1);
  const server = await createTestServer({ engines: { pixai: quick.engine } });
  const user = await server.signUp(1);
  const token = isUser ? user : undefined;
  const other = isUser ? undefined : user;
  await server.services.limiter.tryTake(limit, key, limit.max - 10);

  const last = await server.call(generate, input, { token });
  const refused = await server.call(generate, getPending(1), { token });
  const known = await server.call(generate, input, { token });
  const others = await server.call(generate, getPending(2), { token: other });
  server.wait(24 * hour);
  const tomorrow = await server.call(generate, getPending(3), { token });

  expect(last.status).toBe(200);
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(refused.body).toMatchObject({ detail: expect.stringMatching(/space today.*24 hours/) });
  expect([known.status, others.status, tomorrow.status]).toEqual([200, 200, 200]);
});

test('the rows of all pictures are summed once a minute while there is much room, and for each picture when there is little', async () => {
  let sums = 0;
  const onStatement = (text: string) => {
    sums += Number(/sum\("picture_bytes"\)/.test(text));
  };
  const server = await createTestServer({
    database: openDatabase({ onStatement }),
    variables: { STORAGE_TOTAL_MB: '4000' },
  });
  const [ann, bob] = [await server.signUp(1), await server.signUp(2)];
  const countSums = async (): Promise<number> => {
    const before = sums;
    expect((await save(server, bob)).status).toBe(201);
    return sums - before;
  };

  const first = await countSums();
  const withinTheMinute = await countSums();
  await save(server, ann);
  await server.db
    .updateTable('pictures')
    .set({ bytes: 3200 * mb })
    .where('telegram_id', '=', 1)
    .execute();
  server.wait(60_000);
  const afterTheMinute = await countSums();
  const littleRoom = await countSums();

  expect([first, withinTheMinute]).toEqual([1, 0]);
  expect(afterTheMinute).toBeGreaterThan(0);
  expect(littleRoom).toBeGreaterThan(0);
  await server.close();
});
