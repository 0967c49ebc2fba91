/**
 * A stand-in for Telegram's Bot API that speaks HTTP on loopback: it knows a few chats and users, checks
 * the token, records every call, and fails on demand like Telegram.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { createDocuments } from './bot-api-documents.ts';
import { type Failure, failLike, listen, readBody, send } from './bot-api-http.ts';
import { createInlineQueries, type StandInInline } from './bot-api-inline.ts';
import { createMedia } from './bot-api-media.ts';
import { createMemberCalls } from './bot-api-member-calls.ts';
import { completeChat, createMembers, type StandInMembers } from './bot-api-members.ts';
import { createMessages, type SentMessage, type StandInPresses } from './bot-api-messages.ts';
import { createMoves, type StandInMoves } from './bot-api-moves.ts';
import { createPrepared } from './bot-api-prepared.ts';
import { createProfile, type StandInProfile } from './bot-api-profile.ts';
import { createReactions, type StandInReactions } from './bot-api-reactions.ts';
import { createRequests, type StandInRequests } from './bot-api-requests.ts';
import { createStickerSets } from './bot-api-stickers.ts';
import { createPinsAndTopics } from './bot-api-topics.ts';
import { createUpdates, type StandInUpdates } from './bot-api-updates.ts';
import {
  createDeletions,
  createSightings,
  type StandInDeletions,
  chatAnswer,
  preparedButton,
  type Reach,
  reachRefusals,
  Refusal,
  type StandInChat,
  type StandInPerson,
} from './bot-api-world.ts';

export { type Failure } from './bot-api-http.ts';
export { type SentMessage } from './bot-api-messages.ts';

type RecordedCall = {
  readonly method: string;
  readonly body: Readonly<Record<string, unknown>>;
};

export type BotApi = {
  readonly token: string;
  /** For `TELEGRAM_API_ROOT`. */
  readonly apiRoot: string;
  /** `readsAll`: the privacy mode is off. `hasMiniApp`: a main Mini App is set up at BotFather. */
  readonly bot: {
    readonly id: number;
    readonly username: string;
    readsAll: boolean;
    hasMiniApp: boolean;
    /** The server knows the calls about queries to join. */
    knowsQueries: boolean;
    /** The server knows drafts of messages. */
    knowsDrafts: boolean;
    /** Inline mode is switched on at BotFather. */
    hasInline: boolean;
  };
  readonly calls: readonly RecordedCall[];
  readonly messages: readonly SentMessage[];
  /** Files that the bot has seen, and can send again by their IDs. */
  readonly media: Pick<
    ReturnType<typeof createMedia>,
    'addAddress' | 'addFile' | 'forget' | 'breakUrl'
  >;
  /** The files that the bot has sent. */
  readonly documents: ReturnType<typeof createDocuments>['documents'];
  /** The messages that the bot has prepared for users of its Mini App. */
  readonly prepared: ReturnType<typeof createPrepared>['prepared'];
  /** What a message of the bot looks like now; undefined once it is deleted. */
  readonly show: ReturnType<typeof createMessages>['show'];
  /** Sets of stickers, and files that the bot downloads. */
  readonly stickers: Omit<ReturnType<typeof createStickerSets>, 'methods' | 'serveFile'>;
  readonly presses: StandInPresses;
  /** What was shown while it was being made. */
  readonly drafts: ReturnType<typeof createMessages>['drafts'];
  /** What people write to the bot in any chat. */
  readonly inline: StandInInline;
  readonly members: StandInMembers;
  /** People who come and go. */
  readonly moves: StandInMoves;
  readonly reactions: StandInReactions;
  /** Requests to join. */
  readonly requests: StandInRequests;
  /** The pinned messages of a chat that still exist, oldest first. */
  readonly pins: Pins['pins'];
  /** General (0), the topics that were created, and those in which a message was written. */
  readonly topics: Pins['topics'];
  /** The updates that the bot receives. */
  readonly updates: Omit<StandInUpdates, 'methods' | 'release' | 'sentAt'>;
  /** The bot's lists of commands, its descriptions and its menu buttons. */
  readonly profile: Omit<StandInProfile, 'methods'>;
  /** The deletions that were asked for. */
  readonly deletions: Omit<StandInDeletions, 'methods'>;
  /** Adds a chat. Changes of the returned object change the answers. */
  readonly addChat: (chat: Partial<StandInChat> & { id: number }) => StandInChat;
  /** Adds a person, or replaces what is known of one. */
  readonly addPerson: (person: StandInPerson) => void;
  /** Makes a group a supergroup: calls with the old id are refused with the new one. */
  readonly upgrade: (oldId: number, newId: number) => void;
  /** Whether the bot may write to a user. By default all users have started it. */
  readonly setReach: (telegramId: number, reach: Reach) => void;
  /** The next `times` calls of a method (1 when absent) fail like this. */
  readonly fail: (method: string, failure: Failure, times?: number) => void;
  /** The next call of a method fails or takes effect at once, and is answered after this. */
  readonly hold: (method: string, until: Promise<void>) => void;
  /** Every call fails like this, until undone by passing nothing. */
  readonly failAll: (failure?: Failure) => void;
  /** The last six digits that were sent to a user; throws when there are none. */
  readonly lastCode: (telegramId: number) => string;
  readonly callsTo: (method: string) => readonly RecordedCall[];
  readonly forgetCalls: () => void;
  readonly close: () => Promise<void>;
};

