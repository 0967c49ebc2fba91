/** A way out of the app that looks like a button. Without an address it is shown disabled, with the reason. */
import { type ReactNode, useId } from 'react';

import { Button } from './button.tsx';

import buttonStyles from './button.module.css';
import styles from './outside-button.module.css';

type OutsideButtonProps = {
  readonly href: string | undefined;
  /** Why there is no address; said only then. */
  readonly reason: string;
  readonly icon: ReactNode;
  readonly kind?: 'primary' | 'plain';
  /** Opens it the way the container does such things. */
  readonly onOpen: (href: string) => void;
  readonly children: ReactNode;
};

export function OutsideButton({
  href,
  reason,
  icon,
  kind = 'plain',
  onOpen,
  children,
}: OutsideButtonProps) {
  const reasonId = useId();
  if (href === undefined) {
    return (
      <div className={styles.unset}>
        <Button kind={kind} icon={icon} disabled aria-describedby={reasonId}>
          {children}
        </Button>
        <p id={reasonId} className={styles.reason}>
          {reason}
        </p>
      </div>
    );
  }
  return (
    // A real address, so that it can be copied or opened beside this page, too.
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className={[buttonStyles.link, buttonStyles.button, buttonStyles[kind]].join(' ')}
      onClick={(event) => {
        event.preventDefault();
        onOpen(href);
      }}
    >
      <span className={buttonStyles.content}>
        {icon}
        {children}
      </span>
    </a>
  );
}
