/** The texts of a chat's history. */
import { countSettings, countTopics } from '../texts.ts';

export const historyTexts = {
  heading: 'History of changes',
  back: 'Back to settings',
  loading: 'Loading the changes...',
  failed: 'The changes could not be loaded.',
  none: 'No changes yet',
  noneHint:
    'Every change to this chat’s settings will be listed here, with a button that reverts it.',
  more: 'Show more',
  moreFailed: 'More changes could not be loaded. Please try again.',
  end: 'These are all the changes that are kept.',
  you: 'You',

  action: {
    single: (isBlocked: boolean, label: string, topic: string) =>
      `${isBlocked ? 'blocked' : 'allowed'} ${label} in ${topic}`,
    toggle: (count: number, where: string) => `changed ${countSettings(count)} in ${where}`,
    bulk: (count: number, where: string) => `changed ${countSettings(count)} at once in ${where}`,
    preset: (name: string, count: number, where: string) =>
      `applied “${name}” in ${where}: ${countSettings(count)}`,
    copy: (count: number, where: string) => `copied ${countSettings(count)} to ${where}`,
    undo: (count: number, where: string) => `undid a change of ${countSettings(count)} in ${where}`,
    revert: (count: number, where: string) => `reverted ${countSettings(count)} in ${where}`,
  },
  topics: countTopics,
  showItems: (count: number) => `Show ${countSettings(count)}`,
  hideItems: (count: number) => `Hide ${countSettings(count)}`,
  blocked: (labels: string) => `Blocked: ${labels}`,
  allowed: (labels: string) => `Allowed: ${labels}`,

  revert: {
    button: 'Revert',
    /** The button's accessible name: every change has this button. */
    name: (title: string, time: string) => `Revert: ${title}, ${time}`,
    title: 'Revert this change?',
    question: (count: number) =>
      `${countSettings(count)} will be as before. What was changed again since then stays as it is.`,
    confirm: 'Revert',
    done: (count: number) => `Reverted: ${countSettings(count)}.`,
    doneBut: (count: number, skipped: number) =>
      `Reverted: ${countSettings(count)}. ${countSettings(skipped)} changed again since then: left as is.`,
    nothing: 'Nothing to revert: all of it was changed again since then.',
    failed: 'The change could not be reverted. Please try again.',
  },
} as const;
