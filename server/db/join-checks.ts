/** Stores what is asked of who joins, who joined within the last day, and the newest greetings. Times are epoch milliseconds. */
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import * as v from 'valibot';

import { type JoinCheckKind, type JoinCheckState } from './newcomer-tables.ts';
import { type Tables } from './tables.ts';

export type JoinCheck = {
  readonly chatId: number;
  readonly telegramId: number;
  readonly kind: JoinCheckKind;
  readonly state: JoinCheckState;
  /** A keyed hash of the right answer; undefined while no task is set. */
  readonly answerHash: string | undefined;
  /** Wrong answers. */
  readonly tries: number;
  /** Sealed; undefined where Telegram has sent none. */
  readonly query: string | undefined;
  /** Messages in the chat that go when it is settled. */
  readonly messageIds: readonly number[];
  readonly language: string;
  readonly startedAt: number;
  readonly dueAt: number;
  readonly settledAt: number | undefined;
  /** When the task was shown; undefined until then. */
  readonly askedAt: number | undefined;
  /** The message of the bot for them that all see; undefined where it is for them alone, or for all newcomers. */
  readonly askedId: number | undefined;
  /** When the first stay began of those in a row in which they did not pass. */
  readonly since: number;
  readonly early: readonly EarlyMessage[];
};

/** What was written before a joining was heard of. A notice says that they have joined. */
export type EarlyMessage = {
  readonly id: number;
  readonly at: number;
  readonly isNotice?: boolean | undefined;
};

export type NewJoinCheck = Omit<
  JoinCheck,
  'state' | 'tries' | 'settledAt' | 'askedAt' | 'askedId' | 'since' | 'early'
>;

export type Newcomer = Pick<JoinCheck, 'chatId' | 'telegramId'>;

/** Others of the same person are too old to be meant. */
const maxOfPerson = 50;

const idList = v.pipe(v.string(), v.parseJson(), v.array(v.number()));
const earlyList = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ id: v.number(), at: v.number(), isNotice: v.optional(v.boolean()) })),
);

const toCheck = (row: Selectable<Tables['join_checks']>): JoinCheck => ({
  chatId: row.chat_id,
  telegramId: row.telegram_id,
  kind: row.kind,
  state: row.state,
  answerHash: row.answer_hash ?? undefined,
  tries: row.tries,
  query: row.query ?? undefined,
  messageIds: v.parse(idList, row.message_ids),
  language: row.language,
  startedAt: row.started_at,
  dueAt: row.due_at,
  settledAt: row.settled_at ?? undefined,
  askedAt: row.asked_at ?? undefined,
  askedId: row.asked_id ?? undefined,
  since: row.since ?? row.started_at,
  early: v.parse(earlyList, row.early),
});

