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
  /** Pixels, and what that shape is called. */
  readonly width: number;
  readonly height: number;
  readonly ratio: string;
  /** What pictures of a provider without models are made in; empty elsewhere. */
  readonly style: string;
  /** How closely the picture follows its prompt. */
  readonly scale: number;
};
