/**
 * Stores files on the device, in IndexedDB: the bytes, and rows without bytes for lists. Bytes are
 * stored as buffers, as some browsers cannot show blobs from a database. Without a database, files
 * are in memory until the page is closed.
 */
import { type IDBPDatabase, openDB } from 'idb';

import { onUserLeft } from './session.ts';
import { filesDatabase } from './storage.ts';

type Bytes = { readonly bytes: ArrayBuffer; readonly type: string };
/** `size` in bytes, `keptAt` in epoch milliseconds. */
type Row = { readonly key: string; readonly size: number; readonly keptAt: number };

type Files = {
  bytes: { key: string; value: Bytes };
  rows: { key: string; value: Row };
};

const memory = new Map<string, Bytes & Row>();
onUserLeft(() => memory.clear());
let opening: Promise<IDBPDatabase<Files> | undefined> | undefined;

/** Undefined where the browser has no database or blocks it. */
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
      // Logging out deletes the database, here or in another tab. An open connection would block that.
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

/** Stores a file. Resolves to where: on the device, in memory only, or nowhere as the device is full. */
export async function saveFile(key: string, file: Blob): Promise<'device' | 'memory' | 'full'> {
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

/** The file, or undefined when it is not stored. Never rejects. */
export async function readFile(key: string): Promise<Blob | undefined> {
  const stored = memory.get(key) ?? (await readFromDevice(key));
  return stored && new Blob([stored.bytes], { type: stored.type });
}

async function readFromDevice(key: string): Promise<Bytes | undefined> {
  try {
    return await (await open())?.get('bytes', key);
  } catch {
    return undefined;
  }
}

/** Removes files. Missing ones are ignored. Never rejects. */
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
    // The next start finds the rest as files that belong to no picture.
  }
}

/** The stored files without their bytes, oldest first. Never rejects. */
export async function listFiles(): Promise<readonly Row[]> {
  try {
    const rows = (await (await open())?.getAll('rows')) ?? [];
    return [...rows, ...memory.values()].toSorted((a, b) => a.keptAt - b.keptAt);
  } catch {
    return [...memory.values()];
  }
}
