/** The last entry of the menu of languages, for users who have chosen one: nothing is chosen any more. */
export const automaticTexts = {
  telegram: 'As in Telegram',
  browser: 'As in the browser',
} as const;
