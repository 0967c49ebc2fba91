import { type BotTools } from '#server/bot/command';
/** Calls of handlers to Telegram. */
import { type ActionOutcome, type ChatActions } from '#server/upstream/telegram/chat-actions';

/** Makes a call about a chat when it is the chat's turn. */
export function callTelegram<T>(
  chatId: number,
  { deps, services }: Pick<BotTools, 'deps' | 'services'>,
  make: (api: ChatActions, chatId: number) => Promise<ActionOutcome<T>>,
): Promise<ActionOutcome<T>> {
  const { chatActions } = deps;
  return services.outbox.send(chatId, (id) =>
    chatActions === undefined
      ? Promise.resolve({ kind: 'later', retryAfterS: undefined })
      : make(chatActions, id),
  );
}
