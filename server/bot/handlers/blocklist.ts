/** The blocklist: what is on it, what is allowed all the same, and what happens to who writes it. */
import {
  type BlockAction,
  type BlockEntry,
  listedName,
  maxPatternSigns,
  maxTriggerLength,
  readListed,
  readListedName,
  readStickerSet,
  toStickerKey,
  toTriggerKey,
} from '#contract/chats/values';
import { type Answer, type BotTools, type CommandRequest, type Handler } from '#server/bot/command';
import { getReply, readPhrases } from '#server/bot/reading';
import { wordTexts } from '#server/bot/word-texts';
import { type StoredChatValues, wholeChatId } from '#server/db/chat-values';
import { joinList, type Say } from '#server/lib/languages';
import { readLinkEntry } from '#services/automatic';
import { readSettings, refuse, sayExactly } from '#services/members';

import { readAction } from './warnings.ts';

export const refuseWith = (write: (texts: typeof wordTexts) => string) =>
  refuse((_texts, say) => write(say(wordTexts)));

/** A command in a topic is about that topic; in General, and where there are no topics, about the whole chat. */
export const toPlace = ({ topicId }: Pick<CommandRequest, 'topicId'>): number =>
  topicId ?? wholeChatId;

/** Saves what a command sets where it was written; null removes it. */
export async function changeHere(
  request: CommandRequest,
  tools: BotTools,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  await change(request, tools, new Map([[toPlace(request), values]]));
}

/** The same for other places. */
export async function change(
  { chatId, chat, issuer }: Pick<CommandRequest, 'chatId' | 'chat' | 'issuer'>,
  { services: { chatValues } }: BotTools,
  wanted: Parameters<typeof chatValues.changeByCommand>[1],
): Promise<void> {
  await chatValues.changeByCommand(
    { chatId, chatName: chat.title ?? '', by: issuer.telegramId, kind: 'values' },
    wanted,
  );
}

/** What counts where a command was written: the names of the chat, and those of its topic. */
export function readPlaces(stored: StoredChatValues, request: Pick<CommandRequest, 'topicId'>) {
  const whole = stored.get(wholeChatId) ?? new Map<string, unknown>();
  const place = toPlace(request);
  const own = place === wholeChatId ? undefined : stored.get(place);
  return { whole, own: own ?? new Map<string, unknown>() };
}

/** Telegram's limit for a message, with room for what stands around a list. */
const maxListLength = 3500;

/** As many lines as fit into a message, and how many there are besides. */
export function joinLines(lines: readonly string[], say: Say): string {
  let length = 0;
  const fitting = lines.filter((line) => {
    length += line.length + 1;
    return length <= maxListLength;
  });
  const rest = lines.length - fitting.length;
  return [...fitting, ...(rest === 0 ? [] : [say(wordTexts).more(rest)])].join('\n');
}

export const sayEntries = (entries: readonly string[], say: Say): string =>
  joinList(
    entries.map((entry) => say(wordTexts).quoted(entry)),
    say,
  );

export const blocklist: Handler = (request, tools): Promise<Answer> => {
  const { name: verb, args } = request;
  if (verb === 'addblocklist') {
    return add(request, tools);
  }
  if (verb === 'rmblocklist') {
    return remove(request, tools);
  }
  if (verb === 'blockmode') {
    return setMode(request, tools);
  }
  if (verb === 'allowlist') {
    return args.text.trim() === '' ? listAllowed(request, tools) : allow(request, tools);
  }
  return listBlocked(request, tools);
};

const actionPattern = /\s*\{\s*([^{}]*?)\s*\}\s*$/u;

/** The entries of a command, and what happens to who writes them. */
function readTyped(request: CommandRequest): {
  readonly keys: readonly string[];
  readonly action: BlockAction | undefined;
} {
  const { text } = request.args;
  const [whole = '', typed] = actionPattern.exec(text) ?? [];
  const action = typed === undefined ? undefined : readBlockAction(typed.toLowerCase());
  if (typed !== undefined && action === undefined) {
    throw refuseWith((texts) => texts.blocklist.usage('{warn}', '{mute 1h}', '{ban}'));
  }
  const keys = readPhrases(text.slice(0, text.length - whole.length)).map(toKey);
  return { keys: keys.length === 0 ? readSticker(request) : keys, action };
}

