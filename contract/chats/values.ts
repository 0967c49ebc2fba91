/**
 * The values of a chat: what is set besides the locks of its topics. Each is one entry here, with what it may be
 * and what counts where nothing is stored. Commands, the dashboard, the history and copies read these entries.
 */
import * as v from 'valibot';

import { commandIds, commandTable, isForAdults } from '../commands/index.ts';

const minute = 60;
const day = 24 * 60 * minute;

/** Seconds. Telegram takes what is outside of these for "for ever". */
export const durationLimits = { min: 30, max: 366 * day } as const;
/** Seconds, as the limits below that have no other unit. */
export const captchaLimits = { min: minute, max: day } as const;
export const raidLimits = { min: 15 * minute, max: 7 * day } as const;
/** Joins in a minute that begin the raid protection. */
export const autoRaidLimits = { min: 3, max: 100 } as const;
export const welcomeKeepLimits = { min: minute, max: day } as const;
export const adultKeepLimits = { min: minute, max: day } as const;
/** Messages in a row, or in some seconds. */
export const floodLimits = { min: 3, max: 50, maxSeconds: 10 * minute } as const;
/** Reactions in a minute. */
export const reactionLimits = { min: 3, max: 100, maxUnwanted: 30 } as const;
export const warnLimits = { min: 1, max: 20 } as const;
export const expiryLimits = { min: day, max: 365 * day } as const;

const seconds = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(durationLimits.min),
  v.maxValue(durationLimits.max),
);

const wholeNumber = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));

/** The ID of a content of the chat: a text with its formatting, at most one medium, and buttons. */
const contentId = v.pipe(v.string(), v.regex(/^[\w-]{22}$/));

/** What happens at the last warning; without `seconds` until an administrator takes it back. */
const warnAction = v.variant('kind', [
  v.strictObject({ kind: v.literal('mute'), seconds: v.optional(seconds) }),
  v.strictObject({ kind: v.literal('ban'), seconds: v.optional(seconds) }),
  v.strictObject({ kind: v.literal('kick') }),
]);
export type WarnAction = v.InferOutput<typeof warnAction>;

/** What the log channel is told: what was done to members, reports, changes of settings, and messages. */
export const logCategories = ['members', 'reports', 'settings', 'messages'] as const;
export type LogCategory = (typeof logCategories)[number];

/** What is asked of who joins: to press a button, to do a small task, or to pass the gate in Nori before joining. */
export const captchaModes = ['off', 'button', 'task', 'gate'] as const;
export type CaptchaMode = (typeof captchaModes)[number];

/** Service messages that the bot can delete, by what they say. */
export const serviceKinds = [
  'join',
  'leave',
  'pin',
  'title',
  'photo',
  'topic',
  'video_chat',
] as const;
export type ServiceKind = (typeof serviceKinds)[number];

/** What a blocked word leads to besides the deletion of the message. */
const blockAction = v.variant('kind', [
  v.strictObject({ kind: v.literal('delete') }),
  v.strictObject({ kind: v.literal('warn') }),
  v.strictObject({ kind: v.literal('mute'), seconds: v.optional(seconds) }),
  v.strictObject({ kind: v.literal('ban'), seconds: v.optional(seconds) }),
]);
export type BlockAction = v.InferOutput<typeof blockAction>;

