/** The order and the groups of settings: known message types as the contract lists them, then all others. */
import {
  messageTypes,
  moreMessageTypes,
  moreSettingNames,
  settingName,
  settingNames,
} from '#contract/chats/message-types';

const positions = new Map(
  [...settingNames, ...moreSettingNames].map((name, position) => [name, position]),
);

export function toListOrder(names: readonly string[]): readonly string[] {
  return names.toSorted(
    (one, other) => getPosition(one) - getPosition(other) || one.localeCompare(other, 'en'),
  );
}

function getPosition(name: string): number {
  return positions.get(name) ?? positions.size;
}

const groups = ['media', 'objects', 'text', 'origin', 'other', 'content', 'service'] as const;

export type SettingGroup = (typeof groups)[number];

const groupByName = new Map<string, SettingGroup>(
  groups.flatMap((group) =>
    group === 'other'
      ? []
      : { ...messageTypes, ...moreMessageTypes }[group].map(
          (type) => [settingName(type), group] as const,
        ),
  ),
);

type GroupOfSettings = { readonly group: SettingGroup; readonly names: readonly string[] };

/** Whether a group is shown behind "More". */
export function isMoreGroup(group: SettingGroup): boolean {
  return group === 'content' || group === 'service';
}

/**
 * The names by group, each group in the given order; groups without any are left out. A server that does
 * not announce more message types may still have one of that name, which is then like any unknown one.
 */
export function toGroups(
  names: readonly string[],
  { hasMore }: { readonly hasMore: boolean },
): readonly GroupOfSettings[] {
  const getGroup = (name: string): SettingGroup => {
    const group = groupByName.get(name) ?? 'other';
    return !hasMore && isMoreGroup(group) ? 'other' : group;
  };
  return groups
    .map((group) => ({ group, names: names.filter((name) => getGroup(name) === group) }))
    .filter((one) => one.names.length > 0);
}
