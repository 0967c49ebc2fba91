/**
 * The values of a chat: what is set besides the locks of its topics. Each is one entry here, with what it may be
 * and what counts where nothing is stored. Commands, the dashboard, the history and copies read these entries.
 */
import * as v from 'valibot';

import { commandIds, commandTable } from '../commands/index.ts';

const minute = 60;
const day = 24 * 60 * minute;

/** Seconds. Telegram takes what is outside of these for "for ever". */
export const durationLimits = { min: 30, max: 366 * day } as const;
export const warnLimits = { min: 1, max: 20 } as const;
export const expiryLimits = { min: day, max: 365 * day } as const;

const seconds = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(durationLimits.min),
  v.maxValue(durationLimits.max),
);

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
} as const;

export type ValueName = keyof typeof schemas;
export type ChatValues = {
  readonly [Name in ValueName]: v.InferOutput<(typeof schemas)[Name]>;
};

const schemaByName: { readonly [Name in ValueName]: v.GenericSchema<unknown, ChatValues[Name]> } =
  schemas;

/** What counts where nothing is stored; the log channel has none. */
export const valueDefaults = {
  warn_limit: 3,
  warn_action: { kind: 'mute', seconds: day },
  warn_expiry: 30 * day,
  reports: true,
  trust_anonymous: false,
  quiet_actions: false,
  log_channel: undefined,
  log_categories: [...logCategories],
} as const satisfies { readonly [Name in ValueName]: ChatValues[Name] | undefined };

function isValueName(name: string): name is ValueName {
  return Object.hasOwn(schemas, name);
}

const offPrefix = 'off:';

/** Commands of members that a chat, or one of its topics, can switch off. */
export const switchableCommands = commandIds.filter((id) => {
  const { who, where } = commandTable[id];
  return who === 'anyone' && where.includes('group');
});

/** The name of the value that switches a command off: `off:report` is `true` where /report is not answered. */
export const offName = (command: string): string => `${offPrefix}${command}`;

const isSwitch = (name: string): boolean =>
  name.startsWith(offPrefix) &&
  switchableCommands.some((id) => id === name.slice(offPrefix.length));

/** Where a value is set: `chat`, or a topic by its number ("0" is General). */
export const wholeChat = 'chat';

/** Whether a value of this name may be set there; all but the switches of commands belong to the whole chat. */
export function isSettable(name: string, place: string): boolean {
  return isSwitch(name) || (isValueName(name) && place === wholeChat);
}

/** Whether a value is one that its name can have. */
export function isPossibleValue(name: string, value: unknown): boolean {
  if (isSwitch(name)) {
    return value === true;
  }
  return isValueName(name) && v.is(schemaByName[name], value);
}

/** The value that counts for the whole chat; what is stored and broken counts as not stored. */
export function readValue<Name extends ValueName>(
  stored: Readonly<Record<string, unknown>> | undefined,
  name: Name,
): (typeof valueDefaults)[Name] | ChatValues[Name] {
  const parsed = v.safeParse(schemaByName[name], stored?.[name]);
  return parsed.success ? parsed.output : valueDefaults[name];
}
