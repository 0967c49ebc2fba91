/**
 * Writes random messages in many chats and records which of them have to be deleted. This is known when
 * a message is written, because a chat's settings change only while none of its messages is on the way.
 */
import { type MessageType, messageTypes, settingName } from '#contract/chats/message-types';

import { type BotLedger, messageKey, type LedgerTotals } from './bot-ledger.ts';
import { administrator, getChatId, topics } from './bot-world.ts';
import { call } from './demo-server.ts';

type Content = Readonly<Record<string, unknown>>;

type LoadResult = LedgerTotals & {
  readonly written: number;
  readonly changes: number;
  /** Whom administrators have warned and muted; each person once. */
  readonly warned: readonly number[];
  readonly muted: readonly number[];
};

/** Writes random messages. `samples` has a message of each type. */
export type BotLoad = {
  /** Writes about `count` messages. */
  readonly write: (count: number) => void;
  /** Toggles a setting by the dashboard's own call, while nothing is written in its chat. */
  readonly change: (url: string, token: string) => Promise<void>;
  /** Returns what happened since the last call. */
  readonly result: () => LoadResult;
};

type Samples = Readonly<Record<MessageType, Content>>;

/** Queues an update for getUpdates. */
type Push = (content: Content) => { readonly update_id: number };

type Tools = {
  readonly push: Push;
  readonly ledger: BotLedger;
  readonly samples: Samples;
  /** Whether the bot has handled everything that it has received from the chat. */
  readonly isHandled: (chatId: number) => boolean;
  /** The share of commands of administrators among the messages. */
  readonly commands: number;
};

const albumSize = 3;
/** Shares of all messages. */
const albums = 0.03;
const edits = 0.1;
const exempt = 0.1;

/** IDs of people whom administrators warn and mute; no others write. */
const firstPerson = 50_000_000;

/** Service messages are left out: they are deleted whatever the sender may do. */
const specifiedTypes: readonly MessageType[] = Object.values(messageTypes).flat();

/** Most messages are plain text. */
const everyKind: readonly MessageType[] = ['text', 'text', 'text', ...specifiedTypes];

