/** Every limit of the server. */
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export type Limit = {
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
  /** What a refused person reads; `wait` is a duration in words. */
  readonly detail: (wait: string) => string;
};

const tooMany = (wait: string) => `Too many requests. Please try again in ${wait}.`;

export const limits = {
  /** Per recipient: strict, because each send is a message to a person who may not have asked. */
  codeCooldown: {
    name: 'code-cooldown',
    max: 1,
    windowMs: minute,
    detail: (wait) => `Please wait ${wait} before asking for another code.`,
  },
  codesPerDay: {
    name: 'codes-per-day',
    max: 10,
    windowMs: day,
    detail: (wait) => `Too many codes were asked for. Please try again in ${wait}.`,
  },
  /** Across codes, per attempt or, without one, per recipient: what keeps guessing hopeless in the long run. */
  wrongCodesPerDay: {
    name: 'wrong-codes-per-day',
    max: 50,
    windowMs: day,
    detail: (wait) => `Too many wrong codes. Please try again in ${wait}.`,
  },
  /** Per code: tries of those who know nothing but whose it is. */
  plainTries: { name: 'plain-tries', max: 5, windowMs: 5 * minute, detail: tooMany },
  loginFailures: {
    name: 'login-failures',
    max: 10,
    windowMs: 15 * minute,
    detail: (wait) => `Too many login attempts. Please try again in ${wait}.`,
  },
  /** Per person, adding and verifying together: each one asks Telegram several things. */
  chatRequests: {
    name: 'chat-requests',
    max: 60,
    windowMs: hour,
    detail: (wait) => `Too many chats were asked for. Please try again in ${wait}.`,
  },
  /** Per person: changes of many settings at once, and taking changes back. */
  settingChanges: {
    name: 'setting-changes',
    max: 300,
    windowMs: hour,
    detail: (wait) => `Too many settings were changed at once. Please try again in ${wait}.`,
  },
  /** Per person, of those that Telegram is asked to prepare. */
  chatPicks: { name: 'chat-picks', max: 60, windowMs: hour, detail: tooMany },
  /** Per chat and person: a hint that the bot lacks a right. */
  botHints: { name: 'bot-hints', max: 1, windowMs: day, detail: tooMany },
  /** Per chat: what is over it is not answered. Telegram allows 20 messages a minute in a group. */
  botCommands: { name: 'bot-commands', max: 10, windowMs: minute, detail: tooMany },
  /** Per person: as many as can be made, and a few that are saved again. */
  savedPictures: { name: 'saved-pictures', max: 240, windowMs: hour, detail: tooMany },
  /** Per person: names are seen by everybody. */
  modelNames: { name: 'model-names', max: 60, windowMs: hour, detail: tooMany },
  /** Per person: each one is remembered for ten minutes. */
  connectionAttempts: { name: 'connection-attempts', max: 30, windowMs: hour, detail: tooMany },
  /** Per address: generous, because a school or a carrier shares one. */
  addressRegistrations: {
    name: 'address-registrations',
    max: 60,
    windowMs: hour,
    detail: tooMany,
  },
  addressLogins: { name: 'address-logins', max: 600, windowMs: hour, detail: tooMany },
  addressModelPages: { name: 'address-models', max: 6000, windowMs: hour, detail: tooMany },
  addressStyles: { name: 'address-styles', max: 1200, windowMs: hour, detail: tooMany },
  addressDownloads: { name: 'address-downloads', max: 1200, windowMs: hour, detail: tooMany },
  addressVideoTokens: { name: 'address-videos', max: 600, windowMs: hour, detail: tooMany },
  addressReturns: { name: 'address-returns', max: 600, windowMs: hour, detail: tooMany },
  /** A person tries things out; a page that reads the public API does so now and then. */
  addressPublicCalls: {
    name: 'address-public-calls',
    max: 120,
    windowMs: minute,
    detail: tooMany,
  },
  /** Each one may have to be painted or spoken first. */
  addressPublicFiles: {
    name: 'address-public-files',
    max: 600,
    windowMs: minute,
    detail: tooMany,
  },
  addressCodes: { name: 'address-codes', max: 600, windowMs: hour, detail: tooMany },
  /** Per person, and per address for guests. */
  generations: {
    name: 'generations',
    max: 120,
    windowMs: hour,
    detail: (wait) => `You have made many pictures. Please try again in ${wait}.`,
  },
  addressGenerations: {
    name: 'address-generations',
    max: 600,
    windowMs: hour,
    detail: (wait) => `Many pictures were made from your network. Please try again in ${wait}.`,
  },
  /** The same where each picture costs whoever runs the server money. */
  addressPaidGenerations: {
    name: 'address-paid-generations',
    max: 60,
    windowMs: hour,
    detail: (wait) =>
      `Many pictures were made from your network. Please log in, or try again in ${wait}.`,
  },
  /** Of all people together; whoever runs the server says how many there are. */
  paidGenerations: {
    name: 'paid-generations',
    max: 0,
    windowMs: day,
    detail: (wait) =>
      `This server has made as many pictures as it can pay for today. Please try again in ${wait}.`,
  },
  enhancements: {
    name: 'enhancements',
    max: 120,
    windowMs: hour,
    detail: (wait) => `You have enhanced many prompts. Please try again in ${wait}.`,
  },
  addressEnhancements: {
    name: 'address-enhancements',
    max: 600,
    windowMs: hour,
    detail: (wait) => `Many prompts were enhanced from your network. Please try again in ${wait}.`,
  },
} as const satisfies Record<string, Limit>;

