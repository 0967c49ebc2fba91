/** One list of figures: what was used, how often, and how that compares. */
import { type ReactNode, useId, useRef, useState } from 'react';

import { Button } from '#ui/button';

import { useCountUp } from './count-up.ts';
import { type Figure } from './figures.ts';
import { texts } from './texts.ts';

import styles from './usage-box.module.css';

/** As many rows as the box keeps room for. */
const shownAtFirst = 6;

type UsageBoxProps = {
  readonly title: string;
  readonly icon: ReactNode;
  /** Undefined while they are on their way. */
  readonly figures: readonly Figure[] | undefined;
  readonly isDemo: boolean;
};

export function UsageBox({ title, icon, figures, isDemo }: UsageBoxProps) {
  const id = useId();
  const [isWhole, setIsWhole] = useState(false);
  const count = figures?.length ?? 0;

  return (
    <section className={styles.box} aria-labelledby={id}>
      <h3 id={id} className={styles.title}>
        {icon}
        {title}
      </h3>
      <div className={styles.content}>
        {figures === undefined ? (
          <p className={styles.remark}>{texts.usage.loading}</p>
        ) : (
          <Figures figures={isWhole ? figures : figures.slice(0, shownAtFirst)} />
        )}
      </div>
      <div className={styles.foot}>
        {count > shownAtFirst && (
          <Button
            kind="quiet"
            className={styles.more}
            aria-expanded={isWhole}
            onClick={() => setIsWhole(!isWhole)}
          >
            {isWhole ? texts.usage.showFewer : texts.usage.showAll(count)}
          </Button>
        )}
        {isDemo && <span className={styles.demo}>{texts.usage.demo}</span>}
      </div>
    </section>
  );
}

function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  const list = useRef<HTMLUListElement>(null);
  const share = useCountUp(list);
  const most = figures[0]?.count ?? 0;

  return (
    <>
      {figures.length === 0 && <p className={styles.remark}>{texts.usage.empty}</p>}
      <ul ref={list} className={styles.list}>
        {figures.map(({ name, count }) => (
          <li key={name} className={styles.row}>
            <span className={styles.name} dir="auto">
              {name}
            </span>
            <span className={styles.count}>{withCommas(Math.round(count * share))}</span>
            <span className={styles.track} aria-hidden="true">
              <span
                className={styles.bar}
                style={{ transform: `scaleX(${most === 0 ? 0 : (count / most) * share})` }}
              />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function withCommas(count: number): string {
  return count.toLocaleString('en-US');
}
