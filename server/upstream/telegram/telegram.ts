/** Asks Telegram's Bot API what the product needs to know, and sends its messages. */
import { Api } from 'grammy';
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';

import { ask } from './ask.ts';
import { connectCare, type TelegramCare } from './chat-health.ts';
import { asChatError, followingUpgrade, isUnknownUser, isUnreachable } from './errors.ts';

/** Somebody's place in a chat. `isPresent` is false once they left or were removed. */
export type ChatMember = {
  readonly telegramId: number;
  readonly firstName: string;
  readonly username: string | undefined;
  readonly status: MemberStatus;
  readonly isPresent: boolean;
  readonly mayDelete: boolean;
};

/** A chat as Telegram knows it; `chatId` is its present id, also when asked by the one before an upgrade. */
type TelegramChat = {
  readonly chatId: number;
  readonly title: string;
  readonly kind: 'group' | 'supergroup' | 'channel' | 'private';
  /** The channel whose posts a group discusses, or the group in which those of a channel are. */
  readonly linkedId: number | undefined;
};

export type OutgoingMessage = {
  readonly text: string;
  /** A code in the text: gets a button that copies it, and the message cannot be forwarded. */
  readonly code?: string;
};

/**
 * What the server asks of Telegram. Every call throws `telegram_unavailable` when Telegram does not
 * answer, is flooded (then with the seconds to wait) or answers what nobody understands; those that
 * name a chat throw `bot_not_in_chat` when the bot cannot see it, and follow a group that became a
 * supergroup: `chatId` of the answer is then the new id.
 */
export type Telegram = {
  /** The bot's own name, without @. */
  username: () => Promise<string>;
  /** `unreachable` when the person never pressed Start, blocked the bot, or is unknown to it. */
  sendMessage: (telegramId: number, message: OutgoingMessage) => Promise<'sent' | 'unreachable'>;
  readChat: (chatId: number) => Promise<TelegramChat>;
  /** The creator and the administrators, bots among them. */
  administrators: (
    chatId: number,
  ) => Promise<{ readonly chatId: number; readonly administrators: readonly ChatMember[] }>;
  member: (
    chatId: number,
    telegramId: number,
  ) => Promise<{ readonly chatId: number; readonly member: ChatMember }>;
  /** Whether the bot may delete other people's messages there. */
  mayDeleteMessages: (chatId: number) => Promise<boolean>;
} & TelegramCare;

const defaultTimeoutMs = 10_000;

/** Connects to the Bot API at `apiRoot` (Telegram's own when absent). Sends nothing by itself. */
export function connectTelegram({
  token,
  apiRoot,
  timeoutMs = defaultTimeoutMs,
}: {
  readonly token: string;
  readonly apiRoot?: string | undefined;
  readonly timeoutMs?: number;
}): Telegram {
  const root = apiRoot?.replace(/\/+$/, '');
  const api = new Api(token, {
    timeoutSeconds: timeoutMs / 1000,
    ...(root === undefined || root === '' ? {} : { apiRoot: root }),
  });
  const readMe = once(() => ask(() => api.getMe(), me));

  async function member(chatId: number, telegramId: number) {
    return followingUpgrade(chatId, async (id) => {
      const found = await ask(() => api.getChatMember(id, telegramId), chatMember).catch(
        (error: unknown) => {
          if (isUnknownUser(error)) {
            return absent(telegramId);
          }
          throw asChatError(error);
        },
      );
      return { chatId: id, member: found };
    });
  }

  return {
    ...connectCare(api, member),

    username: async () => (await readMe()).username,

    async sendMessage(telegramId, message) {
      try {
        await ask(
          () => api.sendMessage(telegramId, message.text, messageOptions(message)),
          v.unknown(),
        );
        return 'sent';
      } catch (error) {
        if (isUnreachable(error)) {
          return 'unreachable';
        }
        throw error;
      }
    },

    readChat: (chatId) =>
      followingUpgrade(chatId, async (id) => {
        const chat = await ask(() => api.getChat(id), telegramChat).catch(throwChatError);
        return {
          chatId: chat.id,
          title: chat.title,
          kind: chat.type,
          linkedId: chat.linked_chat_id,
        };
      }),

    administrators: (chatId) =>
      followingUpgrade(chatId, async (id) => ({
        chatId: id,
        administrators: await ask(
          () => api.getChatAdministrators(id, { return_bots: true }),
          v.array(chatMember),
        ).catch(throwChatError),
      })),

    member,

    async mayDeleteMessages(chatId) {
      const bot = await member(chatId, (await readMe()).id);
      if (!bot.member.isPresent) {
        throw new AppError('bot_not_in_chat');
      }
      return bot.member.mayDelete;
    },
  };
}

const id = v.pipe(v.number(), v.safeInteger());

const me = v.object({ id, username: v.pipe(v.string(), v.nonEmpty()) });

const telegramChat = v.object({
  id,
  type: v.picklist(['group', 'supergroup', 'channel', 'private']),
  title: v.optional(v.string(), ''),
  linked_chat_id: v.fallback(v.optional(id), undefined),
});

const memberStatus = v.picklist([
  'creator',
  'administrator',
  'member',
  'restricted',
  'left',
  'kicked',
]);
type MemberStatus = v.InferOutput<typeof memberStatus>;

const chatMember = v.pipe(
  v.object({
    user: v.object({
      id,
      first_name: v.optional(v.string(), ''),
      username: v.optional(v.string()),
    }),
    // A status that Telegram adds one day gives no rights until we know it.
    status: v.fallback(memberStatus, 'left'),
    can_delete_messages: v.optional(v.boolean(), false),
    is_member: v.optional(v.boolean(), false),
  }),
  v.transform(({ user, status, can_delete_messages, is_member }): ChatMember => ({
    telegramId: user.id,
    firstName: user.first_name,
    username: user.username,
    status,
    isPresent: status === 'restricted' ? is_member : status !== 'left' && status !== 'kicked',
    mayDelete: status === 'creator' || (status === 'administrator' && can_delete_messages),
  })),
);

function absent(telegramId: number): ChatMember {
  return {
    telegramId,
    firstName: '',
    username: undefined,
    status: 'left',
    isPresent: false,
    mayDelete: false,
  };
}

function messageOptions({ code }: OutgoingMessage) {
  return {
    link_preview_options: { is_disabled: true },
    ...(code === undefined
      ? {}
      : {
          protect_content: true,
          reply_markup: {
            inline_keyboard: [[{ text: `Copy ${code}`, copy_text: { text: code } }]],
          },
        }),
  };
}

function throwChatError(error: unknown): never {
  throw asChatError(error);
}

/** Remembers the first answer; a failure is not remembered. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
