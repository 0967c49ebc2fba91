/** The order in which settings are listed: the known kinds as the contract lists them, then the rest. */
import { settingNames } from '#contract/chats/message-types';

const places = new Map(settingNames.map((name, place) => [name, place]));

function placeOf(name: string): number {
  return places.get(name) ?? places.size;
}

export function inListOrder(names: readonly string[]): readonly string[] {
  return names.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || one.localeCompare(other, 'en'),
  );
}
