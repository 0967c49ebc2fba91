/** What the server asks of Telegram's Bot API about chats and users, and the messages that it sends. */
import { type Api, InputFile } from 'grammy';
import { type KeyboardButton } from 'grammy/types';
import * as v from 'valibot';

import { type Right, rights } from '#contract/commands/command';
import { AppError } from '#server/lib/errors';

import {
  callAndParse,
  createApi,
  followUpgrade,
  isLostFile,
  isUnknownUser,
  isUnreachable,
  throwChatError,
  throwRefusal,
} from './calls.ts';
import { type SharedPhoto, toSharedResult } from './inline.ts';
import { type MessageButton, toMessageButton } from './messages.ts';
import { botChannelRights, botGroupRights, telegramRights } from './rights.ts';

/** A user's place in a chat. `isPresent` is false once they left or were removed. */
export type ChatMember = {
  readonly telegramId: number;
  readonly firstName: string;
  readonly username: string | undefined;
  readonly status: v.InferOutput<typeof memberStatus>;
  readonly isPresent: boolean;
  readonly isBot: boolean;
  /** Hidden behind the chat's own name. */
  readonly isAnonymous: boolean;
  /** What they may do as an administrator; all of it as the creator. */
  readonly rights: ReadonlySet<Right>;
  readonly mayDelete: boolean;
  /** Of a channel: whether they may write in it. */
  readonly mayPost: boolean;
  /** What stands beside the name of an administrator instead of “admin”. */
  readonly title: string | undefined;
  /** Whether the bot may change their rights. */
  readonly canBeEdited: boolean;
};

type MemberOfChat = { readonly chatId: number; readonly member: ChatMember };

/** `chatId` is the present id, also when the chat was asked for by its id before an upgrade. */
type TelegramChat = {
  readonly chatId: number;
  readonly title: string;
  readonly kind: 'group' | 'supergroup' | 'channel' | 'private';
  /** Of a group: the channel whose posts it discusses. Of a channel: the group that discusses its posts. */
  readonly linkedId: number | undefined;
  /** Whether it has a public link. */
  readonly isPublic: boolean;
};

/** What the bot is and may do in a chat. */
export type BotStatus = {
  /** The present id, also when the chat was asked for by its id before an upgrade. */
  readonly chatId: number;
  /** Without @. */
  readonly bot: string;
  readonly isIn: boolean;
  readonly rights: ReadonlySet<Right>;
  readonly mayDelete: boolean;
  /** Whether it receives the messages of all members. Those of other bots are a mode of its own. */
  readonly seesAll: boolean;
  readonly isForum: boolean;
  /** Of Telegram; null for none. */
  readonly communityId?: number | null;
  /** Whether requests to join come to it before the administrators see them. */
  readonly isGuard?: boolean;
  /** The chat's name; absent when the bot is not in it. */
  readonly title?: string;
};

export type OutgoingMessage = {
  readonly text: string;
  /** A code in the text gets a button that copies it, and the message cannot be forwarded. */
  readonly code?: string;
  /** What that button says; the code when absent. */
  readonly copyLabel?: string | undefined;
  readonly button?: MessageButton | undefined;
};

/**
 * Every call throws `telegram_unavailable` when Telegram does not answer, limits the bot (then with the
 * seconds to wait), or returns an unknown shape. Calls that name a chat follow a group that became a
 * supergroup (`chatId` of the result is then the new id), and throw `bot_not_in_chat` when the bot cannot
 * see it.
 */
