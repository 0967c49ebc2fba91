/** Sends messages to users: by the bot, or on the console when there is none. */
import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { type Say } from '#server/lib/languages';
import { type OutgoingMessage } from '#server/upstream/telegram/telegram';

import { messageTexts } from './message-texts.ts';

export type Messages = ReturnType<typeof createMessages>;

export function createMessages({ telegram, deliver, languages }: Dependencies) {
  return {
    /**
     * To a user, or to a group; `write` makes the message in the recipient's language, which is `language` as far
     * as is known. Returns `unreachable` when the user has never pressed Start. Throws `telegram_unavailable`.
     */
    send: async (
      telegramId: number,
      language: Language,
      write: (say: Say) => OutgoingMessage,
    ): Promise<'sent' | 'unreachable'> => {
      const say = languages.textsIn(language);
      const message = write(say);
      if (telegram) {
        const { code } = message;
        const copyLabel = code === undefined ? undefined : say(messageTexts).copyCode(code);
        return telegram.sendMessage(telegramId, { ...message, copyLabel });
      }
      deliver(telegramId, message);
      return 'sent';
    },
  };
}
