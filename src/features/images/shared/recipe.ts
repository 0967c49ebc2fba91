/** What a picture is made from: the one shape that form, record, history and "use again" share. */
import * as v from 'valibot';

import { maxPromptLength } from '#contract/images/limits';
import { defaultProvider, providerIds } from '#contract/images/providers';
import { defaultRatio, ratioNames } from '#contract/images/ratios';

/** A LoRA and its weight. */
export type LoraEntry = {
  readonly id: string;
  /** 0 to 200; 70 is sent as 0.7. */
  readonly percentage: number;
  readonly name?: string | undefined;
  readonly triggerWords?: readonly string[] | undefined;
  /** Of the form alone: those that a press, and not the person's typing, has put into the prompt. */
  readonly insertedWords?: readonly string[] | undefined;
  /** Says on the device that a weight of 1.5 is no factor. */
  readonly unit?: 'percent' | undefined;
};

/** What is kept without a unit may be a factor up to 2, as a second way of adding LoRAs wrote it. */
export const loraEntry = v.pipe(
  v.object({
    id: v.string(),
    percentage: v.number(),
    unit: v.optional(v.literal('percent')),
    name: v.optional(v.string()),
    triggerWords: v.optional(v.array(v.string())),
    insertedWords: v.optional(v.array(v.string())),
  }),
  v.transform(({ percentage, unit, ...entry }): LoraEntry => ({
    ...entry,
    unit: 'percent',
    percentage: unit === undefined && percentage <= 2 ? tenths(percentage * 100) : percentage,
  })),
);

export const recipe = v.object({
  provider: v.optional(v.picklist(providerIds), defaultProvider),
  modelId: v.string(),
  modelName: v.optional(v.string(), ''),
  prompt: v.pipe(v.string(), v.maxLength(maxPromptLength)),
  negativePrompt: v.optional(v.string(), ''),
  /** Decimal digits; absent when the provider chooses. */
  seed: v.optional(
    v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^\d{1,19}$/)),
  ),
  ratio: v.optional(v.picklist(ratioNames), defaultRatio),
  nsfw: v.optional(v.boolean(), false),
  loras: v.optional(v.array(loraEntry), []),
  /** What pictures of a provider without models are made in. */
  style: v.optional(v.string()),
});
export type Recipe = v.InferOutput<typeof recipe>;

/** The LoRAs as the wire has them: id → factor, without the dust of dividing (70.1 → 0.701). */
export function loraWeights(loras: readonly LoraEntry[]): Record<string, number> {
  return Object.fromEntries(
    loras
      .map(({ id, percentage }) => [id.trim(), Math.round(percentage * 10) / 1000] as const)
      .filter(([id]) => id !== ''),
  );
}

function tenths(percentage: number): number {
  return Math.round(percentage * 10) / 10;
}

/** The recipe alone: what else a record knows belongs to that one picture. */
export function asRecipe(record: Recipe): Recipe {
  const { provider, modelId, modelName, prompt, negativePrompt, seed, ratio, nsfw } = record;
  const { loras, style } = record;
  return { provider, modelId, modelName, prompt, negativePrompt, seed, ratio, nsfw, loras, style };
}
