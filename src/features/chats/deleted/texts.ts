/** Every sentence about what the bot has deleted in a chat. */
import { formatCount } from '#lib/format-count';

export const deletedTexts = {
  heading: 'Deleted messages',
  /** Beside the heading, also while the rest is closed. */
  remark: (day: number, week: number) =>
    week === 0 ? 'None in 7 days' : `${formatCount(day)} in 24 h, ${formatCount(week)} in 7 days`,
  caption: 'Messages that the bot has deleted, by what they were',
  kind: 'Kind',
  day: '24 hours',
  week: '7 days',
  total: 'All',
  count: formatCount,
  none: 'Nothing deleted in the last 7 days',
  loading: 'Counting what was deleted...',
  failed: 'What was deleted could not be counted.',
  retry: 'Try again',
} as const;
