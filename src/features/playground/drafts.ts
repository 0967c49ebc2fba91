/** What is in the forms: kept on the device, so that neither a reload nor another endpoint empties them. */
import * as v from 'valibot';
import { create } from 'zustand';

import { type PublicEndpoint, type Values } from '#contract/playground/public-endpoint';
import { storedValue } from '#lib/storage';

import { onLeft } from './left.ts';
import { defaultsOf } from './request.ts';

const kept = storedValue(
  'nori_playground_drafts',
  v.record(v.string(), v.record(v.string(), v.string())),
);

type Drafts = {
  /** Endpoint → what is in its form. */
  readonly drafts: Readonly<Record<string, Values>>;
  readonly fill: (endpoint: PublicEndpoint, values: Values) => void;
  /** Reads what is on the device. */
  readonly recall: () => void;
};

export const useDrafts = create<Drafts>()((set, get) => ({
  drafts: {},
  fill: ({ id }, values) => {
    const drafts = { ...get().drafts, [id]: values };
    kept.write(filledOnly(drafts));
    set({ drafts });
  },
  recall: () => set({ drafts: { ...kept.read(), ...get().drafts } }),
}));

// The device has forgotten them by then; the page that goes on must not write them back.
onLeft(() => useDrafts.setState({ drafts: {} }));

function filledOnly(drafts: Drafts['drafts']): Record<string, Record<string, string>> {
  return Object.fromEntries(
    Object.entries(drafts).map(([id, values]) => [
      id,
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? ''])),
    ]),
  );
}

/** What is in the form of an endpoint. */
export function useValues(endpoint: PublicEndpoint): Values {
  const draft = useDrafts(({ drafts }) => drafts[endpoint.id]);
  return { ...defaultsOf(endpoint), ...draft };
}
