/** The notice after a change in a chat, with the button that undoes it. */
import { flushSync } from 'react-dom';

import { showUndo } from '#lib/undo';

import { chatTexts } from './texts.ts';

type ChangeUndo = { readonly id: string; readonly text: string; readonly undo: () => void };

/** Shows the notice for 10 s, on any screen. */
export function showChangeUndo({ id, text, undo }: ChangeUndo): void {
  const opener = document.activeElement;
  showUndo({
    id,
    tone: 'success',
    text,
    button: chatTexts.change.undo,
    undo: () => {
      // The pressed button disappears with its notice: the focus returns to the opener.
      flushSync(() => undefined);
      if (document.activeElement === document.body && opener instanceof HTMLElement) {
        opener.focus({ preventScroll: true });
      }
      undo();
    },
  });
}
