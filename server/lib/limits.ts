/** Every limit and lifetime of the server. */
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export type Limit = {
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
  /** The sentence for a refused user; `wait` is a duration in words. */
  readonly detail: (wait: string) => string;
};

const tooMany = (wait: string) => `Too many requests. Please try again in ${wait}.`;

export const limits = {
  /** Per recipient: strict, as each code is a message to a user who may not have requested it. */
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
  /** Across codes, per attempt or, without one, per recipient: keeps guessing hopeless in the long run. */
  wrongCodesPerDay: {
    name: 'wrong-codes-per-day',
    max: 50,
    windowMs: day,
    detail: (wait) => `Too many wrong codes. Please try again in ${wait}.`,
  },
  /** Per code: tries without the attempt, which anyone who knows the Telegram ID can make. */
  plainTries: { name: 'plain-tries', max: 5, windowMs: 5 * minute, detail: tooMany },
  loginFailures: {
    name: 'login-failures',
    max: 10,
    windowMs: 15 * minute,
    detail: (wait) => `Too many login attempts. Please try again in ${wait}.`,
  },
  /** Per user, adding and verifying together: each makes several calls to Telegram. */
  chatRequests: {
    name: 'chat-requests',
    max: 60,
    windowMs: hour,
    detail: (wait) => `Too many chats were asked for. Please try again in ${wait}.`,
  },
  /** Per user: changes of many settings at once, and reverts. */
  settingChanges: {
    name: 'setting-changes',
    max: 300,
    windowMs: hour,
    detail: (wait) => `Too many settings were changed at once. Please try again in ${wait}.`,
  },
  /** Per user. */
  chatPicks: { name: 'chat-picks', max: 60, windowMs: hour, detail: tooMany },
  /** Per chat and user: a hint that the bot lacks a right. */
  botHints: { name: 'bot-hints', max: 1, windowMs: day, detail: tooMany },
  /** Per chat: further commands are not answered. Telegram allows 20 messages a minute in a group. */
  botCommands: { name: 'bot-commands', max: 10, windowMs: minute, detail: tooMany },
  /** Per user: as many as can be made, and some that are saved again. */
  savedPictures: { name: 'saved-pictures', max: 240, windowMs: hour, detail: tooMany },
  /** Per user, as all users see these names. */
  modelNames: { name: 'model-names', max: 60, windowMs: hour, detail: tooMany },
  /** Per user: each attempt is stored for ten minutes. */
  connectionAttempts: { name: 'connection-attempts', max: 30, windowMs: hour, detail: tooMany },
  /** Per address: generous, as a school or a carrier shares one. */
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
  /** Per address. */
  addressPublicCalls: {
    name: 'address-public-calls',
    max: 120,
    windowMs: minute,
    detail: tooMany,
  },
  /** Per address: a file may have to be made first. */
  addressPublicFiles: {
    name: 'address-public-files',
    max: 600,
    windowMs: minute,
    detail: tooMany,
  },
  addressCodes: { name: 'address-codes', max: 600, windowMs: hour, detail: tooMany },
  /** Per user, and per address for visitors. */
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
  /** The same for pictures that cost the operator money. */
  addressPaidGenerations: {
    name: 'address-paid-generations',
    max: 60,
    windowMs: hour,
    detail: (wait) =>
      `Many pictures were made from your network. Please log in, or try again in ${wait}.`,
  },
  /** Of all users together; the operator sets the number by PAID_PICTURES_PER_DAY. */
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

/** The longest window: older buckets are removed. */
export const longestWindowMs = day;

/** One-time passwords: their lifetime, and the tries at one. */
export const codeRules = { lifetimeMs: 5 * minute, maxTries: 5 } as const;

/** Linking an account of another service: the time from starting it to coming back. */
export const connectionRules = { attemptLifetimeMs: 10 * minute } as const;

/** Long enough for a film with a break. Tokens are part of addresses, so they must expire. */
export const videoTokenLifetimeMs = 3 * hour;

/** How long a registration waits for its code, new codes included. */
export const registrationLifetimeMs = 30 * minute;

export const sessionRules = {
  idleMs: 7 * day,
  absoluteMs: 30 * day,
  maxPerUser: 10,
  /** The resolution of `last_seen_at`: writing it with every request would cost a commit each. */
  touchEveryMs: minute,
} as const;

export const generationRules = {
  /** Per user, or per address for visitors: how many are made at once, and how many more may wait. */
  atOnce: 4,
  queue: 12,
  fullQueueRetryS: 15,
  /** How long the result can be read by its key. */
  keptMs: day,
  /** The lease: how long a job stays with a server that does not renew it. */
  holdMs: minute,
} as const;

/** Pictures and speech of the public API: how many are made at once, and how many more may wait. */
export const publicFileRules = { atOnce: 1, queue: 48, fullQueueRetryS: 15 } as const;

/** How much of the history of settings is stored. */
export const historyRules = {
  keptMs: 90 * day,
  /** Changes per chat, besides those of the last week, so that toggling cannot push recent ones out. */
  max: 1000,
  flushableAfterMs: 7 * day,
  /** Changed settings per chat. */
  maxItems: 200_000,
  /** A change to all settings of 500 topics is a page of its own. */
  pageSize: 30,
  maxPageItems: 5000,
} as const;

/** Names of models that users have entered. They expire, as they may be wrong. */
export const toldNameRules = { keptMs: 90 * day } as const;

/** The cache of the health of chats, as Telegram says. */
export const healthRules = { keptMs: 12 * second, maxEntries: 2000 } as const;

/**
 * Pages that follow a chat. Each is checked at every beat, and Telegram is asked when its last answer is
 * older than `checkAgeMs`. Both together stay below the minute after which a lost chat is closed.
 */
export const followRules = {
  maxPerUser: 12,
  beatMs: 20 * second,
  checkAgeMs: 35 * second,
} as const;

/** Counts of deleted messages; a week of them is shown. */
export const deletionRules = { keptMs: 8 * day } as const;

/** A duration in words: 42 seconds, 1 minute, 3 hours. Rounded up, so that it is never too short. */
export function formatDuration(seconds: number): string {
  const [count, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7200
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
