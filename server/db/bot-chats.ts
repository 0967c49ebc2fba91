/** The chats that the bot is or was in, verified or not. */
import { type Kysely } from 'kysely';

import { type Language } from '#contract/languages';

import { toLanguage } from './languages.ts';
import { type Tables } from './tables.ts';

/** What the bot may do in a chat. */
export type BotPlace = {
  readonly isIn: boolean;
  readonly mayDelete: boolean;
  readonly isForum: boolean;
  /** Of Telegram; null for none, undefined where it is not known. */
  readonly communityId?: number | null | undefined;
};

/** `language` is what the bot writes there; undefined while it is not known. */
type StoredPlace = BotPlace & {
  readonly name: string;
  readonly language: Language | undefined;
};

/** `addedAt` in epoch milliseconds. */
type Arrival = { readonly chatId: number; readonly addedAt: number };

type UnverifiedChat = {
  readonly chatId: number;
  readonly name: string;
  readonly mayDelete: boolean;
};

/** How many unverified chats a user is shown. */
const maxUnverified = 50;

export function createBotChatRepository(db: Kysely<Tables>) {
  return {
    async find(chatId: number): Promise<StoredPlace | undefined> {
      const row = await db
        .selectFrom('bot_chats')
        .select(['is_in', 'may_delete', 'is_forum', 'chat_name', 'language'])
        .where('chat_id', '=', chatId)
        .executeTakeFirst();
      return (
        row && {
          isIn: row.is_in === 1,
          mayDelete: row.may_delete === 1,
          isForum: row.is_forum === 1,
          name: row.chat_name,
          language: toLanguage(row.language),
        }
      );
    },

    /** Saves the bot's place in a chat. The user who added the bot stays, and so does a name that is not given. */
    async save(
      chatId: number,
      {
        isIn,
        mayDelete,
        isForum,
        communityId,
        name,
      }: BotPlace & { readonly name: string | undefined },
      now: number,
    ): Promise<void> {
      const place = {
        is_in: Number(isIn),
        may_delete: Number(mayDelete),
        is_forum: Number(isForum),
        updated_at: now,
        ...(name === undefined ? {} : { chat_name: name }),
        ...(communityId === undefined ? {} : { community_id: communityId }),
      };
      await db
        .insertInto('bot_chats')
        .values({ chat_id: chatId, chat_name: '', added_by: null, added_at: null, ...place })
        .onConflict((conflict) => conflict.column('chat_id').doUpdateSet(place))
        .execute();
    },

    /** Saves who added the bot to a chat, or picked the chat; the bot may not be in it yet. */
    async setAdder(
      chatId: number,
      { addedBy, name }: { readonly addedBy: number; readonly name: string | undefined },
      now: number,
    ): Promise<void> {
      const facts = {
        added_by: addedBy,
        added_at: now,
        updated_at: now,
        ...(name === undefined ? {} : { chat_name: name }),
      };
      await db
        .insertInto('bot_chats')
        .values({ chat_id: chatId, chat_name: '', is_in: 0, may_delete: 0, is_forum: 0, ...facts })
        .onConflict((conflict) => conflict.column('chat_id').doUpdateSet(facts))
        .execute();
    },

    /** Also renames the chat for its owner and administrators. */
    async rename(chatId: number, name: string): Promise<void> {
      for (const table of ['bot_chats', 'chats'] as const) {
        await db
          .updateTable(table)
          .set({ chat_name: name })
          .where('chat_id', '=', chatId)
          .execute();
      }
    },

    /** The chats that a user added the bot to, or picked, and has not verified; the newest first. */
    listUnverified: (telegramId: number): Promise<readonly UnverifiedChat[]> =>
      listUnverified(db, telegramId),
  };
}

type DueHint = {
  readonly chatId: number;
  readonly telegramId: number;
  readonly dueAt: number;
  readonly giveUpAt: number;
};

