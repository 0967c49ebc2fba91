/**
 * Requests to join in the Bot API stand-in. The bot that guards a chat gets a query with each, which it has to answer within
 * ten seconds, once, or by opening a page first; requests can also be decided without it. Errors are worded as Telegram's.
 */
import { botRights } from './bot-api-members.ts';
import {
  type Body,
  type StandInChat,
  type StandInPerson,
  Refusal,
  refuse,
} from './bot-api-world.ts';

type RequestState = 'pending' | 'approved' | 'declined' | 'withdrawn';

type Request = {
  readonly chatId: number;
  readonly telegramId: number;
  readonly at: number;
  state: RequestState;
  /** The page that was opened for it. */
  url?: string;
};

type Query = { readonly request: Request; readonly at: number; state: 'new' | 'shown' | 'spent' };

export type StandInRequests = {
  /** Asks to join; the bot is told. Returns the ID of the query, if the bot guards the chat. */
  readonly add: (
    chatId: number,
    telegramId: number,
    more?: { readonly language?: string },
  ) => string | undefined;
  /** What became of the last request of a person. */
  readonly read: (chatId: number, telegramId: number) => RequestState | undefined;
  /** The page that the query has opened. */
  readonly page: (chatId: number, telegramId: number) => string | undefined;
  readonly withdraw: (chatId: number, telegramId: number) => void;
  /** Another administrator decides. */
  readonly decide: (chatId: number, telegramId: number, state: 'approved' | 'declined') => void;
  /** Makes queries that can still be answered ones that cannot. */
  readonly expireQueries: () => void;
};

/** How long Telegram waits for the first answer to a query. */
const queryMs = 10_000;
/** How long the bot may write to who has asked and has not started it. */
const writableMs = 5 * 60_000;

/** The server says so of all queries of this kind. */
const spent = refuse('query is too old and response timeout expired or query ID is invalid');

type Known = {
  readonly getChat: (body: Body, access: 'write') => StandInChat;
  readonly findChat: (chatId: number) => StandInChat | undefined;
  readonly people: ReadonlyMap<number, StandInPerson>;
  readonly bot: { readonly id: number; readonly username: string; readonly knowsQueries: boolean };
  readonly clock: () => number;
  readonly push: (content: Body) => unknown;
};

export function createRequests({ getChat, findChat, people, bot, clock, push }: Known) {
  const requests: Request[] = [];
  const queries = new Map<string, Query>();

  const toUser = (id: number) => ({
    is_bot: false,
    ...(people.get(id) ?? { id, first_name: `Person ${id}` }),
  });
  const toChat = ({ id, title, type }: StandInChat) => ({ id, title, type });
  const findLast = (chatId: number, telegramId: number) =>
    requests.findLast((one) => one.chatId === chatId && one.telegramId === telegramId);

  function end(request: Request, state: RequestState): void {
    request.state = state;
    const chat = findChat(request.chatId);
    if (state === 'approved' && chat !== undefined) {
      chat.members.push(request.telegramId);
      const user = toUser(request.telegramId);
      push({
        chat_member: {
          chat: toChat(chat),
          from: { id: bot.id, is_bot: true, first_name: 'Nori', username: bot.username },
          date: Math.floor(clock() / 1000),
          old_chat_member: { status: 'left', user },
          new_chat_member: { status: 'member', user },
          via_join_request: true,
        },
      });
    }
  }

  /** The request that a call without a query is about. */
  function findPending(body: Body): Request {
    const chat = getChat(body, 'write');
    if (!botRights(chat).includes('invite')) {
      throw refuse('not enough rights to manage chat invite link');
    }
    const telegramId = Number(body['user_id']);
    if (chat.members.includes(telegramId) || chat.administrators.includes(telegramId)) {
      throw refuse('USER_ALREADY_PARTICIPANT');
    }
    const request = findLast(chat.id, telegramId);
    if (request?.state !== 'pending') {
      throw refuse('HIDE_REQUESTER_MISSING');
    }
    return request;
  }

  function takeQuery(body: Body): Query {
    if (!bot.knowsQueries) {
      throw new Refusal(404, 'Not Found: method not found');
    }
    const query = queries.get(String(body['chat_join_request_query_id']));
    const isTooOld = query?.state === 'new' && clock() - query.at > queryMs;
    if (query === undefined || query.state === 'spent' || isTooOld) {
      throw spent;
    }
    return query;
  }

  return {
    /** Whether the bot may write to a person who has never started it. */
    mayWriteTo: (telegramId: number): boolean =>
      requests.some(
        (one) =>
          one.telegramId === telegramId &&
          one.state === 'pending' &&
          clock() - one.at <= writableMs,
      ),

    requests: {
      add(chatId, telegramId, { language } = {}) {
        const chat = findChat(chatId);
        if (chat === undefined) {
          throw new Error(`There is no chat ${chatId} to join`);
        }
        const request: Request = { chatId, telegramId, at: clock(), state: 'pending' };
        requests.push(request);
        const queryId = chat.isGuarded === true ? `${7_000_000_000 + queries.size}` : undefined;
        if (queryId !== undefined) {
          queries.set(queryId, { request, at: clock(), state: 'new' });
        }
        push({
          chat_join_request: {
            chat: toChat(chat),
            from: {
              ...toUser(telegramId),
              ...(language === undefined ? {} : { language_code: language }),
            },
            user_chat_id: telegramId,
            date: Math.floor(clock() / 1000),
            ...(queryId === undefined ? {} : { query_id: queryId }),
          },
        });
        return queryId;
      },
      read: (chatId, telegramId) => findLast(chatId, telegramId)?.state,
      page: (chatId, telegramId) => findLast(chatId, telegramId)?.url,
      withdraw(chatId, telegramId) {
        const request = findLast(chatId, telegramId);
        if (request?.state === 'pending') {
          end(request, 'withdrawn');
        }
      },
      decide(chatId, telegramId, state) {
        const request = findLast(chatId, telegramId);
        if (request?.state === 'pending') {
          end(request, state);
        }
      },
      expireQueries() {
        for (const query of queries.values()) {
          query.state = 'spent';
        }
      },
    } satisfies StandInRequests,

    methods: {
      approveChatJoinRequest: (body: Body): true => {
        end(findPending(body), 'approved');
        return true;
      },
      declineChatJoinRequest: (body: Body): true => {
        end(findPending(body), 'declined');
        return true;
      },
      sendChatJoinRequestWebApp: (body: Body): true => {
        const query = takeQuery(body);
        const url = String(body['web_app_url']);
        if (!url.startsWith('https://')) {
          throw refuse('URL_INVALID');
        }
        query.state = 'shown';
        query.request.url = url;
        return true;
      },
      answerChatJoinRequestQuery: (body: Body): true => {
        const query = takeQuery(body);
        const { result } = body;
        if (result !== 'approve' && result !== 'decline' && result !== 'queue') {
          throw refuse('unsupported result specified');
        }
        query.state = 'spent';
        if (result !== 'queue' && query.request.state === 'pending') {
          end(query.request, result === 'approve' ? 'approved' : 'declined');
        }
        return true;
      },
    },
  };
}
