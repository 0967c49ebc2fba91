/** The form of a picture by Imagine Art: every change is kept, so nothing is lost when the person leaves. */
import { type RefObject } from 'react';

import { imagineSeed, type ImagineStyle, imagineStyles } from '#contract/images/imagine-styles';
import { maxPromptLength } from '#contract/images/limits';
import { ratioNames } from '#contract/images/ratios';
import { formatCount } from '#lib/format-count';
import { usePlatform } from '#lib/platform';
import { SelectField } from '#ui/select-field';

import { GenerateForm } from '../shared/generate-form.tsx';
import { PromptField } from '../shared/prompt-field.tsx';
import { RatioPicker } from '../shared/ratio-picker.tsx';
import { SeedField } from '../shared/seed-field.tsx';
import { useAbilities } from '../shared/use-abilities.ts';
import { changeDraft, toRecipe, useDraft } from './draft.ts';
import { imagineSubmission } from './submission.ts';
import { imagineTexts } from './texts.ts';

const { form: texts, styles: words } = imagineTexts;

type ImagineFormProps = {
  /** Where the answer appears. */
  readonly result: RefObject<HTMLElement | null>;
};

export function ImagineForm({ result }: ImagineFormProps) {
  const draft = useDraft();
  const platform = usePlatform();
  const isBusy = imagineSubmission.useIsBusy();
  const impossible = useImpossible();
  const isSeedTooLarge = Number(draft.seed) > imagineSeed.max;

  return (
    <GenerateForm
      label={texts.label}
      submitText={texts.generate}
      busyText={texts.generating}
      isReady={draft.prompt.length <= maxPromptLength && !isSeedTooLarge}
      isBusy={isBusy}
      onGenerate={() => imagineSubmission.submit(toRecipe(draft))}
      result={result}
    >
      <PromptField
        value={draft.prompt}
        isGenerating={isBusy}
        onChange={(prompt) => changeDraft({ prompt })}
      />
      <SelectField
        label={texts.style}
        value={draft.style}
        isRequired
        onChange={(value) => {
          platform.haptic('selection');
          changeDraft({ style: isStyle(value) ? value : '' });
        }}
      >
        <option value="">{texts.stylePlaceholder}</option>
        {imagineStyles.map((style) => (
          <option key={style} value={style}>
            {words[style].title}
          </option>
        ))}
      </SelectField>
      <RatioPicker
        value={draft.ratio}
        impossible={impossible}
        onChange={(ratio) => changeDraft({ ratio })}
      />
      <SeedField
        label={texts.seed}
        value={draft.seed}
        range={imagineSeed}
        error={isSeedTooLarge ? texts.badSeed(formatCount(imagineSeed.max)) : undefined}
        onChange={(seed) => changeDraft({ seed })}
      />
    </GenerateForm>
  );
}

/** The ratios that the server's engine cannot do, and why. */
function useImpossible() {
  const { ratios, ratios_reason: reason } = useAbilities('imagine-art');
  const impossible = ratioNames.filter((name) => ratios && !ratios.includes(name));
  return { ratios: impossible, reason: reason ?? texts.impossible(listed(impossible)) };
}

function isStyle(value: string): value is ImagineStyle {
  return imagineStyles.some((style) => style === value);
}

/** As one says it: "2:3, 5:4 or 4:5". */
function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
}
