/** What makes a native `<dialog>` modal: it is on top while it is mounted, and focus goes back to the opener after. */
import { type RefObject, type SyntheticEvent, useEffect, useRef } from 'react';

import { dialogStack } from './dialog-stack.tsx';

/** Put both on the `<dialog>`. Escape, and the container's back button, call `onClose`. */
export function useModal(onClose: () => void): {
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly onCancel: (event: SyntheticEvent) => void;
} {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);

  useEffect(() => {
    close.current = onClose;
  }, [onClose]);

  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    const around = opener?.closest<HTMLElement>('[tabindex="-1"]');
    element?.showModal();
    const leave = dialogStack.enter({ close: () => close.current() });
    return () => {
      leave();
      element?.close();
      if (opener instanceof HTMLElement) {
        opener.focus();
      }
      // The opener may have gone meanwhile, often by what was decided here.
      if (document.activeElement === document.body) {
        around?.focus({ preventScroll: true });
      }
    };
  }, []);

  return {
    ref: dialog,
    onCancel: (event) => {
      event.preventDefault();
      onClose();
    },
  };
}
