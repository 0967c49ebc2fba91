/** What managers hand to the bot for contents: files of the dashboard, and messages in their private chat with it. */
import { type Message } from 'grammy/types';
import * as v from 'valibot';

import { type ContentMedia, type MediaKind } from '#contract/chats/contents';
import { isPossibleValue, readListedName } from '#contract/chats/values';
import { type Dependencies } from '#server/app/dependencies';
import { createChatRepository } from '#server/db/chats';
import { createSlotLimiter } from '#server/lib/concurrency';
import { AppError } from '#server/lib/errors';
import { type Say, type Sentence } from '#server/lib/languages';
import { contentRules, limits, mediaRules } from '#server/lib/limits';
import { type Draft } from '#server/lib/object-store';
import { type DueJobs } from '#server/services/due-jobs';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';
import { type Outbox } from '#server/services/outbox';
import { buttonData, type BotMessage } from '#server/upstream/telegram/chat-actions';
import { type UserLanguageService } from '#services/accounts';
import { type ChatAccess, chatTexts, type ChatValueService } from '#services/chats';
import { refuse, requireDone } from '#services/members';
import { type DeletionScheduler } from '#services/moderation';

import { type Contents } from './contents.ts';
import { readContent } from './parsing.ts';
import { contentTexts } from './texts.ts';

type Tools = {
  readonly botId: number;
  readonly chatAccess: Pick<ChatAccess, 'requireManager'>;
  readonly chatValues: Pick<ChatValueService, 'change' | 'readForBot'>;
  readonly contents: Pick<Contents, 'save' | 'write'>;
  readonly deletions: Pick<DeletionScheduler, 'deleteLater'>;
  readonly dueJobs: DueJobs;
  readonly limiter: Limiter;
  readonly messages: Messages;
  readonly outbox: Pick<Outbox, 'send'>;
  readonly userLanguages: Pick<UserLanguageService, 'readLanguage'>;
};

const noBot = () =>
  new AppError('service_not_set_up', { detail: (say) => say(chatTexts).noBotToPick });

/** Takes files for contents, and hands them to Telegram. */
export function createMediaUploads(
  { chatActions }: Pick<Dependencies, 'chatActions'>,
  { botId, chatAccess, deletions, limiter, outbox }: Tools,
) {
  const ofUser = createSlotLimiter(1);
  const all = createSlotLimiter(mediaRules.atOnce);

  return {
    sayTooLarge: ((say: Say) => say(contentTexts).fileTooLarge) satisfies Sentence,

    /** Resolves when the body of an upload may be read. Throws `rate_limited` or `busy`. */
    async begin(telegramId: number) {
      const leave = ofUser.take(String(telegramId));
      if (leave === undefined) {
        throw new AppError('rate_limited', {
          detail: (say) => say(contentTexts).manyUploads,
          retryAfterS: mediaRules.busyRetryS,
        });
      }
      const leaveAll = all.take('all');
      try {
        if (leaveAll === undefined) {
          throw new AppError('busy', { retryAfterS: mediaRules.busyRetryS });
        }
        await limiter.take(limits.contentMedia, telegramId);
      } catch (error) {
        leaveAll?.();
        leave();
        throw error;
      }
      return {
        countBytes: () => undefined,
        open: () => Promise.resolve(createDraft()),
        end: () => {
          leaveAll();
          leave();
          return Promise.resolve();
        },
      };
    },

    /**
     * Sends a file to the user without a sound, deletes it there, and returns how it is sent again. Throws what
     * `requireManager` throws, `service_not_set_up` without a bot, `bot_not_started`, `telegram_refused` and
     * `telegram_unavailable`.
     */
    async upload(
      telegramId: number,
      givenId: number,
      {
        draft,
        kind,
        name,
      }: { readonly draft: Draft; readonly kind: MediaKind; readonly name: string },
    ): Promise<ContentMedia> {
      await chatAccess.requireManager(givenId, telegramId, 'change');
      if (chatActions === undefined) {
        throw noBot();
      }
      const read = async function* () {
        yield await draft.read();
      };
      const outcome = await outbox.send(telegramId, (id) =>
        chatActions.upload({ telegramId: id, kind, name, read }),
      );
      if (outcome.kind === 'refused') {
        throw outcome.why === 'not in chat'
          ? new AppError('bot_not_started')
          : refuse((_texts, say) => say(contentTexts).fileRefused(outcome.description));
      }
      const { messageId, medium } = requireDone(outcome, { right: 'info' });
      await deletions.deleteLater(telegramId, [messageId], 0);
      return { kind: medium.kind, file_id: medium.fileId, bot_id: botId };
    },
  };
}

