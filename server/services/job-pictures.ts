/** Keeps the bytes of pictures between their making and their saving: a file each, in the data folder. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export type PictureStore = {
  /** Resolves with the picture's id once it is on the disk for good. */
  readonly put: (bytes: Buffer) => Promise<string>;
  /** Undefined when there is no such picture. */
  readonly read: (id: string) => Promise<Buffer | undefined>;
  readonly remove: (id: string) => Promise<void>;
  /** Removes what was put there before the given time (epoch milliseconds). */
  readonly removeBefore: (time: number) => Promise<void>;
};

export function createJobPictures(dataDir: string): PictureStore {
  const folder = join(dataDir, 'job-pictures');
  const fileOf = (id: string) => join(folder, id);

  return {
    put: async (bytes) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const id = randomUUID();
      const file = await open(fileOf(`${id}.part`), 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      // Only whole files get their name, whatever happens in between.
      await rename(fileOf(`${id}.part`), fileOf(id));
      return id;
    },
    read: (id) => unlessMissing(readFile(fileOf(id))),
    remove: (id) => rm(fileOf(id), { force: true }),
    removeBefore: async (time) => {
      const names = (await unlessMissing(readdir(folder))) ?? [];
      const old = names.map(async (name) => {
        const { mtimeMs = Infinity } = (await unlessMissing(stat(fileOf(name)))) ?? {};
        return mtimeMs <= time ? [name] : [];
      });
      await Promise.all((await Promise.all(old)).flat().map((name) => rm(fileOf(name))));
    },
  };
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
