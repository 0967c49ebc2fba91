/** Saves what the bot sends in a chat's name, and makes messages of it. A content never changes. */
import { type MessageEntity } from 'grammy/types';
import { createHash, randomBytes } from 'node:crypto';

import { notePayload, rulesPayload } from '#contract/chats/bot-links';
import { defaultContentTexts } from '#contract/chats/content-texts';
import { type ContentBody, type ContentButton } from '#contract/chats/contents';
import {
  type FilledEntity,
  type FilledPerson,
  type Fillings,
  fillText,
  hasFilling,
  sentLimits,
} from '#contract/chats/fillings';
import { listContents, readValue } from '#contract/chats/values';
import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { type StoredChatValues, wholeChatId } from '#server/db/chat-values';
import { createChatRepository } from '#server/db/chats';
import { createContentRepository } from '#server/db/contents';
import { AppError } from '#server/lib/errors';
import { type Say } from '#server/lib/languages';
import { limits } from '#server/lib/limits';
import { createMemoryCache } from '#server/lib/memory-cache';
import { type Limiter } from '#server/services/limiter';
import { type Outbox } from '#server/services/outbox';
import {
  type ActionOutcome,
  type BotMessage,
  type SentMessage,
} from '#server/upstream/telegram/chat-actions';
import { type ChatAccess, chatTexts, type ChatValueService } from '#services/chats';
import { type DeletionScheduler } from '#services/moderation';

import { isTextApart } from './parsing.ts';
import { contentTexts } from './texts.ts';

type Tools = {
  readonly limiter: Limiter;
  readonly chats: { readonly readLanguage: (chatId: number) => Promise<Language> };
  readonly chatAccess: Pick<ChatAccess, 'requireManager'>;
  readonly chatValues: Pick<ChatValueService, 'readForBot'>;
  readonly outbox: Pick<Outbox, 'send'>;
  readonly deletions: Pick<DeletionScheduler, 'deleteLater'>;
  readonly botId: number;
};

/** Whom and where a content is for. */
type ContentReader = {
  /** Whom its names are about: one, or all who are greeted together. */
  readonly people: readonly FilledPerson[];
  /** As the chat is called; as Nori knows it when absent. */
  readonly chatName?: string | undefined;
};

/** A content as it is sent, without its place. */
type WrittenContent = Pick<BotMessage, 'text' | 'media'> & {
  readonly entities: readonly MessageEntity[];
  readonly buttons: NonNullable<BotMessage['buttons']>;
};

type Sending = ContentReader &
  Pick<BotMessage, 'topicId' | 'replyTo' | 'isProtected'> & {
    readonly onlyFor?: BotMessage['onlyFor'] | undefined;
    /** Milliseconds after which it is deleted, also over a restart; it stays when absent. */
    readonly removeAfterMs?: number | undefined;
    /** It is not sent any more when its turn in the chat comes after this; epoch milliseconds. */
    readonly notAfter?: number | undefined;
  };

const cacheRules = { max: 4000, lifetimeMs: 60 * 60_000 } as const;
/** How many members a chat has may be as old as this. */
const countRules = { max: 2000, lifetimeMs: 60_000 } as const;

export type Contents = ReturnType<typeof createContentService>;

export function createContentService(
  deps: Pick<Dependencies, 'database' | 'clock' | 'languages' | 'telegram' | 'chatActions'>,
  tools: Tools,
) {
  const { database, clock, chatActions } = deps;
  const rows = createContentRepository(database.db);
  const known = createMemoryCache<ContentBody>({ ...cacheRules, clock });
  const write = createWriter(deps, tools);

  async function readOne(chatId: number, id: string): Promise<ContentBody> {
    const [found] = await rows.list([id]);
    if (found === undefined || found.chatId !== chatId) {
      throw new AppError('invalid_input', { detail: (say) => say(chatTexts).unknownContent });
    }
    return found.body;
  }

  /** Undefined for one that the chat does not have. Rejects when the database fails. */
  async function find(chatId: number, id: string): Promise<ContentBody | undefined> {
    try {
      return await known.get(`${chatId}:${id}`, () => readOne(chatId, id));
    } catch (error) {
      if (error instanceof AppError) {
        return undefined;
      }
      throw error;
    }
  }

  /** Sends a content where a chat is. What has no one to be sent to any more counts as refused. */
  async function send(
    chatId: number,
    body: ContentBody,
    { people, chatName, removeAfterMs, notAfter = Infinity, onlyFor, ...place }: Sending,
  ): Promise<ActionOutcome<SentMessage>> {
    const written = await write(chatId, body, { people, chatName });
    const outcome = await tools.outbox.send(chatId, (id) =>
      chatActions === undefined || clock() > notAfter
        ? Promise.resolve(tooLate)
        : chatActions.send({
            ...written,
            ...place,
            ...(onlyFor === undefined ? {} : { onlyFor }),
            chatId: id,
          }),
    );
    if (outcome.kind === 'done' && removeAfterMs !== undefined) {
      const ids = listSentIds(outcome.result);
      await tools.deletions.deleteLater(chatId, ids, removeAfterMs);
    }
    return outcome;
  }

  return {
    write,
    send,

    /** Saves a content of a chat. The same `key`, such as that of an update, gives the same ID. */
    async save(chatId: number, body: ContentBody, key?: string): Promise<string> {
      const id = toContentId(chatId, key);
      await rows.add({ id, chatId, body }, clock());
      return id;
    },

    /** The same for a manager. Throws what `requireManager` throws, and `rate_limited`. */
    async saveFor(telegramId: number, givenId: number, body: ContentBody): Promise<string> {
      const chatId = await tools.chatAccess.requireManager(givenId, telegramId, 'change');
      await tools.limiter.take(limits.savedContents, telegramId);
      const id = toContentId(chatId);
      await rows.add({ id, chatId, body }, clock());
      return id;
    },

    find,

    /** The rules of a chat, also by the ID that it had as a basic group; undefined where it has none. */
    async readRules(
      givenId: number,
    ): Promise<{ readonly chatId: number; readonly body: ContentBody } | undefined> {
      const chatId = await createChatRepository(database.db).currentId(givenId);
      const stored = await tools.chatValues.readForBot(chatId);
      const whole = Object.fromEntries(stored.get(wholeChatId) ?? []);
      const id = readValue(whole, 'rules_content');
      const body = id === undefined ? undefined : await find(chatId, id);
      return body && { chatId, body };
    },

    /** ID → what it says, of all contents that values name. */
    async listNamed(values: StoredChatValues): Promise<Readonly<Record<string, ContentBody>>> {
      const ids = [...values.values()].flatMap((names) =>
        [...names].flatMap(([name, value]) => listContents(name, value)),
      );
      const found = ids.length === 0 ? [] : await rows.list([...new Set(ids)]);
      return Object.fromEntries(found.map(({ id, body }) => [id, body]));
    },
  };
}

