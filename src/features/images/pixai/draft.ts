/**
 * What the next picture is to be made from, before it is asked for. Kept on the device on every change,
 * so that nothing typed is lost; filled by the form, the model browser and the history.
 */
import * as v from 'valibot';

import { loraWeight, maxLoras } from '#contract/images/limits';
import { defaultRatio, ratioNames } from '#contract/images/ratios';
import { storedValue } from '#lib/storage';

import { createDraft } from '../shared/create-draft.ts';
import { type LoraEntry, loraEntry, type Recipe } from '../shared/recipe.ts';
import { asInteger, keptSeed, parseSeed } from '../shared/seed.ts';
import { hasWord, withoutWord, withWord } from './trigger-words.ts';

/** What can be said of a model or LoRA when it is chosen. */
export type ChosenLora = {
  readonly id: string;
  readonly name?: string | undefined;
  readonly triggerWords?: readonly string[] | undefined;
};

/** A weight has one decimal; multiplying by the step itself would leave dust (70.10000000000001). */
const weightsInOne = Math.round(1 / loraWeight.step);

/** One entry that cannot be read must not take the others with it. */
const loras = v.pipe(
  v.array(v.unknown()),
  v.transform((items) =>
    items.flatMap((item) => {
      const parsed = v.safeParse(loraEntry, item);
      return parsed.success ? [clamped(parsed.output)] : [];
    }),
  ),
);

/** Each field by itself: one that does not fit is as good as absent. */
const keptForm = storedValue(
  'nori_form_state',
  v.object({
    prompt: v.fallback(v.optional(v.string(), ''), ''),
    negativePrompt: v.fallback(v.optional(v.string(), ''), ''),
    seed: keptSeed,
    ratio: v.fallback(v.optional(v.picklist(ratioNames), defaultRatio), defaultRatio),
    nsfw: v.fallback(v.optional(v.boolean(), false), false),
    modelId: v.fallback(v.optional(v.string(), ''), ''),
    loras: v.fallback(v.optional(loras, []), []),
  }),
);

const keptModel = storedValue(
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
  readonly modelId: string;
  /** Empty when nobody has told. */
  readonly modelName: string;
  readonly loras: readonly LoraEntry[];
};

const emptyDraft: Draft = {
  prompt: '',
  negativePrompt: '',
  seed: '',
  ratio: defaultRatio,
  nsfw: false,
  modelId: '',
  modelName: '',
  loras: [],
};

const draftOfDevice = createDraft(emptyDraft, {
  read,
  write,
  onChangedElsewhere: keptForm.onChangedElsewhere,
});

/** The draft. During hydration it is empty, as in the prerendered page. */
export const { useDraft, changeDraft, returnPrompt } = draftOfDevice;

if (typeof window !== 'undefined') {
  // The choice of another tab is newer than what the form says.
  keptModel.onChangedElsewhere(() => useDraft.setState(keptModel.read() ?? {}));
}

function read(): Partial<Draft> {
  const form = keptForm.read();
  const model = keptModel.read();
  const isOfForm = !form?.modelId || model?.modelId === form.modelId;
  return { ...form, ...(isOfForm ? model : {}) };
}

function write({ modelName, ...form }: Draft): void {
  const { modelId } = form;
  keptForm.write({ ...form, seed: asInteger(form.seed), loras: [...form.loras] });
  keptModel.write(modelId === '' ? undefined : { modelId, modelName });
}

/** Makes pictures with this model from now on. */
export function selectModel({
  modelId,
  modelName = '',
}: {
  readonly modelId: string;
  readonly modelName?: string;
}): void {
  changeDraft({ modelId, modelName });
}

/**
 * Adds LoRAs with the default weight; those that are there stay as they are. Answers how many found no
 * room: a picture has at most `maxLoras`.
 */
export function addLoras(chosen: readonly ChosenLora[]): { readonly left: number } {
  const { loras: present } = useDraft.getState();
  const ids = new Set(present.map(({ id }) => id.trim()));
  const news = new Map(
    chosen.map((lora) => [lora.id.trim(), lora] as const).filter(([id]) => !ids.has(id)),
  );
  const room = Math.max(0, maxLoras - present.length);
  const added = [...news].slice(0, room).map(([id, { name, triggerWords }]): LoraEntry => ({
    id,
    percentage: loraWeight.default,
    unit: 'percent',
    name,
    triggerWords,
  }));
  changeDraft({ loras: [...present, ...added] });
  return { left: news.size - added.length };
}

/** Removes a LoRA, and those of its trigger words that only a press has put into the prompt. */
export function removeLora(id: string): void {
  const { loras: present, prompt } = useDraft.getState();
  const rest = present.filter((lora) => lora.id !== id);
  const unneeded = present
    .filter((lora) => lora.id === id)
    .flatMap(({ insertedWords = [] }) => insertedWords)
    .filter((word) => !rest.some((lora) => isWokenBy(lora, word)));
  changeDraft({ loras: rest, prompt: unneeded.reduce(withoutWord, prompt) });
}

/** Sets a weight in percent; it is brought into its limits, and to one decimal. */
export function setLoraWeight(id: string, percentage: number): void {
  changeLora(id, (lora) => clamped({ ...lora, percentage, unit: 'percent' }));
}

/** Adds to a LoRA what is known about it. */
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
    // With each LoRA that has it, so that it is known after a reload, too, whose removal takes it out.
    loras: present.map((lora) => {
      const others = (lora.insertedWords ?? []).filter((one) => one !== word);
      return isWokenBy(lora, word)
        ? Object.assign({}, lora, { insertedWords: isThere ? others : [...others, word] })
        : lora;
    }),
  });
}

function isWokenBy({ triggerWords = [] }: LoraEntry, word: string): boolean {
  return triggerWords.some((one) => one.trim() === word);
}

/** Takes everything over that a picture was made from. `undo` brings back what was there before. */
export function takeOver(recipe: Recipe): { readonly undo: () => void } {
  return draftOfDevice.takeOver({
    prompt: recipe.prompt,
    negativePrompt: recipe.negativePrompt,
    seed: parseSeed(recipe.seed ?? ''),
    ratio: recipe.ratio,
    nsfw: recipe.nsfw,
    modelId: recipe.modelId,
    modelName: recipe.modelName,
    loras: recipe.loras.map(clamped),
  });
}

/** The draft as something to make a picture from, without empty LoRAs. */
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
    loras: draft.loras
      .filter(({ id }) => id.trim() !== '')
      // The words are the prompt's now, whoever has put them there.
      .map((lora) => Object.assign({}, lora, { insertedWords: undefined })),
  };
}
