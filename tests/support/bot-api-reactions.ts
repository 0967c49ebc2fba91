/**
 * Reactions in the Bot API stand-in: people, channels and anonymous administrators give them, the bot hears of them where
 * it is an administrator, and removes them with the right to delete.
 */
import { botRights, type createMembers } from './bot-api-members.ts';
import { type Body, refuse, Refusal, type StandInChat } from './bot-api-world.ts';

type Known = {
  readonly getChat: (body: Body, access: 'write') => StandInChat;
  readonly findChat: (chatId: number) => StandInChat | undefined;
  readonly members: Pick<ReturnType<typeof createMembers>, 'read' | 'readUser'>;
  readonly toPerson: (telegramId: number) => object;
  readonly isThere: (chatId: number, messageId: number) => boolean;
  readonly clock: () => number;
  readonly push: (update: Body) => void;
};

type Place = { readonly chatId: number; readonly messageId: number };

export type StandInReactions = {
  /**
   * Someone has these reactions at a message now: emoji, or IDs of custom ones. Who may not react gives none. An actor below
   * zero is a channel, or the group itself for an anonymous administrator.
   */
  readonly give: (at: Place, actorId: number, names: readonly string[]) => void;
  /** The messages at which someone has reactions, in the order in which they reacted. */
  readonly by: (chatId: number, actorId: number) => readonly number[];
  /** False for a server of the Bot API that is older than the calls. */
  isKnown: boolean;
};

/** One call removes no more; the latest go. */
const maxRemoved = 10_000;

const toReaction = (name: string) =>
  /^\d+$/.test(name)
    ? { type: 'custom_emoji', custom_emoji_id: name }
    : { type: 'emoji', emoji: name };

export function createReactions(known: Known) {
  const { getChat, findChat, members, isThere } = known;
  /** Chat → actor → message → reactions. */
  const given = new Map<number, Map<number, Map<number, readonly string[]>>>();

  function listReactions(chatId: number, actorId: number) {
    const inChat = given.get(chatId) ?? new Map<number, Map<number, readonly string[]>>();
    given.set(chatId, inChat);
    const byMessage = inChat.get(actorId) ?? new Map<number, readonly string[]>();
    inChat.set(actorId, byMessage);
    return byMessage;
  }

  function mayReact(chatId: number, actorId: number): boolean {
    const { status, permissions } =
      actorId < 0 ? { status: 'member' as const } : members.read(chatId, actorId);
    return status !== 'kicked' && permissions?.['can_react_to_messages'] !== false;
  }

  /** The chat of a call, in which the bot may remove reactions, and whose they are. */
  function read(body: Body): readonly [chat: StandInChat, actorId: number] {
    if (!reactions.isKnown) {
      throw new Refusal(404, 'Not Found: method not found');
    }
    const chat = getChat(body, 'write');
    const { actor_chat_id: actorChatId } = body;
    const actorId = actorChatId === undefined ? members.readUser(body) : Number(actorChatId);
    if (actorChatId !== undefined && (!Number.isSafeInteger(actorId) || actorId >= 0)) {
      throw refuse('PARTICIPANT_ID_INVALID');
    }
    if (!botRights(chat).includes('delete')) {
      throw refuse('CHAT_ADMIN_REQUIRED');
    }
    return [chat, actorId];
  }

  const reactions: StandInReactions = {
    isKnown: true,
    give: ({ chatId, messageId }, actorId, names) => {
      const byMessage = listReactions(chatId, actorId);
      const before = byMessage.get(messageId) ?? [];
      if (!mayReact(chatId, actorId)) {
        return;
      }
      byMessage.delete(messageId);
      if (names.length > 0) {
        byMessage.set(messageId, names);
      }
      const chat = findChat(chatId);
      if (chat?.bot === 'administrator') {
        known.push({
          message_reaction: {
            chat: { id: chatId, type: chat.type, title: chat.title },
            message_id: messageId,
            date: Math.floor(known.clock() / 1000),
            ...(actorId < 0
              ? { actor_chat: { id: actorId, type: 'channel', title: 'News' } }
              : { user: known.toPerson(actorId) }),
            old_reaction: before.map(toReaction),
            new_reaction: names.map(toReaction),
          },
        });
      }
    },
    by: (chatId, actorId) => [...listReactions(chatId, actorId).keys()],
  };

  return {
    reactions,
    methods: {
      deleteMessageReaction: (body: Body): true => {
        const [chat, actorId] = read(body);
        const messageId = Number(body['message_id']);
        if (!isThere(chat.id, messageId)) {
          throw refuse('message not found');
        }
        listReactions(chat.id, actorId).delete(messageId);
        return true;
      },
      deleteAllMessageReactions: (body: Body): true => {
        const [chat, actorId] = read(body);
        const byMessage = listReactions(chat.id, actorId);
        for (const messageId of [...byMessage.keys()].slice(-maxRemoved)) {
          byMessage.delete(messageId);
        }
        return true;
      },
    },
  };
}
