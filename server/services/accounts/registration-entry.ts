import { type Dependencies } from '#server/app/dependencies';
/** Entering a registration: the same work and the same answer, whether or not the id has an account. */
import { createPersonRepository } from '#server/db/people';
import { createRegistrationRepository, type Registration } from '#server/db/registrations';
import { AppError } from '#server/lib/errors';
import { limits, registrationLifetimeMs } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';

import { attemptHashOf, type Attempts } from './registration-attempts.ts';
import { accountTexts } from './texts.ts';

export type Applicant = {
  readonly telegramId: number;
  readonly email: string;
  readonly password: string;
};

/**
 * Gives the function that adds a registration and sends its code, or tells the account's owner, and
 * returns the attempt. `mayTry`: the password may still be compared with the account's. Throws
 * `account_exists` to who knows the account's password, `busy`, `telegram_unavailable`.
 */
export function createEntry(
  { database: { db }, clock, hasher }: Dependencies,
  {
    attempts,
    limiter,
    messages,
    sendCode,
  }: {
    readonly attempts: Attempts;
    readonly limiter: Limiter;
    readonly messages: Messages;
    readonly sendCode: (registration: Registration) => Promise<void>;
  },
) {
  const people = createPersonRepository(db);
  const registrations = createRegistrationRepository(db);

  return async ({ telegramId, email, password }: Applicant, mayTry: boolean): Promise<string> => {
    const attempt = attempts.make(telegramId);

    const account = await people.find(telegramId);
    if (account) {
      const isOwner = await hasher.verify(password, account.passwordHash);
      if (isOwner && mayTry) {
        await limiter.giveBack(limits.loginFailures, telegramId);
        throw new AppError('account_exists');
      }
      await messages.send(telegramId, { text: accountTexts.accountExists });
      return attempt;
    }

    const passwordHash = await hasher.hash(password);
    const registration = { attemptHash: attemptHashOf(attempt), telegramId, email, passwordHash };
    const createdAt = clock();
    await registrations.add(registration, {
      createdAt,
      expiresAt: createdAt + registrationLifetimeMs,
    });
    await sendCode(registration);
    return attempt;
  };
}
