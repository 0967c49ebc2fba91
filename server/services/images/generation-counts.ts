/** What a wish for a picture is counted by: its person or address, and where it costs money also all of them together. */
import { type Dependencies } from '#server/app/dependencies';
import { type Limit, limits } from '#server/lib/limits';
import { type Requester } from '#server/lib/requester';
import { type Limiter } from '#server/services/limiter';
import { type ImageEngine } from '#server/upstream/images/image-engine';

type Count = readonly [limit: Limit, key: string | number];

export function createGenerationCounts({ env }: Pick<Dependencies, 'env'>, limiter: Limiter) {
  function countsOf(
    { abilities }: ImageEngine,
    { telegramId, address }: Requester,
  ): readonly Count[] {
    const guestLimit = abilities.isFree ? limits.addressGenerations : limits.addressPaidGenerations;
    const own: Count =
      telegramId === undefined ? [guestLimit, address] : [limits.generations, telegramId];
    const { paidPicturesPerDay: max } = env;
    return abilities.isFree || max === undefined
      ? [own]
      : [own, [{ ...limits.paidGenerations, max }, 'all']];
  }

  async function giveBack(counts: readonly Count[]): Promise<void> {
    for (const [limit, key] of counts) {
      await limiter.giveBack(limit, key);
    }
  }

  return {
    /** Counts a wish, and answers how to take that back. Throws `rate_limited`, and then counts nothing. */
    async take(engine: ImageEngine, requester: Requester): Promise<() => Promise<void>> {
      const counts = countsOf(engine, requester);
      for (const [index, [limit, key]] of counts.entries()) {
        try {
          await limiter.take(limit, key);
        } catch (error) {
          await giveBack(counts.slice(0, index));
          throw error;
        }
      }
      return () => giveBack(counts);
    },
  };
}
