/**
 * Deletes messages with blocked words, links and stickers, and does to who wrote them what their entry says. While a
 * group is under attack, all links of members are deleted, too.
 */
import { type Message } from 'grammy/types';
import * as v from 'valibot';

import { type MessageType, settingName } from '#contract/chats/message-types';
import {
  type BlockAction,
  isAttackOn,
  readListed,
  readStickerSet,
  readValue,
} from '#contract/chats/values';
import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { type StoredChatValues, wholeChatId } from '#server/db/chat-values';
import { AppError } from '#server/lib/errors';
import { type Say } from '#server/lib/languages';
import { limits } from '#server/lib/limits';
import { type ChatNumbers } from '#server/services/chat-numbers';
import { type DueJob, type DueJobs } from '#server/services/due-jobs';
import { type Limiter } from '#server/services/limiter';
import { type Outbox } from '#server/services/outbox';
import { type ChatValueService } from '#services/chats';
import { fullName, type MemberCommands, sayExactly } from '#services/members';
import {
  getObject,
  type IncomingMessage,
  listShown,
  type Moderation,
  readMessage,
  readMessageTypes,
  type Writer,
} from '#services/moderation';

import {
  compileLinks,
  type Link,
  type LinkMatcher,
  listLinks,
  readLink,
  readLinkEntry,
} from './links.ts';
import { createLists } from './lists.ts';
import { foldText, toSigns } from './signs.ts';
import { automaticTexts } from './texts.ts';
import { compileWords, type WordMatcher } from './words.ts';

export type BlocklistTools = {
  readonly chats: { readonly readLanguage: (chatId: number) => Promise<Language> };
  readonly chatValues: Pick<ChatValueService, 'readForBot'>;
  readonly chatNumbers: Pick<ChatNumbers, 'count'>;
  readonly dueJobs: Pick<DueJobs, 'add' | 'handle'>;
  readonly limiter: Pick<Limiter, 'tryTake'>;
  readonly memberCommands: Pick<MemberCommands, 'ban' | 'mute' | 'warnings' | 'rights'>;
  readonly moderation: Pick<Moderation, 'remove'>;
  readonly outbox: Pick<Outbox, 'send'>;
};

type Needs = Pick<Dependencies, 'chatActions' | 'clock' | 'languages' | 'log'>;

/** The kind of the job, and the setting under which deletions are counted. */
const blocked = 'blocklist';

/** What is deleted while a group is under attack. */
const attackTypes: readonly MessageType[] = ['invite_link', 'url'];

/** Returns a check of a message of a group, new or edited. */
export function createBlocklistCheck(deps: Needs, tools: BlocklistTools) {
  const { clock } = deps;
  const { chatValues, chatNumbers, moderation } = tools;
  const getList = createLists(isOfList, compileList);
  const punish = createPunishment(deps, tools);

  return async (raw: Message, key: string): Promise<'stays' | 'goes'> => {
    const message = readMessage(raw);
    if (message === undefined) {
      return 'stays';
    }
    const { chatId, topicId } = message;
    const stored = await chatValues.readForBot(chatId);
    const list = getList(stored, chatId, topicId);
    const isAttack = isUnderAttack(stored, clock());
    if (list.isEmpty && !isAttack) {
      return 'stays';
    }
    const hit = list.find(message);
    const setting = hit === undefined ? isAttack && findLinkSetting(message, list) : blocked;
    const writer = await moderation.remove(message, setting === false ? undefined : setting);
    if (writer === undefined) {
      return 'stays';
    }
    if (hit !== undefined) {
      chatNumbers.count(chatId, blocked);
      await punish({ message, raw, writer, key }, hit);
    }
    return 'goes';
  };
}

function isUnderAttack(stored: StoredChatValues, now: number): boolean {
  const attack = readValue(Object.fromEntries(stored.get(wholeChatId) ?? []), 'attack');
  return isAttackOn(attack, now);
}

/** The setting under which a message with a link is deleted; false for one without, or with allowed ones alone. */
function findLinkSetting(message: IncomingMessage, list: Blocklist): string | false {
  const types = readMessageTypes(message.content);
  const type = attackTypes.find((candidate) => types.includes(candidate));
  return type !== undefined && !list.allowsAllLinks(message) && settingName(type);
}

/** An entry that a message has, as it was written by who has set it. */
type Hit = { readonly entry: string; readonly action: BlockAction };

