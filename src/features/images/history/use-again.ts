/** Takes everything that a past picture was made from over into its provider's form. */
import { type ProviderId } from '#contract/images/providers';
import { useNotices } from '#lib/notices';

import { type Recipe } from '../common/recipe.ts';
import { type GenerationRecord } from '../common/records.ts';
import { takeOver } from '../pixai/draft.ts';
import { historyTexts } from './texts.ts';

/** The forms that can take a recipe over; `undo` brings back what was in them. */
const forms: Partial<Record<ProviderId, (recipe: Recipe) => { readonly undo: () => void }>> = {
  pixai: takeOver,
};

const noticeMs = 8000;

export function canTakeIntoForm(provider: ProviderId): boolean {
  return forms[provider] !== undefined;
}

/** Fills the form, and offers to bring back what was in it. */
export function takeIntoForm(record: GenerationRecord): void {
  const taken = forms[record.provider]?.(recipeOf(record));
  if (taken) {
    useNotices.getState().show({
      id: 'taken-into-form',
      tone: 'success',
      text: historyTexts.takenIntoForm,
      durationMs: noticeMs,
      action: { text: historyTexts.delete.undo, press: taken.undo },
    });
  }
}

function recipeOf(record: GenerationRecord): Recipe {
  const { provider, modelId, modelName, prompt, negativePrompt, seed, ratio, nsfw, loras } = record;
  return { provider, modelId, modelName, prompt, negativePrompt, seed, ratio, nsfw, loras };
}
