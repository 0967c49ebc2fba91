/** A turning ring for work in progress. */
import styles from './spinner.module.css';

type SpinnerProps = {
  /** Shown beside the ring. Without it the ring is decorative. */
  readonly label?: string;
  readonly size?: 'small' | 'large';
};

export function Spinner({ label, size = 'large' }: SpinnerProps) {
  const ring = <span className={`${styles.ring} ${styles[size]}`} aria-hidden="true" />;
  return label === undefined ? (
    ring
  ) : (
    <output className={styles.labelled}>
      {ring}
      {label}
    </output>
  );
}
