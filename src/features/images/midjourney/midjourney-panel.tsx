/** MidJourney: the prompt, its pictures, and the history. */
import { useRef } from 'react';
import * as v from 'valibot';

import { defaultRatio } from '#contract/images/ratios';
import { storedValue } from '#lib/storage';

import { HistoryPanel } from '../history/history-panel.tsx';
import { type Fact, type GalleryProps, type HistoryView } from '../history/history-view.ts';
import { MasonryGallery } from '../history/masonry-gallery.tsx';
import { describeEngine, describeMoment, describePlace } from '../history/record-words.ts';
import { historyTexts } from '../history/texts.ts';
import { EngineNotice, useAbilities, useLimits } from '../shared/abilities.tsx';
import { createDraft } from '../shared/create-draft.ts';
import { downloadPicture } from '../shared/download-picture.ts';
import { GenerateForm, TwoColumnLayout } from '../shared/generator-layout.tsx';
import { useReloadWhenMade } from '../shared/history.ts';
import { PromptField } from '../shared/prompt-field.tsx';
import { RecipeReader } from '../shared/recipe-reader.tsx';
import { type Recipe, withFound } from '../shared/recipe.ts';
import { dismissLatest, type GenerationRecord } from '../shared/records.ts';
import { ResultPictures } from '../shared/result-panel.tsx';
import { createSubmission, useIsBusy, useIsGenerating } from '../shared/submission.ts';
import { midjourneyAdapter } from './midjourney-adapter.ts';
import { midjourneyTexts } from './texts.ts';

import styles from '../hub.module.css';
import resultStyles from '../shared/result.module.css';

type Draft = { readonly prompt: string };

/** The prompt in the form, stored on the device. */
const stored = storedValue('nori_midjourney_prompt', v.string(), { isJson: false });

const promptDraft = createDraft<Draft>(
  { prompt: '' },
  {
    read: () => {
      const prompt = stored.read();
      return prompt === undefined ? undefined : { prompt };
    },
    write: ({ prompt }) => stored.write(prompt === '' ? undefined : prompt),
    onChangedElsewhere: stored.onChangedElsewhere,
  },
);

const { useDraft, changeDraft, returnPrompt } = promptDraft;

/** Fills the form with the prompt of a recipe; `undo` restores what was in it. */
function applyRecipe({ prompt }: Recipe): ReturnType<typeof promptDraft.replaceDraft> {
  return promptDraft.replaceDraft({ prompt });
}

/** Clears the prompt of a finished generation, unless another one has been typed since. */
function clearPrompt(used: string): void {
  if (useDraft.getState().prompt.trim() === used) {
    changeDraft({ prompt: '' });
  }
}

function toRecipe({ prompt }: Draft): Recipe {
  return {
    provider: 'midjourney',
    modelId: '',
    modelName: '',
    prompt: prompt.trim(),
    negativePrompt: '',
    seed: undefined,
    ratio: defaultRatio,
    nsfw: false,
    loras: [],
  };
}

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
  const { pictures = usualCount } = useAbilities('midjourney');
  useReloadWhenMade(midjourneyAdapter);

  return (
    <div className={styles.narrow}>
      <TwoColumnLayout
        formRef={form}
        form={<MidjourneyForm />}
        submission={submission}
        result={{
          ...resultTexts,
          making: formTexts.generating,
          count: pictures,
          Finished,
        }}
      />
      <HistoryPanel
        adapter={midjourneyAdapter}
        view={midjourneyHistoryView}
        onUsedAgain={() => form.current?.scrollIntoView({ block: 'start' })}
      />
    </div>
  );
}

function MidjourneyForm() {
  const draft = useDraft();
  const isBusy = useIsBusy(submission);
  const isGenerating = useIsGenerating(submission);
  const { promptLength } = useLimits('midjourney');

  return (
    <GenerateForm
      label={formTexts.label}
      submitText={formTexts.generate}
      busyText={formTexts.generating}
      isReady={draft.prompt.trim() !== '' && draft.prompt.length <= promptLength}
      isBusy={isBusy}
      onGenerate={() => submission.submit(toRecipe(draft))}
      onIncomplete={() => submission.sayMissing(toRecipe(draft))}
    >
      <PromptField
        value={draft.prompt}
        isGenerating={isGenerating}
        limit={promptLength}
        onChange={(prompt) => changeDraft({ prompt })}
      />
      <RecipeReader
        onRemix={(found) => applyRecipe(withFound(toRecipe(useDraft.getState()), found))}
      />
      <EngineNotice provider="midjourney" variable="MIDJOURNEY_PROXY_URL" />
    </GenerateForm>
  );
}

function Finished({ record }: { readonly record: GenerationRecord }) {
  return (
    <div className={resultStyles.result}>
      <ResultPictures
        adapter={midjourneyAdapter}
        record={record}
        caption={midjourneyHistoryView.caption(record)}
      />
      <p className={resultStyles.prompt} dir="auto">
        {record.prompt}
      </p>
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
    { name: details.created, text: describeMoment(timestamp) },
    { name: details.engine, text: describeEngine(engine) },
    { name: details.kept, text: describePlace(remoteId) },
  ];
}
