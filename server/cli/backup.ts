/**
 * `nori backup` and `nori restore`: all rows of one moment and the objects that they name, in a folder that both databases
 * and both stores can be filled from. `manifest.json` is written last, so that a folder with one is complete.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import * as v from 'valibot';

import { type Env } from '#server/app/env';
import { keyFile } from '#server/app/secret-key';
import {
  beginRestore,
  createLeavingOut,
  endRestore,
  hasRow,
  listObjects,
  loadRows,
  parseRow,
  type Row,
  tablesWithObjects,
  withSnapshot,
} from '#server/db/backup';
import { type Database, migrations } from '#server/db/client';
import { deriveKey } from '#server/lib/derived-keys';
import { type ObjectStore, readInPieces } from '#server/lib/object-store';

/** The message is for the operator. */
export class CommandMistake extends Error {
  override readonly name = 'CommandMistake';
}

export type Place = {
  readonly env: Env;
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly say: (line: string) => void;
};

const format = 1;
const ownerOnly = 0o600;
const folderMode = 0o700;
/** How many objects are copied at once. */
const atOnce = 8;
const sayEvery = 1000;
const megabyte = 1_000_000;

const checked = { sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) };
const objectName = v.pipe(v.string(), v.regex(/^[\w-][\w.-]*$/));

const manifestSchema = v.object({
  format: v.literal(format),
  migration: v.string(),
  at: v.string(),
  /** By which another key is told from the one of the backup. */
  key_mark: v.string(),
  key: v.nullable(v.object(checked)),
  tables: v.array(
    v.object({ name: v.pipe(v.string(), v.regex(/^[a-z_]+$/)), rows: v.number(), ...checked }),
  ),
  objects: v.object({ count: v.number(), bytes: v.number(), ...checked }),
  /** Objects that rows name and the store did not have. */
  missing: v.array(objectName),
});

type Manifest = v.InferOutput<typeof manifestSchema>;

const storedObject = v.object({ name: objectName, bytes: v.number(), ...checked });
type StoredObject = v.InferOutput<typeof storedObject>;

const manifestFile = (folder: string) => join(folder, 'manifest.json');
const objectList = (folder: string) => join(folder, 'objects.ndjson.gz');
const keptKey = (folder: string) => join(folder, 'secret-key');
const tableFile = (folder: string, table: string) => join(folder, 'tables', `${table}.ndjson.gz`);
const objectFile = (folder: string, name: string) =>
  join(folder, 'objects', name.slice(0, 2), name);

const markKey = (key: string) => deriveKey(key, 'nori backup').toString('hex', 0, 8);

/** Writes a file that only its owner may read. */
async function writePieces(
  path: string,
  pieces: AsyncIterable<Uint8Array | string>,
  isZipped: boolean,
) {
  await mkdir(dirname(path), { recursive: true, mode: folderMode });
  const hash = createHash('sha256');
  let bytes = 0;
  async function* count(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  const file = createWriteStream(path, { flags: 'wx', mode: ownerOnly, flush: true });
  const source = Readable.from(pieces, { objectMode: false });
  await (isZipped ? pipeline(source, createGzip(), count, file) : pipeline(source, count, file));
  return { bytes, sha256: hash.digest('hex') };
}

async function* readLines(path: string): AsyncGenerator<string> {
  const unzipped = createGunzip();
  const done = pipeline(createReadStream(path), unzipped);
  // Its failure is thrown below.
  done.catch(() => undefined);
  yield* createInterface({ input: unzipped, crlfDelay: Infinity });
  await done;
}

async function* readRows(folder: string, table: string): AsyncGenerator<Row> {
  for await (const line of readLines(tableFile(folder, table))) {
    yield parseRow(line);
  }
}

async function* readObjects(folder: string): AsyncGenerator<StoredObject> {
  for await (const line of readLines(objectList(folder))) {
    yield v.parse(storedObject, JSON.parse(line));
  }
}

/** Works on several at once, and passes the results on in order. */
async function* mapSome<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  let some: Item[] = [];
  for await (const item of items) {
    some.push(item);
    if (some.length >= atOnce) {
      yield* await Promise.all(some.map(work));
      some = [];
    }
  }
  yield* await Promise.all(some.map(work));
}

