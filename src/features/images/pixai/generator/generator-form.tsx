/** The form of a picture: every change is kept, so nothing is lost when the person leaves. */
import { type RefObject } from 'react';

import { maxPromptLength } from '#contract/images/limits';
import { useMainButton } from '#lib/main-button';
import { usePendingGenerations } from '#lib/pending';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Card } from '#ui/card';

import { PromptField } from '../../common/prompt-field.tsx';
import { TextArea } from '../../common/text-area.tsx';
import { changeDraft, type Draft, recipeOf, useDraft } from '../draft.ts';
import { hasWord } from '../trigger-words.ts';
import { LoraList } from './lora-list.tsx';
import { ModelField } from './model-field.tsx';
import { isModelId, useModelInfo } from './model-info.ts';
import { RatioPicker } from './ratio-picker.tsx';
import { SeedField } from './seed-field.tsx';
import { submit, useSubmission } from './submission.ts';
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
  const platform = usePlatform();
  const info = useModelInfo(draft.modelId);
  const isStarting = useSubmission((state) => state.isStarting);
  const isBadged = usePendingGenerations((state) => state.count > 0);
  const isReady = isComplete(draft);

  const generate = () => {
    submit({ ...recipeOf(draft), modelName: draft.modelName || (info?.name ?? '') });
    // On a phone the result is far below.
    result.current?.scrollIntoView({ block: 'nearest' });
  };

  const hasMainButton = useMainButton({
    text: isStarting ? texts.starting : texts.generate,
    isEnabled: isReady && !isStarting,
    isBusy: isStarting,
    press: generate,
  });

  return (
    <form
      className={styles.form}
      aria-label={texts.label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        generate();
      }}
    >
      {/* First in the form, so that Enter works, and says what is missing, while the button is disabled. */}
      <button type="submit" hidden>
        {texts.generate}
      </button>
      <Card>
        <ModelField modelId={draft.modelId} modelName={draft.modelName} />
        <LoraList loras={draft.loras} />
        <PromptField
          value={draft.prompt}
          isGenerating={isStarting}
          protect={usedTriggerWords(draft)}
          onChange={(prompt) => changeDraft({ prompt })}
          onSubmit={generate}
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
        <SeedField value={draft.seed} onChange={(seed) => changeDraft({ seed })} />
        <RatioPicker
          value={draft.ratio}
          onChange={(ratio) => {
            platform.haptic('selection');
            changeDraft({ ratio });
          }}
        />
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={draft.nsfw}
            onChange={(event) => changeDraft({ nsfw: event.target.checked })}
          />
          {texts.nsfw}
        </label>
        <p className={styles.note}>{texts.note}</p>
      </Card>
      {!hasMainButton && (
        <div className={styles.action} data-badged={isBadged || undefined}>
          <Button kind="primary" isWide disabled={!isReady} isBusy={isStarting} onClick={generate}>
            {isStarting ? texts.starting : texts.generate}
          </Button>
        </div>
      )}
    </form>
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
