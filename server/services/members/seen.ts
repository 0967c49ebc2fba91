/**
 * Remembers whom and which messages the bot has seen, as Telegram tells neither afterwards. Who reads waits for what
 * is being saved, so that a message need not be saved before the command in it is answered.
 */
import { type Chat, type Message, type User } from 'grammy/types';

import { type Dependencies } from '#server/app/dependencies';
import { createPeopleSeenRepository, type SeenPerson } from '#server/db/people-seen';
import { createSeenMessageRepository, type SeenMessage } from '#server/db/seen-messages';
import { createSharedSave } from '#server/lib/shared-save';

/** Messages are saved together, no more often than this: each write waits for the disk, and all else waits meanwhile. */
const saveEveryMs = 100;
/** A person who is seen again is not saved again for this long, unless the name has changed. */
const knownForMs = 60 * 60_000;
const maxKnown = 20_000;
const maxNameLength = 64;

type Needs = Pick<Dependencies, 'database' | 'clock'>;

export function createSeenPeople({ database, clock }: Needs) {
  const rows = createPeopleSeenRepository(database);
  /** Those that were saved least recently are the first. */
  const known = new Map<number, { readonly names: string; readonly until: number }>();
  const save = createSharedSave<SeenPerson>({
    key: ({ telegramId }) => telegramId,
    write: (people) => rows.learn(people, clock()),
    everyMs: saveEveryMs,
  });

  function isNews({ telegramId, firstName, username }: SeenPerson): boolean {
    const last = known.get(telegramId);
    return last?.names !== `${firstName} @${username}` || last.until <= clock();
  }

  function remember({ telegramId, firstName, username }: SeenPerson): void {
    known.delete(telegramId);
    known.set(telegramId, {
      names: `${firstName} @${username}`,
      until: clock() + knownForMs,
    });
    // Also who is not seen again: another process may have deleted all about them.
    for (const [oldest, { until }] of known) {
      if (until > clock() && known.size <= maxKnown) {
        break;
      }
      known.delete(oldest);
    }
  }

  async function learnPeople(people: readonly SeenPerson[]): Promise<void> {
    const news = people.filter(isNews);
    await save.add(news);
    news.forEach(remember);
  }

  return {
    /** Resolves when the people of a message are saved. Rejects when the database fails. */
    learn: (message: Message): Promise<void> => learnPeople(listPeople(message)),

    /** As `learn`, for people who have written nothing. */
    learnUsers: (users: readonly User[]): Promise<void> => learnPeople(users.map(toPerson)),

    async findByUsername(username: string): Promise<SeenPerson | undefined> {
      await save.flushed();
      return rows.findByUsername(username);
    },

    /** Names by ID; unknown people are missing. */
    async findNames(telegramIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
      await save.flushed();
      return rows.findNames(telegramIds);
    },

    /** Whether anything is stored about a person. */
    async isKnown(telegramId: number): Promise<boolean> {
      await save.flushed();
      return (await rows.find(telegramId)) !== undefined;
    },

    async forget(telegramId: number): Promise<void> {
      await save.flushed();
      await rows.forget(telegramId);
      known.delete(telegramId);
    },
  };
}

/** First and last name, as people are called in a chat. */
export function fullName({
  first_name,
  last_name,
}: Pick<User, 'first_name' | 'last_name'>): string {
  return cut(last_name === undefined ? first_name : `${first_name} ${last_name}`);
}

/** Telegram refuses a text with half an emoji. */
const cut = (name: string) => Array.from(name).slice(0, maxNameLength).join('').trimEnd();

function toPerson(user: User): SeenPerson {
  return { telegramId: user.id, username: user.username, firstName: fullName(user) };
}

function isChannel(chat: Chat | undefined): chat is Chat.ChannelChat {
  return chat?.type === 'channel';
}

function toChannel({ id, title, username }: Chat.ChannelChat): SeenPerson {
  return { telegramId: id, username, firstName: cut(title) };
}

/** Who wrote a message, who is named in it, to whom it replies, and who came or went. */
function listPeople(message: Message): readonly SeenPerson[] {
  const { from, sender_chat, reply_to_message: reply } = message;
  const { entities = [], caption_entities = entities } = message;
  const users = [
    ...caption_entities.flatMap((entity) => (entity.type === 'text_mention' ? [entity.user] : [])),
    reply?.from,
    ...(message.new_chat_members ?? []),
    message.left_chat_member,
    from,
  ];
  const channels = [reply?.sender_chat, sender_chat].filter(isChannel);
  return [...users.filter((user) => user !== undefined).map(toPerson), ...channels.map(toChannel)];
}

export function createSeenMessages({ database, clock }: Needs) {
  const rows = createSeenMessageRepository(database.db);
  const save = createSharedSave<SeenMessage>({
    key: ({ chatId, messageId }) => `${chatId}:${messageId}`,
    write: (messages) => rows.add(messages),
    everyMs: saveEveryMs,
  });

  async function whenSaved<T>(use: () => Promise<T>): Promise<T> {
    await save.flushed();
    return use();
  }

  return {
    /** Resolves when it is saved where a message of a group is. Rejects when the database fails. */
    async learn(message: Message): Promise<void> {
      const { chat, message_id: messageId, date } = message;
      if (messageId > 0) {
        await save.add([
          {
            chatId: chat.id,
            messageId,
            topicId: message.is_topic_message === true ? (message.message_thread_id ?? 0) : 0,
            senderId: message.sender_chat?.id ?? message.from?.id ?? 0,
            sentAt: date > 0 ? date * 1000 : clock(),
          },
        ]);
      }
    },

    /** Resolves when all that was learned is saved. */
    flushed: save.flushed,

    /** To be called when messages were deleted. */
    remove: (chatId: number, messageIds: readonly number[]) =>
      whenSaved(() => rows.remove(chatId, messageIds)),

    listFrom: (chatId: number, range: Parameters<typeof rows.listFrom>[1]) =>
      whenSaved(() => rows.listFrom(chatId, range)),
    listNewest: (chatId: number, range: Parameters<typeof rows.listNewest>[1]) =>
      whenSaved(() => rows.listNewest(chatId, range)),
    listBySender: (
      chatId: number,
      senderId: number,
      range: Parameters<typeof rows.listBySender>[2],
    ) => whenSaved(() => rows.listBySender(chatId, senderId, range)),
  };
}
