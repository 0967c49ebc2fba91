import { Check, Plus } from 'lucide-react';
/** The form of Pix-AI: the model, the prompt and the trigger words of its LoRAs. */
import { type RefObject } from 'react';

import { randomSeed } from '#contract/images/limits';
import { getPlatform, usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Field } from '#ui/field';

import { type Limits, useLimits } from '../../shared/abilities.tsx';
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
  addLoras,
  selectModel,
  toggleTriggerWord,
} from '../draft.ts';
import { pixaiAdapter } from '../pixai-adapter.ts';
import { hasWord } from '../trigger-words.ts';
import { LoraList } from './lora-list.tsx';
import { isModelId, useModelInfo } from './model-info.ts';
import { generatorTexts } from './texts.ts';

import styles from './generator.module.css';

const { form: texts, loras: loraTexts } = generatorTexts;

/** Several generations can be pending at once. */
export const pixaiSubmission = createSubmission({
  adapter: pixaiAdapter,
  findMissing: ({ modelId, prompt }) =>
    modelId === '' || prompt === '' ? generatorTexts.result.missing : undefined,
  maxBusyMs: 1000,
  onFailed: ({ prompt }) => returnPrompt(prompt),
});

export function GeneratorForm({ result }: { readonly result: RefObject<HTMLElement | null> }) {
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
      result={result}
    >
      <ModelField modelId={draft.modelId} modelName={draft.modelName} />
      <LoraList loras={loras} limits={limits} />
      <PromptField
        value={draft.prompt}
        isGenerating={isGenerating}
        limit={limits.promptLength}
        protect={usedTriggerWords(draft)}
        onChange={(prompt) => changeDraft({ prompt })}
      />
      <TriggerChips loras={draft.loras} prompt={draft.prompt} />
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
      <RatioPicker value={draft.ratio} onChange={(ratio) => changeDraft({ ratio })} />
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
      <p className={styles.note}>{texts.note}</p>
    </GenerateForm>
  );
}

function isComplete({ modelId, prompt, negativePrompt, loras }: Draft, limits: Limits): boolean {
  return (
    isModelId(modelId) &&
    prompt.trim() !== '' &&
    Math.max(prompt.length, negativePrompt.length) <= limits.promptLength &&
    loras.length <= limits.loras
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

type ModelFieldProps = {
  readonly modelId: string;
  /** Empty when unknown. */
  readonly modelName: string;
};

/** The ID of the model, and what the server knows about it. */
function ModelField({ modelId, modelName }: ModelFieldProps) {
  const platform = usePlatform();
  const info = useModelInfo(modelId);
  const name = modelName || info?.name;

  return (
    <div className={styles.model}>
      <Field
        label={texts.modelId}
        required
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={modelId}
        error={modelId.trim() === '' || isModelId(modelId) ? undefined : texts.badId}
        hint={name === undefined ? texts.modelHint : texts.model(name)}
        onChange={(event) => selectModel({ modelId: event.target.value })}
      />
      {info?.isLora && (
        <p className={styles.wrongKind}>
          {texts.isLora(info.name)}
          <Button
            kind="quiet"
            onClick={() => {
              platform.haptic('light');
              addLoras([{ id: modelId.trim(), name: info.name, triggerWords: info.triggerWords }]);
              selectModel({ modelId: '' });
            }}
          >
            {texts.moveToLoras}
          </Button>
        </p>
      )}
    </div>
  );
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
