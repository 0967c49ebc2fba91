/** Links to the bot that both the page and the bot itself offer. */

/**
 * Opens Telegram's own list of groups, which adds the bot with the right to delete in the same step. In a
 * group that has the bot already, it gives the right. `bot` is the bot's own address.
 */
export const addBotLink = (bot: string): string =>
  `${bot}?startgroup=${addedPayload}&admin=delete_messages`;

/** What `/start` says in a group to which this link has added the bot. */
export const addedPayload = 'settings';

/** The start parameter that opens the first step of adding a group. */
export const setUpStartParam = 'setup';
