/** The prompt of the next pictures by MidJourney, kept on the device. */
import * as v from 'valibot';

import { defaultRatio } from '#contract/images/ratios';
import { storedValue } from '#lib/storage';

import { createDraft } from '../shared/create-draft.ts';
import { type Recipe } from '../shared/recipe.ts';

type Draft = { readonly prompt: string };

const kept = storedValue('nori_midjourney_prompt', v.string(), { isJson: false });

const draft = createDraft<Draft>(
  { prompt: '' },
  {
    read: () => {
      const prompt = kept.read();
      return prompt === undefined ? undefined : { prompt };
    },
    write: ({ prompt }) => kept.write(prompt === '' ? undefined : prompt),
    onChangedElsewhere: kept.onChangedElsewhere,
  },
);

export const { useDraft, changeDraft, returnPrompt } = draft;

/** Takes the prompt over that pictures were made from. `undo` brings back what was there before. */
export function takeOver({ prompt }: Recipe): ReturnType<typeof draft.takeOver> {
  return draft.takeOver({ prompt });
}

/** Clears the prompt that pictures have come of, unless another one has been typed meanwhile. */
export function clearPrompt(used: string): void {
  if (useDraft.getState().prompt.trim() === used) {
    changeDraft({ prompt: '' });
  }
}

/** The draft as something to make pictures from. */
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
