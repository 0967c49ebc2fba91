/** What users read about image services. */

export const imageServiceTexts = {
  unreadable: 'The image service sent an answer that cannot be read. Please try again.',
  /** `models` are names with commas between. */
  otherModels: (models: string) => `This server does not have that model. It has: ${models}.`,
  noModels: 'This server does not have that model, nor any other.',
  noSource: 'This server cannot make that from a picture.',
  noUpscaler: 'This server has nothing to enlarge pictures with.',
  enlarged: (side: number) =>
    `This picture is large already: up to ${side} pixels on a side can be enlarged.`,
  noSampler: 'This server does not have that sampler.',
  /** `samplers` are names with commas between. */
  otherSamplers: (samplers: string) =>
    `This server does not have that sampler. It has: ${samplers}.`,
  /** `ratios` are those before the `last`, with commas between. */
  imagineRatios: (ratios: string, last: string) =>
    `Imagine Art makes pictures in ${ratios}, and ${last} only.`,
} as const;
