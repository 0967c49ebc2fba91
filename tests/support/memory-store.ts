/** Keeps bytes in memory, as the server's object store does on the disk; and fails when told to. */
import { type ObjectStore } from '#server/lib/object-store';

export type MemoryStore = ObjectStore & {
  readonly names: () => readonly string[];
  /** From now on nothing can be written. */
  readonly fill: () => void;
};

export function createMemoryStore(): MemoryStore {
  const objects = new Map<string, Buffer>();
  let isFull = false;
  return {
    names: () => [...objects.keys()],
    fill: () => {
      isFull = true;
    },
    put: async (name, bytes) => {
      if (isFull) {
        throw new Error('ENOSPC: no space left on device');
      }
      objects.set(name, bytes);
    },
    read: async (name, range) => {
      const bytes = objects.get(name);
      if (!bytes) {
        return undefined;
      }
      const { start, end } = range?.(bytes.length) ?? { start: 0, end: bytes.length - 1 };
      return { bytes: bytes.subarray(start, end + 1), size: bytes.length };
    },
    remove: async (name) => void objects.delete(name),
    // Nothing here has an age; everything may be swept.
    listBefore: async () => [...objects.keys()],
  };
}
