/** What is said about changes that others make while a chat is open. */
export const liveTexts = {
  changed: (who: string, count: number) =>
    `${who} changed ${count === 1 ? '1 setting' : `${count} settings`}`,
} as const;
