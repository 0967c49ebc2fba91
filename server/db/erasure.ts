/**
 * Every table that can hold the ID of a user, or what they wrote, and what becomes of it when they delete their account. A
 * new table does not compile before it is named here.
 */
import { type Kysely, sql } from 'kysely';
import * as v from 'valibot';

import { createRegistrationRepository } from './accounts.ts';
import { type Database } from './client.ts';
import { exportObject } from './exports.ts';
import { type Tables } from './tables.ts';

/** In rows that belong to others, such as the history of a chat: who was that is not known any more. */
const unknownId = 0;

type Replacement = 'unknown' | 'none' | 'mark';

type Rule<Column> = {
  /** The row is the user's: it is deleted. */
  readonly own?: Column;
  /** The row belongs to others: the ID in this column is replaced, and what the user wrote there is emptied. */
  readonly others?: {
    readonly [C in Column & string]?: {
      readonly becomes: Replacement;
      readonly empties?: { readonly column: Column; readonly to: '' | null };
    };
  };
  /** The ID may stand in these texts, beside others: such rows are deleted, or count as handled. */
  readonly within?: {
    readonly texts: readonly Column[];
    readonly key: Column;
    readonly outcome: 'delete' | 'handled';
  };
};

type Rules = { readonly [T in keyof Tables]: Rule<keyof Tables[T]> };

const holdsNoUser = {} as const;

/**
 * In the order in which rows are locked: jobs before the account, as a job that ends does. What stays names chats,
 * settings and counts.
 */
const rules: Rules = {
  generation_jobs: { own: 'owner_id' },
  people: { own: 'telegram_id' },
  registrations: { own: 'telegram_id' },
  sessions: { own: 'telegram_id' },
  used_launches: holdsNoUser,
  account_events: { own: 'telegram_id' },
  passkeys: { own: 'telegram_id' },
  passkey_challenges: { own: 'telegram_id' },
  exports: { own: 'telegram_id' },
  otps: { within: { texts: ['subject'], key: 'id', outcome: 'delete' } },
  chats: holdsNoUser,
  // Others manage the chat with the consent of its owner, who is recognised without the ID.
  chat_managers: { own: 'telegram_id', others: { owner_id: { becomes: 'mark' } } },
  topics: holdsNoUser,
  topic_settings: holdsNoUser,
  chat_upgrades: holdsNoUser,
  usage: holdsNoUser,
  bot_chats: {
    others: { added_by: { becomes: 'none', empties: { column: 'added_at', to: null } } },
  },
  bot_profile: holdsNoUser,
  topic_names: holdsNoUser,
  setting_changes: { others: { changed_by: { becomes: 'unknown' } } },
  setting_change_items: holdsNoUser,
  setting_value_items: holdsNoUser,
  chat_values: holdsNoUser,
  people_seen: { own: 'telegram_id' },
  // Which messages a topic has is needed to delete many of them, no matter who wrote them.
  seen_messages: { others: { sender_id: { becomes: 'unknown' } } },
  warnings: {
    own: 'telegram_id',
    others: { by_id: { becomes: 'unknown', empties: { column: 'reason', to: '' } } },
  },
  approvals: { own: 'telegram_id', others: { by_id: { becomes: 'unknown' } } },
  actions: {
    own: 'target_id',
    others: { by_id: { becomes: 'unknown', empties: { column: 'reason', to: '' } } },
  },
  due_jobs: {
    own: 'telegram_id',
    within: { texts: ['id', 'body'], key: 'id', outcome: 'delete' },
  },
  deletions: holdsNoUser,
  due_deletions: { others: { sender_id: { becomes: 'none' } } },
  // The number of an update stays, so that it is not handled again; of a private chat the ID is that of the user.
  bot_inbox: {
    others: { chat_id: { becomes: 'unknown' } },
    within: { texts: ['payload'], key: 'update_id', outcome: 'handled' },
  },
  due_hints: { own: 'telegram_id' },
  // Keys are hashes; those of an earlier version had IDs.
  rate_buckets: { within: { texts: ['key'], key: 'key', outcome: 'delete' } },
  model_names: { own: 'telegram_id' },
  pictures: { own: 'telegram_id' },
  generations: { own: 'telegram_id' },
  further_pictures: holdsNoUser,
  connections: { own: 'telegram_id' },
  connection_attempts: { own: 'telegram_id' },
  // Kept for an hour, for processes that were away.
  chat_events: { within: { texts: ['event'], key: 'id', outcome: 'delete' } },
  loose_objects: holdsNoUser,
  bot_positions: holdsNoUser,
  kept_keys: holdsNoUser,
  // What the bot says in a chat belongs to the chat.
  contents: holdsNoUser,
  join_checks: { own: 'telegram_id' },
  recent_joins: { own: 'telegram_id' },
  last_greetings: holdsNoUser,
  chat_numbers: holdsNoUser,
  away: { own: 'telegram_id' },
  whispers: {
    own: 'from_id',
    others: { to_id: { becomes: 'none', empties: { column: 'to_username', to: null } } },
  },
  sticker_packs: { own: 'telegram_id' },
  adult_confirmations: { own: 'telegram_id' },
  schema_versions: holdsNoUser,
};

