/** Topics: what each blocks, and opening, renaming, closing and reopening them. */
import { messageTypeLabels } from '#contract/chats/message-type-texts';
import {
  allMessageTypes,
  type MessageType,
  moreMessageTypes,
  settingName,
} from '#contract/chats/message-types';
import { type Answer, type BotTools, type CommandRequest, type Handler } from '#server/bot/command';
import { commandTexts } from '#server/bot/command-texts';
import { readPhrases } from '#server/bot/reading';
import { createTopicNameRepository } from '#server/db/topics';
import { joinList, type Say } from '#server/lib/languages';
import { isForumChat } from '#server/upstream/telegram/bot';
import { refuse, requireDone } from '#services/members';

import { callOnce } from './calls.ts';

const maxNameLength = 128;

export const topics: Handler = async (request, tools): Promise<Answer> => {
  const { name: verb, say, chatId, topicId = 0 } = request;
  const texts = say(commandTexts).topics;
  if (verb === 'topics') {
    return listTopics(request, tools);
  }
  if (verb === 'newtopic' || verb === 'renametopic') {
    const name = readName(request);
    const named = await nameTopic(request, tools, name);
    // Telegram tells a bot nothing of what it has done itself.
    await tools.services.chatUpdates.topicNamed({ chatId, topicId: named, name });
    return { text: verb === 'newtopic' ? texts.created(name) : texts.renamed(name) };
  }
  const isClosing = verb === 'closetopic';
  const outcome = await callOnce(request, tools, {
    isRepeatable: true,
    make: (api, id) => (isClosing ? api.closeTopic(id, topicId) : api.reopenTopic(id, topicId)),
  });
  requireDone(outcome, { right: 'topics' });
  return { text: isClosing ? texts.closed : texts.reopened };
};

/** Opens a topic, or renames that of the command. Returns its ID. */
async function nameTopic(request: CommandRequest, tools: BotTools, name: string): Promise<number> {
  const { name: verb, topicId = 0 } = request;
  const isNew = verb === 'newtopic';
  const outcome = await callOnce(request, tools, {
    // Of the same name there may be several.
    isRepeatable: !isNew,
    make: (api, id) => (isNew ? api.createTopic(id, name) : api.renameTopic(id, topicId, name)),
  });
  const result = requireDone(outcome, { right: 'topics' });
  return result === true ? topicId : result;
}

function readName({ args }: CommandRequest): string {
  const name = args.text.trim();
  if (name === '') {
    throw refuse((_texts, say) => say(commandTexts).topics.nameMissing);
  }
  if (Array.from(name).length > maxNameLength) {
    throw refuse((_texts, say) => say(commandTexts).topics.nameTooLong(maxNameLength));
  }
  return name;
}

async function listTopics(
  { say, chatId, chat }: CommandRequest,
  { deps }: BotTools,
): Promise<Answer> {
  if (!isForumChat(chat)) {
    throw refuse((texts) => texts.topicsOnly);
  }
  const texts = say(commandTexts).topics;
  const names = await createTopicNameRepository(deps.database.db).readAll(chatId);
  return {
    text:
      names.size === 0 ? texts.usage : texts.known(joinList([...names.values()], say), texts.usage),
  };
}

/** What people call some kinds. */
const aliases: Readonly<Record<string, MessageType>> = {
  gif: 'animation',
  link: 'url',
  links: 'url',
  file: 'document',
  files: 'document',
};

/** What people write; "all" leaves out what Telegram itself writes. */
const written: readonly MessageType[] = allMessageTypes.filter(
  (type) => !moreMessageTypes.service.some((service) => service === type),
);

export const lock: Handler = async (request, tools): Promise<Answer> => {
  const { name: verb, say, args } = request;
  const texts = say(commandTexts).lock;
  if (verb === 'locktypes') {
    return { text: texts.kinds(joinList(allMessageTypes.map(toTyped), say)) };
  }
  if (verb !== 'locks') {
    const isBlocked = verb === 'lock';
    const types = readTypes(args.text, say, isBlocked);
    if (types.length === 0) {
      throw refuse((_texts, saying) => saying(commandTexts).lock.usage);
    }
    await change(request, tools, types, isBlocked);
  }
  return sayBlocked(request, tools);
};

