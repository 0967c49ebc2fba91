/** The last calls that were made here. Values only: no answer, and no token, as none is ever sent. */
import * as v from 'valibot';
import { create } from 'zustand';

import { type Values } from '#contract/playground/public-endpoint';
import { storedValue } from '#lib/storage';

import { onLeft } from './left.ts';

const mostCalls = 50;

const call = v.object({
  id: v.string(),
  endpointId: v.string(),
  values: v.record(v.string(), v.string()),
  /** Absent when no answer came. */
  status: v.optional(v.number()),
  ms: v.optional(v.number()),
  /** Epoch milliseconds. */
  at: v.number(),
});
export type Call = v.InferOutput<typeof call>;

const kept = storedValue(
  'nori_playground_calls',
  v.pipe(
    v.array(call),
    v.transform((calls) => calls.slice(0, mostCalls)),
  ),
);

type Calls = {
  /** The latest first. */
  readonly calls: readonly Call[];
  readonly add: (made: Omit<Call, 'id' | 'at' | 'values'> & { readonly values: Values }) => void;
  readonly clear: () => void;
  /** Reads what is on the device. */
  readonly recall: () => void;
};

export const useCalls = create<Calls>()((set) => ({
  calls: [],
  add: ({ values, ...made }) => {
    const filled = Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value] as const],
    );
    const added = {
      ...made,
      id: `${Date.now()}-${Math.random().toString(36).slice(2, 8)}`,
      at: Date.now(),
      values: Object.fromEntries(filled),
    };
    // Another tab may have made some, too.
    const calls = [added, ...(kept.read() ?? [])].slice(0, mostCalls);
    kept.write(calls);
    set({ calls });
  },
  clear: () => {
    kept.write(undefined);
    set({ calls: [] });
  },
  recall: () => set({ calls: kept.read() ?? [] }),
}));

onLeft(() => useCalls.setState({ calls: [] }));

/** Calls back when another tab made or removed some. */
export const onCallsElsewhere = kept.onChangedElsewhere;
