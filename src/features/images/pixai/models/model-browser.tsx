/** The browser of models: a search, a sort order, and a gallery that loads more while it is scrolled. */
import { ChevronDown } from 'lucide-react';
import {
  type RefObject,
  useEffect,
  useRef,
  useState,
  useEffectEvent,
  useLayoutEffect,
} from 'react';
import { useLocation } from 'react-router-dom';
import * as v from 'valibot';

import { type ModelCard as Model } from '#contract/endpoints/models';
import { sortOrderTexts } from '#contract/images/sort-order-texts';
import { sortOrders } from '#contract/images/sort-orders';
import { useAge } from '#lib/age';
import { ApiError } from '#lib/api';
import { joinList } from '#lib/format';
import { sayWhenSeen } from '#lib/offline';
import { usePlatform } from '#lib/platform';
import { tabMarks } from '#lib/storage';
import { Button } from '#ui/button';
import { EmptyState, passFocusOn } from '#ui/empty-state';
import {
  Masonry,
  type MasonryCard,
  type MasonryHandle,
  useColumns,
  type MasonrySnapshot,
} from '#ui/masonry';
import { Notice } from '#ui/notice';
import { SearchField } from '#ui/search-field';
import { Spinner } from '#ui/spinner';

import { galleryColumns, galleryGap } from '../../shared/gallery-columns.ts';
import { AgeQuestion } from '../age-question.tsx';
import { BrowserContext, ModelCard, useTurnedCards } from './model-card.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { modelTexts as texts } from './texts.ts';
import { useModelsPlace, useModels } from './use-models.ts';

import hubStyles from '../../hub.module.css';
import styles from './model-browser.module.css';

/** The row of buttons below each cover, in px. */
const rowPx = 44;
/** Height by width. Other covers are cropped, so that the text on them has room. */
const shapes = { flattest: 0.95, tallest: 1.5 } as const;
const placeholders = 4;
/** Scrolling by less, in px, neither hides nor shows the tools. */
const slack = 8;

type ModelBrowserProps = {
  /**
   * Called with the model that the user takes; by default it is put into the form, and the generator is
   * opened. With it the browser is in a dialog: that scrolls, and search and order are not in the address.
   */
  readonly onChoose?: (model: Model) => void;
  /** Called when the ticked LoRAs were put into the form. */
  readonly onDone?: () => void;
};

export function ModelBrowser({ onChoose, onDone }: ModelBrowserProps) {
  const isDialog = onChoose !== undefined;
  const place = useModelsPlace({ isDialog });
  const found = useModels(place);
  const age = useAge();
  const [isAsking, setIsAsking] = useState(false);
  const tools = useRef<HTMLDivElement>(null);
  useSlashKey(tools);
  useHiddenByScrolling(tools, !isDialog);

  useEffect(() => () => useTurnedCards.setState({ turned: [] }), []);

  return (
    <div className={isDialog ? `${styles.browser} ${styles.inDialog}` : styles.browser}>
      <div className={styles.tools} ref={tools}>
        <SearchField
          label={texts.search}
          clearLabel={texts.clearSearch}
          value={place.typed}
          onChange={place.type}
        />
        <SortMenu place={place} />
      </div>
      {found.seenAt !== undefined && <Notice tone="info">{sayWhenSeen(found.seenAt)}</Notice>}
      {found.isFallback && (
        <div className={styles.remark}>
          <output>{texts.searchFailed}</output>
          <Button kind="quiet" onClick={found.searchAgain}>
            {texts.tryAgain}
          </Button>
        </div>
      )}
      {/* Always there: screen readers announce only changes of an element. */}
      <output className="visually-hidden">{getAnnouncement(found, place.query)}</output>
      <BrowserContext
        value={{
          areAdultCoversShown: age.isConfirmed,
          confirmAge: () => setIsAsking(true),
          onChoose,
        }}
      >
        <Found found={found} query={place.query} isDialog={isDialog} />
      </BrowserContext>
      <SelectionBar onDone={onDone} />
      <AgeQuestion isOpen={isAsking} onClose={() => setIsAsking(false)} />
    </div>
  );
}

