/** Deletes messages at the Bot API stand-in by Telegram's rules, and records every call. */
import { Refusal, type StandInChat } from './bot-api-world.ts';

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