/** What a deleted account leaves to be removed elsewhere. */
export type ErasedUser = {
  readonly pictureIds: readonly string[];
  readonly jobPictureIds: readonly string[];
  readonly exportObjects: readonly string[];
  /** Chats in which the user was approved. */
  readonly approvedIn: readonly number[];
};

type Erasure = {
  readonly telegramId: number;
  readonly mark: (telegramId: number) => number;
  readonly now: number;
};

/** A query can have only so many parameters. */
const batchSize = 500;

const idList = v.pipe(
  v.string(),
  v.transform((json): unknown => JSON.parse(json)),
  v.array(v.string()),
);

/** Inside a transaction. The account is the last: what is written for it meanwhile goes with it, or is refused. */
export async function eraseUser(tx: Kysely<Tables>, erasure: Erasure): Promise<ErasedUser> {
  const { telegramId } = erasure;
  const takeJobs = async () => {
    const rows = await tx
      .deleteFrom('generation_jobs')
      .where('owner_id', '=', telegramId)
      .returning('picture_ids')
      .execute();
    return rows.flatMap(({ picture_ids }) => v.parse(idList, picture_ids ?? '[]'));
  };

  const made = await takeJobs();
  // As for a picture that is saved: what is being saved is there by then, and what comes later finds no account.
  await tx
    .updateTable('people')
    .set((eb) => ({ email: eb.ref('email') }))
    .where('telegram_id', '=', telegramId)
    .execute();
  // Their codes are stored by attempts, which do not name the user.
  await createRegistrationRepository(tx).removeAll(telegramId);
  const pictures = await tx
    .selectFrom('pictures')
    .select('id')
    .where('telegram_id', '=', telegramId)
    .execute();
  const exports = await tx
    .selectFrom('exports')
    .select(['id', 'file'])
    .where('telegram_id', '=', telegramId)
    .execute();
  const approvals = await tx
    .selectFrom('approvals')
    .select('chat_id')
    .where('telegram_id', '=', telegramId)
    .execute();
  for (const [table, rule] of Object.entries<Rule<string>>(rules)) {
    await applyRule(tx, { table, rule, ...erasure });
  }
  const late = await takeJobs();
  await tx.deleteFrom('people').where('telegram_id', '=', telegramId).execute();
  return {
    pictureIds: pictures.map(({ id }) => id),
    jobPictureIds: [...made, ...late],
    exportObjects: exports.map(exportObject),
    approvedIn: approvals.map(({ chat_id }) => chat_id),
  };
}

type Step = Erasure & { readonly table: string; readonly rule: Rule<string> };

async function applyRule(tx: Kysely<Tables>, step: Step): Promise<void> {
  const { table, rule, telegramId, mark } = step;
  const replacements = { unknown: unknownId, none: null, mark: mark(telegramId) };
  // First: a row about the user that the user has written is deleted, not changed.
  if (rule.own !== undefined && table !== 'people' && table !== 'generation_jobs') {
    await sql`delete from ${sql.table(table)} where ${sql.ref(rule.own)} = ${telegramId}`.execute(
      tx,
    );
  }
  for (const [column, other] of Object.entries(rule.others ?? {})) {
    if (other !== undefined) {
      const { becomes, empties } = other;
      const sets = [
        sql`${sql.ref(column)} = ${replacements[becomes]}`,
        ...(empties === undefined ? [] : [sql`${sql.ref(empties.column)} = ${empties.to}`]),
      ];
      await sql`update ${sql.table(table)} set ${sql.join(sets)} where ${sql.ref(column)} = ${telegramId}`.execute(
        tx,
      );
    }
  }
  if (rule.within !== undefined) {
    await eraseWithin(tx, step, rule.within);
  }
}

async function eraseWithin(
  tx: Kysely<Tables>,
  { table, telegramId, now }: Step,
  { texts, key, outcome }: NonNullable<Rule<string>['within']>,
): Promise<void> {
  const like = `%${telegramId}%`;
  const anywhere = sql.join(
    texts.map((column) => sql`${sql.ref(column)} like ${like}`),
    sql` or `,
  );
  const found = await sql<Record<string, unknown>>`
    select ${sql.join([key, ...texts].map((column) => sql.ref(column)))}
    from ${sql.table(table)} where ${anywhere}`.execute(tx);
  // Not a part of a longer number, and not a group, whose ID is below zero.
  const pattern = new RegExp(String.raw`(?<![\d-])${telegramId}(?!\d)`);
  const isFound = (text: unknown) => typeof text === 'string' && pattern.test(text);
  const keys = found.rows
    .filter((row) => texts.some((column) => isFound(row[column])))
    .map((row) => row[key]);
  for (let at = 0; at < keys.length; at += batchSize) {
    const some = sql.join(keys.slice(at, at + batchSize));
    const change =
      outcome === 'delete'
        ? sql`delete from ${sql.table(table)}`
        : sql`update ${sql.table(table)} set payload = null, handled_at = ${now}`;
    await sql`${change} where ${sql.ref(key)} in (${some})`.execute(tx);
  }
}

/** What was deleted may still stand in the log of changes that SQLite has beside its file. */
export async function forgetDeletedBytes({ db, engine }: Database): Promise<void> {
  if (engine === 'sqlite') {
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
  }
}
