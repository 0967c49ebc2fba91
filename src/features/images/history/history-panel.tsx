/** The user's generations by one provider: a gallery, and the dialogs that open from it. */
import { CopyCheck, Download, FolderOpen, Info, RefreshCw, Star, Trash2 } from 'lucide-react';
import { lazy, type RefCallback, Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';

import { useQueryString } from '#lib/address';
import { useCapabilities } from '#lib/capabilities';
import { paths } from '#lib/paths';
import { toSearchable, useSearchTerm } from '#lib/search-term';
import { useSession } from '#lib/session';
import { Button, IconButton } from '#ui/button';
import { ConfirmDialog } from '#ui/confirm-dialog';
import { EmptyState, passFocusOn } from '#ui/empty-state';
import { fillSlots } from '#ui/fill-slots';
import { SearchField } from '#ui/search-field';
import { SelectMenu } from '#ui/select-field';
import { Spinner } from '#ui/spinner';

import { Lightbox } from '../lightbox/lightbox.tsx';
import {
  downloadPicture,
  notifyIfDownloadFailed,
  usePreparedDownload,
} from '../shared/download-picture.ts';
import { useHistory } from '../shared/history.ts';
import { type ProviderAdapter } from '../shared/provider-adapter.ts';
import { type GenerationRecord, getRecordId } from '../shared/records.ts';
import { ShareMenu } from '../shared/share-actions.tsx';
import {
  type Collection,
  select,
  stopSelecting,
  useCollections,
  useSelection,
  useStoredCollections,
} from './collections.ts';
import { CardActionContext } from './history-card.tsx';
import { type GalleryHandle, type HistoryView } from './history-view.ts';
import { historyTexts } from './texts.ts';
import {
  type HistoryOverlays,
  useHistoryOverlays,
  useLinkedPicture,
} from './use-history-overlays.ts';

import styles from './history-panel.module.css';

const { card: cardTexts, find: findTexts } = historyTexts;
const icon = { 'aria-hidden': true, size: 22 } as const;

const loadDialogs = () => import('./history-dialogs.tsx');
const loadSelection = () => import('./selection.tsx');
const AllImagesDialog = lazy(async () => ({ default: (await loadDialogs()).AllImagesDialog }));
const DetailsDialog = lazy(async () => ({ default: (await loadDialogs()).DetailsDialog }));
const CollectionsDialog = lazy(async () => ({ default: (await loadDialogs()).CollectionsDialog }));
const SelectionBar = lazy(async () => ({ default: (await loadSelection()).SelectionBar }));

/** When the page is at rest: the parts are then here when the network is gone. */
const preloadAfterMs = 3000;

function usePreloadedParts(): void {
  useEffect(() => {
    const ignore = () => undefined;
    const timer = setTimeout(() => {
      loadDialogs().catch(ignore);
      void loadSelection().then(({ preloadParts }) => preloadParts(), ignore);
    }, preloadAfterMs);
    return () => clearTimeout(timer);
  }, []);
}

type HistoryPanelProps = {
  readonly adapter: ProviderAdapter;
  readonly view: HistoryView;
  /** The form has been filled with the recipe of a picture. */
  readonly onUsedAgain: () => void;
};

export function HistoryPanel({ adapter, view, onUsedAgain }: HistoryPanelProps) {
  const session = useSession();
  const { records, status, isRefreshing, refresh } = useHistory(adapter);
  const filter = useFilter(records, view);
  const { shown } = filter;
  const heading = useRef<HTMLHeadingElement>(null);
  const gallery = useRef<GalleryHandle>(null);
  const overlays = useHistoryOverlays({
    adapter,
    view,
    records,
    shown,
    gallery,
    heading,
    onUsedAgain,
  });
  const isSelecting = useSelection(({ isOn }) => isOn);
  const isLoading = status === 'loading' || session.status === 'unknown';
  useStoredCollections();
  usePreloadedParts();
  useEffect(() => stopSelecting, []);
  const mayGetMore = isLoading || isRefreshing;
  useLinkedPicture({ adapter, view, records, onUsedAgain, mayGetMore }, overlays.enlarge);

  return (
    <section className={styles.panel} aria-labelledby="history-heading">
      <div className={styles.header}>
        <h2 id="history-heading" ref={heading} tabIndex={-1}>
          {view.heading}
        </h2>
        <div className={styles.buttons}>
          {!isSelecting && <SelectButton shown={shown} />}
          <Button
            kind="quiet"
            icon={<RefreshCw aria-hidden size={18} />}
            isBusy={isRefreshing && !isLoading}
            onClick={() => void refresh()}
          >
            {historyTexts.refresh}
          </Button>
        </div>
      </div>
      {session.status === 'guest' && <LoginHint isLeft={session.formerId !== undefined} />}
      {isLoading && (
        <div className={styles.loading}>
          <Spinner label={historyTexts.loading} />
        </div>
      )}
      {!isLoading && records.length === 0 && <EmptyState mood="happy" title={view.empty} />}
      {!isLoading && records.length > 0 && (
        <Found
          view={view}
          records={records}
          filter={filter}
          galleryRef={(handle) => {
            gallery.current = handle;
          }}
          overlays={overlays}
        />
      )}
      {isSelecting && (
        <Suspense>
          <SelectionBar adapter={adapter} view={view} records={records} shown={shown} />
        </Suspense>
      )}
      <Overlays adapter={adapter} view={view} overlays={overlays} />
    </section>
  );
}

/** Shown where there is something to select. */
function SelectButton({ shown }: { readonly shown: readonly GenerationRecord[] }) {
  return (
    shown.some(({ status }) => status === 'completed') && (
      <Button kind="quiet" icon={<CopyCheck aria-hidden size={18} />} onClick={() => select([])}>
        {historyTexts.select.start}
      </Button>
    )
  );
}

type FoundProps = {
  readonly view: HistoryView;
  readonly records: readonly GenerationRecord[];
  readonly filter: Filter;
  readonly galleryRef: RefCallback<GalleryHandle>;
  readonly overlays: HistoryOverlays;
};

function Found({ view, records, filter, galleryRef, overlays }: FoundProps) {
  const { shown } = filter;
  return (
    <>
      <Tools records={records} filter={filter} />
      {shown.length === 0 && <NothingShown filter={filter} />}
      {shown.length > 0 && (
        <CardActionContext value={overlays.onAction}>
          <div ref={passFocusOn} className={styles.gallery}>
            <view.Gallery
              key={`${filter.show} ${filter.term}`}
              ref={galleryRef}
              records={shown}
              keptId={overlays.enlarged && getRecordId(overlays.enlarged.id)}
            />
          </div>
        </CardActionContext>
      )}
    </>
  );
}

/** A history with more pictures than that has a search. */
const handful = 5;
const favourites = 'favourites';

/** The pictures that are searched for, and those of a collection or with a star. Both are in the address. */
function useFilter(records: readonly GenerationRecord[], view: HistoryView) {
  const [query, setQuery] = useQueryString();
  const collections = useCollections();
  const write = (values: Readonly<Record<string, string>>) =>
    setQuery(
      (now) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === '') {
            now.delete(name);
          } else {
            now.set(name, value);
          }
        }
        return now;
      },
      { replace: true },
    );
  const [typed, setTerm] = useSearchTerm(query.get('q') ?? '', (q) => write({ q }));
  const term = typed.trim();
  const named = query.get('show') ?? '';
  const isKnown = named === favourites || collections.some(({ id }) => id === named);
  const show = isKnown ? named : '';
  const words = toSearchable(term).split(/\s+/);

  return {
    typed,
    term,
    show,
    collections,
    setTerm,
    setShow: (next: string) => write({ show: next }),
    clear: () => {
      setTerm('');
      write({ q: '', show: '' });
    },
    shown: records.filter(
      (record) =>
        isMarked(record, show) &&
        (term === '' || words.every((word) => getSearchable(record, view).includes(word))),
    ),
  };
}

