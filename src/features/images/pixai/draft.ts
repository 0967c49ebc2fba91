/** The contents of the Pix-AI form, stored on the device. The model browser and the history fill it, too. */
import * as v from 'valibot';

import { loraWeight, maxLoras } from '#contract/images/limits';
import { defaultRatio, ratioNames } from '#contract/images/ratios';
import { storedValue } from '#lib/storage';

import { createDraft } from '../shared/create-draft.ts';
import {
  type LoraEntry,
  loraEntry,
  readableItems,
  type Recipe,
  toStoredSeed,
  storedSeed,
  parseSeed,
} from '../shared/recipe.ts';
import { hasWord, withoutWord, withWord } from './trigger-words.ts';

/** A LoRA when it is chosen, before it has a weight. */
export type ChosenLora = {
  readonly id: string;
  readonly name?: string | undefined;
  readonly triggerWords?: readonly string[] | undefined;
};

/** Weights have one decimal. Multiplying by the step itself would give 70.10000000000001. */
const weightsInOne = Math.round(1 / loraWeight.step);

/** A field that cannot be read has its default. */
const storedForm = storedValue(
  'nori_form_state',
  v.object({
    prompt: v.fallback(v.optional(v.string(), ''), ''),
    negativePrompt: v.fallback(v.optional(v.string(), ''), ''),
    seed: storedSeed,
    ratio: v.fallback(v.optional(v.picklist(ratioNames), defaultRatio), defaultRatio),
    nsfw: v.fallback(v.optional(v.boolean(), false), false),
    steps: v.fallback(v.optional(v.number()), undefined),
    sampler: v.fallback(v.optional(v.string(), ''), ''),
    modelId: v.fallback(v.optional(v.string(), ''), ''),
    loras: v.fallback(v.optional(readableItems(v.pipe(loraEntry, v.transform(clamped))), []), []),
  }),
);

const storedModel = storedValue(
  'nori_selected_model',
  v.object({ modelId: v.string(), modelName: v.optional(v.string(), '') }),
);

export type Draft = {
  readonly prompt: string;
  readonly negativePrompt: string;
  /** Decimal digits; empty when the provider chooses. */
  readonly seed: string;
  readonly ratio: Recipe['ratio'];
  readonly nsfw: boolean;
  /** Undefined when the engine decides. */
  readonly steps: number | undefined;
  /** Empty when the engine decides. */
  readonly sampler: string;
  readonly modelId: string;
  /** Empty when unknown. */
  readonly modelName: string;
  readonly loras: readonly LoraEntry[];
};

const emptyDraft: Draft = {
  prompt: '',
  negativePrompt: '',
  seed: '',
  ratio: defaultRatio,
  nsfw: false,
  steps: undefined,
  sampler: '',
  modelId: '',
  modelName: '',
  loras: [],
};

const pixaiDraft = createDraft(emptyDraft, {
  read,
  write,
  onChangedElsewhere: storedForm.onChangedElsewhere,
});

export const { useDraft, changeDraft, returnPrompt } = pixaiDraft;

if (typeof window !== 'undefined') {
  // A model chosen in another tab is newer than the stored form.
  storedModel.onChangedElsewhere(() => useDraft.setState(storedModel.read() ?? {}));
}

function read(): Partial<Draft> {
  const form = storedForm.read();
  const model = storedModel.read();
  const isSameModel = !form?.modelId || model?.modelId === form.modelId;
  return { ...form, ...(isSameModel ? model : {}) };
}

function write({ modelName, ...form }: Draft): void {
  const { modelId } = form;
  storedForm.write({
    ...form,
    seed: toStoredSeed(form.seed),
    sampler: form.sampler || undefined,
    loras: [...form.loras],
  });
  storedModel.write(modelId === '' ? undefined : { modelId, modelName });
}

export function selectModel({
  modelId,
  modelName = '',
}: {
  readonly modelId: string;
  readonly modelName?: string;
}): void {
  changeDraft({ modelId, modelName });
}

/** Puts a model into a form that has none. It is stored with the next change by the user. */
export function suggestModel(model: Pick<Draft, 'modelId' | 'modelName'>): void {
  if (useDraft.getState().modelId === '') {
    useDraft.setState(model);
  }
}

/**
 * Adds LoRAs with the default weight; those that are in the form keep theirs. Returns how many were left
 * out because a picture has at most `maxLoras`.
 */
