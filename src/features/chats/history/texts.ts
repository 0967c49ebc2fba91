/** The texts of a chat's history. */
import { countTexts } from '../texts.ts';

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
  /** Such as when a raid has switched the protection on. */
  bot: 'The bot',

  /** `author` is a name or `you`, `where` the title of a topic or how many there are. */
  action: {
    blocked: (author: string, label: string, where: string) =>
      `${author} blocked ${label} in ${where}`,
    allowed: (author: string, label: string, where: string) =>
      `${author} allowed ${label} in ${where}`,
    toggle: (author: string, count: number, where: string) =>
      `${author} changed ${countTexts.settings(count)} in ${where}`,
    bulk: (author: string, count: number, where: string) =>
      `${author} changed ${countTexts.settings(count)} at once in ${where}`,
    preset: (author: string, preset: string, count: number, where: string) =>
      `${author} applied “${preset}” in ${where}: ${countTexts.settings(count)}`,
    copy: (author: string, count: number, where: string) =>
      `${author} copied ${countTexts.settings(count)} to ${where}`,
    undo: (author: string, count: number, where: string) =>
      `${author} undid a change of ${countTexts.settings(count)} in ${where}`,
    revert: (author: string, count: number, where: string) =>
      `${author} reverted ${countTexts.settings(count)} in ${where}`,
    /** The languages as they name themselves. */
    language: (author: string, was: string, becomes: string) =>
      `${author} changed the language of the bot from ${was} to ${becomes}`,
  },
  /** A change of one value. `act` is what the bot does, `where` the title of a topic or the whole chat. */
  value: {
    warnLimit: (author: string, count: number) => `${author} set warnings to ${count}`,
    warnLimitThen: (author: string, count: number, act: string) =>
      `${author} set warnings to ${count}, then ${act}`,
    warnAction: (author: string, act: string) =>
      `${author} chose what follows too many warnings: ${act}`,
    warnExpiry: (author: string, time: string) => `${author} let a warning count for ${time}`,
    warnExpiryOff: (author: string) => `${author} let a warning count until it is taken back`,
    reportsOn: (author: string) => `${author} switched reports by members on`,
    reportsOff: (author: string) => `${author} switched reports by members off`,
    trustOn: (author: string) => `${author} let anonymous administrators act at once`,
    trustOff: (author: string) => `${author} made anonymous administrators show who they are first`,
    quietOn: (author: string) =>
      `${author} made answers about bans and the like visible to the administrator alone`,
    quietOff: (author: string) =>
      `${author} made answers about bans and the like visible to all members`,
    logChannel: (author: string, title: string) => `${author} made ${title} the log channel`,
    logChannelOff: (author: string) => `${author} removed the log channel`,
    logCategories: (author: string, list: string) =>
      `${author} chose what is noted in the log: ${list}`,
    logCategoriesOff: (author: string) => `${author} chose that nothing is noted in the log`,
    commandOn: (author: string, command: string, where: string) =>
      `${author} switched ${command} on in ${where}`,
    commandOff: (author: string, command: string, where: string) =>
      `${author} switched ${command} off in ${where}`,
    /** `line` is what counts now, such as "Flood: not limited". */
    other: (author: string, line: string) => `${author} changed a setting. ${line}`,
  },
  /** In the place of a topic’s title. */
  wholeChat: 'the whole chat',
  showItems: (count: number) => `Show ${countTexts.settings(count)}`,
  hideItems: (count: number) => `Hide ${countTexts.settings(count)}`,
  blocked: (labels: string) => `Blocked: ${labels}`,
  allowed: (labels: string) => `Allowed: ${labels}`,

  revert: {
    button: 'Revert',
    /** The button's accessible name: every change has this button. */
    name: (title: string, time: string) => `Revert: ${title}, ${time}`,
    title: 'Revert this change?',
    question: (count: number) =>
      `${countTexts.settings(count)} will be as before. What was changed again since then stays as it is.`,
    languageQuestion: (language: string) => `The language of the bot will be ${language} again.`,
    confirm: 'Revert',
    done: (count: number) => `Reverted: ${countTexts.settings(count)}.`,
    languageDone: (language: string) => `Reverted: the language of the bot is ${language}.`,
    /** May follow `done`. */
    skipped: (count: number) =>
      `${countTexts.settings(count)} changed again since then: left as is.`,
    nothing: 'Nothing to revert: all of it was changed again since then.',
    failed: 'The change could not be reverted. Please try again.',
  },
} as const;
