/** A text input with its label, hint and error. */
import { type ComponentProps, type ReactNode, useId } from 'react';

import styles from './field.module.css';

export type FieldProps = Omit<ComponentProps<'input'>, 'className' | 'aria-describedby'> & {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Shown below the field. */
  readonly error?: string | undefined;
  /** A message elsewhere is about this field; its id is `describedBy`. */
  readonly isInvalid?: boolean | undefined;
  readonly describedBy?: string | undefined;
  /** A control after the input. */
  readonly trailing?: ReactNode;
  /** A square button inside the input, at its end. */
  readonly inside?: ReactNode;
};

export function Field({
  label,
  hint,
  error,
  isInvalid,
  describedBy,
  trailing,
  inside,
  id,
  ...input
}: FieldProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const hintId = hint === undefined ? undefined : `${inputId}-hint`;
  const errorId = error === undefined ? undefined : `${inputId}-error`;
  const descriptions = [describedBy, errorId, hintId].filter((part) => part !== undefined);

  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={inputId}>
        {label}
      </label>
      <div className={styles.row}>
        <input
          {...input}
          id={inputId}
          className={inside === undefined ? styles.input : `${styles.input} ${styles.roomy}`}
          aria-invalid={isInvalid === true || error !== undefined || undefined}
          aria-describedby={descriptions.length > 0 ? descriptions.join(' ') : undefined}
        />
        {inside === undefined ? null : <span className={styles.inside}>{inside}</span>}
        {trailing}
      </div>
      {error === undefined ? null : (
        <p id={errorId} className={styles.error} role="alert">
          {error}
        </p>
      )}
      {hint === undefined ? null : (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
