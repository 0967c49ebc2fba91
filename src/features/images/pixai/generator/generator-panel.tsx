/** The generator of Pix-AI: the form, the result and the history. */
import { Trash2, X, ChevronDown } from 'lucide-react';
import { Suspense, useRef, useState, useEffect } from 'react';
import { create } from 'zustand';

import { randomSeed } from '#contract/images/limits';
import { useNotices } from '#lib/notices';
import { usePlatform, getPlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { ConfirmDialog } from '#ui/confirm-dialog';
import { SelectField } from '#ui/select-field';

import { HistoryPanel } from '../../history/history-panel.tsx';
import { type Fact, type GalleryProps, type HistoryView } from '../../history/history-view.ts';
import { MasonryGallery } from '../../history/masonry-gallery.tsx';
import { describeEngine, describePlace } from '../../history/record-words.ts';
import { historyTexts } from '../../history/texts.ts';
import { deleteWithUndo } from '../../history/use-history-overlays.ts';
import { EngineNotice, type Limits, useLimits } from '../../shared/abilities.tsx';
import { openPicture } from '../../shared/download-picture.ts';
import { RatioPicker, SeedField, SliderField, TextArea } from '../../shared/form-fields.tsx';
import { TwoColumnLayout, GenerateForm } from '../../shared/generator-layout.tsx';
import { Further, SourcePicker, useFormSource } from '../../shared/picture-source.tsx';
import { PromptField } from '../../shared/prompt-field.tsx';
import { RecipeReader } from '../../shared/recipe-reader.tsx';
import { withFound } from '../../shared/recipe.ts';
import { dismissLatest, type GenerationRecord } from '../../shared/records.ts';
import { DownloadLink, Facts, ResultPictures } from '../../shared/result-panel.tsx';
import { createSubmission, useIsBusy, useIsGenerating } from '../../shared/submission.ts';
import {
  applyRecipe,
  changeDraft,
  type Draft,
  toRecipe,
  useDraft,
  returnPrompt,
} from '../draft.ts';
import { pixaiAdapter } from '../pixai-adapter.ts';
import { hasWord } from '../trigger-words.ts';
import { LoraList, LoraNames, TriggerChips } from './lora-list.tsx';
import { isModelId, useModelInfo } from './model-info.ts';
import { ModelSheet, ModelPicker } from './model-picker.tsx';
import { generatorTexts } from './texts.ts';

import styles from '../../shared/result.module.css';
import formStyles from './generator.module.css';

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
      <ResultPictures
        adapter={pixaiAdapter}
        record={record}
        caption={pixaiHistoryView.caption(record)}
      />
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
      <Further submission={pixaiSubmission} record={record} />
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
  details: {
    title: details.title,
    facts: getDetails,
    further: (record, onMade) => (
      <Further submission={pixaiSubmission} record={record} onMade={onMade} />
    ),
  },
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
    { name: details.steps, text: record.steps === undefined ? '' : String(record.steps) },
    { name: details.sampler, text: record.sampler ?? '' },
    { name: details.ratio, text: record.ratio },
    { name: details.loras, text: loras.join('\n') },
    { name: details.adult, text: record.nsfw ? details.yes : '' },
    { name: details.engine, text: describeEngine(record.engine) },
    { name: details.kept, text: describePlace(record.remoteId) },
  ];
}

const { form: formTexts, options: optionTexts } = generatorTexts;

/** Several generations can be pending at once. */
const pixaiSubmission = createSubmission({
  adapter: pixaiAdapter,
  findMissing: ({ modelId, prompt }) =>
    modelId === '' || prompt === '' ? generatorTexts.result.missing : undefined,
  maxBusyMs: 1000,
  onFailed: ({ prompt }) => returnPrompt(prompt),
});

type GeneratorFormProps = {
  /** Opens the browser of models. */
  readonly onBrowse: () => void;
};

function GeneratorForm({ onBrowse }: GeneratorFormProps) {
  const draft = useDraft();
  const info = useModelInfo(draft.modelId);
  const isStarting = useIsBusy(pixaiSubmission);
  const isGenerating = useIsGenerating(pixaiSubmission);
  const limits = useLimits('pixai');
  const possible = withinLimits(draft, limits);
  const recipe = {
    ...toRecipe(possible),
    modelName: draft.modelName || (info?.name ?? ''),
    source: useFormSource(pixaiSubmission),
  };

  return (
    <GenerateForm
      label={formTexts.label}
      submitText={formTexts.generate}
      busyText={formTexts.starting}
      isReady={isComplete(draft, limits)}
      isBusy={isStarting}
      onGenerate={() => pixaiSubmission.submit(recipe)}
      onIncomplete={() => pixaiSubmission.sayMissing(recipe)}
    >
      <PromptField
        value={draft.prompt}
        isGenerating={isGenerating}
        limit={limits.promptLength}
        protect={usedTriggerWords(draft)}
        onChange={(prompt) => changeDraft({ prompt })}
      />
      <TriggerChips loras={draft.loras} prompt={draft.prompt} />
      <ModelPicker modelId={draft.modelId} modelName={draft.modelName} onBrowse={onBrowse} />
      <Options draft={possible} limits={limits} />
      <LoraNames loras={draft.loras} />
      <SourcePicker
        submission={pixaiSubmission}
        recipe={recipe}
        onRatio={(ratio) => changeDraft({ ratio })}
      />
      <p className={formStyles.note}>{formTexts.note}</p>
      <RecipeReader
        onRemix={(found) => applyRecipe(withFound(toRecipe(useDraft.getState()), found))}
      />
      <EngineNotice provider="pixai" variable="PIXAI_API_KEY" otherVariable="A1111_URL" />
    </GenerateForm>
  );
}

