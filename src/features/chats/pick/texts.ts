/** Every sentence about picking a group from Telegram's own list. */
export const pickTexts = {
  heading: 'Pick a group',
  hint: 'Choose one of your groups from Telegram’s own list: the bot joins it with the rights that it needs.',
  open: 'Pick a group',
  waiting: 'Waiting for the group to arrive...',
  failed: 'Telegram could not share the group. Please try again, or enter its ID below.',
  managed: (title: string) => `You manage “${title}” already.`,
  manage: 'Open its settings',
  notYet:
    'The group has not arrived yet. It will appear in your list of chats, where you can verify it.',
} as const;
