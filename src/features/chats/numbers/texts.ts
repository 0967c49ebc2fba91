/** The texts of the numbers of a chat. */
import { formatCount } from '#lib/format';

export const numberTexts = {
  heading: 'Numbers',
  back: 'Back to settings',
  loading: 'Counting what happened...',
  failed: 'The numbers could not be loaded.',
  period: 'How many days are shown',
  /** The tabs. */
  days: (count: number) => `${count} days`,
  none: 'Nothing to count yet',
  noneHint: 'Joins, tasks, deletions and floods of the last days will be shown here.',
  /** In the place of a chart without a bar. */
  noneInDays: (days: number) => `None in the last ${days} days.`,
  foot: 'A day begins at midnight where you are. What happened is kept for 31 days.',

  /** The columns of a table that only screen readers read. */
  day: 'Day',
  /** At the top of a chart: the number of its highest bar. */
  most: (count: number) => `Most in a day: ${formatCount(count)}`,

  joins: 'Joins',
  joined: 'Joined',
  left: 'Left',
  tasks: 'Tasks of newcomers',
  passed: 'Passed',
  notPassed: 'Failed or too late',
  deletions: 'Deleted messages',
  deleted: 'Deleted',
  byType: 'Deleted, by what they were',
  byTopic: 'Deleted, by topic',
  floods: 'Floods',
  ofMessages: 'Of messages',
  ofReactions: 'Of reactions',
  raids: 'Raids',
  heldBack: 'Newcomers held back',
  turnedAway: 'Turned away in raids',

  /** In the place of a kind of message. */
  blocklist: 'blocked words',
  flood: 'floods',
  /** In the place of a topic. */
  unknownTopic: 'Topic not known',
  more: (count: number) => `and ${formatCount(count)} more`,

  attack: 'Under attack',
  lastAttack: (day: string) => `Last attack: ${day}`,
} as const;
