/** One list of figures: what was used, how often, and how that compares. */
import { type ComponentType, lazy, type ReactNode, Suspense, useId, useState } from 'react';

import { Button } from '#ui/button';

import type { FigureListProps } from './figure-list.tsx';
import type { Figure } from './figures.ts';
import { texts } from './texts.ts';

import styles from './usage-box.module.css';

// After the first paint, as the figures themselves; without it there are none, quietly.
const FigureList = lazy<ComponentType<FigureListProps>>(() =>
  import('./figure-list.tsx').then(
    (part) => ({ default: part.FigureList }),
    () => ({ default: () => null }),
  ),
);

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
        <Suspense fallback={<Remark text={texts.usage.loading} />}>
          {figures === undefined && <Remark text={texts.usage.loading} />}
          {figures?.length === 0 && <Remark text={texts.usage.empty} />}
          {figures !== undefined && figures.length > 0 && (
            <FigureList figures={isWhole ? figures : figures.slice(0, shownAtFirst)} />
          )}
        </Suspense>
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

function Remark({ text }: { readonly text: string }) {
  return <p className={styles.remark}>{text}</p>;
}
