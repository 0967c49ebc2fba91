/** Where the answer to a form appears: a failure, what is being made, what was made, or nothing yet. */
import { type ComponentType, type Ref } from 'react';

import { sizeOfRatio } from '#contract/images/ratios';
import { Card } from '#ui/card';
import { EmptyState } from '#ui/empty-state';
import { Notice } from '#ui/notice';
import { Spinner } from '#ui/spinner';

import { pictureTexts } from './picture-texts.ts';
import { type ProviderAdapter } from './provider-adapter.ts';
import { type Recipe } from './recipe.ts';
import { useLatestGeneration, useRecords } from './records-store.ts';
import { type GenerationRecord } from './records.ts';

import styles from './result.module.css';

type ResultPanelProps = {
  readonly ref: Ref<HTMLElement>;
  readonly heading: string;
  readonly adapter: ProviderAdapter;
  /** What went wrong last; it matters more than everything else. */
  readonly failure: string | undefined;
  readonly onDismiss: () => void;
  readonly isBusy: boolean;
  readonly texts: {
    /** Said while pictures are being made. */
    readonly making: string;
    readonly empty: string;
  };
  /** How many pictures one wish makes. */
  readonly count?: number;
  readonly Finished: ComponentType<{ readonly record: GenerationRecord }>;
};

export function ResultPanel({ ref, heading, failure, onDismiss, ...outcome }: ResultPanelProps) {
  return (
    <section ref={ref} tabIndex={-1} aria-label={heading} className={styles.place}>
      <Card title={heading}>
        {failure === undefined ? (
          <Outcome {...outcome} />
        ) : (
          <Notice tone="error" onClose={onDismiss}>
            <span className={styles.error}>{failure}</span>
          </Notice>
        )}
      </Card>
    </section>
  );
}

/** In the order of what matters most. */
function Outcome({
  adapter,
  isBusy,
  texts,
  count = 1,
  Finished,
}: Omit<ResultPanelProps, 'ref' | 'heading' | 'failure' | 'onDismiss'>) {
  const [newest] = useRecords(adapter.id);
  const latest = useLatestGeneration(adapter.id);
  const isMaking = isBusy || newest?.status === 'pending';

  return (
    <>
      {/* Always there, so that it is heard when a picture arrives. */}
      <output className="visually-hidden">
        {latest && !isMaking && pictureTexts.ready(count)}
      </output>
      {isMaking ? (
        <BeingMade text={texts.making} wish={newest} count={count} />
      ) : latest ? (
        <Finished key={latest.id} record={latest} />
      ) : (
        <EmptyState mood="happy" title={texts.empty} />
      )}
    </>
  );
}

type BeingMadeProps = {
  readonly text: string;
  readonly wish: Pick<Recipe, 'ratio' | 'prompt'> | undefined;
  /** How many pictures there will be. */
  readonly count: number;
};

/** Boxes in the shape of the pictures that are being made. */
function BeingMade({ text, wish, count }: BeingMadeProps) {
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
