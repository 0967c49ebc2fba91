/**
 * Removes reactions: unwanted ones, all of a member who gives too many, who then may give none for a day, and those of
 * who is banned. What was counted is in memory only.
 */
import { type MessageReactionUpdated, type ReactionType } from 'grammy/types';

import { type Dependencies } from '#server/app/dependencies';
import { bannedReactionsJob, unknownReactionsJob } from '#server/db/due-jobs';
import { floodRules } from '#server/lib/limits';
import { createBoundedMap } from '#server/lib/memory-cache';
import { type ChatNumbers } from '#server/services/chat-numbers';
import { type DueJob, type DueJobs } from '#server/services/due-jobs';
import { type Outbox } from '#server/services/outbox';
import { type ActionOutcome, type ChatActions } from '#server/upstream/telegram/chat-actions';
import { type ChatValueService } from '#services/chats';
import { readSettings } from '#services/members';
import { type Moderation, type Writer } from '#services/moderation';

export type ReactionTools = {
  readonly chatValues: Pick<ChatValueService, 'readForBot'>;
  readonly chatNumbers: Pick<ChatNumbers, 'count'>;
  readonly dueJobs: Pick<DueJobs, 'add' | 'addAgain' | 'handle'>;
  readonly moderation: Pick<Moderation, 'findWriter'>;
  readonly outbox: Pick<Outbox, 'send'>;
};

type Needs = Pick<Dependencies, 'chatActions' | 'clock' | 'log'>;

/** All reactions of a member; with a message ID in the body of the job, those at that message. */
const removal = 'reactions';

export type Reactions = ReturnType<typeof createReactions>;

export function createReactions(deps: Needs, tools: ReactionTools) {
  const { clock } = deps;
  const { chatValues, dueJobs } = tools;
  handleJobs(deps, tools);
  /** What each member has given lately; one update is counted once. */
  const given = createBoundedMap<string, readonly Given[]>(floodRules.maxLists);

  /** Counts new reactions. Returns whether they are more than a member may give in a minute. */
  function isTooMany(reaction: MessageReactionUpdated, update: string, max: number): boolean {
    const key = toKey(reaction);
    const at = reaction.date * 1000;
    const latest = (given.get(key) ?? []).filter(
      (one) => one.update !== update && at - one.at < floodRules.reactionsMs,
    );
    const all = [...latest, ...listAdded(reaction).map(() => ({ at, update }))];
    given.set(key, all.slice(-max - 1));
    return all.length > max;
  }

  return {
    /** Hears of a reaction. Resolves when what follows is saved. Rejects when the database fails. */
    async reacted(reaction: MessageReactionUpdated, update: string): Promise<void> {
      const { id: chatId } = reaction.chat;
      const actorId = readActor(reaction);
      const { reaction_limit: limit, reactions_unwanted: unwanted } = await readSettings(
        chatValues,
        chatId,
      );
      if (actorId === 0 || (limit === 'off' && unwanted.length === 0)) {
        return;
      }
      const names = new Set(unwanted.map(plainEmoji));
      const isUnwanted = reaction.new_reaction.some((one) => names.has(readName(one)));
      const isFlood = limit !== 'off' && isTooMany(reaction, update, limit);
      if (!isUnwanted && !isFlood) {
        return;
      }
      const isMember = (await findActor(tools, chatId, actorId)) !== undefined;
      if (isMember) {
        await dueJobs.add({
          id: `${removal}:${update}`,
          kind: removal,
          chatId,
          telegramId: actorId,
          body: isFlood ? '' : String(reaction.message_id),
          dueAt: clock(),
        });
      }
      if (isFlood || !isMember) {
        given.delete(toKey(reaction));
      }
    },
  };
}

type Given = { readonly at: number; readonly update: string };

/** 0 where the chat hides who has given it. */
const readActor = ({ user, actor_chat: chat }: MessageReactionUpdated) => chat?.id ?? user?.id ?? 0;

const toKey = (reaction: MessageReactionUpdated) => `${reaction.chat.id}:${readActor(reaction)}`;

/** Who is answerable; undefined for those whose reactions stay. */
const findActor = (
  { moderation }: ReactionTools,
  chatId: number,
  actorId: number,
): Promise<Writer | undefined> =>
  moderation.findWriter({
    chatId,
    messageId: 0,
    topicId: 0,
    albumId: undefined,
    senderId: actorId > 0 ? actorId : undefined,
    senderChatId: actorId < 0 ? actorId : undefined,
    isAutomaticForward: false,
    sentAt: undefined,
    content: {},
  });