type Blocklist = {
  readonly isEmpty: boolean;
  readonly find: (message: IncomingMessage) => Hit | undefined;
  readonly allowsAllLinks: (message: IncomingMessage) => boolean;
};

const isOfList = (name: string) => /^(?:block|allow):|^blocklist_action$/.test(name);

function compileList(values: readonly (readonly [name: string, value: unknown])[]): Blocklist {
  const entries = readListed(values, 'block');
  const usual = readValue(Object.fromEntries(values), 'blocklist_action');
  const sets = new Map<string, string>();
  const links: { readonly entry: string; readonly link: Link }[] = [];
  const words: string[] = [];
  for (const entry of entries.keys()) {
    const set = readStickerSet(entry);
    const link = set === undefined ? readLinkEntry(entry) : undefined;
    if (set !== undefined) {
      sets.set(set.toLowerCase(), entry);
    } else if (link === undefined) {
      words.push(entry);
    } else {
      links.push({ entry, link });
    }
  }
  const findLink = compileLinks(links.map(({ link }) => link));
  const findAllowed = compileLinks(
    [...readListed(values, 'allow').keys()].flatMap((entry) => readLinkEntry(entry) ?? []),
  );
  const matcher = compileWords(words.map((text) => ({ text, hasWildcards: true })));

  function findEntry({ content }: IncomingMessage): string | undefined {
    const set = getObject(content, 'sticker')['set_name'];
    const bySet = typeof set === 'string' ? sets.get(set.toLowerCase()) : undefined;
    if (bySet !== undefined) {
      return bySet;
    }
    const shown = readShown(content, findAllowed);
    const byLink = shown.links.map(findLink).find((index) => index !== undefined);
    return byLink === undefined ? findWord(matcher, words, shown.text) : links[byLink]?.entry;
  }

  return {
    isEmpty: entries.size === 0,
    find: (message) => {
      const entry = entries.size === 0 ? undefined : findEntry(message);
      return entry === undefined
        ? undefined
        : { entry, action: entries.get(entry)?.action ?? usual };
    },
    allowsAllLinks: ({ content }) => {
      const all = readShown(content, () => undefined).links;
      return all.length > 0 && all.every((link) => findAllowed(link) !== undefined);
    },
  };
}

function findWord(
  matcher: WordMatcher,
  words: readonly string[],
  text: string,
): string | undefined {
  const { found } =
    words.length === 0 ? { found: undefined } : matcher.find(toSigns(foldText(text)));
  return found === undefined ? undefined : words[found];
}

/** Stands between texts of a message, so that no phrase begins in one and ends in another. */
const between = ' \u{FFFF} ';

/** What a message says and where it leads, without the links that are allowed. */
function readShown(content: IncomingMessage['content'], findAllowed: LinkMatcher) {
  const links: Link[] = [];
  const texts: string[] = [];
  const isAllowed = (link: Link) => findAllowed(link) !== undefined;
  for (const { field, text } of listShown(content)) {
    if (field === 'url') {
      const link = readLink(text);
      links.push(...(link === undefined || isAllowed(link) ? [] : [link]));
      continue;
    }
    let [rest, readTo] = ['', 0];
    for (const { link, start, end } of listLinks(text)) {
      if (isAllowed(link)) {
        rest += `${text.slice(readTo, start)}${between}`;
        readTo = end;
      } else {
        links.push(link);
      }
    }
    texts.push(rest + text.slice(readTo));
  }
  return { links, text: texts.join(between) };
}

const bodySchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    name: v.string(),
    entry: v.string(),
    isBasicGroup: v.boolean(),
    topicId: v.number(),
    kind: v.picklist(['delete', 'warn', 'mute', 'ban']),
    seconds: v.optional(v.number()),
  }),
);
type Body = v.InferOutput<typeof bodySchema>;

/** What a writer is told besides why their message was deleted. */
type Consequence = (sentence: string, say: Say) => string;

const onlyDeleted: Consequence = (sentence) => sentence;

type Punished = Pick<DueJob, 'id' | 'chatId' | 'telegramId'>;

