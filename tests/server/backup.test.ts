/** What is in a backup, and what a restore does with it: on both databases, from one to the other, and when it goes wrong. */
import { Migrator, sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

import { readEnv } from '#server/app/env';
import { backUp, type Place, restore } from '#server/cli/backup';
import { type Row, withSnapshot } from '#server/db/backup';
import { type Database, migrate, migrations, openDatabase } from '#server/db/client';
import { createDiskStore, type ObjectStore } from '#server/lib/object-store';
import { startPostgres } from '#tests/postgres';
import { dataFolders } from '#tests/setup';
import { createMemoryStore, openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

type Open = () => Promise<Database>;
const openSqlite: Open = async () => openDatabase({});
const openPostgres: Open = () => openTestDatabase(postgres?.url);
const both: readonly (readonly [string, Open])[] = [
  ['SQLite', openSqlite],
  ...(postgres ? [['PostgreSQL', openPostgres] as const] : []),
];
const pairs = both.flatMap(([from, openSource]) =>
  both.map(([to, openTarget]) => ({ from, to, openSource, openTarget })),
);

const key = 'a-key-of-tests-with-32-characters';

async function makePlace(
  open: Open,
  {
    objects = createMemoryStore(),
    variables = {},
  }: Partial<Pick<Place, 'objects'>> & {
    readonly variables?: Readonly<Record<string, string>>;
  } = {},
) {
  const lines: string[] = [];
  const dataDir = await makeFolder();
  const env = readEnv({ SECRET_KEY: key, NORI_DATA_DIR: dataDir, ...variables });
  const database = await open();
  return { env, database, objects, lines, dataDir, say: (line: string) => void lines.push(line) };
}

/** One that writes, and one that reads beside it. */
async function openTwice(open: Open): Promise<{ writer: Database; reader: Database }> {
  if (open === openPostgres) {
    const database = await open();
    return { writer: database, reader: database };
  }
  const dataDir = await makeFolder();
  const writer = openDatabase({ dataDir });
  return { writer, reader: openDatabase({ dataDir, isReadOnly: true }) };
}

async function makeFolder(): Promise<string> {
  const folder = join(dataFolders, randomUUID());
  await mkdir(folder, { recursive: true });
  return folder;
}

/** In every table that the tests look at a row, and an object for each that a row names. */
async function fill({ database, objects }: Pick<Place, 'database' | 'objects'>): Promise<void> {
  await migrate(database);
  for (const statement of [
    `insert into people (telegram_id, email, password_hash, created_at) values (7, 'ümit@example.org', 'x''y', 1)`,
    `insert into sessions (id, token_hash, telegram_id, device, created_at, last_seen_at, expires_at)
     values ('s', 'h', 7, 'Firefox', 1, 4503599627370495, 3)`,
    `insert into exports (id, telegram_id, state, by_bot, language, file_bytes, held_until, tries, created_at, expires_at, file)
     values ('e', 7, 'ready', 0, 'en', 3, 99, 1, 1, 5, 'e-1-archive')`,
    `insert into chats (chat_id, chat_name, is_demo, created_at) values (-100, 'Otters "and" 🦦', 0, 1)`,
    `insert into topics (chat_id, topic_id, created_at) values (-100, 0, 1)`,
    `insert into topic_settings (chat_id, topic_id, name, is_blocked, updated_at) values (-100, 0, 'photo', 1, 5)`,
    `insert into generation_jobs (job_key, provider, engine, recipe, seed, state, picture_ids, runner, held_until, created_at)
     values ('j', 'pixai', 'sketch', '{}', '5', 'done', '["j1","j2"]', 'r', 99, 1)`,
    `insert into due_jobs (id, kind, chat_id, body, due_at, held_until) values ('d', 'unban', -100, '{}', 9, 99)`,
    `insert into due_deletions (chat_id, message_id, due_at, give_up_at, leased_until) values (-100, 1, 9, 9, 99)`,
    `insert into bot_inbox (bot_id, update_id, chat_id, payload, received_at, runner, leased_until)
     values (1, 1, -100, '{}', 1, 'r', 99)`,
    ...['p1', 'p2', 'p3'].map(
      (id) => `insert into pictures (id, telegram_id, type, bytes, width, height, created_at)
        values ('${id}', 7, 'image/png', 1, 64, 48, 1)`,
    ),
    ...['p1', 'p2'].map(
      (
        id,
      ) => `insert into generations (id, telegram_id, picture_id, prompt, negative_prompt, model_id, model_name, seed, ratio, nsfw, tags, loras, created_at)
        values ('g-${id}', 7, '${id}', 'a\nplum', '', '1', 'Tidepool', '5', '1:1', 0, '[]', '{}', 1)`,
    ),
    `insert into further_pictures (generation_id, position, picture_id) values ('g-p1', 1, 'p3')`,
    `insert into further_pictures (generation_id, position, picture_id) values ('g-p2', 1, 'p3')`,
    `insert into chat_events (id, xact, origin, chat_id, event, at) values ('c', 1, 'o', -100, '{}', 1)`,
    `insert into loose_objects (name, remove_at) values ('gone-original', 1)`,
  ]) {
    await sql.raw(statement).execute(database.db);
  }
  for (const name of objectNames) {
    await objects.put(name, Buffer.from(`bytes of ${name}`));
  }
}

const objectNames = [
  ...['p1', 'p2', 'p3'].flatMap((id) => [`${id}-original`, `${id}-thumbnail`]),
  'j1-job',
  'j2-job',
  'e-1-archive',
];

async function listAll(objects: ObjectStore): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const name of objects.listNames()) {
    names.push(name);
  }
  return names.toSorted();
}

