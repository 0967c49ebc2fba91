/** A text input with its label, hint and error, for one line or several. */
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
  return (
    <Around id={inputId} label={label} hint={hint} error={error}>
      <div className={styles.row}>
        <input
          {...input}
          id={inputId}
          className={inside === undefined ? styles.input : `${styles.input} ${styles.roomy}`}
          aria-invalid={isInvalid === true || error !== undefined || undefined}
          aria-describedby={describe(inputId, { hint, error, describedBy })}
        />
        {inside === undefined ? null : <span className={styles.inside}>{inside}</span>}
        {trailing}
      </div>
    </Around>
  );
}

type AreaFieldProps = Omit<ComponentProps<'textarea'>, 'className' | 'aria-describedby'> &
  Pick<FieldProps, 'label' | 'hint' | 'error'>;

/** The same for several lines. */
export function AreaField({ label, hint, error, id, ...area }: AreaFieldProps) {
  const ownId = useId();
  const areaId = id ?? ownId;
  return (
    <Around id={areaId} label={label} hint={hint} error={error}>
      <textarea
        {...area}
        id={areaId}
        className={styles.input}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describe(areaId, { hint, error })}
      />
    </Around>
  );
}

type Descriptions = Pick<FieldProps, 'hint' | 'error' | 'describedBy'>;

function describe(id: string, { hint, error, describedBy }: Descriptions): string | undefined {
  const ids = [
    describedBy,
    error === undefined ? undefined : `${id}-error`,
    hint === undefined ? undefined : `${id}-hint`,
  ].filter((part) => part !== undefined);
  return ids.length > 0 ? ids.join(' ') : undefined;
}

type AroundProps = Pick<FieldProps, 'label' | 'hint' | 'error'> & {
  readonly id: string;
  readonly children: ReactNode;
};

function Around({ id, label, hint, error, children }: AroundProps) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {error === undefined ? null : (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      )}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