function getAnnouncement({ models, status }: ReturnType<typeof useModels>, query: string): string {
  if (status === 'loading' || (models.length === 0 && status === 'failed')) {
    return '';
  }
  return models.length === 0 && query !== '' ? texts.nothingFoundNews : texts.loaded(models.length);
}

function SortMenu({ place }: { readonly place: ReturnType<typeof useModelsPlace> }) {
  const platform = usePlatform();
  const isSearch = place.query !== '';
  return (
    <span className={styles.sort}>
      <select
        aria-label={texts.sort}
        value={place.sort ?? ''}
        onChange={({ target }) => {
          platform.haptic('selection');
          place.sortBy(target.value);
        }}
      >
        {isSearch && <option value="">{texts.bestMatch}</option>}
        {sortOrders.map(({ value }) => (
          <option key={value} value={value}>
            {sortOrderTexts[value]}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden size={16} />
    </span>
  );
}

type GalleryProps = {
  readonly found: ReturnType<typeof useModels>;
  readonly isDialog: boolean;
};
type FoundProps = GalleryProps & { readonly query: string };

function Found({ found, query, isDialog }: FoundProps) {
  const { models, status, retry } = found;
  if (status === 'loading') {
    return (
      <div className={hubStyles.loading}>
        <Spinner label={texts.loading} />
      </div>
    );
  }
  if (models.length > 0) {
    return <Gallery found={found} isDialog={isDialog} />;
  }
  const canTryAgain = query === '' || status === 'failed';
  const { title, hint } = getEmptyTexts(found, query);
  return (
    <EmptyState
      mood="surprised"
      title={title}
      action={canTryAgain && <Button onClick={retry}>{texts.tryAgain}</Button>}
    >
      {hint}
    </EmptyState>
  );
}

function getEmptyTexts({ status, error }: ReturnType<typeof useModels>, query: string) {
  if (status === 'failed') {
    const isUnreachable = error instanceof ApiError && error.status === 0;
    const hint = isUnreachable ? texts.unreachableHint : texts.refusedHint;
    return { title: texts.noneLoaded, hint };
  }
  return query === ''
    ? { title: texts.none, hint: texts.noneHint }
    : { title: texts.nothingFound(query), hint: texts.nothingFoundHint };
}

function Gallery({ found, isDialog }: GalleryProps) {
  const { models, status, loadMore, retry, isComplete } = found;
  const gallery = useRef<MasonryHandle>(null);
  useReturn(gallery, { ids: models.map(getKey), loadMore, isDialog });
  const { turned, turn } = useTurnedCards();

  return (
    <Masonry
      ref={gallery}
      label={texts.list}
      items={models}
      getKey={getKey}
      getName={getName}
      getSize={getSize}
      total={isComplete ? models.length : undefined}
      columns={useColumns(galleryColumns)}
      gap={galleryGap}
      placeholders={status === 'more' ? placeholders : 0}
      endMargin={300}
      onNearEnd={loadMore}
      render={renderCard}
      foot={<Foot status={status} isComplete={isComplete} retry={retry} />}
      keep={turned}
      onOpen={({ id }) => turn(id)}
    />
  );
}

type FootProps = Pick<ReturnType<typeof useModels>, 'status' | 'isComplete' | 'retry'>;

function Foot({ status, isComplete, retry }: FootProps) {
  if (status === 'more') {
    return <p className={styles.foot}>{texts.loadingMore}</p>;
  }
  if (status === 'failed') {
    return (
      <div className={styles.foot} role="alert">
        {texts.moreFailed}
        <Button ref={passFocusOn} onClick={retry}>
          {texts.tryAgain}
        </Button>
      </div>
    );
  }
  return isComplete ? <p className={styles.foot}>{texts.end}</p> : null;
}

const renderCard = (model: Model, card: MasonryCard) => <ModelCard model={model} card={card} />;
const getKey = ({ id }: Model) => id;
const getName = ({ name, type }: Model) =>
  joinList([name === '' ? texts.card.unknown : name, type.toLowerCase()]);

function getSize({ width, height }: Model) {
  const shape = width && height ? height / width : 1;
  const shown = Math.min(shapes.tallest, Math.max(shapes.flattest, shape));
  return { width: 100, height: 100 * shown, extra: rowPx };
}

/** The tools move away while the user scrolls down, and come back when they scroll up. */
function useHiddenByScrolling(tools: RefObject<HTMLElement | null>, isEnabled: boolean): void {
  useEffect(() => {
    const element = tools.current;
    if (!element || !isEnabled) {
      return undefined;
    }
    const root = document.documentElement;
    const stuckAt = Number.parseFloat(getComputedStyle(element).top) || 0;
    // What has the focus must not be covered.
    root.style.scrollPaddingTop = `${stuckAt + element.offsetHeight}px`;
    let last = window.scrollY;
    const follow = () => {
      // Less than 0 while Safari bounces.
      const now = Math.max(0, window.scrollY);
      if (Math.abs(now - last) >= slack) {
        const start = element.parentElement?.getBoundingClientRect().top ?? 0;
        element.toggleAttribute('data-hidden', now > last && start < stuckAt);
        last = now;
      }
    };
    // Before the gallery's own listener, which changes the layout that is read here.
    const options = { capture: true, passive: true };
    window.addEventListener('scroll', follow, options);
    return () => {
      window.removeEventListener('scroll', follow, options);
      root.style.scrollPaddingTop = '';
    };
  }, [tools, isEnabled]);
}

/** The slash key focuses the search, as on other pages with one. */
function useSlashKey(tools: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.closest('input, textarea, select');
      if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        tools.current?.querySelector('input')?.focus();
      }
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [tools]);
}

const mark = v.object({
  /** The key of the browser's history entry, and the query of the address. */
  entry: v.string(),
  /** When that page was loaded, in epoch milliseconds. */
  loadedAt: v.number(),
  firstId: v.string(),
  offset: v.number(),
});

const restMs = 150;

function readMark(entry: string): MasonrySnapshot | undefined {
  try {
    const parsed = v.safeParse(mark, JSON.parse(tabMarks.read('gallery') ?? ''));
    const isHere = parsed.success && parsed.output.entry === entry;
    return isHere && isReturn(parsed.output.loadedAt) ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** A newly opened page has the same key for its first entry, and is no return. */
function isReturn(loadedAt: number): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  return (
    loadedAt === performance.timeOrigin ||
    (navigation instanceof PerformanceNavigationTiming && navigation.type !== 'navigate')
  );
}

type Loading = {
  /** In their order. */
  readonly ids: readonly string[];
  readonly loadMore: (() => void) | undefined;
};

/** `isDialog`: nothing is stored, as a dialog has no history entry of its own. */
function useReturn(
  gallery: RefObject<MasonryHandle | null>,
  loading: Loading & { readonly isDialog: boolean },
): void {
  const { key, search } = useLocation();
  const entry = loading.isDialog ? undefined : key + search;
  const wanted = useRef<MasonrySnapshot>(undefined);

  const remember = useEffectEvent(() => {
    const place = gallery.current?.snapshot();
    if (entry !== undefined && place && wanted.current === undefined) {
      tabMarks.write(
        'gallery',
        JSON.stringify({ entry, loadedAt: performance.timeOrigin, ...place }),
      );
    }
  });

  // The user may leave before scrolling has stopped.
  useLayoutEffect(() => () => remember(), []);

  useEffect(() => {
    if (entry === undefined) {
      return undefined;
    }
    const place = readMark(entry);
    if (place) {
      wanted.current = place;
      gallery.current?.restore(place);
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = () => {
      clearTimeout(timer);
      timer = setTimeout(() => remember(), restMs);
    };
    const stop = () => {
      wanted.current = undefined;
    };
    const listening = new AbortController();
    const options = { passive: true, signal: listening.signal };
    window.addEventListener('scroll', rest, options);
    window.addEventListener('pagehide', remember, options);
    for (const input of ['wheel', 'touchmove', 'keydown'] as const) {
      // The user is scrolling elsewhere.
      window.addEventListener(input, stop, options);
    }
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [gallery, entry]);

  // After a reload only the first page of models is loaded; the card may be further down.
  useEffect(() => {
    const id = wanted.current?.firstId;
    if (id === undefined) {
      return;
    }
    if (loading.ids.includes(id)) {
      wanted.current = undefined;
    } else {
      loading.loadMore?.();
    }
  });
}