/** Epoch milliseconds. */
const time = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const schemas = {
  warn_limit: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(warnLimits.min),
    v.maxValue(warnLimits.max),
  ),
  warn_action: warnAction,
  /** Seconds for which a warning counts. */
  warn_expiry: v.union([
    v.literal('off'),
    v.pipe(v.number(), v.integer(), v.minValue(expiryLimits.min), v.maxValue(expiryLimits.max)),
  ]),
  /** Whether members may report messages to the administrators. */
  reports: v.boolean(),
  /** Whether anonymous administrators act at once, without a button that shows who they are. */
  trust_anonymous: v.boolean(),
  /** Whether bans count in all chats of the community, and of the same owner, that share theirs. */
  shared_bans: v.boolean(),
  /** Whether answers about bans and the like are seen by the administrator alone. */
  quiet_actions: v.boolean(),
  /** The channel to which the bot writes what was done. */
  log_channel: v.strictObject({
    id: v.pipe(v.number(), v.safeInteger(), v.maxValue(-1)),
    title: v.pipe(v.string(), v.maxLength(128)),
  }),
  log_categories: v.pipe(
    v.array(v.picklist(logCategories)),
    v.check((list) => new Set(list).size === list.length),
  ),
  captcha_mode: v.picklist(captchaModes),
  /** Seconds that who joins has for it. */
  captcha_seconds: wholeNumber(captchaLimits.min, captchaLimits.max),
  /** What happens to who has not done it in time. */
  captcha_over: v.picklist(['kick', 'mute']),
  /** Until when who joins is turned away; epoch milliseconds. */
  raid_until: time,
  /** Seconds for which the raid protection is switched on. */
  raid_seconds: wholeNumber(raidLimits.min, raidLimits.max),
  /** How many joins in a minute switch it on. */
  raid_auto: v.union([v.literal('off'), wholeNumber(autoRaidLimits.min, autoRaidLimits.max)]),
  /** "Under attack": newcomers are held back and links deleted, from when until when; epoch milliseconds. */
  attack: v.strictObject({ since: time, until: time }),
  /** Whether who joins is greeted. */
  welcome: v.boolean(),
  /** Without one the bot has a text of its own. */
  welcome_content: contentId,
  /** Whether all see the greeting, or the newcomer alone. */
  welcome_to: v.picklist(['everyone', 'newcomer']),
  /** Seconds after which a greeting is deleted. */
  welcome_keep: v.union([
    v.literal('off'),
    wholeNumber(welcomeKeepLimits.min, welcomeKeepLimits.max),
  ]),
  /** Whether the bot says goodbye to who leaves. */
  goodbye: v.boolean(),
  goodbye_content: contentId,
  /** Service messages that are deleted in the whole chat. */
  clean_service: v.pipe(
    v.array(v.picklist(serviceKinds)),
    v.check((list) => new Set(list).size === list.length),
  ),
  rules_content: contentId,
  /** Whether /rules shows the rules in the group; else a button leads to the private chat. */
  rules_public: v.boolean(),
  /** What a blocked word leads to where its entry says nothing else. */
  blocklist_action: blockAction,
  /** How many messages one member may write in a row, or in some seconds. */
  flood: v.union([
    v.literal('off'),
    v.strictObject({
      count: wholeNumber(floodLimits.min, floodLimits.max),
      seconds: v.optional(wholeNumber(1, floodLimits.maxSeconds)),
    }),
  ]),
  flood_action: warnAction,
  /** How many reactions one member may give in a minute. */
  reaction_limit: v.union([v.literal('off'), wholeNumber(reactionLimits.min, reactionLimits.max)]),
  /** Emoji, or IDs of custom emoji, that are removed as reactions. */
  reactions_unwanted: v.pipe(
    v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(32))),
    v.maxLength(reactionLimits.maxUnwanted),
    v.check((list) => new Set(list).size === list.length),
  ),
  /** Whether the reactions of who is banned are removed, too. */
  reactions_of_banned: v.boolean(),
  /** Whether commands for adults work there; the creator alone switches it on. */
  adult_mode: v.boolean(),
  /** Seconds after which what is for adults is deleted. */
  adult_clean: wholeNumber(adultKeepLimits.min, adultKeepLimits.max),
} as const;

export type ValueName = keyof typeof schemas;
export type ChatValues = {
  readonly [Name in ValueName]: v.InferOutput<(typeof schemas)[Name]>;
};

const schemaByName: { readonly [Name in ValueName]: v.GenericSchema<unknown, ChatValues[Name]> } =
  schemas;

