/** What the next picture by Imagine Art is to be made from, kept on the device. */
import * as v from 'valibot';

import {
  defaultImagineStyle,
  imagineStyles,
  type ImagineStyle,
} from '#contract/images/imagine-styles';
import { defaultRatio, ratioNames } from '#contract/images/ratios';
import { storedValue } from '#lib/storage';

import { createDraft } from '../shared/create-draft.ts';
import { type Recipe } from '../shared/recipe.ts';
import { asInteger, keptSeed, parseSeed } from '../shared/seed.ts';

type Draft = {
  readonly prompt: string;
  /** Empty while none is chosen. */
  readonly style: ImagineStyle | '';
  readonly ratio: Recipe['ratio'];
  /** Decimal digits; empty when the provider chooses. */
  readonly seed: string;
};

const style = v.picklist([...imagineStyles, '']);

/** Each field by itself: one that does not fit is as good as absent. */
const kept = storedValue(
  'nori_imagine_form_state',
  v.object({
    prompt: v.fallback(v.optional(v.string(), ''), ''),
    style: v.fallback(v.optional(style, defaultImagineStyle), defaultImagineStyle),
    ratio: v.fallback(v.optional(v.picklist(ratioNames), defaultRatio), defaultRatio),
    seed: keptSeed,
  }),
);

const draft = createDraft<Draft>(
  { prompt: '', style: defaultImagineStyle, ratio: defaultRatio, seed: '' },
  {
    read: kept.read,
    write: (now) => kept.write({ ...now, seed: asInteger(now.seed) }),
    onChangedElsewhere: kept.onChangedElsewhere,
  },
);

export const { useDraft, changeDraft, returnPrompt } = draft;

/** Takes everything over that a picture was made from. `undo` brings back what was there before. */
export function takeOver(recipe: Recipe): ReturnType<typeof draft.takeOver> {
  const known = v.safeParse(style, recipe.style);
  return draft.takeOver({
    prompt: recipe.prompt,
    ratio: recipe.ratio,
    seed: parseSeed(recipe.seed ?? ''),
    ...(known.success ? { style: known.output } : {}),
  });
}

/** The draft as something to make a picture from. */
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
