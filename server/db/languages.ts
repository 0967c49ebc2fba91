/** Stores which language a user chose, which one their Telegram has, and what the bot writes in a group. */
import { type Kysely } from 'kysely';

import { isLanguage, type Language } from '#contract/languages';

import { type Tables } from './tables.ts';

/** The languages of a user; undefined where nothing is known. */
export type UserLanguages = {
  readonly chosen: Language | undefined;
  /** That of their Telegram, when it was last heard of. */
  readonly said: Language | undefined;
};

/** One statement changes the languages of so many users. */
const usersPerUpdate = 500;

type LanguageColumns = Pick<Tables['people'], 'language' | 'language_code'>;

export function toUserLanguages({ language, language_code }: LanguageColumns): UserLanguages {
  return { chosen: toLanguage(language), said: toLanguage(language_code) };
}

/** A language that is stored may not be one of ours any more. */
export function toLanguage(tag: string | null | undefined): Language | undefined {
  return typeof tag === 'string' && isLanguage(tag) ? tag : undefined;
}

export function createLanguageRepository(db: Kysely<Tables>) {
  return {
    /** Undefined for users without an account. */
    async findUser(telegramId: number): Promise<UserLanguages | undefined> {
      const row = await db
        .selectFrom('people')
        .select(['language', 'language_code'])
        .where('telegram_id', '=', telegramId)
        .executeTakeFirst();
      return row && toUserLanguages(row);
    },

    /** Saves the choice of a user, null for none. Returns their languages, or undefined without an account. */
    async choose(
      telegramId: number,
      language: Language | null,
    ): Promise<UserLanguages | undefined> {
      const row = await db
        .updateTable('people')
        .set({ language })
        .where('telegram_id', '=', telegramId)
        .returning(['language', 'language_code'])
        .executeTakeFirst();
      return row && toUserLanguages(row);
    },

    /** Saves the language of Telegram for users who have an account. Returns those of whom it was another. */
    async saveSaid(
      language: Language | null,
      telegramIds: readonly number[],
    ): Promise<readonly { readonly telegramId: number; readonly languages: UserLanguages }[]> {
      const changed = [];
      for (let start = 0; start < telegramIds.length; start += usersPerUpdate) {
        const rows = await db
          .updateTable('people')
          .set({ language_code: language })
          .where('telegram_id', 'in', telegramIds.slice(start, start + usersPerUpdate))
          .where((eb) =>
            language === null
              ? eb('language_code', 'is not', null)
              : eb.or([eb('language_code', 'is', null), eb('language_code', '!=', language)]),
          )
          .returning(['telegram_id', 'language', 'language_code'])
          .execute();
        changed.push(
          ...rows.map((row) => ({ telegramId: row.telegram_id, languages: toUserLanguages(row) })),
        );
      }
      return changed;
    },

    /** What the bot writes in a group; undefined while it is not known. */
    async findChat(chatId: number): Promise<Language | undefined> {
      const row = await db
        .selectFrom('bot_chats')
        .select('language')
        .where('chat_id', '=', chatId)
        .executeTakeFirst();
      return toLanguage(row?.language);
    },

    /** Saves what a group speaks, unless it is known already. */
    async setFirstOfChat(chatId: number, language: Language): Promise<void> {
      await db
        .updateTable('bot_chats')
        .set({ language })
        .where('chat_id', '=', chatId)
        .where('language', 'is', null)
        .execute();
    },

    /** Returns whether it was another language before. */
    async setChat(chatId: number, language: Language, now: number): Promise<boolean> {
      const row = await db
        .insertInto('bot_chats')
        .values({
          chat_id: chatId,
          chat_name: '',
          is_in: 0,
          may_delete: 0,
          is_forum: 0,
          updated_at: now,
          language,
        })
        .onConflict((conflict) =>
          conflict
            .column('chat_id')
            .doUpdateSet({ language })
            .where((eb) =>
              eb.or([
                eb('bot_chats.language', 'is', null),
                eb('bot_chats.language', '!=', language),
              ]),
            ),
        )
        .returning('chat_id')
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