/** What counts where nothing is stored; undefined where there is nothing then. */
export const valueDefaults = {
  warn_limit: 3,
  warn_action: { kind: 'mute', seconds: day },
  warn_expiry: 30 * day,
  reports: true,
  trust_anonymous: false,
  shared_bans: false,
  quiet_actions: false,
  log_channel: undefined,
  log_categories: [...logCategories],
  captcha_mode: 'off',
  captcha_seconds: 5 * minute,
  captcha_over: 'kick',
  raid_until: undefined,
  raid_seconds: 6 * 60 * minute,
  raid_auto: 'off',
  attack: undefined,
  welcome: false,
  welcome_content: undefined,
  welcome_to: 'everyone',
  welcome_keep: 5 * minute,
  goodbye: false,
  goodbye_content: undefined,
  clean_service: [],
  rules_content: undefined,
  rules_public: false,
  blocklist_action: { kind: 'delete' },
  flood: 'off',
  flood_action: { kind: 'mute', seconds: 60 * minute },
  reaction_limit: 'off',
  reactions_unwanted: [],
  reactions_of_banned: true,
  adult_mode: false,
  adult_clean: 10 * minute,
} as const satisfies { readonly [Name in ValueName]: ChatValues[Name] | undefined };

/** Whether a chat is under attack. `since` is what a device has said, whose clock may be ahead: the protection is on at once. */
export function isAttackOn(attack: ChatValues['attack'] | undefined, now: number): boolean {
  return attack !== undefined && now < attack.until;
}

function isValueName(name: string): name is ValueName {
  return Object.hasOwn(schemas, name);
}

/** Commands of members that a chat, or one of its topics, can switch off. */
export const switchableCommands = commandIds.filter((id) => {
  const { who, where } = commandTable[id];
  return who === 'anyone' && where.includes('group') && !isForAdults(id);
});

/** Signs of what a filter and a blocklist look for. */
export const maxTriggerLength = 64;

/** What was typed as a key: without what makes no difference. */
export const toTriggerKey = (typed: string): string =>
  typed.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

const isTrigger = (text: string) =>
  text !== '' && text === text.trim() && Array.from(text).length <= maxTriggerLength;

/** `filter:hello`: what the bot answers when that is written. */
const filter = v.strictObject({
  content: contentId,
  /** Where in a message it has to stand: anywhere, as the beginning, or as all of it. */
  match: v.picklist(['anywhere', 'prefix', 'exact']),
});
export type Filter = v.InferOutput<typeof filter>;

/** `note:wifi`: what #wifi and /get wifi show. */
const note = v.strictObject({
  content: contentId,
  /** Sent in private. */
  isPrivate: v.optional(v.boolean()),
  /** For administrators alone. */
  isForAdmins: v.optional(v.boolean()),
  /** Not to be forwarded or saved. */
  isProtected: v.optional(v.boolean()),
});
export type Note = v.InferOutput<typeof note>;

/** Signs of an entry with wildcards, besides `*`: what comparing it costs depends on them. */
export const maxPatternSigns = 32;
const stickerPrefix = 'stickers:';

/** The set of stickers that an entry of the blocklist is about; undefined for words and links. */
export const readStickerSet = (key: string): string | undefined =>
  key.startsWith(stickerPrefix) ? key.slice(stickerPrefix.length) : undefined;

export const toStickerKey = (set: string): string => `${stickerPrefix}${set.toLowerCase()}`;

/** A word, phrase or link with at least one sign of its own besides wildcards, or a set of stickers. */
function isBlockKey(key: string): boolean {
  const set = readStickerSet(key);
  const signs = Array.from(key.replaceAll('*', ''));
  return set === undefined
    ? isTrigger(key) &&
        /[^\s*?]/u.test(key) &&
        (!/[*?]/.test(key) || signs.length <= maxPatternSigns)
    : /^\w{1,64}$/.test(set);
}

/** `block:casino*`: a word, a phrase, a link or a set of stickers that is deleted. Without an action that of the chat. */
const blockEntry = v.strictObject({ action: v.optional(blockAction) });
export type BlockEntry = v.InferOutput<typeof blockEntry>;

/**
 * Values of which a chat has several: the name of each is that of the kind, a colon, and a key. `max` is how many
 * a chat may have in all its topics together; the values of a chat have a limit of their own.
 */
