/** Where the answer to a form appears: a failure, what is being made, what was made, or nothing yet. */
import { type ReactNode, type Ref } from 'react';

import { sizeOfRatio } from '#contract/images/ratios';
import { Card } from '#ui/card';
import { Notice } from '#ui/notice';
import { Spinner } from '#ui/spinner';

import { type Recipe } from './recipe.ts';

import styles from './result.module.css';

type ResultPlaceProps = {
  readonly ref: Ref<HTMLElement>;
  readonly heading: string;
  /** What went wrong last; it matters more than everything else. */
  readonly error: string | undefined;
  readonly onDismissError: () => void;
  readonly children: ReactNode;
};

export function ResultPlace({ ref, heading, error, onDismissError, children }: ResultPlaceProps) {
  return (
    <section ref={ref} aria-label={heading} className={styles.place}>
      <Card title={heading}>
        {error === undefined ? (
          children
        ) : (
          <Notice tone="error" onClose={onDismissError}>
            <span className={styles.error}>{error}</span>
          </Notice>
        )}
      </Card>
    </section>
  );
}

type BeingMadeProps = {
  readonly text: string;
  readonly wish: Pick<Recipe, 'ratio' | 'prompt'> | undefined;
  /** How many pictures there will be. */
  readonly count?: number;
};

/** Boxes in the shape of the pictures that are being made. */
export function BeingMade({ text, wish, count = 1 }: BeingMadeProps) {
  const { width, height } = sizeOfRatio(wish?.ratio ?? '');
  return (
    <div className={styles.result}>
      <div className={count > 1 ? styles.several : styles.single}>
        {Array.from({ length: count }, (_box, index) => (
          <div
            key={index}
            className={`${styles.frame} ${styles.starting}`}
            style={{ aspectRatio: `${width} / ${height}` }}
          >
            {index === 0 && <Spinner label={text} />}
          </div>
        ))}
      </div>
      <p className={styles.prompt}>{wish?.prompt}</p>
    </div>
  );
}

/** Short facts beside a picture. Those without a text are left out. */
export function Facts({
  facts,
  className,
}: {
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  readonly className?: string | undefined;
}) {
  return (
    <dl className={[styles.facts, className].filter(Boolean).join(' ')}>
      {facts
        .filter(({ text }) => text !== '')
        .map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
    </dl>
  );
}
