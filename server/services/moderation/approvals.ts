/** Members whom administrators have approved: what is deleted automatically stays when they write it. */
import { type Dependencies } from '#server/app/dependencies';
import { createApprovalRepository } from '#server/db/approvals';
import { type ChatEvents } from '#services/chats';

export type Approvals = ReturnType<typeof createApprovals>;

/** Chats whose approved members are known. */
const maxKnownChats = 5000;

/**
 * On SQLite this server is the only one that writes, and it publishes every change, so the approvals of a chat
 * are kept in memory; on PostgreSQL another server may write, and they are read each time.
 */
export function createApprovals(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  events: ChatEvents,
) {
  const rows = createApprovalRepository(database.db);
  /** Chat → member → until when, or for good. The chats that were read least recently are the first. */
  const known = new Map<number, Promise<ReadonlyMap<number, number>>>();

  events.followAll((event, chatId) => {
    if (event.kind === 'approvals') {
      known.delete(chatId);
    } else if (event.kind === 'upgraded') {
      known.delete(chatId);
      known.delete(Number(event.chat_id));
    }
  });

  async function read(chatId: number): Promise<ReadonlyMap<number, number>> {
    try {
      const approved = await rows.list(chatId, clock());
      return new Map(approved.map(({ telegramId, until }) => [telegramId, until ?? Infinity]));
    } catch (error) {
      known.delete(chatId);
      throw error;
    }
  }

  function readKnown(chatId: number): Promise<ReadonlyMap<number, number>> {
    const reading = known.get(chatId) ?? read(chatId);
    known.delete(chatId);
    known.set(chatId, reading);
    const [oldest] = known.keys();
    if (known.size > maxKnownChats && oldest !== undefined) {
      known.delete(oldest);
    }
    return reading;
  }

  return {
    /** Whether an approval of the member counts now. Rejects when the database fails. */
    async isApproved(chatId: number, telegramId: number): Promise<boolean> {
      const approved = await (database.engine === 'sqlite' ? readKnown(chatId) : read(chatId));
      return (approved.get(telegramId) ?? 0) > clock();
    },
  };
}