/** Each job can be done again without harm. */
function handleJobs(deps: Needs, tools: ReactionTools): void {
  const { clock } = deps;
  const { chatValues, chatNumbers, dueJobs } = tools;
  const calls = createCalls(deps, tools);

  async function removeAll({ chatId, telegramId = 0 }: DueJob): Promise<boolean> {
    if (telegramId > 0) {
      const until = Math.floor((clock() + floodRules.noReactionsMs) / 1000);
      // First, so that nothing is given after the others are removed.
      await calls.sendAlways(chatId, (api, id) => api.forbidReactions(id, telegramId, until));
    }
    const outcome = await calls.send(chatId, (api, id) => api.removeReactions(id, telegramId));
    if (outcome.kind !== 'later') {
      chatNumbers.count(chatId, 'reaction_flood');
    }
    return outcome.kind !== 'later';
  }

  async function removeOne({ chatId, telegramId = 0, body }: DueJob): Promise<boolean> {
    const outcome = await calls.send(chatId, (api, id) =>
      api.removeReaction(id, Number(body), telegramId),
    );
    if (outcome.kind === 'done') {
      chatNumbers.count(chatId, 'reaction_removed');
    }
    return outcome.kind !== 'later';
  }

  dueJobs.handle(removal, async (job) => {
    const actor = await findActor(tools, job.chatId, job.telegramId ?? 0);
    if (actor === undefined) {
      return true;
    }
    return actor.isCertain && (await (job.body === '' ? removeAll(job) : removeOne(job)));
  });

  dueJobs.handle(bannedReactionsJob, async ({ chatId, telegramId = 0 }) => {
    const { reactions_of_banned: isOn } = await readSettings(chatValues, chatId);
    const outcome = isOn
      ? await calls.send(chatId, (api, id) => api.removeReactions(id, telegramId))
      : undefined;
    return outcome?.kind !== 'later';
  });
}

type Call = (api: ChatActions, chatId: number) => Promise<ActionOutcome>;

/** Calls Telegram, `send` unless its server has shown within the hour that it knows nothing of removing reactions. */
function createCalls({ chatActions, clock, log }: Needs, { outbox, dueJobs }: ReactionTools) {
  let unknownUntil = 0;
  // The row is how other processes know; at its time there is nothing to do.
  dueJobs.handle(unknownReactionsJob, () => Promise.resolve(true));

  async function noteUnknown(): Promise<void> {
    unknownUntil = clock() + floodRules.unknownCallMs;
    await dueJobs.addAgain({
      id: unknownReactionsJob,
      kind: unknownReactionsJob,
      chatId: 0,
      telegramId: undefined,
      body: '',
      dueAt: unknownUntil,
    });
  }

  async function sendAlways(chatId: number, make: Call): Promise<ActionOutcome> {
    const outcome = await outbox.send(
      chatId,
      (id) =>
        (chatActions && make(chatActions, id)) ??
        Promise.resolve({ kind: 'later', retryAfterS: undefined }),
    );
    if (outcome.kind === 'refused') {
      log.info({ chatId, why: outcome.description }, 'could not remove reactions');
    }
    return outcome;
  }

  return {
    sendAlways,
    async send(chatId: number, make: Call): Promise<ActionOutcome> {
      if (unknownUntil > clock()) {
        return { kind: 'refused', why: 'unknown method', description: '' };
      }
      const outcome = await sendAlways(chatId, make);
      if (outcome.kind === 'refused' && outcome.why === 'unknown method') {
        await noteUnknown();
      }
      return outcome;
    },
  };
}

/** Telegram names ❤ without the sign that makes it red, which keyboards add. */
export const plainEmoji = (emoji: string): string => emoji.replaceAll('\uFE0F', '');

/** The emoji, or the ID of a custom one; empty for a paid reaction. */
function readName(reaction: ReactionType): string {
  if (reaction.type === 'emoji') {
    return plainEmoji(reaction.emoji);
  }
  return reaction.type === 'custom_emoji' ? reaction.custom_emoji_id : '';
}

function listAdded({ old_reaction: before, new_reaction: after }: MessageReactionUpdated) {
  const had = new Set(before.map((one) => `${one.type}:${readName(one)}`));
  return after.filter((one) => !had.has(`${one.type}:${readName(one)}`));
}
