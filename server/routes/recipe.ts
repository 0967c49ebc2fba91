/** What a wish on the wire comes to: everything that a picture is made from, with nothing where a provider knows no such thing. */
import { guidanceScale } from '#contract/images/limits';
import { type RatioName, sizeOfRatio } from '#contract/images/ratios';
import { type JobRecipe } from '#services/images';

type Wish = Pick<JobRecipe, 'prompt'> & { readonly ratio: RatioName } & Partial<JobRecipe>;

export function recipeOf({ ratio, ...wish }: Wish): JobRecipe {
  const { width, height } = sizeOfRatio(ratio);
  return {
    negativePrompt: '',
    modelId: '',
    loras: {},
    style: '',
    seed: '',
    nsfw: false,
    scale: guidanceScale,
    ...wish,
    ratio,
    width,
    height,
  };
}
