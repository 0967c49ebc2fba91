/** Undo for a limited time: by the button of a notice, on every screen, or by Ctrl+Z. */
import { useEffect } from 'react';

import { type Notice, useNotices } from './notices.ts';
import { onUserLeft } from './session.ts';

/** How long a change can be undone. */
export const undoMs = 10_000;

type Offer = Pick<Notice, 'id' | 'tone' | 'text'> & {
  /** The text of the button. */
  readonly button: string;
  readonly undo: () => void;
};

/** The undo functions by notice, the newest last. */
const undoable = new Map<string, () => void>();
onUserLeft(() => undoable.clear());

/** Shows a notice with an undo button for `undoMs`. */
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

/** Undoes the last change. Returns whether there was one. */
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

/** Handles Ctrl+Z and Cmd+Z outside of text fields while the calling component is mounted. */
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
