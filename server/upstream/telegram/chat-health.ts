/** Asks Telegram how the bot fares in a chat, and has it prepare the list of groups to pick one from. */
import { type Api } from 'grammy';
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';

import { ask } from './ask.ts';
import { asChatError, isUnknownUser, isUnreachable } from './errors.ts';
import { type ChatMember } from './telegram.ts';

/** What the bot is and may do in a chat. */
export type BotStatus = {
  /** The chat's present id, also when asked by the one before an upgrade. */
  readonly chatId: number;
  /** Without @. */
  readonly bot: string;
  readonly isIn: boolean;
  readonly mayDelete: boolean;
  readonly seesAll: boolean;
  readonly isForum: boolean;
  /** The chat's name; absent when the bot is not in it. */
  readonly title?: string;
};

export type TelegramCare = {
  /** A chat that the bot cannot see is one that it is not in. Throws `telegram_unavailable`. */
  readBotStatus: (chatId: number) => Promise<BotStatus>;
  /**
   * The id by which a person's client opens the list of groups that they own. `unreachable` when they
   * never started the bot, or blocked it. Throws `telegram_unavailable`.
   */
  preparePick: (telegramId: number) => Promise<{ readonly id: string } | 'unreachable'>;
};

const me = v.object({
  id: v.number(),
  username: v.string(),
  can_read_all_group_messages: v.optional(v.boolean(), false),
});
const facts = v.object({
  title: v.optional(v.string(), ''),
  is_forum: v.optional(v.boolean(), false),
});
const prepared = v.object({ id: v.pipe(v.string(), v.nonEmpty()) });

/** `member` is asked about the bot itself. */
export function connectCare(
  api: Api,
  member: (
    chatId: number,
    telegramId: number,
  ) => Promise<{ readonly chatId: number; readonly member: ChatMember }>,
): TelegramCare {
  /** Where the bot is in the chat; undefined when it cannot see the chat. */
  async function place(askedId: number, botId: number) {
    try {
      const found = await member(askedId, botId);
      if (!found.member.isPresent) {
        return undefined;
      }
      const { title, is_forum } = await ask(() => api.getChat(found.chatId), facts).catch(
        (error: unknown) => {
          throw asChatError(error);
        },
      );
      return { ...found, title, isForum: is_forum };
    } catch (error) {
      if (error instanceof AppError && error.code === 'bot_not_in_chat') {
        return undefined;
      }
      throw error;
    }
  }

  return {
    async readBotStatus(askedId) {
      const bot = await ask(() => api.getMe(), me);
      const found = await place(askedId, bot.id);
      if (found === undefined) {
        return {
          chatId: askedId,
          bot: bot.username,
          isIn: false,
          mayDelete: false,
          seesAll: false,
          isForum: false,
        };
      }
      const { status, mayDelete } = found.member;
      return {
        chatId: found.chatId,
        bot: bot.username,
        isIn: true,
        mayDelete,
        seesAll: status === 'administrator' || bot.can_read_all_group_messages,
        isForum: found.isForum,
        title: found.title,
      };
    },

    async preparePick(telegramId) {
      try {
        return await ask(() => api.savePreparedKeyboardButton(telegramId, pickButton), prepared);
      } catch (error) {
        if (isUnreachable(error) || isUnknownUser(error)) {
          return 'unreachable';
        }
        throw error;
      }
    },
  };
}

const noRights = {
  is_anonymous: false,
  can_manage_chat: false,
  can_delete_messages: false,
  can_manage_video_chats: false,
  can_restrict_members: false,
  can_promote_members: false,
  can_change_info: false,
  can_invite_users: false,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
  can_send_welcome_messages: false,
} as const;

const botRights = { ...noRights, can_manage_chat: true, can_delete_messages: true } as const;

/**
 * Asks for a group that the person owns, so that its code comes to themselves, and gives the bot its
 * rights in the same tap. Who picks has to have the bot's rights, and to be able to hand them on.
 */
const pickButton = {
  text: 'Pick a group',
  request_chat: {
    request_id: 1,
    chat_is_channel: false,
    chat_is_created: true,
    bot_is_member: false,
    bot_administrator_rights: botRights,
    user_administrator_rights: {
      ...botRights,
      can_invite_users: true,
      can_promote_members: true,
    },
    request_title: true,
  },
} as const;
