/** The browser of models: a search, a sort order, and a gallery that loads more while it is scrolled. */
import { type RefObject, useEffect, useRef, useState } from 'react';

import { type ModelCard as Model } from '#contract/endpoints/models';
import { sortOrders } from '#contract/images/sort-orders';
import { ageTexts, useAge } from '#lib/age';
import { ApiError } from '#lib/api';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { ConfirmDialog } from '#ui/confirm-dialog';
import { EmptyState, passFocusOn } from '#ui/empty-state';
import { Masonry, type MasonryCard, type MasonryHandle, useColumns } from '#ui/masonry';
import { SearchField } from '#ui/search-field';
import { SelectField } from '#ui/select-field';
import { Spinner } from '#ui/spinner';

import { galleryColumns, galleryGap } from '../../shared/gallery-columns.ts';
import { AdultCoversContext, ModelCard, useTurnedCards } from './model-card.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { modelTexts as texts } from './texts.ts';
import { useModelsPlace, useModels } from './use-models.ts';
import { useReturn } from './use-return.ts';

import styles from './model-browser.module.css';

/** The row of buttons below each cover, in px. */
const rowPx = 44;
/** Height by width. Other covers are cropped, so that the text on them has room. */
const shapes = { flattest: 0.95, tallest: 1.5 } as const;
const placeholders = 4;

export function ModelBrowser() {
  const place = useModelsPlace();
  const found = useModels(place);
  const age = useAge();
  const [isAsking, setIsAsking] = useState(false);
  const search = useRef<HTMLDivElement>(null);
  useSlashKey(search);

  useEffect(() => () => useTurnedCards.setState({ turned: [] }), []);

  return (
    <div className={styles.browser}>
      <div className={styles.tools} ref={search}>
        <SearchField
          label={texts.search}
          clearLabel={texts.clearSearch}
          value={place.typed}
          onChange={place.type}
        />
        <SortMenu place={place} />
      </div>
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
      <AdultCoversContext
        value={{ areShown: age.isConfirmed, confirmAge: () => setIsAsking(true) }}
      >
        <Found found={found} query={place.query} />
      </AdultCoversContext>
      <SelectionBar />
      <ConfirmDialog
        isOpen={isAsking && !age.isConfirmed}
        texts={ageTexts}
        onCancel={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          age.confirm();
        }}
      />
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
    <SelectField
      label={texts.sort}
      value={place.sort ?? ''}
      isInline
      onChange={(sort) => {
        platform.haptic('selection');
        place.sortBy(sort);
      }}
    >
      {isSearch && <option value="">{texts.bestMatch}</option>}
      {sortOrders.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}

type FoundProps = { readonly found: ReturnType<typeof useModels>; readonly query: string };

function Found({ found, query }: FoundProps) {
  const { models, status, retry } = found;
  if (status === 'loading') {
    return (
      <div className={styles.loading}>
        <Spinner label={texts.loading} />
      </div>
    );
  }
  if (models.length > 0) {
    return <Gallery found={found} />;
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

function Gallery({ found }: { readonly found: ReturnType<typeof useModels> }) {
  const { models, status, loadMore, retry, isComplete } = found;
  const gallery = useRef<MasonryHandle>(null);
  useReturn(gallery, { ids: models.map(getKey), loadMore });
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
  `${name === '' ? texts.card.unknown : name}, ${type.toLowerCase()}`;

function getSize({ width, height }: Model) {
  const shape = width && height ? height / width : 1;
  const shown = Math.min(shapes.tallest, Math.max(shapes.flattest, shape));
  return { width: 100, height: 100 * shown, extra: rowPx };
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
