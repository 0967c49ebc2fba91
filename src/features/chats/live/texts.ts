/** What is said about changes that others make while a chat is open. */
import { settings } from '../counted.ts';

export const liveTexts = {
  changed: (who: string, count: number) => `${who} changed ${settings(count)}`,
} as const;
