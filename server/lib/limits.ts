/** Every limit and lifetime of the server. */
import { type Say } from './languages.ts';
import { durationTexts, type limitTexts } from './limit-texts.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const gigabyte = 1_000_000_000;

export type Limit = {
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
  /** The sentence for a refused user. */
  readonly text: keyof typeof limitTexts;
  /** How a call beyond the limit is refused, if it need not wait: by `rate_limited` when absent. */
  readonly refusal?: 'code_required';
};

const limit = (
  name: string,
  [max, windowMs]: readonly [number, number],
  text: keyof typeof limitTexts = 'requests',
): Limit => ({ name, max, windowMs, text });

export const limits = {
  /** Per recipient: strict, as each code is a message to a user who may not have requested it. */
  codeCooldown: limit('code-cooldown', [1, minute], 'codeCooldown'),
  codesPerDay: limit('codes-per-day', [10, day], 'codes'),
  /** Across codes, per attempt or, without one, per recipient: keeps guessing hopeless in the long run. */
  wrongCodesPerDay: limit('wrong-codes-per-day', [50, day], 'wrongCodes'),
  /** Per person: codes that they have begun themselves, by launch data or by the bot's Start. */
  codesByStart: limit('codes-by-start', [20, day], 'codes'),
  /** Per ID and address, or per ID and known device: what strangers do elsewhere does not count. */
  loginFailures: limit('login-failures', [10, 15 * minute], 'logins'),
  /** Per ID, from all addresses and unknown devices: beyond it a code is needed beside the password. */
  wrongPasswordsPerDay: {
    ...limit('wrong-passwords-per-day', [100, day], 'logins'),
    refusal: 'code_required',
  },
  /** Per user: what the bot tells them about their account. */
  accountNotices: limit('account-notices', [5, day]),
  /** Per user and session: the password that confirms something inside a session. */
  wrongConfirmations: limit('wrong-confirmations', [10, 15 * minute], 'passwords'),
  /** Per user, adding and verifying together: each makes several calls to Telegram. */
  chatRequests: limit('chat-requests', [60, hour], 'chats'),
  /** Per user: changes of many settings at once, and reverts. */
  settingChanges: limit('setting-changes', [300, hour], 'settings'),
  /** Per user. */
  chatPicks: limit('chat-picks', [60, hour]),
  /** Per chat and user: what to do next, after the user has added the bot. */
  botHints: limit('bot-hints', [1, day]),
  /** Per chat: the same in the chat itself, where the user cannot be written to. */
  groupHints: limit('group-hints', [1, day]),
  /**
   * Per chat: further commands of members are not answered. Telegram allows 20 messages a minute in a group; those of
   * administrators wait for it.
   */
  botCommands: limit('bot-commands', [10, minute]),
  /** Per person: what the bot asks other servers for. */
  lookups: limit('lookups', [20, 10 * minute]),
  /** Per person: the same while they type in any chat, where the beginning of a word is looked up, too. */
  inlineLookups: limit('inline-lookups', [40, 10 * minute]),
  /** Per person: whispers that are written; one that is still typed counts each time that the writer pauses. */
  whispers: limit('whispers', [120, hour]),
  /** Of all users together: AniList allows so many calls of one server. */
  aniList: limit('anilist', [30, minute]),
  /** Of all users together: one call after the other, each of which takes less time, with its redirects. */
  wikimedia: limit('wikimedia', [1, 35 * second]),
  /** Of all users together: MyMemory and Open-Meteo allow so much of one server without a key. */
  myMemory: limit('my-memory', [100, day], 'translations'),
  /** A look at the weather is two calls of 600 a minute and 10,000 a day. */
  weatherMinute: limit('weather-minute', [300, minute], 'weather'),
  weatherDay: limit('weather-day', [5000, day], 'weather'),
  /** Per person: files from social networks. */
  downloads: limit('downloads', [10, hour], 'downloads'),
  /** Per chat: what the bot says about those who write too much. */
  floodNotices: limit('flood-notices', [1, minute]),
  /** Per chat: answers to words, and notes by their names. */
  wordAnswers: limit('word-answers', [30, minute]),
  /** Per chat: members who are told that a word is blocked. */
  blocklistNotices: limit('blocklist-notices', [20, minute]),
  /** Per member of a chat: reports to its administrators. */
  reports: limit('reports', [3, 10 * minute]),
  /** Per user: texts of greetings, notes and the like. */
  savedContents: limit('saved-contents', [300, hour], 'settings'),
  /** Per user: files for those; each is uploaded to Telegram. */
  contentMedia: limit('content-media', [60, hour]),
  /** Per user: texts that the bot is to listen for. */
  contentRequests: limit('content-requests', [60, hour]),
  /** Per person who is away and person who names them. */
  awayNotices: limit('away-notices', [1, 10 * minute]),
  /** Per chat: so many leave with a goodbye. */
  goodbyes: limit('goodbyes', [5, minute]),
  /** Per user: as many as can be made, and some that are saved again. */
  savedPictures: limit('saved-pictures', [240, hour]),
  /** Per user: files of pictures that are asked for in chats. */
  pictureFiles: limit('picture-files', [20, 10 * minute], 'pictures'),
  /** Per user. */
  modelNames: limit('model-names', [60, hour]),
  /** Per user: each attempt is stored for ten minutes. */
  connectionAttempts: limit('connection-attempts', [30, hour]),
  /** Per address: generous, as a school or a carrier shares one. */
  addressRegistrations: limit('address-registrations', [60, hour]),
  addressLogins: limit('address-logins', [600, hour]),
  addressModelPages: limit('address-models', [6000, hour]),
  addressStyles: limit('address-styles', [1200, hour]),
  addressDownloads: limit('address-downloads', [1200, hour]),
  addressVideoTokens: limit('address-videos', [600, hour]),
  addressReturns: limit('address-returns', [600, hour]),
  /** Per address. */
  addressPublicCalls: limit('address-public-calls', [120, minute]),
  /** Per address: a file may have to be made first. */
  addressPublicFiles: limit('address-public-files', [600, minute]),
  addressCodes: limit('address-codes', [600, hour]),
  /** What browsers report. */
  addressReports: limit('address-reports', [60, hour]),
  /** The join gate: what its page reads and sends. */
  addressGate: limit('address-gate', [1200, hour]),
  /** Per person: the same. */
  gateCalls: limit('gate-calls', [60, 10 * minute]),
  /** Each has a row for five minutes. */
  addressPasskeyLogins: limit('address-passkey-logins', [600, hour]),
  /** Per user: options for adding and confirming, and proofs by launch data or passkey. */
  proofs: limit('proofs', [120, hour]),
  /** Per user, and per address for visitors. */
  generations: limit('generations', [120, hour], 'pictures'),
  addressGenerations: limit('address-generations', [600, hour], 'networkPictures'),
  /** The same for pictures that cost the operator money. */
  addressPaidGenerations: limit('address-paid-generations', [60, hour], 'visitorPictures'),
  /** Bytes of made pictures, per user, and per address for visitors: each is on the disk for a while. */
  madeBytes: limit('made-bytes', [4 * gigabyte, day], 'pictureSpace'),
  addressMadeBytes: limit('address-made-bytes', [0.5 * gigabyte, day], 'networkPictureSpace'),
  /** Of all users together; the operator sets the number by PAID_PICTURES_PER_DAY. */
  paidGenerations: limit('paid-generations', [0, day], 'paidPictures'),
  /** Per user: pictures that the bot sends to them, and messages with pictures that it prepares. */
  pictureSends: limit('picture-sends', [120, hour]),
  pictureShares: limit('picture-shares', [240, hour]),
  /** Per user. */
  exports: limit('exports', [3, day], 'exports'),
  enhancements: limit('enhancements', [120, hour], 'prompts'),
  addressEnhancements: limit('address-enhancements', [600, hour], 'networkPrompts'),
} as const;

