/** The prompt for MidJourney: kept as it is typed, cleared when pictures have come of it. */
import { type RefObject } from 'react';

import { maxPromptLength } from '#contract/images/limits';

import { GenerateForm } from '../shared/generate-form.tsx';
import { PromptField } from '../shared/prompt-field.tsx';
import { changeDraft, toRecipe, useDraft } from './draft.ts';
import { midjourneySubmission } from './submission.ts';
import { midjourneyTexts } from './texts.ts';

const { form: texts } = midjourneyTexts;

type MidjourneyFormProps = {
  /** Where the answer appears. */
  readonly result: RefObject<HTMLElement | null>;
};

export function MidjourneyForm({ result }: MidjourneyFormProps) {
  const draft = useDraft();
  const isBusy = midjourneySubmission.useIsBusy();

  return (
    <GenerateForm
      label={texts.label}
      submitText={texts.generate}
      busyText={texts.generating}
      isReady={draft.prompt.trim() !== '' && draft.prompt.length <= maxPromptLength}
      isBusy={isBusy}
      onGenerate={() => midjourneySubmission.submit(toRecipe(draft))}
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
