/** Says from a message alone who may write what they like. */
import { type IncomingMessage } from './incoming-message.ts';

/** Telegram itself, in whose name the posts of a linked channel arrive. */
const telegramId = 777_000;

/** False when it takes a look at the chat's administrators. */
export function isExempt(
  { chatId, senderId, senderChatId, isAutomaticForward }: IncomingMessage,
  botId: number | undefined,
): boolean {
  // An administrator who hides behind the group writes in its name.
  const isAnonymousAdministrator = senderChatId === chatId;
  const isNobody = senderId === undefined && senderChatId === undefined;
  const isBot = senderId !== undefined && senderId === botId;
  return (
    isAnonymousAdministrator || isAutomaticForward || isNobody || isBot || senderId === telegramId
  );
}
