/** Takes a change of many settings back: by the "Undo" of its notice, or out of the history. */
import { type QueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';

import { type Change, revertChange } from '#contract/endpoints/chat-changes';
import { ApiError, call } from '#lib/api';
import { useNotices } from '#lib/notices';
import { tellOtherTabs } from '#lib/other-tabs';
import { getPlatform } from '#lib/platform';
import { showUndo } from '#lib/undo';

import { reportFailedWrite } from '../failed-writes.ts';
import { changesOf } from '../history/queries.ts';
import {
  chatQueries,
  isNotManaged,
  keyOfSetting,
  settingOfKey,
  settingWrites,
  withSettings,
} from '../queries.ts';
import { bulkTexts as texts } from './care-texts.ts';

type Done = { readonly chatId: string; readonly change: Change };

/**
 * Gives everything that a change has changed its earlier value. Answers the change that this was, if
 * there was anything left to do, and how much was not.
 */
export async function takeBack(
  client: QueryClient,
  { chatId, change }: Done,
  kind: 'undo' | 'revert',
): Promise<{ readonly change: Change | null; readonly skipped: number }> {
  const queue = settingWrites(client, chatId);
  const isStillSo = shownValue(client, chatId);
  const values = new Map(
    change.items
      .map(({ topic_id, setting_name, was, becomes }) => ({
        key: keyOfSetting({ topicId: topic_id, name: setting_name }),
        was,
        becomes,
      }))
      // What has been changed again since then stays as it is.
      .filter(({ key, becomes }) => isStillSo(key) === becomes)
      .map(({ key, was }) => [key, was] as const),
  );
  const made: { change: Change | null; skipped: number } = { change: null, skipped: 0 };
  await queue.chooseAll(values, {
    write: async () => {
      const answer = await call(revertChange, {
        chat_id: chatId,
        change_id: change.change_id,
        kind,
      });
      Object.assign(made, answer);
      return new Map(
        (answer.change?.items ?? []).map(({ topic_id, setting_name, becomes }) => [
          keyOfSetting({ topicId: topic_id, name: setting_name }),
          becomes,
        ]),
      );
    },
    onConfirmed: (confirmed) => keepValues(client, chatId, confirmed),
  });
  if (made.skipped > 0) {
    // Somebody else has changed something that is not known here yet.
    void client.invalidateQueries(chatQueries.one(chatId));
  }
  return made;
}

function shownValue(client: QueryClient, chatId: string): (key: string) => boolean {
  const { getPending } = settingWrites(client, chatId);
  const topics = client.getQueryData(chatQueries.one(chatId).queryKey)?.topics;
  return (key) => {
    const { topicId, name } = settingOfKey(key);
    return getPending(key) ?? topics?.[topicId]?.[name] ?? false;
  };
}

/** What the server has confirmed is what is shown, here and in the other tabs. */
export function keepValues(
  client: QueryClient,
  chatId: string,
  values: ReadonlyMap<string, boolean>,
): void {
  tellOtherTabs('chats');
  client.setQueryData(
    chatQueries.one(chatId).queryKey,
    (chat) => chat && withSettings(chat, values),
  );
  // Where the history is open, it has one entry more.
  void client.invalidateQueries(changesOf(chatId));
}

/** Says what has been done, with the way to undo all of it. */
export function offerUndo(
  client: QueryClient,
  done: readonly Done[],
  said: (count: number) => string,
): void {
  const opener = document.activeElement;
  const count = done.reduce((sum, { change }) => sum + change.items.length, 0);
  showUndo({
    id: `changed-${done.map(({ change }) => change.change_id).join('-')}`,
    tone: 'success',
    text: said(count),
    button: texts.undo,
    undo: () => {
      // The button that was pressed goes with its notice.
      flushSync(() => undefined);
      if (document.activeElement === document.body && opener instanceof HTMLElement) {
        opener.focus({ preventScroll: true });
      }
      void undo(client, done);
    },
  });
}

async function undo(client: QueryClient, done: readonly Done[]): Promise<void> {
  getPlatform().haptic('light');
  const { show } = useNotices.getState();
  const outcomes = await Promise.allSettled(done.map((one) => takeBack(client, one, 'undo')));
  const failed = done.filter((one, index) => {
    const outcome = outcomes[index];
    return outcome?.status === 'rejected' && isWorthRetrying(client, one.chatId, outcome.reason);
  });
  if (outcomes.some(({ status }) => status === 'rejected')) {
    if (failed.length === 0) {
      return;
    }
    getPlatform().haptic('error');
    show({
      id: `not-undone-${failed.map(({ change }) => change.change_id).join('-')}`,
      tone: 'error',
      text: texts.undoFailed,
      action: { text: texts.retry, press: () => void undo(client, failed) },
    });
    return;
  }
  const skipped = outcomes.reduce(
    (sum, outcome) => sum + (outcome.status === 'fulfilled' ? outcome.value.skipped : 0),
    0,
  );
  show({
    // One is enough, however many were undone.
    id: 'undone',
    tone: skipped === 0 ? 'success' : 'warning',
    text: skipped === 0 ? texts.undone : texts.undoneBut(skipped),
  });
}

/** Brings what is shown up to date; a lost session and a lost chat are said elsewhere. */
function isWorthRetrying(client: QueryClient, chatId: string, error: unknown): boolean {
  const isLost = isNotManaged(error);
  const isOver = error instanceof ApiError && error.status === 401;
  void client.invalidateQueries(chatQueries.one(chatId));
  if (isLost || isOver) {
    reportFailedWrite({ chatId, error, isLost });
  }
  return !isLost && !isOver;
}