function toKey(phrase: string): string {
  const [, set] = /^(?:https?:\/\/)?t\.me\/addstickers\/(\w+)$/i.exec(phrase) ?? [];
  const key = toTriggerKey(phrase).replace(/^https?:\/\//, '');
  const typed = set ?? readStickerSet(key);
  return typed === undefined ? key : toStickerKey(typed);
}

/** The set of the sticker that a command replies to. */
function readSticker({ message }: CommandRequest): readonly string[] {
  const sticker = getReply(message)?.sticker;
  if (sticker === undefined) {
    return [];
  }
  if (sticker.set_name === undefined) {
    throw refuseWith((texts) => texts.blocklist.noSet);
  }
  return [toStickerKey(sticker.set_name)];
}

/** `delete`, `warn`, `mute 1h` or `ban`. Throws a refusal for an impossible time. */
function readBlockAction(text: string): BlockAction | undefined {
  const typed = text.trim();
  if (typed === 'delete' || typed === 'warn') {
    return { kind: typed };
  }
  const action = readAction(typed);
  return action?.kind === 'kick' ? undefined : action;
}

/** Throws a refusal for what cannot be on the list, which says why. */
function requirePossible(key: string): void {
  if (readListedName(listedName('block', key)) !== undefined) {
    return;
  }
  throw refuseWith(({ blocklist: texts }) => {
    if (!/[^\s*?]/u.test(key)) {
      return texts.noSigns;
    }
    const shown = key.slice(0, maxTriggerLength);
    return Array.from(key).length > maxTriggerLength
      ? texts.tooLong(shown, maxTriggerLength)
      : texts.tooLongPattern(shown, maxPatternSigns);
  });
}

const allowPrefix = 'allow:';

async function add(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const { keys, action } = readTyped(request);
  if (keys.length === 0) {
    throw refuseWith((texts) => texts.blocklist.usage('{warn}', '{mute 1h}', '{ban}'));
  }
  const blocked = keys.filter((key) => !key.startsWith(allowPrefix));
  const allowed = keys.flatMap((key) =>
    key.startsWith(allowPrefix) ? key.slice(allowPrefix.length) : [],
  );
  blocked.forEach(requirePossible);
  const entry: BlockEntry = action === undefined ? {} : { action };
  await changeHere(request, tools, {
    ...Object.fromEntries(blocked.map((key) => [listedName('block', key), entry])),
    ...toAllowed(allowed),
  });
  return {
    text: [
      ...(blocked.length === 0 ? [] : [sayAdded(blocked, request)]),
      ...(allowed.length === 0 ? [] : [sayAllowed(allowed, request)]),
    ].join('\n'),
  };
}

function toAllowed(keys: readonly string[]): Readonly<Record<string, unknown>> {
  for (const key of keys) {
    const isPossible = readListedName(listedName('allow', key)) !== undefined;
    if (!isPossible || readLinkEntry(key) === undefined) {
      throw refuseWith((texts) => texts.blocklist.noLink(key.slice(0, maxTriggerLength)));
    }
  }
  return Object.fromEntries(keys.map((key) => [listedName('allow', key), true]));
}

function sayAdded(keys: readonly string[], { say, topicId }: CommandRequest): string {
  const texts = say(wordTexts).blocklist;
  const entries = sayEntries(keys, say);
  return topicId === undefined ? texts.added(entries) : texts.addedInTopic(entries);
}

function sayAllowed(keys: readonly string[], { say, topicId }: CommandRequest): string {
  const texts = say(wordTexts).blocklist;
  const entries = sayEntries(keys, say);
  return topicId === undefined ? texts.allowed(entries) : texts.allowedInTopic(entries);
}

async function allow(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const keys = readTyped(request).keys.map((key) =>
    key.startsWith(allowPrefix) ? key.slice(allowPrefix.length) : key,
  );
  await changeHere(request, tools, toAllowed(keys));
  return { text: sayAllowed(keys, request) };
}

/** From the blocklist, and where it is not there from what is allowed. */
async function remove(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const { keys } = readTyped(request);
  if (keys.length === 0) {
    throw refuseWith((texts) => texts.blocklist.removeUsage);
  }
  const stored = await tools.services.chatValues.readForBot(request.chatId);
  const here = stored.get(toPlace(request));
  const names = keys.map((key) => {
    const name = [
      listedName('block', key),
      listedName('allow', key.startsWith(allowPrefix) ? key.slice(allowPrefix.length) : key),
    ].find((one) => here?.has(one) === true);
    if (name === undefined) {
      throw refuseWith((texts) => texts.notListed(key.slice(0, maxTriggerLength)));
    }
    return name;
  });
  await changeHere(request, tools, Object.fromEntries(names.map((name) => [name, null])));
  const { say } = request;
  return { text: say(wordTexts).blocklist.removed(sayEntries(keys, say)) };
}

async function setMode(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const { args, say, chatId } = request;
  const text = args.text.trim().toLowerCase();
  if (text !== '') {
    const action = readBlockAction(text);
    if (action === undefined) {
      throw refuseWith((texts) => texts.blocklist.modeUsage);
    }
    await change(request, tools, new Map([[wholeChatId, { blocklist_action: action }]]));
  }
  const { blocklist_action: usual } = await readSettings(tools.services.chatValues, chatId);
  return { text: sayAction(say(wordTexts).blocklist.rules, usual, say) };
}

type ActionTexts = (typeof wordTexts)['blocklist']['rules' | 'actions'];

function sayAction(texts: ActionTexts, action: BlockAction, say: Say): string {
  const { kind } = action;
  if ((kind !== 'mute' && kind !== 'ban') || action.seconds === undefined) {
    return texts[kind];
  }
  return texts[`${kind}ForTime`](sayExactly(action.seconds, say));
}

async function listBlocked(request: CommandRequest, { services }: BotTools): Promise<Answer> {
  const { say, chatId } = request;
  const { chatValues } = services;
  const { whole, own } = readPlaces(await chatValues.readForBot(chatId), request);
  const texts = say(wordTexts);
  const inChat = [...readListed(whole, 'block')].map(([key, { action }]) =>
    sayLine(
      key,
      action === undefined ? [] : [sayAction(texts.blocklist.actions, action, say)],
      say,
    ),
  );
  const inTopic = [...readListed(own, 'block')].map(([key, { action }]) =>
    sayLine(
      key,
      [
        ...(action === undefined ? [] : [sayAction(texts.blocklist.actions, action, say)]),
        texts.hereOnly,
      ],
      say,
    ),
  );
  const lines = [...inTopic, ...inChat];
  if (lines.length === 0) {
    return { text: texts.blocklist.empty };
  }
  const { blocklist_action: usual } = await readSettings(chatValues, chatId);
  const rule = sayAction(texts.blocklist.rules, usual, say);
  return { text: texts.blocklist.list(joinLines(lines, say), rule) };
}

/** A line of a list with what there is to say about an entry. */
export function sayLine(entry: string, remarks: readonly string[], say: Say): string {
  const texts = say(wordTexts);
  return remarks.length === 0 ? texts.line(entry) : texts.lineWith(entry, joinList(remarks, say));
}

async function listAllowed(request: CommandRequest, { services }: BotTools): Promise<Answer> {
  const { say, chatId } = request;
  const { whole, own } = readPlaces(await services.chatValues.readForBot(chatId), request);
  const texts = say(wordTexts);
  const lines = [
    ...[...readListed(own, 'allow').keys()].map((key) => sayLine(key, [texts.hereOnly], say)),
    ...[...readListed(whole, 'allow').keys()].map((key) => sayLine(key, [], say)),
  ];
  return {
    text:
      lines.length === 0
        ? texts.blocklist.noneAllowed
        : texts.blocklist.allowList(joinLines(lines, say)),
  };
}
