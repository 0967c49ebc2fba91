/**
 * Attempts: what the browser that registers is given, and what its code is good together with. They are
 * signed: ours can be told from made up ones without looking whether a registration waits.
 */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

import { type Dependencies } from '#server/app/dependencies';
import { registrationLifetimeMs } from '#server/lib/limits';

const randomBytes = 18;
/** 128 bits. */
const signatureBytes = 16;

/** What is stored of an attempt: the attempt itself stays with the browser that made it. */
export function attemptHashOf(attempt: string): string {
  return createHash('sha256').update(attempt).digest('hex');
}

export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts({
  env,
  clock,
  random,
}: Pick<Dependencies, 'env' | 'clock' | 'random'>) {
  const key = Buffer.from(hkdfSync('sha256', env.secretKey, '', 'nori registration attempts', 32));
  const sign = (telegramId: number, words: string) =>
    createHmac('sha256', key).update(`${telegramId}|${words}`).digest().subarray(0, signatureBytes);

  return {
    /** One for a registration that begins now, or for something that must look like one. */
    make(telegramId: number): string {
      const until = (clock() + registrationLifetimeMs).toString(36);
      const words = `${random.bytes(randomBytes).toString('base64url')}.${until}`;
      return `${words}.${sign(telegramId, words).toString('base64url')}`;
    },

    /** Whether this was given to somebody who registered this id, not long ago. */
    isOurs(attempt: string, telegramId: number): boolean {
      const [nonce = '', until = '', signature = ''] = attempt.split('.');
      const given = Buffer.from(signature, 'base64url');
      return (
        given.length === signatureBytes &&
        timingSafeEqual(given, sign(telegramId, `${nonce}.${until}`)) &&
        Number.parseInt(until, 36) > clock()
      );
    },
  };
}
