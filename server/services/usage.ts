/** Counts how often each feature of the bot is used. */
import { type CommandId, findCurrentId } from '#contract/commands/index';
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
  /** The same for a command. */
  readonly countCommand: (id: CommandId) => Promise<void>;
  /** The sums, the most used first; `today` is the UTC day. Counts under a former ID belong to the command's. */
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
      return mergeFormerIds(counted);
    },
  };
}

function mergeFormerIds(
  counted: readonly { readonly name: string; readonly total: number; readonly today: number }[],
): readonly UsageFigure[] {
  const figures = new Map<string, UsageFigure>();
  for (const { name, total, today } of counted) {
    const id = findCurrentId(name) ?? name;
    const sum = figures.get(id);
    figures.set(id, {
      _id: id,
      count: total + (sum?.count ?? 0),
      today: today + (sum?.today ?? 0),
    });
  }
  return [...figures.values()].toSorted((a, b) => b.count - a.count);
}

const examples: readonly (readonly [CommandId | CountedFeature, number, number])[] = [
  ['Image generation', 18_432, 214],
  ['status', 12_906, 377],
  ['warn', 9741, 88],
  ['report', 7215, 163],
  ['mute', 6380, 42],
  ['ban', 4118, 19],
  ['purge', 2954, 31],
  ['approve', 1207, 0],
  ['pin', 863, 6],
  ['promote', 512, 0],
];

/** For a server without a bot that has counted nothing; marked as examples. */
const demoUsage: readonly UsageFigure[] = examples.map(([name, count, today]) => ({
  _id: name,
  count,
  today,
  is_demo: true,
}));
