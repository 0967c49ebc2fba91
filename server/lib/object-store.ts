/** Stores bytes under names, on the disk; another store can implement the same calls. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { type ByteRange } from './byte-range.ts';

/** Bytes that arrive piece by piece. No name leads to them until they are kept. */
export type Draft = {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** How many bytes were written. */
  readonly size: () => number;
  /** All bytes; with a target, as many as fit into it, in its memory. */
  readonly read: (target?: Buffer) => Promise<Buffer>;
  /** Stores the bytes under a name. Resolves when they are on the disk. */
  readonly keep: (name: string) => Promise<void>;
  /** Removes the bytes unless they were kept. */
  readonly discard: () => Promise<void>;
};

/** Names are made by the server: letters, digits, `-`, `.` and `/`. */
export type ObjectStore = {
  /** Begins a draft. A crash leaves a file whose name has `-draft`. */
  readonly open: () => Promise<Draft>;
  /** Resolves when the bytes are on the disk. An interrupted call leaves nothing that can be read. */
  readonly put: (name: string, bytes: Buffer) => Promise<void>;
  /** The bytes, or a range of them, and the size of the whole; undefined when the name is unknown. */
  readonly read: (
    name: string,
    range?: (size: number) => ByteRange | undefined,
  ) => Promise<{ readonly bytes: Buffer; readonly size: number } | undefined>;
  /** Bytes that can still be stored. */
  readonly countFree: () => Promise<number>;
  /** Does nothing when the name is unknown. */
  readonly remove: (name: string) => Promise<void>;
  /** The names that were stored before a time (epoch milliseconds), interrupted ones included. */
  readonly listBefore: (time: number) => Promise<readonly string[]>;
};

/** Two levels of folders, as a folder with a hundred thousand files is slow. */
function shard(name: string): string {
  return join(name.slice(0, 2), name);
}

function createDraftOpener(getPath: (name: string) => string): () => Promise<Draft> {
  /** The path of a new file, whose folder exists. */
  async function preparePath(name: string): Promise<string> {
    const path = getPath(name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return path;
  }

  return async () => {
    const draft = await preparePath(`${randomUUID()}-draft.part`);
    const file = await open(draft, 'wx+', 0o600);
    let size = 0;
    let isOpen = true;
    const close = async () => {
      if (isOpen) {
        isOpen = false;
        await file.close();
      }
    };
    return {
      write: async (bytes) => {
        await file.writeFile(bytes);
        size += bytes.length;
      },
      size: () => size,
      read: async (target = Buffer.alloc(size)) => {
        const bytes = target.subarray(0, size);
        await file.read(bytes, 0, bytes.length, 0);
        return bytes;
      },
      keep: async (name) => {
        await file.sync();
        await close();
        await rename(draft, await preparePath(name));
      },
      discard: async () => {
        await close();
        await rm(draft, { force: true });
      },
    };
  };
}

export function createDiskStore(folder: string): ObjectStore {
  const getPath = (name: string) => join(folder, shard(name));
  const openDraft = createDraftOpener(getPath);

  return {
    open: openDraft,

    put: async (name, bytes) => {
      const draft = await openDraft();
      try {
        await draft.write(bytes);
        await draft.keep(name);
      } finally {
        await draft.discard();
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

    countFree: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },

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

const pieceBytes = 512 * 1024;

/** Reads an object, or a range of it, piece by piece. Nothing comes of one that is unknown, or removed meanwhile. */
export async function* readInPieces(
  store: Pick<ObjectStore, 'read'>,
  name: string,
  { start, end }: ByteRange = { start: 0, end: Infinity },
): AsyncGenerator<Buffer> {
  for (let at = start; at <= end; at += pieceBytes) {
    const found = await store.read(name, (size) => ({
      start: Math.min(at, size),
      end: Math.min(at + pieceBytes - 1, end, size - 1),
    }));
    if (found === undefined || found.bytes.length === 0) {
      return;
    }
    yield found.bytes;
  }
}
