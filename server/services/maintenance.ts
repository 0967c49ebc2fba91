/** Removes expired and old data regularly. */
import { type Dependencies } from '#server/app/dependencies';
import { createAccountEventRepository } from '#server/db/account-events';
import { createRegistrationRepository } from '#server/db/accounts';
import { createActionRepository } from '#server/db/actions';
import { createApprovalRepository } from '#server/db/approvals';
import { removeOldUpdates } from '#server/db/bot-inbox';
import { removeOldEvents } from '#server/db/chat-events';
import { createChatNumberRepository } from '#server/db/chat-numbers';
import { createChatValueRepository } from '#server/db/chat-values';
import { type Database } from '#server/db/client';
import {
  createConnectionAttemptRepository,
  createConnectionRepository,
} from '#server/db/connections';
import { createContentRepository } from '#server/db/contents';
import { createRateBucketRepository } from '#server/db/counters';
import { createDeletionRepository } from '#server/db/deletions';
import { createJoinCheckRepository, createRecentJoinRepository } from '#server/db/join-checks';
import { sweepLooseObjects } from '#server/db/loose-objects';
import { createModelNameRepository } from '#server/db/model-names';
import { createOtpRepository } from '#server/db/one-time-passwords';
import { createPasskeyChallengeRepository } from '#server/db/passkeys';
import { createPeopleSeenRepository } from '#server/db/people-seen';
import { createAwayRepository, createWhisperRepository } from '#server/db/personal-records';
import { createSeenMessageRepository } from '#server/db/seen-messages';
import { createLaunchRepository, createSessionRepository } from '#server/db/sessions';
import { createSettingChangeRepository } from '#server/db/setting-changes';
import { createWarningRepository } from '#server/db/warnings';
import {
  accountEventRules,
  binRules,
  contentRules,
  deletionRules,
  generationRules,
  historyRules,
  inboxRules,
  joinRules,
  longestWindowMs,
  memberRules,
  numberRules,
  peopleRules,
  personalRules,
  seenMessageRules,
  toldNameRules,
  valueRules,
} from '#server/lib/limits';
import { sweepExports } from '#services/accounts';
import { removeOldPictures, removeOldJobs } from '#services/images';

import { sealAnew } from './key-rotation.ts';

const sweepEveryMs = 10 * 60 * 1000;
const sweepsPerDay = (24 * 60 * 60_000) / sweepEveryMs;
/** A little shorter, so that the process that swept last can be the next one, too. */
const turnMs = sweepEveryMs - 60_000;

/** Longer than a draft can take. */
const draftAgeMs = 24 * 60 * 60_000;

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
  await createChatNumberRepository(db).removeBefore(now - numberRules.keptMs);
  await removeOldUpdates(database, {
    handledBefore: now - inboxRules.keptMs,
    receivedBefore: now - inboxRules.openForMs,
    albumsBefore: now - inboxRules.albumMs,
  });
  await removeOldEvents(database);
  const { keptMs, max, flushableAfterMs, maxItems } = historyRules;
  await createSettingChangeRepository(db).removeOld({
    before: now - keptMs,
    max,
    maxBefore: now - flushableAfterMs,
    maxItems,
  });
  await sweepMembers(database, now);

  const place = { database, objects };
  const users = now - generationRules.keptMs;
  await removeOldJobs(place, { now, users, visitors: now - generationRules.visitorKeptMs });
  await removeOldPictures(place, { now, before: now - binRules.keptMs });
  await sweepExports(place, now);
  await objects.removeDrafts(now - draftAgeMs);
  // Last, as it fails while the store is away.
  await sweepLooseObjects(place, now);
}

/** What is stored of people in chats, and of chats that the bot has left. */
async function sweepMembers(database: Database, now: number): Promise<void> {
  const { db } = database;
  const { keptMs, maxPerChat } = seenMessageRules;
  await createPeopleSeenRepository(database).removeBefore(now - peopleRules.keptMs);
  await createSeenMessageRepository(db).removeOld({ before: now - keptMs, maxPerChat });
  await createAwayRepository(db).removeBefore(now - personalRules.awayKeptMs);
  await createWhisperRepository(db).removeExpired(now);
  await createJoinCheckRepository(db).removeSettledBefore(now - joinRules.keptMs);
  await createRecentJoinRepository(db).removeBefore(now - joinRules.keptMs);
  await createWarningRepository(db).removeBefore(now - memberRules.keptMs);
  await createApprovalRepository(db).removeExpired(now);
  await createActionRepository(db).removeBefore(now - memberRules.keptMs);
  await createChatValueRepository(db).removeLeftBefore(now - valueRules.keptAfterLeavingMs);
  // Each chat once a day: it takes a look at its whole history.
  const part = Math.floor(now / sweepEveryMs) % sweepsPerDay;
  await createContentRepository(db).removeUnnamed(now - contentRules.unusedMs, {
    part,
    parts: sweepsPerDay,
  });
}

type MaintenanceNeeds = Needs & Pick<Dependencies, 'env' | 'random'>;

/** Of several processes on one database, one at a time has something to do; returns whether it was this one. */
export async function sweepInTurn(needs: MaintenanceNeeds): Promise<boolean> {
  const { database, clock } = needs;
  if (database.engine === 'postgres') {
    const turn = { now: clock(), windowMs: turnMs, amount: 1 };
    const { hits } = await createRateBucketRepository(database.db).hit('sweeps', turn);
    if (hits > 1) {
      return false;
    }
  }
  await Promise.all([sweep(needs), sealAnew(needs)]);
  return true;
}

/** Sweeps every ten minutes until the returned function is called. */
export function startMaintenance(needs: MaintenanceNeeds): () => void {
  if (needs.database.engine === 'sqlite') {
    // No other process uses the data folder, so all drafts are of earlier ones.
    needs.objects.removeDrafts(Date.now()).catch((error: unknown) => {
      needs.log.error({ err: error }, 'Could not remove the drafts of the previous start');
    });
  }
  const timer = setInterval(() => {
    sweepInTurn(needs).catch((error: unknown) => {
      needs.log.error({ err: error }, 'Could not remove old data');
    });
  }, sweepEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