/** The longest window: older buckets are removed. */
export const longestWindowMs = day;

/**
 * One-time passwords: their lifetime, and the tries at one. Tries without the attempt, which anyone who knows the
 * Telegram ID can make, end earlier, so that the rest stays for the browser that has it.
 */
export const codeRules = { lifetimeMs: 5 * minute, maxTries: 5, maxPlainTries: 2 } as const;

/** The lifetime of a code in minutes, for messages. */
export const codeMinutes = codeRules.lifetimeMs / minute;

/** Linking an account of another service: the time from starting it to coming back. */
export const connectionRules = { attemptLifetimeMs: 10 * minute } as const;

/** What is asked of who joins, and who has joined: how long it is stored afterwards. */
export const joinRules = {
  keptMs: day,
  /** Wrong answers, and for how long they are removed then. */
  maxTries: 3,
  removedForS: (10 * minute) / second,
  /** For how long raid protection turns newcomers away. */
  turnedAwayForS: hour / second,
  /** More joins than this within a minute are asked by one message for all. */
  maxAskedAlone: 5,
  /** When that message is sent to those who have not answered the one for them alone. */
  remindAfterMs: minute,
  /** Per person: messages that were written before their joining was heard of. */
  maxEarly: 100,
  /** How many open checks a manager sees. */
  maxListed: 500,
} as const;

