/**
 * A new password without the old one: for who proves the Telegram ID by a code that the bot sends, or by
 * launch data. It ends all sessions, so that an account that another person could open is its owner's again.
 */
import { type Dependencies } from '#server/app/dependencies';
import { createAccountRepository, createRegistrationRepository } from '#server/db/accounts';
import { createSessionRepository } from '#server/db/sessions';
import { AppError } from '#server/lib/errors';
import { codeRules } from '#server/lib/limits';
import { type Messages } from '#server/services/messages';

import { createAttempts, hashAttempt } from './attempts.ts';
import { type OneTimePasswords } from './one-time-passwords.ts';
import { throwIfWeak } from './passwords.ts';
import { type Sessions } from './sessions.ts';

const purpose = 'password';

type Tools = {
  readonly messages: Messages;
  readonly oneTimePasswords: OneTimePasswords;
  readonly sessions: Sessions;
};

export function createPasswordResets(
  deps: Dependencies,
  { messages, oneTimePasswords, sessions }: Tools,
) {
  const { hasher, log } = deps;
  const { db } = deps.database;
  const accounts = createAccountRepository(db);
  const attempts = createAttempts(deps, purpose);

  async function sendCode(telegramId: number, attempt: string): Promise<void> {
    if (await accounts.find(telegramId)) {
      const code = await oneTimePasswords.make({ purpose, subject: hashAttempt(attempt) });
      await messages.send(telegramId, { text: resetText(code), code });
    }
  }

  /** Returns false when there is no such account. */
  async function store(telegramId: number, passwordHash: string): Promise<boolean> {
    const isStored = await db.transaction().execute(async (tx) => {
      await createRegistrationRepository(tx).removeAll(telegramId);
      await createSessionRepository(tx).removeAll(telegramId);
      return createAccountRepository(tx).setPasswordHash(telegramId, passwordHash);
    });
    sessions.publishEnd(telegramId);
    return isStored;
  }

  return {
    /**
     * Sends a code to the owner of the account, if there is one. The answer is the same without, and does
     * not wait for the sending, so that neither it nor its time tells which IDs have an account. Returns the
     * attempt, without which the code is worth nothing: others cannot use up its tries.
     * Throws `rate_limited`.
     */
    async request(telegramId: number): Promise<{ attempt: string }> {
      const count = { purpose, recipient: telegramId } as const;
      await oneTimePasswords.countSend(count);
      const attempt = attempts.make(telegramId);
      sendCode(telegramId, attempt).catch((error: unknown) => {
        log.warn({ err: error }, 'Could not send the code for a new password');
      });
      return { attempt };
    },

    /** Throws `weak_password`, `invalid_code`, `rate_limited`, `busy`. A weak password uses up no code. */
    async resetByCode(
      telegramId: number,
      { attempt, code, password }: { attempt: string; code: string; password: string },
    ): Promise<void> {
      if (!attempts.isOurs(attempt, telegramId)) {
        throw new AppError('invalid_code');
      }
      // Without the address of the account: its rule would tell which address an account has.
      await throwIfWeak(password, { telegramId, email: '' });
      const passwordHash = await hasher.hash(password);
      const subject = hashAttempt(attempt);
      await oneTimePasswords.verify({ purpose, subject, code });
      if (!(await store(telegramId, passwordHash))) {
        throw new AppError('invalid_code');
      }
    },

    /** For the user of launch data that is younger than an hour. Throws `no_account`, `weak_password`, `busy`. */
    async resetByLaunch(telegramId: number, password: string): Promise<void> {
      const account = await accounts.find(telegramId);
      if (!account) {
        throw new AppError('no_account');
      }
      await throwIfWeak(password, account);
      if (!(await store(telegramId, await hasher.hash(password)))) {
        throw new AppError('no_account');
      }
    },
  };
}

const minutes = codeRules.lifetimeMs / 60_000;

/** The message of the bot. The code comes first, so that it shows in the notification. */
function resetText(code: string): string {
  return [
    `${code} is the code to set a new password for your Nori account.`,
    `The code is good for ${minutes} minutes. If you did not ask for it, ignore this message and give the code to nobody.`,
  ].join('\n\n');
}
