/** The recipe of a picture. */
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
