/** The recipe of a picture, and its text inside a picture's file. */
import { maxPromptLength } from '#contract/images/limits';

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

/** What sketches say they were made with. */
export const sketchSoftware = 'Nori sketch (made without AI)';

const negativeMark = 'Negative prompt: ';

/** The layout that image programs read: prompt, negative prompt, one line of settings. */
export function formatParameters(recipe: PictureRecipe): string {
  const { prompt, negativePrompt, modelId, loras, seed, width, height, scale, style } = recipe;
  return joinLines(prompt, negativePrompt, [
    'Steps: 1',
    'Sampler: Nori sketch',
    `CFG scale: ${scale}`,
    `Seed: ${seed}`,
    `Size: ${width}x${height}`,
    ...(modelId === '' ? [] : [`Model: ${modelId}`]),
    ...(style === '' ? [] : [`Style: ${style}`]),
    ...Object.entries(loras).map(([id, weight]) => `LoRA ${id}: ${weight}`),
  ]);
}

function joinLines(prompt: string, negativePrompt: string, settings: readonly string[]): string {
  return [
    prompt,
    ...(negativePrompt === '' ? [] : [`${negativeMark}${negativePrompt}`]),
    settings.join(', '),
  ].join('\n');
}

const maxSettingsLength = 2000;
/** Characters of a recipe inside a file; a longer text is none of ours. */
export const maxRecipeLength = 2 * maxPromptLength + maxSettingsLength;

const number = /^\d{1,20}(?:\.\d{1,20})?$/;
/** Names have neither commas, which separate settings, nor what markup is made of. */
const name = /^[^\p{C}<>",]{1,100}$/u;

const requiredSettings: Readonly<Record<string, RegExp>> = {
  Steps: number,
  Sampler: name,
  'CFG scale': number,
  Seed: number,
  Size: /^\d{1,5}x\d{1,5}$/,
};
const knownSettings: Readonly<Record<string, RegExp>> = {
  ...requiredSettings,
  'Schedule type': name,
  'Model hash': /^[\da-f]{1,64}$/,
  Model: name,
  Style: name,
};

/** Reads `Key: value`; undefined for what our engines do not write. */
function readSetting(text: string): { readonly key: string; readonly text: string } | undefined {
  const [, key = '', value = ''] = /^([\w.@ -]{1,110}): (.+)$/u.exec(text) ?? [];
  const pattern = key.startsWith('LoRA ')
    ? number
    : Object.hasOwn(knownSettings, key)
      ? knownSettings[key]
      : undefined;
  return pattern?.test(value) === true ? { key, text: `${key}: ${value}` } : undefined;
}

/**
 * Reads the text of a recipe that an engine of ours has written into a file, and writes it anew: its prompts, and the
 * settings that are known. Undefined for any other text.
 */
export function rewriteParameters(text: string): string | undefined {
  if (text.length > maxRecipeLength) {
    return undefined;
  }
  const lines = text.split('\n');
  const settings = (lines.pop() ?? '').split(', ').flatMap((one) => readSetting(one) ?? []);
  const keys = new Set(settings.map(({ key }) => key));
  if (
    keys.size !== settings.length ||
    Object.keys(requiredSettings).some((key) => !keys.has(key))
  ) {
    return undefined;
  }
  const at = lines.findLastIndex((line) => line.startsWith(negativeMark));
  const prompt = lines.slice(0, at === -1 ? lines.length : at).join('\n');
  const negativePrompt = at === -1 ? '' : lines.slice(at).join('\n').slice(negativeMark.length);
  return joinLines(
    cleanPrompt(prompt),
    cleanPrompt(negativePrompt),
    settings.map((setting) => setting.text),
  );
}

/** Without control characters other than line breaks. */
function cleanPrompt(text: string): string {
  return text.slice(0, maxPromptLength).replaceAll(/[^\P{Cc}\n]/gu, '');
}
