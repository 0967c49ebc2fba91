/**
 * Changes many settings together, and reverts a change of settings or values: by "Undo" within 10 s, or from the
 * history.
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';

import { type Preset } from '#contract/chats/presets';
import { type Change, changeSettings, revertChange } from '#contract/endpoints/chat-changes';
import { call } from '#lib/api';
import { useNotices } from '#lib/notices';
import { getPlatform } from '#lib/platform';
import { showUndo } from '#lib/undo';

import { handleLostAccess, reportFailedWrite, showInfo } from './failed-writes.ts';
import { chatQueries } from './queries.ts';
import { cacheSettings, createSettingReader, settingKey, settingWrites } from './setting-writes.ts';
import { chatTexts } from './texts.ts';
import type { RecordedChange, Reverted } from './value-changes.ts';

const texts = chatTexts.change;

/** A change of many settings of one chat. */
export type SettingsChange = {
  readonly chatId: string;
  readonly kind: 'bulk' | 'preset' | 'copy';
  readonly preset?: Preset;
  /** Topic → setting → blocked; all other settings stay as they are. */
  readonly topics: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
};

/**
 * Returns a function that applies a change and shows a notice with "Undo" for 10 s, on any screen.
 * All values are shown at once; they are sent after the writes in flight, and later ones after them.
 * A failure is shown and reverted. `toText` gets the number of settings that have changed.
 */
export function useChangeSettings() {
  const client = useQueryClient();
  return async (change: SettingsChange, toText: (count: number) => string): Promise<void> => {
    getPlatform().haptic('light');
    const { chatId } = change;
    try {
      const recorded = await applyChange(client, change);
      if (recorded) {
        offerUndo(client, [{ chatId, change: recorded }], toText);
      } else {
        showInfo('nothing-changed', texts.nothingChanged);
      }
    } catch (error) {
      reportFailedWrite(chatId, error);
    }
  };
}

/** Changes one chat. Returns null when all settings were so already; rejects when the server refuses. */
export async function applyChange(
  client: QueryClient,
  { chatId, topics, ...kind }: SettingsChange,
): Promise<Change | null> {
  const values = new Map(
    Object.entries(topics).flatMap(([topicId, settings]) =>
      Object.entries(settings).map(
        ([name, isBlocked]) => [settingKey({ topicId, name }), isBlocked] as const,
      ),
    ),
  );
  const result: { change: Change | null } = { change: null };
  try {
    await settingWrites(client, chatId).chooseAll(values, {
      write: async () => {
        Object.assign(result, await call(changeSettings, { chat_id: chatId, ...kind, topics }));
        return values;
      },
      onConfirmed: (confirmed) => cacheChange(client, chatId, confirmed),
    });
    return result.change;
  } catch (error) {
    // The server may have stored the values although its answer got lost.
    void client.invalidateQueries(chatQueries.one(chatId));
    throw error;
  }
}

/**
 * Gives all settings and values of a change what they were before, except those that were changed again since, and
 * the bot its language.
 */
export async function applyRevert(
  client: QueryClient,
  recorded: RecordedChange,
  kind: 'undo' | 'revert',
): Promise<Reverted> {
  const { chatId, change } = recorded;
  if (change.values.length > 0) {
    // Few users change values, so what knows them is loaded on demand.
    const { revertValues } = await import('./value-changes.ts');
    return revertValues(client, recorded, kind);
  }
  const read = createSettingReader(client, chatId);
  const items = change.items.map(({ topic_id: topicId, setting_name: name, ...item }) => ({
    setting: { topicId, name },
    ...item,
  }));
  const values = new Map(
    items
      .filter(({ setting, becomes }) => (read(setting) ?? false) === becomes)
      .map(({ setting, was }) => [settingKey(setting), was] as const),
  );
  const result: { change: Change | null; skipped: number } = { change: null, skipped: 0 };
  await settingWrites(client, chatId).chooseAll(values, {
    write: async () => {
      const answer = await call(revertChange, {
        chat_id: chatId,
        change_id: change.change_id,
        kind,
      });
      Object.assign(result, answer);
      return new Map(
        (answer.change?.items ?? []).map(({ topic_id: topicId, setting_name: name, becomes }) => [
          settingKey({ topicId, name }),
          becomes,
        ]),
      );
    },
    onConfirmed: (confirmed) => cacheChange(client, chatId, confirmed),
  });
  if (result.skipped > 0 || result.change?.language) {
    // This page does not know yet what another user has changed, nor in which language the bot writes now.
    void client.invalidateQueries(chatQueries.one(chatId));
  }
  return result;
}

