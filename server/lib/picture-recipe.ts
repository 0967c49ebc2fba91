/** The recipe of a picture as engines take it, and as its file tells it. */
import { providerIds } from '#contract/images/providers';
import { type FoundRecipe } from '#contract/images/recipe-text';

import { addNotes, readSize } from './picture-notes.ts';
import { detectPictureType } from './picture-type.ts';

export type PictureRecipe = {
  readonly prompt: string;
  readonly negativePrompt: string;
  /** The ID of a model's version. */
  readonly modelId: string;
  /** LoRA ID → weight from 0 to 2. */
  readonly loras: Readonly<Record<string, number>>;
  /** Decimal digits. */
  readonly seed: string;
  /** Pixels, and the name of the ratio. */
  readonly width: number;
  readonly height: number;
  readonly ratio: string;
  /** Empty for providers with models. */
  readonly style: string;
  /** How closely the picture follows its prompt. */
  readonly scale: number;
};

/** What is known of how an engine works, and stands in the files of its pictures. What is unknown is absent. */
export type EngineOrigin = {
  readonly software: OwnSoftware;
  readonly steps?: number;
  readonly sampler?: string;
  /** Whether it uses the seed and the scale of the recipe. */
  readonly usesSeed: boolean;
  readonly usesScale: boolean;
};

/** What files say they were made with; ASCII. */
export const ownSoftware = {
  sketch: 'Nori sketch (made without AI)',
  pixai: 'Nori (PixAI)',
  a1111: 'Nori (Stable Diffusion web UI)',
  imagine: 'Nori (Imagine Art)',
  midjourney: 'Nori (MidJourney)',
} as const;

type OwnSoftware = (typeof ownSoftware)[keyof typeof ownSoftware];

export function isOwnSoftware(text: string | undefined): boolean {
  return Object.values(ownSoftware).some((one) => one === text);
}

type Making = {
  readonly recipe: PictureRecipe;
  readonly provider: string;
  readonly origin: EngineOrigin | undefined;
};

/** The files of a recipe's pictures, which then say how they were made. */
export function withRecipes(
  made: {
    readonly files: readonly Buffer[];
    readonly seed: string;
    readonly seeds?: readonly string[];
  },
  { recipe, ...making }: Making,
): readonly Buffer[] {
  return made.files.map((file, index) => {
    const type = detectPictureType(file);
    const seed = made.seeds?.[index] ?? made.seed;
    return type === undefined
      ? file
      : addNotes(file, type, {
          software: making.origin?.software,
          recipe: toWritten({ ...making, recipe: { ...recipe, seed } }, readSize(file, type)),
        });
  });
}

/** The size is that of the file, which may be another than the one that was asked for. */
function toWritten(
  { recipe, provider, origin }: Making,
  size: ReturnType<typeof readSize>,
): FoundRecipe {
  const { prompt, negativePrompt, modelId, loras, seed, style, scale } = recipe;
  return {
    program: 'nori',
    prompt,
    negativePrompt,
    provider: providerIds.find((id) => id === provider),
    modelId: modelId || undefined,
    loras,
    seed: origin?.usesSeed === true ? seed : undefined,
    width: size?.width,
    height: size?.height,
    style: style || undefined,
    scale: origin?.usesScale === true ? scale : undefined,
    steps: origin?.steps,
    sampler: origin?.sampler,
  };
}
