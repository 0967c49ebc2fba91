/** Limits and defaults of pictures that client and server share. */

/** How closely a picture follows its prompt; the same for all pictures. */
export const guidanceScale = 6;

/**
 * A LoRA's weight in percent, as users see it; on the wire it is divided by 100. An engine may allow less:
 * see `readImageAbilities`.
 */
export const loraWeight = { min: 0, max: 200, step: 0.1, default: 70 } as const;

/** How many LoRAs one picture may have on our server. */
export const maxLoras = 15;

/** Steps that an engine may take to make a picture; it may allow fewer: see `readImageAbilities`. */
export const stepLimits = { min: 1, max: 150 } as const;

/** What an engine may make from a picture of the user: another one like it, the same one larger, or with a part made anew. */
export const sourceModes = ['variation', 'upscale', 'inpaint'] as const;

/** How far a variation, or the part that is made anew, may go from its picture: at 1 nothing of it would stay. */
export const sourceStrength = {
  min: 0.1,
  max: 0.9,
  default: { variation: 0.6, upscale: 0, inpaint: 0.75 },
} as const;

/** The longer side, in pixels, of the largest picture that is enlarged; to twice its size. */
export const maxUpscaleSide = 1536;

/** Characters of a sampler's name. */
export const maxSamplerLength = 60;

/** Characters of a model's ID, which is a file name where the operator's own graphics card makes the pictures. */
export const maxModelIdLength = 100;

/** Seeds that the random button gives, both ends included. */
export const randomSeed = { min: 1_000_000_000, max: 10_000_000_000 } as const;

/** Characters of a prompt, and of a negative prompt. */
export const maxPromptLength = 4000;

/** Limits of a saved picture: bytes of the file, pixels of a side, pixels in all; and how many a user may save. */
export const pictureLimits = {
  bytes: 20 * 1024 * 1024,
  side: 8192,
  pixels: 33_554_432,
  perUser: 5000,
} as const;