async function change(
  { chatId, chat, issuer, topicId = 0 }: CommandRequest,
  { services }: BotTools,
  ...[types, isBlocked]: [types: readonly MessageType[], isBlocked: boolean]
): Promise<void> {
  await services.chatChanges.lockByCommand(
    { chatId, chatName: chat.title ?? '', by: issuer.telegramId },
    new Map([[topicId, Object.fromEntries(types.map((type) => [settingName(type), isBlocked]))]]),
  );
}

async function sayBlocked(
  { chatId, topicId, say }: CommandRequest,
  { services }: BotTools,
): Promise<Answer> {
  const blocked = await services.moderation.readBlockedTypes(chatId, topicId ?? 0);
  const labels = blocked.map((type) => say(messageTypeLabels)[type]);
  const texts = say(commandTexts).lock;
  return {
    text: labels.length === 0 ? texts.nothing : texts.blocked(joinList(labels, say)),
  };
}

/** What is typed for all kinds. */
const everything = 'all';

/** As it is typed: video_note. */
const toTyped = (type: MessageType): string => type;

const fold = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();

/**
 * The kinds that are named, by their names, their labels in English and in the language of the group, or by what
 * people call them. Names of two words need no quotation marks. Throws a refusal for a word that is no kind.
 */
function readTypes(text: string, say: Say, isBlocked: boolean): readonly MessageType[] {
  const words = readPhrases(text.replaceAll(',', ' ')).map(fold);
  if (words.includes(everything)) {
    return isBlocked ? written : allMessageTypes;
  }
  const byName = listNames(say);
  const found = new Set<MessageType>();
  for (let start = 0; start < words.length;) {
    const length = [3, 2, 1].find(
      (count) =>
        start + count <= words.length && byName.has(words.slice(start, start + count).join(' ')),
    );
    const type = byName.get(words.slice(start, start + (length ?? 1)).join(' '));
    if (type === undefined || length === undefined) {
      throw refuseWord(words[start] ?? '', [...byName.keys(), everything]);
    }
    found.add(type);
    start += length;
  }
  return [...found];
}

function listNames(say: Say): ReadonlyMap<string, MessageType> {
  return new Map([
    ...Object.entries(aliases),
    ...allMessageTypes.flatMap((type) =>
      [say(messageTypeLabels)[type], messageTypeLabels[type], type].map(
        (name) => [fold(name), type] as const,
      ),
    ),
  ]);
}

/** Names that differ by so many letters are similar; short ones by fewer, as they would be similar to many. */
const maxDistance = 2;
const lettersPerDifference = 2;

function refuseWord(word: string, names: readonly string[]) {
  const limit = Math.min(maxDistance, Math.floor(word.length / lettersPerDifference));
  const [nearest] = names
    .map((name) => ({ name, distance: getDistance(word, name) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((one, other) => one.distance - other.distance);
  const shown = word.slice(0, maxShownLength);
  return refuse((_texts, say) =>
    nearest === undefined
      ? say(commandTexts).lock.unknown(shown)
      : say(commandTexts).lock.didYouMean(shown, nearest.name),
  );
}

const maxShownLength = 40;

/** How many letters have to be added, removed or replaced; texts longer than a name count as far apart. */
function getDistance(one: string, other: string): number {
  if (one.length > maxShownLength) {
    return Infinity;
  }
  let row = Array.from({ length: other.length + 1 }, (_item, index) => index);
  for (const [index, letter] of Array.from(one).entries()) {
    const next = [index + 1];
    for (const [column, wanted] of Array.from(other).entries()) {
      const replaced = (row[column] ?? 0) + (letter === wanted ? 0 : 1);
      const added = (next[column] ?? 0) + 1;
      const removed = (row[column + 1] ?? 0) + 1;
      next.push(Math.min(replaced, added, removed));
    }
    row = next;
  }
  return row.at(-1) ?? Infinity;
}
