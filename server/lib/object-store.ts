/** Stores bytes under names: what every store does, and the one on the disk. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { type ByteRange } from './byte-range.ts';
import { timed } from './telemetry.ts';

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

/**
 * Names are made by the server: letters, digits, `-`, `.` and `/`. A name always has the same bytes, except drawings that
 * anyone may draw anew. Every call may throw `busy` when a store elsewhere does not answer.
 */
export type ObjectStore = {
  /** Begins a draft, which only this process knows. */
  readonly open: () => Promise<Draft>;
  /** Resolves when the bytes are stored. An interrupted call leaves nothing that can be read. */
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
  /** Removes drafts that were begun before a time (epoch milliseconds), which a crash has left. */
  readonly removeDrafts: (before: number) => Promise<void>;
  /** All names. It takes long: for a backup or a check, never for what is done regularly. */
  readonly listNames: () => AsyncIterable<string>;
  /** Signed links straight to a store that browsers reach; absent when this server alone reads it. */
  readonly links?: ObjectLinks;
};

export type ObjectLinks = {
  /** A link that is valid for one to two days, the same all day. */
  readonly sign: (name: string) => string;
  /** The name that a link of ours leads to; undefined for another address. */
  readonly read: (url: URL) => { readonly name: string; readonly isValid: boolean } | undefined;
};

/** Two levels of folders, as a folder with a hundred thousand files is slow. */
function shard(name: string): string {
  return join(name.slice(0, 2), name);
}

/** Longer than the names of the other folders. */
const draftFolder = 'drafts';

/** The path, whose folder exists. */
async function prepare(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/** What the drafts of all stores have in common: a new file that only this process reads. */
export async function openDraftFile(path: string): Promise<
  Pick<Draft, 'write' | 'size' | 'read'> & {
    readonly file: FileHandle;
    /** May be called again. */
    readonly close: () => Promise<void>;
  }
> {
  const file = await open(path, 'wx+', 0o600);
  let size = 0;
  let isOpen = true;
  return {
    file,
    close: async () => {
      if (isOpen) {
        isOpen = false;
        await file.close();
      }
    },
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
  };
}

function createDraftOpener(
  folder: string,
  getPath: (name: string) => string,
): () => Promise<Draft> {
  return async () => {
    const draft = await prepare(join(folder, draftFolder, `${randomUUID()}.part`));
    const { file, close, ...bytes } = await openDraftFile(draft);
    return {
      ...bytes,
      keep: async (name) => {
        await file.sync();
        await close();
        await rename(draft, await prepare(getPath(name)));
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
  const openDraft = createDraftOpener(folder, getPath);

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

    removeDrafts: async (before) => {
      const drafts = (await unlessMissing(() => readdir(join(folder, draftFolder)))) ?? [];
      for (const name of drafts) {
        const path = join(folder, draftFolder, name);
        if (await isOlder(path, before)) {
          await rm(path, { force: true });
        }
      }
    },

    listNames: async function* () {
      const shards = (await unlessMissing(() => readdir(folder))) ?? [];
      for (const one of shards.filter((name) => name !== draftFolder)) {
        yield* (await unlessMissing(() => readdir(join(folder, one)))) ?? [];
      }
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

const watch = <Result>(kind: string, work: () => Promise<Result>) =>
  timed({ what: 'objectCall', labels: { kind } }, work);

/** The same store, whose calls metrics and traces know. */
export function watchStore(store: ObjectStore): ObjectStore {
  return {
    ...store,
    open: async () => {
      const draft = await store.open();
      return { ...draft, keep: (name) => watch('keep', () => draft.keep(name)) };
    },
    put: (name, bytes) => watch('put', () => store.put(name, bytes)),
    read: (name, range) => watch('read', () => store.read(name, range)),
    remove: (name) => watch('remove', () => store.remove(name)),
  };
}
