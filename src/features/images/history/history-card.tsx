/** A generation in the history: its picture, or that it is pending, failed, or no longer here. */
import {
  Check,
  Download,
  Info,
  RotateCw,
  Star,
  Trash2,
  TriangleAlert,
  Undo2,
  X,
} from 'lucide-react';
import {
  createContext,
  type MouseEvent,
  type PointerEvent,
  use,
  useEffect,
  useRef,
  useState,
} from 'react';

import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { IconButton } from '#ui/button';
import { Spinner } from '#ui/spinner';

import { usePicture } from '../shared/pictures.ts';
import { type GenerationRecord, toPictures } from '../shared/records.ts';
import { select, toggleSelected, useSelection } from './collections.ts';
import { shortenPrompt } from './record-words.ts';
import { historyTexts } from './texts.ts';

import styles from './history-card.module.css';

/** What the user can have done with a card's generation. */
export type CardAction =
  | 'enlarge'
  | 'all'
  | 'favourite'
  | 'download'
  | 'details'
  | 'delete'
  | 'remove'
  | 'use again'
  | 'make again';

export type OnCardAction = (action: CardAction, record: GenerationRecord) => void;

/** A context and not a prop, so that the providers' galleries need not pass it on. */
export const CardActionContext = createContext<OnCardAction>(() => undefined);

type HistoryCardProps = {
  readonly record: GenerationRecord;
  /** Of each control: Tab stops only at the controls of one card. */
  readonly tabIndex: 0 | -1;
};

const { card: texts } = historyTexts;
const icon = { 'aria-hidden': true, size: 20 } as const;

export function HistoryCard(props: HistoryCardProps) {
  const { record } = props;
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
        <p className={styles.prompt} dir="auto">
          {record.prompt}
        </p>
      </article>
    );
  }
  return <Unfinished {...props} reason={record.error ?? texts.failed} againText={texts.retry} />;
}

const cardButtons = [
  { action: 'download', label: texts.download, Icon: Download },
  { action: 'details', label: texts.info, Icon: Info },
  { action: 'delete', label: texts.delete, Icon: Trash2 },
] as const;

function FinishedCard(props: HistoryCardProps) {
  const { record, tabIndex } = props;
  const onAction = use(CardActionContext);
  const picture = usePicture(record, 'thumbnail');
  const [failedUrl, setFailedUrl] = useState<string>();
  const isLoggedIn = useSession().status === 'member';
  const isSelecting = useSelection(({ isOn }) => isOn);
  const longPress = useLongPress(() => select([record.id]));

  if (isSelecting) {
    return <TickedCard {...props} url={picture.url === failedUrl ? undefined : picture.url} />;
  }
  if (picture.state === 'missing' || (picture.state === 'ready' && picture.url === failedUrl)) {
    const isInAccount = record.remoteId !== undefined && !isLoggedIn;
    const reason = isInAccount ? texts.inAccount : texts.missing;
    return <Unfinished {...props} reason={reason} againText={texts.makeAgain} />;
  }
  return (
    <article className={styles.card}>
      <button
        type="button"
        tabIndex={tabIndex}
        className={styles.picture}
        aria-label={texts.enlarge(shortenPrompt(record.prompt))}
        {...longPress}
        onClick={() => onAction('enlarge', record)}
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
      <MoreButton record={record} tabIndex={tabIndex} />
      <IconButton
        label={texts.favourite}
        tabIndex={tabIndex}
        className={styles.star}
        aria-pressed={record.isFavourite === true}
        icon={<Star {...icon} />}
        onClick={() => onAction('favourite', record)}
      />
      <div className={styles.actions}>
        {cardButtons.map(({ action, label, Icon }) => (
          <IconButton
            key={action}
            label={label}
            tabIndex={tabIndex}
            icon={<Icon {...icon} />}
            onClick={() => onAction(action, record)}
          />
        ))}
      </div>
    </article>
  );
}

