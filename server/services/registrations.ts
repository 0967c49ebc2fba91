/**
 * Registering. A registration is inert until the code that was sent for it comes back, and a code
 * opens only its own registration: whoever registers somebody else's id gains nothing by it, as the
 * code which the owner of the id may enter never activates a password that somebody else chose.
 */
import { createHash } from 'node:crypto';

import { createPersonRepository } from '#server/db/people';
import { type Registration, createRegistrationRepository } from '#server/db/registrations';
import { type Dependencies } from '#server/lib/dependencies';
import { AppError } from '#server/lib/errors';
import { type Limiter, limits, registrationLifetimeMs } from '#server/lib/limits';

import { accountTexts } from './account-texts.ts';
import { type Messages } from './messages.ts';
import { type OneTimePasswords } from './one-time-passwords.ts';
import { refuseWeakPassword } from './passwords.ts';

const purpose = 'registration';

type Applicant = {
  readonly telegramId: number;
  readonly email: string;
  readonly password: string;
};

/** Which registration is meant; without an attempt, the only one there is. */
type Claim = { readonly telegramId: number; readonly attempt: string | undefined };

export type Registrations = ReturnType<typeof createRegistrations>;

export function createRegistrations(
  { database: { db }, clock, random, hasher }: Dependencies,
  {
    limiter,
    messages,
    oneTimePasswords,
  }: {
    readonly limiter: Limiter;
    readonly messages: Messages;
    readonly oneTimePasswords: OneTimePasswords;
  },
) {
  const people = createPersonRepository(db);
  const registrations = createRegistrationRepository(db);

  /** The registration meant; undefined when it is gone, or when several could be meant. */
  async function find({ telegramId, attempt }: Claim): Promise<Registration | undefined> {
    const live = await registrations.live(telegramId, clock());
    return attempt === undefined
      ? live.length === 1
        ? live[0]
        : undefined
      : live.find(({ attemptHash }) => attemptHash === hashOf(attempt));
  }

  async function sendCode({ telegramId, attemptHash, email }: Registration): Promise<void> {
    const code = await oneTimePasswords.make({ purpose, subject: attemptHash });
    await messages.send(telegramId, { text: accountTexts.code(code, email), code });
  }

  /** Adds the registration and sends its code, or tells the account's owner; returns the attempt. */
  async function enter(
    { telegramId, email, password }: Applicant,
    mayTry: boolean,
  ): Promise<string> {
    const attempt = random.bytes(24).toString('base64url');

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
    const registration = { attemptHash: hashOf(attempt), telegramId, email, passwordHash };
    const createdAt = clock();
    await registrations.add(registration, {
      createdAt,
      expiresAt: createdAt + registrationLifetimeMs,
    });
    await sendCode(registration);
    return attempt;
  }

  return {
    /**
     * Registers, and sends the code. The answer is the same for an id that has an account: its owner
     * is told so by the bot. Only who also knows the account's password hears `account_exists`.
     * Throws `weak_password`, `rate_limited`, `busy`, `telegram_unavailable`.
     */
    async register({ telegramId, email, password }: Applicant): Promise<{ attempt: string }> {
      await refuseWeakPassword(password, { telegramId, email });
      await oneTimePasswords.countSend({ purpose, recipient: telegramId });
      // Every registration is a try at the account's password: counted for all ids alike, so that
      // being refused a login later does not tell which of them have an account.
      const mayTry = await limiter.tryTake(limits.loginFailures, telegramId);
      try {
        return { attempt: await enter({ telegramId, email, password }, mayTry) };
      } catch (error) {
        const code = error instanceof AppError ? error.code : undefined;
        if (code === 'busy') {
          // No password was looked at. After any other failure one was, so that try stays counted.
          await limiter.giveBack(limits.loginFailures, telegramId);
        }
        if (code === 'busy' || code === 'telegram_unavailable') {
          await oneTimePasswords.takeBack({ purpose, recipient: telegramId });
        }
        throw error;
      }
    },

    /** Sends a new code for a waiting registration; does nothing, just as politely, without one. */
    async resend(claim: Claim): Promise<void> {
      await oneTimePasswords.countSend({ purpose, recipient: claim.telegramId });
      const registration = await find(claim);
      try {
        await (registration && sendCode(registration));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'telegram_unavailable') {
          throw error;
        }
        // Said aloud, this would tell that a registration waits. The person may ask again at once.
        await oneTimePasswords.takeBack({ purpose, recipient: claim.telegramId });
      }
    },

    /** Turns the registration into an account. Throws `invalid_code` or `rate_limited`. */
    async activate(claim: Claim, code: string): Promise<void> {
      const { telegramId } = claim;
      const registration = await find(claim);
      await oneTimePasswords.verify({
        purpose,
        subject: registration?.attemptHash ?? '',
        code,
        limitKey: String(telegramId),
      });
      if (!registration) {
        throw new AppError('invalid_code');
      }

      const isNew = await db.transaction().execute(async (tx) => {
        await createRegistrationRepository(tx).removeAll(telegramId);
        return createPersonRepository(tx).add({ ...registration, createdAt: clock() });
      });
      if (!isNew) {
        throw new AppError('invalid_code');
      }
      await limiter.giveBack(limits.loginFailures, telegramId);
    },
  };
}

function hashOf(attempt: string): string {
  return createHash('sha256').update(attempt).digest('hex');
}
