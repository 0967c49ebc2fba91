/** Tells those who follow a chat what happens there: open pages, and the bot that enforces its settings. */
import { type ChatEvent } from '#contract/endpoints/chat-activity';

type Listener = (event: ChatEvent, chatId: number) => void;

export type ChatEvents = {
  /** Tells everybody, before it returns. A listener must not throw. */
  readonly publish: (chatId: number, event: ChatEvent) => void;
  /** Follows one chat until the returned function is called. */
  readonly follow: (chatId: number, listener: Listener) => () => void;
  /** Follows all chats until the returned function is called. */
  readonly followAll: (listener: Listener) => () => void;
};

export function createChatEvents(): ChatEvents {
  const ofChat = new Map<number, Set<Listener>>();
  const ofAll = new Set<Listener>();

  return {
    publish(chatId, event) {
      for (const listener of [...ofAll, ...(ofChat.get(chatId) ?? [])]) {
        listener(event, chatId);
      }
    },

    follow(chatId, listener) {
      const listeners = ofChat.get(chatId) ?? new Set();
      ofChat.set(chatId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) {
          ofChat.delete(chatId);
        }
      };
    },

    followAll(listener) {
      ofAll.add(listener);
      return () => ofAll.delete(listener);
    },
  };
}
