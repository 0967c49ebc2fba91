/**
 * Updates of Telegram that were received: each with its content until it is handled, and its id for a day,
 * so that it is not handled again when Telegram sends it again, to this process or to another. And what
 * Telegram was told about the bot.
 */
import { type Database } from './client.ts';

export type InboxUpdate = {
  readonly updateId: number;
  /** 0 where there is none. */
  readonly chatId: number;
  /** The update as JSON. */
  readonly payload: string;
};

type Lease = { readonly runner: string; readonly now: number; readonly until: number };

const noRunner = '';

export function createBotInboxRepository({ db, engine }: Database, botId: number) {
  const openRows = () =>
    db.selectFrom('bot_inbox').where('bot_id', '=', botId).where('handled_at', 'is', null);

  /** Of the chats, those in which another process has not handled an earlier update. */
  async function listHeldChats(chatIds: readonly number[], runner: string) {
    const rows = await openRows()
      .select('chat_id')
      .distinct()
      .where('chat_id', 'in', chatIds)
      .where('runner', '!=', runner)
      .execute();
    return new Set(rows.map(({ chat_id }) => chat_id));
  }

  return {
    /**
     * Saves the updates that are not known yet, all of them or none. Returns the ids of those that this
     * process has to handle; the others are claimed once the earlier ones of their chat are handled.
     */
    async add(
      updates: readonly InboxUpdate[],
      { runner, now, until }: Lease,
    ): Promise<ReadonlySet<number>> {
      const chats = [...new Set(updates.map(({ chatId }) => chatId))];
      const held = await listHeldChats(chats, runner);
      const added = await db
        .insertInto('bot_inbox')
        .values(
          // In one order, so that two processes with the same updates do not wait for each other.
          updates
            .toSorted((one, other) => one.updateId - other.updateId)
            .map(({ updateId, chatId, payload }) => ({
              bot_id: botId,
              update_id: updateId,
              chat_id: chatId,
              payload,
              received_at: now,
              handled_at: null,
              runner: held.has(chatId) ? noRunner : runner,
              leased_until: held.has(chatId) ? 0 : until,
            })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning(['update_id', 'runner'])
        .execute();
      return new Set(
        added.filter((row) => row.runner === runner).map(({ update_id }) => update_id),
      );
    },

    claim: (lease: Lease, limit: number) => claim({ db, engine }, botId, { lease, limit }),

    /** Extends the lease of what this process has, and returns the ids. */
    async renew({ runner, until }: Omit<Lease, 'now'>): Promise<ReadonlySet<number>> {
      const rows = await db
        .updateTable('bot_inbox')
        .set({ leased_until: until })
        .where('bot_id', '=', botId)
        .where('handled_at', 'is', null)
        .where('runner', '=', runner)
        .returning('update_id')
        .execute();
      return new Set(rows.map(({ update_id }) => update_id));
    },

    /** Gives back what this process has; without a runner, what any process has. */
    async release(runner?: string): Promise<void> {
      await db
        .updateTable('bot_inbox')
        .set({ runner: noRunner, leased_until: 0 })
        .where('bot_id', '=', botId)
        .where('handled_at', 'is', null)
        .$if(runner !== undefined, (query) => query.where('runner', '=', runner ?? ''))
        .execute();
    },

    /** Keeps only the ids. */
    async markHandled(updateIds: readonly number[], now: number): Promise<void> {
      await db
        .updateTable('bot_inbox')
        .set({ handled_at: now, payload: null })
        .where('bot_id', '=', botId)
        .where('update_id', 'in', updateIds)
        .execute();
    },
  };
}

/**
 * Leases up to `limit` updates that no living process has, in their order, and returns them. A chat in which
 * another living process still has an earlier update is left to it.
 */
async function claim(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  botId: number,
  { lease: { runner, now, until }, limit }: { readonly lease: Lease; readonly limit: number },
): Promise<readonly InboxUpdate[]> {
  const claimed = await db
    .with('heads', (cte) => {
      // The process that locks the first open update of a chat may claim the chat.
      const heads = cte
        .selectFrom('bot_inbox as head')
        .select('head.chat_id')
        .where('head.bot_id', '=', botId)
        .where('head.handled_at', 'is', null)
        .where((eb) => eb.or([eb('head.leased_until', '<=', now), eb('head.runner', '=', runner)]))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('bot_inbox as earlier')
                .select('earlier.update_id')
                .whereRef('earlier.bot_id', '=', 'head.bot_id')
                .whereRef('earlier.chat_id', '=', 'head.chat_id')
                .whereRef('earlier.update_id', '<', 'head.update_id')
                .where('earlier.handled_at', 'is', null),
            ),
          ),
        );
      return engine === 'postgres' ? heads.forUpdate().skipLocked() : heads;
    })
    .with('free', (cte) =>
      cte
        .selectFrom('bot_inbox')
        .innerJoin('heads', 'heads.chat_id', 'bot_inbox.chat_id')
        .select('update_id')
        .where('bot_id', '=', botId)
        .where('handled_at', 'is', null)
        .where('leased_until', '<=', now)
        .where('runner', '!=', runner)
        .orderBy('update_id')
        .limit(limit),
    )
    .updateTable('bot_inbox')
    .set({ runner, leased_until: until })
    .where('bot_id', '=', botId)
    .where('handled_at', 'is', null)
    .where('update_id', 'in', (eb) => eb.selectFrom('free').select('update_id'))
    .returning(['update_id', 'chat_id', 'payload'])
    .execute();
  return claimed
    .map((row) => ({
      updateId: row.update_id,
      chatId: row.chat_id,
      payload: row.payload ?? '{}',
    }))
    .toSorted((one, other) => one.updateId - other.updateId);
}

/** Removes what was handled before `handledBefore`, and everything that came before `receivedBefore`. */
export async function removeOldUpdates(
  { db }: Pick<Database, 'db'>,
  { handledBefore, receivedBefore }: { handledBefore: number; receivedBefore: number },
): Promise<void> {
  await db
    .deleteFrom('bot_inbox')
    .where('received_at', '<', handledBefore)
    .where((eb) =>
      eb.or([eb('handled_at', '<', handledBefore), eb('received_at', '<', receivedBefore)]),
    )
    .execute();
}

/** What Telegram was told about a bot, so that a restart says nothing again. */
export function createBotProfileRepository({ db }: Database, botId: number) {
  return {
    /** Part → fingerprint of what was said last. */
    async readAll(): Promise<ReadonlyMap<string, string>> {
      const rows = await db
        .selectFrom('bot_profile')
        .select(['part', 'fingerprint'])
        .where('bot_id', '=', botId)
        .execute();
      return new Map(rows.map(({ part, fingerprint }) => [part, fingerprint]));
    },

    async find(part: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('bot_profile')
        .select('fingerprint')
        .where('bot_id', '=', botId)
        .where('part', '=', part)
        .executeTakeFirst();
      return row?.fingerprint;
    },

    /** What was said of it is taken back. */
    async remove(part: string): Promise<void> {
      await db
        .deleteFrom('bot_profile')
        .where('bot_id', '=', botId)
        .where('part', '=', part)
        .execute();
    },

    async save(part: string, fingerprint: string): Promise<void> {
      await db
        .insertInto('bot_profile')
        .values({ bot_id: botId, part, fingerprint })
        .onConflict((conflict) => conflict.columns(['bot_id', 'part']).doUpdateSet({ fingerprint }))
        .execute();
    },
  };
}
