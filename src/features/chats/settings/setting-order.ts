/** The order in which settings are listed: the known kinds as the contract lists and groups them, then the rest. */
import { messageTypes, settingName, settingNames } from '#contract/chats/message-types';

const places = new Map(settingNames.map((name, place) => [name, place]));

function placeOf(name: string): number {
  return places.get(name) ?? places.size;
}

export function inListOrder(names: readonly string[]): readonly string[] {
  return names.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || one.localeCompare(other, 'en'),
  );
}

const groups = ['media', 'objects', 'text', 'origin', 'other'] as const;

export type SettingGroup = (typeof groups)[number];

const groupOf = new Map<string, SettingGroup>(
  groups.flatMap((group) =>
    group === 'other' ? [] : messageTypes[group].map((type) => [settingName(type), group] as const),
  ),
);

export type GroupedSettings = {
  readonly group: SettingGroup;
  readonly names: readonly string[];
};

/** The settings by group, each in the order in which they come; groups without any are left out. */
export function inGroups(names: readonly string[]): readonly GroupedSettings[] {
  return groups
    .map((group) => ({
      group,
      names: names.filter((name) => (groupOf.get(name) ?? 'other') === group),
    }))
    .filter((one) => one.names.length > 0);
}
