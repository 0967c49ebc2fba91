/** Stores what the bot sends in chats: greetings, rules, answers and notes. A content never changes. */
import { type Kysely } from 'kysely';
import * as v from 'valibot';

import { type ContentBody, contentBody } from '#contract/chats/contents';

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
  };
}