export function addLoras(chosen: readonly ChosenLora[]): { readonly left: number } {
  const { loras: present } = useDraft.getState();
  const ids = new Set(present.map(({ id }) => id.trim()));
  const added = new Map(
    chosen.map((lora) => [lora.id.trim(), lora] as const).filter(([id]) => !ids.has(id)),
  );
  const room = Math.max(0, maxLoras - present.length);
  const entries = [...added].slice(0, room).map(([id, { name, triggerWords }]): LoraEntry => ({
    id,
    percentage: loraWeight.default,
    unit: 'percent',
    name,
    triggerWords,
  }));
  changeDraft({ loras: [...present, ...entries] });
  return { left: added.size - entries.length };
}

/** Removes a LoRA, and its trigger words that were put into the prompt by a button. */
export function removeLora(id: string): void {
  const { loras: present, prompt } = useDraft.getState();
  const rest = present.filter((lora) => lora.id !== id);
  const unneeded = present
    .filter((lora) => lora.id === id)
    .flatMap(({ insertedWords = [] }) => insertedWords)
    .filter((word) => !rest.some((lora) => hasTriggerWord(lora, word)));
  changeDraft({ loras: rest, prompt: unneeded.reduce(withoutWord, prompt) });
}

/** Sets a weight in percent, within its limits and rounded to one decimal. */
export function setLoraWeight(id: string, percentage: number): void {
  changeLora(id, (lora) => clamped({ ...lora, percentage, unit: 'percent' }));
}

/** Adds the name and the trigger words of a LoRA that was added by its ID. */
export function describeLora({ id, name, triggerWords }: ChosenLora): void {
  changeLora(id, (lora) => ({ ...lora, name, triggerWords }));
}

function changeLora(id: string, change: (lora: LoraEntry) => LoraEntry): void {
  changeDraft({
    loras: useDraft.getState().loras.map((lora) => (lora.id === id ? change(lora) : lora)),
  });
}

function clamped(lora: LoraEntry): LoraEntry {
  const number = Number.isFinite(lora.percentage) ? lora.percentage : 0;
  const within = Math.min(loraWeight.max, Math.max(loraWeight.min, number));
  return { ...lora, percentage: Math.round(within * weightsInOne) / weightsInOne };
}

/** Puts a trigger word into the prompt, or takes it out. */
export function toggleTriggerWord(word: string): void {
  const { prompt, loras: present } = useDraft.getState();
  const isThere = hasWord(prompt, word);
  changeDraft({
    prompt: isThere ? withoutWord(prompt, word) : withWord(prompt, word),
    // Stored with each LoRA that has it, so that removing the last of them removes the word.
    loras: present.map((lora) => {
      const others = (lora.insertedWords ?? []).filter((one) => one !== word);
      return hasTriggerWord(lora, word)
        ? Object.assign({}, lora, { insertedWords: isThere ? others : [...others, word] })
        : lora;
    }),
  });
}

function hasTriggerWord({ triggerWords = [] }: LoraEntry, word: string): boolean {
  return triggerWords.some((one) => one.trim() === word);
}

/** Fills the form with a recipe; `undo` restores what was in it. */
export function applyRecipe(recipe: Recipe): { readonly undo: () => void } {
  return pixaiDraft.replaceDraft({
    prompt: recipe.prompt,
    negativePrompt: recipe.negativePrompt,
    seed: parseSeed(recipe.seed ?? ''),
    ratio: recipe.ratio,
    nsfw: recipe.nsfw,
    steps: recipe.steps,
    sampler: recipe.sampler ?? '',
    modelId: recipe.modelId,
    modelName: recipe.modelName,
    loras: recipe.loras.map(clamped),
  });
}

/** The recipe of the draft, without empty LoRAs. */
export function toRecipe(draft: Draft): Recipe {
  return {
    provider: 'pixai',
    modelId: draft.modelId.trim(),
    modelName: draft.modelName,
    prompt: draft.prompt.trim(),
    negativePrompt: draft.negativePrompt.trim(),
    seed: draft.seed === '' ? undefined : draft.seed,
    ratio: draft.ratio,
    nsfw: draft.nsfw,
    steps: draft.steps,
    sampler: draft.sampler === '' ? undefined : draft.sampler,
    loras: draft.loras
      .filter(({ id }) => id.trim() !== '')
      // Needed in the form only.
      .map((lora) => Object.assign({}, lora, { insertedWords: undefined })),
  };
}
