/** Kusa: a gallery of named styles, to look at. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ImageOff } from 'lucide-react';
import { useState } from 'react';

import { listKusaStyles, type WireStyle } from '#contract/endpoints/kusa';
import { call } from '#lib/api';
import { resolveLink } from '#lib/fetch-file';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Masonry, type MasonryCard, useColumns } from '#ui/masonry';
import { Spinner } from '#ui/spinner';

import { galleryColumns, galleryGap } from '../shared/gallery-columns.ts';
import { logFailure } from '../shared/log-failure.ts';
import { kusaTexts as texts } from './texts.ts';

import hubStyles from '../hub.module.css';
import styles from './kusa.module.css';

/** For pictures whose size the server does not tell. */
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
    // The gallery needs unique ids.
    return [...new Map(found.styles.map((style) => [style.id, style])).values()];
  } catch (error) {
    logFailure('The styles could not be loaded', error);
    throw error;
  }
}

export function KusaPanel() {
  const { data = [], isPending, isError, isFetching, refetch } = useQuery(stylesQuery());
  const columnCount = useColumns(galleryColumns);

  if (isPending) {
    return (
      <div className={hubStyles.loading}>
        <Spinner label={texts.loading} />
      </div>
    );
  }
  return data.length === 0 ? (
    <EmptyState
      mood="sleepy"
      title={texts.none}
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
        label={texts.label}
        items={data}
        total={data.length}
        getKey={getKey}
        getName={getName}
        getSize={getSize}
        columns={columnCount}
        gap={galleryGap}
        render={renderCard}
      />
    </section>
  );
}

const getKey = ({ id }: WireStyle) => id;

/** A card's accessible name. */
const getName = (style: WireStyle) => texts.style(style.id, getOriginalName(style));

function getSize({ width, height }: WireStyle) {
  return typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0
    ? { width, height }
    : usualSize;
}

const renderCard = (style: WireStyle, { tabIndex }: MasonryCard) => (
  <StyleCard style={style} tabIndex={tabIndex} />
);

/** The style's first name; backends without that have only its present one. */
function getOriginalName({ id, name, og_name }: WireStyle): string {
  return og_name?.trim() || name?.trim() || `#${id}`;
}

type StyleCardProps = { readonly style: WireStyle; readonly tabIndex: 0 | -1 };

/** The picture, and a pill with the style's number that turns into its original name. */
function StyleCard({ style, tabIndex }: StyleCardProps) {
  const { id, image_url: url } = style;
  const platform = usePlatform();
  const [isTurned, setIsTurned] = useState(false);
  const [isFailed, setIsFailed] = useState(!url);

  return (
    // CSS turns the pill on hover and focus; the state is for touch.
    <button
      type="button"
      tabIndex={tabIndex}
      className={styles.card}
      aria-pressed={isTurned}
      aria-label={getName(style)}
      onClick={() => {
        platform.haptic('light');
        setIsTurned(!isTurned);
      }}
    >
      {isFailed ? (
        <span className={styles.failed}>
          <ImageOff aria-hidden size={24} />
          {texts.notLoaded}
        </span>
      ) : (
        <img
          src={resolveLink(url ?? '')}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setIsFailed(true)}
        />
      )}
      <span className={styles.pill}>
        <span className={styles.number}>#{id}</span>
        <span className={styles.name}>{getOriginalName(style)}</span>
      </span>
    </button>
  );
}
