/** Stores what was done to members. Times are epoch milliseconds. */
import { type Kysely, type Selectable } from 'kysely';

import { type ActionKind } from '#contract/endpoints/chat-members';
import { memberRules } from '#server/lib/limits';

import { displayName, findPeople } from './people-seen.ts';
import { type Tables } from './tables.ts';

type Person = {
  readonly telegramId: number;
  /** Empty when unknown. */
  readonly name: string;
  /** Without @. */
  readonly username: string | undefined;
};

type ActionFacts = {
  readonly id: string;
  readonly chatId: number;
  readonly at: number;
  readonly kind: ActionKind;
  /** Empty without one. */
  readonly reason: string;
  /** Undefined for good, and where there is no end. */
  readonly until: number | undefined;
};

export type NewAction = ActionFacts & {
  readonly byId: number;
  readonly targetId: number;
  /** The ID of the action of another chat that this one follows. */
  readonly sharedFrom?: string | undefined;
};

export type StoredAction = ActionFacts & {
  readonly by: Person;
  readonly target: Person;
  readonly undoneAt: number | undefined;
};

type Query = {
  /** The action after which the page begins. */
  readonly before?: Pick<StoredAction, 'at' | 'id'> | undefined;
  readonly search?: string | undefined;
  readonly since: number;
  readonly limit: number;
};

type Page = { readonly actions: readonly StoredAction[]; readonly hasMore: boolean };

export function createActionRepository(db: Kysely<Tables>) {
  return {
    /** Returns false when an action of this ID is stored already. */
    async add(action: NewAction): Promise<boolean> {
      const row = await db
        .insertInto('actions')
        .values({
          id: action.id,
          chat_id: action.chatId,
          at: action.at,
          by_id: action.byId,
          target_id: action.targetId,
          kind: action.kind,
          reason: action.reason,
          until: action.until ?? null,
          undone_at: null,
          shared_from: action.sharedFrom ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Undefined also when it is one of another chat. */
    async find(chatId: number, id: string): Promise<StoredAction | undefined> {
      const rows = await db
        .selectFrom('actions')
        .selectAll()
        .where('id', '=', id)
        .where('chat_id', '=', chatId)
        .execute();
      return (await withNames(db, rows))[0];
    },

    /** Also when its group has become a supergroup since. */
    async findInAnyChat(id: string): Promise<StoredAction | undefined> {
      const rows = await db.selectFrom('actions').selectAll().where('id', '=', id).execute();
      return (await withNames(db, rows))[0];
    },

    /** The IDs of those in whose place a later one of the same kind is in force for the same person. */
    listReplaced: (
      chatId: number,
      actions: readonly StoredAction[],
      now: number,
    ): Promise<ReadonlySet<string>> => listReplaced(db, { chatId, now }, actions),

    /**
     * The newest first. A search finds parts of names and reasons in any case, and whole IDs. It reads the
     * newest `memberRules.maxSearched` actions after `before`, page by page: SQLite knows upper and lower case of
     * ASCII alone, so the texts are compared here.
     */
    list: (chatId: number, query: Query): Promise<Page> =>
      query.search === undefined || query.search.trim() === ''
        ? listPage(db, chatId, query)
        : searchPages(db, chatId, { ...query, search: query.search }),

    /** Returns true for the first caller alone. */
    async markUndone(chatId: number, id: string, now: number): Promise<boolean> {
      const row = await db
        .updateTable('actions')
        .set({ undone_at: now })
        .where('id', '=', id)
        .where('chat_id', '=', chatId)
        .where('undone_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** It could not be done after all. */
    async remove(id: string): Promise<void> {
      await db.deleteFrom('actions').where('id', '=', id).execute();
    },

    async removeBefore(time: number): Promise<void> {
      await db.deleteFrom('actions').where('at', '<', time).execute();
    },
  };
}

/** Each of them sets anew what the one before has set. Warnings add up. */
const replacingKinds = ['ban', 'mute', 'promote'] as const;

async function listReplaced(
  db: Kysely<Tables>,
  { chatId, now }: { readonly chatId: number; readonly now: number },
  actions: readonly StoredAction[],
): Promise<ReadonlySet<string>> {
  const replaceable = actions.filter(({ kind }) => replacingKinds.some((one) => one === kind));
  if (replaceable.length === 0) {
    return new Set();
  }
  const inForce = await db
    .selectFrom('actions')
    .select(['at', 'kind', 'target_id'])
    .where('chat_id', '=', chatId)
    .where('at', '>', Math.min(...replaceable.map(({ at }) => at)))
    .where('kind', 'in', replacingKinds)
    .where('target_id', 'in', [...new Set(replaceable.map(({ target }) => target.telegramId))])
    .where('undone_at', 'is', null)
    .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', now)]))
    .execute();
  const isReplaced = ({ at, kind, target }: StoredAction) =>
    inForce.some(
      (later) => later.at > at && later.kind === kind && later.target_id === target.telegramId,
    );
  return new Set(replaceable.filter(isReplaced).map(({ id }) => id));
}

async function listPage(
  db: Kysely<Tables>,
  chatId: number,
  { before, since, limit }: Omit<Query, 'search'>,
): Promise<Page> {
  const rows = await db
    .selectFrom('actions')
    .selectAll()
    .where('chat_id', '=', chatId)
    .where('at', '>=', since)
    .$if(before !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('at', 'id'), '<', eb.tuple(before?.at ?? 0, before?.id ?? '')),
      ),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return { actions: await withNames(db, rows.slice(0, limit)), hasMore: rows.length > limit };
}

async function searchPages(
  db: Kysely<Tables>,
  chatId: number,
  { search, limit, ...query }: Query & { readonly search: string },
): Promise<Page> {
  const isFound = createMatcher(search);
  const found: StoredAction[] = [];
  let { before } = query;
  for (let read = 0; read < memberRules.maxSearched; read += memberRules.searchPage) {
    const { actions, hasMore } = await listPage(db, chatId, {
      ...query,
      before,
      limit: memberRules.searchPage,
    });
    found.push(...actions.filter(isFound));
    before = actions.at(-1);
    if (!hasMore || found.length > limit) {
      break;
    }
  }
  return { actions: found.slice(0, limit), hasMore: found.length > limit };
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase();

function createMatcher(search: string): (action: StoredAction) => boolean {
  const wanted = fold(search.trim());
  return ({ by, target, reason }) =>
    [by, target].some(
      ({ telegramId, name, username = '' }) =>
        String(telegramId) === wanted ||
        fold(name).includes(wanted) ||
        fold(`@${username}`).includes(wanted),
    ) || fold(reason).includes(wanted);
}

async function withNames(
  db: Kysely<Tables>,
  rows: readonly Selectable<Tables['actions']>[],
): Promise<readonly StoredAction[]> {
  const people = await findPeople(
    db,
    rows.flatMap(({ by_id, target_id }) => [by_id, target_id]),
  );
  const toPerson = (telegramId: number) => {
    const names = people.get(telegramId);
    return {
      telegramId,
      name: names ? displayName(names) : '',
      username: names?.username ?? undefined,
    };
  };
  return rows.map((row) => ({
    id: row.id,
    chatId: row.chat_id,
    at: row.at,
    by: toPerson(row.by_id),
    target: toPerson(row.target_id),
    kind: row.kind,
    reason: row.reason,
    until: row.until ?? undefined,
    undoneAt: row.undone_at ?? undefined,
  }));
}
