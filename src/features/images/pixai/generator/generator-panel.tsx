/** The generator of Pix-AI: the form, the result and the history. */
import { Trash2, X } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';

import { useNotices } from '#lib/notices';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { ConfirmDialog } from '#ui/confirm-dialog';

import { HistoryPanel } from '../../history/history-panel.tsx';
import { type Fact, type GalleryProps, type HistoryView } from '../../history/history-view.ts';
import { MasonryGallery } from '../../history/masonry-gallery.tsx';
import { describeEngine, describePlace } from '../../history/record-words.ts';
import { historyTexts } from '../../history/texts.ts';
import { deleteWithUndo } from '../../history/use-history-overlays.ts';
import { openPicture } from '../../shared/download-picture.ts';
import { TwoColumnLayout } from '../../shared/generator-layout.tsx';
import { dismissLatest, type GenerationRecord } from '../../shared/records.ts';
import { DownloadLink, Facts, ResultPictures } from '../../shared/result-panel.tsx';
import { applyRecipe } from '../draft.ts';
import { pixaiAdapter } from '../pixai-adapter.ts';
import { GeneratorForm, pixaiSubmission } from './generator-form.tsx';
import { ModelSheet } from './model-picker.tsx';
import { generatorTexts } from './texts.ts';

import styles from '../../shared/result.module.css';

const { result: texts } = generatorTexts;
const { details } = historyTexts;

export function GeneratorPanel() {
  const form = useRef<HTMLDivElement>(null);
  const [isBrowsing, setIsBrowsing] = useState<boolean>();

  return (
    <>
      <TwoColumnLayout
        formRef={form}
        form={<GeneratorForm onBrowse={() => setIsBrowsing(true)} />}
        submission={pixaiSubmission}
        result={{
          heading: texts.heading,
          making: texts.starting,
          empty: texts.empty,
          hasActions: true,
          Finished,
        }}
      >
        <HistoryPanel
          adapter={pixaiAdapter}
          view={pixaiHistoryView}
          onUsedAgain={() => form.current?.scrollIntoView({ block: 'start' })}
        />
      </TwoColumnLayout>
      {/* Not in the form, which Enter in the search would send. */}
      {isBrowsing !== undefined && (
        <Suspense>
          <ModelSheet isOpen={isBrowsing} onClose={() => setIsBrowsing(false)} />
        </Suspense>
      )}
    </>
  );
}

function Finished({ record }: { readonly record: GenerationRecord }) {
  const platform = usePlatform();
  const [isAsking, setIsAsking] = useState(false);

  const clear = () => {
    dismissLatest('pixai');
    useNotices.getState().show({
      id: 'result-cleared',
      tone: 'info',
      text: texts.cleared,
    });
  };

  return (
    <div className={styles.result}>
      <ResultPictures record={record} caption={pixaiHistoryView.caption(record)} />
      <div className={styles.actions}>
        <DownloadLink adapter={pixaiAdapter} record={record} />
        <Button
          kind="quiet"
          icon={<X aria-hidden size={18} />}
          onClick={({ currentTarget }) => {
            // The button is about to disappear, and the focus with it.
            currentTarget.closest<HTMLElement>('section[tabindex]')?.focus();
            clear();
          }}
        >
          {texts.clear}
        </Button>
        <Button
          kind="quiet"
          icon={<Trash2 aria-hidden size={18} />}
          onClick={() => {
            platform.haptic('warning');
            setIsAsking(true);
          }}
        >
          {texts.delete}
        </Button>
      </div>
      <p className={styles.prompt} dir="auto">
        {record.prompt}
      </p>
      <Facts facts={getFacts(record)} />
      <ConfirmDialog
        isOpen={isAsking}
        texts={historyTexts.delete}
        kind="danger"
        onCancel={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          deleteWithUndo(pixaiAdapter, record);
        }}
      />
    </div>
  );
}

function getFacts(record: GenerationRecord) {
  const { modelName, modelId, id, remoteId = id, seed = '', ratio, engine } = record;
  return [
    { name: texts.model, text: modelName || modelId },
    { name: texts.id, text: remoteId },
    { name: texts.seed, text: seed },
    { name: texts.ratio, text: ratio },
    { name: texts.engine, text: describeEngine(engine) },
  ];
}

const columns = { otherwise: 3, below: { 769: 2 } } as const;
const maxHeight = 600;

const pixaiHistoryView: HistoryView = {
  heading: historyTexts.heading,
  empty: historyTexts.empty,
  Gallery,
  download: openPicture,
  caption: ({ modelName, modelId }) => historyTexts.viewer.model(modelName || modelId),
  details: { title: details.title, facts: getDetails },
  deletion: historyTexts.delete,
  applyRecipe,
};

function Gallery(props: GalleryProps) {
  return <MasonryGallery {...props} columns={columns} maxHeight={maxHeight} />;
}

function getDetails(record: GenerationRecord): readonly Fact[] {
  const loras = record.loras.map(({ id, name = id, percentage }) => details.lora(name, percentage));
  return [
    { name: details.modelId, text: record.modelId, isCopied: true },
    { name: details.modelName, text: record.modelName },
    { name: details.prompt, text: record.prompt, isCopied: true },
    { name: details.negativePrompt, text: record.negativePrompt, isCopied: true },
    { name: details.seed, text: record.seed ?? '', isCopied: true },
    { name: details.ratio, text: record.ratio },
    { name: details.loras, text: loras.join('\n') },
    { name: details.adult, text: record.nsfw ? details.yes : '' },
    { name: details.engine, text: describeEngine(record.engine) },
    { name: details.kept, text: describePlace(record.remoteId) },
  ];
}
