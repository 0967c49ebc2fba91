/** Changes many values of a chat together, and reverts a recorded change of values. */
import { type QueryClient } from '@tanstack/react-query';

import { type ValuePreset } from '#contract/chats/value-presets';
import { type Change, revertChange } from '#contract/endpoints/chat-changes';
import { changeValues, type StoredValues } from '#contract/endpoints/chat-values';
import { call } from '#lib/api';

import { partKey } from './queries.ts';
import { isSame, readShown, toKeyed, valueKey, writeMany } from './value-writes.ts';

/** A change of many values of one chat. */
type ValuesChange = {
  readonly chatId: string;
  readonly kind: 'values' | 'preset' | 'copy';
  readonly preset?: ValuePreset;
  /** `chat` or a topic → name → value; null removes what is stored. */
  readonly values: StoredValues;
};

/** A change that the server has recorded. */
export type RecordedChange = { readonly chatId: string; readonly change: Change };

/** The new change, or null when nothing was left to do, and how many settings and values were skipped. */
export type Reverted = { readonly change: Change | null; readonly skipped: number };

/** Changes one chat. Returns null when all values were so already; rejects when the server refuses. */
export async function applyValues(
  client: QueryClient,
  { chatId, values, ...kind }: ValuesChange,
): Promise<Change | null> {
  const keyed = toKeyed(values);
  const result: { change: Change | null } = { change: null };
  await writeMany(client, chatId, {
    keyed,
    write: async () => {
      Object.assign(result, await call(changeValues, { chat_id: chatId, ...kind, values }));
      return keyed;
    },
  });
  return result.change;
}

/** Gives all values of a change what they were before, except those that were changed again since. */
export async function revertValues(
  client: QueryClient,
  { chatId, change }: RecordedChange,
  kind: 'undo' | 'revert',
): Promise<Reverted> {
  const keyed = new Map(
    change.values
      .filter((item) => isSame(readShown(client, chatId, item), item.becomes ?? null))
      .map((item) => [valueKey(item), item.was ?? null] as const),
  );
  const result: { change: Change | null; skipped: number } = { change: null, skipped: 0 };
  await writeMany(client, chatId, {
    keyed,
    write: async () => {
      const answer = await call(revertChange, {
        chat_id: chatId,
        change_id: change.change_id,
        kind,
      });
      Object.assign(result, answer);
      return new Map(
        (answer.change?.values ?? []).map(
          (item) => [valueKey(item), item.becomes ?? null] as const,
        ),
      );
    },
  });
  if (result.skipped > 0) {
    // This page does not know yet what another user has changed.
    void client.invalidateQueries({ queryKey: partKey('values', chatId) });
  }
  return result;
}