/** Writes the backup into a new or empty folder, while servers write. */
export async function backUp(
  place: Place,
  { folder, withKey }: { readonly folder: string; readonly withKey: boolean },
): Promise<void> {
  const { env, database, say } = place;
  await mkdir(folder, { recursive: true, mode: folderMode });
  if ((await readdir(folder)).length > 0) {
    throw new CommandMistake(`The folder ${folder} is not empty. Name a new one for each backup.`);
  }
  const [key] = env.secretKeys;
  const { tables, ...moment } = await copyRows(place, folder);
  const { objects, missing } = await copyObjects(place, folder, tables);
  const manifest: Manifest = {
    format,
    ...moment,
    key_mark: markKey(key),
    key: withKey ? await writePieces(keptKey(folder), toPieces(key), false) : null,
    tables,
    objects,
    missing,
  };
  const draft = `${manifestFile(folder)}.part`;
  await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: ownerOnly,
    flush: true,
  });
  await rename(draft, manifestFile(folder));
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  say(
    `The backup is complete: ${rows} rows of ${moment.at} and ${objects.count} objects (${toMegabytes(objects.bytes)} MB) in ${folder}.`,
  );
  await sayWhatIsMissing(place, database, missing);
  say(
    withKey
      ? 'It holds the key of this server: who has the folder can open what the key protects. Keep it as safe as the server.'
      : 'It does not hold the key of this server (SECRET_KEY, or secret-key in the data folder). Keep the key elsewhere: without it linked accounts and passkeys of the backup cannot be used.',
  );
}

async function* toPieces(...pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}

const toMegabytes = (bytes: number) => (bytes / megabyte).toFixed(1);

function copyRows({ database, say }: Place, folder: string) {
  return withSnapshot(database, async ({ migration, tables, read }) => {
    const at = new Date().toISOString();
    const written: Manifest['tables'] = [];
    for (const name of tables) {
      let rows = 0;
      const toLines = async function* (): AsyncGenerator<string> {
        for await (const some of read(name)) {
          rows += some.length;
          yield some.map((row) => `${JSON.stringify(row)}\n`).join('');
        }
      };
      const { sha256 } = await writePieces(tableFile(folder, name), toLines(), true);
      written.push({ name, rows, sha256 });
      if (rows > 0) {
        say(`${name}: ${rows} rows`);
      }
    }
    return { migration, at, tables: written };
  });
}

async function copyObjects({ objects, say }: Place, folder: string, tables: Manifest['tables']) {
  const missing: string[] = [];
  let count = 0;
  let bytes = 0;
  const names = async function* (): AsyncGenerator<string> {
    for (const table of tablesWithObjects.filter((one) =>
      tables.some(({ name }) => name === one),
    )) {
      for await (const row of readRows(folder, table)) {
        yield* listObjects(table, row);
      }
    }
  };
  const toLines = async function* (): AsyncGenerator<string> {
    const copied = mapSome(names(), async (name) => ({
      name,
      copy: await copyObject(objects, name, objectFile(folder, name)),
    }));
    for await (const { name, copy } of copied) {
      if (copy === undefined) {
        missing.push(name);
      } else {
        count += 1;
        bytes += copy.bytes;
        yield `${JSON.stringify({ name, ...copy } satisfies StoredObject)}\n`;
      }
      if (count % sayEvery === 0 && count > 0) {
        say(`objects: ${count}`);
      }
    }
  };
  const { sha256 } = await writePieces(objectList(folder), toLines(), true);
  return { objects: { count, bytes, sha256 }, missing };
}

/** Undefined when there is none, also when it was removed while it was read. */
async function copyObject(objects: ObjectStore, name: string, path: string) {
  const head = await objects.read(name, (size) => ({ start: 0, end: Math.min(size, 1) - 1 }));
  if (head === undefined) {
    return undefined;
  }
  const copy = await writePieces(path, readInPieces(objects, name), false);
  if (copy.bytes !== head.size) {
    await rm(path);
    return undefined;
  }
  return copy;
}

async function sayWhatIsMissing(
  { say }: Pick<Place, 'say'>,
  { db }: Pick<Database, 'db'>,
  missing: readonly string[],
): Promise<void> {
  const lost: string[] = [];
  for (const name of missing) {
    if (await hasRow(db, name)) {
      lost.push(name);
    }
  }
  if (missing.length > lost.length) {
    say(
      `${missing.length - lost.length} objects were removed while the backup was made: a restore leaves out their rows.`,
    );
  }
  if (lost.length > 0) {
    say(
      `${lost.length} objects are missing in the store though rows name them, such as ${lost[0]}: a restore leaves out their rows.`,
    );
  }
}

/** Fills an empty database and an empty store. After an interruption the same call goes on. */
export async function restore(place: Place, folder: string): Promise<void> {
  const { database, objects, say } = place;
  const { manifest, mark } = await readManifest(folder);
  say('Checking the files of the backup …');
  await verify(folder, manifest);
  const { hasRows } = await beginRestore(database, {
    backup: mark,
    check: () => requireEmpty(objects),
  });
  await putObjects(place, folder, manifest);
  if (!hasRows) {
    const isLeftOut = createLeavingOut(new Set(manifest.missing));
    const count = await loadRows(database, {
      migration: manifest.migration,
      tables: manifest.tables.map(({ name }) => ({
        table: name,
        rows: keepRows(readRows(folder, name), (row) => !isLeftOut(name, row)),
      })),
    });
    say(`${count} rows are loaded.`);
  }
  await restoreKey(place, folder, manifest);
  await endRestore(database);
  say(`The backup of ${manifest.at} is restored.`);
}