type Filter = ReturnType<typeof useFilter>;

function isMarked({ isFavourite, collections }: GenerationRecord, show: string): boolean {
  return (
    show === '' ||
    (show === favourites ? isFavourite === true : collections?.includes(show)) === true
  );
}

/** What is searched in a record, as making it comparable takes long for thousands of prompts. */
const searchable = new WeakMap<GenerationRecord, string>();

function getSearchable(record: GenerationRecord, { words }: HistoryView): string {
  const known = searchable.get(record);
  if (known !== undefined) {
    return known;
  }
  const { prompt, modelName, modelId } = record;
  const text = toSearchable([prompt, modelName, modelId, words?.(record) ?? ''].join('\n'));
  searchable.set(record, text);
  return text;
}

type ToolsProps = { readonly records: readonly GenerationRecord[]; readonly filter: Filter };

/** The search, and what is shown: everything, favourites, or a collection. */
function Tools({ records, filter }: ToolsProps) {
  const { typed, term, show, collections, shown } = filter;
  const [isNaming, setIsNaming] = useState(false);
  const isMany = records.length > handful;
  const hasMarks = collections.length > 0 || records.some(({ isFavourite }) => isFavourite);
  if (!isMany && !hasMarks && typed === '' && show === '') {
    return null;
  }
  return (
    <div className={styles.tools}>
      {(isMany || typed !== '') && (
        <SearchField
          label={findTexts.search}
          clearLabel={findTexts.clearSearch}
          value={typed}
          onChange={filter.setTerm}
        />
      )}
      <div className={styles.filter}>
        <SelectMenu
          aria-label={findTexts.show}
          value={show}
          onChange={({ target }) => filter.setShow(target.value)}
        >
          <option value="">{findTexts.all}</option>
          <option value={favourites}>{findTexts.favourites}</option>
          {collections.length > 0 && (
            <optgroup label={findTexts.collections}>
              {collections.map(({ id, name }: Collection) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
        </SelectMenu>
        <IconButton
          label={findTexts.collections}
          icon={<FolderOpen {...icon} />}
          onClick={() => setIsNaming(true)}
        />
      </div>
      {/* Always there: screen readers announce only changes of an element. */}
      <output className="visually-hidden">
        {(term !== '' || show !== '') && findTexts.found(shown.length)}
      </output>
      {isNaming && (
        <Suspense>
          <CollectionsDialog records={records} onClose={() => setIsNaming(false)} />
        </Suspense>
      )}
    </div>
  );
}

function NothingShown({ filter }: { readonly filter: Filter }) {
  const { term, show, clear } = filter;
  const isSearch = term !== '';
  const [title, hint] = isSearch
    ? [findTexts.nothing(term), undefined]
    : show === favourites
      ? [findTexts.noFavourites, findTexts.noFavouritesHint]
      : [findTexts.emptyCollection, findTexts.emptyCollectionHint];
  return (
    <EmptyState
      mood="surprised"
      title={title}
      action={<Button onClick={clear}>{isSearch ? findTexts.clear : findTexts.showAll}</Button>}
    >
      {hint}
    </EmptyState>
  );
}

/** `isLeft`: a session has ended by itself, and the pictures of its user are still on this device. */
function LoginHint({ isLeft }: { readonly isLeft: boolean }) {
  const { onlyHere, leftHere, logIn } = historyTexts;
  return (
    <p className={styles.hint}>
      {fillSlots(isLeft ? leftHere : onlyHere, { link: <Link to={paths.login}>{logIn}</Link> })}
    </p>
  );
}

type OverlaysProps = {
  readonly adapter: ProviderAdapter;
  readonly view: HistoryView;
  readonly overlays: HistoryOverlays;
};

function Overlays({ adapter, view, overlays }: OverlaysProps) {
  const { dialog, enlarged, closeDialog, onAction } = overlays;
  usePreparedDownload(enlarged);
  const { has } = useCapabilities();
  const { capability } = adapter.deletion;
  const isKept =
    dialog?.record.remoteId !== undefined && capability !== undefined && has(capability) !== true;
  const { question: usual, keptQuestion = usual } = view.deletion;
  const question = isKept ? keptQuestion : usual;
  return (
    <>
      {dialog?.kind === 'all' && (
        <Suspense>
          <AllImagesDialog
            adapter={adapter}
            record={dialog.record}
            onEnlarge={overlays.enlarge}
            onClose={closeDialog}
          />
        </Suspense>
      )}
      {enlarged && (
        <Lightbox
          pictures={overlays.pictures}
          shown={enlarged}
          onShow={overlays.enlarge}
          onClose={overlays.closeEnlarged}
          caption={view.caption(enlarged)}
          actions={
            <>
              <ShareMenu adapter={adapter} record={enlarged} />
              <IconButton
                label={cardTexts.favourite}
                className={styles.star}
                aria-pressed={enlarged.isFavourite === true}
                icon={<Star {...icon} />}
                onClick={() => onAction('favourite', enlarged)}
              />
              <IconButton
                label={cardTexts.download}
                icon={<Download {...icon} />}
                onClick={() => void notifyIfDownloadFailed(downloadPicture(adapter, enlarged))}
              />
              <IconButton
                label={cardTexts.info}
                icon={<Info {...icon} />}
                onClick={() => onAction('details', enlarged)}
              />
              <IconButton
                label={cardTexts.delete}
                icon={<Trash2 {...icon} />}
                onClick={() => onAction('delete', enlarged)}
              />
            </>
          }
        />
      )}
      {dialog?.kind === 'details' && (
        <Suspense>
          <DetailsDialog
            details={view.details}
            record={dialog.record}
            onClose={closeDialog}
            onUseAgain={() => onAction('use again', dialog.record)}
          />
        </Suspense>
      )}
      <ConfirmDialog
        isOpen={dialog?.kind === 'delete'}
        texts={{ ...historyTexts.delete, ...view.deletion, question }}
        kind="danger"
        onCancel={closeDialog}
        onConfirm={() => dialog && overlays.remove(dialog.record)}
      />
    </>
  );
}
