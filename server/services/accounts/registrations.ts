/**
 * Registering. A registration is inert until the code that was sent for it comes back, and a code
 * opens only its own registration: whoever registers somebody else's id gains nothing by it, as the
 * code which the owner of the id may enter never activates a password that somebody else chose.
 */
import { type ErrorCode } from '#contract/endpoints/errors';
import { type Dependencies } from '#server/app/dependencies';
import { createPersonRepository } from '#server/db/people';
import { type Registration, createRegistrationRepository } from '#server/db/registrations';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';

import { type OneTimePasswords, type SendCount } from './one-time-passwords.ts';
import { refuseWeakPassword } from './passwords.ts';
import { attemptHashOf, type Attempts, createAttempts } from './registration-attempts.ts';
import { type Applicant, createEntry } from './registration-entry.ts';
import { accountTexts } from './texts.ts';

const purpose = 'registration';

/** Which registration is meant; without an attempt, the only one there is. */
type Claim = { readonly telegramId: number; readonly attempt: string | undefined };

export function createRegistrations(
  deps: Dependencies,
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
  const {
    database: { db },
    clock,
  } = deps;
  const registrations = createRegistrationRepository(db);
  const attempts = createAttempts(deps);

  /** The registration meant; undefined when it is gone, or when several could be meant. */
  async function find({ telegramId, attempt }: Claim): Promise<Registration | undefined> {
    return choose(await registrations.live(telegramId, clock()), attempt);
  }

  async function sendCode({ telegramId, attemptHash, email }: Registration): Promise<void> {
    const code = await oneTimePasswords.make({ purpose, subject: attemptHash });
    await messages.send(telegramId, { text: accountTexts.code(code, email), code });
  }

  const enter = createEntry(deps, { attempts, limiter, messages, sendCode });

  /** Takes back what a failed registration was counted for, where it got nobody anything. */
  async function takeBack(telegramId: number, error: unknown): Promise<void> {
    const isBusy = isRefusal(error, 'busy');
    if (isBusy) {
      // No password was looked at. After any other failure one was, so that try stays counted.
      await limiter.giveBack(limits.loginFailures, telegramId);
    }
    if (isBusy || isRefusal(error, 'telegram_unavailable')) {
      await oneTimePasswords.takeBack({ purpose, recipient: telegramId });
    }
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
        await takeBack(telegramId, error);
        throw error;
      }
    },

    /** Sends a new code for a waiting registration; does nothing, just as politely, without one. */
    async resend(claim: Claim): Promise<void> {
      const count = await countResend(claim, { attempts, oneTimePasswords });
      const registration = await find(claim);
      try {
        await (registration && sendCode(registration));
      } catch (error) {
        // Said aloud, this would tell that a registration waits. The person may ask again at once.
        if (!isRefusal(error, 'telegram_unavailable')) {
          throw error;
        }
        await oneTimePasswords.takeBack(count);
      }
    },

    /**
     * Turns the registration into an account. Wrong codes are counted by the attempt; those of whoever knows
     * the id alone use up neither its tries nor its day. Throws `invalid_code` or `rate_limited`.
     */
    async activate(claim: Claim, code: string): Promise<void> {
      const { telegramId, attempt } = claim;
      const registration = await find(claim);
      await oneTimePasswords.verify({
        purpose,
        subject: registration?.attemptHash ?? '',
        code,
        limitKey: attempt === undefined ? String(telegramId) : attemptHashOf(attempt),
        isPlain: attempt === undefined,
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

/**
 * Counts a resend. Who has registered shares the count of the codes that registering sends; anybody
 * else has one of their own, so that strangers use up nothing that those need. Which of the two it is must not
 * depend on whether a registration waits, or an account is there: either would tell.
 */
async function countResend(
  { telegramId, attempt }: Claim,
  { attempts, oneTimePasswords }: { attempts: Attempts; oneTimePasswords: OneTimePasswords },
): Promise<SendCount> {
  const count: SendCount = { purpose, recipient: telegramId };
  if (attempt !== undefined && attempts.isOurs(attempt, telegramId)) {
    await oneTimePasswords.countSend(count);
    return count;
  }
  // The person is not sent two at once by two counts.
  await oneTimePasswords.refuseFull(count);
  const plain: SendCount = { ...count, limitKey: `${telegramId}:plain` };
  await oneTimePasswords.countSend(plain);
  return plain;
}

/** The registration of an attempt; without one, the only registration there is. */
function choose(
  live: readonly Registration[],
  attempt: string | undefined,
): Registration | undefined {
  if (attempt !== undefined) {
    return live.find(({ attemptHash }) => attemptHash === attemptHashOf(attempt));
  }
  return live.length === 1 ? live[0] : undefined;
}

function isRefusal(error: unknown, code: ErrorCode): boolean {
  return error instanceof AppError && error.code === code;
}
