/**
 * Ends floods: a member who writes too many messages in a row, or in some seconds, is muted, removed or banned once, and
 * the whole run is deleted. What was counted is in memory only: after a restart, counting starts again.
 */
import { type Message } from 'grammy/types';
import * as v from 'valibot';

import { type ChatValues } from '#contract/chats/values';
import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { floodRules, limits } from '#server/lib/limits';
import { createBoundedMap } from '#server/lib/memory-cache';
import { type ChatNumbers } from '#server/services/chat-numbers';
import { type DueJob, type DueJobs } from '#server/services/due-jobs';
import { type Limiter } from '#server/services/limiter';
import { type Outbox } from '#server/services/outbox';
import { type ChatValueService } from '#services/chats';
import {
  fullName,
  type MemberCommands,
  readSettings,
  sayExactly,
  sayRefusal,
} from '#services/members';
import {
  deletableForMs,
  type DeletionScheduler,
  type IncomingMessage,
  isServiceType,
  type Moderation,
  readMessage,
  readMessageTypes,
} from '#services/moderation';

import { automaticTexts } from './texts.ts';

export type FloodTools = {
  readonly chats: { readonly readLanguage: (chatId: number) => Promise<Language> };
  readonly chatValues: Pick<ChatValueService, 'readForBot'>;
  readonly chatNumbers: Pick<ChatNumbers, 'count'>;
  readonly deletions: Pick<DeletionScheduler, 'deleteNow' | 'deleteLater'>;
  readonly dueJobs: Pick<DueJobs, 'add' | 'handle'>;
  readonly limiter: Pick<Limiter, 'tryTake'>;
  readonly memberCommands: Pick<MemberCommands, 'ban' | 'kick' | 'mute' | 'rights'>;
  readonly moderation: Pick<Moderation, 'findWriter'>;
  readonly outbox: Pick<Outbox, 'send'>;
};

type Needs = Pick<Dependencies, 'chatActions' | 'clock' | 'languages' | 'log'>;

/** The kind of the job, the setting under which deletions are counted, and the reason of what was done. */
const flooding = 'flood';

/** How long the bot's sentence about it stays in the group. */
const noticeMs = 60_000;

const bodySchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    name: v.string(),
    isBasicGroup: v.boolean(),
    action: v.object({
      kind: v.picklist(['mute', 'kick', 'ban']),
      seconds: v.optional(v.number()),
    }),
    messages: v.array(
      v.object({ messageId: v.number(), topicId: v.number(), giveUpAt: v.number() }),
    ),
  }),
);
type Body = v.InferOutput<typeof bodySchema>;

/** Returns a check of a message of a group, which the messages of all topics reach. */
export function createFloodCheck(deps: Needs, tools: FloodTools) {
  const { clock } = deps;
  const { chatValues, dueJobs, deletions, moderation } = tools;
  const runs = createRuns();
  /** Until when further messages of a member go without being counted. */
  const caught = createBoundedMap<string, number>(floodRules.maxLists);
  dueJobs.handle(flooding, createFloodJob(deps, tools));

  /** Saves what is to be done about a run, so that it is done once, and also when this process is killed. */
  const saveJob = (entry: Entry, key: string, body: Body) =>
    dueJobs.add({
      id: `${flooding}:${key}`,
      kind: flooding,
      chatId: entry.chatId,
      telegramId: entry.writerId,
      body: JSON.stringify(body),
      dueAt: clock(),
    });

  return async (raw: Message, key: string): Promise<'stays' | 'goes'> => {
    const message = readCounted(raw);
    if (message === undefined) {
      return 'stays';
    }
    const { flood, flood_action: action } = await readSettings(chatValues, message.chatId);
    if (flood === 'off') {
      return 'stays';
    }
    const entry = toEntry(message, clock());
    const place = `${entry.chatId}:${entry.writerId}`;
    const isCaught = () => (caught.get(place) ?? 0) > clock();
    const run = isCaught() ? [entry] : runs.add(entry, flood);
    if (run === undefined) {
      return 'stays';
    }
    if ((await moderation.findWriter(message)) === undefined) {
      runs.forget(entry, flood);
      return 'stays';
    }
    // Another message of theirs may have been the one too many meanwhile.
    if (isCaught()) {
      await deletions.deleteNow(toDeletions(entry.chatId, [entry]));
      return 'goes';
    }
    caught.set(place, clock() + floodRules.tailMs);
    try {
      await saveJob(entry, key, {
        name: readName(raw),
        isBasicGroup: raw.chat.type === 'group',
        action,
        messages: run.map(({ messageId, topicId, giveUpAt }) => ({ messageId, topicId, giveUpAt })),
      });
    } catch (error) {
      caught.delete(place);
      throw error;
    }
    runs.forget(entry, flood);
    return 'goes';
  };
}

