/**
 * The code of the release before on the tables of this one, as during a rolling deploy: its process runs on while the tables
 * are migrated, and beside a process of the new code.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, expect, onTestFinished, test } from 'vitest';

import { readJob } from '#contract/endpoints/images';
import { migrate, openDatabase, readSchema } from '#server/db/client';
import { getPending } from '#tests/image-services';
import { startPostgres } from '#tests/postgres';
import { startServerProcess } from '#tests/server-process';
import { createCaller, manageAt, signUpAt } from '#tests/several-processes';
import { goodPassword, makeDatabase } from '#tests/test-server';

/** The last commit of the release before. */
const release = '82272954';
const lastMigration = '0019-trust';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const postgres = await startPostgres();
const folder = await mkdtemp(join(tmpdir(), 'nori-release-'));
const checkout = await checkOut();
afterAll(async () => {
  await postgres?.close();
  await rm(folder, { recursive: true });
});

/** Undefined, with a line that says why, when the history does not have it. */
async function checkOut(): Promise<string | undefined> {
  const target = join(folder, 'checkout');
  const archive = join(folder, 'release.tar');
  try {
    await run('git', ['archive', '--output', archive, release], { cwd: root });
  } catch {
    process.stderr.write(
      `The code of the release before was skipped: the commit ${release} is not here, as in a clone without its history.\n`,
    );
    return undefined;
  }
  await mkdir(target);
  await run('tar', ['-xf', archive, '-C', target]);
  await symlink(join(root, 'node_modules'), join(target, 'node_modules'));
  return target;
}

const telegramId = 123_456_789;
const chatId = -1_001_234_567_890;
const limit = { timeout: 60_000 };

type Variables = Readonly<Record<string, string>>;

type Machine = {
  readonly variables: Variables;
  /** Of a database beside a server that uses it. */
  readonly beside: Parameters<typeof openDatabase>[0];
};

async function makeSqlite(): Promise<Machine> {
  const dataDir = await mkdtemp(join(folder, 'data-'));
  // The lock is a file of the folder: by a second folder the database is opened without it.
  const beside = await mkdtemp(join(folder, 'beside-'));
  await symlink(join(dataDir, 'nori.db'), join(beside, 'nori.db'));
  return { variables: { NORI_DATA_DIR: dataDir }, beside: { dataDir: beside } };
}

async function makePostgres(): Promise<Machine> {
  const { url, drop } = await makeDatabase(postgres?.url ?? '');
  onTestFinished(drop);
  const dataDir = await mkdtemp(join(folder, 'data-'));
  return { variables: { NORI_DATA_DIR: dataDir, DATABASE_URL: url }, beside: { url } };
}

async function startCode(variables: Variables, of = root) {
  const server = startServerProcess(
    { SECRET_KEY: 'a-key-of-tests-with-32-characters', ...variables },
    { checkout: of },
  );
  const stop = async () => {
    server.process.kill('SIGTERM');
    return server.ended;
  };
  onTestFinished(async () => {
    server.process.kill('SIGKILL');
    await server.ended;
  });
  const [, url = ''] = await server.hears(/Open (http:\S+)/);
  return { ...server, url, stop };
}

const chatAnswer = v.object({
  topics: v.record(v.string(), v.record(v.string(), v.boolean())),
});

async function readPhotos(url: string, token: string): Promise<boolean | undefined> {
  const reply = await createCaller(url, token)('GET', `/chats/${chatId}`);
  return v.parse(chatAnswer, await reply.json()).topics['0']?.['photo_blocked'];
}

async function blockPhotos(url: string, token: string, value: boolean): Promise<number> {
  const body = { chat_id: String(chatId), topic_id: '0', setting_name: 'photo_blocked', value };
  const reply = await createCaller(url, token)('PUT', `/chats/${chatId}/topics/0/settings`, body);
  return reply.status;
}

async function logIn(url: string): Promise<string> {
  const body = { telegram_id: String(telegramId), password: goodPassword };
  const reply = await createCaller(url)('POST', '/login', body);
  return v.parse(v.object({ access_token: v.string() }), await reply.json()).access_token;
}

async function makeSketch(url: string, token: string, number: number): Promise<void> {
  const call = createCaller(url, token);
  const made = await call('POST', '/pixai/api/v1/generate', getPending(number));
  expect(made.status).toBe(200);
  const readState = async () => {
    const reply = await call('GET', `/generations/jobs/${getPending(number).job_key}`);
    return v.parse(readJob.output, await reply.json());
  };
  await expect.poll(readState, limit).toMatchObject({ state: 'done' });
  const picture = await fetch(new URL((await readState()).image_url ?? '', url));
  expect(picture.status).toBe(200);
}

/** The process of the release before, used on its own tables, and then on those of this one. */
async function startBefore({ variables, beside }: Machine) {
  const before = await startCode(variables, checkout);
  const token = await signUpAt(before, telegramId);
  await manageAt(before, { telegramId, token, chatId });

  const database = openDatabase(beside);
  try {
    expect((await readSchema(database.db)).executed.at(-1)).toBe(lastMigration);
    expect(await migrate(database)).not.toEqual([]);
  } finally {
    await database.close();
  }

  const again = await logIn(before.url);
  expect(await blockPhotos(before.url, again, true)).toBe(200);
  expect(await readPhotos(before.url, token)).toBe(true);
  await makeSketch(before.url, again, 0);
  return { before, token, again };
}

const failures = /"level":(?:50|60)/;

test.runIf(checkout !== undefined)(
  'on SQLite its process works on while the tables are migrated, and the new code after it',
  async () => {
    const machine = await makeSqlite();
    const { before, token, again } = await startBefore(machine);
    expect(await before.stop()).toBe(0);

    const after = await startCode(machine.variables);

    expect(await readPhotos(after.url, token)).toBe(true);
    expect(await blockPhotos(after.url, again, false)).toBe(200);
    await makeSketch(after.url, token, 1);
    expect(before.said()).not.toMatch(failures);
    expect(after.said()).not.toMatch(failures);
  },
);

test.runIf(checkout !== undefined && postgres !== undefined)(
  'on PostgreSQL its process works on while the tables are migrated, and beside the new code',
  async () => {
    const machine = await makePostgres();
    const { before, token, again } = await startBefore(machine);

    const after = await startCode(machine.variables);

    expect(await readPhotos(after.url, token)).toBe(true);
    expect(await blockPhotos(after.url, again, false)).toBe(200);
    expect(await readPhotos(before.url, token)).toBe(false);
    expect(await blockPhotos(before.url, token, true)).toBe(200);
    expect(await readPhotos(after.url, again)).toBe(true);
    await Promise.all([makeSketch(after.url, token, 1), makeSketch(before.url, token, 2)]);
    expect(before.said()).not.toMatch(failures);
    expect(after.said()).not.toMatch(failures);
  },
);