/** Does what an entry says. Resolves to undefined where the writer is told nothing, as they are gone. */
async function act(
  memberCommands: BlocklistTools['memberCommands'],
  { id, chatId, telegramId = 0 }: Punished,
  { name, entry, isBasicGroup, kind, seconds }: Body,
): Promise<Consequence | undefined> {
  const order = {
    chatId,
    by: { telegramId: memberCommands.rights.botId, name: '' },
    target: { telegramId, name },
    reason: entry,
    key: id,
    isBasicGroup,
  };
  // The owner of a channel can be kept from writing in its name, and else nothing can be done to them.
  if (kind === 'ban') {
    await memberCommands.ban({ ...order, seconds: telegramId < 0 ? undefined : seconds });
    return undefined;
  }
  if (telegramId < 0 || kind === 'delete') {
    return onlyDeleted;
  }
  if (kind === 'mute') {
    await memberCommands.mute({ ...order, seconds });
    return (sentence, say) => {
      const texts = say(automaticTexts).blocklist;
      return seconds === undefined
        ? texts.muted(sentence)
        : texts.mutedForTime(sentence, sayExactly(seconds, say));
    };
  }
  const { count, limit } = await memberCommands.warnings.warn(order);
  return (sentence, say) => say(automaticTexts).blocklist.warned(sentence, count, limit);
}

/**
 * Returns a function that tells a writer why, so that they alone see it. Where Telegram does not show such messages, they
 * are not told.
 */
function createTelling(
  { chatActions, languages }: Needs,
  { chats, limiter, outbox }: BlocklistTools,
) {
  return async (
    { chatId, telegramId = 0 }: Punished,
    { entry, topicId }: Body,
    consequence: Consequence,
  ): Promise<void> => {
    if (telegramId <= 0 || !(await limiter.tryTake(limits.blocklistNotices, chatId))) {
      return;
    }
    const say = languages.textsIn(await chats.readLanguage(chatId));
    const { deleted, stickerDeleted } = say(automaticTexts).blocklist;
    const why = readStickerSet(entry) === undefined ? deleted(entry) : stickerDeleted;
    const message = {
      text: consequence(why, say),
      topicId: topicId === 0 ? undefined : topicId,
      onlyFor: { telegramId },
    };
    await outbox.send(
      chatId,
      (id) =>
        chatActions?.send({ ...message, chatId: id }) ??
        Promise.resolve({ kind: 'later' as const, retryAfterS: undefined }),
    );
  };
}

/** Returns a function that does to a writer what an entry says, also when this process is killed, and tells them why. */
function createPunishment(deps: Needs, tools: BlocklistTools) {
  const { clock, log } = deps;
  const { dueJobs, memberCommands } = tools;
  const tell = createTelling(deps, tools);

  /** Returns whether it is done. */
  async function carryOut(job: Punished, body: Body): Promise<boolean> {
    let consequence: Consequence | undefined = onlyDeleted;
    try {
      consequence = await act(memberCommands, job, body);
    } catch (error) {
      if (!(error instanceof AppError)) {
        throw error;
      }
      if (error.code === 'telegram_unavailable') {
        return false;
      }
      log.info({ chatId: job.chatId, code: error.code }, 'could not act on a blocked word');
    }
    if (consequence !== undefined) {
      await tell(job, body, consequence);
    }
    return true;
  }

  dueJobs.handle(blocked, (job) => carryOut(job, v.parse(bodySchema, job.body)));

  return async (
    {
      message: { chatId, albumId, topicId },
      raw,
      writer,
      key,
    }: {
      readonly message: IncomingMessage;
      readonly raw: Message;
      readonly writer: Writer;
      readonly key: string;
    },
    { entry, action }: Hit,
  ): Promise<void> => {
    const { telegramId } = writer;
    const isBasicGroup = raw.chat.type === 'group';
    const body: Body = { name: readName(raw), entry, isBasicGroup, topicId, ...action };
    // Of an album one message alone counts.
    const id = `${blocked}:${albumId === undefined ? key : `${chatId}:${albumId}`}`;
    if (!writer.isCertain) {
      // Once Telegram says that it is no administrator the message goes, and that is all.
      return;
    }
    if (action.kind === 'delete') {
      await carryOut({ id, chatId, telegramId }, body);
      return;
    }
    const job = { id, kind: blocked, chatId, telegramId, dueAt: clock() };
    await dueJobs.add({ ...job, body: JSON.stringify(body) });
  };
}

function readName({ from, sender_chat: channel }: Message): string {
  return channel?.title ?? (from === undefined ? '' : fullName(from));
}
