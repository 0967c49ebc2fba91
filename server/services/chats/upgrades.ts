import { type Dependencies } from '#server/app/dependencies';
/** A group that became a supergroup has another id: what is stored goes along, and who follows it is told. */
import { createChatRepository } from '#server/db/chats';

import { type ChatEvents } from './events.ts';

export type ChatUpgrades = ReturnType<typeof createChatUpgrades>;

export function createChatUpgrades({ database: { db } }: Dependencies, events: ChatEvents) {
  const chats = createChatRepository(db);

  return {
    /** May be repeated. */
    async upgrade(oldId: number, newId: number): Promise<void> {
      await chats.upgrade(oldId, newId);
      events.publish(oldId, { kind: 'upgraded', chat_id: String(newId) });
    },
  };
}
