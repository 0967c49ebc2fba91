/** A text of several lines with its visible label, its message, and what belongs to it. */
import { type ComponentProps, type ReactNode, useId } from 'react';

import { formatCount } from '#lib/format-count';

import styles from './text-area.module.css';

type TextAreaProps = Omit<
  ComponentProps<'textarea'>,
  'className' | 'aria-describedby' | 'onChange' | 'value'
> & {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** The most characters; the count is shown when it is near, and typing on is not prevented. */
  readonly longest: number;
  readonly tooLong: string;
  /** Controls at the end of the label's line. */
  readonly aside?: ReactNode;
};

/** From this share of the longest text on, the count is shown. */
const nearlyFull = 0.9;

export function TextArea({
  label,
  value,
  onChange,
  longest,
  tooLong,
  aside,
  ...rest
}: TextAreaProps) {
  const id = useId();
  const isTooLong = value.length > longest;
  const isCounted = value.length >= longest * nearlyFull;

  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      <textarea
        {...rest}
        id={id}
        dir="auto"
        className={styles.area}
        value={value}
        aria-invalid={isTooLong || undefined}
        aria-describedby={isCounted ? `${id}-count` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {isCounted && (
        <p id={`${id}-count`} className={isTooLong ? styles.error : styles.count}>
          {isTooLong && `${tooLong}: `}
          {formatCount(value.length)} / {formatCount(longest)}
        </p>
      )}
    </div>
  );
}
