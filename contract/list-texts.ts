/** How lists are written. */
export const listTexts = {
  /** `list` may be a list already. */
  list: (list: string, next: string) => `${list}, ${next}`,
} as const;
