/** Turns the records of usage into two lists of figures. */
import type { UsageRecord } from '#contract/endpoints/usage';

export type Figure = { readonly name: string; readonly count: number };

const byCount = (a: Figure, b: Figure) => b.count - a.count;

/** The counts of all time, largest first. */
export function totalFigures(records: readonly UsageRecord[]): readonly Figure[] {
  return records.map(({ _id, count }) => ({ name: _id, count })).toSorted(byCount);
}

/** The counts of today, largest first, without zeros. */
export function todayFigures(records: readonly UsageRecord[]): readonly Figure[] {
  return records
    .filter(({ today }) => today !== 0)
    .map(({ _id, today }) => ({ name: _id, count: today }))
    .toSorted(byCount);
}
