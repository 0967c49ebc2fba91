/** Every sentence about what the bot has deleted in a chat. */
const count = (total: number) => total.toLocaleString('en');

export const deletedTexts = {
  heading: 'Deleted messages',
  /** Beside the heading, also while the rest is closed. */
  remark: (day: number, week: number) =>
    week === 0 ? 'None in 7 days' : `${count(day)} in 24 h, ${count(week)} in 7 days`,
  caption: 'Messages that the bot has deleted, by what they were',
  kind: 'Kind',
  day: '24 hours',
  week: '7 days',
  total: 'All',
  count,
  none: 'Nothing deleted in the last 7 days',
  loading: 'Counting what was deleted...',
  failed: 'What was deleted could not be counted.',
  retry: 'Try again',
} as const;