export type Telegram = {
  /** The bot's own name, without @. */
  username: () => Promise<string>;
  /** The bot as it describes itself. */
  self: () => Promise<{
    readonly username: string;
    readonly has_main_web_app: boolean;
    readonly supports_inline_queries: boolean;
  }>;
  /**
   * To a user, or to a group. `unreachable` when the user never started the bot, blocked it, or is unknown to
   * it, or the bot is out of the group.
   */
  sendMessage: (telegramId: number, message: OutgoingMessage) => Promise<'sent' | 'unreachable'>;
  /** As `sendMessage`, for a file of at most `maxFileBytes` with a text below it. */
  sendFile: (telegramId: number, file: OutgoingFile) => Promise<'sent' | 'unreachable'>;
  readChat: (chatId: number) => Promise<TelegramChat>;
  /** The owner and the administrators, bots among them. */
  administrators: (
    chatId: number,
  ) => Promise<{ readonly chatId: number; readonly administrators: readonly ChatMember[] }>;
  member: (chatId: number, telegramId: number) => Promise<MemberOfChat>;
  /** Whether the bot may delete messages of others in the chat. */
  mayDeleteMessages: (chatId: number) => Promise<boolean>;
  /** A chat that the bot cannot see counts as one that it is not in. */
  readBotStatus: (chatId: number) => Promise<BotStatus>;
  /**
   * Returns the id by which the user's client opens the list of groups that they own. `unreachable` when
   * they never started the bot, or blocked it.
   */
  preparePick: (telegramId: number) => Promise<PreparedPick>;
  /** The same for their channels; the chosen one comes back in a message with `requestId`. */
  preparePickChannel: (telegramId: number, requestId: number) => Promise<PreparedPick>;
  /** Whether the bot may write to a user. */
  mayWrite: (telegramId: number) => Promise<boolean>;
  /**
   * Returns what the user's client sends to a chat that they choose, or `file lost` where Telegram does not have the
   * photo. Throws `telegram_refused`.
   */
  prepareMessage: (
    telegramId: number,
    photo: SharedPhoto,
  ) => Promise<PreparedMessage | 'file lost'>;
};

/** It expires at a time in epoch seconds. */
type PreparedMessage = v.InferOutput<typeof preparedMessage>;

/** `read` begins anew with each call, as it may be sent again. */
type OutgoingFile = {
  readonly name: string;
  readonly text: string;
  readonly read: () => AsyncIterable<Uint8Array>;
};

/** What bots may send: https://core.telegram.org/bots/api#senddocument */
export const maxFileBytes = 50 * 1024 * 1024;
/** A file is sent as fast as the line of the server allows. */
const fileTimeoutS = 5 * 60;

type PreparedPick = { readonly id: string } | 'unreachable';

const defaultTimeoutMs = 10_000;

/** Connects to the Bot API at `apiRoot`, or at Telegram's own address. Sends nothing by itself. */
export function connectTelegram({
  timeoutMs = defaultTimeoutMs,
  ...server
}: {
  readonly token: string;
  readonly apiRoot?: string | undefined;
  readonly timeoutMs?: number;
}): Telegram {
  const api = createApi(server, timeoutMs / 1000);
  const fileApi = createApi(server, fileTimeoutS);
  const readMe = once(() => callAndParse(() => api.getMe(), me));

  return {
    username: async () => (await readMe()).username,
    self: readMe,

    sendMessage: (telegramId, message) =>
      unlessUnreachable<'sent'>(async () => {
        await callAndParse(
          () => api.sendMessage(telegramId, message.text, messageOptions(message)),
          v.unknown(),
        );
        return 'sent';
      }),

    sendFile: (telegramId, { name, text, read }) =>
      unlessUnreachable<'sent'>(async () => {
        await callAndParse(
          () => fileApi.sendDocument(telegramId, new InputFile(read, name), { caption: text }),
          v.unknown(),
        );
        return 'sent';
      }),

    readChat: (chatId) =>
      followUpgrade(chatId, async (id) => {
        const chat = await callAndParse(() => api.getChat(id), telegramChat).catch(throwChatError);
        return {
          chatId: chat.id,
          title: chat.title,
          kind: chat.type,
          linkedId: chat.linked_chat_id,
          isPublic: chat.username !== undefined,
        };
      }),

    administrators: (chatId) =>
      followUpgrade(chatId, async (id) => ({
        chatId: id,
        administrators: await callAndParse(
          () => api.getChatAdministrators(id, { return_bots: true }),
          v.array(chatMember),
        ).catch(throwChatError),
      })),

    member: (chatId, telegramId) => readMember(api, chatId, telegramId),

    async mayDeleteMessages(chatId) {
      const { member } = await readMember(api, chatId, (await readMe()).id);
      if (!member.isPresent) {
        throw new AppError('bot_not_in_chat');
      }
      return member.mayDelete;
    },

    readBotStatus: (chatId) => readBotStatus(api, chatId),

    preparePick: (telegramId) => savePick(api, telegramId, pickButton),
    preparePickChannel: (telegramId, requestId) =>
      savePick(api, telegramId, toChannelButton(requestId)),

    mayWrite: async (telegramId) => {
      const show = () => api.sendChatAction(telegramId, 'upload_photo');
      return (await unlessUnreachable(() => callAndParse(show, v.unknown()))) !== 'unreachable';
    },

    prepareMessage: (telegramId, photo) =>
      callAndParse(
        () =>
          api.savePreparedInlineMessage(telegramId, toSharedResult(photo), {
            allow_user_chats: true,
            allow_bot_chats: true,
            allow_group_chats: true,
            allow_channel_chats: true,
          }),
        preparedMessage,
      ).catch((error: unknown) => (isLostFile(error) ? 'file lost' : throwRefusal(error))),
  };
}

