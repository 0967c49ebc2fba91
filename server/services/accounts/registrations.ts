/**
 * Registering. A registration is inert until the code that was sent for it is entered, and a code is
 * valid for its own registration only: registering the Telegram ID of another user gains nothing, as
 * a code that its owner enters never activates a password that the other user chose.
 */
import { type ErrorCode } from '#contract/endpoints/errors';
import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import {
  createAccountRepository,
  createRegistrationRepository,
  type Registration,
} from '#server/db/accounts';
import { AppError } from '#server/lib/errors';
import { codeMinutes, limits, registrationLifetimeMs } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';

import { type Attempts, createAttempts, hashAttempt, toStartParam } from './attempts.ts';
import { type OneTimePasswords, type SendCount } from './one-time-passwords.ts';
import {
  type RequestedCode,
  throwIfWeak,
  type TriedFrom,
  tryPassword,
  wrongPasswordCounts,
} from './passwords.ts';
import { accountTexts } from './texts.ts';
import { type UserLanguageService } from './user-languages.ts';

const purpose = 'registration';

type Tools = {
  readonly limiter: Limiter;
  readonly messages: Messages;
  readonly oneTimePasswords: OneTimePasswords;
  readonly userLanguages: UserLanguageService;
};

type NewRegistration = {
  readonly telegramId: number;
  readonly email: string;
  readonly password: string;
  /** Of the user who registers, for the messages of the bot. */
  readonly language: Language;
  readonly from: TriedFrom;
  /** Launch data proves that it is the owner of the ID who registers. */
  readonly isSelf: boolean;
};

/** Names a registration; without an attempt, the only one of the Telegram ID. */
type Claim = { readonly telegramId: number; readonly attempt: string | undefined };

/** Codes that persons have sent to themselves are counted apart from those that strangers can have sent to them. */
function toCount(telegramId: number, isSelf: boolean): SendCount {
  return {
    purpose,
    recipient: telegramId,
    limitKey: isSelf ? `${telegramId}:self` : String(telegramId),
  };
}

export function createRegistrations(deps: Dependencies, tools: Tools) {
  const { limiter, oneTimePasswords } = tools;
  const { clock, hasher } = deps;
  const { db } = deps.database;
  const registrations = createRegistrationRepository(db);
  const accounts = createAccountRepository(db);
  const attempts = createAttempts(deps, purpose);
  const sendCode = createCodeSender(tools);
  const enter = createEntry(deps, { ...tools, attempts, sendCode });

  /** The claimed registration; undefined when it is gone, or when several match. */
  const find = ({ telegramId, attempt }: Claim): Promise<Registration | undefined> =>
    registrations.findWaiting(telegramId, attempt && hashAttempt(attempt), clock());

  return {
    /**
     * Registers and sends the code. When strangers have used up the codes of the day, the bot's Start sends it. The
     * result is the same for an ID that has an account: then the bot tells its owner. Only with the password of the
     * account `account_exists` is thrown. Throws `weak_password`, `busy`, `telegram_unavailable`, and `rate_limited`
     * where the bot hears no Start.
     */
    async register(registration: NewRegistration): Promise<RequestedCode> {
      const { telegramId, email, password, isSelf } = registration;
      await throwIfWeak(password, { telegramId, email });
      const count = toCount(telegramId, isSelf);
      const isSent = await oneTimePasswords.countSendOrStart(count);
      try {
        const attempt = await enter(registration, isSent);
        return { attempt, startParam: toStartParam('verify', attempt), isSent };
      } catch (error) {
        const gainedNothing = isRefusal(error, 'busy') || isRefusal(error, 'telegram_unavailable');
        if (isSent && gainedNothing) {
          await oneTimePasswords.refundSend(count);
        }
        throw error;
      }
    },

    /**
     * Sends the code to the person who has pressed Start, if the registration is of their own ID. Strangers cannot begin
     * this, so it is counted apart from what they can. Returns whether there was such a registration. Throws
     * `rate_limited`, `account_exists`, `telegram_unavailable`.
     */
    async sendByStart(
      telegramId: number,
      attemptHash: string,
      language: Language,
    ): Promise<boolean> {
      await limiter.take(limits.codesByStart, telegramId);
      const registration = await registrations.findWaiting(telegramId, attemptHash, clock());
      if (registration) {
        await sendCode(registration, language);
      } else if (await accounts.find(telegramId)) {
        throw new AppError('account_exists');
      }
      return registration !== undefined;
    },

    /** Sends a new code for a waiting registration. Without one it does nothing, with the same result. */
    async resend(claim: Claim, language: Language, isSelf: boolean): Promise<void> {
      const count = await countResend(claim, isSelf, { attempts, oneTimePasswords });
      const registration = await find(claim);
      try {
        await (registration && sendCode(registration, language));
      } catch (error) {
        // The error would tell that a registration waits. The user may ask for a code again at once.
        if (!isRefusal(error, 'telegram_unavailable')) {
          throw error;
        }
        await oneTimePasswords.refundSend(count);
      }
    },

    /**
     * Turns the registration into an account. Only the browser that registered, which knows the attempt,
     * has chosen the password: without an attempt the account gets none, as the one who enters the code
     * may be another person than the one who typed the password. Wrong codes are counted by the attempt, so that a visitor
     * who knows only the Telegram ID cannot use up its tries. Returns the hash of the password. Throws
     * `invalid_code` or `rate_limited`.
     */
    async activate(claim: Claim, code: string, from: TriedFrom): Promise<string> {
      const { telegramId, attempt } = claim;
      const registration = await find(claim);
      await oneTimePasswords.verify({
        purpose,
        subject: registration?.attemptHash ?? '',
        code,
        limitKey: attempt === undefined ? String(telegramId) : hashAttempt(attempt),
        isPlain: attempt === undefined,
      });
      if (!registration) {
        throw new AppError('invalid_code');
      }

      const passwordHash =
        attempt === undefined ? hasher.unmatchableHash : registration.passwordHash;
      const isNew = await db.transaction().execute(async (tx) => {
        await createRegistrationRepository(tx).removeAll(telegramId);
        return createAccountRepository(tx).add({
          ...registration,
          passwordHash,
          createdAt: clock(),
        });
      });
      if (!isNew) {
        throw new AppError('invalid_code');
      }
      tools.userLanguages.forget(telegramId);
      // The password of this registration was a try at an account.
      await limiter.giveBackAll(wrongPasswordCounts(telegramId, from));
      return passwordHash;
    },
  };
}