/** Undefined for what is not counted: edited messages, service messages, and those that one person alone sees. */
function readCounted(raw: Message): IncomingMessage | undefined {
  const message = raw.edit_date === undefined ? readMessage(raw) : undefined;
  return message === undefined ||
    message.messageId === 0 ||
    readMessageTypes(message.content).some(isServiceType)
    ? undefined
    : message;
}

function readName({ from, sender_chat: channel }: Message): string {
  return channel?.title ?? (from === undefined ? '' : fullName(from));
}

const toDeletions = (chatId: number, messages: Body['messages']) =>
  messages.map(({ messageId, topicId, giveUpAt }) => ({
    chatId,
    messageId,
    topicId,
    giveUpAt,
    setting: flooding,
  }));

type Entry = {
  readonly chatId: number;
  readonly writerId: number;
  readonly messageId: number;
  readonly topicId: number;
  readonly albumId: string | undefined;
  readonly at: number;
  readonly giveUpAt: number;
};

function toEntry(
  { chatId, messageId, topicId, albumId, senderId, senderChatId, sentAt }: IncomingMessage,
  now: number,
): Entry {
  const at = sentAt ?? now;
  // All who write in the name of a channel have the same sender id.
  const writerId = senderChatId ?? senderId ?? 0;
  return { chatId, writerId, messageId, topicId, albumId, at, giveUpAt: at + deletableForMs };
}

type Flood = Exclude<ChatValues['flood'], 'off'>;

const byTime = (one: Entry, other: Entry) => one.messageId - other.messageId;

/** In the place of a writer whose message is not counted any more. */
const noOne = Number.NaN;

/** Messages before a run that are remembered, as some are handled a little later than those after them. */
const maxBefore = 16;

/** The latest messages of each chat, or of each member where a time is set, in the order in which they were written. */
function createRuns() {
  const lists = createBoundedMap<string, readonly Entry[]>(floodRules.maxLists);

  const toKey = ({ chatId, writerId }: Entry, { seconds }: Flood) =>
    seconds === undefined ? String(chatId) : `${chatId}:${writerId}`;

  return {
    /** Remembers a message, once. Returns its run when that is as long as it may not be. */
    add(entry: Entry, flood: Flood): readonly Entry[] | undefined {
      const key = toKey(entry, flood);
      const list = (lists.get(key) ?? [])
        .filter(({ messageId }) => messageId !== entry.messageId)
        .concat(entry)
        .toSorted(byTime);
      const run =
        flood.seconds === undefined ? findRow(list, entry) : findLatest(list, flood.seconds);
      const [first] = run;
      const start = first === undefined ? 0 : list.indexOf(first);
      lists.set(key, list.slice(Math.max(start - maxBefore, 0)));
      return countMessages(run) >= flood.count ? run : undefined;
    },
    /** The messages of this writer are not counted again. The newest still stands between those of others. */
    forget(entry: Entry, flood: Flood): void {
      const key = toKey(entry, flood);
      const list = lists.get(key) ?? [];
      const newest = list.findLast(({ writerId }) => writerId === entry.writerId);
      const others = list.filter(({ writerId }) => writerId !== entry.writerId);
      const between = newest === undefined ? [] : [{ ...newest, writerId: noOne }];
      lists.set(key, others.concat(between).toSorted(byTime));
    },
  };
}