async function unlessUnreachable<T>(send: () => Promise<T>): Promise<T | 'unreachable'> {
  try {
    return await send();
  } catch (error) {
    if (isUnreachable(error)) {
      return 'unreachable';
    }
    throw error;
  }
}

function savePick(
  api: Api,
  telegramId: number,
  button: KeyboardButton.RequestChatButton,
): Promise<PreparedPick> {
  return unlessUnreachable(() =>
    callAndParse(() => api.savePreparedKeyboardButton(telegramId, button), preparedButton),
  );
}

function readMember(api: Api, chatId: number, telegramId: number): Promise<MemberOfChat> {
  return followUpgrade(chatId, async (id) => {
    const member = await callAndParse(() => api.getChatMember(id, telegramId), chatMember).catch(
      (error: unknown) =>
        isUnknownUser(error) ? toAbsentMember(telegramId) : throwChatError(error),
    );
    return { chatId: id, member };
  });
}

async function readBotStatus(api: Api, askedId: number): Promise<BotStatus> {
  // Not remembered: the owner of the bot can change what it sees at any time.
  const bot = await callAndParse(() => api.getMe(), me);
  const none = { rights: noneGiven, mayDelete: false, seesAll: false, isForum: false };
  const absent = { chatId: askedId, bot: bot.username, isIn: false, ...none };
  try {
    const { chatId, member } = await readMember(api, askedId, bot.id);
    if (!member.isPresent) {
      return absent;
    }
    const chat = await callAndParse(() => api.getChat(chatId), chatFacts).catch(throwChatError);
    return {
      chatId,
      bot: bot.username,
      isIn: true,
      rights: member.rights,
      mayDelete: member.mayDelete,
      seesAll: member.status === 'administrator' || bot.can_read_all_group_messages,
      isForum: chat.is_forum,
      communityId: chat.community?.id ?? null,
      isGuard: chat.guard_bot?.id === bot.id,
      title: chat.title,
    };
  } catch (error) {
    if (error instanceof AppError && error.code === 'bot_not_in_chat') {
      return absent;
    }
    throw error;
  }
}

const id = v.pipe(v.number(), v.safeInteger());

const me = v.object({
  id,
  username: v.pipe(v.string(), v.nonEmpty()),
  can_read_all_group_messages: v.optional(v.boolean(), false),
  has_main_web_app: v.optional(v.boolean(), false),
  supports_inline_queries: v.optional(v.boolean(), false),
});

const telegramChat = v.object({
  id,
  type: v.picklist(['group', 'supergroup', 'channel', 'private']),
  title: v.optional(v.string(), ''),
  linked_chat_id: v.fallback(v.optional(id), undefined),
  username: v.fallback(v.optional(v.string()), undefined),
});

const chatFacts = v.object({
  title: v.optional(v.string(), ''),
  is_forum: v.optional(v.boolean(), false),
  community: v.fallback(v.optional(v.object({ id: v.number() })), undefined),
  guard_bot: v.fallback(v.optional(v.object({ id: v.number() })), undefined),
});

const preparedMessage = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  expiration_date: v.number(),
});

const preparedButton = v.object({ id: v.pipe(v.string(), v.nonEmpty()) });

