/** Stores bytes under names, on the disk; another store can implement the same four calls. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { type ByteRange } from './byte-range.ts';

/** Names are made by the server: letters, digits, `-`, `.` and `/`. */
export type ObjectStore = {
  /** Resolves when the bytes are on the disk. An interrupted call leaves nothing that can be read. */
  readonly put: (name: string, bytes: Buffer) => Promise<void>;
  /** The bytes, or a range of them, and the size of the whole; undefined when the name is unknown. */
  readonly read: (
    name: string,
    range?: (size: number) => ByteRange | undefined,
  ) => Promise<{ readonly bytes: Buffer; readonly size: number } | undefined>;
  /** Does nothing when the name is unknown. */
  readonly remove: (name: string) => Promise<void>;
  /** The names that were stored before a time (epoch milliseconds), interrupted ones included. */
  readonly listBefore: (time: number) => Promise<readonly string[]>;
};

/** Two levels of folders, as a folder with a hundred thousand files is slow. */
function shard(name: string): string {
  return join(name.slice(0, 2), name);
}

export function createDiskStore(folder: string): ObjectStore {
  const getPath = (name: string) => join(folder, shard(name));

  return {
    put: async (name, bytes) => {
      const path = getPath(name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const part = `${path}.${randomUUID()}.part`;
      try {
        const file = await open(part, 'wx', 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(part, path);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },

    read: (name, range) =>
      unlessMissing(async () => {
        const file = await open(getPath(name));
        try {
          const { size } = await file.stat();
          const { start, end } = range?.(size) ?? { start: 0, end: size - 1 };
          const bytes = Buffer.alloc(end - start + 1);
          await file.read(bytes, 0, bytes.length, start);
          return { bytes, size };
        } finally {
          await file.close();
        }
      }),

    remove: (name) => rm(getPath(name), { force: true }),

    listBefore: async (time) => {
      const shards = (await unlessMissing(() => readdir(folder))) ?? [];
      const names = await Promise.all(
        shards.map(async (one) => {
          const files = (await unlessMissing(() => readdir(join(folder, one)))) ?? [];
          const old = await Promise.all(
            files.map((file) => isOlder(join(folder, one, file), time)),
          );
          return files.filter((_, index) => old[index]);
        }),
      );
      return names.flat();
    },
  };
}

async function isOlder(path: string, time: number): Promise<boolean> {
  const found = await unlessMissing(() => stat(path));
  return found !== undefined && found.mtimeMs < time;
}

async function unlessMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
