import { type Dependencies } from '#server/app/dependencies';
/**
 * Decides whether a person may still manage a chat: the owner who vouched must still own it, and the
 * person must not have lost the role they had. Telegram is asked again once the last answer is a
 * minute old.
 */
import { createChatRepository } from '#server/db/chats';
import { createManagerRepository, type Manager } from '#server/db/managers';
import { AppError } from '#server/lib/errors';
import { type ChatMember, type Telegram } from '#server/upstream/telegram/telegram';

import { type ChatUpgrades } from './upgrades.ts';

/** A lost role closes the chat at most this much later. */
const maxCheckAgeMs = 60_000;
/** While Telegram is away, its last answer holds this long. */
const graceMs = 10 * 60_000;
/** A Telegram that did not answer is left alone for this long, so that not every request waits for it. */
const pauseMs = 15_000;

export type ChatAccess = ReturnType<typeof createChatAccess>;

export function createChatAccess(
  { database: { db }, telegram, clock }: Dependencies,
  upgrades: ChatUpgrades,
) {
  const chats = createChatRepository(db);
  const managers = createManagerRepository(db);
  const underWay = new Map<string, Promise<number>>();
  const pausedUntil = new Map<string, number>();

  /**
   * The chat's present id, when the person manages it now. Otherwise throws `chat_not_found` (to
   * read) or `chat_not_verified` (to change), the same whether or not such a chat exists, and
   * `chat_not_verified` at the moment when access is found to be lost. Throws `bot_not_in_chat`
   * while the bot is out of the chat, and `telegram_unavailable` when Telegram is away for too long.
   */
  const requireManager = (askedId: number, telegramId: number, deed: 'read' | 'change') =>
    check({ askedId, telegramId, deed }, maxCheckAgeMs);

  async function check({ askedId, telegramId, deed }: Wish, maxAgeMs: number): Promise<number> {
    const chatId = await chats.presentId(askedId);
    const manager = await managers.find(chatId, telegramId);
    // Trust given by a server without a bot ends when there is a bot to ask.
    if (manager === undefined || (manager.isDemo && telegram !== undefined)) {
      throw new AppError(deed === 'read' ? 'chat_not_found' : 'chat_not_verified');
    }
    if (manager.isDemo || isWithin(maxAgeMs, manager)) {
      return chatId;
    }

    const key = `${chatId}:${telegramId}`;
    const asking = underWay.get(key) ?? ask(manager, key).finally(() => underWay.delete(key));
    underWay.set(key, asking);
    return asking;
  }

  async function ask(manager: Manager, key: string): Promise<number> {
    const now = clock();
    const waitMs = (pausedUntil.get(key) ?? 0) - now;
    if (telegram === undefined || waitMs > 0) {
      return lastAnswer(manager, waitMs);
    }
    pausedUntil.delete(key);

    try {
      const { chatId, isAllowed } = await askTelegram(telegram, manager);
      if (chatId !== manager.chatId) {
        await upgrades.upgrade(manager.chatId, chatId);
      }
      const present = { ...manager, chatId };
      if (!isAllowed) {
        await managers.remove(present);
        throw new AppError('chat_not_verified');
      }
      await managers.markChecked(present, now);
      return chatId;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'telegram_unavailable') {
        throw error;
      }
      const pause = Math.max(pauseMs, (error.retryAfterS ?? 0) * 1000);
      pausedUntil.set(key, clock() + pause);
      return lastAnswer(manager, pause);
    }
  }

  function lastAnswer(manager: Manager, waitMs: number): number {
    if (isWithin(graceMs, manager)) {
      return manager.chatId;
    }
    throw new AppError(
      'telegram_unavailable',
      waitMs > 0 ? { retryAfterS: Math.ceil(waitMs / 1000) } : {},
    );
  }

  /** A check from the future (the clock was set back) proves nothing. */
  function isWithin(ageMs: number, { checkedAt }: Manager): boolean {
    const age = clock() - checkedAt;
    return age >= 0 && age < ageMs;
  }

  return {
    requireManager,

    /**
     * As `requireManager` to read, but also while the bot is out of the chat, which a manager may know:
     * `isConfirmed` is false then, as Telegram cannot be asked whether they still are one.
     */
    async requireKnown(askedId: number, telegramId: number, maxAgeMs = maxCheckAgeMs) {
      try {
        const chatId = await check({ askedId, telegramId, deed: 'read' }, maxAgeMs);
        return { chatId, isConfirmed: true };
      } catch (error) {
        if (error instanceof AppError && error.code === 'bot_not_in_chat') {
          return { chatId: await chats.presentId(askedId), isConfirmed: false };
        }
        throw error;
      }
    },

    /** As `requireManager` to read, but Telegram's last answer counts for `maxAgeMs` only. */
    recheck: (askedId: number, telegramId: number, maxAgeMs: number) =>
      check({ askedId, telegramId, deed: 'read' }, maxAgeMs),
  };
}

type Wish = {
  readonly askedId: number;
  readonly telegramId: number;
  readonly deed: 'read' | 'change';
};

/** Somebody's role in a chat; undefined when they are not in it. */
export async function roleIn(
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

export function ownerOf(administrators: readonly ChatMember[]): ChatMember | undefined {
  return administrators.find(({ status }) => status === 'creator');
}

const roleRanks: Record<Manager['role'], number> = { creator: 2, administrator: 1, member: 0 };

async function askTelegram(telegram: Telegram, { chatId, telegramId, ownerId, role }: Manager) {
  const chat = await telegram.administrators(chatId);
  if (ownerOf(chat.administrators)?.telegramId !== ownerId) {
    return { chatId: chat.chatId, isAllowed: false };
  }
  const current = await roleIn(telegram, chat, telegramId);
  return {
    chatId: chat.chatId,
    isAllowed: current !== undefined && roleRanks[current.role] >= roleRanks[role],
  };
}