/** While pictures are selected, a card is a box to tick. */
function TickedCard({
  record,
  tabIndex,
  url,
}: HistoryCardProps & { readonly url: string | undefined }) {
  const isTicked = useSelection(({ ids }) => ids.includes(record.id));
  const platform = usePlatform();
  return (
    <article className={styles.card}>
      <button
        type="button"
        aria-pressed={isTicked}
        tabIndex={tabIndex}
        className={styles.picture}
        aria-label={texts.select(shortenPrompt(record.prompt))}
        onClick={() => {
          platform.haptic('selection');
          toggleSelected(record.id);
        }}
      >
        {url !== undefined && <img src={url} alt="" decoding="async" draggable={false} />}
        <span className={styles.tick}>{isTicked && <Check aria-hidden size={18} />}</span>
      </button>
      <p className={styles.prompt} dir="auto">
        {record.prompt}
      </p>
    </article>
  );
}

/** As long as the platforms wait. */
const longPressMs = 500;

/** A finger that rests on the element; what it does to a picture otherwise, such as a menu of the browser, is left out. */
function useLongPress(onLongPress: () => void) {
  const platform = usePlatform();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isTouch = useRef(false);
  const cancel = () => clearTimeout(timer.current);

  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    onPointerDown: ({ pointerType }: PointerEvent) => {
      isTouch.current = pointerType === 'touch';
      if (isTouch.current) {
        timer.current = setTimeout(() => {
          platform.haptic('light');
          onLongPress();
        }, longPressMs);
      }
    },
    onPointerUp: cancel,
    // Also when the finger begins to scroll.
    onPointerCancel: cancel,
    onContextMenu: (event: MouseEvent) => {
      if (isTouch.current) {
        event.preventDefault();
      }
    },
  };
}

/** The number of further pictures; a click shows them all. */
function MoreButton({ record, tabIndex }: HistoryCardProps) {
  const onAction = use(CardActionContext);
  const count = toPictures(record).length;
  return count < 2 ? null : (
    <button
      type="button"
      tabIndex={tabIndex}
      className={styles.more}
      aria-label={texts.all(count)}
      onClick={() => onAction('all', record)}
    >
      <bdi>+{count - 1}</bdi>
    </button>
  );
}

/** A record without a picture: the reason, the prompt, and what to do. */
function Unfinished({
  record,
  tabIndex,
  reason,
  againText,
}: HistoryCardProps & { readonly reason: string; readonly againText: string }) {
  const onAction = use(CardActionContext);
  return (
    <article className={styles.card}>
      <div className={`${styles.picture} ${styles.failed}`}>
        <p className={styles.reason}>
          <TriangleAlert aria-hidden size={16} />
          {reason}
        </p>
        <p className={styles.lostPrompt} dir="auto">
          {record.prompt}
        </p>
      </div>
      <IconButton
        label={texts.remove}
        tabIndex={tabIndex}
        className={styles.remove}
        icon={<X aria-hidden size={18} />}
        onClick={() => onAction('remove', record)}
      />
      <div className={styles.actions}>
        <button
          type="button"
          tabIndex={tabIndex}
          className={styles.again}
          onClick={() => onAction('make again', record)}
        >
          {record.status === 'error' && <RotateCw aria-hidden size={16} />}
          {againText}
        </button>
        <IconButton
          label={texts.reuse}
          tabIndex={tabIndex}
          icon={<Undo2 {...icon} />}
          onClick={() => onAction('use again', record)}
        />
      </div>
    </article>
  );
}

/** A card's accessible name. */
export function getCardName({ status, error, prompt }: GenerationRecord): string {
  const states = {
    completed: texts.image,
    pending: texts.pending,
    error: error ?? texts.failed,
  } as const satisfies Record<GenerationRecord['status'], string>;
  return texts.name(states[status], shortenPrompt(prompt));
}

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
