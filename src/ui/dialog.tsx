/** A modal question or panel on the native `<dialog>`: focus is kept inside and given back, Escape and the backdrop close it. */
import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
} from 'react';

import styles from './dialog.module.css';

type DialogProps = {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the bottom. The first one gets the focus unless a part has `autoFocus`: put Cancel first. */
  readonly actions?: ReactNode;
  /** For pictures instead of sentences. */
  readonly isWide?: boolean;
};

export function Dialog({ isOpen, ...rest }: DialogProps) {
  return isOpen ? <OpenDialog {...rest} /> : null;
}

function OpenDialog({
  title,
  onClose,
  children,
  actions,
  isWide = false,
}: Omit<DialogProps, 'isOpen'>) {
  const modal = useModal(onClose);
  const titleId = useId();

  const closeOnBackdrop = ({ target, currentTarget }: MouseEvent) => {
    if (target === currentTarget) {
      onClose();
    }
  };

  return (
    // The backdrop is a convenience for pointers: Escape and the buttons close the dialog as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      {...modal}
      className={isWide ? `${styles.dialog} ${styles.wide}` : styles.dialog}
      aria-labelledby={titleId}
      onClick={closeOnBackdrop}
    >
      <div className={styles.panel}>
        <h2 id={titleId}>{title}</h2>
        {children}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </dialog>
  );
}

type StackEntry = { readonly close: () => void };

/** The topmost dialog is the last one. */
const openDialogs: StackEntry[] = [];
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) {
    listener();
  }
}

/** `count` and `subscribe` are for `useSyncExternalStore`. */
export const dialogStack = {
  /** How many dialogs are open. */
  count: () => openDialogs.length,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** A dialog opens on top of the others. Returns what to call when it goes. */
  enter(dialog: StackEntry): () => void {
    openDialogs.push(dialog);
    tell();
    return () => {
      openDialogs.splice(openDialogs.indexOf(dialog), 1);
      tell();
    };
  },
  /** Closes the topmost dialog; answers whether there was one. */
  closeTop(): boolean {
    const top = openDialogs.at(-1);
    top?.close();
    return top !== undefined;
  },
};

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
