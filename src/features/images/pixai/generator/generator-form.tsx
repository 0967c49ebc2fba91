/** The form of a picture: every change is kept, so nothing is lost when the person leaves. */
import { type RefObject } from 'react';

import { maxPromptLength, randomSeed } from '#contract/images/limits';
import { getPlatform } from '#lib/platform';

import { GenerateForm } from '../../shared/generate-form.tsx';
import { PromptField } from '../../shared/prompt-field.tsx';
import { RatioPicker } from '../../shared/ratio-picker.tsx';
import { SeedField } from '../../shared/seed-field.tsx';
import { TextArea } from '../../shared/text-area.tsx';
import { changeDraft, type Draft, toRecipe, useDraft } from '../draft.ts';
import { hasWord } from '../trigger-words.ts';
import { LoraList } from './lora-list.tsx';
import { ModelField } from './model-field.tsx';
import { isModelId, useModelInfo } from './model-info.ts';
import { pixaiSubmission } from './submission.ts';
import { generatorTexts } from './texts.ts';
import { TriggerChips } from './trigger-chips.tsx';

import styles from './generator.module.css';

const { form: texts } = generatorTexts;

type GeneratorFormProps = {
  /** Where the answer appears. */
  readonly result: RefObject<HTMLElement | null>;
};

export function GeneratorForm({ result }: GeneratorFormProps) {
  const draft = useDraft();
  const info = useModelInfo(draft.modelId);
  const isStarting = pixaiSubmission.useIsBusy();
  const generate = () =>
    pixaiSubmission.submit({
      ...toRecipe(draft),
      modelName: draft.modelName || (info?.name ?? ''),
    });

  return (
    <GenerateForm
      label={texts.label}
      submitText={texts.generate}
      busyText={texts.starting}
      isReady={isComplete(draft)}
      isBusy={isStarting}
      onGenerate={generate}
      result={result}
    >
      <ModelField modelId={draft.modelId} modelName={draft.modelName} />
      <LoraList loras={draft.loras} />
      <PromptField
        value={draft.prompt}
        isGenerating={isStarting}
        protect={usedTriggerWords(draft)}
        onChange={(prompt) => changeDraft({ prompt })}
      />
      <TriggerChips loras={draft.loras} prompt={draft.prompt} />
      <TextArea
        label={texts.negativePrompt}
        placeholder={texts.negativeExample}
        rows={2}
        autoComplete="off"
        value={draft.negativePrompt}
        longest={maxPromptLength}
        tooLong={texts.negativeTooLong}
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

function isComplete({ modelId, prompt, negativePrompt }: Draft): boolean {
  return (
    isModelId(modelId) &&
    prompt.trim() !== '' &&
    Math.max(prompt.length, negativePrompt.length) <= maxPromptLength
  );
}

/** Trigger words that the prompt has: a rewriting must keep them. */
function usedTriggerWords({ loras, prompt }: Draft): readonly string[] {
  return loras
    .flatMap(({ triggerWords = [] }) => triggerWords)
    .filter((word) => hasWord(prompt, word));
}
