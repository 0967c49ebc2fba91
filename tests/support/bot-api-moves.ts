/**
 * How people come and go in the Bot API stand-in, and what the bot is told of it: who joins, leaves or is changed by an
 * administrator, and, in a chat that tells it, what the bot itself has changed.
 */
import { type createMemberCalls } from './bot-api-member-calls.ts';
import { type createMembers } from './bot-api-members.ts';
import { type Body, type StandInChat } from './bot-api-world.ts';

type Move = {
  /** Who has done it; themselves when absent. */
  readonly by?: number;
  /** By a request to join that was accepted. */
  readonly isByRequest?: boolean;
};

type Known = {
  readonly findChat: (chatId: number) => StandInChat | undefined;
  readonly members: ReturnType<typeof createMembers>;
  readonly bot: { readonly id: number; readonly username: string };
  readonly toPerson: (telegramId: number) => object;
  readonly clock: () => number;
  readonly push: (update: Body) => unknown;
};

export type StandInMoves = ReturnType<typeof createMoves>['moves'];

export function createMoves({ findChat, members, bot, toPerson, clock, push }: Known) {
  const toUser = (id: number) =>
    id === bot.id ? { id, is_bot: true, first_name: 'Nori', username: bot.username } : toPerson(id);

  function findOrThrow(chatId: number): StandInChat {
    const chat = findChat(chatId);
    if (chat === undefined) {
      throw new Error(`The stand-in has no chat ${chatId}`);
    }
    return chat;
  }

  /** Changes the place of a person, and returns the update about it. */
  function toUpdate(
    chat: StandInChat,
    telegramId: number,
    { by = telegramId, isByRequest = false, change }: Move & { readonly change: () => void },
  ): Body {
    const before = members.answerMember(chat, telegramId);
    change();
    return {
      chat_member: {
        chat: { id: chat.id, type: chat.type, title: chat.title },
        from: toUser(by),
        date: Math.floor(clock() / 1000),
        old_chat_member: before,
        new_chat_member: members.answerMember(chat, telegramId),
        ...(isByRequest ? { via_join_request: true } : {}),
      },
    };
  }

  /** Returns the update, which is not told to the bot yet. Throws for who is banned, as Telegram lets them not in. */
  function join(chatId: number, telegramId: number, move: Move = {}): Body {
    const chat = findOrThrow(chatId);
    if (members.readStatus(chat, telegramId) === 'kicked') {
      throw new Error(`${telegramId} is banned`);
    }
    return toUpdate(chat, telegramId, {
      ...move,
      change: () => void chat.members.push(telegramId),
    });
  }

  const leave = (chatId: number, telegramId: number): Body => {
    const chat = findOrThrow(chatId);
    return toUpdate(chat, telegramId, { change: () => members.takeOut(chat, telegramId) });
  };

  /** Another administrator mutes, unmutes or bans a person, or makes them an administrator. */
  function order(
    chatId: number,
    telegramId: number,
    { by, what }: { readonly by: number; readonly what: 'mute' | 'unmute' | 'ban' | 'promote' },
  ): Body {
    const chat = findOrThrow(chatId);
    const { restrictions } = members.ledgerFor(chat);
    const changes = {
      mute: () => members.put(chatId, telegramId, { status: 'restricted' }),
      unmute: () => void restrictions.delete(telegramId),
      ban: () => members.put(chatId, telegramId, { status: 'kicked' }),
      promote: () => {
        members.takeOut(chat, telegramId);
        restrictions.delete(telegramId);
        chat.administrators.push(telegramId);
      },
    };
    return toUpdate(chat, telegramId, { by, change: changes[what] });
  }

  type Calls = ReturnType<typeof createMemberCalls>;

  /** The calls of the bot come back as updates, as from Telegram. */
  function telling(calls: Calls): Calls {
    const tell =
      <T>(call: (body: Body) => T) =>
      (body: Body): T => {
        const [chat, telegramId] = [findChat(Number(body['chat_id'])), Number(body['user_id'])];
        const before = chat && JSON.stringify(members.answerMember(chat, telegramId));
        const result = call(body);
        if (chat?.tellsMoves === true && before !== undefined) {
          const update = toUpdate(chat, telegramId, { by: bot.id, change: () => undefined });
          const { old_chat_member: now, ...told } = Object(update['chat_member']);
          if (JSON.stringify(now) !== before) {
            push({ chat_member: { ...told, old_chat_member: JSON.parse(before) } });
          }
        }
        return result;
      };
    return {
      ...calls,
      banChatMember: tell(calls.banChatMember),
      restrictChatMember: tell(calls.restrictChatMember),
    };
  }

  return { moves: { join, leave, order }, telling };
}
