/** Stores who changed which settings and values of a chat, and when. */
import { type Kysely, sql } from 'kysely';

import { displayName } from './people-seen.ts';
import { type Tables } from './tables.ts';
import { rowsPerInsert } from './topics.ts';

export type ChangedItem = {
  readonly topicId: number;
  readonly name: string;
  readonly was: boolean;
  readonly becomes: boolean;
};

/** Null is a value that is not stored; `topicId` is `wholeChatId` for the whole chat. */
export type ChangedValue = {
  readonly topicId: number;
  readonly name: string;
  readonly was: unknown;
  readonly becomes: unknown;
};

/** Tags of languages; of earlier ones perhaps, which are none of ours any more. */
export type ChangedLanguage = { readonly was: string; readonly becomes: string };

export type ChangeKind = Tables['setting_changes']['kind'];

export type RecordedChange = {
  readonly id: string;
  /** Epoch milliseconds; later than that of every earlier change to the chat. */
  readonly changedAt: number;
  /** `name` is empty when unknown. */
  readonly changedBy: { readonly telegramId: number; readonly name: string };
  readonly kind: ChangeKind;
  readonly preset: string | null;
  readonly items: readonly ChangedItem[];
  readonly values: readonly ChangedValue[];
  /** Null when only settings or values were changed. */
  readonly language: ChangedLanguage | null;
};

type NewChange = {
  readonly id: string;
  readonly chatId: number;
  readonly by: number;
  readonly kind: ChangeKind;
  readonly preset: string | null;
  readonly items: readonly ChangedItem[];
  readonly values: readonly ChangedValue[];
  readonly language: ChangedLanguage | null;
};

/** `db` is the database, or the transaction of the caller. */
export function createSettingChangeRepository(db: Kysely<Tables>) {
  return {
    /**
     * Records a change, at `now` or right after the newest one of the chat. The caller holds the lock
     * of the chat, so that the order of times is the order of changes, whatever the clock does.
     */
    add: (change: NewChange, now: number) => addChange(db, change, now),

    /** Undefined also when the change is to another chat. */
    async find(chatId: number, id: string): Promise<RecordedChange | undefined> {
      const rows = await selectWithUser(db)
        .where('setting_changes.id', '=', id)
        .where('setting_changes.chat_id', '=', chatId)
        .execute();
      return (await withItems(db, rows))[0];
    },

    /** When a change was made; undefined when the chat has no such change. */
    async findTime(chatId: number, id: string): Promise<number | undefined> {
      const row = await db
        .selectFrom('setting_changes')
        .select('changed_at')
        .where('id', '=', id)
        .where('chat_id', '=', chatId)
        .executeTakeFirst();
      return row?.changed_at;
    },

    /**
     * The newest changes before a time: at most `max`, with at most `maxItems` items together, but at
     * least one change. `hasMore` says whether there are older ones.
     */
    async list(
      chatId: number,
      { before, max, maxItems }: { before: number | undefined; max: number; maxItems: number },
    ): Promise<{ readonly changes: readonly RecordedChange[]; readonly hasMore: boolean }> {
      const rows = await selectWithUser(db)
        .where('setting_changes.chat_id', '=', chatId)
        .$if(before !== undefined, (query) => query.where('changed_at', '<', before ?? 0))
        .orderBy('changed_at', 'desc')
        .limit(max + 1)
        .execute();
      let room = maxItems;
      const page = rows.slice(0, max).filter(({ item_count }, index) => {
        room -= item_count;
        return room >= 0 || index === 0;
      });
      return { changes: await withItems(db, page), hasMore: page.length < rows.length };
    },

    /**
     * Removes changes older than `before`, and of each chat the oldest beyond `max` and `maxItems`. Of
     * the changes beyond `max` only those go that are older than `maxBefore`.
     */
    async removeOld({ before, max, maxBefore, maxItems }: Rules): Promise<void> {
      // Answered from the index alone, so that chats with nothing to remove cost almost nothing.
      const full = await db
        .selectFrom('setting_changes')
        .select('chat_id')
        .groupBy('chat_id')
        .having(({ eb, fn }) =>
          eb.or([
            eb(fn.min('changed_at'), '<', before),
            eb(fn.countAll(), '>', max),
            eb(fn.sum('item_count'), '>', maxItems),
          ]),
        )
        .execute();
      for (const { chat_id } of full) {
        await sql`
          delete from setting_changes where id in (
            select id from (
              select id, changed_at,
                row_number() over (order by changed_at desc) as position,
                sum(item_count) over (order by changed_at desc) as items
              from setting_changes
              where chat_id = ${chat_id}
            ) as ranked
            where changed_at < ${before}
              or (position > ${max} and changed_at < ${maxBefore})
              or (position > 1 and items > ${maxItems})
          )`.execute(db);
      }
    },
  };
}

type Rules = {
  readonly before: number;
  readonly max: number;
  readonly maxBefore: number;
  readonly maxItems: number;
};

