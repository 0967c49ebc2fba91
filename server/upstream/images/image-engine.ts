/** What makes pictures, whoever it is: the one shape that all of them have for the rest of the server. */
import { type RatioName } from '#contract/images/ratios';
import { AppError } from '#server/lib/errors';
import { type PictureRecipe } from '#server/lib/picture-recipe';

export type MadePictures = {
  /** The bytes of each; one wish makes several with some engines. */
  readonly files: readonly Buffer[];
  /** The seed that was really used. */
  readonly seed: string;
};

export type Making = {
  /** What the engine called this task when it was submitted before the server was restarted. */
  readonly taskId: string | undefined;
  /** Is told that id at once, before anything else happens. */
  readonly onSubmitted: (taskId: string) => Promise<void>;
  /** Stops waiting; what was submitted goes on. */
  readonly signal: AbortSignal;
};

/**
 * Makes the pictures of one wish for each call. Throws an `AppError`: `image_service_unavailable`,
 * `image_service_busy`, `image_service_key`, `out_of_credit`, `invalid_model`, `generation_refused`,
 * `generation_slow`, `picture_broken` or `picture_gone`.
 */
export type ImageEngine = {
  /** What people and jobs know it by, such as `sketch`. */
  readonly name: string;
  readonly abilities: {
    /** The largest seed it takes; greater ones are folded into its range. */
    readonly seedMax: bigint;
    /** How many pictures it may be asked for at the same time. */
    readonly concurrency: number;
    /** How long one picture may take, the wait for its turn there included, in milliseconds. */
    readonly deadlineMs: number;
    /**
     * Asking twice costs nothing but time. Where it costs money, a submit whose outcome is unknown
     * is never repeated.
     */
    readonly isFree: boolean;
    /** The only shapes it makes, and why no others, as people read it; absent when it makes all. */
    readonly ratios?: { readonly names: readonly RatioName[]; readonly reason: string };
    /** How many pictures a wish makes; one when absent. */
    readonly pictures?: number;
  };
  readonly make: (recipe: PictureRecipe, making: Making) => Promise<MadePictures>;
  /** Stops a task that was submitted; absent where that cannot be done. */
  readonly cancel?: (taskId: string) => Promise<void>;
};

/** A seed within what an engine takes. */
export function seedWithin(seed: string, seedMax: bigint): string {
  return String(BigInt(seed) % (seedMax + 1n));
}

/** Throws `ratio_impossible`: a service would refuse it, or make another shape without saying so. */
export function checkRatio({ abilities: { ratios } }: ImageEngine, ratio: string): void {
  if (ratios && !ratios.names.some((name) => name === ratio)) {
    throw new AppError('ratio_impossible', { detail: ratios.reason });
  }
}
