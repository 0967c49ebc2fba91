/** One-time passwords: six digits that prove that a user reads the messages of a Telegram account. */
import { randomUUID } from 'node:crypto';

import { type Dependencies } from '#server/app/dependencies';
import { createOtpRepository } from '#server/db/one-time-passwords';
import { type Tables } from '#server/db/tables';
import { createSigner, deriveKeys } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { codeRules, limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';

type Purpose = Tables['otps']['purpose'];

type CodeRequest = {
  readonly purpose: Purpose;
  /** What the code is valid for, and nothing else. */
  readonly subject: string;
  /** Telegram ID of the user who receives it. */
  readonly recipient: number;
  /** Sends with the same key are counted together; the recipient when absent. */
  readonly limitKey?: string;
};

/** Identifies the counters of a send. */
export type SendCount = Omit<CodeRequest, 'subject'>;

type CodeCheck = {
  readonly purpose: Purpose;
  readonly subject: string;
  readonly code: string;
  /** Wrong tries with the same key are counted together, across codes; the subject when absent. */
  readonly limitKey?: string;
  /** A try that anyone could make: it uses up some of the tries only. */
  readonly isPlain?: boolean;
};

export type OneTimePasswords = ReturnType<typeof createOneTimePasswords>;

/** Whether the bot hears updates, so that its Start can send a code. */
export function hearsStart({ botToken, botMode }: Dependencies['env']): boolean {
  return botToken !== undefined && botMode !== 'off';
}

/** What the hash of a code is made of. */
const toText = (purpose: Purpose, subject: string, code: string) => `${purpose}|${subject}|${code}`;

export function createOneTimePasswords(
  { env, database: { db }, clock, random }: Dependencies,
  limiter: Limiter,
) {
  const codes = createOtpRepository(db);
  const signer = createSigner(deriveKeys(env.secretKeys, 'nori one-time passwords'));

  /** Counts a send without making a code, so that a caller cannot tell whether one was made. Throws `rate_limited`. */
  async function countSend({
    purpose,
    recipient,
    limitKey = String(recipient),
  }: SendCount): Promise<void> {
    await limiter.take(limits.codeCooldown, `${purpose}:${limitKey}`);
    await limiter.take(limits.codesPerDay, `${purpose}:${limitKey}`);
  }

  /** Throws like `countSend`, but does not count. */
  async function throwIfFull({ purpose, recipient, limitKey = String(recipient) }: SendCount) {
    await limiter.throwIfFull(limits.codeCooldown, `${purpose}:${limitKey}`);
    await limiter.throwIfFull(limits.codesPerDay, `${purpose}:${limitKey}`);
  }

  /** Uncounts a send that failed, so that the next one need not wait. */
  async function refundSend({
    purpose,
    recipient,
    limitKey = String(recipient),
  }: SendCount): Promise<void> {
    await limiter.giveBack(limits.codeCooldown, `${purpose}:${limitKey}`);
    await limiter.giveBack(limits.codesPerDay, `${purpose}:${limitKey}`);
  }

  /** Makes the code of a subject; an earlier one is no longer valid. The caller sends it. */
  async function make({ purpose, subject }: Pick<CodeRequest, 'purpose' | 'subject'>) {
    const code = random.digits(6);
    const now = clock();
    await codes.replace(
      { purpose, subject },
      {
        id: randomUUID(),
        code_hash: signer.sign(toText(purpose, subject, code)).toString('hex'),
        created_at: now,
        expires_at: now + codeRules.lifetimeMs,
      },
    );
    return code;
  }

  /** Counts a send, then makes the code. Throws `rate_limited`. */
  async function issue(request: CodeRequest): Promise<string> {
    await countSend(request);
    return make(request);
  }

  /**
   * Counts like `countSend`; false when there was no room, and the person gets the code by the bot's Start. Throws like
   * `countSend` where the bot hears no Start.
   */
  async function countSendOrStart(count: SendCount): Promise<boolean> {
    try {
      await countSend(count);
      return true;
    } catch (error) {
      if (hearsStart(env) && error instanceof AppError && error.code === 'rate_limited') {
        return false;
      }
      throw error;
    }
  }

  /** Checks a code and removes it. Throws `invalid_code`, or `rate_limited` after too many wrong ones. */
  async function verify(check: CodeCheck): Promise<void> {
    const { purpose, subject, code, limitKey = subject, isPlain = false } = check;
    const key = `${purpose}:${limitKey}`;
    await limiter.take(limits.wrongCodesPerDay, key);

    const { maxTries, maxPlainTries } = codeRules;
    const rules = { now: clock(), maxTries, ...(isPlain ? { maxPlainTries } : {}) };
    const found = await codes.countTry({ purpose, subject }, rules);
    const isRight =
      found && signer.isSigned(toText(purpose, subject, code), Buffer.from(found.code_hash, 'hex'));
    if (!isRight || !(await codes.use(found.id))) {
      throw new AppError('invalid_code');
    }
    await limiter.giveBack(limits.wrongCodesPerDay, key);
  }

  return { countSend, countSendOrStart, throwIfFull, refundSend, make, issue, verify };
}
