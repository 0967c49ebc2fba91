/** A modal question or panel on the native `<dialog>`: focus is kept inside and given back, Escape and the backdrop close it. */
import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';

import styles from './dialog.module.css';

type DialogProps = {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the bottom. The first one gets the focus unless a part has `autoFocus`: put Cancel first. */
  readonly actions?: ReactNode;
};

/** The open dialogs, the topmost last, so that the container's back button can close them in order. */
const open: { close: () => void }[] = [];
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) {
    listener();
  }
}

/** How many dialogs are open, for `useSyncExternalStore`. */
export const dialogStack = {
  count: () => open.length,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Closes the topmost dialog; answers whether there was one. */
  closeTop(): boolean {
    const top = open.at(-1);
    top?.close();
    return top !== undefined;
  },
};

export function Dialog({ title, isOpen, onClose, children, actions }: DialogProps) {
  return isOpen ? (
    <OpenDialog title={title} onClose={onClose} actions={actions}>
      {children}
    </OpenDialog>
  ) : null;
}

function OpenDialog({ title, onClose, children, actions }: Omit<DialogProps, 'isOpen'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  const titleId = useId();

  useEffect(() => {
    close.current = onClose;
  }, [onClose]);

  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    const entry = { close: () => close.current() };
    element?.showModal();
    open.push(entry);
    tell();
    return () => {
      open.splice(open.indexOf(entry), 1);
      tell();
      element?.close();
      if (opener instanceof HTMLElement) {
        opener.focus();
      }
    };
  }, []);

  const closeOnBackdrop = ({ target, currentTarget }: MouseEvent) => {
    if (target === currentTarget) {
      onClose();
    }
  };

  return (
    // The backdrop is a convenience for pointers: Escape and the buttons close the dialog as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onClick={closeOnBackdrop}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles.panel}>
        <h2 id={titleId}>{title}</h2>
        {children}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </dialog>
  );
}
