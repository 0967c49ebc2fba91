/**
 * Decides whether a user may still manage a chat: the owner who confirmed it must still own it, and the
 * user must not have lost the role they had. Telegram is asked again when its last answer is a minute old.
 */
import { type Dependencies } from '#server/app/dependencies';
import { createChatRepository } from '#server/db/chats';
import { createManagerRepository, type Manager } from '#server/db/managers';
import { createErasedMarks } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { type ChatMember, type Telegram } from '#server/upstream/telegram/telegram';

import { type ChatUpgrades } from './events.ts';

/** A lost role closes the chat at most this much later. */
const maxCheckAgeMs = 60_000;
/** While Telegram does not answer, its last answer counts for this long. */
const graceMs = 10 * 60_000;
/** After a failure Telegram is not asked again for this long, so that not every request waits for it. */
const pauseMs = 15_000;

/** To read or to change: without access, these are refused with different codes. */
type Intent = 'read' | 'change';

type AccessCheck = {
  readonly givenId: number;
  readonly telegramId: number;
  readonly intent: Intent;
};

export type ChatAccess = ReturnType<typeof createChatAccess>;

export function createChatAccess(
  { database: { db }, telegram, clock, keptKeys }: Dependencies,
  upgrades: ChatUpgrades,
) {
  const toMarks = createErasedMarks(keptKeys.erasedIds);
  const chats = createChatRepository(db);
  const managers = createManagerRepository(db);
  const checksUnderWay = new Map<string, Promise<number>>();
  const pauses = createCheckPauses(clock);

  /**
   * Returns the current ID of the chat when the user manages it now. Otherwise throws `chat_not_found`
   * (to read) or `chat_not_verified` (to change), the same whether or not such a chat exists, and
   * `chat_not_verified` at the moment when access is found to be lost. Throws `bot_not_in_chat`
   * while the bot is out of the chat, and `telegram_unavailable` when Telegram does not answer for too
   * long.
   */
  const requireManager = (givenId: number, telegramId: number, intent: Intent) =>
    check({ givenId, telegramId, intent }, maxCheckAgeMs);

  async function check(
    { givenId, telegramId, intent }: AccessCheck,
    maxAgeMs: number,
  ): Promise<number> {
    const manager = await managers.find(givenId, telegramId);
    // A chat that was added without a bot is no longer trusted when there is a bot to ask.
    if (manager === undefined || (manager.isDemo && telegram !== undefined)) {
      throw new AppError(intent === 'read' ? 'chat_not_found' : 'chat_not_verified');
    }
    if (manager.isDemo || isWithin(maxAgeMs, manager)) {
      return manager.chatId;
    }

    const key = `${manager.chatId}:${telegramId}`;
    const running =
      checksUnderWay.get(key) ??
      checkWithTelegram(manager, key).finally(() => checksUnderWay.delete(key));
    checksUnderWay.set(key, running);
    return running;
  }

  async function checkWithTelegram(manager: Manager, key: string): Promise<number> {
    const now = clock();
    const waitMs = pauses.getWaitMs(key);
    if (telegram === undefined || waitMs > 0) {
      return useLastAnswer(manager, waitMs);
    }

    try {
      const { chatId, isAllowed } = await readAccess(telegram, manager, toMarks);
      if (chatId !== manager.chatId) {
        await upgrades.upgrade(manager.chatId, chatId);
      }
      const current = { ...manager, chatId };
      if (!isAllowed) {
        await managers.remove(current);
        throw new AppError('chat_not_verified');
      }
      await managers.markChecked(current, now);
      return chatId;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'telegram_unavailable') {
        throw error;
      }
      const pause = Math.max(pauseMs, (error.retryAfterS ?? 0) * 1000);
      pauses.start(key, pause);
      return useLastAnswer(manager, pause);
    }
  }

  function useLastAnswer(manager: Manager, waitMs: number): number {
    if (isWithin(graceMs, manager)) {
      return manager.chatId;
    }
    throw new AppError(
      'telegram_unavailable',
      waitMs > 0 ? { retryAfterS: Math.ceil(waitMs / 1000) } : {},
    );
  }

  /** A time in the future (the clock was set back) counts as too old. */
  function isWithin(ageMs: number, { checkedAt }: Manager): boolean {
    const age = clock() - checkedAt;
    return age >= 0 && age < ageMs;
  }

  /** As `requireManager` to read, but Telegram's last answer counts for `maxAgeMs`. */
  const recheck = (givenId: number, telegramId: number, maxAgeMs: number) =>
    check({ givenId, telegramId, intent: 'read' }, maxAgeMs);

  return {
    requireManager,
    recheck,

    /** The account is deleted. */
    forget: (telegramId: number): void => pauses.forget(telegramId),

    /**
     * As `recheck`, but does not throw while the bot is out of the chat, so that a manager can be told.
     * `isConfirmed` is then false, as Telegram cannot say whether the user still manages the chat.
     */
    async requireKnown(givenId: number, telegramId: number, maxAgeMs = maxCheckAgeMs) {
      try {
        return { chatId: await recheck(givenId, telegramId, maxAgeMs), isConfirmed: true };
      } catch (error) {
        if (error instanceof AppError && error.code === 'bot_not_in_chat') {
          return { chatId: await chats.currentId(givenId), isConfirmed: false };
        }
        throw error;
      }
    },
  };
}

/** About whom Telegram is not to be asked for a while; a key is a chat and a user. */
function createCheckPauses(clock: () => number) {
  const pausedUntil = new Map<string, number>();
  return {
    /** Not above 0 when there is no pause. */
    getWaitMs: (key: string): number => (pausedUntil.get(key) ?? 0) - clock(),
    start(key: string, ms: number): void {
      pausedUntil.set(key, clock() + ms);
      // So that no more is in memory than what is needed.
      setTimeout(() => pausedUntil.delete(key), ms).unref();
    },
    forget(telegramId: number): void {
      for (const key of [...pausedUntil.keys()].filter((one) => one.endsWith(`:${telegramId}`))) {
        pausedUntil.delete(key);
      }
    },
  };
}

/** The role of a user in a chat; undefined when they are not in it. */
export async function readRole(
  telegram: Telegram,
  chat: { readonly chatId: number; readonly administrators: readonly ChatMember[] },
  telegramId: number,
): Promise<{ readonly role: Manager['role']; readonly member: ChatMember } | undefined> {
  const listed = chat.administrators.find((member) => member.telegramId === telegramId);
  if (listed?.status === 'creator' || listed?.status === 'administrator') {
    return { role: listed.status, member: listed };
  }
  const { member } = await telegram.member(chat.chatId, telegramId);
  return member.isPresent ? { role: 'member', member } : undefined;
}

export function findOwner(administrators: readonly ChatMember[]): ChatMember | undefined {
  return administrators.find(({ status }) => status === 'creator');
}

const roleRanks: Record<Manager['role'], number> = { creator: 2, administrator: 1, member: 0 };

async function readAccess(
  telegram: Telegram,
  { chatId, telegramId, ownerId, role }: Manager,
  toMarks: (telegramId: number) => readonly number[],
) {
  const chat = await telegram.administrators(chatId);
  const owner = findOwner(chat.administrators)?.telegramId;
  // Of an owner who has deleted their account, only the mark is stored.
  const isSame = owner !== undefined && (owner === ownerId || toMarks(owner).includes(ownerId));
  if (!isSame) {
    return { chatId: chat.chatId, isAllowed: false };
  }
  const current = await readRole(telegram, chat, telegramId);
  return {
    chatId: chat.chatId,
    isAllowed: current !== undefined && roleRanks[current.role] >= roleRanks[role],
  };
}
