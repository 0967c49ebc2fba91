/** MidJourney: the prompt, its pictures, and the history. */
import { type Ref, type RefObject, useRef } from 'react';

import { maxPromptLength } from '#contract/images/limits';

import { HistoryPanel } from '../history/history-panel.tsx';
import { type Fact, type GalleryProps, type HistoryView } from '../history/history-view.ts';
import { MasonryGallery } from '../history/masonry-gallery.tsx';
import { historyTexts } from '../history/texts.ts';
import { EngineNotice, useAbilities } from '../shared/abilities.tsx';
import { downloadPicture } from '../shared/download-picture.ts';
import { GenerateForm, TwoColumnLayout } from '../shared/generator-layout.tsx';
import { useReloadWhenMade } from '../shared/history.ts';
import { PromptField } from '../shared/prompt-field.tsx';
import { dismissLatest, type GenerationRecord } from '../shared/records.ts';
import { ResultPanel, ResultPictures } from '../shared/result-panel.tsx';
import { createSubmission } from '../shared/submission.ts';
import {
  applyRecipe,
  changeDraft,
  clearPrompt,
  returnPrompt,
  toRecipe,
  useDraft,
} from './draft.ts';
import { midjourneyAdapter } from './midjourney-adapter.ts';

import styles from '../hub.module.css';
import resultStyles from '../shared/result.module.css';

const midjourneyTexts = {
  form: {
    label: 'MidJourney generator',
    generate: 'Generate',
    generating: 'Generating...',
    missing: 'Please enter a prompt',
  },

  result: {
    heading: 'Generated Images',
    empty: 'Each prompt gives you several images. They will appear here.',
  },

  history: {
    heading: 'History',
    empty: 'No generations yet. Create your first MidJourney image!',
    details: 'Generation Details',
    deletion: {
      title: 'Delete Generation',
      question: 'Are you sure you want to delete this generation? This action cannot be undone.',
    },
  },
} as const;

const { form: formTexts, result: resultTexts, history: viewTexts } = midjourneyTexts;
/** Where the server does not announce how many pictures a prompt gives. */
const usualCount = 4;

const submission = createSubmission({
  adapter: midjourneyAdapter,
  findMissing: ({ prompt }) => (prompt === '' ? formTexts.missing : undefined),
  // The earlier result does not return when the new generation fails.
  onStart: () => dismissLatest('midjourney'),
  onDone: ({ prompt }) => clearPrompt(prompt),
  onFailed: ({ prompt }) => returnPrompt(prompt),
});

export function MidjourneyPanel() {
  const form = useRef<HTMLDivElement>(null);
  const result = useRef<HTMLElement>(null);
  useReloadWhenMade(midjourneyAdapter);

  return (
    <div className={styles.narrow}>
      <TwoColumnLayout
        formRef={form}
        form={
          <>
            <EngineNotice provider="midjourney" />
            <MidjourneyForm result={result} />
          </>
        }
      >
        <MidjourneyResult ref={result} />
      </TwoColumnLayout>
      <HistoryPanel
        adapter={midjourneyAdapter}
        view={midjourneyHistoryView}
        onUsedAgain={() => form.current?.scrollIntoView({ block: 'start' })}
      />
    </div>
  );
}

function MidjourneyForm({ result }: { readonly result: RefObject<HTMLElement | null> }) {
  const draft = useDraft();
  const isBusy = submission.useIsBusy();

  return (
    <GenerateForm
      label={formTexts.label}
      submitText={formTexts.generate}
      busyText={formTexts.generating}
      isReady={draft.prompt.trim() !== '' && draft.prompt.length <= maxPromptLength}
      isBusy={isBusy}
      onGenerate={() => submission.submit(toRecipe(draft))}
      result={result}
    >
      <PromptField
        value={draft.prompt}
        isGenerating={isBusy}
        onChange={(prompt) => changeDraft({ prompt })}
      />
    </GenerateForm>
  );
}

function MidjourneyResult({ ref }: { readonly ref: Ref<HTMLElement> }) {
  const { pictures = usualCount } = useAbilities('midjourney');
  return (
    <ResultPanel
      ref={ref}
      heading={resultTexts.heading}
      adapter={midjourneyAdapter}
      failure={submission.useFailure()}
      onDismiss={submission.dismissFailure}
      isBusy={submission.useIsBusy()}
      making={formTexts.generating}
      empty={resultTexts.empty}
      count={pictures}
      Finished={Finished}
    />
  );
}

function Finished({ record }: { readonly record: GenerationRecord }) {
  return (
    <div className={resultStyles.result}>
      <ResultPictures record={record} caption={midjourneyHistoryView.caption(record)} />
      <p className={resultStyles.prompt}>{record.prompt}</p>
    </div>
  );
}

const columns = { otherwise: 3, below: { 769: 1 } } as const;

const midjourneyHistoryView: HistoryView = {
  heading: viewTexts.heading,
  empty: viewTexts.empty,
  Gallery,
  download: downloadPicture,
  caption: ({ prompt }) => prompt,
  details: { title: viewTexts.details, facts: getFacts },
  deletion: { ...viewTexts.deletion, isFinal: true },
  applyRecipe,
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
    { name: details.kept, text: historyTexts.keptIn(remoteId !== undefined) },
  ];
}