async function* keepRows(rows: AsyncIterable<Row>, isKept: (row: Row) => boolean) {
  for await (const row of rows) {
    if (isKept(row)) {
      yield row;
    }
  }
}

async function readManifest(folder: string): Promise<{ manifest: Manifest; mark: string }> {
  const text = await readFile(manifestFile(folder), 'utf8').catch(() => undefined);
  if (text === undefined) {
    throw new CommandMistake(
      `There is no finished backup in ${folder}: a backup writes manifest.json last, and there is none.`,
    );
  }
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), manifestSchema), text);
  if (!parsed.success) {
    throw new CommandMistake(
      `${manifestFile(folder)} is not the manifest of a backup of format ${format}.`,
    );
  }
  const manifest = parsed.output;
  if (!(manifest.migration in migrations)) {
    throw new CommandMistake(
      `The backup was made by a newer version, with the tables of ${manifest.migration}. Restore it with that version.`,
    );
  }
  return { manifest, mark: createHash('sha256').update(text).digest('hex') };
}

async function hashFile(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk);
    }
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}

async function check(path: string, sha256: string): Promise<void> {
  if ((await hashFile(path)) !== sha256) {
    throw new CommandMistake(
      `${path} is missing or was changed since the backup was made. Nothing was restored.`,
    );
  }
}

/** Throws when a file is not as it was written. */
async function verify(folder: string, manifest: Manifest): Promise<void> {
  for (const { name, sha256 } of manifest.tables) {
    await check(tableFile(folder, name), sha256);
  }
  await check(objectList(folder), manifest.objects.sha256);
  if (manifest.key !== null) {
    await check(keptKey(folder), manifest.key.sha256);
  }
  const objects = mapSome(readObjects(folder), ({ name, sha256 }) =>
    check(objectFile(folder, name), sha256),
  );
  await countAll(objects);
}

async function countAll(
  items: AsyncIterable<unknown>,
  onCount?: (count: number) => void,
): Promise<number> {
  const iterator = items[Symbol.asyncIterator]();
  let count = 0;
  while ((await iterator.next()).done !== true) {
    count += 1;
    onCount?.(count);
  }
  return count;
}

/** Whether anyone may draw the object anew: it belongs to no row, and is in no backup. */
export const isDrawing = (name: string) => /-(?:cover|style)$/.test(name);

async function requireEmpty(objects: ObjectStore): Promise<void> {
  for await (const name of objects.listNames()) {
    if (!isDrawing(name)) {
      throw new CommandMistake(
        `The store of pictures is not empty: it has ${name}. Restore only into an empty one. Nothing was restored.`,
      );
    }
  }
}

async function putObjects(
  { objects, say }: Place,
  folder: string,
  manifest: Manifest,
): Promise<void> {
  const stored = mapSome(readObjects(folder), async ({ name, bytes }) => {
    const found = await objects.read(name, (size) => ({ start: 0, end: Math.min(size, 1) - 1 }));
    // It is there when an earlier call was interrupted after it.
    if (found?.size !== bytes) {
      const draft = await objects.open();
      try {
        for await (const piece of createReadStream(objectFile(folder, name))) {
          await draft.write(piece);
        }
        await draft.keep(name);
      } finally {
        await draft.discard();
      }
    }
  });
  const count = await countAll(stored, (done) => {
    if (done % sayEvery === 0) {
      say(`objects: ${done} of ${manifest.objects.count}`);
    }
  });
  say(`${count} objects are stored.`);
}

async function restoreKey({ env, say }: Place, folder: string, manifest: Manifest): Promise<void> {
  if (env.secretKeys.some((key) => markKey(key) === manifest.key_mark)) {
    return;
  }
  const file = keyFile(env.dataDir);
  const made = await readFile(file, 'utf8').catch(() => '');
  if (manifest.key !== null && made.trim() === env.secretKeys[0]) {
    await writeFile(file, await readFile(keptKey(folder)), { mode: ownerOnly, flush: true });
    // The mode above is only that of a new file.
    await chmod(file, ownerOnly);
    say(`The key of the backup is in ${file}.`);
    return;
  }
  say(
    'The key of this server is not the one of the backup. Set SECRET_KEY to that key, or name it in SECRET_KEY_PREVIOUS: ' +
      'without it linked accounts and passkeys cannot be used.',
  );
}
