/** How much work goes on in the background; the shell's badge shows it on every screen. */
import { create } from 'zustand';

type Pending = {
  readonly count: number;
  /** Work has begun. */
  readonly add: () => void;
  /** Work has ended, well or not. The count never goes below zero. */
  readonly settle: () => void;
};

export const usePendingGenerations = create<Pending>()((set) => ({
  count: 0,
  add: () => set(({ count }) => ({ count: count + 1 })),
  settle: () => set(({ count }) => ({ count: Math.max(0, count - 1) })),
}));
