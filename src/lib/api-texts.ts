/** What the client says of answers that say nothing themselves. */

export const apiTexts = { unknownShape: 'The answer has an unknown shape' } as const;
