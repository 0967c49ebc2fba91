/** What the Bot API stand-in knows: chats, people, and what was deleted. Its errors are worded as Telegram's. */
import { type Right } from '#contract/commands/command';

export type StandInPerson = {
  readonly id: number;
  readonly first_name: string;
  readonly username?: string;
  readonly is_bot?: boolean;
};

/** A chat; all fields may be changed while the stand-in runs. */
export type StandInChat = {
  id: number;
  title: string;
  type: 'group' | 'supergroup' | 'channel' | 'private';
  /** Undefined when Telegram shows none, as for a deleted account. */
  creator: number | undefined;
  administrators: number[];
  members: number[];
  /** `left`: a public chat that the bot still sees. `absent`: a chat unknown to the bot. */
  bot: 'administrator' | 'member' | 'left' | 'kicked' | 'absent';
  /** What the bot may do as an administrator. */
  botRights: readonly Right[];
  /** Takes the right to delete away from those. */
  botMayDelete: boolean;
  /** Of a channel; true when absent. */
  botMayPost?: boolean;
  /** Of administrators who have other rights than all without `promote`. */
  administratorRights?: Record<number, readonly Right[]>;
  /** Who made a user an administrator. The bot may change only those that it made, or that these made. */
  promotedBy?: Record<number, number>;
  /** Titles of administrators. */
  titles?: Record<number, string>;
  /** Administrators who are hidden behind the chat's name. */
  anonymous?: number[];
  /** False for a server of the Bot API that is older than ephemeral messages, and ignores their parameters. */
  knowsEphemeral?: boolean;
  /** Whether the bot is told what it has changed of members itself. */
  tellsMoves?: boolean;
  /** Whether it has topics. */
  isForum?: boolean;
  /** The channel whose posts it discusses. */
  linkedId?: number;
  /** Of a public group. */
  username?: string;
  /** Whether its requests to join come to the bot with a query. */
  isGuarded?: boolean;
};

/** Telegram refuses a call. */
export class Refusal extends Error {
  readonly status: number;
  readonly description: string;
  readonly parameters: Readonly<Record<string, number>> | undefined;

  constructor(status: number, description: string, parameters?: Readonly<Record<string, number>>) {
    super(description);
    this.status = status;
    this.description = description;
    this.parameters = parameters;
  }
}

/** Whether the bot may write to a user. */
export type Reach = 'started' | 'never started' | 'blocked' | 'unknown' | 'deleted';

export const reachRefusals: Record<Exclude<Reach, 'started'>, Refusal> = {
  'never started': new Refusal(403, "Forbidden: bot can't initiate conversation with a user"),
  blocked: new Refusal(403, 'Forbidden: bot was blocked by the user'),
  unknown: new Refusal(400, 'Bad Request: chat not found'),
  deleted: new Refusal(403, 'Forbidden: user is deactivated'),
};

export type Body = Readonly<Record<string, unknown>>;

export const refuse = (why: string) => new Refusal(400, `Bad Request: ${why}`);

/** The answer of getChat. */
export function chatAnswer({ id, title, type, isForum, linkedId, username }: StandInChat) {
  return {
    id,
    type,
    ...(type === 'private' ? { first_name: title } : { title }),
    ...(isForum === undefined ? {} : { is_forum: isForum }),
    ...(linkedId === undefined ? {} : { linked_chat_id: linkedId }),
    ...(username === undefined ? {} : { username, active_usernames: [username] }),
  };
}

/** The answer of savePreparedKeyboardButton, which refuses bot rights that the user need not have. */
export function preparedButton(button: unknown) {
  const { bot_administrator_rights: wanted = {}, user_administrator_rights: had = {} } = asRecord(
    asRecord(button)['request_chat'],
  );
  const missing = Object.entries(asRecord(wanted)).some(
    ([right, isWanted]) => isWanted === true && asRecord(had)[right] !== true,
  );
  if (missing) {
    throw new Refusal(400, 'Bad Request: bot rights must be a subset of user rights');
  }
  return { id: 'prepared-button-1' };
}

