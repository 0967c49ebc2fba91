/** Services at which somebody is saying yes right now, on another page. Outlives the dashboard's list. */
import { useEffect } from 'react';
import { create } from 'zustand';

import { type ServiceId } from '#contract/endpoints/connections';
import { onSessionChange } from '#lib/session';

/** As long as the server waits for the answer. */
const patienceMs = 10 * 60_000;

type Wait = {
  /** Where the person agrees. */
  readonly address: string;
  /** Epoch milliseconds. */
  readonly until: number;
};

type Waits = {
  readonly waits: Partial<Readonly<Record<ServiceId, Wait>>>;
  readonly begin: (service: ServiceId, address: string) => void;
  /** Answers whether anybody was waiting. */
  readonly end: (service: ServiceId) => boolean;
};

export const useWaits = create<Waits>()((set, get) => ({
  waits: {},
  begin: (service, address) =>
    set(({ waits }) => ({
      waits: { ...waits, [service]: { address, until: Date.now() + patienceMs } },
    })),
  end: (service) => {
    const { [service]: wait, ...others } = get().waits;
    set({ waits: others });
    return wait !== undefined;
  },
}));

// What one person waits for is nothing to the next.
onSessionChange((session) => {
  if (session.status !== 'member') {
    useWaits.setState({ waits: {} });
  }
});

/** The wait for a service; it ends by itself when the server no longer takes the answer. */
export function useWaitFor(service: ServiceId): Wait | undefined {
  const wait = useWaits(({ waits }) => waits[service]);

  useEffect(() => {
    if (wait === undefined) {
      return undefined;
    }
    const timer = setTimeout(() => useWaits.getState().end(service), wait.until - Date.now());
    return () => clearTimeout(timer);
  }, [service, wait]);

  return wait;
}
