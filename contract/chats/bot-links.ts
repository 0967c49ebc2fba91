/** Links to the bot that both the page and the bot itself offer. */

/** The rights that the bot's commands use, by the names of Telegram's links; tags have no name there. */
const askedRights = [
  'delete_messages',
  'restrict_members',
  'invite_users',
  'pin_messages',
  'manage_topics',
] as const;

/**
 * Opens Telegram's own list of groups, which adds the bot with its rights in the same step. In a group that
 * has the bot already, it gives the rights. `bot` is the bot's own address.
 */
export const addBotLink = (bot: string): string =>
  `${bot}?startgroup=${addedPayload}&admin=${askedRights.join('+')}`;

/** What `/start` says in a group to which this link has added the bot. */
export const addedPayload = 'settings';

/** The start parameter that opens the first step of adding a group. */
export const setUpStartParam = 'setup';
