/** Writes the values of a chat in words. */
import {
  type BlockAction,
  readListedName,
  readValue,
  type ValueName,
  valueDefaults,
  type WarnAction,
} from '#contract/chats/values';
import { commandTable, isCommandId } from '#contract/commands/index';
import { joinList } from '#lib/format';

import { momentText } from './moderation/times.ts';
import { valueTexts as texts } from './value-texts.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** The units of which whole ones are written alone. */
const whole = [
  ['years', 365 * day],
  ['weeks', 7 * day],
] as const;

const parts = [
  ['days', day],
  ['hours', hour],
  ['minutes', minute],
  ['seconds', 1],
] as const;

/** "1 week", "30 days", "1 day, 12 hours". */
export function timeText(seconds: number): string {
  const alone = whole.find(([, unit]) => seconds % unit === 0);
  if (alone) {
    const [name, unit] = alone;
    return texts.time[name](seconds / unit);
  }
  let left = seconds;
  return joinList(
    parts.flatMap(([name, unit]) => {
      const count = Math.floor(left / unit);
      left -= count * unit;
      return count === 0 ? [] : [texts.time[name](count)];
    }),
  );
}

/** "mute for 1 day", as a part of a sentence. */
export function actText(action: WarnAction | BlockAction): string {
  if (action.kind === 'kick' || action.kind === 'delete' || action.kind === 'warn') {
    return texts.act[action.kind];
  }
  return action.seconds === undefined
    ? texts.act[`${action.kind}ForGood`]
    : texts.act[action.kind](timeText(action.seconds));
}

const { line } = texts;

/** How each value is written; what is not stored is written as its default. */
const lines = {
  warn_limit: (value) => line.warnLimit(read(value, 'warn_limit')),
  warn_action: (value) => line.warnAction(actText(read(value, 'warn_action'))),
  warn_expiry: (value) => {
    const expiry = read(value, 'warn_expiry');
    return expiry === 'off' ? line.warnExpiryOff : line.warnExpiry(timeText(expiry));
  },
  reports: (value) => (read(value, 'reports') ? line.reportsOn : line.reportsOff),
  trust_anonymous: (value) => (read(value, 'trust_anonymous') ? line.trustOn : line.trustOff),
  shared_bans: (value) => (read(value, 'shared_bans') ? line.sharedBansOn : line.sharedBansOff),
  quiet_actions: (value) => (read(value, 'quiet_actions') ? line.quietOn : line.quietOff),
  log_channel: (value) => {
    const channel = read(value, 'log_channel');
    return channel === undefined ? line.logChannelOff : line.logChannel(channel.title);
  },
  log_categories: (value) => {
    const categories = read(value, 'log_categories');
    return categories.length === 0
      ? line.logCategoriesOff
      : line.logCategories(joinList(categories.map((name) => texts.categories[name])));
  },
  captcha_mode: (value) => line.captchaMode(texts.captcha[read(value, 'captcha_mode')]),
  captcha_seconds: (value) => line.captchaSeconds(timeText(read(value, 'captcha_seconds'))),
  captcha_over: (value) =>
    read(value, 'captcha_over') === 'kick' ? line.captchaKick : line.captchaMute,
  raid_until: (value) => {
    const until = read(value, 'raid_until');
    return until === undefined ? line.raidOff : line.raidUntil(momentText(until));
  },
  raid_seconds: (value) => line.raidSeconds(timeText(read(value, 'raid_seconds'))),
  raid_auto: (value) => {
    const count = read(value, 'raid_auto');
    return count === 'off' ? line.raidAutoOff : line.raidAuto(count);
  },
  attack: (value) => {
    const attack = read(value, 'attack');
    return attack === undefined ? line.attackOff : line.attack(momentText(attack.until));
  },
  welcome: (value) => (read(value, 'welcome') ? line.welcomeOn : line.welcomeOff),
  welcome_content: (value) =>
    read(value, 'welcome_content') === undefined ? line.welcomeContentOff : line.welcomeContent,
  welcome_to: (value) =>
    read(value, 'welcome_to') === 'everyone' ? line.welcomeToAll : line.welcomeToNewcomer,
  welcome_keep: (value) => {
    const keep = read(value, 'welcome_keep');
    return keep === 'off' ? line.welcomeKeepOff : line.welcomeKeep(timeText(keep));
  },
  goodbye: (value) => (read(value, 'goodbye') ? line.goodbyeOn : line.goodbyeOff),
  goodbye_content: (value) =>
    read(value, 'goodbye_content') === undefined ? line.goodbyeContentOff : line.goodbyeContent,
  clean_service: (value) => {
    const kinds = read(value, 'clean_service');
    return kinds.length === 0
      ? line.cleanServiceOff
      : line.cleanService(joinList(kinds.map((name) => texts.services[name])));
  },
  rules_content: (value) =>
    read(value, 'rules_content') === undefined ? line.rulesOff : line.rules,
  rules_public: (value) => (read(value, 'rules_public') ? line.rulesPublic : line.rulesPrivate),
  blocklist_action: (value) => line.blocklistAction(actText(read(value, 'blocklist_action'))),
  flood: (value) => {
    const flood = read(value, 'flood');
    if (flood === 'off') {
      return line.floodOff;
    }
    return flood.seconds === undefined
      ? line.flood(flood.count)
      : line.floodIn(flood.count, timeText(flood.seconds));
  },
  flood_action: (value) => line.floodAction(actText(read(value, 'flood_action'))),
  reaction_limit: (value) => {
    const count = read(value, 'reaction_limit');
    return count === 'off' ? line.reactionLimitOff : line.reactionLimit(count);
  },
  reactions_unwanted: (value) => {
    const unwanted = read(value, 'reactions_unwanted');
    return unwanted.length === 0
      ? line.reactionsUnwantedOff
      : line.reactionsUnwanted(unwanted.join(' '));
  },
  reactions_of_banned: (value) =>
    read(value, 'reactions_of_banned') ? line.reactionsOfBannedOn : line.reactionsOfBannedOff,
  adult_mode: (value) => (read(value, 'adult_mode') ? line.adultsOn : line.adultsOff),
  adult_clean: (value) => line.adultsClean(timeText(read(value, 'adult_clean'))),
} as const satisfies Readonly<Record<ValueName, (value: unknown) => string>>;

function read<Name extends ValueName>(value: unknown, name: Name) {
  return readValue({ [name]: value }, name);
}

const order: readonly string[] = Object.keys(valueDefaults);

/** Sorts names of values in the order of the tabs, those of commands last. */
export function byValueName(one: string, other: string): number {
  return rank(one) - rank(other) || (one < other ? -1 : 1);
}

function rank(name: string): number {
  const index = order.indexOf(name);
  return index === -1 ? order.length : index;
}

/** The command that a value switches off, as it is typed; undefined for other values. */
export function switchedCommand(name: string): string | undefined {
  const [, id = ''] = /^off:(.+)$/.exec(name) ?? [];
  return id === '' ? undefined : `/${isCommandId(id) ? commandTable[id].names[0] : id}`;
}

/** A value in one line. A name that this version does not know is written as it is. */
export function valueLine(name: string, value: unknown): string {
  const command = switchedCommand(name);
  if (command !== undefined) {
    return value === true ? line.commandOff(command) : line.commandOn(command);
  }
  const listed = readListedName(name);
  if (listed !== undefined && listed.kind !== 'off') {
    const { kind, key } = listed;
    return value === null ? line[`${kind}Off`](key) : line[kind](key);
  }
  const write = Object.entries(lines).find(([known]) => known === name)?.[1];
  return write?.(value) ?? name;
}