/** What people have the bot keep for them. */
export const personalRules = {
  awayKeptMs: 30 * day,
  maxReason: 140,
  whisperKeptMs: 7 * day,
  /** One that was written and not sent. */
  unsentWhisperKeptMs: 10 * minute,
  maxWhisper: 200,
  maxReminders: 25,
  maxReminderText: 500,
  minReminderMs: minute,
  maxReminderMs: 365 * day,
  /** Who has blocked the bot is tried again so often, and given up then. */
  reminderTryEveryMs: 3 * hour,
  reminderTriedForMs: 3 * day,
} as const;

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
  /** How long the result can be read by its key. A visitor's device has fetched it by then. */
  keptMs: day,
  visitorKeptMs: hour,
  /** The lease: how long a job stays with a server that does not renew it. */
  holdMs: minute,
} as const;

/** Pictures that users upload. Each is on the disk while it arrives, and waits for a decoder. */
export const uploadRules = {
  /** Per user: how many are received at once, and how many more may wait. */
  atOnce: 2,
  queue: 6,
  fullQueueRetryS: 15,
  /** Of all users together: six of the largest pictures. */
  bytesInFlight: 128 * 1024 * 1024,
  busyRetryS: 5,
  /** Visitors' pictures are removed within about an hour. */
  fullDiskRetryS: 15 * 60,
} as const;

/** Pictures that the bot sends: how long an answer waits for Telegram, and when it is looked whether one is ready. */
export const sharingRules = { waitMs: 8 * second, lookEveryMs: 100, lookAgainMs: minute } as const;

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

/** Topics of a chat in Nori. */
export const topicRules = { max: 1000 } as const;

/**
 * Ordinary calls of one person, or of one address without a session: far more than a page with many switches makes. They
 * are counted in memory, so that n processes let through n times as many: this is against loops, not against guessing.
 */
export const callRules = {
  windowMs: minute,
  writesPerRead: 0.4,
  maxCallers: 20_000,
  /** A refusal that is repeated is one line of the log of security events. */
  loggedOnceMs: minute,
} as const;

/** How long the user may take to answer the options of a passkey. */
export const passkeyRules = { challengeLifetimeMs: 5 * minute } as const;

/** What happened to accounts: failed logins of an hour are one row. */
export const accountEventRules = {
  keptMs: 90 * day,
  failuresTogetherMs: hour,
  maxListed: 200,
} as const;

/** Files with all that is stored about a user: how long they are kept, and how often one is tried. */
export const exportRules = {
  keptMs: day,
  maxTries: 3,
  retryAfterMs: minute,
  /** The lease: how long an export stays with a process that does not renew it. */
  holdMs: minute,
  /** How long who starts another one waits for the one that is being made. */
  busyRetryS: 15,
} as const;

/** Names of models that users have entered. They expire, as they may be wrong. */
export const toldNameRules = { keptMs: 90 * day } as const;

/** Hints after the bot was added: how long they wait, are left to the process that sends them, and are worth it. */
export const hintRules = { waitMs: 3 * second, holdMs: minute, keptMs: hour } as const;

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

/** Events for other processes. One that was away for longer than they are kept, less the margin, has missed some. */
export const eventRules = {
  readEveryMs: 2 * second,
  keptMs: 60 * minute,
  marginMs: 5 * minute,
} as const;

/** Counts of deleted messages; a week of them is shown. */
export const deletionRules = { keptMs: 8 * day } as const;

