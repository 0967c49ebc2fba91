/** What happens to who joins a group: raid protection turns them away, a check asks them something, or they are in. */
import {
  type Chat,
  type ChatMember,
  type ChatMemberUpdated,
  type Message,
  type User,
} from 'grammy/types';

import { isAttackOn } from '#contract/chats/values';
import { type Dependencies } from '#server/app/dependencies';
import { createApprovalRepository } from '#server/db/approvals';
import { createJoinCheckRepository, type JoinCheck, type Newcomer } from '#server/db/join-checks';
import { anonymousId } from '#server/db/people-seen';
import { joinRules } from '#server/lib/limits';
import { isGroup, isPresent } from '#server/upstream/telegram/bot';
import { type ChatEvents, type ChatValueService } from '#services/chats';
import { type ChatSettings, readSettings } from '#services/members';
import { type Administrators } from '#services/moderation';

import { type JoinAsking, toMuteUntil } from './asking.ts';
import { type JoinEndings, type JoinTools } from './endings.ts';
import { type Raids } from './raids.ts';
import {
  checkKind,
  type Join,
  type JoinPlan,
  type JoinRecords,
  type JoinResult,
} from './records.ts';

type Tools = Pick<JoinTools, 'dueJobs' | 'chatNumbers'> & {
  readonly endings: JoinEndings;
  readonly asking: JoinAsking;
  readonly records: JoinRecords;
  readonly raids: Raids;
  readonly administrators: Pick<Administrators, 'memberStatus'>;
  readonly chatValues: Pick<ChatValueService, 'readForBot'>;
  readonly chatEvents: Pick<ChatEvents, 'followAll'>;
  readonly readLanguage: (chatId: number) => Promise<string>;
  readonly botId: number;
  readonly onChange: (chatId: number) => void;
  /** They are in and may write. `key` names the update. */
  readonly onIn: (chatId: number, user: User, key: string) => Promise<void>;
  /** They have left by themselves. */
  readonly onLeft: (chatId: number, user: User, key: string) => Promise<void>;
};

type Needs = Pick<Dependencies, 'database' | 'clock' | 'log'>;

/** Telegram itself, in whose name the posts of a linked channel arrive. */
const telegramId = 777_000;

/** Whether it matters in a chat who has joined. */
function isWatched(settings: ChatSettings, now: number): boolean {
  const { captcha_mode: mode, raid_auto: auto } = settings;
  return mode !== 'off' || auto !== 'off' || holdsNewcomers(settings, now);
}

/** Whether who joins is turned away: by raid protection, or because the chat is under attack. */
export function holdsNewcomers(
  { raid_until: raidUntil = 0, attack }: Pick<ChatSettings, 'raid_until' | 'attack'>,
  now: number,
): boolean {
  return raidUntil > now || isAttackOn(attack, now);
}

/** In a basic group Telegram lets no bot mute a member. */
function toPlan(settings: ChatSettings, { user, chat }: Arrival, now: number): JoinPlan {
  const { captcha_mode: mode } = settings;
  if (holdsNewcomers(settings, now)) {
    return 'raid';
  }
  if (mode === 'off' || chat.type !== 'supergroup' || user.is_bot) {
    return 'none';
  }
  // Who comes in without a request has not seen the gate.
  return mode === 'gate' ? 'task' : mode;
}

type Arrival = {
  readonly chat: Chat;
  readonly user: User;
  /** Who has done it: themselves, or who has added them. */
  readonly by: User;
  readonly at: number;
  readonly key: string;
  readonly isMuted: boolean;
};

const mayNotWrite = (member: ChatMember): boolean =>
  member.status === 'restricted' && !member.can_send_messages;

export function createNewcomers(deps: Needs, tools: Tools) {
  handleDue(deps, tools);
  followChanges(deps, tools);
  return { memberMoved: createMoves(deps, tools), check: createMessageCheck(deps, tools) };
}

