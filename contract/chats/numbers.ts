/** What is counted in a chat, by the names under which it is stored and sent. */

/** What happened because of members: counted for the whole chat. */
export type CountedEvent =
  | 'join'
  | 'leave'
  | 'check_passed'
  | 'check_failed'
  | 'check_expired'
  | 'raid_removed'
  | 'flood'
  | 'reaction_flood'
  | 'reaction_removed'
  | 'blocklist'
  | 'greeting';

export const deletedPrefix = 'deleted:';

/** The name under which deletions for a setting are counted, by topic. */
export const deletedName = (setting: string): `deleted:${string}` => `${deletedPrefix}${setting}`;

export type NumberName = CountedEvent | ReturnType<typeof deletedName>;

/** The setting of such a name; undefined for other names. */
export const readDeletedName = (name: string): string | undefined =>
  name.startsWith(deletedPrefix) ? name.slice(deletedPrefix.length) : undefined;

/** What counts as a newcomer who was held back. */
export const heldBackEvents = [
  'raid_removed',
  'check_failed',
  'check_expired',
] as const satisfies readonly NumberName[];
