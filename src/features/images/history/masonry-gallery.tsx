/** The history's cards in columns; each is as high as its picture needs. */
import { use } from 'react';

import { getRatioSize } from '#contract/images/ratios';
import { Masonry, type MasonryCard, useColumns } from '#ui/masonry';

import { type GenerationRecord } from '../shared/records.ts';
import { CardActionContext, getCardName, HistoryCard } from './history-card.tsx';
import { type GalleryProps } from './history-view.ts';
import { historyTexts } from './texts.ts';

type MasonryGalleryProps = GalleryProps & {
  readonly columns: Parameters<typeof useColumns>[0];
  /** In px; a higher gallery scrolls by itself. Without it the page scrolls. */
  readonly maxHeight?: number;
};

const gap = 8;
/** The row of buttons below each picture, in px. */
const rowPx = 44;
const failedPx = 168;

export function MasonryGallery({ ref, records, keptId, columns, maxHeight }: MasonryGalleryProps) {
  const onAction = use(CardActionContext);
  return (
    <Masonry
      ref={ref}
      label={historyTexts.list}
      items={records}
      total={records.length}
      getKey={getKey}
      getName={getCardName}
      getSize={getSize}
      columns={useColumns(columns)}
      gap={gap}
      {...(maxHeight === undefined ? {} : { maxHeight })}
      keep={keptId === undefined ? [] : [keptId]}
      render={drawCard}
      onOpen={(record) => {
        if (record.status === 'completed') {
          onAction('enlarge', record);
        }
      }}
    />
  );
}

const drawCard = (record: GenerationRecord, card: MasonryCard) => (
  <HistoryCard record={record} tabIndex={card.tabIndex} />
);

const getKey = ({ id }: GenerationRecord) => id;

/** A failed generation has text instead of a picture, whatever ratio was asked for. */
function getSize({ status, width, height, ratio }: GenerationRecord) {
  if (status === 'error') {
    return { width: 1, height: 0.001, extra: failedPx };
  }
  const size = width && height ? { width, height } : getRatioSize(ratio);
  return { ...size, extra: rowPx };
}
