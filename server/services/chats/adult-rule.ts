/**
 * Where content for adults may be switched on: the owner of a group decides it, in a group that not everybody can find, on
 * a server that offers it. Each way in which the value is written asks here.
 */
import { type Dependencies } from '#server/app/dependencies';
import { type StoredChatValues, wholeChatId } from '#server/db/chat-values';
import { type ChangedValue } from '#server/db/setting-changes';
import { AppError } from '#server/lib/errors';
import { adultAnswers } from '#server/services/personal-texts';

import { findOwner } from './access.ts';
import { chatTexts } from './texts.ts';

/** Whether commands for adults can be used with this server at all. */
export const offersAdults = ({ allowsAdult, publicApi }: Dependencies['env']): boolean =>
  allowsAdult && publicApi.upstream !== undefined;

export type AdultRule = ReturnType<typeof createAdultRule>;

export function createAdultRule({ telegram, env }: Pick<Dependencies, 'telegram' | 'env'>) {
  /** Throws a refusal for a group that anyone can find. Telegram is asked each time: that can change. */
  async function requireClosed(chatId: number): Promise<void> {
    const chat = await telegram?.readChat(chatId);
    if (chat === undefined) {
      throw new AppError('telegram_unavailable');
    }
    if (chat.isPublic || chat.linkedId !== undefined) {
      throw refuse('open');
    }
  }

  /**
   * Throws unless the user may switch it on in the chat: `telegram_refused` with the reason, or `telegram_unavailable`.
   */
  async function requireAllowed(chatId: number, telegramId: number): Promise<void> {
    if (telegram === undefined || env.botMode === 'off' || !offersAdults(env)) {
      throw refuse('notHere');
    }
    const { administrators } = await telegram.administrators(chatId);
    if (findOwner(administrators)?.telegramId !== telegramId) {
      throw new AppError('telegram_refused', {
        detail: (say) => say(chatTexts).adultsByOwner,
      });
    }
    await requireClosed(chatId);
  }

  return {
    requireClosed,
    requireAllowed,

    /** Whether the user may switch it on there. Throws `telegram_unavailable`. */
    async isAllowed(chatId: number, telegramId: number): Promise<boolean> {
      try {
        await requireAllowed(chatId, telegramId);
        return true;
      } catch (error) {
        if (error instanceof AppError && error.code !== 'telegram_unavailable') {
          return false;
        }
        throw error;
      }
    },
  };
}

const refuse = (why: 'open' | 'notHere') =>
  new AppError('telegram_refused', { detail: (say) => say(adultAnswers)[why] });

export const adultName = 'adult_mode';

const isOn = (places: ReadonlyMap<number, unknown>, topicId: number): boolean =>
  (places.get(topicId) ?? places.get(wholeChatId)) === true;

/** Whether a change switches it on anywhere. A topic without a value of its own is like the whole chat. */
export function switchesAdultsOn(
  stored: StoredChatValues,
  values: readonly ChangedValue[],
): boolean {
  const before = new Map([...stored].map(([topicId, named]) => [topicId, named.get(adultName)]));
  const after = new Map(before);
  for (const { topicId, becomes } of values.filter(({ name }) => name === adultName)) {
    after.set(topicId, becomes ?? undefined);
  }
  return [wholeChatId, ...after.keys()].some(
    (topicId) => !isOn(before, topicId) && isOn(after, topicId),
  );
}
