import { type Fact, type GalleryProps, type HistoryView } from '../history/history-view.ts';
import { MasonryGallery } from '../history/masonry-gallery.tsx';
import { historyTexts } from '../history/texts.ts';
/** How the history shows what MidJourney has made: a card for each wish, in columns. */
import { downloadPicture } from '../shared/download-picture.ts';
import { type GenerationRecord } from '../shared/records.ts';
import { takeOver } from './draft.ts';
import { midjourneyTexts } from './texts.ts';

const columns = { otherwise: 3, below: { 769: 1 } } as const;

const { history: texts } = midjourneyTexts;

export const midjourneyHistoryView: HistoryView = {
  heading: texts.heading,
  empty: texts.empty,
  Gallery,
  download: downloadPicture,
  caption: ({ prompt }) => prompt,
  details: { title: texts.details, facts: getFacts },
  deletion: { ...texts.deletion, isFinal: true },
  takeOver,
};

function Gallery(props: GalleryProps) {
  return <MasonryGallery {...props} columns={columns} />;
}

function getFacts({ prompt, timestamp, engine, remoteId }: GenerationRecord): readonly Fact[] {
  const { details } = historyTexts;
  return [
    { name: details.prompt, text: prompt, isCopied: true },
    { name: details.created, text: historyTexts.moment(timestamp) },
    { name: details.engine, text: historyTexts.madeBy(engine) },
    { name: details.kept, text: historyTexts.keptWhere(remoteId !== undefined) },
  ];
}
