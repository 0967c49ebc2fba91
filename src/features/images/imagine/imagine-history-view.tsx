/** How the history shows pictures by Imagine Art: in a row that scrolls sideways. */
import { use } from 'react';

import { Strip } from '#ui/strip';

import { CardActionContext } from '../history/card-actions.ts';
import { HistoryCard, getCardName } from '../history/history-card.tsx';
import { type Fact, type GalleryProps, type HistoryView } from '../history/history-view.ts';
import { historyTexts } from '../history/texts.ts';
import { downloadPicture } from '../shared/download-picture.ts';
import { type GenerationRecord } from '../shared/records.ts';
import { takeOver } from './draft.ts';
import { getStyleTitle } from './style-titles.ts';
import { imagineTexts } from './texts.ts';

import styles from './imagine.module.css';

const { history: texts } = imagineTexts;

export const imagineHistoryView: HistoryView = {
  heading: texts.heading,
  empty: texts.empty,
  Gallery,
  download: downloadPicture,
  caption: ({ style }) => texts.style(getStyleTitle(style)),
  details: { title: texts.details, facts: getFacts },
  deletion: { ...texts.deletion, isPopup: true },
  takeOver,
};

function Gallery({ ref, records }: GalleryProps) {
  const onAction = use(CardActionContext);
  return (
    <Strip
      ref={ref}
      label={historyTexts.list}
      items={records}
      getKey={({ id }) => id}
      getName={getCardName}
      render={(record, tabIndex) => (
        <div className={styles.card}>
          <HistoryCard record={record} tabIndex={tabIndex} />
        </div>
      )}
      onOpen={(record) => {
        if (record.status === 'completed') {
          onAction('enlarge', record);
        }
      }}
    />
  );
}

function getFacts(record: GenerationRecord): readonly Fact[] {
  const { details } = historyTexts;
  return [
    { name: details.prompt, text: record.prompt, isCopied: true },
    { name: details.style, text: getStyleTitle(record.style) },
    { name: details.seed, text: record.seed ?? '', isCopied: true },
    { name: details.ratio, text: record.ratio },
    { name: details.created, text: historyTexts.moment(record.timestamp) },
    { name: details.engine, text: historyTexts.madeBy(record.engine) },
    { name: details.kept, text: historyTexts.keptWhere(record.remoteId !== undefined) },
  ];
}
