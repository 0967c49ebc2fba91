/** Sets one value of a chat, or those of a preset, with a notice that offers to undo it. */
import { useQueryClient } from '@tanstack/react-query';

import { type ValuePreset, valuePresets } from '#contract/chats/value-presets';
import { wholeChat } from '#contract/chats/values';
import { type Change } from '#contract/endpoints/chat-changes';
import { useNotices } from '#lib/notices';
import { getPlatform } from '#lib/platform';

import { reportFailedWrite, showInfo } from './failed-writes.ts';
import { offerUndo, offerUndoOfMany } from './settings-change.ts';
import { chatTexts } from './texts.ts';
import { applyValues } from './value-changes.ts';
import { valueTexts } from './value-texts.ts';
import { chooseValue, isSame } from './value-writes.ts';

type ChooseOptions = {
  /** The whole chat when absent. */
  readonly place?: string;
  readonly name: string;
  /** Null removes what is stored, so that the default counts. */
  readonly value: unknown;
  /** What the notice says. Without it there is none, as for a switch, which is its own undo. */
  readonly text?: string;
};

/** Returns a function that sets a value: shown at once, then written by the queue. */
export function useChooseValue(chatId: string) {
  const client = useQueryClient();
  return ({ place = wholeChat, text, ...choice }: ChooseOptions): void => {
    getPlatform().haptic('light');
    const id = `value-${chatId}-${place}-${choice.name}`;
    const { notices, close } = useNotices.getState();
    const offer = (changes: readonly Change[]): void => {
      if (text === undefined || isUnchanged(changes)) {
        close(id);
      } else {
        const recorded = changes.map((change) => ({ chatId, change }));
        offerUndoOfMany(client, recorded, { id, text });
      }
    };
    chooseValue(client, chatId, {
      place,
      ...choice,
      isContinued: notices.some((notice) => notice.id === id),
      onSaved: text === undefined ? undefined : offer,
    });
  };
}

/** Returns a function that sets the values of a preset together, with a notice that offers to undo it. */
export function useApplyPreset(chatId: string) {
  const client = useQueryClient();
  return async (preset: ValuePreset): Promise<void> => {
    getPlatform().haptic('selection');
    try {
      const values = { [wholeChat]: { ...valuePresets[preset] } };
      const change = await applyValues(client, { chatId, kind: 'preset', preset, values });
      if (change) {
        offerUndo(client, [{ chatId, change }], (count) =>
          valueTexts.presetApplied(valueTexts.presets[preset], count),
        );
      } else {
        showInfo('nothing-changed', chatTexts.change.nothingChanged);
      }
    } catch (error) {
      reportFailedWrite(chatId, error);
    }
  };
}

/** Whether the last of some changes of one value has led back to what was before the first. */
function isUnchanged(changes: readonly Change[]): boolean {
  const [first, last] = [changes.at(0)?.values[0], changes.at(-1)?.values[0]];
  return isSame(first?.was ?? null, last?.becomes ?? null);
}
