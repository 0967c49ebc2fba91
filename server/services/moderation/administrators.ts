/**
 * Knows the administrators of chats, and the channel whose posts a group discusses: their messages stay.
 * Telegram is asked only about chats where a message would be deleted, and its answer is used for a minute
 * at most.
 *
 * While Telegram does not answer, the status of everyone is unknown: a message is neither deleted nor let
 * go, but waits for the answer (deletion-scheduler.ts). For a chat that the bot is not in, or whose
 * members it may not see, there is no answer to wait for.
 */
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { type ChatMember, type Telegram } from '#server/upstream/telegram/telegram';
import { type ChatEvents } from '#services/chats';

import { type DeletionRights } from './rights.ts';

/** `unreachable`: the bot can delete nothing in the chat, so the status does not matter. */
type MemberStatus = 'administrator' | 'member' | 'unknown' | 'unreachable';

export type Administrators = ReturnType<typeof createAdministrators>;

const maxAgeMs = 60_000;
/** How long Telegram is not asked again after a failure, unless it says longer. */
const retryAfterMs = 5000;

/** By ID. Of the channel whose posts a group discusses nothing else is known. */
type Members = ReadonlyMap<number, ChatMember | undefined>;
type Found = Members | 'unknown' | 'unreachable';
type Kind = 'users' | 'channels';
type List = { readonly found: Promise<Found>; validUntil: number };
type Lists = Record<Kind, Map<number, List>>;

/** Refusals that say what the bot has lost; other failures may be over soon. */
const losses: ReadonlyMap<unknown, 'right' | 'place'> = new Map([
  ['bot_cannot_delete', 'right'],
  ['bot_not_in_chat', 'place'],
]);

export function createAdministrators(
  { telegram, clock, log }: Pick<Dependencies, 'telegram' | 'clock' | 'log'>,
  { events, rights }: { readonly events: ChatEvents; readonly rights: DeletionRights },
) {
  const lists: Lists = { users: new Map(), channels: new Map() };
  const unreachable = new Set<number>();
  /** Flood limits apply to the bot, not to the chat that was asked about. */
  let quietUntil = 0;

  async function load(chatId: number, kind: Kind, getList: () => List): Promise<Found> {
    try {
      return telegram === undefined ? 'unknown' : await loadMembers(telegram, chatId, kind);
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'refused';
      log.warn({ chatId, code }, 'could not read the administrators of a chat');
      const loss = losses.get(code);
      if (loss !== undefined) {
        await saveLoss(chatId, loss);
        return 'unreachable';
      }
      const waitMs = (error instanceof AppError ? (error.retryAfterS ?? 0) : 0) * 1000;
      quietUntil = Math.max(quietUntil, clock() + waitMs);
      getList().validUntil = clock() + Math.max(retryAfterMs, waitMs);
      return 'unknown';
    }
  }

  async function saveLoss(chatId: number, loss: 'right' | 'place'): Promise<void> {
    try {
      await rights.lost(chatId, loss);
    } catch (error) {
      // The list is loaded again, and with it the loss that could not be saved.
      forget(chatId);
      throw error;
    }
    unreachable.add(chatId);
  }

  function forget(chatId: number): void {
    lists.users.delete(chatId);
    lists.channels.delete(chatId);
  }

  function refresh(chatId: number, kind: Kind): List {
    if (quietUntil > clock()) {
      return { found: Promise.resolve('unknown'), validUntil: quietUntil };
    }
    const list: List = {
      found: Promise.resolve().then(() => load(chatId, kind, () => list)),
      validUntil: clock() + maxAgeMs,
    };
    unreachable.delete(chatId);
    lists[kind].set(chatId, list);
    return list;
  }

  function find(chatId: number, kind: Kind): Promise<Found> {
    const known = lists[kind].get(chatId);
    const isValid = known !== undefined && known.validUntil > clock();
    return (isValid ? known : refresh(chatId, kind)).found;
  }

  followEvents(events, forget, { lists, unreachable });

  return {
    /**
     * Of a user, or of the channel (an id below zero) in whose name a message is written; 0 is a sender that
     * Telegram does not name. Rejects when the database fails.
     */
    async memberStatus(chatId: number, telegramId: number): Promise<MemberStatus> {
      if (telegramId === 0) {
        return 'member';
      }
      const found = await find(chatId, telegramId < 0 ? 'channels' : 'users');
      if (typeof found === 'string') {
        return found;
      }
      return found.has(telegramId) ? 'administrator' : 'member';
    },

    /**
     * The owner and the administrators, bots among them, in the order of Telegram. Throws `telegram_unavailable`
     * while Telegram does not answer, and `bot_not_in_chat` where it has no answer. Rejects when the database fails.
     */
    async list(chatId: number): Promise<readonly ChatMember[]> {
      const found = await find(chatId, 'users');
      if (typeof found === 'string') {
        const waitMs = quietUntil - clock();
        throw found === 'unknown'
          ? new AppError(
              'telegram_unavailable',
              waitMs > 0 ? { retryAfterS: Math.ceil(waitMs / 1000) } : {},
            )
          : new AppError('bot_not_in_chat');
      }
      return [...found.values()].filter((member) => member !== undefined);
    },

    /** To be called when the administrators of a chat may have changed. The other processes forget them, too. */
    forget: (chatId: number): void => {
      forget(chatId);
      events.tell({ kind: 'administrators', chatId });
    },

    /** Forgets every list in which the person is; Telegram is asked again when one is needed. */
    forgetPerson: async (telegramId: number): Promise<void> => {
      const chatIds = await listChatsWith(lists.users, telegramId);
      chatIds.forEach(forget);
    },
  };
}

/** Forgets what may have changed, as this process or another has heard. */
function followEvents(
  events: ChatEvents,
  forget: (chatId: number) => void,
  { lists, unreachable }: { readonly lists: Lists; readonly unreachable: Set<number> },
): void {
  events.followAll(({ kind }, chatId) => {
    // With other rights the bot may see more than before.
    if (kind === 'upgraded' || (kind === 'health' && unreachable.delete(chatId))) {
      forget(chatId);
    }
  });
  events.onTold((event) => {
    if (event.kind === 'administrators') {
      forget(event.chatId);
    }
  });
  events.onMissed(() => {
    lists.users.clear();
    lists.channels.clear();
  });
}

async function listChatsWith(
  lists: ReadonlyMap<number, List>,
  telegramId: number,
): Promise<readonly number[]> {
  const known = await Promise.all(
    [...lists].map(async ([chatId, { found }]) => {
      const members = await found.catch(() => 'unknown');
      return typeof members !== 'string' && members.has(telegramId) ? [chatId] : [];
    }),
  );
  return known.flat();
}

async function loadMembers(telegram: Telegram, chatId: number, kind: Kind): Promise<Members> {
  if (kind === 'users') {
    const { administrators } = await telegram.administrators(chatId);
    return new Map(administrators.map((member) => [member.telegramId, member]));
  }
  const { linkedId } = await telegram.readChat(chatId);
  return new Map(linkedId === undefined ? [] : [[linkedId, undefined]]);
}