const memberStatus = v.picklist([
  'creator',
  'administrator',
  'member',
  'restricted',
  'left',
  'kicked',
]);

const flag = v.optional(v.boolean(), false);

const memberRights = v.object({
  can_delete_messages: flag,
  can_restrict_members: flag,
  can_invite_users: flag,
  can_pin_messages: flag,
  can_manage_topics: flag,
  can_promote_members: flag,
  can_manage_tags: flag,
  can_change_info: flag,
  can_post_messages: flag,
});

const noneGiven: ReadonlySet<Right> = new Set();
const allGiven: ReadonlySet<Right> = new Set(rights);

const chatMember = v.pipe(
  v.object({
    user: v.object({
      id,
      first_name: v.optional(v.string(), ''),
      username: v.optional(v.string()),
      is_bot: flag,
    }),
    // A status that Telegram may add later gives no rights.
    status: v.fallback(memberStatus, 'left'),
    is_member: flag,
    is_anonymous: flag,
    can_be_edited: flag,
    custom_title: v.optional(v.string()),
    ...memberRights.entries,
  }),
  v.transform(({ user, status, is_member, ...member }): ChatMember => {
    const given = readRights(status, member);
    return {
      telegramId: user.id,
      firstName: user.first_name,
      username: user.username,
      status,
      isPresent: status === 'restricted' ? is_member : status !== 'left' && status !== 'kicked',
      isBot: user.is_bot,
      isAnonymous: member.is_anonymous,
      rights: given,
      mayDelete: given.has('delete'),
      mayPost: status === 'creator' || (status === 'administrator' && member.can_post_messages),
      title: member.custom_title,
      canBeEdited: member.can_be_edited,
    };
  }),
);

function readRights(
  status: ChatMember['status'],
  member: v.InferOutput<typeof memberRights>,
): ReadonlySet<Right> {
  if (status === 'creator') {
    return allGiven;
  }
  // A restricted member has fields of the same names, with another meaning.
  return status === 'administrator'
    ? new Set(rights.filter((right) => member[telegramRights[right]]))
    : noneGiven;
}

function toAbsentMember(telegramId: number): ChatMember {
  return {
    telegramId,
    firstName: '',
    username: undefined,
    status: 'left',
    isPresent: false,
    isBot: false,
    isAnonymous: false,
    rights: noneGiven,
    mayDelete: false,
    mayPost: false,
    title: undefined,
    canBeEdited: false,
  };
}

function messageOptions({ code, copyLabel = code, button }: OutgoingMessage) {
  const buttons = [
    ...(code === undefined ? [] : [{ text: copyLabel ?? code, copy_text: { text: code } }]),
    ...(button === undefined ? [] : [toMessageButton(button)]),
  ];
  return {
    link_preview_options: { is_disabled: true },
    ...(code === undefined ? {} : { protect_content: true }),
    ...(buttons.length === 0
      ? {}
      : { reply_markup: { inline_keyboard: buttons.map((one) => [one]) } }),
  };
}

/** What a message with a picked group has as its `request_id`; those with a channel have others. */
export const groupRequestId = 1;

/**
 * Asks for a group that the user owns, so that its code is sent to the user, and gives the bot its rights in
 * the same tap. Telegram requires that the user has the bot's rights and may pass them on.
 */
const pickButton = {
  text: 'Pick a group',
  request_chat: {
    request_id: groupRequestId,
    chat_is_channel: false,
    chat_is_created: true,
    bot_is_member: false,
    bot_administrator_rights: botGroupRights,
    user_administrator_rights: { ...botGroupRights, can_promote_members: true },
    request_title: true,
  },
} as const;

/** Asks for a channel in which the user may make the bot an administrator, and makes it one in the same tap. */
function toChannelButton(requestId: number) {
  return {
    text: 'Pick a channel',
    request_chat: {
      request_id: requestId,
      chat_is_channel: true,
      bot_administrator_rights: botChannelRights,
      user_administrator_rights: {
        ...botChannelRights,
        can_invite_users: true,
        can_promote_members: true,
      },
      request_title: true,
    },
  } as const;
}

/** Remembers the first result; a failure is not remembered. */
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
