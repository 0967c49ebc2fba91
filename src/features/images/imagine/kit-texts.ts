/** What is said when Imagine Art makes no picture. */
export const imagineFailures = {
  withStatus: (status: number) => `Generation failed with status: ${status}`,
  withoutReason: 'Generation failed.',
  unexpected: 'An error occurred during generation.',
} as const;