/** A file in memory. */
function createDraft(): Draft {
  const pieces: Buffer[] = [];
  let size = 0;
  return {
    write: (bytes) => {
      // A copy, as the piece is a part of a larger buffer.
      pieces.push(Buffer.from(bytes));
      size += bytes.length;
      return Promise.resolve();
    },
    size: () => size,
    read: () => Promise.resolve(Buffer.concat(pieces)),
    keep: () => Promise.reject(new Error('A file for a content is not stored')),
    discard: () => Promise.resolve(),
  };
}

const requestKind = 'content_request';
export const cancelVerb = 'nocontent';

/** `messageKey` is the update whose message is becoming the content: another one comes too late. */
const request = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ name: v.string(), topicId: v.number(), messageKey: v.optional(v.string()) }),
);
type Request = v.InferOutput<typeof request>;

type Answer = Pick<BotMessage, 'text' | 'entities' | 'media' | 'buttons'>;

/** Returns a function that makes what was sent in time the content of a value. */
function createReceiver(
  database: Dependencies['database'],
  { botId, chatValues, contents }: Tools,
) {
  /** An answer and a note stay what they are otherwise. */
  async function toValue(chatId: number, { name, topicId }: Request, content: string) {
    const stored = (await chatValues.readForBot(chatId)).get(topicId)?.get(name);
    const kind = readListedName(name)?.kind;
    const before = kind !== undefined && isPossibleValue(name, stored) ? stored : {};
    const first = kind === 'filter' ? { match: 'anywhere' } : {};
    return kind === undefined
      ? content
      : { ...first, ...v.parse(v.looseObject({}), before), content };
  }

  /** Returns what the bot will send. Throws refusals. */
  return async (
    { message, key }: Received,
    found: Request & { readonly chatId: number },
  ): Promise<Answer> => {
    const telegramId = message.chat.id;
    const body = readContent({ message }, { kind: toContentKind(found.name), botId });
    if (body === undefined) {
      throw refuse((_texts, say) => say(contentTexts).request.nothing);
    }
    const chatId = await createChatRepository(database.db).currentId(found.chatId);
    const content = await contents.save(chatId, body, key);
    const value = await toValue(chatId, found, content);
    const wanted = new Map([[found.topicId, { [found.name]: value }]]);
    await chatValues.change(telegramId, { chatId, kind: 'values', wanted });
    const { first_name = '', last_name, username } = message.from ?? {};
    const people = [{ id: telegramId, first_name, last_name, username }];
    return contents.write(chatId, body, { people });
  };
}