const tooLate = { kind: 'refused', why: 'other', description: 'too late' } as const;

/** The messages in which a content is; one that only one person sees has no ID. */
export function listSentIds({ messageId, stickerId = 0 }: SentMessage): readonly number[] {
  return [messageId, stickerId].filter((id) => id !== 0);
}

/** 22 characters of base64url. */
function toContentId(chatId: number, key?: string): string {
  const bytes =
    key === undefined
      ? randomBytes(16)
      : createHash('sha256').update(`${chatId}:${key}`).digest().subarray(0, 16);
  return bytes.toString('base64url');
}

/** Returns a function that fills a content, and turns its buttons and its medium into those of a message. */
function createWriter(
  { database, clock, languages, telegram, chatActions }: Parameters<typeof createContentService>[0],
  { chats, chatValues, outbox, botId }: Tools,
) {
  const names = createChatRepository(database.db);
  const counts = createMemoryCache<number | undefined>({ ...countRules, clock });

  async function countMembers(chatId: number): Promise<number | undefined> {
    const outcome = await outbox.send(
      chatId,
      (id) =>
        chatActions?.countMembers(id) ?? Promise.resolve({ kind: 'later', retryAfterS: undefined }),
    );
    return outcome.kind === 'done' ? outcome.result : undefined;
  }

  async function hasRules(chatId: number): Promise<boolean> {
    const stored = await chatValues.readForBot(chatId);
    const whole = Object.fromEntries(stored.get(wholeChatId) ?? []);
    return readValue(whole, 'rules_content') !== undefined;
  }

  async function readFillings(
    chatId: number,
    text: string,
    { people, chatName, say, rulesUrl }: ContentReader & Place,
  ): Promise<Fillings> {
    const isLinked = hasFilling(text, 'rules') && (await hasRules(chatId));
    return {
      people,
      chatName: chatName ?? (await names.find(chatId))?.name ?? '',
      count: hasFilling(text, 'count')
        ? await counts.get(String(chatId), () => countMembers(chatId))
        : undefined,
      rules: { label: say(defaultContentTexts).rules, url: isLinked ? rulesUrl : undefined },
    };
  }

  return async (
    chatId: number,
    body: ContentBody,
    reader: ContentReader,
  ): Promise<WrittenContent> => {
    const say = languages.textsIn(await chats.readLanguage(chatId));
    // The name is known from `getMe`, which is asked once.
    const bot = `https://t.me/${(await telegram?.username().catch(() => undefined)) ?? ''}`;
    const rulesUrl = `${bot}?start=${rulesPayload(chatId)}`;
    const { text, entities } = fillText(
      body,
      await readFillings(chatId, body.text, { ...reader, say, rulesUrl }),
      body.media === undefined || isTextApart(body) ? sentLimits.text : sentLimits.caption,
    );
    // Another bot cannot send the medium.
    const media = body.media?.bot_id === botId ? body.media : undefined;
    const textWhenLost = say(contentTexts).fileLost;
    const toUrl = ({ url, to = '' }: ContentButton) =>
      url ?? (to === 'rules' ? rulesUrl : `${bot}?start=${notePayload(chatId, to.slice(5))}`);
    return {
      text: text === '' && media === undefined ? textWhenLost : text,
      entities: entities.flatMap(toMessageEntity),
      media: media && { kind: media.kind, fileId: media.file_id, textWhenLost },
      buttons: body.buttons.map((row) =>
        row.map((button) => ({ text: button.label, url: toUrl(button), opens: 'link' as const })),
      ),
    };
  };
}

/** In whose language a content is filled, and where the rules of its chat are. */
type Place = { readonly say: Say; readonly rulesUrl: string };

function toMessageEntity(entity: FilledEntity): readonly MessageEntity[] {
  const { type, offset, length } = entity;
  if (type === 'text_mention') {
    return [{ type, offset, length, user: entity.user }];
  }
  if (type === 'text_link') {
    return entity.url === undefined ? [] : [{ type, offset, length, url: entity.url }];
  }
  if (type === 'custom_emoji') {
    const { custom_emoji_id } = entity;
    return custom_emoji_id === undefined ? [] : [{ type, offset, length, custom_emoji_id }];
  }
  return type === 'pre'
    ? [{ type, offset, length, ...(entity.language && { language: entity.language }) }]
    : [{ type, offset, length }];
}