const kinds = {
  off: {
    schema: v.literal(true),
    isKey: (key: string) => switchableCommands.some((id) => id === key),
    isForTopics: true,
    max: Infinity,
  },
  filter: { schema: filter, isKey: isTrigger, isForTopics: true, max: 150 },
  block: { schema: blockEntry, isKey: isBlockKey, isForTopics: true, max: 500 },
  /** A link that is not deleted although the blocklist has it, such as `allow:example.com`. */
  allow: { schema: v.literal(true), isKey: isTrigger, isForTopics: true, max: 100 },
  note: {
    schema: note,
    isKey: (key: string) => /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}_-]{1,32}$/u.test(key),
    isForTopics: false,
    max: 200,
  },
} as const;

export type ListedKind = keyof typeof kinds;
/** What the entries of a kind are. */
export type ListedValue<Kind extends ListedKind> = v.InferOutput<(typeof kinds)[Kind]['schema']>;

/** How many of a kind a chat may have. */
export const listedMax = (kind: ListedKind): number => kinds[kind].max;

/** The name of a value of which a chat has several: `off:report` is `true` where /report is not answered. */
export const listedName = (kind: ListedKind, key: string): string => `${kind}:${key}`;

export const offName = (command: string): string => listedName('off', command);

const isListedKind = (name: string): name is ListedKind => Object.hasOwn(kinds, name);

/** The kind and the key of such a name; undefined for other names. */
export function readListedName(
  name: string,
): { readonly kind: ListedKind; readonly key: string } | undefined {
  const colon = name.indexOf(':');
  const [kind, key] = [name.slice(0, Math.max(colon, 0)), name.slice(colon + 1)];
  return isListedKind(kind) && kinds[kind].isKey(key) ? { kind, key } : undefined;
}

/** The entries of a kind by their keys; what is stored and broken is left out. */
export function readListed<Kind extends ListedKind>(
  stored: Iterable<readonly [name: string, value: unknown]>,
  wanted: Kind,
): ReadonlyMap<string, ListedValue<Kind>> {
  const schema: v.GenericSchema<unknown, ListedValue<Kind>> = kinds[wanted].schema;
  const entries = new Map<string, ListedValue<Kind>>();
  for (const [name, value] of stored) {
    const listed = readListedName(name);
    const parsed = listed?.kind === wanted ? v.safeParse(schema, value) : undefined;
    if (listed !== undefined && parsed?.success === true) {
      entries.set(listed.key, parsed.output);
    }
  }
  return entries;
}

/** Where a value is set: `chat`, or a topic by its number ("0" is General). */
export const wholeChat = 'chat';

/** Whether a value of this name may be set there. */
export function isSettable(name: string, place: string): boolean {
  const listed = readListedName(name);
  return listed === undefined
    ? isValueName(name) && (place === wholeChat || name === 'adult_mode')
    : kinds[listed.kind].isForTopics || place === wholeChat;
}

/** Whether a value is one that its name can have. */
export function isPossibleValue(name: string, value: unknown): boolean {
  const listed = readListedName(name);
  return listed === undefined
    ? isValueName(name) && v.is(schemaByName[name], value)
    : v.is(kinds[listed.kind].schema, value);
}

/** The IDs of the contents that a value names. */
export function listContents(name: string, value: unknown): readonly string[] {
  if (/^(?:welcome|goodbye|rules)_content$/.test(name)) {
    return typeof value === 'string' ? [value] : [];
  }
  const kind = readListedName(name)?.kind;
  const parsed = v.safeParse(v.object({ content: contentId }), value);
  return (kind === 'filter' || kind === 'note') && parsed.success ? [parsed.output.content] : [];
}

/** The same value with other contents, by the IDs of those that it names. */
export function replaceContents(
  name: string,
  value: unknown,
  idById: ReadonlyMap<string, string>,
): unknown {
  const [named] = listContents(name, value);
  const content = named === undefined ? undefined : idById.get(named);
  if (content === undefined) {
    return value;
  }
  return typeof value === 'string' ? content : { ...v.parse(v.looseObject({}), value), content };
}

/** The value that counts for the whole chat; what is stored and broken counts as not stored. */
export function readValue<Name extends ValueName>(
  stored: Readonly<Record<string, unknown>> | undefined,
  name: Name,
): (typeof valueDefaults)[Name] | ChatValues[Name] {
  const parsed = v.safeParse(schemaByName[name], stored?.[name]);
  return parsed.success ? parsed.output : valueDefaults[name];
}