function selectWithUser(db: Kysely<Tables>) {
  return db
    .selectFrom('setting_changes')
    .leftJoin('people', 'people.telegram_id', 'setting_changes.changed_by')
    .leftJoin('people_seen', 'people_seen.telegram_id', 'setting_changes.changed_by')
    .selectAll('setting_changes')
    .select([
      'people.first_name',
      'people.username',
      'people_seen.first_name as seen_name',
      'people_seen.username as seen_username',
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectWithUser>['execute']>>[number];

async function withItems(
  db: Kysely<Tables>,
  rows: readonly Row[],
): Promise<readonly RecordedChange[]> {
  if (rows.length === 0) {
    return [];
  }
  const ids = rows.map(({ id }) => id);
  const items = await db
    .selectFrom('setting_change_items')
    .selectAll()
    .where('change_id', 'in', ids)
    .orderBy('topic_id')
    .orderBy('name')
    .execute();
  const values = await db
    .selectFrom('setting_value_items')
    .selectAll()
    .where('change_id', 'in', ids)
    .orderBy('topic_id')
    .orderBy('name')
    .execute();
  const itemsByChange = Map.groupBy(items, ({ change_id }) => change_id);
  const valuesByChange = Map.groupBy(values, ({ change_id }) => change_id);
  return rows.map((row) => ({
    id: row.id,
    changedAt: row.changed_at,
    changedBy: { telegramId: row.changed_by, name: readName(row) },
    kind: row.kind,
    preset: row.preset,
    items: (itemsByChange.get(row.id) ?? []).map(toItem),
    values: (valuesByChange.get(row.id) ?? []).map(toValue),
    language: toChangedLanguage(row),
  }));
}

async function addChange(
  db: Kysely<Tables>,
  change: NewChange,
  now: number,
): Promise<RecordedChange> {
  const { id, chatId, by, kind, preset, items, values, language } = change;
  const row = await db
    .insertInto('setting_changes')
    .values((eb) => ({
      id,
      chat_id: chatId,
      changed_at: eb.fn.coalesce(
        eb
          .selectFrom('setting_changes')
          .select((max) => max(max.fn.max('changed_at'), '+', 1).as('next'))
          .where('chat_id', '=', chatId)
          .where('changed_at', '>=', now),
        eb.cast<number>(eb.val(now), 'bigint'),
      ),
      changed_by: by,
      kind,
      preset,
      item_count: items.length + values.length,
      language_was: language?.was ?? null,
      language: language?.becomes ?? null,
    }))
    .returning((eb) => {
      const known = eb.selectFrom('people').where('telegram_id', '=', by);
      const seen = eb.selectFrom('people_seen').where('telegram_id', '=', by);
      return [
        'changed_at',
        known.select('first_name').as('first_name'),
        known.select('username').as('username'),
        seen.select('first_name').as('seen_name'),
        seen.select('username').as('seen_username'),
      ];
    })
    .executeTakeFirstOrThrow();
  await addItems(db, id, items);
  await addValues(db, id, values);
  return {
    id,
    changedAt: row.changed_at,
    changedBy: { telegramId: by, name: readName(row) },
    kind,
    preset,
    items: items.toSorted(byTopicAndName),
    values: values.toSorted(byTopicAndName),
    language,
  };
}

async function addItems(
  db: Kysely<Tables>,
  changeId: string,
  items: readonly ChangedItem[],
): Promise<void> {
  for (let start = 0; start < items.length; start += rowsPerInsert) {
    await db
      .insertInto('setting_change_items')
      .values(
        items.slice(start, start + rowsPerInsert).map(({ topicId, name, was, becomes }) => ({
          change_id: changeId,
          topic_id: topicId,
          name,
          was: Number(was),
          becomes: Number(becomes),
        })),
      )
      .execute();
  }
}

async function addValues(
  db: Kysely<Tables>,
  changeId: string,
  values: readonly ChangedValue[],
): Promise<void> {
  for (let start = 0; start < values.length; start += rowsPerInsert) {
    await db
      .insertInto('setting_value_items')
      .values(
        values.slice(start, start + rowsPerInsert).map(({ topicId, name, was, becomes }) => ({
          change_id: changeId,
          topic_id: topicId,
          name,
          was: toJson(was),
          becomes: toJson(becomes),
        })),
      )
      .execute();
  }
}

/** A value that is not stored is null in both. */
const toJson = (value: unknown) => (value === null ? null : JSON.stringify(value));
const fromJson = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

type Place = { readonly topicId: number; readonly name: string };

function byTopicAndName(one: Place, other: Place): number {
  return one.topicId - other.topicId || (one.name < other.name ? -1 : 1);
}

function toItem(row: Tables['setting_change_items']): ChangedItem {
  return {
    topicId: row.topic_id,
    name: row.name,
    was: row.was === 1,
    becomes: row.becomes === 1,
  };
}

function toValue(row: Tables['setting_value_items']): ChangedValue {
  return {
    topicId: row.topic_id,
    name: row.name,
    was: fromJson(row.was),
    becomes: fromJson(row.becomes),
  };
}

function toChangedLanguage({
  language_was: was,
  language: becomes,
}: Pick<Row, 'language_was' | 'language'>): ChangedLanguage | null {
  return was === null || becomes === null ? null : { was, becomes };
}

/** What the user told Nori, else what the bot has seen, else nothing. */
function readName({
  first_name,
  username,
  seen_name,
  seen_username,
}: Pick<Row, 'first_name' | 'username' | 'seen_name' | 'seen_username'>): string {
  return (
    displayName({ first_name, username }) ||
    displayName({ first_name: seen_name, username: seen_username })
  );
}
