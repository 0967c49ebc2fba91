/** The texts about the language that the bot writes in a group. */

export const languageTexts = {
  open: 'Language of the bot',
  hint: 'What the bot writes in this group. In private it writes to each member in their own language.',
  choices: 'Languages',
} as const;
