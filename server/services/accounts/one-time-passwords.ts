/** One-time passwords: six digits that prove somebody reads the messages of a Telegram account. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

import { type Dependencies } from '#server/app/dependencies';
import { createOtpRepository } from '#server/db/one-time-passwords';
import { type Tables } from '#server/db/tables';
import { AppError } from '#server/lib/errors';
import { codeRules, limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';

type Purpose = Tables['otps']['purpose'];

type CodeRequest = {
  readonly purpose: Purpose;
  /** What the code opens; a code is good for nothing else. */
  readonly subject: string;
  /** Telegram id of whoever receives it. */
  readonly recipient: number;
  /** Whose sends are counted together; the recipient's by default. */
  readonly limitKey?: string;
};

/** What a send is counted by. */
export type SendCount = Omit<CodeRequest, 'subject'>;

type CodeCheck = {
  readonly purpose: Purpose;
  readonly subject: string;
  readonly code: string;
  /** Whose wrong tries are counted together, across codes; the subject's by default. */
  readonly limitKey?: string;
  /** Whether anybody can try: such tries are counted apart, so that they use up nobody else's. */
  readonly isPlain?: boolean;
};

export type OneTimePasswords = ReturnType<typeof createOneTimePasswords>;

export function createOneTimePasswords(
  { env, database: { db }, clock, random }: Dependencies,
  limiter: Limiter,
) {
  const codes = createOtpRepository(db);
  const hashOf = (purpose: Purpose, subject: string, code: string) =>
    createHmac('sha256', env.secretKey).update(`${purpose}|${subject}|${code}`).digest('hex');

  /** Counts a send without making a code, for those who must not learn that there is none. */
  async function countSend({
    purpose,
    recipient,
    limitKey = String(recipient),
  }: SendCount): Promise<void> {
    await limiter.take(limits.codeCooldown, `${purpose}:${limitKey}`);
    await limiter.take(limits.codesPerDay, `${purpose}:${limitKey}`);
  }

  /** Throws like `countSend`, and counts nothing. */
  async function refuseFull({ purpose, recipient, limitKey = String(recipient) }: SendCount) {
    await limiter.refuseFull(limits.codeCooldown, `${purpose}:${limitKey}`);
    await limiter.refuseFull(limits.codesPerDay, `${purpose}:${limitKey}`);
  }

  /** Takes back a send that did not reach anybody, so that the next one need not wait. */
  async function takeBack({
    purpose,
    recipient,
    limitKey = String(recipient),
  }: SendCount): Promise<void> {
    await limiter.giveBack(limits.codeCooldown, `${purpose}:${limitKey}`);
    await limiter.giveBack(limits.codesPerDay, `${purpose}:${limitKey}`);
  }

  /** Makes the subject's code; an earlier one is dead from then on. The caller sends it. */
  async function make({ purpose, subject }: Pick<CodeRequest, 'purpose' | 'subject'>) {
    const code = random.digits(6);
    const now = clock();
    await codes.replace(
      { purpose, subject },
      {
        id: randomUUID(),
        code_hash: hashOf(purpose, subject, code),
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

  /** The code that is there to be tried; undefined when there is none, or it was tried too often. */
  async function tryOut({ purpose, subject, isPlain = false }: CodeCheck) {
    const rules = { now: clock(), maxTries: codeRules.maxTries };
    if (!isPlain) {
      return codes.countTry({ purpose, subject }, rules);
    }
    const found = await codes.find({ purpose, subject }, rules);
    return found && (await limiter.tryTake(limits.plainTries, found.id)) ? found : undefined;
  }

  /** Uses a code up. Throws `invalid_code`, or `rate_limited` after too many wrong ones. */
  async function verify(check: CodeCheck): Promise<void> {
    const { purpose, subject, code, limitKey = subject } = check;
    const key = `${purpose}:${limitKey}`;
    await limiter.take(limits.wrongCodesPerDay, key);

    const found = await tryOut(check);
    const isRight = found && isSame(found.code_hash, hashOf(purpose, subject, code));
    if (!isRight || !(await codes.use(found.id))) {
      throw new AppError('invalid_code');
    }
    await limiter.giveBack(limits.wrongCodesPerDay, key);
  }

  return { countSend, refuseFull, takeBack, make, issue, verify };
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