/** The messages around one that its writer has written without another between them, and without a long pause. */
function findRow(list: readonly Entry[], entry: Entry): readonly Entry[] {
  const at = list.indexOf(entry);
  const isBreak = (one: Entry, before: Entry | undefined) =>
    before === undefined ||
    one.writerId !== before.writerId ||
    one.at - before.at > floodRules.pauseMs;
  let start = at;
  while (!isBreak(list[start] ?? entry, list[start - 1])) {
    start -= 1;
  }
  const after = list.findIndex((one, index) => index > at && isBreak(one, list[index - 1]));
  return list.slice(start, after === -1 ? list.length : after);
}

/** The messages within so many seconds before the newest one. */
function findLatest(list: readonly Entry[], seconds: number): readonly Entry[] {
  const newest = list.at(-1);
  return list.filter(
    ({ at, writerId }) =>
      newest !== undefined && writerId === newest.writerId && newest.at - at < seconds * 1000,
  );
}

/** An album is one. */
function countMessages(run: readonly Entry[]): number {
  return new Set(run.map(({ albumId, messageId }) => albumId ?? messageId)).size;
}

/** Returns what the job does: deletes the run, and has the bot mute, remove or ban who wrote it. */
function createFloodJob({ chatActions, clock, languages, log }: Needs, tools: FloodTools) {
  const { chats, chatNumbers, deletions, limiter, memberCommands, outbox } = tools;

  function act(job: DueJob, { name, isBasicGroup, action }: Body): Promise<unknown> {
    const telegramId = job.telegramId ?? 0;
    const order = {
      chatId: job.chatId,
      by: { telegramId: memberCommands.rights.botId, name: '' },
      target: { telegramId, name },
      reason: flooding,
      seconds: action.seconds,
      key: job.id,
      isBasicGroup,
    };
    // A channel can only be banned, and for good: then its owner writes in their own name.
    return telegramId < 0
      ? memberCommands.ban({ ...order, seconds: undefined })
      : memberCommands[action.kind](order);
  }

  /** Says what was done, or why it could not be, so often only. */
  async function announce(
    { chatId, telegramId = 0 }: DueJob,
    body: Body,
    failure: AppError | undefined,
  ): Promise<void> {
    if (!(await limiter.tryTake(limits.floodNotices, chatId))) {
      return;
    }
    const say = languages.textsIn(await chats.readLanguage(chatId));
    const texts = say(automaticTexts).flood;
    const { name, action, messages } = body;
    const kind = telegramId < 0 ? 'ban' : action.kind;
    const duration =
      action.seconds === undefined || telegramId < 0 ? undefined : sayExactly(action.seconds, say);
    const done =
      kind === 'kick'
        ? texts.kick(name)
        : duration === undefined
          ? texts[kind](name)
          : texts[`${kind}ForTime`](name, duration);
    const text = failure === undefined ? done : texts.failed(name, sayRefusal(failure, say));
    const topicId = messages.at(-1)?.topicId ?? 0;
    const outcome = await outbox.send(
      chatId,
      (id) =>
        chatActions?.send({ chatId: id, text, topicId: topicId === 0 ? undefined : topicId }) ??
        Promise.resolve({ kind: 'later' as const, retryAfterS: undefined }),
    );
    if (outcome.kind === 'done') {
      await deletions.deleteLater(chatId, [outcome.result.messageId], noticeMs);
    }
  }

  return async (job: DueJob): Promise<boolean> => {
    const body = v.parse(bodySchema, job.body);
    const now = clock();
    await deletions.deleteNow(
      toDeletions(job.chatId, body.messages).filter(({ giveUpAt }) => giveUpAt > now),
    );
    let failure: AppError | undefined;
    try {
      await act(job, body);
    } catch (error) {
      if (!(error instanceof AppError)) {
        throw error;
      }
      if (error.code === 'telegram_unavailable') {
        return false;
      }
      log.info({ chatId: job.chatId, code: error.code }, 'could not act on a flood');
      failure = error;
    }
    chatNumbers.count(job.chatId, 'flood');
    await announce(job, body, failure);
    return true;
  };
}
