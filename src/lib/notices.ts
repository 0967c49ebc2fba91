/** Short messages above the page: what just happened, with at most one thing to do about it. */
import { create } from 'zustand';

export type Notice = {
  readonly id: string;
  readonly tone: 'info' | 'success' | 'warning' | 'error';
  readonly text: string;
  /** How long it stays, in ms; it can always be closed. */
  readonly durationMs: number;
  /** The one thing to do about it; doing it closes the notice. */
  readonly action?: { readonly text: string; readonly press: () => void };
};

type Notices = {
  readonly notices: readonly Notice[];
  /** Shows a notice; one with the same id takes the earlier one's place. */
  readonly show: (notice: Notice) => void;
  readonly close: (id: string) => void;
};

export const useNotices = create<Notices>()((set) => ({
  notices: [],
  show: (notice) =>
    set(({ notices }) => ({ notices: [...notices.filter(({ id }) => id !== notice.id), notice] })),
  close: (id) => set(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) })),
}));
