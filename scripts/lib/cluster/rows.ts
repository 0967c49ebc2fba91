/**
 * Fills a database with chats, users and what is stored of them, by statements that both databases understand. The proportions
 * are those of a small, used chat; `npm run bench:scale` measures how much each row takes.
 */
import { type Kysely, sql } from 'kysely';

import { settingName } from '#contract/chats/message-types';
import { type Database } from '#server/db/client';
import { type Tables } from '#server/db/tables';

const firstUserId = 2_000_000_000;
const firstChatId = -1_002_000_000_000;

/** Each user owns one chat. */
export const getUserId = (index: number) => firstUserId + index;
export const getChatId = (index: number) => firstChatId - index;

/** Text that is spread over an index as random ids are, and the same for the same row. */
const id = (kind: string) =>
  `cast(1000000000 + ((n * 2654435761) % 4294967296) as text) || '-${kind}-' || cast(1000000000 + n as text)`;

/** So many characters, as a salt or a hash has. */
const digits = (length: number) =>
  `substr(cast(1000000000000 + n as text) || '${'A'.repeat(length)}', 1, ${length})`;

const user = `${firstUserId} + n`;
const chat = `${firstChatId} - n`;
const photo = settingName('photo');

/** Table → how its rows are made of the numbers of `series`; some have several rows for each chat. */
const inserts: readonly (readonly [table: string, select: string])[] = [
  [
    'people (telegram_id, email, password_hash, first_name, username, created_at)',
    `select ${user}, 'person' || n || '@example.org', '$argon2id$v=19$m=19456,t=2,p=1$' || ${digits(22)} || '$' || ${digits(43)}, 'Person', 'person' || n, {now} from series`,
  ],
  [
    'sessions (id, token_hash, telegram_id, device, address_prefix, created_at, last_seen_at, expires_at)',
    `select ${id('session')}, ${id('token')} || ${id('token')}, ${user}, 'Firefox on Linux', '203.0.113.*', {now}, {now}, {now} + 600000000 from series`,
  ],
  [
    'chats (chat_id, chat_name, is_demo, created_at)',
    `select ${chat}, 'A chat with number ' || n, 0, {now} from series`,
  ],
  [
    'bot_chats (chat_id, chat_name, is_in, may_delete, is_forum, added_by, added_at, updated_at, language)',
    `select ${chat}, 'A chat with number ' || n, 1, 1, 0, ${user}, {now}, {now}, 'en' from series`,
  ],
  [
    'chat_managers (chat_id, telegram_id, owner_id, role, verified_at, checked_at)',
    `select ${chat}, ${user}, ${user}, 'creator', {now}, {now} from series`,
  ],
  [
    'topics (chat_id, topic_id, created_at)',
    `select ${chat}, topic, {now} from series, (select 0 as topic union all select 5) as topics`,
  ],
  [
    'topic_settings (chat_id, topic_id, name, is_blocked, updated_at)',
    `select ${chat}, topic, name, 1, {now} from series, (select 0 as topic union all select 5) as topics,
      (select '${photo}' as name union all select 'sticker_blocked') as names`,
  ],
  [
    'topic_names (chat_id, topic_id, name, updated_at)',
    `select ${chat}, 5, 'News', {now} from series`,
  ],
  [
    'chat_values (chat_id, topic_id, name, value, updated_at)',
    `select ${chat}, -1, 'warn_limit', '5', {now} from series`,
  ],
  [
    'setting_changes (id, chat_id, changed_at, changed_by, kind, item_count)',
    `select ${id('change-of-settings')}, ${chat}, {now} - n, ${user}, 'toggle', 1 from series`,
  ],
  [
    'setting_change_items (change_id, topic_id, name, was, becomes)',
    `select ${id('change-of-settings')}, 0, '${photo}', 0, 1 from series`,
  ],
  [
    'deletions (chat_id, name, hour, total, uncertain)',
    `select ${chat}, '${photo}', {now} - {now} % 3600000 - hour * 3600000, 7, 0 from series,
      (select 1 as hour union all select 2 union all select 3) as hours`,
  ],
  [
    'seen_messages (chat_id, message_id, topic_id, sender_id, sent_at)',
    `select ${chat}, message, 0, ${user}, {now} - n from series,
      (select 1 as message union all select 2) as messages`,
  ],
  [
    'people_seen (telegram_id, username, first_name, seen_at)',
    `select ${user}, 'person' || n, 'Person', {now} - n from series`,
  ],
  [
    'actions (id, chat_id, at, by_id, target_id, kind, reason)',
    `select ${id('action-of-admins')}, ${chat}, {now} - n, ${user}, 7, 'mute', 'spam' from series`,
  ],
  [
    'warnings (id, chat_id, telegram_id, by_id, reason, given_at, expires_at, update_id)',
    `select ${id('warning-of-admins')}, ${chat}, 7, ${user}, 'spam', {now} - n, {now} + 600000000 + n, n from series`,
  ],
  [
    'account_events (id, telegram_id, at, kind, device, address_prefix, detail, times)',
    `select ${id('event-of-account')}, ${user}, {now} - n, 'login', 'Firefox on Linux', '203.0.113.*', 'password', 1 from series`,
  ],
  [
    'pictures (id, telegram_id, type, bytes, width, height, created_at)',
    `select ${id('pic')}, ${user}, 'image/webp', 125000, 1024, 1024, {now} from series`,
  ],
  [
    `generations (id, telegram_id, picture_id, prompt, negative_prompt, model_id, model_name, seed, ratio, nsfw, tags, loras,
      job_key, created_at, provider, style)`,
    `select ${id('generation')}, ${user}, ${id('pic')}, 'an otter in a river at dawn, watercolour, soft light', 'blurry, text',
      '1648918127446573124', 'Tsubaki', '1234567890', '1:1', 0, '[]', '{"1648918127446573125":0.7}', ${id('key')}, {now}, 'pixai', ''
      from series`,
  ],
  [
    `generation_jobs (job_key, owner_id, provider, engine, recipe, seed, state, picture_ids, picture_bytes, runner, held_until,
      created_at, finished_at)`,
    `select ${id('key')}, ${user}, 'pixai', 'pixai', '{"prompt":"an otter in a river at dawn, watercolour, soft light","ratio":"1:1"}',
      '1234567890', 'done', '["' || ${id('pic')} || '"]', 125000, ${id('runner')}, {now}, {now}, {now} from series where n % 10 = 0`,
  ],
  [
    'bot_inbox (bot_id, update_id, chat_id, payload, received_at, handled_at, runner, leased_until)',
    `select 1, n, ${chat}, null, {now} - n, {now} - n, '', 0 from series`,
  ],
];

