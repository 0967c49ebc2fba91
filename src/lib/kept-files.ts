/**
 * Files that the device keeps: bytes in IndexedDB, apart from the rows that lists read. Bytes are
 * kept as buffers, as some browsers cannot show blobs that they read from a database. Where there is
 * no database, files live in memory until the page goes.
 */
import { type IDBPDatabase, openDB } from 'idb';

import { filesDatabase } from './storage.ts';

type Bytes = { readonly bytes: ArrayBuffer; readonly type: string };
/** `size` in bytes, `keptAt` in epoch milliseconds. */
type Row = { readonly key: string; readonly size: number; readonly keptAt: number };

type Files = {
  bytes: { key: string; value: Bytes };
  rows: { key: string; value: Row };
};

const memory = new Map<string, Bytes & Row>();
let opening: Promise<IDBPDatabase<Files> | undefined> | undefined;

/** Undefined where the browser has no database, or refuses it to this page. */
function open(): Promise<IDBPDatabase<Files> | undefined> {
  opening ??= openDatabase();
  return opening;
}

function forgetConnection(): void {
  opening = undefined;
}

async function openDatabase(): Promise<IDBPDatabase<Files> | undefined> {
  try {
    const database = await openDB<Files>(filesDatabase, 1, {
      upgrade: (fresh) => {
        fresh.createObjectStore('bytes');
        fresh.createObjectStore('rows', { keyPath: 'key' });
      },
      // Logging out deletes the database, here or in another tab; an open connection would hold it.
      blocking: (_current, _blocked, event) => {
        if (event.target instanceof IDBDatabase) {
          event.target.close();
        }
        forgetConnection();
      },
      terminated: forgetConnection,
    });
    return database;
  } catch {
    return undefined;
  }
}

/**
 * Keeps a file. Answers where: on the device, only in this page's memory, or nowhere because the
 * device is full.
 */
export async function keepFile(key: string, file: Blob): Promise<'device' | 'memory' | 'full'> {
  const bytes = await file.arrayBuffer();
  const value = { bytes, type: file.type };
  const row = { key, size: bytes.byteLength, keptAt: Date.now() };
  const database = await open();
  if (!database) {
    memory.set(key, { ...value, ...row });
    return 'memory';
  }
  try {
    const change = database.transaction(['bytes', 'rows'], 'readwrite');
    await Promise.all([
      change.objectStore('bytes').put(value, key),
      change.objectStore('rows').put(row),
      change.done,
    ]);
    return 'device';
  } catch (error) {
    if (error instanceof DOMException && error.name === 'QuotaExceededError') {
      return 'full';
    }
    memory.set(key, { ...value, ...row });
    return 'memory';
  }
}

/** The file, or undefined when it is not here (any more). Never rejects. */
export async function readFile(key: string): Promise<Blob | undefined> {
  const held = memory.get(key) ?? (await readFromDevice(key));
  return held && new Blob([held.bytes], { type: held.type });
}

async function readFromDevice(key: string): Promise<Bytes | undefined> {
  try {
    return await (await open())?.get('bytes', key);
  } catch {
    return undefined;
  }
}

/** Removes files; those that are not there count as removed. Never rejects. */
export async function removeFiles(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    memory.delete(key);
  }
  try {
    const change = (await open())?.transaction(['bytes', 'rows'], 'readwrite');
    await Promise.all([
      ...keys.flatMap((key) => [
        change?.objectStore('bytes').delete(key),
        change?.objectStore('rows').delete(key),
      ]),
      change?.done,
    ]);
  } catch {
    // What cannot be removed now is found again as a file without its row, at the next start.
  }
}

/** What is kept, oldest first, without the bytes. Never rejects. */
export async function listFiles(): Promise<readonly Row[]> {
  try {
    const rows = (await (await open())?.getAll('rows')) ?? [];
    return [...rows, ...memory.values()].toSorted((a, b) => a.keptAt - b.keptAt);
  } catch {
    return [...memory.values()];
  }
}
