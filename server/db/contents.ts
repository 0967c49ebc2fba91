/** Stores what the bot sends in chats: greetings, rules, answers and notes. A content never changes. */
import { type Kysely, sql } from 'kysely';
import * as v from 'valibot';

import { type ContentBody, contentBody } from '#contract/chats/contents';
import { listContents } from '#contract/chats/values';

import { type Tables } from './tables.ts';

export type StoredContent = {
  /** 22 characters of base64url. */
  readonly id: string;
  readonly chatId: number;
  readonly body: ContentBody;
};

/** Both databases limit the values of a statement. */
const idsPerStatement = 500;

const storedBody = v.pipe(v.string(), v.parseJson(), contentBody);

export function createContentRepository(db: Kysely<Tables>) {
  return {
    /** Saves a content; one of the same ID stays as it is. */
    async add({ id, chatId, body }: StoredContent, now: number): Promise<void> {
      await db
        .insertInto('contents')
        .values({ id, chat_id: chatId, body: JSON.stringify(body), created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** The contents with these IDs, of any chat; what is stored and broken is left out. */
    async list(ids: readonly string[]): Promise<readonly StoredContent[]> {
      const found: StoredContent[] = [];
      for (let start = 0; start < ids.length; start += idsPerStatement) {
        const rows = await db
          .selectFrom('contents')
          .selectAll()
          .where('id', 'in', ids.slice(start, start + idsPerStatement))
          .execute();
        for (const { id, chat_id: chatId, body } of rows) {
          const parsed = v.safeParse(storedBody, body);
          if (parsed.success) {
            found.push({ id, chatId, body: parsed.output });
          }
        }
      }
      return found;
    },

    /**
     * Removes contents from before a time that neither a value nor the history of their chat names. Looks at one of
     * `parts` parts of all chats.
     */
    async removeUnnamed(
      before: number,
      { part, parts }: { readonly part: number; readonly parts: number },
    ): Promise<void> {
      const chats = await db
        .selectFrom('contents')
        .select('chat_id')
        .distinct()
        .where('created_at', '<', before)
        .where(sql<number>`abs(chat_id) % ${sql.lit(parts)}`, '=', part)
        .execute();
      for (const { chat_id: chatId } of chats) {
        await removeUnnamedInChat(db, chatId, before);
      }
    },
  };
}

async function removeUnnamedInChat(
  db: Kysely<Tables>,
  chatId: number,
  before: number,
): Promise<void> {
  const old = await db
    .selectFrom('contents')
    .select('id')
    .where('chat_id', '=', chatId)
    .where('created_at', '<', before)
    .execute();
  const named = await listNamed(db, chatId);
  const unnamed = old.map(({ id }) => id).filter((id) => !named.has(id));
  for (let start = 0; start < unnamed.length; start += idsPerStatement) {
    const some = unnamed.slice(start, start + idsPerStatement);
    await db.deleteFrom('contents').where('id', 'in', some).execute();
  }
}

const contentNames = ['welcome_content', 'goodbye_content', 'rules_content'];

/** The contents that the values of a chat name, or its history. */
async function listNamed(db: Kysely<Tables>, chatId: number): Promise<ReadonlySet<string>> {
  const values = await db
    .selectFrom('chat_values')
    .select(['name', 'value as now'])
    .where('chat_id', '=', chatId)
    .where((eb) =>
      eb.or([
        eb('name', 'in', contentNames),
        eb('name', 'like', 'note:%'),
        eb('name', 'like', 'filter:%'),
      ]),
    )
    .execute();
  const changed = await db
    .selectFrom('setting_value_items as items')
    .innerJoin('setting_changes as changes', 'changes.id', 'items.change_id')
    .select(['items.name', 'items.was', 'items.becomes'])
    .where('changes.chat_id', '=', chatId)
    .where((eb) =>
      eb.or([
        eb('items.name', 'in', contentNames),
        eb('items.name', 'like', 'note:%'),
        eb('items.name', 'like', 'filter:%'),
      ]),
    )
    .execute();
  return new Set([
    ...values.flatMap(({ name, now }) => readContents(name, now)),
    ...changed.flatMap(({ name, was }) => readContents(name, was)),
    ...changed.flatMap(({ name, becomes }) => readContents(name, becomes)),
  ]);
}

const readContents = (name: string, json: string | null) =>
  json === null ? [] : listContents(name, JSON.parse(json));