/** Hints to users who added the bot to a chat where it lacks a right. Times are epoch milliseconds. */
export function createDueHintRepository(db: Kysely<Tables>) {
  return {
    /** One for each chat: the last one counts. */
    async add({ chatId, telegramId, dueAt, giveUpAt }: DueHint): Promise<void> {
      const hint = { telegram_id: telegramId, due_at: dueAt, give_up_at: giveUpAt };
      await db
        .insertInto('due_hints')
        .values({ chat_id: chatId, ...hint })
        .onConflict((conflict) => conflict.column('chat_id').doUpdateSet(hint))
        .execute();
    },

    /**
     * Returns what is due and leaves it to the caller until `heldUntil`; removes what is too late or about
     * a chat that is known to be an upgraded group.
     */
    async claim(
      now: number,
      heldUntil: number,
    ): Promise<readonly Pick<DueHint, 'chatId' | 'telegramId'>[]> {
      await db
        .deleteFrom('due_hints')
        .where((eb) =>
          eb.or([
            eb('give_up_at', '<=', now),
            eb('chat_id', 'in', eb.selectFrom('chat_upgrades').select('chat_id')),
            eb('chat_id', 'in', eb.selectFrom('chat_upgrades').select('old_chat_id')),
          ]),
        )
        .execute();
      const rows = await db
        .updateTable('due_hints')
        .set({ due_at: heldUntil })
        .where('due_at', '<=', now)
        .returning(['chat_id', 'telegram_id'])
        .execute();
      return rows.map(({ chat_id, telegram_id }) => ({ chatId: chat_id, telegramId: telegram_id }));
    },

    async remove(chatId: number): Promise<void> {
      await db.deleteFrom('due_hints').where('chat_id', '=', chatId).execute();
    },
  };
}

/** The chat that a user last added the bot to, or picked; verified or not. */
export async function readNewestChat(
  db: Kysely<Tables>,
  telegramId: number,
): Promise<Arrival | undefined> {
  const row = await db
    .selectFrom('bot_chats')
    .select(['chat_id', 'added_at'])
    .where('added_by', '=', telegramId)
    .where('is_in', '=', 1)
    .where('added_at', 'is not', null)
    .orderBy('added_at', 'desc')
    .orderBy('chat_id')
    .limit(1)
    .$narrowType<{ added_at: number }>()
    .executeTakeFirst();
  return row && { chatId: row.chat_id, addedAt: row.added_at };
}

/** Saves what a deletion has shown; a chat that is not stored stays so. */
export async function updateBotPlace(
  db: Kysely<Tables>,
  {
    chatId,
    ...place
  }: { readonly chatId: number; readonly mayDelete?: boolean; readonly isIn?: false },
  now: number,
): Promise<void> {
  await db
    .updateTable('bot_chats')
    .set({
      may_delete: Number(place.mayDelete ?? false),
      ...(place.isIn === undefined ? {} : { is_in: 0 }),
      updated_at: now,
    })
    .where('chat_id', '=', chatId)
    .execute();
}

async function listUnverified(
  db: Kysely<Tables>,
  telegramId: number,
): Promise<readonly UnverifiedChat[]> {
  const rows = await db
    .selectFrom('bot_chats')
    .select(['chat_id', 'chat_name', 'may_delete'])
    .where('added_by', '=', telegramId)
    .where('is_in', '=', 1)
    .where('chat_id', 'not in', (query) =>
      query
        .selectFrom('chat_managers')
        .innerJoin('chats', 'chats.chat_id', 'chat_managers.chat_id')
        .select('chat_managers.chat_id')
        .where('chat_managers.telegram_id', '=', telegramId)
        // Chats of a demo were never verified.
        .where('chats.is_demo', '=', 0),
    )
    .orderBy('updated_at', 'desc')
    .orderBy('chat_id')
    .limit(maxUnverified)
    .execute();
  return rows.map(({ chat_id, chat_name, may_delete }) => ({
    chatId: chat_id,
    name: chat_name,
    mayDelete: may_delete === 1,
  }));
}
