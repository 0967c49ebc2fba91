/** The form of Pix-AI: the prompt with the trigger words of its LoRAs, the model, and the options. */
import { Check, ChevronDown, Plus } from 'lucide-react';
import { useEffect } from 'react';
import { create } from 'zustand';

import { randomSeed } from '#contract/images/limits';
import { getPlatform, usePlatform } from '#lib/platform';

import { EngineNotice, type Limits, useLimits } from '../../shared/abilities.tsx';
import { RatioPicker, SeedField, TextArea } from '../../shared/form-fields.tsx';
import { GenerateForm } from '../../shared/generator-layout.tsx';
import { PromptField } from '../../shared/prompt-field.tsx';
import { type LoraEntry } from '../../shared/recipe.ts';
import { createSubmission, useIsBusy, useIsGenerating } from '../../shared/submission.ts';
import {
  changeDraft,
  type Draft,
  toRecipe,
  useDraft,
  returnPrompt,
  toggleTriggerWord,
} from '../draft.ts';
import { pixaiAdapter } from '../pixai-adapter.ts';
import { hasWord } from '../trigger-words.ts';
import { LoraList, LoraNames } from './lora-list.tsx';
import { isModelId, useModelInfo } from './model-info.ts';
import { ModelPicker } from './model-picker.tsx';
import { generatorTexts } from './texts.ts';

import styles from './generator.module.css';

const { form: texts, loras: loraTexts, options: optionTexts } = generatorTexts;

/** Several generations can be pending at once. */
export const pixaiSubmission = createSubmission({
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

export function GeneratorForm({ onBrowse }: GeneratorFormProps) {
  const draft = useDraft();
  const info = useModelInfo(draft.modelId);
  const isStarting = useIsBusy(pixaiSubmission);
  const isGenerating = useIsGenerating(pixaiSubmission);
  const limits = useLimits('pixai');
  const loras = draft.loras.map((lora) => withinLimits(lora, limits));
  const recipe = {
    ...toRecipe({ ...draft, loras }),
    modelName: draft.modelName || (info?.name ?? ''),
  };

  return (
    <GenerateForm
      label={texts.label}
      submitText={texts.generate}
      busyText={texts.starting}
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
      <Options draft={{ ...draft, loras }} limits={limits} />
      <LoraNames loras={draft.loras} />
      <p className={styles.note}>{texts.note}</p>
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

/** The LoRA with a weight that the engine takes; the draft keeps its own for another engine. */
function withinLimits(lora: LoraEntry, { weight: { min, max } }: Limits): LoraEntry {
  return { ...lora, percentage: Math.min(max, Math.max(min, lora.percentage)) };
}

/** The trigger words in the prompt, which a rewriting must keep. */
function usedTriggerWords({ loras, prompt }: Draft): readonly string[] {
  return loras
    .flatMap(({ triggerWords = [] }) => triggerWords)
    .filter((word) => hasWord(prompt, word));
}

/** Whether the options are unfolded; kept while the user visits other screens. */
const useOptions = create(() => ({ isOpen: false }));

type OptionsProps = {
  /** With weights that the engine takes. */
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
    <section className={styles.options} aria-labelledby="generator-options">
      <div className={styles.card}>
        <div className={styles.about}>
          <h2 className={styles.title}>
            <button
              id="generator-options"
              type="button"
              className={styles.wholeCard}
              aria-expanded={isOpen}
              onClick={() => useOptions.setState({ isOpen: !isOpen })}
            >
              {optionTexts.heading}
            </button>
          </h2>
          <p className={styles.remark}>{summarize(draft, limits)}</p>
        </div>
        <ChevronDown aria-hidden size={20} className={styles.arrow} />
      </div>
      {isOpen && (
        <>
          <RatioPicker value={draft.ratio} onChange={(ratio) => changeDraft({ ratio })} />
          <LoraList loras={draft.loras} limits={limits} />
          <TextArea
            label={texts.negativePrompt}
            placeholder={texts.negativeExample}
            rows={2}
            limit={limits.promptLength}
            autoComplete="off"
            value={draft.negativePrompt}
            onChange={(negativePrompt) => changeDraft({ negativePrompt })}
          />
          <SeedField
            label={texts.seed}
            value={draft.seed}
            range={randomSeed}
            onChange={(seed) => changeDraft({ seed })}
          />
          <label className={styles.check}>
            <input
              type="checkbox"
              checked={draft.nsfw}
              onChange={(event) => {
                getPlatform().haptic('light');
                changeDraft({ nsfw: event.target.checked });
              }}
            />
            {texts.nsfw}
          </label>
        </>
      )}
    </section>
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
  const { ratio, seed, loras, negativePrompt, nsfw } = draft;
  return [
    ...findWrongOptions(draft, limits),
    ratio,
    seed === '' ? optionTexts.randomSeed : optionTexts.seed(seed),
    loras.length > 0 ? optionTexts.loras(loras.length) : '',
    negativePrompt.trim() === '' ? '' : optionTexts.negativePrompt,
    nsfw ? texts.nsfw : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

type TriggerChipsProps = {
  readonly loras: readonly LoraEntry[];
  readonly prompt: string;
};

/** The trigger words of the LoRAs; a click puts one into the prompt or takes it out. */
function TriggerChips({ loras, prompt }: TriggerChipsProps) {
  const owners = loras
    .map(({ id, name = id, triggerWords = [] }) => ({
      id,
      name,
      words: [...new Set(triggerWords.map((word) => word.trim()))].filter((word) => word !== ''),
    }))
    .filter(({ words }) => words.length > 0);

  if (owners.length === 0) {
    return null;
  }
  return (
    <div className={styles.owners}>
      {owners.map(({ id, name, words }) => (
        // Screen readers announce a fieldset as a part of the form to fill in.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        <div key={id} role="group" aria-label={loraTexts.words(name)} className={styles.words}>
          <span className={styles.owner} aria-hidden>
            {name}
          </span>
          {words.map((word) => (
            <Chip key={word} word={word} isUsed={hasWord(prompt, word)} />
          ))}
        </div>
      ))}
      <p className={styles.hint}>{loraTexts.wordsHint}</p>
    </div>
  );
}

function Chip({ word, isUsed }: { readonly word: string; readonly isUsed: boolean }) {
  const platform = usePlatform();
  const Icon = isUsed ? Check : Plus;
  return (
    <button
      type="button"
      className={styles.chip}
      aria-pressed={isUsed}
      onClick={() => {
        platform.haptic('light');
        toggleTriggerWord(word);
      }}
    >
      <Icon aria-hidden size={14} />
      {word}
    </button>
  );
}
