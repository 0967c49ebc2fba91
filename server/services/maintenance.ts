/** Removes expired and old data regularly. */
import { type Dependencies } from '#server/app/dependencies';
import { createRegistrationRepository } from '#server/db/accounts';
import { removeOldUpdates } from '#server/db/bot-inbox';
import {
  createConnectionAttemptRepository,
  createConnectionRepository,
} from '#server/db/connections';
import { createRateBucketRepository } from '#server/db/counters';
import { createDeletionRepository } from '#server/db/deletions';
import { createGenerationJobRepository } from '#server/db/generation-jobs';
import { createModelNameRepository } from '#server/db/model-names';
import { createOtpRepository } from '#server/db/one-time-passwords';
import { createSessionRepository } from '#server/db/sessions';
import { createSettingChangeRepository } from '#server/db/setting-changes';
import {
  binRules,
  deletionRules,
  generationRules,
  historyRules,
  inboxRules,
  longestWindowMs,
  toldNameRules,
} from '#server/lib/limits';
import { createJobPictures, emptyBin, sweepPictures } from '#services/images';

const sweepEveryMs = 10 * 60 * 1000;

/** Files younger than this may belong to a row that is still being written. */
const orphanAgeMs = 60 * 60_000;

type Needs = Pick<Dependencies, 'database' | 'clock' | 'log' | 'objects'>;

export async function sweep({ database, clock, objects }: Omit<Needs, 'log'>): Promise<void> {
  const { db } = database;
  const now = clock();
  await createRegistrationRepository(db).removeExpired(now);
  await createOtpRepository(db).removeExpired(now);
  await createSessionRepository(db).removeExpired(now);
  await createConnectionAttemptRepository(db).removeExpired(now);
  await createConnectionRepository(db).removeExpired(now);
  await createRateBucketRepository(db).removeBefore(now - longestWindowMs);
  await createModelNameRepository(db).removeBefore(now - toldNameRules.keptMs);
  await createDeletionRepository(db).removeBefore(now - deletionRules.keptMs);
  await removeOldUpdates(database, {
    handledBefore: now - inboxRules.keptMs,
    receivedBefore: now - inboxRules.openForMs,
  });
  const { keptMs, max, flushableAfterMs, maxItems } = historyRules;
  await createSettingChangeRepository(db).removeOld({
    before: now - keptMs,
    max,
    maxBefore: now - flushableAfterMs,
    maxItems,
  });

  const pictures = createJobPictures(objects);
  const old = await createGenerationJobRepository(db).removeBefore({
    users: now - generationRules.keptMs,
    visitors: now - generationRules.visitorKeptMs,
  });
  await Promise.all(old.map((id) => pictures.remove(id)));
  // Pictures of deleted accounts and of jobs that never finished.
  await pictures.removeBefore(now - 2 * generationRules.keptMs);
  await emptyBin(database, objects, now - binRules.keptMs);
  await sweepPictures(database, objects, now - orphanAgeMs);
}

/** Sweeps every ten minutes until the returned function is called. */
export function startMaintenance(needs: Needs): () => void {
  const timer = setInterval(() => {
    sweep(needs).catch((error: unknown) => {
      needs.log.error({ err: error }, 'Could not remove old data');
    });
  }, sweepEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
