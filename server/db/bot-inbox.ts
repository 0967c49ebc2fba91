/**
 * Updates of Telegram that were received: each with its content until it is handled, and its id for a day,
 * so that it is not handled again when Telegram sends it again, to this process or to another. And what
 * Telegram was told about the bot.
 */
import { type Database } from './client.ts';
import { createLeaseClock } from './leases.ts';

export type InboxUpdate = {
  readonly updateId: number;
  /** 0 where there is none. */
  readonly chatId: number;
  /** The update as JSON. */
  readonly payload: string;
};

/** One that waited, and when it came. */
type ClaimedUpdate = InboxUpdate & { readonly receivedAt: number };

type Lease = { readonly runner: string; readonly leaseMs: number };

/** Which updates were handled. Of messages of albums the contents are kept for a while. */
export type Handled = {
  readonly runner: string;
  readonly now: number;
  readonly updateIds: readonly number[];
  readonly albumIds?: readonly number[];
};

const noRunner = '';

export function createBotInboxRepository({ db, engine }: Database, botId: number) {
  const clock = createLeaseClock(engine);
  const openRows = () =>
    db.selectFrom('bot_inbox').where('bot_id', '=', botId).where('handled_at', 'is', null);

  const insert = createInsert({ db, engine }, botId);

  const ofRunner = ({ runner, now }: Pick<Handled, 'runner' | 'now'>, ids: readonly number[]) =>
    db
      .updateTable('bot_inbox')
      .set({ handled_at: now })
      .where('bot_id', '=', botId)
      .where('update_id', 'in', ids)
      .where('runner', '=', runner);

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
    ...createAlbumRows(db, botId),

    /**
     * Saves the updates that are not known yet, all of them or none. Returns the ids of those that this
     * process has to handle; the others are claimed once the earlier ones of their chat are handled.
     */
    async add(
      updates: readonly InboxUpdate[],
      { now, ...lease }: Lease & { readonly now: number },
    ): Promise<ReadonlySet<number>> {
      const chats = [...new Set(updates.map(({ chatId }) => chatId))];
      const held = await listHeldChats(chats, lease.runner);
      const added = await insert(updates, now, (chatId) => (held.has(chatId) ? undefined : lease));
      return new Set(
        added.filter((row) => row.runner === lease.runner).map(({ update_id }) => update_id),
      );
    },

    /** Saves the updates that are not known yet, all of them or none, for the process that handles them. */
    async append(updates: readonly InboxUpdate[], now: number): Promise<void> {
      await insert(updates, now, () => undefined);
    },

    /** Whether another process that seems to live has updates. */
    async isHandledElsewhere(runner: string): Promise<boolean> {
      const row = await openRows()
        .select('update_id')
        .where('runner', 'not in', [noRunner, runner])
        .where('leased_until', '>', clock.now)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    claim: (lease: Lease, limit: number) => claim({ db, engine }, botId, { lease, limit }),

    /** Extends the lease of what this process has, and returns the ids. */
    async renew({ runner, leaseMs }: Lease): Promise<ReadonlySet<number>> {
      const rows = await db
        .updateTable('bot_inbox')
        .set({ leased_until: clock.after(leaseMs) })
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

    /** Keeps the ids alone, and of albums the contents, too. What another process has taken over is left to it. */
    async markHandled({ updateIds, albumIds = [], ...by }: Handled): Promise<void> {
      if (updateIds.length > 0) {
        await ofRunner(by, updateIds).set({ payload: null }).execute();
      }
      if (albumIds.length > 0) {
        await ofRunner(by, albumIds).execute();
      }
    },
  };
}

/** Returns a function that saves the updates that are not known yet, all of them or none, and returns them. */
function createInsert({ db, engine }: Pick<Database, 'db' | 'engine'>, botId: number) {
  const clock = createLeaseClock(engine);
  return async (
    updates: readonly InboxUpdate[],
    now: number,
    chooseLease: (chatId: number) => Lease | undefined,
  ) => {
    return db
      .insertInto('bot_inbox')
      .values(
        // In one order, so that two processes with the same updates do not wait for each other.
        updates
          .toSorted((one, other) => one.updateId - other.updateId)
          .map(({ updateId, chatId, payload }) => {
            const lease = chooseLease(chatId);
            return {
              bot_id: botId,
              update_id: updateId,
              chat_id: chatId,
              payload,
              received_at: now,
              handled_at: null,
              runner: lease?.runner ?? noRunner,
              leased_until: lease === undefined ? 0 : clock.after(lease.leaseMs),
            };
          }),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning(['update_id', 'runner'])
      .execute();
  };
}

/** Handled messages of albums, whose contents are kept for some seconds. */
function createAlbumRows(db: Database['db'], botId: number) {
  return {
    /** Handled messages of albums whose contents are kept, in their order. */
    async listAlbums(): Promise<readonly Omit<InboxUpdate, 'chatId'>[]> {
      const rows = await db
        .selectFrom('bot_inbox')
        .select(['update_id', 'payload'])
        .where('bot_id', '=', botId)
        .where('handled_at', 'is not', null)
        .where('payload', 'is not', null)
        .orderBy('update_id')
        .execute();
      return rows.map(({ update_id, payload }) => ({
        updateId: update_id,
        payload: payload ?? '{}',
      }));
    },

    /** Of handled messages of albums nothing is kept any more but the ids. */
    async forgetAlbums(updateIds: readonly number[]): Promise<void> {
      if (updateIds.length > 0) {
        await db
          .updateTable('bot_inbox')
          .set({ payload: null })
          .where('bot_id', '=', botId)
          .where('update_id', 'in', updateIds)
          .where('handled_at', 'is not', null)
          .execute();
      }
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
  { lease: { runner, leaseMs }, limit }: { readonly lease: Lease; readonly limit: number },
): Promise<readonly ClaimedUpdate[]> {
  const clock = createLeaseClock(engine);
  const claimed = await db
    .with('heads', (cte) => {
      // The process that locks the first open update of a chat may claim the chat.
      const heads = cte
        .selectFrom('bot_inbox as head')
        .select('head.chat_id')
        .where('head.bot_id', '=', botId)
        .where('head.handled_at', 'is', null)
        .where((eb) =>
          eb.or([eb('head.leased_until', '<=', clock.now), eb('head.runner', '=', runner)]),
        )
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
        .where('leased_until', '<=', clock.now)
        .where('runner', '!=', runner)
        .orderBy('update_id')
        .limit(limit),
    )
    .updateTable('bot_inbox')
    .set({ runner, leased_until: clock.after(leaseMs) })
    .where('bot_id', '=', botId)
    .where('handled_at', 'is', null)
    .where('update_id', 'in', (eb) => eb.selectFrom('free').select('update_id'))
    .returning(['update_id', 'chat_id', 'payload', 'received_at'])
    .execute();
  return claimed
    .map((row) => ({
      updateId: row.update_id,
      chatId: row.chat_id,
      payload: row.payload ?? '{}',
      receivedAt: row.received_at,
    }))
    .toSorted((one, other) => one.updateId - other.updateId);
}

/**
 * Removes what was handled before `handledBefore`, everything that came before `receivedBefore`, and the contents of albums
 * that were handled before `albumsBefore` and that no process was left to remove.
 */
export async function removeOldUpdates(
  { db }: Pick<Database, 'db'>,
  {
    handledBefore,
    receivedBefore,
    albumsBefore,
  }: { handledBefore: number; receivedBefore: number; albumsBefore: number },
): Promise<void> {
  await db
    .updateTable('bot_inbox')
    .set({ payload: null })
    .where('handled_at', '<', albumsBefore)
    .where('handled_at', 'is not', null)
    .where('payload', 'is not', null)
    .execute();
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
