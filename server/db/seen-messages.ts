/** Which messages a topic has and who wrote them, so that many can be deleted at once. Times are epoch milliseconds. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';
import { rowsPerInsert } from './topics.ts';

export type SeenMessage = {
  readonly chatId: number;
  readonly messageId: number;
  /** 0 is General, and what is in no topic. */
  readonly topicId: number;
  readonly senderId: number;
  readonly sentAt: number;
};

type Range = {
  /** All topics when absent. */
  readonly topicId?: number | undefined;
  /** Telegram deletes no older ones. */
  readonly sentAfter: number;
  readonly limit: number;
};

type FromTo = { readonly fromMessageId: number; readonly toMessageId?: number | undefined };

export function createSeenMessageRepository(db: Kysely<Tables>) {
  return {
    /** Messages that are stored already stay as they are. */
    async add(messages: readonly SeenMessage[]): Promise<void> {
      for (let start = 0; start < messages.length; start += rowsPerInsert) {
        // In order: a connection runs one statement at a time.
        await db
          .insertInto('seen_messages')
          .values(
            messages.slice(start, start + rowsPerInsert).map((message) => ({
              chat_id: message.chatId,
              message_id: message.messageId,
              topic_id: message.topicId,
              sender_id: message.senderId,
              sent_at: message.sentAt,
            })),
          )
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    },

    /** To be called when messages were deleted. */
    async remove(chatId: number, messageIds: readonly number[]): Promise<void> {
      for (let start = 0; start < messageIds.length; start += rowsPerInsert) {
        await db
          .deleteFrom('seen_messages')
          .where('chat_id', '=', chatId)
          .where('message_id', 'in', messageIds.slice(start, start + rowsPerInsert))
          .execute();
      }
    },

    /** The IDs of messages from one on, the oldest first; both ends are included. */
    async listFrom(
      chatId: number,
      { fromMessageId, toMessageId, limit, ...range }: Range & FromTo,
    ): Promise<readonly number[]> {
      const rows = await selectIds(db, chatId, range)
        .where('message_id', '>=', fromMessageId)
        .$if(toMessageId !== undefined, (query) =>
          query.where('message_id', '<=', toMessageId ?? 0),
        )
        .orderBy('message_id')
        .limit(limit)
        .execute();
      return rows.map(({ message_id }) => message_id);
    },

    /** The IDs of the messages before one, the newest first. */
    async listNewest(
      chatId: number,
      { beforeMessageId, limit, ...range }: Range & { readonly beforeMessageId: number },
    ): Promise<readonly number[]> {
      const rows = await selectIds(db, chatId, range)
        .where('message_id', '<', beforeMessageId)
        .orderBy('message_id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ message_id }) => message_id);
    },

    /** The IDs of what a member wrote, the newest first. */
    async listBySender(
      chatId: number,
      senderId: number,
      { limit, ...range }: Range,
    ): Promise<readonly number[]> {
      const rows = await selectIds(db, chatId, range)
        .where('sender_id', '=', senderId)
        .orderBy('message_id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ message_id }) => message_id);
    },

    /** Removes messages that were sent before a time, and of each chat the oldest beyond `maxPerChat`. */
    async removeOld({
      before,
      maxPerChat,
    }: {
      readonly before: number;
      readonly maxPerChat: number;
    }): Promise<void> {
      await db.deleteFrom('seen_messages').where('sent_at', '<', before).execute();
      // Answered from the index alone.
      const full = await db
        .selectFrom('seen_messages')
        .select('chat_id')
        .groupBy('chat_id')
        .having(({ eb, fn }) => eb(fn.countAll(), '>', maxPerChat))
        .execute();
      for (const { chat_id } of full) {
        await removeBeyond(db, chat_id, maxPerChat);
      }
    },
  };
}

function selectIds(
  db: Kysely<Tables>,
  chatId: number,
  { topicId, sentAfter }: Omit<Range, 'limit'>,
) {
  return db
    .selectFrom('seen_messages')
    .select('message_id')
    .where('chat_id', '=', chatId)
    .where('sent_at', '>', sentAfter)
    .$if(topicId !== undefined, (query) => query.where('topic_id', '=', topicId ?? 0));
}

async function removeBeyond(db: Kysely<Tables>, chatId: number, max: number): Promise<void> {
  await db
    .deleteFrom('seen_messages')
    .where('chat_id', '=', chatId)
    .where('message_id', '<=', (eb) =>
      eb
        .selectFrom('seen_messages as newer')
        .select('newer.message_id')
        .where('newer.chat_id', '=', chatId)
        .orderBy('newer.message_id', 'desc')
        .limit(1)
        .offset(max),
    )
    .execute();
}
