/** What stands in and under messages of the bot to users. */

export const messageTexts = {
  /** A button that copies the code. */
  copyCode: (code: string) => `Copy ${code}`,
  pictureFailed: (reason: string) => `Your picture could not be made. ${reason}`,
  /** There was no room to save it. */
  pictureInApp: 'Your picture is ready. Open Nori to see it.',
} as const;
