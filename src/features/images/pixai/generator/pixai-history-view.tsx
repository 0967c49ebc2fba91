import { type Fact, type GalleryProps, type HistoryView } from '../../history/history-view.ts';
import { MasonryGallery } from '../../history/masonry-gallery.tsx';
import { historyTexts } from '../../history/texts.ts';
import { openPicture } from '../../shared/download-picture.ts';
/** How the history shows pictures by Pix-AI. */
import { type GenerationRecord } from '../../shared/records.ts';
import { takeOver } from '../draft.ts';

const columns = { otherwise: 3, below: { 769: 2 } } as const;
const maxHeight = 600;

const { details: texts } = historyTexts;

export const pixaiHistoryView: HistoryView = {
  heading: historyTexts.heading,
  empty: historyTexts.empty,
  Gallery,
  download: openPicture,
  caption: ({ modelName, modelId }) => historyTexts.viewer.model(modelName || modelId),
  details: { title: texts.title, facts: getFacts },
  deletion: historyTexts.delete,
  takeOver,
};

function Gallery(props: GalleryProps) {
  return <MasonryGallery {...props} columns={columns} maxHeight={maxHeight} />;
}

function getFacts(record: GenerationRecord): readonly Fact[] {
  const loras = record.loras.map(({ id, name = id, percentage }) => texts.lora(name, percentage));
  return [
    { name: texts.modelId, text: record.modelId, isCopied: true },
    { name: texts.modelName, text: record.modelName },
    { name: texts.prompt, text: record.prompt, isCopied: true },
    { name: texts.negativePrompt, text: record.negativePrompt, isCopied: true },
    { name: texts.seed, text: record.seed ?? '', isCopied: true },
    { name: texts.ratio, text: record.ratio },
    { name: texts.loras, text: loras.join('\n') },
    { name: texts.adult, text: record.nsfw ? texts.yes : '' },
    { name: texts.engine, text: historyTexts.madeBy(record.engine) },
    { name: texts.kept, text: historyTexts.keptWhere(record.remoteId !== undefined) },
  ];
}
