/** The budgets of the disk: what one user, and all together, may take, and what stays free. */
import { type Dependencies } from '#server/app/dependencies';
import { createGenerationJobRepository } from '#server/db/generation-jobs';
import { createPictureRepository } from '#server/db/generations';
import { AppError } from '#server/lib/errors';
import { uploadRules } from '#server/lib/limits';

export type PictureStorage = ReturnType<typeof createPictureStorage>;

/** While so much room is left that all processes together cannot fill it meanwhile, a sum is used again. */
const roomy = { bytes: 1_000_000_000, share: 0.1, forMs: 60_000 } as const;

/** Bytes are summed from the rows, so that they are right with several server processes. */
export function createPictureStorage({
  database: { db },
  env: { storage },
  objects,
  clock,
  log,
}: Pick<Dependencies, 'database' | 'env' | 'objects' | 'clock' | 'log'>) {
  const pictures = createPictureRepository(db);
  const jobs = createGenerationJobRepository(db);

  const roomyBytes = Math.max(roomy.bytes, storage.total * roomy.share);
  let lastSum = { bytes: Infinity, until: 0 };

  /** Of all pictures. Summing reads every row, which takes seconds when there are millions. */
  async function sumAll(): Promise<number> {
    const now = clock();
    if (now >= lastSum.until || storage.total - lastSum.bytes < roomyBytes) {
      const [saved, made] = await Promise.all([pictures.sumBytes(), jobs.sumPictureBytes()]);
      lastSum = { bytes: saved + made, until: now + roomy.forMs };
    }
    return lastSum.bytes;
  }

  /** Throws `storage_full` when there is no room for this many more bytes. */
  async function requireSpace(bytes: number): Promise<void> {
    const [stored, free] = await Promise.all([sumAll(), objects.countFree()]);
    const isOverTotal = stored + bytes > storage.total;
    if (isOverTotal || free - bytes < storage.free) {
      log.warn(
        { bytes: stored, free },
        isOverTotal
          ? 'The pictures take STORAGE_TOTAL_MB: none is made or saved'
          : 'The disk has less than STORAGE_FREE_MB: no picture is made or saved',
      );
      throw new AppError('storage_full', { retryAfterS: uploadRules.fullDiskRetryS });
    }
  }

  return {
    requireSpace,

    /** Throws `storage_full`, or `storage_quota` when the user has no room for this many more bytes. */
    async requireSpaceFor(telegramId: number, bytes: number): Promise<void> {
      if ((await pictures.sumBytes(telegramId)) + bytes > storage.perUser) {
        throw new AppError('storage_quota');
      }
      await requireSpace(bytes);
    },
  };
}
