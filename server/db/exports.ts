/** Files with all that is stored about a user: who makes which, and what became of it. Times are epoch milliseconds. */

import { type ExpressionBuilder, type Kysely, type RawBuilder, sql, type Selectable } from 'kysely';

import { type Database } from './client.ts';
import { createLeaseClock } from './leases.ts';
import { addLooseObjects, claimObjects } from './loose-objects.ts';
import { type Tables } from './tables.ts';

export type StoredExport = Selectable<Tables['exports']>;

/** What `by_bot` says. */
export const delivery = { byLink: 0, byBot: 1, sent: 2 } as const;

/** How long a lease lasts, and how often an export is tried. */
type LeaseRules = { readonly holdMs: number; readonly maxTries: number };

/** What a process has leased. `tries` counts the leases, so that an earlier one is not taken for it. */
type Leased = Pick<StoredExport, 'id' | 'tries'>;

type NewExport = Pick<
  StoredExport,
  'id' | 'telegram_id' | 'by_bot' | 'language' | 'created_at' | 'expires_at' | 'request_id'
>;

export function createExportRepository({ db }: Pick<Database, 'db'>) {
  return {
    /**
     * Adds an export in the place of the earlier ones of the user, and has their objects removed, whose names are returned.
     * Undefined while one is being made, and when there is no such account.
     */
    add: (row: NewExport): Promise<readonly string[] | undefined> =>
      db.transaction().execute(async (tx) => {
        const account = await tx
          .updateTable('people')
          .set((eb) => ({ email: eb.ref('email') }))
          .where('telegram_id', '=', row.telegram_id)
          .returning('telegram_id')
          .executeTakeFirst();
        const earlier = await tx
          .selectFrom('exports')
          .select(['id', 'state', 'file'])
          .where('telegram_id', '=', row.telegram_id)
          .execute();
        if (account === undefined || earlier.some(({ state }) => state === 'waiting')) {
          return undefined;
        }
        await tx.deleteFrom('exports').where('telegram_id', '=', row.telegram_id).execute();
        await tx
          .insertInto('exports')
          .values({ ...row, state: 'waiting', file_bytes: null, held_until: 0, tries: 0 })
          .execute();
        return letGo(tx, earlier, row.created_at);
      }),

    findNewest: (telegramId: number): Promise<StoredExport | undefined> =>
      db
        .selectFrom('exports')
        .selectAll()
        .where('telegram_id', '=', telegramId)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst(),

    find: (id: string): Promise<StoredExport | undefined> =>
      db.selectFrom('exports').selectAll().where('id', '=', id).executeTakeFirst(),

    async sumBytes(): Promise<number> {
      const { bytes } = await db
        .selectFrom('exports')
        .select(({ fn }) => fn.sum<number | null>('file_bytes').as('bytes'))
        .executeTakeFirstOrThrow();
      return bytes ?? 0;
    },

    /** Lets go of their objects, and returns the names. */
    removeExpired: (now: number): Promise<readonly string[]> =>
      db.transaction().execute(async (tx) => {
        const rows = await tx
          .deleteFrom('exports')
          .where('expires_at', '<=', now)
          .returning(['id', 'state', 'file'])
          .execute();
        return letGo(tx, rows, now);
      }),
  };
}

/** The object of an export that is ready. Earlier versions named it by the row. */
export const exportObject = ({ id, file }: Pick<StoredExport, 'id' | 'file'>) =>
  file ?? `${id}-export`;

async function letGo(
  tx: Kysely<Tables>,
  rows: readonly Pick<StoredExport, 'id' | 'state' | 'file'>[],
  now: number,
): Promise<readonly string[]> {
  const names = rows.filter(({ state }) => state === 'ready').map(exportObject);
  await addLooseObjects(tx, names, now);
  return names;
}

/**
 * Who makes and sends which export. Several processes are timed by the clock of PostgreSQL, one alone by its own.
 */
