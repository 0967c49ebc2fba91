import { type Dependencies } from '#server/app/dependencies';
/**
 * What deleting teaches about the bot's rights: a refusal is written down and shown to those who
 * manage the chat, and Telegram is not asked again and again for what it refuses.
 */
import { learnBotPlace } from '#server/db/bot-chats';
import { type ChatEvents } from '#services/chats';

/** How often a chat that refused is tried all the same: not every new right is heard of. */
const tryEveryMs = 60_000;

export type DeletionRights = {
  /** `once` is a try after a refusal; `no` as long as the last one is not long ago. */
  readonly mayTry: (chatId: number) => 'yes' | 'once' | 'no';
  readonly lost: (chatId: number, what: 'right' | 'place') => Promise<void>;
  readonly worked: (chatId: number) => Promise<void>;
};

export function createDeletionRights(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  events: ChatEvents,
): DeletionRights {
  const tryAgainAt = new Map<number, number>();

  // What the bot may do has changed, says somebody who knows better; our own words are noted after.
  events.followAll((event, chatId) => {
    if (event.kind === 'health') {
      tryAgainAt.delete(chatId);
    }
  });

  return {
    mayTry(chatId) {
      const time = tryAgainAt.get(chatId);
      if (time === undefined) {
        return 'yes';
      }
      return time <= clock() ? 'once' : 'no';
    },

    async lost(chatId, what) {
      const now = clock();
      const isNews = !tryAgainAt.has(chatId);
      tryAgainAt.set(chatId, now + tryEveryMs);
      await learnBotPlace(
        database.db,
        { chatId, ...(what === 'place' ? { isIn: false } : {}) },
        now,
      );
      if (isNews) {
        events.publish(chatId, { kind: 'health' });
        tryAgainAt.set(chatId, now + tryEveryMs);
      }
    },

    async worked(chatId) {
      if (tryAgainAt.delete(chatId)) {
        await learnBotPlace(database.db, { chatId, mayDelete: true }, clock());
        events.publish(chatId, { kind: 'health' });
      }
    },
  };
}
