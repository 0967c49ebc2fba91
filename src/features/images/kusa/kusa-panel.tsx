/** Kusa: a gallery of named styles, to look at. */
import { queryOptions, useQuery } from '@tanstack/react-query';

import { listKusaStyles, type WireStyle } from '#contract/endpoints/kusa';
import { call } from '#lib/api';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Masonry, type MasonryCard, useColumns } from '#ui/masonry';
import { Spinner } from '#ui/spinner';

import { galleryColumns, galleryGap } from '../shared/gallery-columns.ts';
import { logFailure } from '../shared/log-failure.ts';
import { getStyleName, StyleCard } from './style-card.tsx';
import { kusaTexts as texts } from './texts.ts';

import styles from './kusa.module.css';

/** Of a picture whose shape nobody tells. */
const usualSize = { width: 3, height: 4 } as const;

const stylesQuery = () =>
  queryOptions({
    queryKey: ['kusa-styles'],
    queryFn: ({ signal }) => readStyles(signal),
    staleTime: 60 * 60_000,
  });

async function readStyles(signal: AbortSignal): Promise<readonly WireStyle[]> {
  try {
    const { styles: found } = await call(listKusaStyles, {}, signal);
    return unique(found.styles);
  } catch (error) {
    logFailure(texts.failed, error);
    throw error;
  }
}

/** A gallery tells its cards apart by their ids. */
function unique(found: readonly WireStyle[]): readonly WireStyle[] {
  return [...new Map(found.map((style) => [style.id, style])).values()];
}

export function KusaPanel() {
  const { data = [], isPending, isError, isFetching, refetch } = useQuery(stylesQuery());
  const columnCount = useColumns(galleryColumns);

  if (isPending) {
    return (
      <div className={styles.loading}>
        <Spinner label={texts.loading} />
      </div>
    );
  }
  return data.length === 0 ? (
    <EmptyState
      mood="sleepy"
      title={texts.empty}
      action={
        isError && (
          <Button isBusy={isFetching} onClick={() => void refetch()}>
            {texts.retry}
          </Button>
        )
      }
    />
  ) : (
    <section className={styles.gallery} aria-labelledby="kusa-heading">
      <h2 id="kusa-heading" className="visually-hidden">
        {texts.heading}
      </h2>
      <Masonry
        label={texts.list}
        items={data}
        total={data.length}
        getKey={getKey}
        getName={getStyleName}
        getSize={getSize}
        columns={columnCount}
        gap={galleryGap}
        render={drawCard}
      />
    </section>
  );
}

const getKey = ({ id }: WireStyle) => id;

const drawCard = (style: WireStyle, { tabIndex }: MasonryCard) => (
  <StyleCard style={style} tabIndex={tabIndex} />
);

/** Where the server tells the shape, the picture has it from the beginning. */
function getSize({ width, height }: WireStyle) {
  return typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0
    ? { width, height }
    : usualSize;
}
