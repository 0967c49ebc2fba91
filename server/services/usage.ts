import { type Dependencies } from '#server/app/dependencies';
/** Counts what people really do with the bot, and tells the sums. */
import { createUsageRepository } from '#server/db/usage';

import { demoUsage } from './usage-demo.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** As the wire has it. */
export type UsageFigure = {
  readonly _id: string;
  readonly count: number;
  readonly today: number;
  /** An example and no count. */
  readonly is_demo?: true;
};

export type Usage = {
  /** Counts one use of a feature. Never rejects: what is counted matters more than the count. */
  readonly count: (feature: string) => Promise<void>;
  /** The sums, the most used first; `today` is the day by UTC. */
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

  return {
    count: async (feature) => {
      try {
        await stored.add(feature, today());
      } catch (error) {
        log.error({ err: error }, 'usage was not counted');
      }
    },

    totals: async () => {
      const counted = await stored.totals(today());
      if (counted.length === 0 && telegram === undefined) {
        return demoUsage;
      }
      return counted.map(({ name, total, today: ofToday }) => ({
        _id: name,
        count: total,
        today: ofToday,
      }));
    },
  };
}
