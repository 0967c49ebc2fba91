/** What can be undone for a while: by a notice's button, on whatever screen, or by Ctrl+Z. */
import { useEffect } from 'react';

import { type Notice, useNotices } from './notices.ts';

/** How long large changes and deletions can be undone. */
export const undoMs = 10_000;

type Offer = Pick<Notice, 'id' | 'tone' | 'text'> & {
  /** What the button says. */
  readonly button: string;
  readonly undo: () => void;
};

/** What can still be undone, the newest last. */
const undoable = new Map<string, () => void>();

/** Says what has been done, and offers to undo it until the notice's time is over. */
export function showUndo({ button, undo, ...notice }: Offer): void {
  const { id } = notice;
  const timer = setTimeout(() => undoable.delete(id), undoMs);
  const press = () => {
    clearTimeout(timer);
    undoable.delete(id);
    undo();
  };
  undoable.set(id, press);
  useNotices.getState().show({ ...notice, durationMs: undoMs, action: { text: button, press } });
}

/** Undoes what was done last; answers whether there was anything. */
function undoLast(): boolean {
  const last = [...undoable].at(-1);
  if (!last) {
    return false;
  }
  const [id, press] = last;
  useNotices.getState().close(id);
  press();
  return true;
}

/** Ctrl+Z, or Cmd+Z, outside of text fields, while the screen is there. */
export function useUndoKey(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey);
      const isTyping =
        event.target instanceof Element &&
        event.target.closest('input:not([type="checkbox"], [type="radio"]), textarea') !== null;
      if (isUndo && !event.shiftKey && !event.altKey && !isTyping && undoLast()) {
        event.preventDefault();
      }
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
