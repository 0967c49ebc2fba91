/** What each topic of each chat blocks, without a read of the database for each message. */
import { allMessageTypes, type MessageType, settingName } from '#contract/chats/message-types';
import { type Database } from '#server/db/client';
import { createBlockedTypeRepository } from '#server/db/topics';
import { type ChatEvents, createChatReads } from '#services/chats';

/** Topic id → the types it blocks; topics that block nothing are left out. */
type BlockedByTopic = ReadonlyMap<number, ReadonlySet<MessageType>>;

const typeBySettingName: ReadonlyMap<string, MessageType> = new Map(
  allMessageTypes.map((type) => [settingName(type), type]),
);

export type ChatRules = {
  /** Includes every change from before the call. */
  readonly get: (chatId: number) => Promise<BlockedByTopic>;
};

export function createChatRules(database: Database, events: ChatEvents): ChatRules {
  const repository = createBlockedTypeRepository(database.db);
  return {
    get: createChatReads<BlockedByTopic>(
      { database, events },
      {
        listChats: () => repository.listChats(),
        read: async (chatId) => groupByTopic(await repository.listOfChat(chatId)),
        nothing: new Map(),
        changedBy: 'settings',
      },
    ),
  };
}

function groupByTopic(blocked: readonly { topicId: number; name: string }[]): BlockedByTopic {
  const rules = new Map<number, Set<MessageType>>();
  for (const { topicId, name } of blocked) {
    const type = typeBySettingName.get(name);
    if (type !== undefined) {
      const types = rules.get(topicId) ?? new Set();
      rules.set(topicId, types.add(type));
    }
  }
  return rules;
}
