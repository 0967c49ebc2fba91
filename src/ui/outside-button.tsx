/** A link that leaves the app and looks like a button, with the reason below it when it is disabled. */
import { useId } from 'react';

import { OutsideLink, type OutsideLinkProps } from './button.tsx';

import styles from './outside-button.module.css';

/** The reason is shown only without an address. */
export function OutsideButton({
  reason,
  ...props
}: OutsideLinkProps & { readonly reason: string }) {
  const reasonId = useId();
  return props.href === undefined ? (
    <div className={styles.unset}>
      <OutsideLink {...props} reasonId={reasonId} />
      <p id={reasonId} className={styles.reason}>
        {reason}
      </p>
    </div>
  ) : (
    <OutsideLink {...props} />
  );
}
