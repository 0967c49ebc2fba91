/** A picture in the history: made, being made, failed, or gone. */
import { Download, Info, RotateCw, Trash2, TriangleAlert, Undo2, X } from 'lucide-react';
import { type ReactNode, use, useEffect, useState } from 'react';

import { IconButton } from '#ui/button';
import { type MasonryCard } from '#ui/masonry';
import { Spinner } from '#ui/spinner';

import { retryGeneration } from '../common/generations.ts';
import { type GenerationRecord } from '../common/records.ts';
import { usePicture } from '../common/use-picture.ts';
import { CardWishesContext } from './card-wishes.ts';
import { openPicture, sayUnlessSaved } from './open-picture.ts';
import { historyTexts } from './texts.ts';

import styles from './history-card.module.css';

type HistoryCardProps = {
  readonly record: GenerationRecord;
  readonly card: MasonryCard;
};

const { card: texts } = historyTexts;
const icon = { 'aria-hidden': true, size: 20 } as const;

export function HistoryCard(props: HistoryCardProps) {
  const { record, card } = props;
  if (record.status === 'completed') {
    return <FinishedCard {...props} />;
  }
  if (record.status === 'pending') {
    return (
      <article className={styles.card}>
        <div className={`${styles.picture} ${styles.making}`}>
          <Spinner size="small" />
          <span>{texts.pending}</span>
          <Elapsed since={record.timestamp} />
        </div>
        <p className={styles.prompt}>{record.prompt}</p>
      </article>
    );
  }
  return (
    <Unfinished
      {...props}
      reason={record.error ?? texts.failed}
      again={
        <AgainButton text={texts.retry} tabIndex={card.tabIndex} record={record}>
          <RotateCw aria-hidden size={16} />
        </AgainButton>
      }
    />
  );
}

function FinishedCard(props: HistoryCardProps) {
  const { record, card } = props;
  const { tabIndex } = card;
  const { grant } = use(CardWishesContext);
  const picture = usePicture(record, 'thumbnail');
  const [failedUrl, setFailedUrl] = useState<string>();

  if (picture.state === 'missing' || (picture.state === 'ready' && picture.url === failedUrl)) {
    return (
      <Unfinished
        {...props}
        reason={texts.missing}
        again={<AgainButton text={texts.makeAgain} tabIndex={tabIndex} record={record} />}
      />
    );
  }
  return (
    <article className={styles.card}>
      <button
        type="button"
        tabIndex={tabIndex}
        className={styles.picture}
        aria-label={texts.enlarge(record.prompt)}
        onClick={() => grant('enlarge', record)}
      >
        {picture.state === 'ready' && (
          <img
            src={picture.url}
            alt=""
            decoding="async"
            draggable={false}
            onError={() => setFailedUrl(picture.url)}
          />
        )}
      </button>
      <div className={styles.actions}>
        <IconButton
          label={texts.download}
          tabIndex={tabIndex}
          icon={<Download {...icon} />}
          onClick={() => void sayUnlessSaved(openPicture(record))}
        />
        <IconButton
          label={texts.info}
          tabIndex={tabIndex}
          icon={<Info {...icon} />}
          onClick={() => grant('details', record)}
        />
        <IconButton
          label={texts.delete}
          tabIndex={tabIndex}
          icon={<Trash2 {...icon} />}
          onClick={() => grant('delete', record)}
        />
      </div>
    </article>
  );
}

/** A record without a picture: why, what it was to be, and what to do now. */
function Unfinished({
  record,
  card,
  reason,
  again,
}: HistoryCardProps & { readonly reason: string; readonly again: ReactNode }) {
  const { grant, canUseAgain } = use(CardWishesContext);
  return (
    <article className={styles.card}>
      <div className={`${styles.picture} ${styles.failed}`}>
        <p className={styles.reason}>
          <TriangleAlert aria-hidden size={16} />
          {reason}
        </p>
        <p className={styles.wish}>{record.prompt}</p>
      </div>
      <IconButton
        label={texts.remove}
        tabIndex={card.tabIndex}
        className={styles.remove}
        icon={<X aria-hidden size={18} />}
        onClick={() => grant('remove', record)}
      />
      <div className={styles.actions}>
        {again}
        {canUseAgain && (
          <IconButton
            label={texts.reuse}
            tabIndex={card.tabIndex}
            icon={<Undo2 {...icon} />}
            onClick={() => grant('use again', record)}
          />
        )}
      </div>
    </article>
  );
}

function AgainButton({
  text,
  tabIndex,
  record,
  children,
}: {
  readonly text: string;
  readonly tabIndex: number;
  readonly record: GenerationRecord;
  readonly children?: ReactNode;
}) {
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      className={styles.again}
      onClick={() => retryGeneration(record)}
    >
      {children}
      {text}
    </button>
  );
}

/** Minutes and seconds since then. */
function Elapsed({ since }: { readonly since: number }) {
  const [now, setNow] = useState(since);

  useEffect(() => {
    const tick = () => setNow(Date.now());
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, []);

  const seconds = Math.max(0, Math.floor((now - since) / 1000));
  return (
    <time className={styles.elapsed}>
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
    </time>
  );
}
