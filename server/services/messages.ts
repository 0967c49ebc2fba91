/** Sends messages to users: by the bot, or on the console when there is none. */
import { type Dependencies } from '#server/app/dependencies';
import { type OutgoingMessage } from '#server/upstream/telegram/telegram';

export type Messages = ReturnType<typeof createMessages>;

export function createMessages({ telegram, deliver }: Dependencies) {
  return {
    /** To a user, or to a group. Returns `unreachable` when the user has never pressed Start. Throws `telegram_unavailable`. */
    send: async (telegramId: number, message: OutgoingMessage): Promise<'sent' | 'unreachable'> => {
      if (telegram) {
        return telegram.sendMessage(telegramId, message);
      }
      deliver(telegramId, message);
      return 'sent';
    },
  };
}
