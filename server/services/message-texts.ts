/** What stands under messages of the bot to users. */

export const messageTexts = {
  /** A button that copies the code. */
  copyCode: (code: string) => `Copy ${code}`,
} as const;