export function createJoinCheckRepository(db: Kysely<Tables>) {
  /**
   * Changes a check that is open, and no other of the person than that which began then, if it says when. Returns it as it
   * is then; undefined when it was settled before.
   */
  async function changeOpen(
    { chatId, telegramId, startedAt }: Newcomer & Partial<Pick<JoinCheck, 'startedAt'>>,
    values: Updateable<Tables['join_checks']>,
  ): Promise<JoinCheck | undefined> {
    const row = await db
      .updateTable('join_checks')
      .set(values)
      .where('chat_id', '=', chatId)
      .where('telegram_id', '=', telegramId)
      .where('state', '=', 'open')
      .$if(startedAt !== undefined, (query) => query.where('started_at', '=', startedAt ?? 0))
      .returningAll()
      .executeTakeFirst();
    return row && toCheck(row);
  }

  return {
    ...createCheckReads(db),
    ...createCheckLocks(db),
    ...createCheckTries(db),
    changeOpen,

    /** Begins a check, unless the person has an open one there. Returns whether it was begun. */
    async begin(check: NewJoinCheck): Promise<boolean> {
      const values = {
        kind: check.kind,
        state: 'open' as const,
        answer_hash: check.answerHash ?? null,
        tries: 0,
        query: check.query ?? null,
        message_ids: JSON.stringify(check.messageIds),
        language: check.language,
        started_at: check.startedAt,
        due_at: check.dueAt,
        settled_at: null,
        asked_at: null,
        asked_id: null,
        since: null,
      };
      const row = await db
        .insertInto('join_checks')
        .values({ chat_id: check.chatId, telegram_id: check.telegramId, ...values })
        .onConflict((conflict) =>
          conflict
            .columns(['chat_id', 'telegram_id'])
            .doUpdateSet(values)
            .where('join_checks.state', '!=', 'open'),
        )
        .returning('chat_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Ends a check. Of several callers one gets it, as it was ended; the others get undefined. */
    settle: (
      who: Newcomer & Partial<Pick<JoinCheck, 'startedAt'>>,
      state: Exclude<JoinCheckState, 'open'>,
      now: number,
    ): Promise<JoinCheck | undefined> => changeOpen(who, { state, settled_at: now }),

    /** Removes checks that were settled before a time, or whose time was over then and that nothing has settled. */
    async removeSettledBefore(time: number): Promise<void> {
      await db.deleteFrom('join_checks').where('settled_at', '<', time).execute();
      await db
        .deleteFrom('join_checks')
        // Written out, so that the index of open checks is used.
        .where('state', '=', sql.lit('open' as const))
        .where('due_at', '<', time)
        .execute();
    },
  };
}

function createCheckReads(db: Kysely<Tables>) {
  return {
    async find(chatId: number, telegramId: number): Promise<JoinCheck | undefined> {
      const row = await db
        .selectFrom('join_checks')
        .selectAll()
        .where('chat_id', '=', chatId)
        .where('telegram_id', '=', telegramId)
        .executeTakeFirst();
      return row && toCheck(row);
    },

    /** The checks of a person, those that began last first. */
    async listByPerson(telegramId: number): Promise<readonly JoinCheck[]> {
      const rows = await db
        .selectFrom('join_checks')
        .selectAll()
        .where('telegram_id', '=', telegramId)
        .orderBy('started_at', 'desc')
        .limit(maxOfPerson)
        .execute();
      return rows.map(toCheck);
    },

    /** The open checks of a chat, the newest first. */
    async listOpen(chatId: number, limit: number): Promise<readonly JoinCheck[]> {
      const rows = await db
        .selectFrom('join_checks')
        .selectAll()
        .where('chat_id', '=', chatId)
        .where('state', '=', 'open')
        .orderBy('started_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toCheck);
    },

    /** Whether any newcomer of a chat still has to do something in it. */
    async hasOpenInGroup(chatId: number): Promise<boolean> {
      const row = await db
        .selectFrom('join_checks')
        .select('telegram_id')
        .where('chat_id', '=', chatId)
        .where('state', '=', 'open')
        .where('kind', 'in', ['button', 'task'])
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

/** For transactions. */
function createCheckLocks(db: Kysely<Tables>) {
  return {
    /**
     * Returns what is known of a person, and keeps others from changing it until the transaction ends: a joining and a first
     * message that cross come here one after the other. Adds a row where there is none.
     */
    async lock({ chatId, telegramId }: Newcomer, now: number): Promise<JoinCheck> {
      const row = await db
        .insertInto('join_checks')
        .values({
          chat_id: chatId,
          telegram_id: telegramId,
          kind: 'none',
          state: 'early',
          started_at: now,
          due_at: now,
          settled_at: now,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['chat_id', 'telegram_id'])
            .doUpdateSet((eb) => ({ state: eb.ref('join_checks.state') })),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      return toCheck(row);
    },

    /** Changes a check that the transaction has locked. */
    async change(
      { chatId, telegramId }: Newcomer,
      values: Updateable<Tables['join_checks']>,
    ): Promise<JoinCheck> {
      const row = await db
        .updateTable('join_checks')
        .set(values)
        .where('chat_id', '=', chatId)
        .where('telegram_id', '=', telegramId)
        .returningAll()
        .executeTakeFirstOrThrow();
      return toCheck(row);
    },
  };
}

function createCheckTries(db: Kysely<Tables>) {
  return {
    /**
     * Counts one try of an open check, and stores the hash of the answer that is right then. Of several callers who have
     * read the same check one gets true.
     */
    async takeTry(
      { chatId, telegramId, startedAt, tries }: JoinCheck,
      nextHash: string,
    ): Promise<boolean> {
      const row = await db
        .updateTable('join_checks')
        .set({ tries: tries + 1, answer_hash: nextHash })
        .where('chat_id', '=', chatId)
        .where('telegram_id', '=', telegramId)
        .where('state', '=', 'open')
        .where('started_at', '=', startedAt)
        .where('tries', '=', tries)
        .returning('chat_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Sets another task, if the check still has this one: of several callers who read the same check one gets it as it is
     * then, the others undefined.
     */
    async replaceTask(
      { chatId, telegramId, answerHash }: JoinCheck,
      next: { readonly answerHash: string; readonly tries: number },
    ): Promise<JoinCheck | undefined> {
      const row = await db
        .updateTable('join_checks')
        .set({ answer_hash: next.answerHash, tries: next.tries })
        .where('chat_id', '=', chatId)
        .where('telegram_id', '=', telegramId)
        .where('state', '=', 'open')
        .where('answer_hash', answerHash === undefined ? 'is' : '=', answerHash ?? null)
        .returningAll()
        .executeTakeFirst();
      return row && toCheck(row);
    },
  };
}

export function createRecentJoinRepository(db: Kysely<Tables>) {
  return {
    /** Notes a join. Returns false when this update was noted before; a later join of the same person counts anew. */
    async add(join: {
      readonly chatId: number;
      readonly telegramId: number;
      readonly at: number;
      readonly key: string;
      /** Whether an administrator has added them. */
      readonly isLetIn: boolean;
    }): Promise<boolean> {
      const { chatId, telegramId, at, key } = join;
      const let_in = Number(join.isLetIn);
      const row = await db
        .insertInto('recent_joins')
        .values({ chat_id: chatId, telegram_id: telegramId, at, key, let_in })
        .onConflict((conflict) =>
          conflict
            .columns(['chat_id', 'telegram_id'])
            .doUpdateSet({ at, key, greeted: 0, let_in })
            .where('recent_joins.key', '!=', key),
        )
        .returning('chat_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** As `add` where no join of the person is known, and nothing else. */
    async addUnlessKnown(join: {
      readonly chatId: number;
      readonly telegramId: number;
      readonly at: number;
      readonly key: string;
    }): Promise<void> {
      const { chatId, telegramId, at, key } = join;
      await db
        .insertInto('recent_joins')
        .values({ chat_id: chatId, telegram_id: telegramId, at, key })
        .onConflict((conflict) => conflict.columns(['chat_id', 'telegram_id']).doNothing())
        .execute();
    },

    /** Who has joined since a time, the earliest first. */
    async listSince(
      chatId: number,
      since: number,
    ): Promise<
      readonly { readonly telegramId: number; readonly at: number; readonly isLetIn: boolean }[]
    > {
      const rows = await db
        .selectFrom('recent_joins')
        .select(['telegram_id', 'at', 'let_in'])
        .where('chat_id', '=', chatId)
        .where('at', '>=', since)
        .orderBy('at')
        .execute();
      return rows.map(({ telegram_id: telegramId, at, let_in }) => ({
        telegramId,
        at,
        isLetIn: let_in === 1,
      }));
    },

    /** Marks who is greeted now. Of several callers one gets true. */
    async beginGreeting(chatId: number, telegramId: number): Promise<boolean> {
      const row = await db
        .updateTable('recent_joins')
        .set({ greeted: 1 })
        .where('chat_id', '=', chatId)
        .where('telegram_id', '=', telegramId)
        .where('greeted', '=', 0)
        .returning('chat_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async removeBefore(time: number): Promise<void> {
      await db.deleteFrom('recent_joins').where('at', '<', time).execute();
    },

    /** Makes a greeting the newest of its chat. Returns the ID of the one before. */
    async replaceGreeting(
      chatId: number,
      messageId: number,
      now: number,
    ): Promise<number | undefined> {
      const before = await db
        .selectFrom('last_greetings')
        .select('message_id')
        .where('chat_id', '=', chatId)
        .executeTakeFirst();
      const newest = { message_id: messageId, sent_at: now };
      await db
        .insertInto('last_greetings')
        .values({ chat_id: chatId, ...newest })
        .onConflict((conflict) => conflict.column('chat_id').doUpdateSet(newest))
        .execute();
      return before?.message_id;
    },
  };
}
