/** Removes expired and old data regularly. */
import { type Dependencies } from '#server/app/dependencies';
import { createAccountEventRepository } from '#server/db/account-events';
import { createRegistrationRepository } from '#server/db/accounts';
import { createActionRepository } from '#server/db/actions';
import { createApprovalRepository } from '#server/db/approvals';
import { removeOldUpdates } from '#server/db/bot-inbox';
import { createChatValueRepository } from '#server/db/chat-values';
import { type Database } from '#server/db/client';
import {
  createConnectionAttemptRepository,
  createConnectionRepository,
} from '#server/db/connections';
import { createRateBucketRepository } from '#server/db/counters';
import { createDeletionRepository } from '#server/db/deletions';
import { createGenerationJobRepository, listJobPictures } from '#server/db/generation-jobs';
import { createModelNameRepository } from '#server/db/model-names';
import { createOtpRepository } from '#server/db/one-time-passwords';
import { createPasskeyChallengeRepository } from '#server/db/passkeys';
import { createPeopleSeenRepository } from '#server/db/people-seen';
import { createSeenMessageRepository } from '#server/db/seen-messages';
import { createLaunchRepository, createSessionRepository } from '#server/db/sessions';
import { createSettingChangeRepository } from '#server/db/setting-changes';
import { createWarningRepository } from '#server/db/warnings';
import {
  accountEventRules,
  binRules,
  deletionRules,
  generationRules,
  historyRules,
  inboxRules,
  longestWindowMs,
  memberRules,
  peopleRules,
  seenMessageRules,
  toldNameRules,
  valueRules,
} from '#server/lib/limits';
import { sweepExports } from '#services/accounts';
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
  await createPasskeyChallengeRepository(db).removeExpired(now);
  await createSessionRepository(db).removeExpired(now);
  await createLaunchRepository(db).removeExpired(now);
  await createAccountEventRepository(db).removeBefore(now - accountEventRules.keptMs);
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
  await sweepMembers(database, now);

  const pictures = createJobPictures(objects);
  const old = await createGenerationJobRepository(db).removeBefore({
    users: now - generationRules.keptMs,
    visitors: now - generationRules.visitorKeptMs,
  });
  await Promise.all(old.map((id) => pictures.remove(id)));
  // Pictures of jobs that never finished, and those that a crash has left.
  await pictures.removeBefore(now - orphanAgeMs, new Set(await listJobPictures(db)));
  await emptyBin(database, objects, now - binRules.keptMs);
  await sweepPictures(database, objects, now - orphanAgeMs);
  await sweepExports({ database, objects }, { now, orphansBefore: now - orphanAgeMs });
}

/** What is stored of people in chats, and of chats that the bot has left. */
async function sweepMembers(database: Database, now: number): Promise<void> {
  const { db } = database;
  const { keptMs, maxPerChat } = seenMessageRules;
  await createPeopleSeenRepository(database).removeBefore(now - peopleRules.keptMs);
  await createSeenMessageRepository(db).removeOld({ before: now - keptMs, maxPerChat });
  await createWarningRepository(db).removeBefore(now - memberRules.keptMs);
  await createApprovalRepository(db).removeExpired(now);
  await createActionRepository(db).removeBefore(now - memberRules.keptMs);
  await createChatValueRepository(db).removeLeftBefore(now - valueRules.keptAfterLeavingMs);
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
