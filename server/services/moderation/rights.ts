/**
 * What deleting shows about the bot's rights: a refusal is saved and shown to the administrators of the
 * chat in Nori, and calls that Telegram refuses are not repeated again and again.
 */
import { type Dependencies } from '#server/app/dependencies';
import { updateBotPlace } from '#server/db/bot-chats';
import { type ChatEvents } from '#services/chats';

/** How often one message is tried in a chat that refuses. Telegram does not report every new right. */
const tryEveryMs = 60_000;

export type DeletionRights = ReturnType<typeof createDeletionRights>;

export function createDeletionRights(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  events: ChatEvents,
) {
  const tryAgainAt = new Map<number, number>();

  // Telegram has reported other rights. Our own event is published before the time is set again.
  events.followAll((event, chatId) => {
    if (event.kind === 'health') {
      tryAgainAt.delete(chatId);
    }
  });

  return {
    /** `once` is one try after a refusal, `no` follows a refusal of less than a minute ago. */
    mayTry(chatId: number): 'yes' | 'once' | 'no' {
      const time = tryAgainAt.get(chatId);
      if (time === undefined) {
        return 'yes';
      }
      return time <= clock() ? 'once' : 'no';
    },

    /** Telegram has refused: the bot lacks the right to delete, or is not in the chat. */
    async lost(chatId: number, what: 'right' | 'place'): Promise<void> {
      const now = clock();
      const isNews = !tryAgainAt.has(chatId);
      tryAgainAt.set(chatId, now + tryEveryMs);
      await updateBotPlace(
        database.db,
        { chatId, ...(what === 'place' ? { isIn: false } : {}) },
        now,
      );
      if (isNews) {
        events.publish(chatId, { kind: 'health' });
        tryAgainAt.set(chatId, now + tryEveryMs);
      }
    },

    /** The bot has deleted a message of another sender. */
    async worked(chatId: number): Promise<void> {
      if (tryAgainAt.delete(chatId)) {
        await updateBotPlace(database.db, { chatId, mayDelete: true }, clock());
        events.publish(chatId, { kind: 'health' });
      }
    },
  };
}
