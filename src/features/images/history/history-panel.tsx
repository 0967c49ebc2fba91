/** The pictures a person has made with a provider: a gallery, and what opens from it. */
import { RefreshCw } from 'lucide-react';
import { type Ref, use, useRef } from 'react';
import { Link } from 'react-router-dom';

import { type ProviderId } from '#contract/images/providers';
import { sizeOfRatio } from '#contract/images/ratios';
import { paths } from '#lib/paths';
import { useSession } from '#lib/session';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Masonry, type MasonryCard, type MasonryHandle, useColumns } from '#ui/masonry';
import { Spinner } from '#ui/spinner';

import { useHistory } from '../common/history.ts';
import { type GenerationRecord } from '../common/records.ts';
import { CardWishesContext } from './card-wishes.ts';
import { HistoryCard } from './history-card.tsx';
import { HistoryOverlays } from './history-overlays.tsx';
import { historyTexts } from './texts.ts';
import { canTakeIntoForm } from './use-again.ts';
import { useHistoryView } from './use-history-view.ts';

import styles from './history-panel.module.css';

type HistoryPanelProps = {
  readonly provider: ProviderId;
  /** Everything of a picture has been taken over into the form: the place to go to. */
  readonly onUsedAgain?: () => void;
};

const columns = { otherwise: 3, below: { 769: 2 } } as const;
const maxHeight = 600;
const gap = 8;
/** Below each picture: a row of buttons. */
const rowPx = 44;
const failedPx = 168;

export function HistoryPanel({ provider, onUsedAgain }: HistoryPanelProps) {
  const session = useSession();
  const { records, status, isRefreshing, refresh } = useHistory(provider);
  const heading = useRef<HTMLHeadingElement>(null);
  const gallery = useRef<MasonryHandle>(null);
  const view = useHistoryView({ records, gallery, heading, onUsedAgain });
  const canUseAgain = canTakeIntoForm(provider);
  const isLoading = status === 'loading' || session.status === 'unknown';

  return (
    <section className={styles.panel} aria-labelledby="history-heading">
      <div className={styles.header}>
        <h2 id="history-heading" ref={heading} tabIndex={-1}>
          {historyTexts.heading}
        </h2>
        <Button
          kind="quiet"
          icon={<RefreshCw aria-hidden size={18} />}
          isBusy={isRefreshing && !isLoading}
          onClick={() => void refresh()}
        >
          {historyTexts.refresh}
        </Button>
      </div>
      {session.status === 'guest' && (
        <p className={styles.hint}>
          {historyTexts.onlyHere} <Link to={paths.login}>{historyTexts.logIn}</Link>{' '}
          {historyTexts.logInGain}
        </p>
      )}
      {isLoading && (
        <div className={styles.loading}>
          <Spinner label={historyTexts.loading} />
        </div>
      )}
      {!isLoading && records.length === 0 && <EmptyState mood="happy" title={historyTexts.empty} />}
      {!isLoading && records.length > 0 && (
        <CardWishesContext value={{ grant: view.grant, canUseAgain }}>
          <div className={styles.gallery}>
            <Gallery ref={gallery} records={records} keptId={view.enlarged?.id} />
          </div>
        </CardWishesContext>
      )}
      <HistoryOverlays records={records} view={view} canUseAgain={canUseAgain} />
    </section>
  );
}

type GalleryProps = {
  readonly ref: Ref<MasonryHandle>;
  readonly records: readonly GenerationRecord[];
  readonly keptId: string | undefined;
};

function Gallery({ ref, records, keptId }: GalleryProps) {
  const { grant } = use(CardWishesContext);
  return (
    <Masonry
      ref={ref}
      label={historyTexts.list}
      items={records}
      total={records.length}
      keyOf={keyOf}
      nameOf={nameOf}
      sizeOf={sizeOf}
      columns={useColumns(columns)}
      gap={gap}
      maxHeight={maxHeight}
      keep={keptId === undefined ? [] : [keptId]}
      render={drawCard}
      onOpen={(record) => {
        if (record.status === 'completed') {
          grant('enlarge', record);
        }
      }}
    />
  );
}

const drawCard = (record: GenerationRecord, card: MasonryCard) => (
  <HistoryCard record={record} card={card} />
);

const keyOf = ({ id }: GenerationRecord) => id;

function nameOf({ status, error, prompt }: GenerationRecord): string {
  const { card } = historyTexts;
  const states = {
    completed: card.image,
    pending: card.pending,
    error: error ?? card.failed,
  } as const satisfies Record<GenerationRecord['status'], string>;
  return card.name(states[status], prompt);
}

/** One without a picture needs the room of its words, whatever shape the picture was to have. */
function sizeOf({ status, width, height, ratio }: GenerationRecord) {
  if (status === 'error') {
    return { width: 1, height: 0.001, extra: failedPx };
  }
  const size = width && height ? { width, height } : sizeOfRatio(ratio);
  return { ...size, extra: rowPx };
}
