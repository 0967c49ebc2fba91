/** How many generations are running. The shell's badge shows it. */
import { create } from 'zustand';

type Pending = {
  readonly count: number;
  /** A generation has started. */
  readonly add: () => void;
  /** A generation has ended. The count never goes below zero. */
  readonly settle: () => void;
};

export const usePendingGenerations = create<Pending>()((set) => ({
  count: 0,
  add: () => set(({ count }) => ({ count: count + 1 })),
  settle: () => set(({ count }) => ({ count: Math.max(0, count - 1) })),
}));
