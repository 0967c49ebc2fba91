/** Modal dialogs on the native `<dialog>`, and the stack of open ones. */
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
  /** Buttons at the bottom. The first gets the focus unless an element has `autoFocus`, so put Cancel first. */
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
    // The backdrop is for pointers only; Escape and the buttons close the dialog as well.
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

function notifyListeners(): void {
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
  /** Adds a dialog on top. Returns the function that removes it. */
  enter(dialog: StackEntry): () => void {
    openDialogs.push(dialog);
    notifyListeners();
    return () => {
      openDialogs.splice(openDialogs.indexOf(dialog), 1);
      notifyListeners();
    };
  },
  /** Closes the topmost dialog. Returns whether there was one. */
  closeTop(): boolean {
    const top = openDialogs.at(-1);
    top?.close();
    return top !== undefined;
  },
};

/**
 * Makes a native `<dialog>` modal while it is mounted; the focus then returns to the opener. Put both
 * results on the `<dialog>`. Escape and the container's back button call `onClose`.
 */
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
      // The opener may have been removed, often by the result of the dialog.
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