/** The numbers of chats; 30 days of them are shown. */
export const numberRules = { keptMs: 31 * day } as const;

/** Who writes or reacts too much. It is counted in memory, for so many chats or members. */
export const floodRules = {
  maxLists: 20_000,
  /** A pause that ends a run of messages. */
  pauseMs: 10 * minute,
  /** How long further messages of the member go at once: they were sent before Telegram kept them from writing. */
  tailMs: 10 * second,
  /** What reactions are counted in, and how long who gave too many may give none. */
  reactionsMs: minute,
  noReactionsMs: day,
  /** How long a call that Telegram's server does not know is not tried again. */
  unknownCallMs: hour,
} as const;

/** Updates of Telegram: how many are handled at the same time, and what is stored of them. */
export const inboxRules = {
  /**
   * How long an album is remembered after its last message, as none says that it is the last; also its contents, for the
   * process that handles the rest of it.
   */
  albumMs: 10 * second,
  /** What is typed in any chat is not answered after this. */
  inlineMs: 10 * second,
  /** Further updates stay at Telegram until there is room. */
  maxInMemory: 5000,
  /** How long the updates of a killed process wait for it before another handles them. */
  leaseMs: 10 * second,
  /** How long the id of a handled update is known. Telegram sends none again after a day. */
  keptMs: day,
  /** Telegram deletes no older messages, so that there is nothing left to do for an update. */
  openForMs: 2 * day,
} as const;

/** Whom the bot has seen write. Writing each anew with every message would cost a commit each. */
export const peopleRules = { keptMs: 90 * day, touchEveryMs: hour } as const;

/** Which messages were written where. Telegram deletes no older ones. */
export const seenMessageRules = { keptMs: 2 * day, maxPerChat: 20_000 } as const;

/** The join gate. */
export const gateRules = {
  maxTries: 3,
  /** How long who has failed is turned away. */
  failedMs: 10 * minute,
  /** Telegram waits ten seconds for the answer to a query. */
  queryMs: 9 * second,
  /** How long the bot may write to who asks to join and has never started it. */
  inviteMs: 5 * minute,
  /** When Telegram is told of a decision again. */
  tellAgainMs: 15 * second,
} as const;

/** What is stored of members: actions, warnings that count no longer, approvals. */
export const memberRules = {
  keptMs: 90 * day,
  maxApprovals: 500,
  /** A search compares so many actions of a chat, in pages. */
  maxSearched: 20_000,
  searchPage: 1000,
  pageSize: 50,
  maxListedWarnings: 500,
} as const;

/** Values of a chat, and how long they stay when the bot has left it. */
export const valueRules = { max: 2000, keptAfterLeavingMs: 90 * day } as const;

/** Who joins is greeted alone, and together with others when more than `alone` join in a minute. */
export const greetingRules = {
  alone: 5,
  countedMs: minute,
  /** How long who is greeted together is waited for. */
  togetherMs: 30 * second,
  /** Then it is too late. */
  worthMs: minute,
} as const;

/** Contents: how long one waits for a value that names it, and how long the bot listens for a text. */
export const contentRules = { unusedMs: day, requestMs: 10 * minute } as const;

/** Files for contents: how many arrive at the same time, of all users together. */
export const mediaRules = { atOnce: 3, busyRetryS: 5 } as const;

/** Objects without a row: how long one may take to be written, and how long who removes one is given. */
export const looseRules = { claimableMs: hour, holdMs: 5 * minute, busyRetryS: 5 } as const;

/** How long a deleted picture can be restored. It is removed a little later, as clocks of servers differ. */
export const binRules = { restorableMs: 10 * minute, keptMs: 11 * minute } as const;

/** How long a picture is kept that others are made from and that is in no history. */
export const sourceRules = { keptMs: day } as const;

/** A duration in words: 42 seconds, 1 minute, 3 hours. Rounded up, so that it is never too short. */
export function sayDuration(seconds: number, say: Say): string {
  const texts = say(durationTexts);
  if (seconds < 120) {
    return texts.seconds(seconds);
  }
  return seconds < 7200
    ? texts.minutes(Math.ceil(seconds / 60))
    : texts.hours(Math.ceil(seconds / 3600));
}
