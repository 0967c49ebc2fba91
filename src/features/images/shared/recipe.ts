/** All that a picture is made from: the one shape that form, record and history share. */
import * as v from 'valibot';

import { maxPromptLength, sourceModes } from '#contract/images/limits';
import { defaultProvider, providerIds } from '#contract/images/providers';
import { defaultRatio, ratioNames, ratios } from '#contract/images/ratios';
import { type FoundRecipe } from '#contract/images/recipe-text';

/** An array without the items that cannot be read. */
export const readableItems = <Schema extends v.GenericSchema>(item: Schema) =>
  v.pipe(
    v.array(v.unknown()),
    v.transform((values): v.InferOutput<Schema>[] =>
      values.flatMap((value) => {
        const parsed = v.safeParse(item, value);
        return parsed.success ? [parsed.output] : [];
      }),
    ),
  );

/** A LoRA and its weight. */
export type LoraEntry = {
  readonly id: string;
  /** 0 to 200; 70 is sent as 0.7. */
  readonly percentage: number;
  readonly name?: string | undefined;
  readonly triggerWords?: readonly string[] | undefined;
  /** Only in the form: the words that were added to the prompt by a button and not by typing. */
  readonly insertedWords?: readonly string[] | undefined;
  /** Tells stored weights in percent from older ones, which were factors. */
  readonly unit?: 'percent' | undefined;
};

/** An entry without a unit was stored when weights could be factors of at most 2. */
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
    percentage:
      unit === undefined && percentage <= 2 ? Math.round(percentage * 1000) / 10 : percentage,
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
  /** Set by providers without models. */
  style: v.optional(v.string()),
  /** Absent when the engine decides. */
  steps: v.optional(v.number()),
  sampler: v.optional(v.string()),
  /** The picture that it is made from; absent for one from words alone. */
  source: v.optional(
    v.object({
      /** The server's own ids: of a saved picture, or of one that was sent for this. */
      generationId: v.optional(v.string()),
      sourceId: v.optional(v.string()),
      mode: v.picklist(sourceModes),
      strength: v.optional(v.number()),
      maskId: v.optional(v.string()),
    }),
  ),
});
export type Recipe = v.InferOutput<typeof recipe>;

/** LoRAs as the server takes them, id → factor; rounded, so that 70.1 becomes 0.701. */
export function loraWeights(loras: readonly LoraEntry[]): Record<string, number> {
  return Object.fromEntries(
    loras
      .map(({ id, percentage }) => [id.trim(), Math.round(percentage * 10) / 1000] as const)
      .filter(([id]) => id !== ''),
  );
}

/** The recipe of a record, without what belongs to that one picture. */
export function toRecipe(record: Recipe): Recipe {
  const { provider, modelId, modelName, prompt, negativePrompt, seed, ratio, nsfw } = record;
  const { loras, style, steps, sampler, source } = record;
  const model = { provider, modelId, modelName };
  const settings = { steps, sampler, source };
  return { ...model, prompt, negativePrompt, seed, ratio, nsfw, loras, style, ...settings };
}

/** A seed may have more digits than a number holds exactly. */
const maxSeedDigits = 19;

/** The integer at the beginning of a text, as digits; empty when there is none. */
export function parseSeed(text: string | number): string {
  const digits = /^\s*\+?0*(\d+)/.exec(String(text))?.[1] ?? '';
  return digits.slice(0, maxSeedDigits);
}

/** A seed in the device's storage, as digits; empty when it cannot be read. */
export const storedSeed = v.fallback(
  v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(parseSeed)), ''),
  '',
);

/** The seed as it is stored: a number where that holds it exactly. */
export function toStoredSeed(digits: string): number | string | undefined {
  const number = Number(digits);
  if (digits === '') {
    return undefined;
  }
  return Number.isSafeInteger(number) ? number : digits;
}

/** A form's recipe with what a picture's file says. A model of another program or provider means nothing here. */
export function withFound(form: Recipe, found: FoundRecipe): Recipe {
  const { prompt, negativePrompt, seed, modelId, modelName = '', loras, style } = found;
  const isOurs = found.program === 'nori' && (found.provider ?? form.provider) === form.provider;
  return {
    ...form,
    prompt,
    negativePrompt,
    // More digits than a seed of ours has are the seed of nothing.
    seed: seed !== undefined && seed.length <= maxSeedDigits ? seed : undefined,
    ratio: findFoundRatio(found) ?? form.ratio,
    // The form leaves out what the engine does not have.
    steps: found.steps,
    sampler: found.sampler,
    ...(isOurs && style !== undefined ? { style } : {}),
    ...(isOurs && modelId !== undefined
      ? {
          modelId,
          modelName,
          loras: Object.entries(loras).map(([id, weight]) => ({
            id,
            percentage: Math.round(weight * 1000) / 10,
            unit: 'percent' as const,
          })),
        }
      : {}),
  };
}

function findFoundRatio({ width, height }: FoundRecipe): Recipe['ratio'] | undefined {
  return width === undefined || height === undefined ? undefined : findRatio({ width, height });
}

/** The ratio that is most like the shape of a picture. */
export function findRatio({
  width,
  height,
}: {
  readonly width: number;
  readonly height: number;
}): Recipe['ratio'] {
  const distance = (one: (typeof ratios)[number]) =>
    Math.abs(Math.log(one.width / one.height / (width / height)));
  return ratios.toSorted((one, other) => distance(one) - distance(other))[0]?.name ?? defaultRatio;
}
