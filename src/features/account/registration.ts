/** The registration that waits for its code. It outlives a reload of the tab, and never holds a password. */
import * as v from 'valibot';
import { create } from 'zustand';

import { tabMarks } from '#lib/storage';

/** How long to wait between two codes, in seconds. */
export const resendAfterS = 60;

const registration = v.object({
  telegramId: v.pipe(v.string(), v.regex(/^[1-9]\d{0,15}$/)),
  /** What the server gave this browser; a code counts only together with it. */
  attempt: v.optional(v.string()),
  /** When the last code was asked for, ms since 1970, and how long to wait from then, in seconds. */
  sentAt: v.number(),
  waitS: v.pipe(v.number(), v.minValue(0), v.maxValue(86_400)),
});
export type Registration = v.InferOutput<typeof registration>;

type Store = { readonly registration: Registration | undefined };

/** Starts empty, so that the first render equals the prerendered page. */
const useStore = create<Store>()(() => ({ registration: undefined }));
useStore.setState({ registration: readMark() });

/** The registration of this tab, if one waits. */
export function useRegistration(): Registration | undefined {
  return useStore((state) => state.registration);
}

/** Keeps a registration; `undefined` forgets it. */
export function keepRegistration(value: Registration | undefined): void {
  tabMarks.write('signup', value && JSON.stringify(value));
  useStore.setState({ registration: value });
}

/**
 * How long to wait before the next code, in seconds. The clock is asked only for a duration, and a
 * clock that was set meanwhile can never make the wait longer than it was.
 */
export function remainingWaitS({ sentAt, waitS }: Registration): number {
  const passedS = (Date.now() - sentAt) / 1000;
  return Math.min(waitS, Math.max(0, waitS - passedS));
}

function readMark(): Registration | undefined {
  try {
    const parsed = v.safeParse(registration, JSON.parse(tabMarks.read('signup') ?? ''));
    return parsed.success ? parsed.output : undefined;
  } catch {
    // Nothing there, or not ours.
    return undefined;
  }
}
