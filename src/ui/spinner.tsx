/** A turning ring: something is under way. */
import styles from './spinner.module.css';

type SpinnerProps = {
  /** What is under way, read aloud and shown beside the ring; without it the ring is decoration. */
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
