/** Messages that are to be deleted later. Times are epoch milliseconds. */
import { type ExpressionBuilder } from 'kysely';

import { type Database } from './client.ts';
import { createLeaseClock } from './leases.ts';
import { type Tables } from './tables.ts';

export type Deletion = {
  readonly chatId: number;
  readonly messageId: number;
  /** The setting it is deleted for, or `deletedByCommand`; undefined for a message of the bot itself. */
  readonly setting: string | undefined;
  /** When Telegram does not delete it any more. */
  readonly giveUpAt: number;
  /** Where it is, for the numbers of the chat; 0 is General. */
  readonly topicId?: number | undefined;
};

/** In the place of a setting: an administrator has had the message deleted. */
export const deletedByCommand = 'command';

export type DueDeletion = Deletion & {
  /** Set as long as it is unknown whether the sender is an administrator. */
  readonly senderId: number | undefined;
};

/** A deletion as it was claimed. What a process writes of an earlier claim than the current one is refused. */
export type ClaimedDeletion = DueDeletion & {
  /** Counts the claims of the row. */
  readonly epoch: number;
};

type Claimed = Pick<ClaimedDeletion, 'chatId' | 'messageId' | 'epoch'>;

/** Both databases limit the values of a statement; a row has seven. */
const rowsPerStatement = 1000;

export function createDueDeletionRepository({ db, engine }: Database) {
  const clock = createLeaseClock(engine);

  return {
    /** Of two times for the same message the earlier one counts. */
    async add(deletions: readonly DueDeletion[], dueAt: number): Promise<void> {
      for (let start = 0; start < deletions.length; start += rowsPerStatement) {
        // In order: a connection runs one statement at a time.
        await db
          .insertInto('due_deletions')
          .values(
            deletions.slice(start, start + rowsPerStatement).map((deletion) => ({
              chat_id: deletion.chatId,
              message_id: deletion.messageId,
              due_at: dueAt,
              setting: deletion.setting ?? null,
              sender_id: deletion.senderId ?? null,
              give_up_at: deletion.giveUpAt,
              topic_id: deletion.topicId ?? null,
            })),
          )
          .onConflict((conflict) =>
            conflict
              .columns(['chat_id', 'message_id'])
              .doUpdateSet({ due_at: dueAt })
              .where('due_deletions.due_at', '>', dueAt),
          )
          .execute();
      }
    },

    claimDue: (now: number, claim: Claim) => claimDue({ db, engine }, now, claim),

    /** Extends leases. */
    async renew(claimed: readonly Claimed[], leaseMs: number): Promise<void> {
      for (let start = 0; start < claimed.length; start += rowsPerStatement) {
        const some = claimed.slice(start, start + rowsPerStatement);
        // In order: a connection runs one statement at a time.
        await db
          .updateTable('due_deletions')
          .set({ leased_until: clock.after(leaseMs) })
          .where(matchesClaims(some))
          .execute();
      }
    },

    /** Ends all leases, also those of other processes. */
    async releaseAll(): Promise<void> {
      await db
        .updateTable('due_deletions')
        .set({ leased_until: 0 })
        .where('leased_until', '>', 0)
        .execute();
    },

    /** Of what no process has leased. */
    async readNextDueAt(): Promise<number | undefined> {
      const row = await db
        .selectFrom('due_deletions')
        .select('due_at')
        .where('leased_until', '<=', clock.now)
        .orderBy('due_at')
        .limit(1)
        .executeTakeFirst();
      return row?.due_at;
    },

    /** Ends the lease; they are due again at `dueAt`. */
    async postpone(claimed: readonly Claimed[], dueAt: number): Promise<void> {
      if (claimed.length > 0) {
        await db
          .updateTable('due_deletions')
          .set({ due_at: dueAt, leased_until: 0 })
          .where(matchesClaims(claimed))
          .execute();
      }
    },

    async remove(claimed: readonly Claimed[]): Promise<void> {
      if (claimed.length > 0) {
        await db.deleteFrom('due_deletions').where(matchesClaims(claimed)).execute();
      }
    },
  };
}

/** Finds rows by the claims of their holder, unless they were claimed again since. */
function matchesClaims(claimed: readonly Claimed[]) {
  return (eb: ExpressionBuilder<Tables, 'due_deletions'>) =>
    eb(
      eb.refTuple('chat_id', 'message_id', 'epoch'),
      'in',
      claimed.map(({ chatId, messageId, epoch }) => eb.tuple(chatId, messageId, epoch)),
    );
}

type Claim = { readonly limit: number; readonly leaseMs: number };

/**
 * Leases what is due to the caller, the longest overdue first, and returns it. What another process has
 * leased is left out.
 */
async function claimDue(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  now: number,
  { limit, leaseMs }: Claim,
): Promise<readonly ClaimedDeletion[]> {
  const clock = createLeaseClock(engine);
  const rows = await db
    .with('due', (cte) => {
      const due = cte
        .selectFrom('due_deletions')
        .select(['chat_id', 'message_id'])
        .where('due_at', '<=', now)
        .where('leased_until', '<=', clock.now)
        .orderBy('due_at')
        .orderBy('chat_id')
        .orderBy('message_id')
        .limit(limit);
      return engine === 'postgres' ? due.forUpdate().skipLocked() : due;
    })
    .updateTable('due_deletions')
    .set((eb) => ({ leased_until: clock.after(leaseMs), epoch: eb('epoch', '+', 1) }))
    .where((eb) =>
      eb(
        eb.refTuple('chat_id', 'message_id'),
        'in',
        eb.selectFrom('due').select(['chat_id', 'message_id']).$asTuple('chat_id', 'message_id'),
      ),
    )
    .returning(['chat_id', 'message_id', 'setting', 'sender_id', 'give_up_at', 'topic_id', 'epoch'])
    .execute();
  return rows
    .map((row) => ({
      chatId: row.chat_id,
      messageId: row.message_id,
      setting: row.setting ?? undefined,
      senderId: row.sender_id ?? undefined,
      giveUpAt: row.give_up_at,
      topicId: row.topic_id ?? undefined,
      epoch: row.epoch,
    }))
    .toSorted((one, other) => one.chatId - other.chatId || one.messageId - other.messageId);
}
