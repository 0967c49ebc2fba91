/** The prompt in the MidJourney form, stored on the device. */
import * as v from 'valibot';

import { defaultRatio } from '#contract/images/ratios';
import { storedValue } from '#lib/storage';

import { createDraft } from '../shared/create-draft.ts';
import { type Recipe } from '../shared/recipe.ts';

type Draft = { readonly prompt: string };

const stored = storedValue('nori_midjourney_prompt', v.string(), { isJson: false });

const draft = createDraft<Draft>(
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

export const { useDraft, changeDraft, returnPrompt } = draft;

/** Fills the form with the prompt of a recipe; `undo` restores what was in it. */
export function applyRecipe({ prompt }: Recipe): ReturnType<typeof draft.replaceDraft> {
  return draft.replaceDraft({ prompt });
}

/** Clears the prompt of a finished generation, unless another one has been typed since. */
export function clearPrompt(used: string): void {
  if (useDraft.getState().prompt.trim() === used) {
    changeDraft({ prompt: '' });
  }
}

export function toRecipe({ prompt }: Draft): Recipe {
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
