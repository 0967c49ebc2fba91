/** All that a picture is made from. */
export type PictureRecipe = {
  readonly prompt: string;
  readonly negativePrompt: string;
  /** A version of a model. */
  readonly modelId: string;
  /** LoRA → weight from 0 to 2. */
  readonly loras: Readonly<Record<string, number>>;
  /** Decimal digits. */
  readonly seed: string;
  /** Pixels, and the name of the shape. */
  readonly width: number;
  readonly height: number;
  readonly ratio: string;
  /** For providers without models; otherwise empty. */
  readonly style: string;
  /** How closely the picture follows its prompt. */
  readonly scale: number;
};