/** Has the bot listen in private for a text of a manager, which becomes a value of the chat. */
export function createContentRequests(
  {
    clock,
    database,
    languages,
    telegram,
  }: Pick<Dependencies, 'clock' | 'database' | 'languages' | 'telegram'>,
  tools: Tools,
) {
  const { chatAccess, dueJobs, limiter, messages, userLanguages } = tools;
  const receive = createReceiver(database, tools);
  /** When its time is over, there is nothing to do. */
  dueJobs.handle(requestKind, () => Promise.resolve(true));
  /** Of several requests of a user the last one counts. */
  const toJobId = (telegramId: number) => `${requestKind}:${telegramId}`;

  return {
    /**
     * Asks the user in private for the content of a value; their next message there within ten minutes becomes it.
     * Returns the address of that chat. Throws what `requireManager` throws, `rate_limited`, `service_not_set_up`
     * without a bot, and `bot_not_started`.
     */
    async begin(
      telegramId: number,
      givenId: number,
      { name, topicId }: Pick<Request, 'name' | 'topicId'>,
    ): Promise<string> {
      const chatId = await chatAccess.requireManager(givenId, telegramId, 'change');
      if (telegram === undefined) {
        throw noBot();
      }
      await limiter.take(limits.contentRequests, telegramId);
      const title = (await createChatRepository(database.db).find(chatId))?.name ?? '';
      const { language } = await userLanguages.readLanguage(telegramId);
      const minutes = contentRules.requestMs / minuteMs;
      const sent = await messages.send(telegramId, language, (say) => ({
        text: `${sayWhat(name, title, say)}\n\n${say(contentTexts).request.how(minutes)}`,
        button: { text: say(contentTexts).request.cancel, data: buttonData(cancelVerb, 'me') },
      }));
      if (sent === 'unreachable') {
        throw new AppError('bot_not_started');
      }
      // Only now: what the user writes without knowing of it is for no one else.
      const id = toJobId(telegramId);
      const dueAt = clock() + contentRules.requestMs;
      const body = JSON.stringify({ name, topicId });
      await dueJobs.take(id);
      await dueJobs.add({ id, kind: requestKind, chatId, telegramId, body, dueAt });
      return `https://t.me/${await telegram.username()}`;
    },

    /** Returns whether the user was listened to. */
    cancel: async (telegramId: number): Promise<boolean> =>
      (await dueJobs.take(toJobId(telegramId))) !== undefined,

    /**
     * To be called with each message in private that is no command. Returns what the user is answered, one message
     * after the other; nothing when the bot does not listen. Rejects when the database fails.
     */
    async receive(received: Received): Promise<readonly Answer[]> {
      const { message, key } = received;
      const telegramId = message.chat.id;
      const job = await dueJobs.find(toJobId(telegramId));
      const parsed = v.safeParse(request, job?.body);
      if (job === undefined || !parsed.success || job.dueAt <= clock()) {
        return [];
      }
      const { messageKey = key } = parsed.output;
      const mine = JSON.stringify({ ...parsed.output, messageKey: key });
      // Also when this update is handled again.
      const isOurs =
        messageKey === key && (job.body === mine || (await dueJobs.changeBody(job, mine)));
      if (!isOurs) {
        return [];
      }
      const { language } = await userLanguages.readLanguage(telegramId);
      const say = languages.textsIn(language);
      try {
        const preview = await receive(received, { ...parsed.output, chatId: job.chatId });
        await dueJobs.take(job.id);
        return [{ text: say(contentTexts).request.saved }, preview];
      } catch (error) {
        if (!(error instanceof AppError)) {
          throw error;
        }
        const { name, topicId } = parsed.output;
        await dueJobs.changeBody({ id: job.id, body: mine }, JSON.stringify({ name, topicId }));
        return [{ text: error.sayIn(say) }];
      }
    },
  };
}

type Received = {
  readonly message: Message;
  /** Of the update. */
  readonly key: string;
};

const minuteMs = 60_000;

function toContentKind(name: string) {
  const kind = readListedName(name)?.kind;
  if (kind === 'note' || kind === 'filter') {
    return kind;
  }
  return name === 'welcome_content' ? 'welcome' : name === 'goodbye_content' ? 'goodbye' : 'rules';
}

function sayWhat(name: string, title: string, say: Say): string {
  const texts = say(contentTexts).request;
  const key = readListedName(name)?.key ?? '';
  return texts[toContentKind(name)](title, key);
}