/** Returns a function that does what follows from a join. */
function createArrivals({ database, clock }: Needs, tools: Tools) {
  const { endings, asking, records, chatValues, administrators, botId } = tools;

  async function isLetIn({ chat, user, by }: Arrival): Promise<boolean> {
    if (by.id === user.id) {
      const approved = await createApprovalRepository(database.db).list(chat.id, clock());
      return approved.some((one) => one.telegramId === user.id);
    }
    return (
      by.id === botId ||
      by.id === anonymousId ||
      // While Telegram does not say it, who was added is not turned away.
      (await administrators.memberStatus(chat.id, by.id)) !== 'member'
    );
  }

  async function follow(arrival: Arrival, result: JoinResult): Promise<void> {
    const { chat, user, key } = arrival;
    if (result.kind === 'in') {
      await tools.onIn(chat.id, user, key);
      return;
    }
    const { kind, check } = result;
    if (kind === 'removed') {
      endings.count(check);
    }
    if (kind !== 'asked') {
      await endings.finish(check);
    } else if (check.askedAt === undefined) {
      tools.onChange(chat.id);
      await asking.askNewcomer(check);
    }
  }

  return async (arrival: Arrival): Promise<void> => {
    const { chat, user, at, key, isMuted } = arrival;
    const settings = await readSettings(chatValues, chat.id);
    const letIn = await isLetIn(arrival);
    const join: Join = {
      chatId: chat.id,
      telegramId: user.id,
      at,
      key,
      isLetIn: letIn,
      isMuted,
      plan: letIn ? 'none' : toPlan(settings, arrival, clock()),
      seconds: settings.captcha_seconds,
      language: await tools.readLanguage(chat.id),
      isWatched: isWatched(settings, clock()),
    };
    const result = await records.hearJoin(join);
    if (result.isNew) {
      tools.chatNumbers.count(chat.id, 'join');
    }
    await follow(arrival, result);
    if (!letIn && result.isNew) {
      await tools.raids.joined(chat.id, at);
    }
  };
}

/** Returns a function that hears of those who join, leave, or are changed by others. */
function createMoves(deps: Needs, tools: Tools) {
  const { endings, asking, records, botId } = tools;
  const checks = createJoinCheckRepository(deps.database.db);
  const joined = createArrivals(deps, tools);

  async function left(update: ChatMemberUpdated, key: string): Promise<void> {
    const { chat, date, from, new_chat_member: now } = update;
    const who = { chatId: chat.id, telegramId: now.user.id };
    const at = date * 1000;
    const wasIn = isPresent(update.old_chat_member);
    if (!wasIn && now.status !== 'kicked') {
      // Who was out already: what they may do when they come back has changed.
      return;
    }
    const check = await checks.find(chat.id, now.user.id);
    if (check?.state === 'open' && check.kind !== 'gate' && at >= check.startedAt) {
      await endings.settle(who, 'gone', { at });
      await asking.close(chat.id);
    } else {
      const isRemoved = now.status === 'kicked' || from.id !== now.user.id;
      await records.hearLeave(who, { at, isRemoved });
    }
    if (wasIn && from.id === now.user.id) {
      tools.chatNumbers.count(chat.id, 'leave');
      await tools.onLeft(chat.id, now.user, key);
    }
  }

  /** Another than the bot's check has changed what they may do: it is theirs to decide. */
  async function changed(update: ChatMemberUpdated): Promise<void> {
    const { chat, date, new_chat_member: now } = update;
    const who = { chatId: chat.id, telegramId: now.user.id };
    const check = await checks.find(chat.id, now.user.id);
    if (check === undefined || date * 1000 < check.startedAt || check.kind === 'gate') {
      return;
    }
    if (check.state === 'open' && !isOwnMute(update, check, botId)) {
      await endings.settle(who, 'let_in', { isMuted: false });
      await asking.close(chat.id);
    } else if (check.state === 'expired') {
      const mute = { at: date * 1000, isMuted: mayNotWrite(now) };
      await records.hearMute(who, mute);
    }
  }

  /** The place of a person in a group has changed. Waits for Telegram. Rejects when the database fails. */
  return async (update: ChatMemberUpdated, key: string): Promise<void> => {
    const { chat, from, date, old_chat_member: was, new_chat_member: now } = update;
    if (!isGroup(chat) || now.user.id === botId) {
      return;
    }
    if (!isPresent(now)) {
      await left(update, key);
    } else if (isPresent(was)) {
      await changed(update);
    } else {
      const arrival = { chat, user: now.user, by: from, at: date * 1000, key };
      await joined({ ...arrival, isMuted: mayNotWrite(now) });
    }
  };
}

/**
 * Whether the bot has muted them for the check, or for an earlier one: who leaves and comes back at once may be back before
 * that call takes effect. A mute by command ends later, or never.
 */
function isOwnMute(
  { from, new_chat_member: now }: ChatMemberUpdated,
  check: JoinCheck,
  botId: number,
): boolean {
  const until = now.status === 'restricted' ? now.until_date : 0;
  return from.id === botId && mayNotWrite(now) && until > 0 && until <= toMuteUntil(check);
}

