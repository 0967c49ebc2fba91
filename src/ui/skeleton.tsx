/** Grey shapes in the form of the loading content; visible only when loading takes a moment. */
import styles from './skeleton.module.css';

type SkeletonProps = {
  /** For screen readers. */
  readonly label: string;
  /** `rows`: a list. `sections`: cards with a heading and a grid of small rows. */
  readonly shape: 'rows' | 'sections';
  /** How many rows or cards; without it as many as a list usually has. */
  readonly count?: number;
};

const usual = { rows: 5, sections: 2 } as const;
const cells = 9;

export function Skeleton({ label, shape, count = usual[shape] }: SkeletonProps) {
  return (
    <div className={styles[shape]}>
      <output className="visually-hidden">{label}</output>
      {Array.from({ length: count }, (_row, row) => (
        <div key={row} className={styles.part} aria-hidden>
          {shape === 'rows' ? (
            <>
              <div className={styles.mark} />
              <div className={styles.lines} />
            </>
          ) : (
            <>
              <div className={styles.heading} />
              {Array.from({ length: cells }, (_cell, cell) => (
                <div key={cell} className={styles.cell} />
              ))}
            </>
          )}
        </div>
      ))}
    </div>
  );
}
