/** Every sentence about changing many settings at once. */
const settings = (count: number) => (count === 1 ? '1 setting' : `${count} settings`);

export const bulkTexts = {
  undo: 'Undo',
  undone: 'Undone: everything is as it was.',
  undoneBut: (skipped: number) =>
    `Undone, except for ${settings(skipped)} that somebody has changed since then.`,
  undoFailed: 'The change could not be undone. Please try again.',
  retry: 'Try again',
  nothingChanged: 'Nothing had to change: it was all set like this already.',
  settings,
} as const;
