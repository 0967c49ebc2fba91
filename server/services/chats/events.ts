/** Publishes what happens in chats to open pages and to the bot, and moves chats to new IDs. */
import { type ChatEvent } from '#contract/endpoints/chat-activity';
import { type Dependencies } from '#server/app/dependencies';
import { createChatRepository } from '#server/db/chats';

type Listener = (event: ChatEvent, chatId: number) => void;

export type ChatEvents = {
  /** Calls all listeners before it returns. A listener must not throw. */
  readonly publish: (chatId: number, event: ChatEvent) => void;
  /** Follows one chat until the returned function is called. */
  readonly follow: (chatId: number, listener: Listener) => () => void;
  /** Follows all chats until the returned function is called. */
  readonly followAll: (listener: Listener) => () => void;
};

export function createChatEvents(): ChatEvents {
  const byChat = new Map<number, Set<Listener>>();
  const global = new Set<Listener>();

  return {
    publish(chatId, event) {
      for (const listener of [...global, ...(byChat.get(chatId) ?? [])]) {
        listener(event, chatId);
      }
    },

    follow(chatId, listener) {
      const listeners = byChat.get(chatId) ?? new Set();
      byChat.set(chatId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) {
          byChat.delete(chatId);
        }
      };
    },

    followAll(listener) {
      global.add(listener);
      return () => global.delete(listener);
    },
  };
}

export type ChatUpgrades = ReturnType<typeof createChatUpgrades>;

/** A group that becomes a supergroup gets another ID. */
export function createChatUpgrades({ database: { db } }: Dependencies, events: ChatEvents) {
  const chats = createChatRepository(db);

  return {
    /** Moves what is stored to the new ID and tells those who follow the chat. May be repeated. */
    async upgrade(oldId: number, newId: number): Promise<void> {
      await chats.upgrade(oldId, newId);
      events.publish(oldId, { kind: 'upgraded', chat_id: String(newId) });
    },
  };
}