/** Returns a function that decides about a message: it goes while its writer has not passed. */
function createMessageCheck({ database, clock }: Needs, tools: Tools) {
  const { endings, records, chatValues, botId } = tools;
  const checks = createJoinCheckRepository(database.db);

  return async (message: Message): Promise<'stays' | 'goes'> => {
    const { chat, date, message_id: messageId } = message;
    const heard = isGroup(chat) ? readHeard(message, botId) : undefined;
    if (heard === undefined || !isWatched(await readSettings(chatValues, chat.id), clock())) {
      return 'stays';
    }
    const verdict = await (heard.kind === 'removal'
      ? isRemoval(checks, chat.id, heard.telegramId)
      : records.hearMessage({
          chatId: chat.id,
          telegramId: heard.telegramId,
          messageId,
          at: date * 1000,
          isNotice: heard.kind === 'notice',
          isEdited: message.edit_date !== undefined,
        }));
    if (verdict === 'goes' && messageId > 0) {
      await endings.deleteMessages(chat.id, [messageId]);
    }
    return verdict;
  };
}

type Heard = {
  /** `notice`: that they have joined; `removal`: that the bot has removed them. */
  readonly kind: 'message' | 'notice' | 'removal';
  readonly telegramId: number;
};

/** Undefined for a message of an administrator, a channel or a bot, and for one that another has caused. */
function readHeard(message: Message, botId: number): Heard | undefined {
  const { from, sender_chat: channel, new_chat_members: added, left_chat_member: out } = message;
  if (from === undefined || channel !== undefined || message.is_automatic_forward === true) {
    return undefined;
  }
  if (out !== undefined) {
    return from.id === botId ? { kind: 'removal', telegramId: out.id } : undefined;
  }
  if (added !== undefined) {
    const isOwn = added.length === 1 && added[0]?.id === from.id;
    return isOwn ? { kind: 'notice', telegramId: from.id } : undefined;
  }
  return from.is_bot || from.id === telegramId
    ? undefined
    : { kind: 'message', telegramId: from.id };
}

/** That the bot has removed who did not pass need not stand in the group. */
async function isRemoval(
  checks: ReturnType<typeof createJoinCheckRepository>,
  chatId: number,
  removedId: number,
): Promise<'stays' | 'goes'> {
  const check = await checks.find(chatId, removedId);
  const states: readonly string[] = ['failed', 'expired', 'removed'];
  return check !== undefined && states.includes(check.state) ? 'goes' : 'stays';
}

/** Looks after open checks when their time has come, and before. */
function handleDue({ database, clock }: Needs, tools: Tools): void {
  const { dueJobs, endings, asking, chatValues } = tools;
  const checks = createJoinCheckRepository(database.db);

  async function end(check: JoinCheck): Promise<void> {
    const settings = await readSettings(chatValues, check.chatId);
    const isApproved = (
      await createApprovalRepository(database.db).list(check.chatId, clock())
    ).some((one) => one.telegramId === check.telegramId);
    await (isApproved || settings.captcha_mode === 'off'
      ? endings.settle(check, 'let_in')
      : endings.settle(check, 'expired', { over: settings.captcha_over }));
    await asking.close(check.chatId);
  }

  dueJobs.handle(checkKind, async ({ chatId, telegramId: newcomerId = 0 }) => {
    const check = await checks.find(chatId, newcomerId);
    if (check?.state !== 'open' || check.kind === 'gate') {
      return true;
    }
    await (check.dueAt <= clock() ? end(check) : asking.remind(check));
    return true;
  });
}

/** Lets in who was approved meanwhile, and everyone once newcomers are not asked any more. */
function followChanges({ database, clock, log }: Needs, tools: Tools): void {
  const { endings, asking, chatEvents } = tools;
  const checks = createJoinCheckRepository(database.db);

  async function letIn(chatId: number, isMeant: (who: Newcomer) => boolean): Promise<void> {
    const open = await checks.listOpen(chatId, joinRules.maxListed);
    for (const check of open.filter((one) => one.kind !== 'gate' && isMeant(one))) {
      // In order, as Telegram takes the calls of a chat.
      await endings.settle(check, 'let_in');
    }
    await asking.close(chatId);
  }

  async function letApprovedIn(chatId: number): Promise<void> {
    const approved = await createApprovalRepository(database.db).list(chatId, clock());
    const ids = new Set(approved.map((one) => one.telegramId));
    await letIn(chatId, (who) => ids.has(who.telegramId));
  }

  chatEvents.followAll((event, chatId, isOwn) => {
    const isOff = event.kind === 'values' && event.values['chat']?.['captcha_mode'] === 'off';
    const work =
      isOwn && event.kind === 'approvals'
        ? letApprovedIn(chatId)
        : isOwn && isOff
          ? letIn(chatId, () => true)
          : undefined;
    // When their time is over, it is looked at again.
    work?.catch((error: unknown) => {
      log.warn({ err: error }, 'could not let newcomers in');
    });
  });
}
