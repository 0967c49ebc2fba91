/** Admits uploads, few at a time, so that they take neither the memory nor the disk of the server. */
import { type Dependencies } from '#server/app/dependencies';
import { createKeyedSemaphore, createSlotLimiter } from '#server/lib/concurrency';
import { AppError } from '#server/lib/errors';
import { limits, uploadRules } from '#server/lib/limits';
import { type Draft, type ObjectStore } from '#server/lib/object-store';
import { type Limiter } from '#server/services/limiter';

import { toStorageRefusal } from './pictures.ts';
import { type PictureStorage } from './storage.ts';
import { pictureTexts } from './texts.ts';

type UploadRequest = {
  readonly telegramId: number;
  /** The length that the request declares; undefined when it declares none. */
  readonly bytes: number | undefined;
  /** Ends the wait when the client has gone. */
  readonly signal: AbortSignal;
};

type Tools = {
  readonly store: ObjectStore;
  readonly storage: PictureStorage;
  readonly limiter: Limiter;
  readonly log: Dependencies['log'];
};

/** The budget of all users together has one key. */
const all = 'all';
/** An upload without a declared length reserves in these steps, as it may arrive byte by byte. */
const stepBytes = 256 * 1024;

export function createUploads({ store, storage, limiter, log }: Tools) {
  const places = createSlotLimiter(uploadRules.atOnce + uploadRules.queue);
  const running = createKeyedSemaphore(uploadRules.atOnce);
  const budget = createSlotLimiter(uploadRules.bytesInFlight);
  const underWay = createUploadsUnderWay();

  function reserve(bytes: number): () => void {
    const release = budget.take(all, bytes);
    if (release === undefined) {
      throw new AppError('busy', { retryAfterS: uploadRules.busyRetryS });
    }
    return release;
  }

  function refuseUnstored(error: unknown): never {
    throw toStorageRefusal(error, log);
  }

  return {
    /** Ends what a user uploads, because the account is deleted. */
    dropAll: underWay.dropAll,

    /**
     * Resolves when the body of an upload may be read. Throws `rate_limited`, `busy`, `storage_quota` or
     * `storage_full`, and then nothing of it has been read.
     */
    async begin({ telegramId, bytes = 0, signal }: UploadRequest) {
      const key = String(telegramId);
      const cleanups: (() => void)[] = [];
      const drafts: Draft[] = [];
      const end = async () => {
        try {
          await Promise.all(drafts.map((draft) => draft.discard()));
        } finally {
          for (const cleanUp of cleanups) {
            cleanUp();
          }
        }
      };
      try {
        const leave = places.take(key);
        if (leave === undefined) {
          throw new AppError('rate_limited', {
            detail: (say) => say(pictureTexts).manyUploads,
            retryAfterS: uploadRules.fullQueueRetryS,
          });
        }
        cleanups.push(leave);
        await limiter.take(limits.savedPictures, telegramId);
        try {
          cleanups.push(await running.acquire(key, signal));
          await storage.requireSpaceFor(telegramId, bytes);
          cleanups.push(reserve(bytes));
        } catch (error) {
          // What could not be sent may be sent again as soon as there is room.
          await limiter.giveBack(limits.savedPictures, telegramId);
          throw error;
        }
      } catch (error) {
        await end();
        throw error;
      }

      const { throwIfDropped, leave } = underWay.add(telegramId, drafts);
      cleanups.push(leave);

      let arrived = 0;
      let reserved = bytes;
      return {
        /** Reserves what arrives beyond the declared length. Throws `busy`. */
        countBytes: (more: number) => {
          throwIfDropped();
          arrived += more;
          if (arrived > reserved) {
            const step = Math.max(stepBytes, arrived - reserved);
            cleanups.push(reserve(step));
            reserved += step;
          }
        },
        open: async () => {
          throwIfDropped();
          const draft = await store.open().catch(refuseUnstored);
          drafts.push(draft);
          const write = (piece: Uint8Array) => {
            throwIfDropped();
            return draft.write(piece).catch(refuseUnstored);
          };
          return { ...draft, write };
        },
        end,
      };
    },
  };
}

/** Which uploads of whom arrive now. */
function createUploadsUnderWay() {
  const uploads = new Set<{ readonly telegramId: number; readonly drop: () => Promise<void> }>();
  return {
    add(telegramId: number, drafts: readonly Draft[]) {
      let isDropped = false;
      const upload = {
        telegramId,
        drop: async () => {
          isDropped = true;
          await Promise.all(drafts.map((draft) => draft.discard()));
        },
      };
      uploads.add(upload);
      return {
        leave: () => void uploads.delete(upload),
        throwIfDropped: (): void => {
          if (isDropped) {
            throw new AppError('unauthenticated');
          }
        },
      };
    },
    dropAll: async (telegramId: number): Promise<void> => {
      const theirs = [...uploads].filter((upload) => upload.telegramId === telegramId);
      await Promise.all(theirs.map(({ drop }) => drop()));
    },
  };
}
