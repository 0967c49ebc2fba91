/** The registration that waits for its code. It outlives a reload of the tab, and never holds a password. */
import * as v from 'valibot';
import { create } from 'zustand';

import { tabMarks } from '#lib/storage';

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

function readMark(): Registration | undefined {
  try {
    const parsed = v.safeParse(registration, JSON.parse(tabMarks.read('signup') ?? ''));
    return parsed.success ? parsed.output : undefined;
  } catch {
    // Nothing there, or not ours.
    return undefined;
  }
}