/** So many at once, so that a statement stays below what a temporary table may take. */
const rowsAtOnce = 100_000;

/** Adds the chats from one number to below the other, with their owners and what is stored of both. */
export async function addChats(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const now = Date.now();
  for (let start = from; start < to; start += rowsAtOnce) {
    const end = Math.min(start + rowsAtOnce, to);
    const series =
      engine === 'postgres'
        ? `with series as (select n from generate_series(${start}::bigint, ${end - 1}) as n)`
        : `with recursive series(n) as (select ${start} union all select n + 1 from series where n + 1 < ${end})`;
    await withoutChecks({ db, engine }, async (tx) => {
      for (const [table, select] of inserts) {
        const text = select.replaceAll('{now}', String(now));
        // In order: a row refers to those before it.
        await sql.raw(`insert into ${table} ${series} ${text}`).execute(tx);
      }
    });
  }
  await sql.raw(engine === 'postgres' ? 'vacuum analyze' : 'analyze').execute(db);
}

/** References hold by how the rows are made: looking each up would take most of the time. */
async function withoutChecks(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  fill: (tx: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (engine === 'postgres') {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`set local statement_timeout = 0`.execute(tx);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    }
    await fill(tx);
  });
}

export type TableSize = {
  readonly table: string;
  readonly rows: number;
  /** With indexes. */
  readonly bytes: number;
};

