/** The contents of the Imagine Art form, stored on the device. */
import * as v from 'valibot';

import {
  defaultImagineStyle,
  imagineStyles,
  type ImagineStyle,
} from '#contract/images/imagine-styles';
import { defaultRatio, ratioNames } from '#contract/images/ratios';
import { storedValue } from '#lib/storage';

import { createDraft } from '../shared/create-draft.ts';
import { parseSeed, type Recipe, storedSeed, toStoredSeed } from '../shared/recipe.ts';

type Draft = {
  readonly prompt: string;
  /** Empty while none is chosen. */
  readonly style: ImagineStyle | '';
  readonly ratio: Recipe['ratio'];
  /** Decimal digits; empty when the provider chooses. */
  readonly seed: string;
};

const style = v.picklist([...imagineStyles, '']);

/** A field that cannot be read has its default. */
const stored = storedValue(
  'nori_imagine_form_state',
  v.object({
    prompt: v.fallback(v.optional(v.string(), ''), ''),
    style: v.fallback(v.optional(style, defaultImagineStyle), defaultImagineStyle),
    ratio: v.fallback(v.optional(v.picklist(ratioNames), defaultRatio), defaultRatio),
    seed: storedSeed,
  }),
);

const draft = createDraft<Draft>(
  { prompt: '', style: defaultImagineStyle, ratio: defaultRatio, seed: '' },
  {
    read: stored.read,
    write: (now) => stored.write({ ...now, seed: toStoredSeed(now.seed) }),
    onChangedElsewhere: stored.onChangedElsewhere,
  },
);

export const { useDraft, changeDraft, returnPrompt } = draft;

/** Fills the form with a recipe; `undo` restores what was in it. */
export function applyRecipe(recipe: Recipe): ReturnType<typeof draft.replaceDraft> {
  const known = v.safeParse(style, recipe.style);
  return draft.replaceDraft({
    prompt: recipe.prompt,
    ratio: recipe.ratio,
    seed: parseSeed(recipe.seed ?? ''),
    ...(known.success ? { style: known.output } : {}),
  });
}

export function toRecipe({ prompt, style: chosen, ratio, seed }: Draft): Recipe {
  return {
    provider: 'imagine-art',
    // A style is this provider's model.
    modelId: chosen,
    modelName: '',
    style: chosen,
    prompt: prompt.trim(),
    negativePrompt: '',
    seed: seed === '' ? undefined : seed,
    ratio,
    nsfw: false,
    loras: [],
  };
}