type SendCode = (registration: Registration, language: Language) => Promise<void>;

function createCodeSender({ oneTimePasswords, messages }: Tools): SendCode {
  return async ({ telegramId, attemptHash, email }, language) => {
    const code = await oneTimePasswords.make({ purpose, subject: attemptHash });
    await messages.send(telegramId, language, (say) => ({
      text: say(accountTexts).code(code, maskEmail(email), codeMinutes),
      code,
    }));
  };
}

/**
 * Returns the function that adds a registration and, with `isSent`, sends its code, or tells the owner of the account;
 * both take the same work. It returns the attempt. Throws `account_exists` with the password of the account, `busy`,
 * `telegram_unavailable`.
 */
function createEntry(
  { database: { db }, clock, hasher }: Dependencies,
  {
    attempts,
    limiter,
    messages,
    sendCode,
    userLanguages,
  }: Tools & { readonly attempts: Attempts; readonly sendCode: SendCode },
) {
  const accounts = createAccountRepository(db);
  const registrations = createRegistrationRepository(db);

  /**
   * Every registration is a try at the password of the account. It is counted for all IDs, so that a login that is
   * refused later does not tell which of them have an account.
   */
  async function isOwnPassword(
    { telegramId, from }: NewRegistration,
    check: () => Promise<boolean>,
  ) {
    try {
      return await tryPassword(limiter, { failures: wrongPasswordCounts(telegramId, from) }, check);
    } catch (error) {
      if (isRefusal(error, 'rate_limited') || isRefusal(error, 'code_required')) {
        // The same work as otherwise, and nothing is learned from it.
        await check();
        return false;
      }
      throw error;
    }
  }

  return async (given: NewRegistration, isSent: boolean): Promise<string> => {
    const { telegramId, email, password, language } = given;
    const attempt = attempts.make(telegramId);
    const account = await accounts.find(telegramId);
    let passwordHash = '';
    const isOwner = await isOwnPassword(given, async () => {
      if (account) {
        return hasher.verify(password, account.passwordHash);
      }
      passwordHash = await hasher.hash(password);
      return false;
    });
    if (isOwner) {
      throw new AppError('account_exists');
    }
    if (account) {
      const recipient = userLanguages.pick(account.languages, language);
      await (isSent &&
        messages.send(telegramId, recipient.language, (say) => ({
          text: say(accountTexts).accountExists,
        })));
      return attempt;
    }
    const registration = { attemptHash: hashAttempt(attempt), telegramId, email, passwordHash };
    const createdAt = clock();
    await registrations.add(registration, {
      createdAt,
      expiresAt: createdAt + registrationLifetimeMs,
    });
    await (isSent && sendCode(registration, language));
    return attempt;
  };
}

/**
 * Counts a resend. The browser that registered shares the count of the codes of its registration; any
 * other has a count of its own, so that strangers use up nothing of it. Which count it is must not
 * depend on whether a registration waits or an account exists: that would reveal either.
 */
async function countResend(
  { telegramId, attempt }: Claim,
  isSelf: boolean,
  { attempts, oneTimePasswords }: { attempts: Attempts; oneTimePasswords: OneTimePasswords },
): Promise<SendCount> {
  const count = toCount(telegramId, isSelf);
  if (isSelf || (attempt !== undefined && attempts.isOurs(attempt, telegramId))) {
    await oneTimePasswords.countSend(count);
    return count;
  }
  // Two counts must not send the user two codes in the same minute.
  await oneTimePasswords.throwIfFull(count);
  const plain: SendCount = { ...count, limitKey: `${telegramId}:plain` };
  await oneTimePasswords.countSend(plain);
  return plain;
}

function isRefusal(error: unknown, code: ErrorCode): boolean {
  return error instanceof AppError && error.code === code;
}

/** Enough of an address for its owner to recognise it: a•••@x.org. */
function maskEmail(email: string): string {
  return `${email.slice(0, 1)}•••${email.slice(email.lastIndexOf('@'))}`;
}
