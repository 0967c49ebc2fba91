/** Tries at an account's password: each is counted before it is looked at, so that parallel ones count too. */
import { limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';

/**
 * Makes one counted try; `check` says whether the password is right. A right one is not counted, nor
 * is one that the server was too busy to look at. Throws `rate_limited`, and whatever `check` throws.
 */
export async function tryPassword(
  limiter: Limiter,
  telegramId: number,
  check: () => Promise<boolean>,
): Promise<boolean> {
  await limiter.take(limits.loginFailures, telegramId);
  const giveBack = () => limiter.giveBack(limits.loginFailures, telegramId);
  let isRight: boolean;
  try {
    isRight = await check();
  } catch (error) {
    await giveBack();
    throw error;
  }
  if (isRight) {
    await giveBack();
  }
  return isRight;
}
