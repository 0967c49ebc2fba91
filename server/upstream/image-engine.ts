/** What makes pictures, whoever it is: the one shape that all of them have for the rest of the server. */

/** What a picture is made from. */
export type PictureRecipe = {
  readonly prompt: string;
  readonly negativePrompt: string;
  /** A version of a model. */
  readonly modelId: string;
  /** LoRA → weight from 0 to 2. */
  readonly loras: Readonly<Record<string, number>>;
  /** Decimal digits. */
  readonly seed: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** How closely the picture follows its prompt. */
  readonly scale: number;
};

export type MadePicture = {
  readonly bytes: Buffer;
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
 * Makes one picture at a time for each call. Throws an `AppError`: `image_service_unavailable`,
 * `image_service_busy`, `image_service_key`, `out_of_credit`, `invalid_model`, `generation_refused`,
 * `generation_slow`, `picture_broken` or `picture_gone`.
 */
export type ImageEngine = {
  readonly name: 'sketch' | 'pixai' | 'a1111';
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
  };
  readonly make: (recipe: PictureRecipe, making: Making) => Promise<MadePicture>;
  /** Stops a task that was submitted; absent where that cannot be done. */
  readonly cancel?: (taskId: string) => Promise<void>;
};

/** A seed within what an engine takes. */
export function seedWithin(seed: string, seedMax: bigint): string {
  return String(BigInt(seed) % (seedMax + 1n));
}
