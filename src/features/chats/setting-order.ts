/** The order and the groups of settings: known message types as the contract lists them, then all others. */
import { messageTypes, settingName, settingNames } from '#contract/chats/message-types';

const positions = new Map(settingNames.map((name, position) => [name, position]));

export function toListOrder(names: readonly string[]): readonly string[] {
  return names.toSorted(
    (one, other) => getPosition(one) - getPosition(other) || one.localeCompare(other, 'en'),
  );
}

function getPosition(name: string): number {
  return positions.get(name) ?? positions.size;
}

const groups = ['media', 'objects', 'text', 'origin', 'other'] as const;

export type SettingGroup = (typeof groups)[number];

const groupByName = new Map<string, SettingGroup>(
  groups.flatMap((group) =>
    group === 'other' ? [] : messageTypes[group].map((type) => [settingName(type), group] as const),
  ),
);

/** The names by group, each group in the given order; groups without any are left out. */
export function toGroups(names: readonly string[]) {
  return groups
    .map((group) => ({
      group,
      names: names.filter((name) => (groupByName.get(name) ?? 'other') === group),
    }))
    .filter((one) => one.names.length > 0);
}
