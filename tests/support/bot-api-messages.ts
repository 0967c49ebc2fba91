/**
 * The messages that a bot sends through the Bot API stand-in, and what users press under them. Its checks are
 * those of github.com/tdlib/telegram-bot-api and github.com/tdlib/td, and worded as Telegram's.
 */
import {
  type Content,
  readContent,
  readKeyboard,
  readMarkup,
  type SentMedia,
  toText,
} from './bot-api-contents.ts';
import {
  asRecord,
  type Body,
  Refusal,
  refuse,
  type StandInChat,
  type StandInPerson,
} from './bot-api-world.ts';

export type SentMessage = {
  readonly to: number;
  readonly text: string;
  readonly body: Body;
  /** 0 for an ephemeral message. */
  readonly messageId: number;
  /** Of a message that only one user of a group sees. */
  readonly ephemeral?: { readonly id: number; readonly to: number };
};

/** What a message of the bot looks like now. */
type ShownMessage = {
  readonly text: string;
  readonly entities: unknown;
  /** The labels of its buttons, by row. */
  readonly buttons: readonly (readonly string[])[];
  /** What it shows above its text. */
  readonly media?: SentMedia;
};

/** What is shown in a private chat while it is being made; it goes after half a minute. */
type ShownDraft = {
  readonly to: number;
  readonly draftId: number;
  readonly text: string;
  readonly canStop: boolean;
};

type AnsweredPress = {
  readonly pressId: string;
  /** Empty when nothing is shown. */
  readonly text: string;
  readonly isAlert: boolean;
};

export type StandInPresses = {
  /**
   * Presses the button with this label under a message of the bot, and returns the press's id. Throws when there
   * is no such button, or the user does not see the message.
   */
  readonly press: (message: SentMessage, from: number, label: string) => string;
  /** The answers to presses, oldest first. */
  readonly answers: readonly AnsweredPress[];
};

type Known = {
  readonly getChat: (body: Body, access?: 'write') => StandInChat;
  readonly findChat: (chatId: number) => StandInChat | undefined;
  /** Throws a refusal when the bot may not write to the user. */
  readonly throwUnlessReachable: (telegramId: number) => void;
  readonly people: ReadonlyMap<number, StandInPerson>;
  readonly bot: { readonly id: number; readonly username: string };
  readonly clock: () => number;
  /** Whether a message of others was seen in an update. */
  readonly isSeen: (chatId: number, messageId: number) => boolean;
  readonly isGone: (chatId: number, messageId: number) => boolean;
  readonly push: (update: Body) => unknown;
  /** Whether the server is new enough for drafts. */
  readonly knowsDrafts: () => boolean;
  readonly onMessage: ((message: SentMessage) => void) | undefined;
};

const maxAnswerLength = 200;
/** How long a press can be answered. */
const pressMs = 150_000;
/** How long a press or an ephemeral command allows ephemeral messages to a bot that is no administrator. */
const ephemeralMs = 15_000;

type Press = { readonly from: number; readonly at: number; isAnswered: boolean };