async function readTable({ db }: Database, table: string): Promise<unknown[]> {
  const { rows } = await sql.raw(`select * from ${table}`).execute(db);
  return rows;
}

/** Every file below the folder. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

async function backUpFilled(open: Open, withKey = false) {
  const source = await makePlace(open);
  await fill(source);
  const folder = join(await makeFolder(), 'backup');
  await backUp(source, { folder, withKey });
  return { source, folder };
}

describe.each(pairs)('from $from to $to', ({ openSource, openTarget }) => {
  test('rows and objects are the same afterwards; leases are free, and what is of the moment is left out', async () => {
    const { source, folder } = await backUpFilled(openSource);
    const target = await makePlace(openTarget);

    await restore(target, folder);

    for (const table of [
      'people',
      'sessions',
      'chats',
      'topic_settings',
      'pictures',
      'generations',
      'further_pictures',
    ]) {
      expect(await readTable(target.database, table)).toEqual(
        await readTable(source.database, table),
      );
    }
    const free = [
      ['generation_jobs', { runner: '', held_until: 0, picture_ids: '["j1","j2"]' }],
      ['exports', { held_until: 0, file: 'e-1-archive' }],
      ['due_jobs', { held_until: 0, due_at: 9 }],
      ['due_deletions', { leased_until: 0 }],
      ['bot_inbox', { runner: '', leased_until: 0, payload: '{}' }],
    ] as const;
    for (const [table, row] of free) {
      expect(await readTable(target.database, table)).toEqual([expect.objectContaining(row)]);
    }
    expect(await readTable(target.database, 'chat_events')).toEqual([]);
    expect(await readTable(target.database, 'loose_objects')).toEqual([]);
    expect(await listAll(target.objects)).toEqual(objectNames.toSorted());
    expect((await target.objects.read('p1-original'))?.bytes.toString()).toBe(
      'bytes of p1-original',
    );
    expect(await migrate(target.database)).toEqual([]);
    await Promise.all([source.database.close(), target.database.close()]);
  });

  test('rows whose object was removed meanwhile are left out, with what depends on them', async () => {
    const source = await makePlace(openSource);
    await fill(source);
    await Promise.all(
      ['p1-original', 'j2-job', 'e-1-archive'].map((name) => source.objects.remove(name)),
    );
    await sql`delete from further_pictures where generation_id = 'g-p1'`.execute(
      source.database.db,
    );
    const folder = join(await makeFolder(), 'backup');
    await backUp(source, { folder, withKey: false });
    const target = await makePlace(openTarget);

    await restore(target, folder);

    expect(source.lines.join('\n')).toContain(
      '3 objects are missing in the store though rows name them',
    );
    const ids = async (table: string, column: string) =>
      (
        await sql<{
          id: string;
        }>`select ${sql.ref(column)} as id from ${sql.table(table)} order by 1`.execute(
          target.database.db,
        )
      ).rows.map(({ id }) => id);
    expect(await ids('pictures', 'id')).toEqual(['p2', 'p3']);
    expect(await ids('generations', 'id')).toEqual(['g-p2']);
    expect(await ids('further_pictures', 'generation_id')).toEqual(['g-p2']);
    expect(await ids('generation_jobs', 'job_key')).toEqual([]);
    expect(await ids('exports', 'id')).toEqual([]);
    await Promise.all([source.database.close(), target.database.close()]);
  });

  test('a backup of an earlier version is restored, and its tables are brought up to date', async () => {
    const source = await makePlace(openSource);
    const { db } = source.database;
    await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(
      '0015-restore-pictures',
    );
    await sql`insert into people (telegram_id, email, password_hash, created_at) values (7, 'a@example.org', 'x', 1)`.execute(
      db,
    );
    await sql`insert into model_names (model_id, name, learned_at) values ('1', 'Tidepool', 1)`.execute(
      db,
    );
    const folder = join(await makeFolder(), 'backup');
    await backUp(source, { folder, withKey: false });
    const target = await makePlace(openTarget);

    await restore(target, folder);

    expect(await readTable(target.database, 'people')).toEqual([
      expect.objectContaining({ telegram_id: 7, language: null, launches_void_until: 0 }),
    ]);
    // The migration 0019 has dropped them.
    expect(await readTable(target.database, 'model_names')).toEqual([]);
    await Promise.all([source.database.close(), target.database.close()]);
  });

  test('a restore that was interrupted goes on with the same call, and servers wait for its end', async () => {
    const { source, folder } = await backUpFilled(openSource);
    const target = await makePlace(openTarget);
    const full = { ...target.objects, open: () => Promise.reject(new Error('the store is away')) };
    const afterRows = { ...target, say: failAt(/rows are loaded/) };
    const other = await backUpFilled(openSource);

    await expect(restore({ ...target, objects: full }, folder)).rejects.toThrow(
      'the store is away',
    );
    await expect(migrate(target.database)).rejects.toThrow('a restore into it has not ended');
    await expect(restore(target, other.folder)).rejects.toThrow(
      'the restore of another backup has begun',
    );
    await expect(restore(afterRows, folder)).rejects.toThrow('stopped');
    await expect(migrate(target.database)).rejects.toThrow('a restore into it has not ended');
    await restore(target, folder);

    expect(await readTable(target.database, 'people')).toHaveLength(1);
    expect(await listAll(target.objects)).toEqual(objectNames.toSorted());
    expect(await migrate(target.database)).toEqual([]);
    await Promise.all([source, target, other.source].map(({ database }) => database.close()));
  });
});

const failAt = (pattern: RegExp) => (line: string) => {
  if (pattern.test(line)) {
    throw new Error('stopped');
  }
};

describe.each(both)('on %s', (_engine, open) => {
  test('what is read is of one moment: what is written after its first row is in none of its tables', async () => {
    const { writer, reader } = await openTwice(open);
    await fill({ database: writer, objects: createMemoryStore() });
    const readAll = async (rows: AsyncIterable<readonly Row[]>) => {
      const all: Row[] = [];
      for await (const some of rows) {
        all.push(...some);
      }
      return all;
    };

    const chats = await withSnapshot(reader, async ({ read }) => {
      await readAll(read('people'));
      await sql`update chats set chat_name = 'later'`.execute(writer.db);
      return readAll(read('chats'));
    });

    expect(chats).toEqual([expect.objectContaining({ chat_name: 'Otters "and" 🦦' })]);
    expect(await readTable(reader, 'chats')).toEqual([
      expect.objectContaining({ chat_name: 'later' }),
    ]);
    await Promise.all([...new Set([writer, reader])].map((database) => database.close()));
  });

  test('it is restored only into an empty database and an empty store, and else nothing is changed', async () => {
    const { source, folder } = await backUpFilled(open);
    const used = await makePlace(open);
    await migrate(used.database);
    await sql`insert into chats (chat_id, chat_name, is_demo, created_at) values (-5, 'Mine', 0, 1)`.execute(
      used.database.db,
    );
    const stored = await makePlace(open);
    await stored.objects.put('mine-original', Buffer.from('mine'));

    await expect(restore(used, folder)).rejects.toThrow(
      'it is not empty: the table chats has rows',
    );
    await expect(restore(stored, folder)).rejects.toThrow('it has mine-original');

    expect(await readTable(used.database, 'chats')).toHaveLength(1);
    expect(await listAll(used.objects)).toEqual([]);
    expect(await listAll(stored.objects)).toEqual(['mine-original']);
    expect(await stored.database.db.introspection.getTables()).toEqual([]);
    await Promise.all([source, used, stored].map(({ database }) => database.close()));
  });
});

test.each([
  ['a table', 'tables/people.ndjson.gz'],
  ['the list of objects', 'objects.ndjson.gz'],
  ['an object', 'objects/p1/p1-original'],
  ['the key', 'secret-key'],
])('%s that was changed is found before anything is written', async (_what, file) => {
  const { source, folder } = await backUpFilled(openSqlite, true);
  const path = join(folder, file);
  const bytes = await readFile(path);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) + 1;
  await writeFile(path, bytes);
  const target = await makePlace(openSqlite);

  await expect(restore(target, folder)).rejects.toThrow(
    `${path} is missing or was changed since the backup was made. Nothing was restored.`,
  );

  expect(await target.database.db.introspection.getTables()).toEqual([]);
  expect(await listAll(target.objects)).toEqual([]);
  await Promise.all([source.database.close(), target.database.close()]);
});

test.each([
  ['without a manifest', undefined, 'There is no finished backup in'],
  ['with another manifest', '{"format":2}', 'is not the manifest of a backup of format 1'],
])('a folder %s is refused', async (_what, manifest, reason) => {
  const { source, folder } = await backUpFilled(openSqlite);
  const empty = await makeFolder();
  if (manifest !== undefined) {
    await writeFile(join(empty, 'manifest.json'), manifest);
  }
  const target = await makePlace(openSqlite);

  await expect(restore(target, empty)).rejects.toThrow(reason);
  await expect(backUp(source, { folder, withKey: false })).rejects.toThrow('is not empty');
  await Promise.all([source.database.close(), target.database.close()]);
});

test('a backup of a newer version is refused', async () => {
  const { source, folder } = await backUpFilled(openSqlite);
  const file = join(folder, 'manifest.json');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/"migration": "[^"]*"/, '"migration": "9999-future"'));
  const target = await makePlace(openSqlite);

  await expect(restore(target, folder)).rejects.toThrow(
    'The backup was made by a newer version, with the tables of 9999-future.',
  );
  await Promise.all([source.database.close(), target.database.close()]);
});

test('only the owner can read what is written, and the key is in a backup only when it is asked for', async () => {
  const { source, folder } = await backUpFilled(openSqlite);
  const withKey = await backUpFilled(openSqlite, true);

  const files = [...(await listFiles(folder)), ...(await listFiles(withKey.folder))];
  const modes = await Promise.all(files.map(async (file) => (await stat(file)).mode % 0o1000));

  expect(new Set(modes)).toEqual(new Set([0o600]));
  expect(files.filter((file) => file.endsWith('secret-key'))).toEqual([
    join(withKey.folder, 'secret-key'),
  ]);
  expect(source.lines.at(-1)).toMatch(/^It does not hold the key/);
  expect(withKey.source.lines.at(-1)).toContain('can open what the key protects');
  await Promise.all([source.database.close(), withKey.source.database.close()]);
});

test('the key of a backup becomes the key of a data folder that has only one of its own making', async () => {
  const { source, folder } = await backUpFilled(openSqlite, true);
  const made = await makePlace(openSqlite, { variables: { SECRET_KEY: '' } });
  const own = await makePlace(openSqlite, {
    variables: { SECRET_KEY: 'another-key-of-tests-with-32-characters' },
  });
  await chmod(join(made.dataDir, 'secret-key'), 0o644);

  await restore(made, folder);
  await restore(own, folder);

  const file = join(made.dataDir, 'secret-key');
  expect((await readFile(file, 'utf8')).trim()).toBe(key);
  expect((await stat(file)).mode % 0o1000).toBe(0o600);
  expect(own.lines.join('\n')).toContain('The key of this server is not the one of the backup.');
  await Promise.all([source, made, own].map(({ database }) => database.close()));
});

test('objects on the disk are restored for their owner only', async () => {
  const { source, folder } = await backUpFilled(openSqlite);
  const pictures = await makeFolder();
  const target = await makePlace(openSqlite, { objects: createDiskStore(pictures) });

  await restore(target, folder);

  const files = await listFiles(pictures);
  const modes = await Promise.all(files.map(async (file) => (await stat(file)).mode % 0o1000));
  expect(files).toHaveLength(objectNames.length);
  expect(new Set(modes)).toEqual(new Set([0o600]));
  await Promise.all([source.database.close(), target.database.close()]);
});
