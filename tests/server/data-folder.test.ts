/** Who may read the files of the data folder: their owner, whatever the folder allows and earlier versions left behind. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { type Database, migrate, openDatabase } from '#server/db/client';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nori-modes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function open(dataDir: string): Promise<Database> {
  const database = openDatabase({ dataDir });
  await migrate(database);
  return database;
}

const readModes = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [
      name,
      (statSync(join(folder, name)).mode & 0o777).toString(8),
    ]),
  );

const files = ['app.lock', 'nori.db', 'nori.db-shm', 'nori.db-wal'];
const hidden = Object.fromEntries(files.map((name) => [name, '600']));

test('in a folder that everybody may read, the database and its companions are for their owner only', async () => {
  const folder = makeFolder();
  chmodSync(folder, 0o755);
  const before = process.umask(0o022);
  onTestFinished(() => void process.umask(before));

  const database = await open(folder);
  onTestFinished(() => database.close());

  expect(readModes(folder)).toMatchObject(hidden);
});

test('files that an earlier version left readable for all are hidden at the next start', async () => {
  const folder = makeFolder();
  const earlier = await open(folder);
  await earlier.close();
  // As after a power cut, when the companions are still there.
  for (const name of files) {
    writeFileSync(join(folder, name), '', { flag: 'a' });
    chmodSync(join(folder, name), 0o644);
  }

  const database = await open(folder);
  onTestFinished(() => database.close());

  expect(readModes(folder)).toMatchObject(hidden);
});