export function createMessages({
  getChat,
  findChat,
  throwUnlessReachable,
  people,
  bot,
  clock,
  isSeen,
  isGone,
  push,
  knowsDrafts,
  onMessage,
}: Known) {
  const messages: SentMessage[] = [];
  const contents = new Map<SentMessage, Content>();
  const presses = new Map<string, Press>();
  const answers: AnsweredPress[] = [];
  const drafts: ShownDraft[] = [];
  /** Ephemeral messages of users, such as commands. */
  const received = new Map<string, number>();
  let nextPressId = 7_300_000_000_000_001;
  let nextEphemeralId = 1;

  const toPerson = (id: number) => ({
    is_bot: false,
    ...(people.get(id) ?? { id, first_name: `Person ${id}` }),
  });
  const toChat = (chatId: number) => {
    const { id = chatId, type = 'private', title } = findChat(chatId) ?? {};
    return { id, type, ...(type === 'private' || title === undefined ? {} : { title }) };
  };

  /** `given` is what a call with a medium says instead of a text. */
  function deliver(body: Body, given?: Content) {
    const to = Number(body['chat_id']);
    const chat = to < 0 ? getChat(body, 'write') : undefined;
    if (body['message_thread_id'] === 1) {
      // Messages that name no topic are in General.
      throw refuse('message thread not found');
    }
    throwUnlessReachable(to);
    const content = given ?? readContent(body, to);
    throwUnlessPostable(chat);
    const receiver = readReceiver(body, chat);
    throwUnlessReplied(body, { chat, to, receiver });
    const ephemeral = receiver === undefined ? undefined : { id: nextEphemeralId, to: receiver };
    nextEphemeralId += ephemeral === undefined ? 0 : 1;
    const message: SentMessage = {
      to,
      text: content.text,
      body,
      messageId: ephemeral === undefined ? messages.length + 1 : 0,
      ...(ephemeral && { ephemeral }),
    };
    messages.push(message);
    contents.set(message, content);
    onMessage?.(message);
    return answerMessage(message);
  }

  /** A message as the bot and those who press its buttons see it. */
  function answerMessage(message: SentMessage) {
    const { text, entities, markup } = contents.get(message) ?? { text: message.text };
    const topicId = message.body['message_thread_id'];
    return {
      message_id: message.messageId,
      from: { id: bot.id, is_bot: true, first_name: 'Nori', username: bot.username },
      date: Math.floor(clock() / 1000),
      chat: toChat(message.to),
      ...(message.ephemeral && {
        ephemeral_message_id: message.ephemeral.id,
        receiver_user: toPerson(message.ephemeral.to),
      }),
      ...(topicId === undefined ? {} : { message_thread_id: topicId, is_topic_message: true }),
      text,
      ...(entities === undefined ? {} : { entities }),
      ...(markup === undefined ? {} : { reply_markup: markup }),
    };
  }

  /** The only user who sees the message; undefined for a message that all see. */
  function readReceiver(body: Body, chat: StandInChat | undefined): number | undefined {
    const parameters = body['ephemeral_message_parameters'];
    if (parameters === undefined || chat?.knowsEphemeral === false) {
      return undefined;
    }
    const { receiver_user_id, callback_query_id: pressId } = asRecord(parameters);
    const receiver = Number(receiver_user_id);
    if (!Number.isSafeInteger(receiver) || receiver <= 0) {
      throw refuse('invalid receiver_user_id specified');
    }
    const isAnswer = pressId !== undefined && isRecentPress(pressId, receiver);
    // Whether a reply is in time is looked at with the other replies.
    const isReply = asRecord(body['reply_parameters'])['ephemeral_message_id'] !== undefined;
    const isGroup = chat !== undefined && chat.type !== 'channel';
    if (!isGroup || (chat.bot !== 'administrator' && !isAnswer && !isReply)) {
      throw refuse('BOT_NOT_ADMIN');
    }
    return receiver;
  }

  function isRecentPress(pressId: unknown, receiver: number): boolean {
    const { from, at } = readPress(pressId);
    if (from !== receiver) {
      throw refuse('USER_ID_INVALID');
    }
    return clock() - at <= ephemeralMs;
  }

  function throwUnlessReplied(
    body: Body,
    {
      chat,
      to,
      receiver,
    }: {
      readonly chat: StandInChat | undefined;
      readonly to: number;
      readonly receiver: number | undefined;
    },
  ): void {
    if (body['reply_parameters'] === undefined) {
      return;
    }
    const parameters = asRecord(body['reply_parameters']);
    const ephemeralId = parameters['ephemeral_message_id'];
    if (ephemeralId !== undefined && chat?.knowsEphemeral !== false) {
      const at = received.get(`${to}:${receiver}:${Number(ephemeralId)}`);
      if (at === undefined || clock() - at > ephemeralMs) {
        throw refuse('message to be replied not found');
      }
      return;
    }
    if (parameters['message_id'] === undefined) {
      throw refuse('can\'t find field "message_id"');
    }
    // Of an ephemeral message this flag is not looked at.
    const mayBeGone = receiver === undefined && parameters['allow_sending_without_reply'] === true;
    if (!mayBeGone && !isThere(to, Number(parameters['message_id']))) {
      throw refuse('message to be replied not found');
    }
  }

  const findOwn = (chatId: number, messageId: number) =>
    messages.find((one) => one.messageId === messageId && one.to === chatId);

  const isThere = (chatId: number, messageId: number) =>
    messageId > 0 &&
    !isGone(chatId, messageId) &&
    (findOwn(chatId, messageId) !== undefined || isSeen(chatId, messageId));

  /** One that is for one user alone is named by an ID of its own. */
  function findEditable(body: Body): SentMessage {
    if (body['ephemeral_message_id'] !== undefined) {
      return findEphemeral(body);
    }
    const chatId = Number(body['chat_id']);
    if (chatId < 0) {
      getChat(body, 'write');
    }
    const messageId = Number(body['message_id']);
    if (!isThere(chatId, messageId)) {
      throw refuse('message to edit not found');
    }
    const message = findOwn(chatId, messageId);
    if (message === undefined) {
      throw refuse("message can't be edited");
    }
    return message;
  }

  function findEphemeral(body: Body): SentMessage {
    if (getChat(body, 'write').knowsEphemeral === false) {
      throw new Refusal(404, 'Not Found: method not found');
    }
    const message = messages.find(
      ({ to, ephemeral }) =>
        to === Number(body['chat_id']) &&
        ephemeral?.to === Number(body['receiver_user_id']) &&
        ephemeral.id === Number(body['ephemeral_message_id']),
    );
    if (message === undefined) {
      throw refuse('MESSAGE_ID_INVALID');
    }
    return message;
  }

  function replaceContent(message: SentMessage, content: Content) {
    const same = JSON.stringify(contents.get(message)) === JSON.stringify(content);
    if (same) {
      throw refuse(
        'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      );
    }
    contents.set(message, content);
    return { ...answerMessage(message), edit_date: Math.floor(clock() / 1000) };
  }

  /** Below a medium stands a caption, which other methods edit. */
  function throwUnlessText(message: SentMessage): void {
    if (contents.get(message)?.media !== undefined) {
      throw refuse('there is no text in the message to edit');
    }
  }

  /** A press that can still be answered. */
  function readPress(pressId: unknown): Press {
    const found = presses.get(toText(pressId));
    if (found === undefined || found.isAnswered || clock() - found.at > pressMs) {
      throw refuse('query is too old and response timeout expired or query ID is invalid');
    }
    return found;
  }

  function answerCallbackQuery(body: Body): true {
    const pressId = toText(body['callback_query_id']);
    const answered = readPress(pressId);
    const text = toText(body['text']);
    if (Array.from(text).length > maxAnswerLength) {
      throw refuse('MESSAGE_TOO_LONG');
    }
    answered.isAnswered = true;
    answers.push({ pressId, text, isAlert: body['show_alert'] === true });
    return true;
  }

  function press(message: SentMessage, from: number, label: string): string {
    const markup = contents.get(message)?.markup;
    const buttons = readKeyboard(markup).flat();
    const button = buttons.find(({ text }) => text === label);
    if (button === undefined || typeof button['callback_data'] !== 'string') {
      throw new Error(
        `No button “${label}” under “${message.text}”: ${buttons.map(({ text }) => text).join(', ')}`,
      );
    }
    if (message.ephemeral !== undefined && message.ephemeral.to !== from) {
      throw new Error(`${from} does not see “${message.text}”`);
    }
    if (isGone(message.to, message.messageId)) {
      throw new Error(`“${message.text}” is deleted`);
    }
    const id = String(nextPressId);
    nextPressId += 1;
    push({
      callback_query: {
        id,
        from: toPerson(from),
        message: answerMessage(message),
        chat_instance: String(message.to),
        data: button['callback_data'],
      },
    });
    return id;
  }

  return {
    messages,
    deliver,
    toPerson,
    presses: { press, answers } satisfies StandInPresses,
    drafts,
    findEditable,
    replaceIn: (body: Body, content: Content) => replaceContent(findEditable(body), content),
    isOwn: (chatId: number, messageId: number) => findOwn(chatId, messageId) !== undefined,
    isThere,
    topicFor: (chatId: number, messageId: number) =>
      findOwn(chatId, messageId)?.body['message_thread_id'],
    /** Undefined once it is deleted. */
    show: (message: SentMessage): ShownMessage | undefined => {
      const content = contents.get(message);
      return content === undefined || isGone(message.to, message.messageId)
        ? undefined
        : {
            text: content.text,
            entities: content.entities,
            buttons: readKeyboard(content.markup).map((row) => row.map(({ text }) => String(text))),
            ...(content.media && { media: content.media }),
          };
    },
    /** Notes what an update tells the bot. */
    note: ({ callback_query: query, message }: Body) => {
      const { id, from } = asRecord(query);
      if (id !== undefined) {
        presses.set(toText(id), {
          from: Number(asRecord(from)['id']),
          at: clock(),
          isAnswered: false,
        });
      }
      const written = asRecord(message);
      const ephemeralId = written['ephemeral_message_id'];
      if (ephemeralId !== undefined) {
        const [chatId, by] = [asRecord(written['chat'])['id'], asRecord(written['from'])['id']];
        received.set(`${Number(chatId)}:${Number(by)}:${Number(ephemeralId)}`, clock());
      }
    },
    methods: {
      sendMessage: (body: Body) => deliver(body),
      editMessageText: (body: Body) => {
        const message = findEditable(body);
        throwUnlessText(message);
        return replaceContent(message, readContent(body, message.to));
      },
      editEphemeralMessageText: (body: Body): true => {
        const message = findEphemeral(body);
        throwUnlessText(message);
        replaceContent(message, readContent(body, message.to));
        return true;
      },
      editMessageReplyMarkup: (body: Body) => {
        const message = findEditable(body);
        const { text = message.text, entities } = contents.get(message) ?? {};
        return replaceContent(message, { text, entities, markup: readMarkup(body, message.to) });
      },
      answerCallbackQuery,
      sendMessageDraft: (body: Body): true => {
        if (!knowsDrafts()) {
          throw new Refusal(404, 'Not Found: method not found');
        }
        const to = Number(body['chat_id']);
        const draftId = Number(body['draft_id']);
        if (!(to > 0)) {
          throw refuse('TEXTDRAFT_PEER_INVALID');
        }
        throwUnlessReachable(to);
        if (!Number.isSafeInteger(draftId) || draftId === 0) {
          throw refuse('draft identifier is invalid');
        }
        const { text } = readContent(body, to);
        drafts.push({ to, draftId, text, canStop: body['can_stop'] === true });
        return true;
      },
    },
  };
}

function throwUnlessPostable(chat: StandInChat | undefined): void {
  if (chat?.type === 'channel' && (chat.bot !== 'administrator' || chat.botMayPost === false)) {
    throw refuse('need administrator rights in the channel chat');
  }
}
