/** Modal dialogs on the native `<dialog>`, and the stack of open ones. */
import {
  memo,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
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
  /** A short question with its answers. The others are sheets inside Telegram on phones. */
  readonly isQuestion?: boolean;
  /** For long content: nearly as high as the page, a sheet on every phone. The content scrolls by itself. */
  readonly isSheet?: boolean;
};

/** Stays in the page, closed and with its last content, until it has moved out. */
export function Dialog({ isOpen, ...rest }: DialogProps) {
  const [isShown, setIsShown] = useState(isOpen);
  if (isOpen && !isShown) {
    setIsShown(true);
  }
  return isShown ? (
    <ShownDialog {...rest} isOpen={isOpen} onHidden={() => setIsShown(false)} />
  ) : null;
}

type ShownDialogProps = DialogProps & { readonly onHidden: () => void };

function ShownDialog({ isOpen, onClose, onHidden, ...parts }: ShownDialogProps) {
  const modal = useModal(onClose, isOpen);
  const { ref } = modal;
  const titleId = useId();
  const grab = useGrabber(ref, onClose);
  const hide = useEffectEvent(onHidden);

  useEffect(() => {
    let isReopened = false;
    if (!isOpen) {
      const animations = ref.current?.getAnimations?.() ?? [];
      const hideNow = () => isReopened || hide();
      if (animations.length === 0) {
        hideNow();
      } else {
        void Promise.allSettled(animations.map(({ finished }) => finished)).then(hideNow);
      }
    }
    return () => {
      isReopened = true;
    };
  }, [isOpen, ref]);

  const closeOnBackdrop = ({ target, currentTarget }: MouseEvent) => {
    if (target === currentTarget) {
      onClose();
    }
  };
  const { isWide = false, isQuestion = false, isSheet = false } = parts;

  return (
    // The backdrop is for pointers only; Escape and the buttons close the dialog as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      {...modal}
      className={[
        styles.dialog,
        isWide && styles.wide,
        isQuestion && styles.question,
        isSheet && styles.sheet,
      ]
        .filter(Boolean)
        .join(' ')}
      aria-labelledby={titleId}
      inert={!isOpen}
      onClick={closeOnBackdrop}
    >
      <Panel {...parts} titleId={titleId} grab={grab} isLeaving={!isOpen} />
    </dialog>
  );
}

type PanelProps = Omit<DialogProps, 'isOpen' | 'onClose'> & {
  readonly titleId: string;
  readonly grab: ReturnType<typeof useGrabber>;
  readonly isLeaving: boolean;
};

/** While the dialog moves out, it shows what it showed last: its owner may have nothing to show any more. */
const Panel = memo(
  function Panel({ title, titleId, grab, children, actions }: PanelProps) {
    return (
      <div className={styles.panel}>
        <div className={styles.grabber} {...grab} />
        <h2 id={titleId}>{title}</h2>
        <div className={styles.content}>{children}</div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    );
  },
  (_shown, { isLeaving }) => isLeaving,
);

/** How far a sheet is dragged to be closed, in px. */
const closingDistance = 80;

/** Lets a finger drag a sheet down, which closes it. For the element at its upper edge. */
function useGrabber(dialog: RefObject<HTMLDialogElement | null>, onClose: () => void) {
  const start = useRef<number>(undefined);

  const move = (distance: number) => {
    dialog.current?.style.setProperty('translate', distance > 0 ? `0 ${distance}px` : '');
  };
  const release = ({ clientY }: PointerEvent) => {
    const distance = start.current === undefined ? 0 : clientY - start.current;
    start.current = undefined;
    if (distance > closingDistance) {
      onClose();
    } else {
      move(0);
    }
  };

  return {
    onPointerDown: ({ clientY, currentTarget, pointerId }: PointerEvent) => {
      start.current = clientY;
      currentTarget.setPointerCapture(pointerId);
    },
    onPointerMove: ({ clientY }: PointerEvent) => {
      if (start.current !== undefined) {
        move(clientY - start.current);
      }
    },
    onPointerUp: release,
    onPointerCancel: () => {
      start.current = undefined;
      move(0);
    },
  };
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
 * Makes a native `<dialog>` modal while it is mounted and `isOpen`; the focus then returns to the
 * opener. Put both results on the `<dialog>`. Escape and the container's back button call `onClose`.
 */
export function useModal(
  onClose: () => void,
  isOpen = true,
): {
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly onCancel: (event: SyntheticEvent) => void;
} {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);

  useEffect(() => {
    close.current = onClose;
  }, [onClose]);

  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    const element = dialog.current;
    // A field that takes the focus by itself already has it.
    const { activeElement: focused } = document;
    const opener = element?.contains(focused) === true ? null : focused;
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
      const { activeElement, body } = document;
      if (activeElement === body || element?.contains(activeElement) === true) {
        around?.focus({ preventScroll: true });
      }
    };
  }, [isOpen]);

  return {
    ref: dialog,
    onCancel: (event) => {
      event.preventDefault();
      onClose();
    },
  };
}
