/** Answers to words: what the bot says when they are written in a chat. */
import { type ContentBody } from '#contract/chats/contents';
import {
  type Filter,
  listedName,
  maxTriggerLength,
  readListed,
  readListedName,
  toTriggerKey,
} from '#contract/chats/values';
import {
  type Answer,
  type BotTools,
  buttonData,
  type CommandRequest,
  type Handler,
  type PressHandler,
} from '#server/bot/command';
import { readPhrases } from '#server/bot/reading';
import { wordTexts } from '#server/bot/word-texts';
import { readContentOrReply } from '#services/contents';

import {
  change,
  changeHere,
  joinLines,
  readPlaces,
  refuseWith,
  sayEntries,
  sayLine,
  toPlace,
} from './blocklist.ts';

/** What follows in a command after so many signs of what it says, or what the command replies to. */
export function readBody(
  { message, args }: CommandRequest,
  { services }: BotTools,
  how: { readonly kind: 'filter' | 'note'; readonly readTo: number },
): ContentBody | undefined {
  const { botId } = services.memberCommands.rights;
  const offset = args.offset + how.readTo;
  return readContentOrReply({ message, offset }, { kind: how.kind, botId });
}

export const filters: Handler = (request, tools): Promise<Answer> => {
  const { name: verb } = request;
  if (verb === 'filter') {
    return saveFilter(request, tools);
  }
  if (verb === 'stop') {
    return removeFilters(request, tools);
  }
  return verb === 'stopall' ? askStopAll(request, tools) : listFilters(request, tools);
};

const triggerPattern =
  /^\s*((?:(?:exact|prefix):\s*)?)(?:"((?:[^"\\]|\\[\s\S])*)"|“([^”]*)”|(\S+))/iu;
const placePattern = /^(exact|prefix):\s*/i;

type Trigger = {
  readonly key: string;
  readonly match: Filter['match'];
  /** Where it ends in the command. */
  readonly readTo: number;
};

/** The words at the beginning of a command, and where they have to stand in a message. */
function readTrigger(text: string): Trigger | undefined {
  const [whole = '', before = '', straight, curly, word = ''] = triggerPattern.exec(text) ?? [];
  const phrase = straight?.replaceAll(/\\([\s\S])/g, '$1') ?? curly ?? word;
  const typed = `${before}${phrase}`;
  const [place = '', kind] = placePattern.exec(typed) ?? [];
  const key = toTriggerKey(typed.slice(place.length));
  return key === '' ? undefined : { key, match: toMatch(kind), readTo: whole.length };
}

function toMatch(kind = ''): Filter['match'] {
  const typed = kind.toLowerCase();
  return typed === 'exact' || typed === 'prefix' ? typed : 'anywhere';
}

async function saveFilter(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const { args, chatId, say, topicId, key: updateKey } = request;
  const trigger = readTrigger(args.text);
  const body = trigger && readBody(request, tools, { kind: 'filter', readTo: trigger.readTo });
  if (trigger === undefined || body === undefined) {
    throw refuseWith((texts) => texts.filters.usage);
  }
  const { key, match } = trigger;
  if (readListedName(listedName('filter', key)) === undefined) {
    const shown = key.slice(0, maxTriggerLength);
    throw refuseWith((texts) => texts.filters.tooLong(shown, maxTriggerLength));
  }
  const content = await tools.services.contents.save(chatId, body, updateKey);
  await changeHere(request, tools, { [listedName('filter', key)]: { content, match } });
  const texts = say(wordTexts).filters;
  return { text: topicId === undefined ? texts.saved(key) : texts.savedInTopic(key) };
}

/** The names of what a chat answers to where a command was written. */
async function listNames(
  chatId: number,
  place: number,
  { services }: BotTools,
): Promise<readonly string[]> {
  const stored = await services.chatValues.readForBot(chatId);
  return [...(stored.get(place)?.keys() ?? [])].filter(
    (name) => readListedName(name)?.kind === 'filter',
  );
}

async function removeFilters(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const { args, chatId, say } = request;
  const keys = readPhrases(args.text).map((phrase) =>
    toTriggerKey(phrase.replace(placePattern, '')),
  );
  if (keys.length === 0) {
    throw refuseWith((texts) => texts.filters.stopUsage);
  }
  const names = await listNames(chatId, toPlace(request), tools);
  const missing = keys.find((key) => !names.includes(listedName('filter', key)));
  if (missing !== undefined) {
    throw refuseWith((texts) => texts.notListed(missing.slice(0, maxTriggerLength)));
  }
  const removed = keys.map((key) => [listedName('filter', key), null] as const);
  await changeHere(request, tools, Object.fromEntries(removed));
  return { text: say(wordTexts).filters.removed(sayEntries(keys, say)) };
}

const stopAllVerb = 'stopall';

async function askStopAll(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const { chatId, say } = request;
  const place = toPlace(request);
  const names = await listNames(chatId, place, tools);
  const texts = say(wordTexts).filters;
  return names.length === 0
    ? { text: texts.none }
    : {
        text: texts.questionAll(names.length),
        buttons: [[{ text: texts.removeAll, data: buttonData(stopAllVerb, String(place)) }]],
      };
}

export const pressStopAll: PressHandler = async (press, tools) => {
  const { chatId, issuer, data, say } = press;
  await tools.services.memberCommands.rights.requireUser(chatId, issuer.telegramId, 'manage');
  const place = Number(data);
  const names = await listNames(chatId, place, tools);
  const removed = Object.fromEntries(names.map((name) => [name, null]));
  await change(press, tools, new Map([[place, removed]]));
  return { edit: { text: say(wordTexts).filters.allRemoved } };
};

async function listFilters(request: CommandRequest, { services }: BotTools): Promise<Answer> {
  const { chatId, say } = request;
  const { whole, own } = readPlaces(await services.chatValues.readForBot(chatId), request);
  const texts = say(wordTexts);
  const toLine = (key: string, { match }: Filter, remarks: readonly string[]) =>
    sayLine(key, [...(match === 'anywhere' ? [] : [texts.filters[match]]), ...remarks], say);
  const lines = [
    ...[...readListed(own, 'filter')].map(([key, one]) => toLine(key, one, [texts.hereOnly])),
    ...[...readListed(whole, 'filter')].map(([key, one]) => toLine(key, one, [])),
  ];
  return {
    text: lines.length === 0 ? texts.filters.none : texts.filters.list(joinLines(lines, say)),
  };
}