export function asRecord(value: unknown): Body {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

/** A message as in an update, with an entity for a command. Groups have ids below zero. */
export function writtenMessage({
  text,
  chatId,
  from,
  topicId,
  messageId,
  title = 'Otters',
}: {
  readonly text: string;
  readonly chatId: number;
  readonly from: number;
  readonly topicId?: number | undefined;
  readonly messageId: number;
  readonly title?: string;
}) {
  const command = /^\/\w+(?:@\w+)?/.exec(text)?.[0];
  return {
    message_id: messageId,
    date: 0,
    chat:
      chatId < 0
        ? { id: chatId, type: 'supergroup', title, ...(topicId && { is_forum: true }) }
        : { id: chatId, type: 'private', first_name: `Person ${chatId}` },
    from: { id: from, is_bot: false, first_name: `Person ${from}` },
    text,
    ...(command === undefined
      ? {}
      : { entities: [{ type: 'bot_command', offset: 0, length: command.length }] }),
    ...(topicId === undefined ? {} : { is_topic_message: true, message_thread_id: topicId }),
  };
}

type DeletedMessage = { readonly chatId: number; readonly messageId: number };

export type StandInDeletions = {
  /** Ids of a chat in the order of the calls; an id in two calls is there twice. */
  readonly of: (chatId: number) => readonly number[];
  /** Ids of a chat that the bot has asked for and that are deleted now. */
  readonly gone: (chatId: number) => readonly number[];
  readonly all: readonly DeletedMessage[];
  readonly isGone: (chatId: number, messageId: number) => boolean;
  /** Messages that exist but cannot be deleted, like those that are too old. */
  readonly forbid: (chatId: number, ...messageIds: readonly number[]) => void;
  /** Messages that a user or another bot has deleted meanwhile. */
  readonly vanish: (chatId: number, ...messageIds: readonly number[]) => void;
  /** Resolves when the calls for a chat had so many ids. */
  readonly reach: (chatId: number, count: number) => Promise<void>;
  readonly methods: Readonly<Record<string, (body: Body) => unknown>>;
};

const maxIds = 100;
/** An administrator's bot deletes no older messages. */
const deletableForMs = 48 * 3_600_000;

/** The ids of a call; throws like Telegram when they are not what it takes. */
function readIds(ids: unknown): readonly number[] {
  if (ids === undefined) {
    throw refuse('message identifiers are not specified');
  }
  if (!Array.isArray(ids)) {
    throw refuse('expected an Array of message identifiers');
  }
  if (ids.length > maxIds) {
    throw refuse('too many message identifiers specified');
  }
  const numbers = ids.map(Number);
  if (numbers.some((id) => id <= 0)) {
    throw refuse('invalid message identifier specified');
  }
  if (numbers.length === 0) {
    throw refuse('message identifiers are not specified');
  }
  return numbers;
}

const privateChat = {
  title: '',
  type: 'private',
  creator: undefined,
  administrators: [],
  bot: 'member',
  botRights: [],
  botMayDelete: false,
} as const satisfies Partial<StandInChat>;

export function createDeletions({
  getChat,
  isOwn,
  sentAt,
  clock,
}: {
  /** Throws a refusal for a chat that the bot cannot see. */
  readonly getChat: (body: Body) => StandInChat;
  readonly isOwn: (chatId: number, messageId: number) => boolean;
  /** In epoch milliseconds; undefined for a message that the stand-in has not sent to the bot. */
  readonly sentAt: (chatId: number, messageId: number) => number | undefined;
  readonly clock: () => number;
}): StandInDeletions {
  const asked: DeletedMessage[] = [];
  const gone = new Set<string>();
  const undeletable = new Set<string>();
  const listeners = new Set<() => void>();

  /** With a user the bot has a private chat, in which it deletes what is its own. */
  const findChat = (body: Body): StandInChat => {
    const chatId = Number(body['chat_id']);
    return chatId > 0 ? { ...privateChat, id: chatId, members: [chatId] } : getChat(body);
  };

  function note(chatId: number, ids: readonly number[]): void {
    asked.push(...[...new Set(ids)].map((messageId) => ({ chatId, messageId })));
    for (const listener of listeners) {
      listener();
    }
  }

  function throwUnlessDeletable(chat: StandInChat, messageId: number): void {
    const mayDelete =
      chat.bot === 'administrator' && chat.botMayDelete && chat.botRights.includes('delete');
    const isTooOld = (sentAt(chat.id, messageId) ?? Infinity) < clock() - deletableForMs;
    const isForbidden = isTooOld || undeletable.has(`${chat.id}:${messageId}`);
    if (isForbidden || (!mayDelete && !isOwn(chat.id, messageId))) {
      throw new Refusal(400, "Bad Request: message can't be deleted");
    }
  }

  const of = (chatId: number) =>
    asked.filter((one) => one.chatId === chatId).map(({ messageId }) => messageId);

  return {
    all: asked,
    of,
    gone: (chatId) => [...new Set(of(chatId))].filter((id) => gone.has(`${chatId}:${id}`)),

    isGone: (chatId, messageId) => gone.has(`${chatId}:${messageId}`),

    forbid: (chatId, ...messageIds) => {
      for (const messageId of messageIds) {
        undeletable.add(`${chatId}:${messageId}`);
      }
    },

    vanish: (chatId, ...messageIds) => {
      for (const messageId of messageIds) {
        gone.add(`${chatId}:${messageId}`);
      }
    },

    reach: async (chatId, count) => {
      if (of(chatId).length >= count) {
        return;
      }
      await new Promise<void>((resolve) => {
        const look = () => {
          if (of(chatId).length >= count) {
            listeners.delete(look);
            resolve();
          }
        };
        listeners.add(look);
      });
    },

    methods: {
      deleteMessage: (body) => {
        const chat = findChat(body);
        const messageId = Number(body['message_id']);
        note(chat.id, [messageId]);
        if (gone.has(`${chat.id}:${messageId}`)) {
          throw new Refusal(400, 'Bad Request: message to delete not found');
        }
        throwUnlessDeletable(chat, messageId);
        gone.add(`${chat.id}:${messageId}`);
        return true;
      },

      deleteMessages: (body) => {
        const chat = findChat(body);
        const ids = readIds(body['message_ids']);
        note(chat.id, ids);
        // Telegram skips what is gone, and does not say so.
        const present = ids.filter((messageId) => !gone.has(`${chat.id}:${messageId}`));
        for (const messageId of present) {
          throwUnlessDeletable(chat, messageId);
        }
        for (const messageId of present) {
          gone.add(`${chat.id}:${messageId}`);
        }
        return true;
      },
    },
  };
}

/** The messages and topics that the bot has heard of in updates. */
export function createSightings() {
  const chats = new Map<unknown, Map<number, number>>();

  function noteMessage(message: unknown): void {
    const { chat, message_id, message_thread_id, is_topic_message, reply_to_message } =
      asRecord(message);
    const chatId = asRecord(chat)['id'];
    if (chatId === undefined || message_id === undefined) {
      return;
    }
    const seen = chats.get(chatId) ?? new Map<number, number>();
    chats.set(chatId, seen);
    seen.set(Number(message_id), is_topic_message === true ? Number(message_thread_id) : 0);
    const replied = asRecord(reply_to_message);
    if (replied['message_id'] !== undefined) {
      noteMessage({ chat, message_thread_id, is_topic_message, ...replied });
    }
  }

  return {
    note: ({ message, edited_message, channel_post }: Body) => {
      noteMessage(message ?? edited_message ?? channel_post);
    },
    isSeen: (chatId: number, messageId: number) => chats.get(chatId)?.has(messageId) ?? false,
    /** 0 outside of topics. */
    topicFor: (chatId: number, messageId: number) => chats.get(chatId)?.get(messageId) ?? 0,
    topics: (chatId: number): readonly number[] =>
      [...new Set(chats.get(chatId)?.values() ?? [])].filter((id) => id > 0),
  };
}