/** The tables of a PostgreSQL with their rows and bytes. */
export async function readSizes({ db }: Pick<Database, 'db'>): Promise<readonly TableSize[]> {
  const { rows } = await sql<TableSize>`
    select relname as "table", greatest(reltuples, 0)::bigint as rows, pg_total_relation_size(oid) as bytes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    order by 3 desc`.execute(db);
  return rows;
}

type PlanFault = { readonly statement: string; readonly plan: string };

export type Plans = {
  readonly explained: number;
  /** Those whose text cannot be prepared, because a constant of it was left out where no parameter can be. */
  readonly skipped: readonly string[];
  readonly faults: readonly PlanFault[];
};

/** Tables of so many rows are read whole only by mistake. */
const manyRows = 10_000;

/**
 * Explains every statement that was really sent to this PostgreSQL, as `pg_stat_statements` lists them, and returns those that
 * read a table whole which grows with chats or users.
 */
export async function explainSent({ db }: Pick<Database, 'db'>): Promise<Plans> {
  const sent = await sql<{ query: string }>`
    select query from pg_stat_statements
    where query ~* '^\\s*(select|update|delete|with|insert)' and query ~ '"' and dbid = (select oid from pg_database where datname = current_database())
    order by query`.execute(db);
  const sizes = await readSizes({ db });
  const large = new Set(sizes.filter(({ rows }) => rows >= manyRows).map(({ table }) => table));
  const partial = await sql<{ name: string }>`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where indpred is not null`.execute(db);
  const partialIndexes = new Set(partial.rows.map(({ name }) => name));
  const faults: PlanFault[] = [];
  const skipped: string[] = [];
  for (const { query } of sent.rows) {
    const plan = await explain({ db }, query);
    if (plan === undefined) {
      skipped.push(query);
      continue;
    }
    if (listWhole(plan, partialIndexes).some((table) => large.has(table))) {
      faults.push({ statement: query, plan });
    }
  }
  return { explained: sent.rows.length - skipped.length, skipped, faults };
}

/** The tables that a plan reads from the beginning to the end: row by row, or all of an index that has all rows. */
function listWhole(plan: string, partialIndexes: ReadonlySet<string>): readonly string[] {
  const lines = plan.split('\n');
  const isLimited = plan.includes('Limit  (');
  return lines.flatMap((line, index) => {
    const [, rows] = /Seq Scan on (\w+)/.exec(line) ?? [];
    const [, name = '', keys] = /Index (?:Only )?Scan using (\w+) on (\w+)/.exec(line) ?? [];
    const isSearched =
      isLimited || partialIndexes.has(name) || /Index Cond/.test(lines[index + 1] ?? '');
    return rows ?? (isSearched ? [] : (keys ?? []));
  });
}

/** What the statistics leave out of a text, and where no parameter can be. The others are numbered anew. */
function toPreparable(query: string): { readonly text: string; readonly parameters: number } {
  const numbers = new Map<string, number>();
  const text = query
    .replaceAll(/extract\(\$\d+ from/g, 'extract(epoch from')
    .replaceAll(/\$\d+/g, (name) => {
      const number = numbers.get(name) ?? numbers.size + 1;
      numbers.set(name, number);
      return `$${number}`;
    });
  return { text, parameters: numbers.size };
}

/** The plan of a statement for any parameters; undefined for a text that PostgreSQL cannot prepare. */
async function explain({ db }: Pick<Database, 'db'>, query: string): Promise<string | undefined> {
  const { text, parameters } = toPreparable(query);
  const nothing = Array.from({ length: parameters }, () => 'null').join(', ');
  return db.connection().execute(async (connection) => {
    try {
      await sql.raw(`prepare looked_at as ${text}`).execute(connection);
    } catch {
      return undefined;
    }
    await sql`set plan_cache_mode = force_generic_plan`.execute(connection);
    const call = nothing === '' ? 'looked_at' : `looked_at(${nothing})`;
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': string }>(`explain execute ${call}`)
      .execute(connection);
    await sql`deallocate looked_at; reset plan_cache_mode`.execute(connection);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}
