/** Short messages above the page: what happened, with at most one action. */
import { create } from 'zustand';

/** How long a notice stays, in ms: a short sentence, one that offers to undo something, two sentences. */
export const noticeMs = { short: 6000, medium: 8000, long: 12_000 } as const;

export type Notice = {
  readonly id: string;
  readonly tone: 'info' | 'success' | 'warning' | 'error';
  readonly text: string;
  /** In ms; `noticeMs.short` when absent. A notice can always be closed. */
  readonly durationMs?: number;
  /** A button. Pressing it also closes the notice. */
  readonly action?: { readonly text: string; readonly press: () => void };
};

type Notices = {
  readonly notices: readonly Notice[];
  /** Shows a notice. It replaces a notice with the same id. */
  readonly show: (notice: Notice) => void;
  readonly close: (id: string) => void;
};

export const useNotices = create<Notices>()((set) => ({
  notices: [],
  show: (notice) =>
    set(({ notices }) => ({ notices: [...notices.filter(({ id }) => id !== notice.id), notice] })),
  close: (id) => set(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) })),
}));
