/** How long a wait is. Other sentences have these words in them. */
export const waitTexts = {
  seconds: (count: number) => `${count} ${count === 1 ? 'second' : 'seconds'}`,
  minutes: (count: number) => `${count} ${count === 1 ? 'minute' : 'minutes'}`,
} as const;
