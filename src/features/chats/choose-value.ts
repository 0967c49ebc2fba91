/** Sets one value of a chat, with a notice that offers to undo it. */
import { useQueryClient } from '@tanstack/react-query';

import { wholeChat } from '#contract/chats/values';
import { type Change } from '#contract/endpoints/chat-changes';
import { useNotices } from '#lib/notices';
import { getPlatform } from '#lib/platform';

import { offerUndoOfMany } from './settings-change.ts';
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

/** Whether the last of some changes of one value has led back to what was before the first. */
function isUnchanged(changes: readonly Change[]): boolean {
  const [first, last] = [changes.at(0)?.values[0], changes.at(-1)?.values[0]];
  return isSame(first?.was ?? null, last?.becomes ?? null);
}
