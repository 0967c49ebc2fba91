/**
 * An on/off switch. Drawn as one native checkbox: the component library wraps its own in a second
 * label, which spoils the accessible name, and needs four elements where a page may show hundreds.
 */
import { type ComponentProps } from 'react';

import styles from './switch.module.css';

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role' | 'className'> & {
  /** What "on" means: something good or neutral, or something held back. */
  readonly tone?: 'accent' | 'ume';
  /**
   * Refuses presses for the moment. Not `disabled`, because that would take the keyboard's focus
   * away from whoever just pressed it.
   */
  readonly isLocked?: boolean;
};

/** Controlled by `checked`. Needs a name: `aria-label`, `aria-labelledby`, or a label around it. */
export function Switch({ tone = 'accent', isLocked = false, onChange, ...props }: SwitchProps) {
  return (
    <input
      {...props}
      type="checkbox"
      // A checkbox tells by itself whether it is on.
      // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
      role="switch"
      className={styles[tone]}
      aria-disabled={isLocked || undefined}
      // Without a change of `checked`, React puts the box back by itself.
      onChange={isLocked ? ignore : onChange}
    />
  );
}

function ignore(): void {
  // Pressed too soon.
}