type Pins = ReturnType<typeof createPinsAndTopics>;

/** Starts the stand-in on a free port of loopback, or on the one given. */
export async function startBotApi({
  token = '123456789:stand-in-token-of-the-test-bot-0000',
  port = 0,
  people = [],
  clock = Date.now,
  kickMs = 1000,
  onMessage,
  line = () => undefined,
  onCall = () => undefined,
  findFailure = () => undefined,
  onResult = () => undefined,
}: {
  readonly token?: string;
  readonly port?: number;
  readonly people?: readonly StandInPerson[];
  /** Tells how old messages and presses are, and when bans end. */
  readonly clock?: () => number;
  /** How long Telegram needs to remove a member who may come back. */
  readonly kickMs?: number;
  readonly onMessage?: (message: SentMessage) => void;
  /** The answer to a call of this method waits for it; the call takes effect before. */
  readonly line?: (method: string, body: RecordedCall['body']) => Promise<void> | undefined;
  /** Called with every call when it arrives. */
  readonly onCall?: (call: RecordedCall) => void;
  /** How a call fails by the rules of the test, such as that there are too many. */
  readonly findFailure?: (method: string, body: RecordedCall['body']) => Failure | undefined;
  /** Called with the answer right before it is sent. */
  readonly onResult?: (method: string, result: unknown) => void;
} = {}): Promise<BotApi> {
  const bot = {
    id: Number(token.split(':')[0]),
    username: 'nori_test_bot',
    readsAll: false,
    hasMiniApp: true,
    knowsQueries: true,
    knowsDrafts: true,
    hasInline: true,
  };
  const chats = new Map<number, StandInChat>();
  const upgrades = new Map<number, number>();
  const reach = new Map<number, Reach>();
  const known = new Map(people.map((person) => [person.id, person]));
  const failures = new Map<string, Failure[]>();
  const heldCalls = new Map<string, Promise<void>>();
  const calls: RecordedCall[] = [];
  const sightings = createSightings();
  const updates = createUpdates({
    clock,
    onPush: (content) => {
      sightings.note(content);
      messages.note(content);
    },
  });
  const profile = createProfile({
    isKnownUser: (telegramId) => {
      const state = readReach(telegramId);
      return state === 'started' || state === 'blocked';
    },
    getChat,
  });
  let failureOfAll: Failure | undefined;

  const findChat = (chatId: number) => chats.get(chatId);
  const readReach = (telegramId: number): Reach => reach.get(telegramId) ?? 'started';

  function throwUnlessReachable(telegramId: number): void {
    const state = readReach(telegramId);
    const isRequester = state === 'never started' && requests.mayWriteTo(telegramId);
    if (state !== 'started' && !isRequester) {
      throw reachRefusals[state];
    }
  }

  function getChat(body: RecordedCall['body'], access?: 'write'): StandInChat {
    const chatId = Number(body['chat_id']);
    const newId = upgrades.get(chatId);
    if (newId !== undefined) {
      throw new Refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: newId,
      });
    }
    const chat = chats.get(chatId);
    if (chat === undefined || chat.bot === 'absent') {
      throw new Refusal(400, 'Bad Request: chat not found');
    }
    if (chat.bot === 'kicked') {
      throw new Refusal(403, `Forbidden: bot was kicked from the ${chat.type} chat`);
    }
    if (chat.bot === 'left' && access === 'write') {
      throw new Refusal(403, `Forbidden: bot is not a member of the ${chat.type} chat`);
    }
    return chat;
  }

  const deletions = createDeletions({
    getChat,
    isOwn: (chatId, messageId) => messages.isOwn(chatId, messageId),
    sentAt: updates.sentAt,
    clock,
  });
  const messages = createMessages({
    getChat,
    findChat,
    throwUnlessReachable,
    people: known,
    bot,
    clock,
    isSeen: sightings.isSeen,
    isGone: deletions.isGone,
    push: updates.push,
    knowsDrafts: () => bot.knowsDrafts,
    onMessage,
  });
  const documents = createDocuments({ throwUnlessReachable });
  const media = createMedia({
    deliver: messages.deliver,
    findEditable: messages.findEditable,
    replaceContent: messages.replaceIn,
    noteDocument: documents.methods.sendDocument,
  });
  const inlineQueries = createInlineQueries({
    toPerson: messages.toPerson,
    hasFile: media.hasFile,
    clock,
    push: updates.push,
  });
  const prepared = createPrepared({
    isKnownUser: (telegramId) => readReach(telegramId) !== 'unknown',
    throwUnlessReachable,
    getChat,
    hasFile: media.hasFile,
    clock,
  });
  const stickers = createStickerSets({
    bot,
    hasStarted: (telegramId) => readReach(telegramId) === 'started',
  });
  const members = createMembers({
    getChat,
    findChat,
    people: known,
    isKnownUser: (telegramId) => readReach(telegramId) !== 'unknown',
    bot,
    clock,
  });
  const requests = createRequests({
    getChat,
    findChat,
    people: known,
    bot,
    clock,
    push: updates.push,
  });
  const reactions = createReactions({
    getChat,
    findChat,
    members,
    toPerson: messages.toPerson,
    isThere: messages.isThere,
    clock,
    push: updates.push,
  });
  const moves = createMoves({
    findChat,
    members,
    bot,
    toPerson: messages.toPerson,
    clock,
    push: updates.push,
  });
  const pinsAndTopics = createPinsAndTopics({
    getChat,
    findChat,
    isThere: messages.isThere,
    topicFor: (chatId, messageId) =>
      Number(messages.topicFor(chatId, messageId) ?? sightings.topicFor(chatId, messageId)),
    seenTopics: sightings.topics,
  });
  const methods: Record<string, (body: RecordedCall['body']) => unknown> = {
    getMe: () => ({
      id: bot.id,
      is_bot: true,
      first_name: 'Nori',
      username: bot.username,
      can_read_all_group_messages: bot.readsAll,
      // Telegram leaves it out where it is false.
      ...(bot.hasMiniApp ? { has_main_web_app: true } : {}),
      supports_inline_queries: bot.hasInline,
      ...(bot.knowsQueries ? { supports_join_request_queries: true } : {}),
    }),
    getChat: (body) => {
      const chat = getChat(body);
      const guard = { id: bot.id, is_bot: true, first_name: 'Nori', username: bot.username };
      return { ...chatAnswer(chat), ...(chat.isGuarded === true ? { guard_bot: guard } : {}) };
    },
    ...messages.methods,
    ...media.methods,
    ...stickers.methods,
    ...inlineQueries.methods,
    ...prepared.methods,
    getChatMemberCount: (body) => {
      const { creator, administrators, members: others } = getChat(body);
      return (creator === undefined ? 0 : 1) + administrators.length + others.length + 1;
    },
    ...members.methods,
    ...requests.methods,
    ...moves.telling(createMemberCalls({ getChat, members, bot, clock, kickMs })),
    ...pinsAndTopics.methods,
    ...reactions.methods,
    ...deletions.methods,
    savePreparedKeyboardButton: (body) => {
      throwUnlessReachable(Number(body['user_id']));
      return preparedButton(body['button']);
    },
    ...profile.methods,
    ...updates.methods,
  };

  const server = createServer((request, response) => {
    if (!stickers.serveFile(request.url, token, response)) {
      void answer(request, response).catch(() => response.destroy());
    }
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, usedToken, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
    const body = await readBody(request);
    if (usedToken !== token) {
      send(response, 401, { ok: false, error_code: 401, description: 'Unauthorized' });
      return;
    }
    calls.push({ method, body });
    onCall({ method, body });
    const failure = failureOfAll ?? failures.get(method)?.shift() ?? findFailure(method, body);
    const held = heldCalls.get(method);
    heldCalls.delete(method);
    if (failure !== undefined) {
      await held;
      failLike(failure, response);
      return;
    }
    const run = methods[method];
    try {
      if (run === undefined) {
        throw new Refusal(404, 'Not Found: method not found');
      }
      const result = await run(body);
      await held;
      await line(method, body);
      onResult(method, result);
      send(response, 200, { ok: true, result });
    } catch (error) {
      if (!(error instanceof Refusal)) {
        throw error;
      }
      const { status, description, parameters } = error;
      send(response, status, { ok: false, error_code: status, description, parameters });
    }
  }

  const usedPort = await listen(server, port);

  return {
    token,
    apiRoot: `http://127.0.0.1:${usedPort}`,
    bot,
    calls,
    messages: messages.messages,
    media,
    documents: documents.documents,
    prepared: prepared.prepared,
    show: messages.show,
    stickers,
    presses: messages.presses,
    drafts: messages.drafts,
    inline: inlineQueries.inline,
    members,
    moves: moves.moves,
    requests: requests.requests,
    reactions: reactions.reactions,
    pins: pinsAndTopics.pins,
    topics: pinsAndTopics.topics,
    updates,
    profile,
    deletions,
    addChat(chat) {
      const whole = completeChat(chat);
      chats.set(chat.id, whole);
      return whole;
    },
    addPerson: (person) => void known.set(person.id, person),
    upgrade(oldId, newId) {
      const chat = chats.get(oldId);
      if (chat !== undefined) {
        chats.delete(oldId);
        chats.set(newId, Object.assign(chat, { id: newId, type: 'supergroup' }));
      }
      upgrades.set(oldId, newId);
    },
    setReach: (telegramId, state) => void reach.set(telegramId, state),
    fail(method, failure, times = 1) {
      const waiting = failures.get(method) ?? [];
      failures.set(method, [...waiting, ...Array.from({ length: times }, () => failure)]);
    },
    hold: (method, until) => void heldCalls.set(method, until),
    failAll(failure) {
      failureOfAll = failure;
    },
    lastCode(telegramId) {
      const code = messages.messages
        .filter(({ to }) => to === telegramId)
        .flatMap(({ text }) => /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0] ?? [])
        .at(-1);
      if (code === undefined) {
        throw new Error(`No code was sent to ${telegramId}`);
      }
      return code;
    },
    callsTo: (method) => calls.filter((call) => call.method === method),
    forgetCalls: () => void calls.splice(0),
    close: () =>
      new Promise((resolve) => {
        updates.release();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
