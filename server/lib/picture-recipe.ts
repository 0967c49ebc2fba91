/** The recipe of a picture as engines take it, and as its file tells it. */
import { type sourceModes } from '#contract/images/limits';
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
  /** Undefined when the engine decides, as it does for the sampler. */
  readonly steps?: number | undefined;
  readonly sampler?: string | undefined;
  /** Undefined for a picture from words alone. */
  readonly source?: PictureSource | undefined;
};

export type SourceMode = (typeof sourceModes)[number];

/** A picture of the user that another one is made from. */
export type PictureSource = {
  readonly pictureId: string;
  readonly mode: SourceMode;
  /** How far it may go from its source: 0 to 1. */
  readonly strength: number;
  /** White where it is made anew; of `inpaint` alone. */
  readonly maskId?: string | undefined;
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

/** What a service says that it has used; undefined where it says nothing. */
export type UsedSettings = {
  readonly steps?: number | undefined;
  readonly sampler?: string | undefined;
};

type Making = {
  readonly recipe: PictureRecipe;
  readonly provider: string;
  readonly origin: EngineOrigin | undefined;
  readonly used?: UsedSettings | undefined;
};

/** The files of a recipe's pictures, which then say how they were made. */
export function withRecipes(
  made: {
    readonly files: readonly Buffer[];
    readonly seed: string;
    readonly seeds?: readonly string[];
    readonly used?: UsedSettings;
  },
  { recipe, ...making }: Omit<Making, 'used'>,
): readonly Buffer[] {
  return made.files.map((file, index) => {
    const type = detectPictureType(file);
    const seed = made.seeds?.[index] ?? made.seed;
    return type === undefined
      ? file
      : addNotes(file, type, {
          software: making.origin?.software,
          recipe: toWritten(
            { ...making, used: made.used, recipe: { ...recipe, seed } },
            readSize(file, type),
          ),
        });
  });
}

/** The size is that of the file, which may be another than the one that was asked for. */
function toWritten(making: Making, size: ReturnType<typeof readSize>): FoundRecipe {
  const { recipe, provider, origin } = making;
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
    ...findSettings(making),
  };
}

function findSettings({ recipe, origin, used }: Making): UsedSettings {
  const isEnlarged = recipe.source?.mode === 'upscale';
  return {
    // What was enlarged may have had others.
    steps: used?.steps ?? recipe.steps ?? (isEnlarged ? undefined : origin?.steps),
    sampler: used?.sampler ?? recipe.sampler ?? origin?.sampler,
  };
}