function cacheChange(
  client: QueryClient,
  chatId: string,
  values: ReadonlyMap<string, boolean>,
): void {
  cacheSettings(client, chatId, values);
  // An open history has one more entry.
  void client.invalidateQueries(chatQueries.changes(chatId));
}

/** Shows a notice with a button that undoes all these changes. */
export function offerUndo(
  client: QueryClient,
  changes: readonly RecordedChange[],
  toText: (count: number) => string,
): void {
  offerUndoOfMany(client, changes, {
    id: `changed-${toIds(changes)}`,
    text: toText(changes.reduce((sum, { change }) => sum + countChanged(change), 0)),
  });
}

/** The same with a notice that may replace an earlier one. The changes of a chat are in the order of their time. */
export function offerUndoOfMany(
  client: QueryClient,
  changes: readonly RecordedChange[],
  notice: { readonly id: string; readonly text: string },
): void {
  const opener = document.activeElement;
  showUndo({
    ...notice,
    tone: 'success',
    button: texts.undo,
    undo: () => {
      // The pressed button disappears with its notice: the focus returns to the opener.
      flushSync(() => undefined);
      if (document.activeElement === document.body && opener instanceof HTMLElement) {
        opener.focus({ preventScroll: true });
      }
      void undo(client, changes);
    },
  });
}

/** How many settings and values a change has changed. */
export function countChanged({ items, values }: Change): number {
  return items.length + values.length;
}

async function undo(client: QueryClient, changes: readonly RecordedChange[]): Promise<void> {
  getPlatform().haptic('light');
  const { show } = useNotices.getState();
  const chatIds = [...new Set(changes.map(({ chatId }) => chatId))];
  const undone = await Promise.all(
    chatIds.map((id) =>
      undoInOrder(
        client,
        changes.filter(({ chatId }) => chatId === id),
      ),
    ),
  );
  const failed = undone.flatMap((one) => one.failed);
  const outcomes = undone.flatMap((one) => one.outcomes);
  if (failed.length > 0) {
    getPlatform().haptic('error');
    show({
      id: `not-undone-${toIds(failed)}`,
      tone: 'error',
      text: texts.undoFailed,
      action: { text: chatTexts.retry, press: () => void undo(client, failed) },
    });
    return;
  }
  if (outcomes.includes('lost')) {
    return;
  }
  const skipped = outcomes.reduce<number>(
    (sum, outcome) => sum + (typeof outcome === 'number' ? outcome : 0),
    0,
  );
  show({
    // One notice is enough, however many changes were undone.
    id: 'undone',
    tone: skipped === 0 ? 'success' : 'warning',
    text: skipped === 0 ? texts.undone : texts.undoneBut(skipped),
  });
}

/** Undoes changes of one chat, the newest first. Those that are left after a failure have failed, too. */
async function undoInOrder(client: QueryClient, changes: readonly RecordedChange[]) {
  const outcomes: Awaited<ReturnType<typeof tryUndo>>[] = [];
  for (const [index, recorded] of [...changes.entries()].toReversed()) {
    const outcome = await tryUndo(client, recorded);
    outcomes.push(outcome);
    if (outcome === 'failed') {
      return { outcomes, failed: changes.slice(0, index + 1) };
    }
  }
  return { outcomes, failed: [] };
}

/** Returns how many settings were skipped, or why the undo failed; lost access has been handled by then. */
async function tryUndo(
  client: QueryClient,
  recorded: RecordedChange,
): Promise<number | 'failed' | 'lost'> {
  try {
    const { skipped } = await applyRevert(client, recorded, 'undo');
    return skipped;
  } catch (error) {
    void client.invalidateQueries(chatQueries.one(recorded.chatId));
    return handleLostAccess(recorded.chatId, error) ? 'lost' : 'failed';
  }
}

function toIds(changes: readonly RecordedChange[]): string {
  return changes.map(({ change }) => change.change_id).join('-');
}
