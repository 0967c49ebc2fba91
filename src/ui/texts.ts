/** The few texts that parts of pages bring along. */
export const uiTexts = {
  close: 'Close',
  copied: 'Copied!',
  notCopied: 'Could not copy',
} as const;
