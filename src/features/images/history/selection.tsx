/** What is done with selected pictures: the bar with the actions, and the dialog that compares two of them. */
import { Columns2, Download, FolderPlus, Star, Trash2, X } from 'lucide-react';
import {
  Fragment,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';

import { getRatioSize } from '#contract/images/ratios';
import { useFloatingBar } from '#lib/floating-bar';
import { useNotices } from '#lib/notices';
import { usePlatform } from '#lib/platform';
import { Button, IconButton } from '#ui/button';
import { Dialog, dialogStack } from '#ui/dialog';
import { passFocusOn } from '#ui/empty-state';
import { Spinner } from '#ui/spinner';
import { TabPanel, Tabs } from '#ui/tabs';

import { downloadPicture, notifyIfDownloadFailed } from '../shared/download-picture.ts';
import { type ProviderAdapter } from '../shared/provider-adapter.ts';
import { type GenerationRecord, toPictures } from '../shared/records.ts';
import { useShownPicture } from '../shared/result-panel.tsx';
import { select, setFavourite, stopSelecting, useSelection } from './collections.ts';
import { CollectionsDialog, DeleteQuestion } from './history-dialogs.tsx';
import { type HistoryView } from './history-view.ts';
import { shortenPrompt } from './record-words.ts';
import { historyTexts } from './texts.ts';
import { sayIfNotKept } from './use-history-overlays.ts';

import styles from './selection.module.css';

const { select: texts, compare: compareTexts } = historyTexts;
const icon = { 'aria-hidden': true, size: 20 } as const;

const loadZip = () => import('./zip.tsx');
const ZipDialog = lazy(async () => ({ default: (await loadZip()).ZipDialog }));

/** Loads what this part loads later. Never rejects. */
export function preloadParts(): void {
  loadZip().catch(() => undefined);
}

type SelectionBarProps = {
  readonly adapter: ProviderAdapter;
  readonly view: HistoryView;
  readonly records: readonly GenerationRecord[];
  /** Those of them that the search and the filter leave: only they can be selected. */
  readonly shown: readonly GenerationRecord[];
};

type OpenDialog = 'compare' | 'collections' | 'zip' | 'delete';

export function SelectionBar({ adapter, view, records, shown }: SelectionBarProps) {
  const { ids } = useSelection();
  const [open, setOpen] = useState<OpenDialog>();
  const bar = useRef<HTMLElement>(null);
  const finished = shown.filter(({ status }) => status === 'completed');
  const ticked = new Set(ids);
  const chosen = finished.filter(({ id }) => ticked.has(id));
  const close = () => setOpen(undefined);
  useFloatingBar(bar);
  useEscape(open === undefined);

  return (
    <>
      <section ref={bar} className={styles.bar} aria-label={texts.label}>
        <div className={styles.head}>
          <output className={styles.count}>{texts.count(chosen.length)}</output>
          <Button
            kind="quiet"
            onClick={() =>
              select(chosen.length === finished.length ? [] : finished.map(({ id }) => id))
            }
          >
            {chosen.length === finished.length ? texts.none : texts.all}
          </Button>
          <IconButton
            ref={passFocusOn}
            label={texts.stop}
            icon={<X {...icon} />}
            onClick={stopSelecting}
          />
        </div>
        <Actions
          chosen={chosen}
          onOpen={setOpen}
          onSave={(one) => void notifyIfDownloadFailed(downloadPicture(adapter, one))}
        />
      </section>
      <DeleteQuestion
        adapter={adapter}
        view={view}
        chosen={chosen}
        isOpen={open === 'delete'}
        onClose={close}
      />
      <Suspense>
        {open === 'compare' && <CompareDialog view={view} pair={chosen} onClose={close} />}
        {open === 'collections' && (
          <CollectionsDialog records={records} chosen={chosen} onClose={close} />
        )}
        {open === 'zip' && <ZipDialog adapter={adapter} records={chosen} onClose={close} />}
      </Suspense>
    </>
  );
}

/** Escape and the container's back button end the selection, unless a dialog is above it. */
function useEscape(isOn: boolean): void {
  const stop = useEffectEvent(() => stopSelecting());

  useEffect(() => {
    if (!isOn) {
      return undefined;
    }
    const leave = dialogStack.enter({ close: () => stop() });
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && dialogStack.count() === 1) {
        stop();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => {
      leave();
      window.removeEventListener('keydown', onKey);
    };
  }, [isOn]);
}

type ActionsProps = {
  readonly chosen: readonly GenerationRecord[];
  readonly onOpen: (dialog: OpenDialog) => void;
  /** Saves one picture by itself. */
  readonly onSave: (record: GenerationRecord) => void;
};

function Actions({ chosen, onOpen, onSave }: ActionsProps) {
  const platform = usePlatform();
  const isFavourite = chosen.length > 0 && chosen.every((record) => record.isFavourite);
  const isEmpty = chosen.length === 0;
  const open = (dialog: OpenDialog) => () => onOpen(dialog);

  const favour = () => {
    platform.haptic('light');
    sayIfNotKept(setFavourite(chosen, !isFavourite));
  };
  const download = () => {
    const [one] = chosen;
    if (one && chosen.length === 1 && toPictures(one).length === 1) {
      onSave(one);
    } else {
      onOpen('zip');
    }
  };
  const askToDelete = () => {
    platform.haptic('warning');
    onOpen('delete');
  };

  return (
    <div className={styles.actions}>
      <Action
        label={texts.compare}
        icon={<Columns2 {...icon} />}
        missing={chosen.length === 2 ? undefined : texts.compareTwo}
        onPress={open('compare')}
      />
      <Action
        label={historyTexts.find.collections}
        icon={<FolderPlus {...icon} />}
        missing={isEmpty ? texts.first : undefined}
        onPress={open('collections')}
      />
      <Action
        label={historyTexts.card.favourite}
        icon={<Star {...icon} fill={isFavourite ? 'currentcolor' : 'none'} />}
        missing={isEmpty ? texts.first : undefined}
        isPressed={isFavourite}
        onPress={favour}
      />
      <Action
        label={historyTexts.card.download}
        icon={<Download {...icon} />}
        missing={isEmpty ? texts.first : undefined}
        onPress={download}
      />
      <Action
        label={historyTexts.card.delete}
        icon={<Trash2 {...icon} />}
        missing={isEmpty ? texts.first : undefined}
        onPress={askToDelete}
      />
    </div>
  );
}

type ActionProps = {
  readonly label: string;
  readonly icon: ReactNode;
  /** What has to be done first: said when it is pressed all the same. */
  readonly missing: string | undefined;
  readonly isPressed?: boolean;
  readonly onPress: () => void;
};

function Action({ label, icon: picture, missing, isPressed, onPress }: ActionProps) {
  const say = () =>
    useNotices.getState().show({ id: 'selection', tone: 'info', text: missing ?? '' });
  return (
    // Not disabled: it says what is missing.
    <button
      type="button"
      className={styles.action}
      aria-disabled={missing !== undefined || undefined}
      aria-pressed={isPressed}
      onClick={missing === undefined ? onPress : say}
    >
      {picture}
      <span>{label}</span>
    </button>
  );
}

type CompareDialogProps = {
  readonly view: HistoryView;
  readonly pair: readonly GenerationRecord[];
  readonly onClose: () => void;
};

const ways = [
  { id: 'beside', label: compareTexts.beside },
  { id: 'above', label: compareTexts.above },
] as const;
type Way = (typeof ways)[number]['id'];

/** Two pictures beside each other or one above the other, and the details in which they differ. */
function CompareDialog({ view, pair, onClose }: CompareDialogProps) {
  const [way, setWay] = useState<Way>('beside');
  const [first, second] = pair;
  if (!first || !second) {
    return null;
  }
  const Pictures = way === 'beside' ? BesidePictures : SlidingPictures;
  return (
    <Dialog
      title={compareTexts.title}
      isOpen
      isWide
      isSheet
      onClose={onClose}
      actions={<Button onClick={onClose}>{historyTexts.details.close}</Button>}
    >
      <div className={styles.compare}>
        <Tabs
          name="compare"
          label={compareTexts.title}
          tabs={ways}
          selected={way}
          onSelect={setWay}
        />
        <TabPanel name="compare" selected={way}>
          <Pictures first={first} second={second} />
        </TabPanel>
        <Differences view={view} first={first} second={second} />
      </div>
    </Dialog>
  );
}

type Pair = { readonly first: GenerationRecord; readonly second: GenerationRecord };

function BesidePictures({ first, second }: Pair) {
  return (
    <div className={styles.beside}>
      <figure>
        <ComparedPicture record={first} name={compareTexts.first} />
        <figcaption>{compareTexts.first}</figcaption>
      </figure>
      <figure>
        <ComparedPicture record={second} name={compareTexts.second} />
        <figcaption>{compareTexts.second}</figcaption>
      </figure>
    </div>
  );
}

/** The first picture covers the second up to the handle. */
function SlidingPictures({ first, second }: Pair) {
  const [share, setShare] = useState(50);
  const { width, height } = getSize(first);
  return (
    <div className={styles.sliding} style={{ aspectRatio: `${width} / ${height}` }}>
      <ComparedPicture record={second} name={compareTexts.second} />
      <div className={styles.cover} style={{ width: `${share}%` }}>
        <ComparedPicture record={first} name={compareTexts.first} />
      </div>
      <input
        type="range"
        min={0}
        max={100}
        value={share}
        aria-label={compareTexts.slider}
        aria-valuetext={`${share} %`}
        onChange={({ target }) => setShare(Number(target.value))}
      />
      <span aria-hidden className={styles.handle} style={{ insetInlineStart: `${share}%` }} />
      <span aria-hidden className={styles.tag}>
        1
      </span>
      <span aria-hidden className={styles.tag}>
        2
      </span>
    </div>
  );
}

function ComparedPicture({
  record,
  name,
}: {
  readonly record: GenerationRecord;
  readonly name: string;
}) {
  const { picture, isFailed, onError } = useShownPicture(record);
  const { width, height } = getSize(record);
  if (isFailed) {
    return <p className={styles.missing}>{historyTexts.card.missing}</p>;
  }
  return picture.state === 'ready' ? (
    <img
      src={picture.url}
      width={width}
      height={height}
      alt={`${name}: ${shortenPrompt(record.prompt)}`}
      draggable={false}
      onError={onError}
    />
  ) : (
    <div className={styles.missing} style={{ aspectRatio: `${width} / ${height}` }}>
      <Spinner label={historyTexts.viewer.loading} />
    </div>
  );
}

function getSize({ width, height, ratio }: GenerationRecord) {
  return width && height ? { width, height } : getRatioSize(ratio);
}

type DifferencesProps = Pair & { readonly view: HistoryView };

function Differences({ view, first, second }: DifferencesProps) {
  const lines = findDifferences(view.details.facts(first), view.details.facts(second));
  if (lines.length === 0) {
    return <p>{compareTexts.same}</p>;
  }
  return (
    <table className={styles.differences}>
      <caption>{compareTexts.differences}</caption>
      <thead>
        <tr>
          <th scope="col">{compareTexts.detail}</th>
          <th scope="col">{compareTexts.first}</th>
          <th scope="col">{compareTexts.second}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, one, other }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td dir="auto">
              <Marked text={one} against={other} />
            </td>
            <td dir="auto">
              <Marked text={other} against={one} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Facts = ReturnType<HistoryView['details']['facts']>;

function findDifferences(ones: Facts, others: Facts) {
  const names = new Set([...ones, ...others].map(({ name }) => name));
  const read = (facts: Facts, wanted: string) =>
    facts.find(({ name }) => name === wanted)?.text.trim() ?? '';
  return [...names]
    .map((name) => ({ name, one: read(ones, name), other: read(others, name) }))
    .filter(({ one, other }) => one !== other);
}

/** Of a text with several words, those that the other one does not have are marked. */
function Marked({ text, against }: { readonly text: string; readonly against: string }) {
  if (text === '') {
    return <span className={styles.none}>{compareTexts.empty}</span>;
  }
  const others = new Set(against.split(/\s+/));
  const words = [...text.matchAll(/\S+\s*/g)];
  return words.length < 2 || against === ''
    ? text
    : words.map(({ 0: word, index }) =>
        others.has(word.trim()) ? (
          word
        ) : (
          <Fragment key={index}>
            <mark>{word.trim()}</mark>{' '}
          </Fragment>
        ),
      );
}
