/** The rights of administrators as Telegram calls them. */
import { type Right } from '#contract/commands/command';

export const rightTexts = {
  names: {
    delete: 'Delete messages',
    restrict: 'Ban users',
    invite: 'Invite users',
    pin: 'Pin messages',
    topics: 'Manage topics',
    promote: 'Add new admins',
    tags: 'Edit member tags',
    info: 'Change group info',
  } as const satisfies Record<Right, string>,
  missingBoth: (right: string, other: string) =>
    `The bot needs the rights “${right}” and “${other}” for this. Give them to the bot in the list of administrators.`,
  missing: (right: string) =>
    `The bot needs the right “${right}” for this. Give it to the bot in the list of administrators.`,
};
