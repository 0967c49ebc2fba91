/** What the Bot API stand-in knows: chats and people, what was deleted, and the updates that wait for the bot. */
export type StandInPerson = {
  readonly id: number;
  readonly first_name: string;
  readonly username?: string;
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
  botMayDelete: boolean;
  /** Whether it has topics. */
  isForum?: boolean;
  /** The channel whose posts it discusses. */
  linkedId?: number;
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

/** The answer of getChat. */
export function chatAnswer({ id, title, type, isForum, linkedId }: StandInChat) {
  return {
    id,
    type,
    ...(type === 'private' ? { first_name: title } : { title }),
    ...(isForum === undefined ? {} : { is_forum: isForum }),
    ...(linkedId === undefined ? {} : { linked_chat_id: linkedId }),
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

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

/** The answer of getChatMember. */
export function memberAnswer(
  chat: StandInChat,
  id: number,
  {
    known,
    bot,
  }: { known: ReadonlyMap<number, StandInPerson>; bot: { id: number; username: string } },
) {
  if (id === bot.id) {
    return {
      user: { id, is_bot: true, first_name: 'Nori', username: bot.username },
      status: chat.bot,
      ...(chat.bot === 'administrator' ? { can_delete_messages: chat.botMayDelete } : {}),
    };
  }
  const user = { is_bot: false, ...(known.get(id) ?? { id, first_name: `Person ${id}` }) };
  if (id === chat.creator) {
    return { user, status: 'creator', is_anonymous: false };
  }
  if (chat.administrators.includes(id)) {
    return { user, status: 'administrator', can_delete_messages: true };
  }
  return { user, status: chat.members.includes(id) ? 'member' : 'left' };
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

type Body = Readonly<Record<string, unknown>>;

type DeletedMessage = { readonly chatId: number; readonly messageId: number };

export type StandInDeletions = {
  /** Ids of a chat in the order of the calls; an id in two calls is there twice. */
  readonly of: (chatId: number) => readonly number[];
  /** Ids of a chat that are deleted now. */
  readonly gone: (chatId: number) => readonly number[];
  readonly all: readonly DeletedMessage[];
  /** Messages that exist but cannot be deleted, like those that are too old. */
  readonly forbid: (chatId: number, ...messageIds: readonly number[]) => void;
  /** Resolves when the calls for a chat had so many ids. */
  readonly reach: (chatId: number, count: number) => Promise<void>;
  readonly methods: Readonly<Record<string, (body: Body) => unknown>>;
};

const maxIds = 100;

export function createDeletions({
  getChat,
  isOwn,
}: {
  /** Throws a refusal for a chat that the bot cannot see. */
  readonly getChat: (body: Body) => StandInChat;
  readonly isOwn: (chatId: number, messageId: number) => boolean;
}): StandInDeletions {
  const asked: DeletedMessage[] = [];
  const gone = new Set<string>();
  const undeletable = new Set<string>();
  const listeners = new Set<() => void>();

  function note(chatId: number, ids: readonly number[]): void {
    asked.push(...[...new Set(ids)].map((messageId) => ({ chatId, messageId })));
    for (const listener of listeners) {
      listener();
    }
  }

  function throwUnlessDeletable(chat: StandInChat, messageId: number): void {
    const mayDelete = chat.bot === 'administrator' && chat.botMayDelete;
    const isForbidden = undeletable.has(`${chat.id}:${messageId}`);
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

    forbid: (chatId, ...messageIds) => {
      for (const messageId of messageIds) {
        undeletable.add(`${chatId}:${messageId}`);
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
        const chat = getChat(body);
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
        const chat = getChat(body);
        const ids = Array.isArray(body['message_ids']) ? body['message_ids'].map(Number) : [];
        if (ids.length === 0 || ids.length > maxIds) {
          throw new Refusal(400, 'Bad Request: message identifiers are not specified');
        }
        note(chat.id, ids);
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

/** An update; its other fields are up to the test. */
type StandInUpdate = { readonly update_id: number } & Readonly<Record<string, unknown>>;

export type StandInUpdates = {
  /** Adds an update with the next id and returns it. */
  readonly push: (content: Readonly<Record<string, unknown>>) => StandInUpdate;
  /** Resolves when the bot has confirmed all updates that were added so far. */
  readonly confirmed: () => Promise<void>;
  /** Updates that are not confirmed. */
  readonly waiting: () => readonly StandInUpdate[];
  /** The parameters of the webhook that the bot has set. */
  readonly webhook: () => Body | undefined;
  readonly setWebhook: (body: Body | undefined) => void;
  /** Resolves when the bot waits for updates. */
  readonly asked: () => Promise<void>;
  readonly methods: Readonly<Record<string, (body: Body) => unknown>>;
  /** Ends all long polls with an answer. */
  readonly release: () => void;
};

const conflict = (why: string) => new Refusal(409, `Conflict: ${why}`);

export function createUpdates(firstId = 500_000_001): StandInUpdates {
  let queue: StandInUpdate[] = [];
  let nextId = firstId;
  let webhook: Body | undefined;
  const listeners = new Set<() => void>();
  let waiting: { readonly stop: (error?: Error) => void } | undefined;

  function changed(): void {
    for (const listener of listeners) {
      listener();
    }
  }

  /** Resolves when `isSo` returns true; it is called after every change. */
  async function until(isSo: () => boolean): Promise<void> {
    if (isSo()) {
      return;
    }
    await new Promise<void>((resolve) => {
      const look = () => {
        if (isSo()) {
          listeners.delete(look);
          resolve();
        }
      };
      listeners.add(look);
    });
  }

  async function getUpdates({ offset, limit = 100, timeout = 0 }: Body): Promise<unknown> {
    if (webhook !== undefined) {
      throw conflict(
        "can't use getUpdates method while webhook is active; use deleteWebhook first",
      );
    }
    waiting?.stop(
      conflict(
        'terminated by other getUpdates request; make sure that only one bot instance is running',
      ),
    );
    if (typeof offset === 'number') {
      queue = queue.filter(({ update_id }) => update_id >= offset);
      changed();
    }
    if (queue.length === 0 && Number(timeout) > 0) {
      await longPoll(Number(timeout) * 1000);
    }
    return queue.slice(0, Number(limit));
  }

  async function longPoll(ms: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => stop(), ms);
      const mine = { stop };
      const look = () => queue.length > 0 && stop();
      function stop(error?: Error): void {
        clearTimeout(timer);
        listeners.delete(look);
        waiting = waiting === mine ? undefined : waiting;
        if (error === undefined) {
          resolve();
        } else {
          reject(error);
        }
      }
      listeners.add(look);
      waiting = mine;
      changed();
    });
  }

  return {
    push(content) {
      const update = { update_id: nextId, ...content };
      nextId = update.update_id + 1;
      queue.push(update);
      changed();
      return update;
    },
    confirmed: () => {
      const before = nextId;
      return until(() => queue.every(({ update_id }) => update_id >= before));
    },
    waiting: () => queue,
    webhook: () => webhook,
    setWebhook: (body) => {
      webhook = body;
    },
    asked: () => until(() => waiting !== undefined),
    methods: {
      getUpdates,
      setWebhook: (body) => {
        const { port } = new URL(String(body['url']));
        if (!['', '80', '88', '8443'].includes(port)) {
          throw new Refusal(
            400,
            'Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443',
          );
        }
        webhook = body;
        return true;
      },
      deleteWebhook: () => {
        webhook = undefined;
        return true;
      },
      getWebhookInfo: () => ({
        url: webhook?.['url'] ?? '',
        has_custom_certificate: false,
        pending_update_count: queue.length,
      }),
    },
    release: () => waiting?.stop(),
  };
}
