/**
 * Stores whom the bot has seen write: their IDs by @name, and what they are called. Telegram says neither of
 * people whom the bot asks about by name.
 */
import { type Kysely, sql } from 'kysely';

import { peopleRules } from '#server/lib/limits';

import { type Database } from './client.ts';
import { lockInTransaction } from './leases.ts';
import { type Tables } from './tables.ts';
import { rowsPerInsert } from './topics.ts';

export type SeenPerson = {
  /** A channel in whose name people write has an ID below zero. */
  readonly telegramId: number;
  /** Without @; in any case when it is learned, in lower case when it is read. */
  readonly username: string | undefined;
  readonly firstName: string;
};

/** In whose name anonymous administrators write. */
export const anonymousId = 1_087_968_824;

/** Telegram's own account for posts of linked channels, and the bots in whose name anonymous administrators and channels write. */
const nameless: ReadonlySet<number> = new Set([777_000, anonymousId, 136_817_688]);

export function createPeopleSeenRepository({ db, engine }: Pick<Database, 'db' | 'engine'>) {
  const inOrder = <T>(run: (tx: Kysely<Tables>) => Promise<T>) => oneAtATime({ db, engine }, run);

  return {
    /**
     * Saves people in the order in which they were seen. A @name belongs to whom it was seen with last, so that
     * its former owner has none.
     */
    async learn(people: readonly SeenPerson[], now: number): Promise<void> {
      const rows = toRows(people, now);
      if (rows.length > 0) {
        await inOrder(async (tx) => {
          for (let start = 0; start < rows.length; start += rowsPerInsert) {
            await saveRows(tx, rows.slice(start, start + rowsPerInsert), now);
          }
        });
      }
    },

    /** In any case, with or without @. */
    async findByUsername(name: string): Promise<SeenPerson | undefined> {
      const row = await db
        .selectFrom('people_seen')
        .selectAll()
        .where('username', '=', name.replace(/^@/, '').toLowerCase())
        .executeTakeFirst();
      return row && toPerson(row);
    },

    async find(telegramId: number): Promise<SeenPerson | undefined> {
      const row = await db
        .selectFrom('people_seen')
        .selectAll()
        .where('telegram_id', '=', telegramId)
        .executeTakeFirst();
      return row && toPerson(row);
    },

    /** What people are called, by ID, also those with an account whom the bot has not seen. Unknown ones are missing. */
    async findNames(telegramIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
      const people = await findPeople(db, telegramIds);
      return new Map([...people].map(([id, names]) => [id, displayName(names)]));
    },

    async forget(telegramId: number): Promise<void> {
      await db.deleteFrom('people_seen').where('telegram_id', '=', telegramId).execute();
    },

    async removeBefore(time: number): Promise<void> {
      await inOrder((tx) => tx.deleteFrom('people_seen').where('seen_at', '<', time).execute());
    },
  };
}

/**
 * Runs a transaction that changes many rows. On PostgreSQL another process may do the same, and two that wait for
 * each other's rows and @names would fail; so one waits for the other.
 */
async function oneAtATime<T>(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  run: (tx: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await lockInTransaction(tx, engine, 'nori people seen');
    return run(tx);
  });
}

type Row = Tables['people_seen'];

/** One row for each person, by ID, and each @name in the row of whom it was seen with last. */
function toRows(people: readonly SeenPerson[], now: number): readonly Row[] {
  const byId = new Map<number, Row>();
  const byName = new Map<string, Row>();
  for (const { telegramId, username, firstName } of people) {
    const name = username?.toLowerCase() || null;
    const row = { telegram_id: telegramId, username: name, first_name: firstName, seen_at: now };
    const former = name === null ? undefined : byName.get(name);
    if (former !== undefined) {
      former.username = null;
    }
    if (!nameless.has(telegramId)) {
      byId.set(telegramId, row);
      if (name !== null) {
        byName.set(name, row);
      }
    }
  }
  return [...byId.values()].toSorted((one, other) => one.telegram_id - other.telegram_id);
}

async function saveRows(tx: Kysely<Tables>, rows: readonly Row[], now: number): Promise<void> {
  const named = rows.flatMap(({ telegram_id, username }) =>
    username === null ? [] : [{ telegram_id, username }],
  );
  if (named.length > 0) {
    await tx
      .updateTable('people_seen')
      .set({ username: null })
      .where(
        'username',
        'in',
        named.map(({ username }) => username),
      )
      .where((eb) =>
        eb(
          eb.refTuple('telegram_id', 'username'),
          'not in',
          named.map(({ telegram_id, username }) => eb.tuple(telegram_id, username)),
        ),
      )
      .execute();
  }
  await tx
    .insertInto('people_seen')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('telegram_id')
        .doUpdateSet((eb) => ({
          username: eb.ref('excluded.username'),
          first_name: eb.ref('excluded.first_name'),
          seen_at: eb.ref('excluded.seen_at'),
        }))
        // Most people who write are known, and writing each again would cost more than reading.
        .where((eb) =>
          eb.or([
            eb('people_seen.seen_at', '<', now - peopleRules.touchEveryMs),
            eb('people_seen.first_name', '!=', eb.ref('excluded.first_name')),
            sql<boolean>`people_seen.username is distinct from excluded.username`,
          ]),
        ),
    )
    .execute();
}

function toPerson(row: Row): SeenPerson {
  return {
    telegramId: row.telegram_id,
    username: row.username ?? undefined,
    firstName: row.first_name,
  };
}

type Names = { readonly first_name: string | null; readonly username: string | null };

/** What is known of people, by ID. What they told Nori comes before what the bot has seen. */
export async function findPeople(
  db: Kysely<Tables>,
  telegramIds: readonly number[],
): Promise<ReadonlyMap<number, Names>> {
  const ids = [...new Set(telegramIds)];
  const people = new Map<number, Names>();
  for (let start = 0; start < ids.length; start += rowsPerInsert) {
    const some = ids.slice(start, start + rowsPerInsert);
    const rows = [
      ...(await selectNames(db, 'people_seen', some)),
      // What is read last counts.
      ...(await selectNames(db, 'people', some)),
    ];
    for (const row of rows.filter((names) => displayName(names) !== '')) {
      people.set(row.telegram_id, row);
    }
  }
  return people;
}

function selectNames(
  db: Kysely<Tables>,
  table: 'people' | 'people_seen',
  telegramIds: readonly number[],
) {
  return db
    .selectFrom(table)
    .select(['telegram_id', 'first_name', 'username'])
    .where('telegram_id', 'in', telegramIds)
    .execute();
}

/** The first name, else the @username, else nothing. */
export function displayName({ first_name, username }: Names): string {
  return first_name || (username ? `@${username}` : '');
}
