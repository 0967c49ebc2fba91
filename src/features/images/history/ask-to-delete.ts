/** Asks before something is deleted, by the container's own popup. */
import { type Platform } from '#lib/platform';

import { historyTexts } from './texts.ts';

/** Resolves to whether it shall be deleted. */
export async function askToDelete(
  platform: Platform,
  { title, text }: { readonly title: string; readonly text: string },
): Promise<boolean> {
  platform.haptic('warning');
  const { cancel, confirm } = historyTexts.delete;
  const answer = await platform.popup({
    title,
    message: text,
    buttons: [
      { id: 'cancel', text: cancel, kind: 'cancel' },
      { id: 'delete', text: confirm, kind: 'destructive' },
    ],
  });
  return answer === 'delete';
}
