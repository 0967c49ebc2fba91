/**
 * An on/off switch on a native checkbox. The switch of telegram-ui has a second label, which breaks the
 * accessible name, and four elements, where a page may show hundreds of switches.
 */
import { type ComponentProps } from 'react';

import styles from './switch.module.css';

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role' | 'className'> & {
  /** The colour of "on": `ume` for something that is blocked, `danger` for an emergency. */
  readonly tone?: 'accent' | 'ume' | 'danger';
  /**
   * Ignores presses for the moment. Not `disabled`, which would remove the keyboard's focus.
   */
  readonly isLocked?: boolean;
};

/** Controlled by `checked`. Needs a name by `aria-label`, `aria-labelledby` or a label around it. */
export function Switch({ tone = 'accent', isLocked = false, onChange, ...props }: SwitchProps) {
  return (
    <input
      {...props}
      type="checkbox"
      // A native checkbox has its checked state already.
      // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
      role="switch"
      className={styles[tone]}
      aria-disabled={isLocked || undefined}
      // React resets the box when `checked` does not change.
      onChange={isLocked ? ignore : onChange}
    />
  );
}

function ignore(): void {
  // Locked.
}
