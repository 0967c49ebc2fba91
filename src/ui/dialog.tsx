/** A modal question or panel on the native `<dialog>`: focus is kept inside and given back, Escape and the backdrop close it. */
import { type MouseEvent, type ReactNode, useId } from 'react';

import { useModal } from './use-modal.tsx';

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
