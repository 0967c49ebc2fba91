/** The two lists of figures that are made from the records of usage. */
import type { UsageRecord } from '#contract/endpoints/usage';

export type Figure = { readonly name: string; readonly count: number };

const mostUsedFirst = (a: Figure, b: Figure) => b.count - a.count;

/** Of all time, the most used first. */
export function totalFigures(records: readonly UsageRecord[]): readonly Figure[] {
  return records.map(({ _id, count }) => ({ name: _id, count })).toSorted(mostUsedFirst);
}

/** Of today, without those that nobody has used yet. */
export function figuresOfToday(records: readonly UsageRecord[]): readonly Figure[] {
  return records
    .filter(({ today }) => today !== 0)
    .map(({ _id, today }) => ({ name: _id, count: today }))
    .toSorted(mostUsedFirst);
}
