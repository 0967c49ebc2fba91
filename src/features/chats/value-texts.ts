/** What the values of a chat are called: in its tabs, in its history, and where they are copied. */
import { type ValuePreset } from '#contract/chats/value-presets';
import { type CaptchaMode, type LogCategory, type ServiceKind } from '#contract/chats/values';

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
    delete: 'delete the message',
    warn: 'warn',
  },

  /** How a value is chosen. */
  choice: {
    kinds: {
      mute: 'Mute',
      ban: 'Ban',
      kick: 'Kick',
      delete: 'Only delete',
      warn: 'Warn',
    },
    lasting: 'For how long',
    forGood: 'For good',
    otherTime: 'Another time...',
    time: 'Time',
    timeHint: (from: string, to: string) => `Such as 30m, 2h, 3d or 1w: from ${from} to ${to}.`,
    timeInvalid: (from: string, to: string) =>
      `Please enter a time between ${from} and ${to}, such as 2h.`,
    shortTimeHint: (from: string, to: string) => `Such as 30s or 2m: from ${from} to ${to}.`,
    shortTimeInvalid: (from: string, to: string) =>
      `Please enter a time between ${from} and ${to}, such as 30s.`,
    otherCount: 'Another number...',
    count: 'Number',
    countHint: (min: number, max: number) => `From ${min} to ${max}.`,
    countInvalid: (min: number, max: number) =>
      `Please enter a whole number between ${min} and ${max}.`,
    set: 'Set',
    where: 'Where',
  },

  captcha: {
    off: 'nothing',
    button: 'a button',
    task: 'a task',
    gate: 'the gate in Nori, before they are in',
  } as const satisfies Record<CaptchaMode, string>,

  /** Service messages, by what they say. */
  services: {
    join: 'new members',
    leave: 'members who left',
    pin: 'pinned messages',
    title: 'new names',
    photo: 'new photos',
    topic: 'topics',
    video_chat: 'video chats',
  } as const satisfies Record<ServiceKind, string>,

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
    quiet_start: 'Quiet start',
  } as const satisfies Record<ValuePreset, string>,

  presetApplied: (preset: string, count: number) =>
    `${preset}: ${count} ${count === 1 ? 'setting' : 'settings'} changed.`,

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
    sharedBansOn: 'Bans are shared with the chats of the community and the owner',
    sharedBansOff: 'Bans are not shared',
    quietOn: 'Answers about bans and the like are seen by the administrator alone',
    quietOff: 'Answers about bans and the like are seen by all',
    logChannel: (title: string) => `Log channel: ${title}`,
    logChannelOff: 'No log channel',
    logCategories: (list: string) => `In the log: ${list}`,
    logCategoriesOff: 'In the log: nothing',
    captchaMode: (mode: string) => `Asked of newcomers: ${mode}`,
    captchaSeconds: (time: string) => `Time to answer it: ${time}`,
    captchaKick: 'Newcomers who do not answer in time are removed',
    captchaMute: 'Newcomers who do not answer in time stay muted',
    raidUntil: (time: string) => `Raid protection until ${time}`,
    raidOff: 'Raid protection: off',
    raidSeconds: (time: string) => `Raid protection lasts ${time}`,
    raidAuto: (count: number) => `Raid protection by itself at ${count} joins in a minute`,
    raidAutoOff: 'Raid protection by hand only',
    attack: (time: string) => `Under attack until ${time}`,
    attackOff: 'Not under attack',
    welcomeOn: 'Newcomers are greeted',
    welcomeOff: 'Newcomers are not greeted',
    welcomeContent: 'The greeting has a text of its own',
    welcomeContentOff: 'The greeting has the text of the bot',
    welcomeToAll: 'All see the greeting',
    welcomeToNewcomer: 'The newcomer alone sees the greeting',
    welcomeKeep: (time: string) => `A greeting is deleted after ${time}`,
    welcomeKeepOff: 'Greetings stay',
    goodbyeOn: 'The bot says goodbye to members who leave',
    goodbyeOff: 'The bot does not say goodbye',
    goodbyeContent: 'The goodbye has a text of its own',
    goodbyeContentOff: 'The goodbye has the text of the bot',
    cleanService: (list: string) => `Service messages that are deleted: ${list}`,
    cleanServiceOff: 'Service messages stay',
    rules: 'The rules have a text',
    rulesOff: 'No rules',
    rulesPublic: 'The rules are shown in the group',
    rulesPrivate: 'The rules are shown in the private chat',
    blocklistAction: (act: string) => `On a blocked word: ${act}`,
    flood: (count: number) => `Flood: ${count} messages in a row`,
    floodIn: (count: number, time: string) => `Flood: ${count} messages in ${time}`,
    floodOff: 'Flood: not limited',
    floodAction: (act: string) => `On a flood: ${act}`,
    reactionLimit: (count: number) => `Reactions: at most ${count} in a minute`,
    reactionLimitOff: 'Reactions: not limited',
    reactionsUnwanted: (list: string) => `Reactions that are removed: ${list}`,
    reactionsUnwantedOff: 'All reactions stay',
    reactionsOfBannedOn: 'Reactions of banned members are removed',
    reactionsOfBannedOff: 'Reactions of banned members stay',
    adultsOn: 'Content for adults is allowed',
    adultsOff: 'No content for adults',
    adultsClean: (time: string) => `Content for adults is deleted after ${time}`,
    filter: (trigger: string) => `Answer to “${trigger}”`,
    filterOff: (trigger: string) => `No answer to “${trigger}”`,
    note: (name: string) => `Note ${name}`,
    noteOff: (name: string) => `No note ${name}`,
    block: (pattern: string) => `Blocked: ${pattern}`,
    blockOff: (pattern: string) => `Not blocked: ${pattern}`,
    allow: (pattern: string) => `Always allowed: ${pattern}`,
    allowOff: (pattern: string) => `Not always allowed: ${pattern}`,
    commandOn: (command: string) => `${command}: on`,
    commandOff: (command: string) => `${command}: off`,
  },
} as const;
