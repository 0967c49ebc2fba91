/** Applies the server's events about values to an open chat: others' changes are shown, and pending values stay. */
import { type QueryClient } from '@tanstack/react-query';

import { type StoredValues } from '#contract/endpoints/chat-values';

import { readAgainWhenWritten } from './contested.ts';
import { partKey } from './queries.ts';
import { isSame, readShown, toKeyed, valueWrites, withKeyed } from './value-writes.ts';

type ValuesEvent = {
  /** `chat` or a topic → name → value; null where none is stored any more. */
  readonly values: StoredValues;
  /** Whether this user has changed them, here or on another device. */
  readonly isOwn: boolean;
};

export function applyValuesEvent(
  client: QueryClient,
  chatId: string,
  { values, isOwn }: ValuesEvent,
): void {
  const queryKey = partKey('values', chatId);
  const readAgain = () => void client.invalidateQueries({ queryKey });
  const keyed = toKeyed(values);

  if (isOwn) {
    // This page's own changes come back, maybe late. Other values were set on another device.
    const isKnown = Object.entries(values).every(([place, named]) =>
      Object.entries(named).every(([name, value]) =>
        isSame(readShown(client, chatId, { place, name }), value),
      ),
    );
    if (!isKnown) {
      readAgain();
    }
    return;
  }

  const isReading = client.isFetching({ queryKey, exact: true }) > 0;
  client.setQueryData<StoredValues>(queryKey, (stored) => stored && withKeyed(stored, keyed));
  if (isReading) {
    // The read in flight may be older than the event.
    readAgain();
  }
  readAgainWhenWritten(valueWrites(client, chatId), [...keyed.keys()], readAgain);
}
