/** What the device stores of the playground: drafts of the forms, and the last calls. Both end with the user. */
import * as v from 'valibot';
import { create } from 'zustand';

import { type PublicEndpoint, type Values } from '#contract/playground/public-endpoint';
import { onUserLeft } from '#lib/session';
import { storedValue } from '#lib/storage';

import { getDefaults } from './request.ts';

const storedDrafts = storedValue(
  'nori_playground_drafts',
  v.record(v.string(), v.record(v.string(), v.string())),
);

type Drafts = {
  /** Endpoint ID → the values of its form. */
  readonly drafts: Readonly<Record<string, Values>>;
  readonly fill: (endpoint: PublicEndpoint, values: Values) => void;
  /** Reads what the device has stored. */
  readonly restore: () => void;
};

/** Neither a reload nor another endpoint empties a form. */
export const useDrafts = create<Drafts>()((set, get) => ({
  drafts: {},
  fill: ({ id }, values) => {
    const drafts = { ...get().drafts, [id]: values };
    storedDrafts.write(
      Object.fromEntries(
        Object.entries(drafts).map(([endpointId, draft]) => [
          endpointId,
          Object.fromEntries(Object.entries(draft).map(([name, value = '']) => [name, value])),
        ]),
      ),
    );
    set({ drafts });
  },
  restore: () => set({ drafts: { ...storedDrafts.read(), ...get().drafts } }),
}));

// A logout has already cleared the storage; the page must not write the drafts back.
onUserLeft(() => useDrafts.setState({ drafts: {} }));

/** The values in the form of an endpoint. */
export function useValues(endpoint: PublicEndpoint): Values {
  const draft = useDrafts(({ drafts }) => drafts[endpoint.id]);
  return { ...getDefaults(endpoint), ...draft };
}

const maxCalls = 50;

const callSchema = v.object({
  id: v.string(),
  endpointId: v.string(),
  values: v.record(v.string(), v.string()),
  /** Absent when there was no answer. */
  status: v.optional(v.number()),
  ms: v.optional(v.number()),
  /** Epoch milliseconds. */
  at: v.number(),
});
export type Call = v.InferOutput<typeof callSchema>;

const storedCalls = storedValue(
  'nori_playground_calls',
  v.pipe(
    v.array(callSchema),
    v.transform((calls) => calls.slice(0, maxCalls)),
  ),
);

type Calls = {
  /** Newest first. */
  readonly calls: readonly Call[];
  readonly add: (call: Omit<Call, 'id' | 'at' | 'values'> & { readonly values: Values }) => void;
  readonly clear: () => void;
  /** Reads what the device has stored. */
  readonly restore: () => void;
};

/** The last calls: only what was sent, no answers and no tokens. */
export const useCalls = create<Calls>()((set) => ({
  calls: [],
  add: ({ values, ...call }) => {
    const filled = Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value] as const],
    );
    const added = {
      ...call,
      id: `${Date.now()}-${Math.random().toString(36).slice(2, 8)}`,
      at: Date.now(),
      values: Object.fromEntries(filled),
    };
    // Read again, because another tab may have added some.
    const calls = [added, ...(storedCalls.read() ?? [])].slice(0, maxCalls);
    storedCalls.write(calls);
    set({ calls });
  },
  clear: () => {
    storedCalls.write(undefined);
    set({ calls: [] });
  },
  restore: () => set({ calls: storedCalls.read() ?? [] }),
}));

onUserLeft(() => useCalls.setState({ calls: [] }));

/** Calls back when another tab has added or removed calls. Returns the unsubscribe function. */
export const onCallsElsewhere = storedCalls.onChangedElsewhere;
