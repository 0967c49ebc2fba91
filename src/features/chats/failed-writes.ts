/** Tells the user that a setting could not be changed, on any screen. */
import { create } from 'zustand';

import { ApiError, errorText } from '#lib/api';
import { useNotices } from '#lib/notices';
import { getPlatform } from '#lib/platform';

import { chatTexts } from './texts.ts';

/** The chat that the user turned out to manage no longer; its screens are left at once. */
export const useLostChat = create<{ readonly chatId: string | undefined }>()(() => ({
  chatId: undefined,
}));

/** Whether the server says that the user does not (or no longer) manage the chat. */
export function isNotManaged(error: unknown): boolean {
  return hasCode(error, ['chat_not_verified', 'chat_not_found']);
}

/**
 * Whether a read of the chat means the same. Other backends refuse it without a code of ours. A
 * refused change says nothing without one: it may concern this setting only.
 */
export function isReadRefused(error: unknown): boolean {
  return isNotManaged(error) || hasCode(error, ['http_403', 'http_404']);
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof ApiError && codes.includes(error.code);
}

/** Handles an error that means that the session or the access to the chat is lost; returns whether it did. */
export function handleLostAccess(chatId: string, error: unknown): boolean {
  if (error instanceof ApiError && error.status === 401) {
    // The shell tells the user that the session has ended.
    return true;
  }
  if (!isNotManaged(error)) {
    return false;
  }
  getPlatform().haptic('error');
  useLostChat.setState({ chatId });
  return true;
}

/** Tells the user that a change was reverted: in one notice, however many changes failed. */
export function reportFailedWrite(chatId: string, error: unknown): void {
  if (handleLostAccess(chatId, error)) {
    return;
  }
  getPlatform().haptic('error');
  const isOffline = error instanceof ApiError && error.status === 0;
  const { updateFailed, updateFailedOffline } = chatTexts.settings;
  // What Telegram or the group does not allow is not allowed with the next try either: the server says why.
  const reason = hasCode(error, ['telegram_refused']) ? errorText(error, updateFailed) : undefined;
  showFailure('setting-failed', reason ?? (isOffline ? updateFailedOffline : updateFailed));
}

export function showFailure(id: string, text: string): void {
  useNotices.getState().show({ id, tone: 'error', text });
}

export function showInfo(id: string, text: string): void {
  useNotices.getState().show({ id, tone: 'info', text });
}
