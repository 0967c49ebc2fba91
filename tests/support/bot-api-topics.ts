/** What the Bot API stand-in keeps of a chat's pinned messages and topics. Its errors are worded as Telegram's. */
import { botRights } from './bot-api-members.ts';
import { type Body, refuse, type StandInChat } from './bot-api-world.ts';

/** A topic; 0 is General. */
type StandInTopic = { readonly id: number; readonly name: string; readonly isClosed: boolean };

type Known = {
  readonly getChat: (body: Body, access?: 'write') => StandInChat;
  readonly findChat: (chatId: number) => StandInChat | undefined;
  /** Whether a message exists. */
  readonly isThere: (chatId: number, messageId: number) => boolean;
  /** The topic of a message; 0 outside of topics. */
  readonly topicFor: (chatId: number, messageId: number) => number;
  /** Topics in which a message was seen. */
  readonly seenTopics: (chatId: number) => readonly number[];
};

type Ledger = { readonly pins: Set<number>; readonly topics: Map<number, StandInTopic> };

const maxNameLength = 128;
const firstTopicId = 50_001;

export function createPinsAndTopics({ getChat, findChat, isThere, topicFor, seenTopics }: Known) {
  const ledgers = new WeakMap<StandInChat, Ledger>();
  let nextTopicId = firstTopicId;

  function ledgerFor(chat: StandInChat): Ledger {
    const ledger = ledgers.get(chat) ?? { pins: new Set(), topics: new Map() };
    ledgers.set(chat, ledger);
    if (chat.isForum === true) {
      for (const id of [0, ...seenTopics(chat.id)].filter((one) => !ledger.topics.has(one))) {
        ledger.topics.set(id, { id, name: id === 0 ? 'General' : `Topic ${id}`, isClosed: false });
      }
    }
    return ledger;
  }

  function findOrThrow(chatId: number): StandInChat {
    const chat = findChat(chatId);
    if (chat === undefined) {
      throw new Error(`The stand-in has no chat ${chatId}`);
    }
    return chat;
  }

  const listPins = (chat: StandInChat) =>
    [...ledgerFor(chat).pins]
      .filter((messageId) => isThere(chat.id, messageId))
      .toSorted((a, b) => a - b);

  function getPinnable(body: Body): StandInChat {
    const chat = getChat(body, 'write');
    if (chat.type !== 'private' && !botRights(chat).includes('pin')) {
      throw refuse('not enough rights to manage pinned messages in the chat');
    }
    return chat;
  }

  function pinChatMessage(body: Body): true {
    const chat = getChat(body, 'write');
    const messageId = Number(body['message_id']);
    if (!isThere(chat.id, messageId)) {
      throw refuse('message to pin not found');
    }
    getPinnable(body);
    const { pins } = ledgerFor(chat);
    if (pins.has(messageId)) {
      throw refuse('CHAT_NOT_MODIFIED');
    }
    pins.add(messageId);
    return true;
  }

  function unpinChatMessage(body: Body): true {
    const chat = getChat(body, 'write');
    const messageId =
      body['message_id'] === undefined ? listPins(chat).at(-1) : Number(body['message_id']);
    if (messageId === undefined || !isThere(chat.id, messageId)) {
      throw refuse('message to unpin not found');
    }
    getPinnable(body);
    if (!ledgerFor(chat).pins.delete(messageId)) {
      throw refuse('CHAT_NOT_MODIFIED');
    }
    return true;
  }

  function unpinAll(chat: StandInChat, isMeant: (messageId: number) => boolean): true {
    const { pins } = ledgerFor(chat);
    for (const messageId of [...pins].filter(isMeant)) {
      pins.delete(messageId);
    }
    return true;
  }

  function getForum(body: Body): StandInChat {
    const chat = getChat(body, 'write');
    if (chat.isForum !== true) {
      throw refuse('the chat is not a forum');
    }
    return chat;
  }

  function unpinAllInTopic(body: Body, topicId: number): true {
    const chat = getForum(body);
    getPinnable(body);
    readTopic(chat, topicId);
    return unpinAll(chat, (messageId) => topicFor(chat.id, messageId) === topicId);
  }

  function readTopic(chat: StandInChat, topicId: number): StandInTopic {
    const topic = ledgerFor(chat).topics.get(topicId);
    if (topic === undefined) {
      throw refuse('TOPIC_ID_INVALID');
    }
    return topic;
  }

  function changeTopic(
    body: Body,
    topicId: number,
    change: { readonly name?: string; readonly isClosed?: boolean },
  ): true {
    const chat = getForum(body);
    const isRenamed = change.name !== undefined;
    if (!botRights(chat).includes('topics')) {
      throw refuse(`not enough rights to ${isRenamed ? 'edit' : 'close or open'} the topic`);
    }
    const topic = readTopic(chat, topicId);
    const changed = { ...topic, ...change };
    if (changed.name === topic.name && changed.isClosed === topic.isClosed) {
      throw refuse('TOPIC_NOT_MODIFIED');
    }
    ledgerFor(chat).topics.set(topicId, changed);
    return true;
  }

  function createForumTopic(body: Body) {
    const chat = getForum(body);
    if (!botRights(chat).includes('topics')) {
      throw refuse('not enough rights to create a topic');
    }
    const topic = { id: nextTopicId, name: readName(body), isClosed: false };
    nextTopicId += 1;
    ledgerFor(chat).topics.set(topic.id, topic);
    return { message_thread_id: topic.id, name: topic.name, icon_color: 0x6fb9f0 };
  }

  const readTopicId = (body: Body) => {
    const id = Number(body['message_thread_id']);
    if (!Number.isSafeInteger(id) || id <= 1) {
      throw refuse('invalid forum topic identifier specified');
    }
    return id;
  };

  return {
    /** The pinned messages that still exist, oldest first. */
    pins: (chatId: number): readonly number[] => listPins(findOrThrow(chatId)),
    /** General, the topics that were created, and those in which a message was written. */
    topics: (chatId: number): readonly StandInTopic[] => [
      ...ledgerFor(findOrThrow(chatId)).topics.values(),
    ],
    methods: {
      pinChatMessage,
      unpinChatMessage,
      unpinAllChatMessages: (body: Body) => unpinAll(getPinnable(body), () => true),
      unpinAllForumTopicMessages: (body: Body) => unpinAllInTopic(body, readTopicId(body)),
      unpinAllGeneralForumTopicMessages: (body: Body) => unpinAllInTopic(body, 0),

      createForumTopic,
      editForumTopic: (body: Body) =>
        changeTopic(body, readTopicId(body), { name: readName(body) }),
      editGeneralForumTopic: (body: Body) => changeTopic(body, 0, { name: readName(body) }),
      closeForumTopic: (body: Body) => changeTopic(body, readTopicId(body), { isClosed: true }),
      closeGeneralForumTopic: (body: Body) => changeTopic(body, 0, { isClosed: true }),
      reopenForumTopic: (body: Body) => changeTopic(body, readTopicId(body), { isClosed: false }),
      reopenGeneralForumTopic: (body: Body) => changeTopic(body, 0, { isClosed: false }),
    },
  };
}

/** A longer name is cut, as Telegram does. */
function readName({ name }: Body): string {
  const text = typeof name === 'string' ? name.trim() : '';
  if (text === '') {
    throw refuse('name must be non-empty');
  }
  return Array.from(text).slice(0, maxNameLength).join('');
}