export function createExportLeases(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  clock: () => number,
) {
  const shared = createLeaseClock(engine);
  const isShared = engine === 'postgres';
  const getNow = () => (isShared ? shared.now : sql<number>`${clock()}`);
  const after = (ms: number) => (isShared ? shared.after(ms) : sql<number>`${clock() + ms}`);
  const updateLeased = ({ id, tries }: Leased, by: Kysely<Tables> = db) =>
    by.updateTable('exports').where('id', '=', id).where('tries', '=', tries);

  return {
    /** Leases an export that waits to be made or sent; undefined when none does. */
    async claim({ holdMs, maxTries }: LeaseRules): Promise<StoredExport | undefined> {
      return db
        .with('due', (cte) => {
          const due = cte
            .selectFrom('exports')
            .select('id')
            .where((eb) => isUnfinished(eb))
            .where('held_until', '<=', getNow())
            .where('expires_at', '>', clock())
            .where('tries', '<', maxTries)
            .orderBy('created_at')
            .limit(1);
          return engine === 'postgres' ? due.forUpdate().skipLocked() : due;
        })
        .updateTable('exports')
        .set((eb) => ({ held_until: after(holdMs), tries: eb('tries', '+', 1) }))
        .where('id', 'in', (eb) => eb.selectFrom('due').select('id'))
        .returningAll()
        .executeTakeFirst();
    },

    /** Returns false when it is not the caller's any more: another process has it, or the account is gone. */
    async renew(leased: Leased, holdMs: number): Promise<boolean> {
      const row = await updateLeased(leased)
        .set({ held_until: after(holdMs) })
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Returns false as `renew` does; then the file belongs to nothing. Throws `busy` when it was removed before. */
    finish: (leased: Leased, { name, bytes }: { name: string; bytes: number }): Promise<boolean> =>
      db.transaction().execute(async (tx) => {
        const row = await updateLeased(leased, tx)
          .set({ state: 'ready', file_bytes: bytes, file: name })
          .returning('id')
          .executeTakeFirst();
        if (row !== undefined) {
          await claimObjects(tx, [name]);
        }
        return row !== undefined;
      }),

    setDelivery: async (leased: Leased, byBot: number): Promise<void> =>
      void (await updateLeased(leased).set({ by_bot: byBot, held_until: 0 }).execute()),

    fail: async (leased: Leased): Promise<void> =>
      void (await updateLeased(leased)
        .set({ state: 'failed', by_bot: delivery.byLink, held_until: 0 })
        .execute()),

    /** Gives a lease back, to be tried again. */
    retryAfter: async (leased: Leased, ms: number): Promise<void> =>
      void (await updateLeased(leased)
        .set({ held_until: after(ms) })
        .execute()),

    /** Gives a lease back because the server stops, which does not count as a try. */
    release: async (leased: Leased): Promise<void> =>
      void (await updateLeased(leased)
        .set({ held_until: 0, tries: leased.tries - 1 })
        .execute()),

    /** Ends all leases, also those of other processes. */
    releaseAll: async (): Promise<void> =>
      void (await db
        .updateTable('exports')
        .set({ held_until: 0 })
        .where((eb) => isUnfinished(eb))
        .execute()),

    /** What was tried too often fails; a file that could not be sent stays. */
    async failExhausted({ maxTries }: LeaseRules): Promise<void> {
      await db
        .updateTable('exports')
        .set({
          state: sql`case when state = 'waiting' then 'failed' else state end`,
          by_bot: delivery.byLink,
        })
        .where((eb) => isUnfinished(eb))
        .where('tries', '>=', maxTries)
        .where('held_until', '<=', getNow())
        .execute();
    },
  };
}

function isUnfinished(eb: ExpressionBuilder<Tables, 'exports'>) {
  return eb.or([
    eb('state', '=', 'waiting'),
    eb.and([eb('state', '=', 'ready'), eb('by_bot', '=', delivery.byBot)]),
  ]);
}

/** A part of the export: what is stored about a user under this name. Secrets, such as hashes and tokens, are no columns of it. */
type Section = {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** Which rows, by the ID of the user. */
  readonly where: (telegramId: number) => RawBuilder<unknown>;
};

function section<T extends keyof Tables>(
  name: string,
  [table, by]: readonly [
    T,
    (keyof Tables[T] & string) | ((telegramId: number) => RawBuilder<unknown>),
  ],
  columns: readonly (keyof Tables[T] & string)[],
): Section {
  const where =
    typeof by === 'string' ? (telegramId: number) => sql`${sql.ref(by)} = ${telegramId}` : by;
  return { name, table, columns, where };
}

const ofOwnChanges = (telegramId: number) =>
  sql`change_id in (select id from setting_changes where changed_by = ${telegramId})`;
const ofOwnGenerations = (telegramId: number) =>
  sql`generation_id in (select id from generations where telegram_id = ${telegramId})`;
const changed = ['change_id', 'topic_id', 'name', 'was', 'becomes'] as const;
const warning = ['chat_id', 'telegram_id', 'by_id', 'reason'] as const;
const warningTimes = ['given_at', 'expires_at', 'ended_at'] as const;
const approval = ['chat_id', 'telegram_id', 'by_id', 'at', 'until'] as const;
const action = ['chat_id', 'at', 'by_id', 'target_id', 'kind', 'reason'] as const;
const whisper = ['created_at', 'expires_at'] as const;
const actionTimes = ['until', 'undone_at'] as const;

const sections: readonly Section[] = [
  section(
    'account',
    ['people', 'telegram_id'],
    [
      'telegram_id',
      'email',
      'first_name',
      'username',
      'photo_url',
      'created_at',
      'language',
      'language_code',
    ],
  ),
  section(
    'sessions',
    ['sessions', 'telegram_id'],
    ['device', 'address_prefix', 'created_at', 'last_seen_at', 'expires_at'],
  ),
  section(
    'passkeys',
    ['passkeys', 'telegram_id'],
    ['name', 'created_at', 'last_used_at', 'transports'],
  ),
  section(
    'account_events',
    ['account_events', 'telegram_id'],
    ['at', 'kind', 'device', 'address_prefix', 'detail', 'times'],
  ),
  section(
    'connections',
    ['connections', 'telegram_id'],
    ['service', 'account_name', 'linked_at', 'expires_at'],
  ),
  section(
    'connection_attempts',
    ['connection_attempts', 'telegram_id'],
    ['service', 'status', 'expires_at'],
  ),
  section('exports', ['exports', 'telegram_id'], ['state', 'created_at', 'expires_at']),
  section(
    'pictures',
    ['pictures', 'telegram_id'],
    ['id', 'type', 'bytes', 'width', 'height', 'created_at', 'deleted_at', 'source_until'],
  ),
  section(
    'generations',
    ['generations', 'telegram_id'],
    [
      'id',
      'picture_id',
      'provider',
      'prompt',
      'negative_prompt',
      'model_id',
      'model_name',
      'style',
      'seed',
      'ratio',
      'nsfw',
      'tags',
      'loras',
      'job_key',
      'created_at',
    ],
  ),
  section(
    'further_pictures',
    ['further_pictures', ofOwnGenerations],
    ['generation_id', 'position', 'picture_id'],
  ),
  section(
    'jobs',
    ['generation_jobs', 'owner_id'],
    [
      'job_key',
      'provider',
      'engine',
      'recipe',
      'seed',
      'state',
      'picture_ids',
      'error_code',
      'detail',
      'created_at',
      'finished_at',
    ],
  ),
  section('model_names', ['model_names', 'telegram_id'], ['model_id', 'name', 'learned_at']),
  section(
    'managed_chats',
    ['chat_managers', 'telegram_id'],
    ['chat_id', 'role', 'owner_id', 'verified_at', 'checked_at'],
  ),
  section(
    'managers_you_allowed',
    ['chat_managers', 'owner_id'],
    ['chat_id', 'telegram_id', 'role', 'verified_at'],
  ),
  section(
    'chats_you_added_the_bot_to',
    ['bot_chats', 'added_by'],
    ['chat_id', 'chat_name', 'added_at'],
  ),
  section(
    'changes_you_made',
    ['setting_changes', 'changed_by'],
    ['id', 'chat_id', 'changed_at', 'kind', 'preset', 'language_was', 'language'],
  ),
  section('changed_settings', ['setting_change_items', ofOwnChanges], changed),
  section('changed_values', ['setting_value_items', ofOwnChanges], changed),
  section('what_you_did_to_members', ['actions', 'by_id'], [...action, ...actionTimes]),
  section('what_was_done_to_you', ['actions', 'target_id'], [...action, ...actionTimes]),
  section('warnings_you_gave', ['warnings', 'by_id'], [...warning, ...warningTimes]),
  section('warnings_you_have', ['warnings', 'telegram_id'], [...warning, ...warningTimes]),
  section('approvals_you_gave', ['approvals', 'by_id'], approval),
  section('approvals_you_have', ['approvals', 'telegram_id'], approval),
  section(
    'seen_by_the_bot',
    ['people_seen', 'telegram_id'],
    ['telegram_id', 'username', 'first_name', 'seen_at'],
  ),
  section(
    'messages_seen_by_the_bot',
    ['seen_messages', 'sender_id'],
    ['chat_id', 'message_id', 'topic_id', 'sent_at'],
  ),
  section(
    'your_joining_of_groups',
    ['join_checks', 'telegram_id'],
    ['chat_id', 'kind', 'state', 'tries', 'language', 'started_at', 'due_at', 'settled_at'],
  ),
  section('recent_joins', ['recent_joins', 'telegram_id'], ['chat_id', 'at', 'greeted', 'let_in']),
  section('away', ['away', 'telegram_id'], ['reason', 'since']),
  section('whispers_you_wrote', ['whispers', 'from_id'], [...whisper, 'to_id', 'to_username']),
  section('whispers_to_you', ['whispers', 'to_id'], [...whisper, 'from_id']),
  section('sticker_packs', ['sticker_packs', 'telegram_id'], ['name', 'title', 'created_at']),
  section('said_to_be_an_adult', ['adult_confirmations', 'telegram_id'], ['confirmed_at']),
  section('hints_the_bot_will_send', ['due_hints', 'telegram_id'], ['chat_id', 'due_at']),
  section(
    'what_the_bot_will_do',
    ['due_jobs', 'telegram_id'],
    ['kind', 'chat_id', 'body', 'due_at'],
  ),
  section(
    'messages_to_be_deleted',
    ['due_deletions', 'sender_id'],
    ['chat_id', 'message_id', 'due_at'],
  ),
];

export const exportSections: readonly Pick<Section, 'name'>[] = sections;

const rowsPerPage = 500;

/** The rows of a section, page by page, with times in ISO 8601 and without JSON inside of texts. */
export async function* readSection(
  db: Kysely<Tables>,
  name: string,
  telegramId: number,
): AsyncGenerator<readonly Readonly<Record<string, unknown>>[]> {
  const found = sections.find((one) => one.name === name);
  if (found === undefined) {
    return;
  }
  const columns = sql.join(found.columns.map((column) => sql.ref(column)));
  for (let at = 0; ; at += rowsPerPage) {
    const { rows } = await sql<Record<string, unknown>>`
      select ${columns} from ${sql.table(found.table)} where ${found.where(telegramId)}
      order by ${columns} limit ${rowsPerPage} offset ${at}`.execute(db);
    yield rows.map(toPlain);
    if (rows.length < rowsPerPage) {
      return;
    }
  }
}

const times = /_at$|^(?:at|since|until)$/;
const jsonColumns: ReadonlySet<string> = new Set([
  'transports',
  'tags',
  'loras',
  'recipe',
  'picture_ids',
  'body',
  'was',
  'becomes',
]);

function toPlain(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (typeof value === 'number' && times.test(column)) {
        return [column, new Date(value).toISOString()];
      }
      const isJson = typeof value === 'string' && jsonColumns.has(column);
      return [column, isJson ? parseOrKeep(value) : value];
    }),
  );
}

/** Some texts are JSON only at times. */
function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
