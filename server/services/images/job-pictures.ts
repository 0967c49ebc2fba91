/** Keeps the bytes of pictures between their making and their saving. */
import { randomUUID } from 'node:crypto';

import { type ByteRange } from '#server/lib/byte-range';
import { type ObjectStore } from '#server/lib/object-store';
import { detectPictureType } from '#server/lib/picture-type';

export type PictureStore = {
  /** Resolves with the picture's id once it is kept for good. */
  readonly put: (bytes: Buffer) => Promise<string>;
  /** Undefined when there is no such picture. */
  readonly read: (id: string) => Promise<Buffer | undefined>;
  /** With its type and how large it is in all. */
  readonly readPart: (
    id: string,
    range: (size: number) => ByteRange | undefined,
  ) => Promise<
    { readonly bytes: Buffer; readonly size: number; readonly type: string } | undefined
  >;
  readonly remove: (id: string) => Promise<void>;
  /** Removes what was put there before the given time (epoch milliseconds). */
  readonly removeBefore: (time: number) => Promise<void>;
};

const suffix = '-job';
/** As many as tell what a file is. */
const typeBytes = 12;

export function createJobPictures(objects: ObjectStore): PictureStore {
  return {
    put: async (bytes) => {
      const id = randomUUID();
      await objects.put(`${id}${suffix}`, bytes);
      return id;
    },
    read: async (id) => (await objects.read(`${id}${suffix}`))?.bytes,
    readPart: async (id, range) => {
      const name = `${id}${suffix}`;
      const head = await objects.read(name, (size) => ({
        start: 0,
        end: Math.min(size, typeBytes) - 1,
      }));
      const found = head && (await objects.read(name, range));
      return (
        found && { ...found, type: detectPictureType(head.bytes) ?? 'application/octet-stream' }
      );
    },
    remove: (id) => objects.remove(`${id}${suffix}`),
    removeBefore: async (time) => {
      const old = (await objects.listBefore(time)).filter((name) => /-job(?:\.|$)/.test(name));
      await Promise.all(old.map((name) => objects.remove(name)));
    },
  };
}
