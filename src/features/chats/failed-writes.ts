/** What happens when a setting could not be changed, wherever the person is by then. */
import { create } from 'zustand';

import { ApiError } from '#lib/api';
import { useNotices } from '#lib/notices';
import { getPlatform } from '#lib/platform';

import { chatTexts } from './texts.ts';

/** The chat that turned out to be no longer the person's; its settings are left at once. */
export const useLostChat = create<{ readonly chatId: string | undefined }>()(() => ({
  chatId: undefined,
}));

/** Says that the change was taken back; one notice, however many changes failed. */
export function reportFailedWrite({
  chatId,
  error,
  isLost,
}: {
  readonly chatId: string;
  readonly error: unknown;
  readonly isLost: boolean;
}): void {
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === 401) {
    // The session is over, which the shell says.
    return;
  }
  getPlatform().haptic('error');
  if (isLost) {
    useLostChat.setState({ chatId });
    return;
  }
  showFailure(
    'setting-failed',
    status === 0 ? chatTexts.settings.updateFailedOffline : chatTexts.settings.updateFailed,
  );
}

/** Shows what did not work, above the page. */
export function showFailure(id: string, text: string): void {
  useNotices.getState().show({ id, tone: 'error', text });
}

/** Shows what happened by itself, above the page. */
export function showInfo(id: string, text: string): void {
  useNotices.getState().show({ id, tone: 'info', text });
}
