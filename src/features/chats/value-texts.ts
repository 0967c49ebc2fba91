/** What the values of a chat are called: in its tabs, in its history, and where they are copied. */
import { type ValuePreset } from '#contract/chats/value-presets';
import { type LogCategory } from '#contract/chats/values';

export const valueTexts = {
  wholeChat: 'The whole chat',

  /** How long something lasts. */
  time: {
    seconds: (count: number) => `${count} ${count === 1 ? 'second' : 'seconds'}`,
    minutes: (count: number) => `${count} ${count === 1 ? 'minute' : 'minutes'}`,
    hours: (count: number) => `${count} ${count === 1 ? 'hour' : 'hours'}`,
    days: (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`,
    weeks: (count: number) => `${count} ${count === 1 ? 'week' : 'weeks'}`,
    years: (count: number) => `${count} ${count === 1 ? 'year' : 'years'}`,
  },

  /** What the bot does, within a sentence. */
  act: {
    mute: (time: string) => `mute for ${time}`,
    muteForGood: 'mute for good',
    ban: (time: string) => `ban for ${time}`,
    banForGood: 'ban for good',
    kick: 'kick',
  },

  categories: {
    members: 'What is done to members',
    reports: 'Reports',
    settings: 'Changes of settings',
    messages: 'Deleted messages',
  } as const satisfies Record<LogCategory, string>,

  presets: {
    patient: 'Patient',
    usual: 'Usual',
    strict: 'Strict',
  } as const satisfies Record<ValuePreset, string>,

  /** A value in one line. `act` is one of the above. */
  line: {
    warnLimit: (count: number) => `Limit of warnings: ${count}`,
    warnAction: (act: string) => `At the limit: ${act}`,
    warnExpiry: (time: string) => `A warning counts for ${time}`,
    warnExpiryOff: 'A warning counts until it is taken back',
    reportsOn: 'Members may report messages',
    reportsOff: 'Members may not report messages',
    trustOn: 'Anonymous administrators act at once',
    trustOff: 'Anonymous administrators show who they are first',
    quietOn: 'Answers about bans and the like are seen by the administrator alone',
    quietOff: 'Answers about bans and the like are seen by all',
    logChannel: (title: string) => `Log channel: ${title}`,
    logChannelOff: 'No log channel',
    logCategories: (list: string) => `In the log: ${list}`,
    logCategoriesOff: 'In the log: nothing',
    commandOn: (command: string) => `${command}: on`,
    commandOff: (command: string) => `${command}: off`,
  },
} as const;
