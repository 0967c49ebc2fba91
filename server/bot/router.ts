/** Brings each update to those who work with it. */
import { Bot as GrammyBot, BotError } from 'grammy';
import { type Chat, type Message, type Update, type UserFromGetMe } from 'grammy/types';

import { type UntilStored } from './until-stored.ts';
import { type HandleUpdate } from './update-queue.ts';

/** Decides about a message in a group or supergroup; resolves when nothing of it can get lost any more. */
type OnGroupMessage = (message: Message, about: { readonly isEdited: boolean }) => Promise<void>;

/**
 * What decides about messages and what hears of chats is done until it is stored. An answer is not
 * given a second time.
 *
 * `hear` adds those who learn from updates, `answer` those who answer them. Both use `TelegramBot` only:
 * errors of the context's own calls hold the token.
 */
export function createRouter({
  token,
  me,
  onGroupMessage,
  untilStored,
  hear,
  answer,
}: {
  readonly token: string;
  readonly me: UserFromGetMe;
  readonly onGroupMessage: OnGroupMessage;
  readonly untilStored: UntilStored;
  readonly hear: (bot: GrammyBot) => void;
  readonly answer: (bot: GrammyBot) => void;
}): HandleUpdate {
  const hearing = new GrammyBot(token, { botInfo: me });
  hear(hearing);
  const answering = new GrammyBot(token, { botInfo: me });
  answer(answering);

  return async (update, alongside) => {
    const message = update.message ?? update.edited_message;
    if (message !== undefined && isGroup(message.chat)) {
      const about = { isEdited: update.edited_message !== undefined };
      alongside(untilStored(() => onGroupMessage(message, about)));
    }
    await untilStored(() => bring(hearing, update));
    // Telegram may take ten seconds for an answer; the next message of the chat is judged meanwhile.
    alongside(bring(answering, update));
  };
}

async function bring(bot: GrammyBot, update: Update): Promise<void> {
  try {
    await bot.handleUpdate(update);
  } catch (error) {
    // The context around it holds the token, and would be logged with it.
    throw error instanceof BotError ? error.error : error;
  }
}

export function isGroup({ type }: Chat): boolean {
  return type === 'group' || type === 'supergroup';
}
