/** Who may do what in a group, as Telegram says: people who give commands, the bot itself, and whom both leave alone. */
import { type Right, type Who } from '#contract/commands/command';
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { type ChatAccess } from '#services/chats';
import { type Administrators } from '#services/moderation';

import { refuse, refuseWithoutBotRight, refuseWithoutUserRight } from './refusals.ts';

type Target = { readonly telegramId: number; readonly name: string };

export type MemberRights = ReturnType<typeof createMemberRights>;

export function createMemberRights(
  { env }: Pick<Dependencies, 'env'>,
  administrators: Administrators,
  access: Pick<ChatAccess, 'requireManager'>,
) {
  const botId = env.botToken === undefined ? 0 : Number(env.botToken.split(':')[0]);

  async function find(chatId: number, telegramId: number) {
    return (await administrators.list(chatId)).find((member) => member.telegramId === telegramId);
  }

  /** Whether a user manages the chat in Nori, which Telegram is asked about again when it has not been lately. */
  async function isManager(chatId: number, telegramId: number): Promise<boolean> {
    try {
      await access.requireManager(chatId, telegramId, 'change');
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'chat_not_verified') {
        return false;
      }
      throw error;
    }
  }

  /** The channel whose posts the group discusses counts as one. */
  async function isAdministrator(chatId: number, telegramId: number): Promise<boolean> {
    if (telegramId > 0) {
      return (await find(chatId, telegramId)) !== undefined;
    }
    const status = await administrators.memberStatus(chatId, telegramId);
    if (status === 'unknown') {
      throw new AppError('telegram_unavailable');
    }
    return status === 'administrator';
  }

  /** Throws a refusal for the bot, and for the user who gives the command. */
  function throwIfSelf({ telegramId }: Target, byId: number): void {
    if (telegramId === botId) {
      throw refuse((texts) => texts.me);
    }
    if (telegramId === byId) {
      throw refuse((texts) => texts.you);
    }
  }

  return {
    botId,
    /** Throws `telegram_unavailable`, and `bot_not_in_chat` where Telegram has no answer; so do all below. */
    list: (chatId: number) => administrators.list(chatId),
    find,
    forget: administrators.forget,

    /**
     * Throws a refusal unless a user may use commands for `who`. Administrators of Telegram may; `manage` is
     * also for those who manage the chat in Nori.
     */
    async requireUser(chatId: number, telegramId: number, who: Who): Promise<void> {
      if (who === 'anyone') {
        return;
      }
      const member = await find(chatId, telegramId);
      if (who === 'creator') {
        if (member?.status !== 'creator') {
          throw refuse((texts) => texts.creatorOnly);
        }
        return;
      }
      const right = who === 'manage' ? 'info' : who;
      if (member?.rights.has(right) === true) {
        return;
      }
      if (who === 'manage' && (await isManager(chatId, telegramId))) {
        return;
      }
      throw refuseWithoutUserRight(right);
    },

    /** Throws a refusal unless the bot has the right. */
    async requireBot(chatId: number, right: Right): Promise<void> {
      const me = await find(chatId, botId);
      if (me?.rights.has(right) !== true) {
        throw refuseWithoutBotRight(right);
      }
    },

    isAdministrator,

    throwIfSelf,

    /** Throws a refusal for the bot, for the user who gives the command, and for administrators. */
    async requireTarget(chatId: number, target: Target, byId: number): Promise<void> {
      const { telegramId, name } = target;
      throwIfSelf(target, byId);
      const isAnonymous = telegramId === chatId;
      if (isAnonymous || (await isAdministrator(chatId, telegramId))) {
        throw refuse((texts) => texts.administrator(name));
      }
    },
  };
}
