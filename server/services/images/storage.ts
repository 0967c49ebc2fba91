/** The budgets of the disk: what one user, and all together, may take, and what stays free. */
import { type Dependencies } from '#server/app/dependencies';
import { createGenerationJobRepository } from '#server/db/generation-jobs';
import { createPictureRepository } from '#server/db/generations';
import { AppError } from '#server/lib/errors';
import { uploadRules } from '#server/lib/limits';

export type PictureStorage = ReturnType<typeof createPictureStorage>;

/** Bytes are summed from the rows each time, so that they are right with several server processes. */
export function createPictureStorage({
  database: { db },
  env: { storage },
  objects,
  log,
}: Pick<Dependencies, 'database' | 'env' | 'objects' | 'log'>) {
  const pictures = createPictureRepository(db);
  const jobs = createGenerationJobRepository(db);

  /** Throws `storage_full` when there is no room for this many more bytes. */
  async function requireSpace(bytes: number): Promise<void> {
    const [saved, made, free] = await Promise.all([
      pictures.sumBytes(),
      jobs.sumPictureBytes(),
      objects.countFree(),
    ]);
    const isOverTotal = saved + made + bytes > storage.total;
    if (isOverTotal || free - bytes < storage.free) {
      log.warn(
        { bytes: saved + made, free },
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