/** The longest window: buckets older than this mean nothing any more. */
export const longestWindowMs = day;

/** One-time passwords: how long one lives, and how many tries it gives. */
export const codeRules = { lifetimeMs: 5 * minute, maxTries: 5 } as const;

/** Linking an account of another service: how long from starting it to coming back. */
export const connectionRules = { attemptLifetimeMs: 10 * minute } as const;

/** Long enough for a film with a break; a token in an address must not live for ever. */
export const videoTokenLifetimeMs = 3 * hour;

/** How long a registration waits for its code, resends included. */
export const registrationLifetimeMs = 30 * minute;

export const sessionRules = {
  idleMs: 7 * day,
  absoluteMs: 30 * day,
  maxPerUser: 10,
  /** How fine `last_seen_at` is: writing it at every request would cost a commit each. */
  touchEveryMs: minute,
} as const;

export const generationRules = {
  /** Per person, or per address for guests: how many are made at once, and how many more may wait. */
  atOnce: 4,
  queue: 12,
  fullQueueRetryS: 15,
  /** How long the result can be had by its key. */
  keptMs: day,
  /** How long a server that says nothing keeps a job to itself. */
  holdMs: minute,
} as const;

/** Of pictures and of speech that strangers have made: so many at once, and how many more may wait. */
export const publicFileRules = { atOnce: 1, queue: 48, fullQueueRetryS: 15 } as const;

/** What is kept of who changed which setting. */
export const historyRules = {
  keptMs: 90 * day,
  /** Per chat: so many changes, beside those of the last week, which nobody can flush out by toggling. */
  max: 1000,
  flushableAfterMs: 7 * day,
  /** So many settings in all of them together. */
  maxItems: 200_000,
  /** A page: a change to all settings of 500 topics fills one alone. */
  pageSize: 30,
  maxPageItems: 5000,
} as const;

/** What people have told of the names of models: whoever was wrong was not wrong for ever. */
export const toldNameRules = { keptMs: 90 * day } as const;

/** What Telegram said of a chat's health: how long it is believed, and of how many chats it is kept. */
export const healthRules = { keptMs: 12 * second, maxEntries: 2000 } as const;

/**
 * Pages that follow a chat. A follower is checked at every beat, and Telegram asked when its last answer
 * is older than `checkAgeMs`: both together stay below the minute after which a lost chat is closed.
 */
export const followRules = {
  maxPerUser: 12,
  beatMs: 20 * second,
  checkAgeMs: 35 * second,
} as const;

/** Counts of deleted messages; a week of them is shown. */
export const deletionRules = { keptMs: 8 * day } as const;

/** A wait as people say it: 42 seconds, 1 minute, 3 hours. Rounded up, so that it is never too short. */
export function formatDuration(seconds: number): string {
  const [count, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7200
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