function isComplete(draft: Draft, limits: Limits): boolean {
  return (
    isModelId(draft.modelId) &&
    draft.prompt.trim() !== '' &&
    draft.prompt.length <= limits.promptLength &&
    findWrongOptions(draft, limits).length === 0
  );
}

/** The draft with what the engine takes; the stored one keeps its own for another engine. */
function withinLimits(draft: Draft, { weight, steps: range, samplers }: Limits): Draft {
  const { steps, sampler } = draft;
  return {
    ...draft,
    loras: draft.loras.map((lora) => ({ ...lora, percentage: within(lora.percentage, weight) })),
    steps: steps !== undefined && range ? within(Math.round(steps), range) : undefined,
    sampler: samplers.includes(sampler) ? sampler : '',
  };
}

type Range = { readonly min: number; readonly max: number };

const within = (value: number, { min, max }: Range) => Math.min(max, Math.max(min, value));

/** The trigger words in the prompt, which a rewriting must keep. */
function usedTriggerWords({ loras, prompt }: Draft): readonly string[] {
  return loras
    .flatMap(({ triggerWords = [] }) => triggerWords)
    .filter((word) => hasWord(prompt, word));
}

/** Whether the options are unfolded; kept while the user visits other screens. */
const useOptions = create(() => ({ isOpen: false }));

type OptionsProps = {
  /** With what the engine takes. */
  readonly draft: Draft;
  readonly limits: Limits;
};

/** What has a default. They unfold by themselves where something in them is wrong. */
function Options({ draft, limits }: OptionsProps) {
  const isOpen = useOptions((state) => state.isOpen);
  const isWrong = findWrongOptions(draft, limits).length > 0;

  useEffect(() => {
    if (isWrong) {
      useOptions.setState({ isOpen: true });
    }
  }, [isWrong]);

  return (
    <section className={formStyles.options} aria-labelledby="generator-options">
      <div className={formStyles.card}>
        <div className={formStyles.about}>
          <h2 className={formStyles.title}>
            <button
              id="generator-options"
              type="button"
              className={formStyles.wholeCard}
              aria-expanded={isOpen}
              onClick={() => useOptions.setState({ isOpen: !isOpen })}
            >
              {optionTexts.heading}
            </button>
          </h2>
          <p className={formStyles.remark}>{summarize(draft, limits)}</p>
        </div>
        <ChevronDown aria-hidden size={20} className={formStyles.arrow} />
      </div>
      {isOpen && (
        <>
          <RatioPicker value={draft.ratio} onChange={(ratio) => changeDraft({ ratio })} />
          <LoraList loras={draft.loras} limits={limits} />
          <TextArea
            label={formTexts.negativePrompt}
            placeholder={formTexts.negativeExample}
            rows={2}
            limit={limits.promptLength}
            autoComplete="off"
            value={draft.negativePrompt}
            onChange={(negativePrompt) => changeDraft({ negativePrompt })}
          />
          <SeedField
            label={formTexts.seed}
            value={draft.seed}
            range={randomSeed}
            onChange={(seed) => changeDraft({ seed })}
          />
          <Sampling draft={draft} limits={limits} />
          <label className={formStyles.check}>
            <input
              type="checkbox"
              checked={draft.nsfw}
              onChange={(event) => {
                getPlatform().haptic('light');
                changeDraft({ nsfw: event.target.checked });
              }}
            />
            {formTexts.nsfw}
          </label>
        </>
      )}
    </section>
  );
}

/** What only some engines let the user choose. */
function Sampling({ draft: { steps, sampler }, limits }: OptionsProps) {
  return (
    <>
      {limits.steps && (
        <SliderField
          label={formTexts.steps}
          value={steps ?? limits.steps.default}
          range={limits.steps}
          onChange={(chosen) =>
            changeDraft({ steps: chosen === limits.steps?.default ? undefined : chosen })
          }
        />
      )}
      {limits.samplers.length > 0 && (
        <SelectField
          label={formTexts.sampler}
          value={sampler}
          onChange={(chosen) => changeDraft({ sampler: chosen })}
        >
          <option value="">{formTexts.automatic}</option>
          {limits.samplers.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      )}
    </>
  );
}

function findWrongOptions({ negativePrompt, loras }: Draft, limits: Limits): readonly string[] {
  return [
    loras.length > limits.loras ? optionTexts.tooManyLoras(limits.loras) : '',
    negativePrompt.length > limits.promptLength ? optionTexts.longNegativePrompt : '',
  ].filter((wrong) => wrong !== '');
}

/** What is set, in a line: what is wrong comes first. */
function summarize(draft: Draft, limits: Limits): string {
  const { ratio, seed, loras, negativePrompt, nsfw, steps, sampler } = draft;
  return [
    ...findWrongOptions(draft, limits),
    ratio,
    seed === '' ? optionTexts.randomSeed : optionTexts.seed(seed),
    steps === undefined ? '' : optionTexts.steps(steps),
    sampler,
    loras.length > 0 ? optionTexts.loras(loras.length) : '',
    negativePrompt.trim() === '' ? '' : optionTexts.negativePrompt,
    nsfw ? formTexts.nsfw : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
