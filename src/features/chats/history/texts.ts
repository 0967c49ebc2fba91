/** Every sentence about what was changed in a chat, by whom, and taking it back. */
import { settings, topics } from '../counted.ts';

export const historyTexts = {
  heading: 'History of changes',
  back: 'Back to settings',
  loading: 'Loading the changes...',
  failed: 'The changes could not be loaded.',
  retry: 'Try again',
  none: 'Nobody has changed anything yet',
  noneHint: 'Every change to this chat’s settings will be listed here, with a way to take it back.',
  more: 'Show more',
  moreFailed: 'More changes could not be loaded. Please try again.',
  end: 'These are all the changes that are kept.',
  you: 'You',

  deed: {
    single: (isBlocked: boolean, label: string, topic: string) =>
      `${isBlocked ? 'blocked' : 'allowed'} ${label} in ${topic}`,
    toggle: (count: number, where: string) => `changed ${settings(count)} in ${where}`,
    bulk: (count: number, where: string) => `changed ${settings(count)} at once in ${where}`,
    preset: (name: string, count: number, where: string) =>
      `applied “${name}” in ${where}: ${settings(count)}`,
    copy: (count: number, where: string) => `copied ${settings(count)} to ${where}`,
    undo: (count: number, where: string) => `undid a change of ${settings(count)} in ${where}`,
    revert: (count: number, where: string) => `reverted ${settings(count)} in ${where}`,
  },
  topics,
  showItems: (count: number) => `Show ${settings(count)}`,
  hideItems: (count: number) => `Hide ${settings(count)}`,
  blocked: (labels: string) => `Blocked: ${labels}`,
  allowed: (labels: string) => `Allowed: ${labels}`,

  revert: {
    button: 'Revert',
    /** Which one: there is a button with each change. */
    name: (deed: string, time: string) => `Revert: ${deed}, ${time}`,
    title: 'Revert this change?',
    question: (count: number) =>
      `${settings(count)} will be as before. What was changed again since then stays as it is.`,
    cancel: 'Cancel',
    confirm: 'Revert',
    done: (count: number) => `Reverted: ${settings(count)}.`,
    doneBut: (count: number, skipped: number) =>
      `Reverted: ${settings(count)}. ${settings(skipped)} changed again since then: left as is.`,
    nothing: 'Nothing to revert: all of it was changed again since then.',
    failed: 'The change could not be reverted. Please try again.',
  },
} as const;
