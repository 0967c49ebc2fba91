/**
 * Knows who may write what they like: administrators, and the channel whose posts a group discusses.
 * Telegram is asked only about chats where a message would be deleted, and its answer holds for a minute
 * at most.
 *
 * While Telegram does not say who is an administrator nobody is taken for one, and nobody for none:
 * a message of theirs is neither deleted nor let go, but waits for the answer (due-deletions.ts). A
 * chat that the bot is not in, or where it may not even see who is there, has no answer to wait for.
 */
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { type Telegram } from '#server/upstream/telegram/telegram';
import { type ChatEvents } from '#services/chats';

import { type DeletionRights } from './rights.ts';

/** `out of reach`: the bot can delete nothing there, so that it does not matter. */
type Standing = 'administrator' | 'other' | 'unknown' | 'out of reach';

export type Administrators = {
  /** Of a person, or of the channel (an id below zero) in whose name is written. Rejects when the database fails. */
  readonly standing: (chatId: number, telegramId: number) => Promise<Standing>;
  /** Somebody has become an administrator or is none any more. */
  readonly forget: (chatId: number) => void;
};

const maxAgeMs = 60_000;
/** A Telegram that did not answer is left alone for this long, unless it says longer. */
const pauseMs = 5000;

type Answer = ReadonlySet<number> | 'unknown' | 'out of reach';
type Side = 'people' | 'channels';
type List = { readonly answer: Promise<Answer>; validUntil: number };

/** What a refusal says about the bot; every other failure may be over soon. */
const losses: ReadonlyMap<unknown, 'right' | 'place'> = new Map([
  ['bot_cannot_delete', 'right'],
  ['bot_not_in_chat', 'place'],
]);

export function createAdministrators(
  { telegram, clock, log }: Pick<Dependencies, 'telegram' | 'clock' | 'log'>,
  { events, rights }: { readonly events: ChatEvents; readonly rights: DeletionRights },
): Administrators {
  const lists: Record<Side, Map<number, List>> = { people: new Map(), channels: new Map() };
  const outOfReach = new Set<number>();
  /** A flood is about the bot, not about the chat that was asked for. */
  let quietUntil = 0;

  async function idsOf(bot: Telegram, chatId: number, side: Side): Promise<readonly number[]> {
    if (side === 'people') {
      const { administrators } = await bot.administrators(chatId);
      return administrators.map(({ telegramId }) => telegramId);
    }
    const { linkedId } = await bot.readChat(chatId);
    return linkedId === undefined ? [] : [linkedId];
  }

  async function read(chatId: number, side: Side, list: () => List | undefined): Promise<Answer> {
    try {
      return telegram === undefined ? 'unknown' : new Set(await idsOf(telegram, chatId, side));
    } catch (error) {
      log.warn({ chatId, code: codeOf(error) }, 'administrators are unknown');
      const loss = losses.get(codeOf(error));
      if (loss !== undefined) {
        await giveUp(chatId, loss);
        return 'out of reach';
      }
      const waitMs = (error instanceof AppError ? (error.retryAfterS ?? 0) : 0) * 1000;
      quietUntil = Math.max(quietUntil, clock() + waitMs);
      const failed = list();
      if (failed !== undefined) {
        failed.validUntil = clock() + Math.max(pauseMs, waitMs);
      }
      return 'unknown';
    }
  }

  async function giveUp(chatId: number, loss: 'right' | 'place'): Promise<void> {
    try {
      await rights.lost(chatId, loss);
    } catch (error) {
      // What could not be stored is asked for again.
      forget(chatId);
      throw error;
    }
    outOfReach.add(chatId);
  }

  function forget(chatId: number): void {
    lists.people.delete(chatId);
    lists.channels.delete(chatId);
  }

  function ask(chatId: number, side: Side): List {
    if (quietUntil > clock()) {
      return { answer: Promise.resolve('unknown'), validUntil: quietUntil };
    }
    const list: List = {
      answer: Promise.resolve().then(() => read(chatId, side, () => list)),
      validUntil: clock() + maxAgeMs,
    };
    outOfReach.delete(chatId);
    lists[side].set(chatId, list);
    return list;
  }

  events.followAll(({ kind }, chatId) => {
    // After news of its rights the bot may see more than before.
    if (kind === 'upgraded' || (kind === 'health' && outOfReach.delete(chatId))) {
      forget(chatId);
    }
  });

  return {
    async standing(chatId, telegramId) {
      const side = telegramId < 0 ? 'channels' : 'people';
      const present = lists[side].get(chatId);
      const isValid = present !== undefined && present.validUntil > clock();
      const list = isValid ? present : ask(chatId, side);
      const answer = await list.answer;
      if (typeof answer === 'string') {
        return answer;
      }
      return answer.has(telegramId) ? 'administrator' : 'other';
    },

    forget,
  };
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : 'refused';
}
