/** The shape that all image engines and model lists share. */
import { type RatioName } from '#contract/images/ratios';
import { AppError } from '#server/lib/errors';
import { joinList, type Sentence } from '#server/lib/languages';
import {
  type EngineOrigin,
  type PictureRecipe,
  type SourceMode,
  type UsedSettings,
} from '#server/lib/picture-recipe';

import { imageServiceTexts } from './texts.ts';

/** Names in a refusal that lists what there is instead. */
export const maxNamesInRefusal = 5;

export type MadePictures = {
  /** The bytes of each picture. */
  readonly files: readonly Buffer[];
  /** The seed that was used. */
  readonly seed: string;
  /** The seed of each picture, where they differ. */
  readonly seeds?: readonly string[];
  readonly used?: UsedSettings;
};

export type EngineTask = {
  /** The service's ID of this task, if it was submitted before the server was restarted. */
  readonly taskId: string | undefined;
  /** Must be called as soon as the service has given the task an ID. */
  readonly onSubmitted: (taskId: string) => Promise<void>;
  /** Ends the wait. The service may continue. */
  readonly signal: AbortSignal;
  /** The picture of the recipe's source, if it has one. */
  readonly source?: OpenSource | undefined;
};

export type OpenSource = {
  /** Throws `picture_gone`. */
  readonly read: () => Promise<Buffer>;
  /** The mask of `inpaint`, white where the picture is made anew. Throws `picture_gone`. */
  readonly readMask: () => Promise<Buffer>;
  /** A link that needs no header, and expires. */
  readonly link: () => string;
};

export type ImageEngine = {
  /** Shown to users and stored with jobs, such as `sketch`. */
  readonly name: string;
  readonly abilities: {
    /** The largest seed; larger seeds are reduced to this range. */
    readonly seedMax: bigint;
    /** How many recipes may be in progress at the same time, in all processes together. */
    readonly concurrency: number;
    /** Whether each process makes pictures itself, so that `concurrency` counts for each. Default false. */
    readonly isLocal?: boolean;
    /** Milliseconds for one recipe, including its wait in the queue of the service. */
    readonly deadlineMs: number;
    /** When false, a submission with an unknown outcome is never repeated, because it may cost money twice. */
    readonly isFree: boolean;
    /** The only possible ratios, with a reason for users; absent when all are possible. */
    readonly ratios?: { readonly names: readonly RatioName[]; readonly reason: Sentence };
    /** The largest weight of a LoRA, where 1 is 100 %; larger ones are reduced to it. Default: no limit. */
    readonly loraWeightMax?: number;
    /** How many steps a picture may take, both ends included, and how many it takes by default; absent without a choice. */
    readonly steps?: { readonly min: number; readonly max: number; readonly default: number };
    /** What it can make from a picture. Default nothing. */
    readonly modes?: readonly SourceMode[];
    /** Pictures per recipe. Default 1. */
    readonly pictures?: number;
  };
  /**
   * The names of its samplers; empty while the service does not tell them. Absent where users cannot choose one. Never
   * throws.
   */
  readonly readSamplers?: () => Promise<readonly string[]>;
  /** What the files of its pictures say of it; without it they tell neither seed nor scale. */
  readonly origin?: EngineOrigin;
  /**
   * Makes the pictures of one recipe. Throws an `AppError`: `image_service_unavailable`,
   * `image_service_busy`, `image_service_key`, `out_of_credit`, `invalid_model`, `generation_refused`,
   * `generation_slow`, `picture_broken` or `picture_gone`.
   */
  readonly make: (recipe: PictureRecipe, task: EngineTask) => Promise<MadePictures>;
  /** Cancels a submitted task; absent when the service cannot. */
  readonly cancel?: (taskId: string) => Promise<void>;
};

/** Reduces weights that the engine would refuse. */
export function fitLoras(
  loras: Readonly<Record<string, number>>,
  { abilities }: ImageEngine,
): Record<string, number> {
  const { loraWeightMax: max = Number.POSITIVE_INFINITY } = abilities;
  return Object.fromEntries(
    Object.entries(loras).map(([id, weight]) => [id, Math.min(weight, max)]),
  );
}

/** Reduces steps to the engine's range. What cannot be chosen on this engine is left out. */
export function fitSettings(
  { steps, sampler }: Pick<PictureRecipe, 'steps' | 'sampler'>,
  { abilities: { steps: range }, readSamplers }: ImageEngine,
): Pick<PictureRecipe, 'steps' | 'sampler'> {
  return {
    ...(steps !== undefined && range && { steps: Math.min(range.max, Math.max(range.min, steps)) }),
    ...(sampler !== undefined && readSamplers && { sampler }),
  };
}

/** Throws `invalid_input`, with the names of some samplers that exist. */
export async function checkSampler(
  { readSamplers }: ImageEngine,
  sampler: string | undefined,
): Promise<void> {
  const names = (sampler !== undefined && (await readSamplers?.())) || [];
  // Without a list the service itself decides.
  if (sampler !== undefined && names.length > 0 && !names.includes(sampler)) {
    const some = names.slice(0, maxNamesInRefusal);
    throw new AppError('invalid_input', {
      detail: (say) => say(imageServiceTexts).otherSamplers(joinList(some, say)),
    });
  }
}

/** Throws `invalid_input`: the engine would make a picture from words alone. */
export function checkSource({ abilities }: ImageEngine, { source }: PictureRecipe): void {
  if (source && !(abilities.modes ?? []).includes(source.mode)) {
    throw new AppError('invalid_input', { detail: (say) => say(imageServiceTexts).noSource });
  }
}

export function fitSeed(seed: string, seedMax: bigint): string {
  return String(BigInt(seed) % (seedMax + 1n));
}

/** Throws `ratio_impossible`: a service would refuse the ratio, or use another one without saying so. */
export function checkRatio({ abilities: { ratios } }: ImageEngine, ratio: string): void {
  if (ratios && !ratios.names.some((name) => name === ratio)) {
    throw new AppError('ratio_impossible', { detail: ratios.reason });
  }
}

export type ModelQuery = {
  readonly first: number;
  /** The cursor after which the page begins. */
  readonly after?: string | null | undefined;
  readonly feed?: string | undefined;
  readonly orderBy?: string | undefined;
  /** For searches only. */
  readonly keyword?: string | undefined;
};

export type ModelPage = {
  readonly edges: readonly { readonly cursor: string; readonly node: unknown }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | undefined };
};

/** The list of models of an image service. */
export type ModelService = {
  /** Throws `model_service_failed` or `invalid_cursor`. */
  readonly list: (query: ModelQuery) => Promise<ModelPage>;
  /** Throws the same as `list`. */
  readonly search: (query: ModelQuery) => Promise<ModelPage>;
  /** The name of a model, by the ID that recipes use; undefined when unknown. Never throws. */
  readonly findName: (modelId: string) => Promise<string | undefined>;
};
