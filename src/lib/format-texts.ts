/** How waits and lists are written. */
export const formatTexts = {
  seconds: (count: number) => `${count} ${count === 1 ? 'second' : 'seconds'}`,
  minutes: (count: number) => `${count} ${count === 1 ? 'minute' : 'minutes'}`,
  /** `list` may be a list already. */
  list: (list: string, next: string) => `${list}, ${next}`,
} as const;