function pick<T>(list: readonly T[]): T {
  const [picked] = list.slice(Math.floor(Math.random() * list.length));
  if (picked === undefined) {
    throw new Error('There is nothing to pick from');
  }
  return picked;
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

export function createBotLoad(
  { push, ledger, samples, isHandled, commands }: Tools,
  chats: number,
): BotLoad {
  const blocked = new Map<string, Set<MessageType>>();
  /** Chats in which nothing is written, because a setting is about to change. */
  const silent = new Set<number>();
  const post = createPost(push, ledger);
  const administrators = createAdministratorLoad(post, ledger);
  let written = 0;
  let changes = 0;

  function typesIn(chatId: number, topic: number): Set<MessageType> {
    const key = `${chatId}/${topic}`;
    const types = blocked.get(key) ?? new Set();
    blocked.set(key, types);
    return types;
  }

  /** Picks a chat; some have far more messages than others. */
  function pickChat(): number {
    for (;;) {
      const chatId = getChatId(Math.floor(Math.random() ** 2 * chats));
      if (!silent.has(chatId)) {
        return chatId;
      }
    }
  }

  function writeOne(chatId: number, topic: number): number {
    const type = pick(everyKind);
    const isText = typeof samples[type]['text'] === 'string';
    const kinds: readonly MessageType[] = isText ? [type, 'text'] : [type];
    const isExempt = Math.random() < exempt;
    const by = isExempt ? { from: { id: administrator, is_bot: false, first_name: 'Admin' } } : {};
    const key = post.add(chatId, topic, { ...samples[type], ...by });
    if (!isExempt && kinds.some((kind) => typesIn(chatId, topic).has(kind))) {
      ledger.expect(key);
    }
    return 1;
  }

  /** Photos, of which the second has a caption with a link. */
  function writeAlbum(chatId: number, topic: number): number {
    const caption = { caption: 'something', caption_entities: samples.url['entities'] };
    const album = { ...samples.photo, media_group_id: `album-${written}` };
    const types = typesIn(chatId, topic);
    for (let index = 0; index < albumSize; index += 1) {
      const key = post.add(chatId, topic, { ...album, ...(index === 1 ? caption : {}) });
      if (types.has('photo') || types.has('url')) {
        ledger.expect(key);
      }
    }
    return albumSize;
  }

  function pickWriter() {
    if (Math.random() < commands) {
      return administrators.write;
    }
    return Math.random() < albums ? writeAlbum : writeOne;
  }

  return {
    write(count) {
      for (let left = count; left > 0;) {
        const number = pickWriter()(pickChat(), pick(topics));
        written += number;
        left -= number;
      }
    },

    async change(url, token) {
      const chatId = pickChat();
      const topic = pick(topics);
      const type = pick(everyKind);
      silent.add(chatId);
      // The bot confirms an update by requesting the next one, and handles it afterwards.
      while (post.lastUpdateIn(chatId) >= ledger.offset() || !isHandled(chatId)) {
        await pause(5);
      }
      const types = typesIn(chatId, topic);
      const value = !types.has(type);
      await call(url, `/chats/${chatId}/topics/${topic}/settings`, {
        method: 'PUT',
        token,
        body: { setting_name: settingName(type), value },
      });
      types[value ? 'add' : 'delete'](type);
      changes += 1;
      silent.delete(chatId);
    },

    result() {
      const result = { written, changes, ...administrators.take(), ...ledger.totals() };
      ledger.clear();
      written = 0;
      changes = 0;
      return result;
    },
  };
}

/** Commands that warn or mute people, each person once. */
function createAdministratorLoad(
  post: ReturnType<typeof createPost>,
  ledger: Pick<BotLedger, 'expectAnswer'>,
) {
  let warned: number[] = [];
  let muted: number[] = [];
  let person = firstPerson;

  return {
    /** Returns how many messages were written. */
    write: (chatId: number, topic: number): number => {
      person += 1;
      const isWarning = person % 2 === 0;
      const command = isWarning ? '/warn' : '/mute';
      (isWarning ? warned : muted).push(person);
      const content = {
        text: isWarning ? `/warn ${person} spam` : `/mute ${person} 1h spam`,
        entities: [{ type: 'bot_command', offset: 0, length: command.length }],
        from: { id: administrator, is_bot: false, first_name: 'Admin' },
      };
      ledger.expectAnswer(post.add(chatId, topic, content, 'message'));
      return 1;
    },

    /** Whom they were about since the last call. */
    take() {
      const people = { warned, muted };
      warned = [];
      muted = [];
      return people;
    },
  };
}

/** Makes messages and queues their updates. */
export function createPost(push: Push, ledger: Pick<BotLedger, 'recordMessage'>) {
  const lastUpdates = new Map<number, number>();
  let lastId = 1000;

  return {
    /** The key of the message. */
    add(
      chatId: number,
      topic: number,
      ...[content, kind = Math.random() < edits ? 'edited_message' : 'message']: [
        content: Content,
        kind?: 'message' | 'edited_message',
      ]
    ): string {
      lastId += 1;
      const message = {
        message_id: lastId,
        date: Math.floor(Date.now() / 1000),
        chat: { id: chatId, type: 'supergroup', title: 'A chat', is_forum: true },
        from: { id: 4242, is_bot: false, first_name: 'Somebody' },
        ...(topic === 0 ? {} : { is_topic_message: true, message_thread_id: topic }),
        ...content,
      };
      const key = messageKey(chatId, lastId);
      ledger.recordMessage(key);
      lastUpdates.set(chatId, push({ [kind]: message }).update_id);
      return key;
    },

    /** -1 in a chat without messages, which is below every offset. */
    lastUpdateIn: (chatId: number): number => lastUpdates.get(chatId) ?? -1,
  };
}
