/** Takes everything that a past picture was made from over into its provider's form. */
import { noticeMs, useNotices } from '#lib/notices';

import { asRecipe } from '../shared/recipe.ts';
import { type GenerationRecord } from '../shared/records.ts';
import { type HistoryView } from './history-view.ts';
import { historyTexts } from './texts.ts';

/** Fills the form, and offers to bring back what was in it. */
export function takeIntoForm(record: GenerationRecord, takeOver: HistoryView['takeOver']): void {
  const { undo } = takeOver(asRecipe(record));
  useNotices.getState().show({
    id: 'taken-into-form',
    tone: 'success',
    text: historyTexts.takenIntoForm,
    durationMs: noticeMs.medium,
    action: { text: historyTexts.delete.undo, press: undo },
  });
}
