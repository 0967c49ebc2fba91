/** Counts how often each feature of the bot is used. */
import { type CountedFeature } from '#contract/endpoints/usage';
import { type Dependencies } from '#server/app/dependencies';
import { createUsageRepository } from '#server/db/counters';

const dayMs = 24 * 60 * 60 * 1000;

/** In the format of the wire. */
type UsageFigure = {
  readonly _id: string;
  readonly count: number;
  readonly today: number;
  /** An example, not a count. */
  readonly is_demo?: true;
};

export type Usage = {
  /** Counts one use of a feature. Never rejects, as the use matters more than its count. */
  readonly count: (feature: CountedFeature) => Promise<void>;
  /** The same for a command, by its name without the slash. */
  readonly countCommand: (name: string) => Promise<void>;
  /** The sums, the most used first; `today` is the UTC day. */
  readonly totals: () => Promise<readonly UsageFigure[]>;
};

export function createUsage({
  database,
  clock,
  log,
  telegram,
}: Pick<Dependencies, 'database' | 'clock' | 'log' | 'telegram'>): Usage {
  const stored = createUsageRepository(database.db);
  const today = () => Math.floor(clock() / dayMs) * dayMs;

  const count = async (name: string): Promise<void> => {
    try {
      await stored.add(name, today());
    } catch (error) {
      log.error({ err: error }, 'Could not count the use of a feature');
    }
  };

  return {
    count,
    countCommand: count,

    totals: async () => {
      const counted = await stored.totals(today());
      if (counted.length === 0 && telegram === undefined) {
        return demoUsage;
      }
      return counted.map(({ name, total, today: todayTotal }) => ({
        _id: name,
        count: total,
        today: todayTotal,
      }));
    },
  };
}

/** Examples, marked as such, for a server without a bot that has counted nothing. */
const demoUsage: readonly UsageFigure[] = [
  ['imagine', 18_432, 214],
  ['sticker filter', 12_906, 377],
  ['tts', 9_741, 88],
  ['inline search', 7_215, 163],
  ['waifu', 6_380, 42],
  ['welcome', 4_118, 19],
  ['now playing', 2_954, 31],
  ['anilist', 1_207, 0],
  ['warn', 863, 6],
  ['translate', 512, 0],
].map(([name, count, today]) => ({
  _id: String(name),
  count: Number(count),
  today: Number(today),
  is_demo: true,
}));
