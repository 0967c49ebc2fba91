/** Sweeps out what has expired, so that the database does not grow with what nobody can use. */
import { createOtpRepository } from '#server/db/one-time-passwords';
import { createRateBucketRepository } from '#server/db/rate-buckets';
import { createRegistrationRepository } from '#server/db/registrations';
import { createSessionRepository } from '#server/db/sessions';
import { type Dependencies } from '#server/lib/dependencies';
import { longestWindowMs } from '#server/lib/limits';

const sweepEveryMs = 10 * 60 * 1000;

type Needs = Pick<Dependencies, 'database' | 'clock' | 'log'>;

/** Removes expired registrations, codes, sessions and counters. */
export async function sweep({ database: { db }, clock }: Omit<Needs, 'log'>): Promise<void> {
  const now = clock();
  await createRegistrationRepository(db).removeExpired(now);
  await createOtpRepository(db).removeExpired(now);
  await createSessionRepository(db).removeExpired(now);
  await createRateBucketRepository(db).removeBefore(now - longestWindowMs);
}

/** Sweeps now and then until the returned function is called. */
export function startMaintenance(needs: Needs): () => void {
  const timer = setInterval(() => {
    sweep(needs).catch((error: unknown) => {
      needs.log.error({ err: error }, 'sweeping failed');
    });
  }, sweepEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
