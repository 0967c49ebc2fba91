/** Chats that a person already manages, put straight into a server's database. */
import { type TestServer } from './test-server.ts';

type ManagedChat = {
  readonly id: number;
  readonly name?: string;
  readonly topics?: readonly number[];
  readonly isDemo?: boolean;
};

/** Makes the person a manager of these chats. The person has an account already. */
export async function giveChats(
  { db, now }: TestServer,
  telegramId: number,
  chats: readonly ManagedChat[],
): Promise<void> {
  const at = now();
  await db.transaction().execute(async (tx) => {
    for (const { id, name = '', topics = [0], isDemo = true } of chats) {
      const chat = { chat_id: id, chat_name: name, is_demo: isDemo ? 1 : 0, created_at: at };
      const manager = {
        chat_id: id,
        telegram_id: telegramId,
        owner_id: telegramId,
        role: 'creator' as const,
        verified_at: at,
        checked_at: at,
      };
      const rows = topics.map((topic) => ({ chat_id: id, topic_id: topic, created_at: at }));
      await tx.insertInto('chats').values(chat).execute();
      await tx.insertInto('chat_managers').values(manager).execute();
      await tx.insertInto('topics').values(rows).execute();
    }
  });
}

/** Takes the chat away from everyone, as when its owner sells it. */
export async function takeChatAway({ db }: TestServer, chatId: number): Promise<void> {
  await db.deleteFrom('chat_managers').where('chat_id', '=', chatId).execute();
}
