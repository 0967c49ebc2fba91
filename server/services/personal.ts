/** What people have the bot keep for them: reminders, and that they are away. "Forget me" deletes it. */
import { type MessageEntity } from 'grammy/types';
import * as v from 'valibot';

import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import {
  type Away,
  createAdultConfirmationRepository,
  createAwayRepository,
  forgetPersonalRecords,
  hasPersonalRecords,
  reminderJob,
} from '#server/db/personal-records';
import { type Say } from '#server/lib/languages';
import { limits, personalRules } from '#server/lib/limits';
import { createBoundedMap } from '#server/lib/memory-cache';
import { type DueJob, type DueJobs } from '#server/services/due-jobs';
import { type Limiter } from '#server/services/limiter';
import { type Outbox } from '#server/services/outbox';
import { type BotMessage } from '#server/upstream/telegram/chat-actions';
import { type UserLanguageService } from '#services/accounts';
import { type ChatEvents } from '#services/chats';
import { type MemberCommands, type Person, refuse } from '#services/members';

import { personalTexts } from './personal-texts.ts';

type Tools = {
  readonly dueJobs: DueJobs;
  readonly outbox: Outbox;
  readonly limiter: Limiter;
  readonly chats: { readonly readLanguage: (chatId: number) => Promise<Language> };
  readonly chatEvents: Pick<ChatEvents, 'tell' | 'onTold'>;
  readonly userLanguages: Pick<UserLanguageService, 'readLanguage'>;
  readonly memberCommands: { readonly seenPeople: Pick<MemberCommands['seenPeople'], 'findNames'> };
};

export function createPersonal(deps: Dependencies, tools: Tools) {
  const { db } = deps.database;
  const away = createAway(deps, tools);
  return {
    reminders: createReminders(deps, tools),
    away,
    personal: {
      /** Whether anything is stored that `forget` deletes. */
      isKnown: (telegramId: number) => hasPersonalRecords(db, telegramId),
      forget: (telegramId: number) => forgetPersonalRecords(db, telegramId),
      /** Whether a person has said that they are 18 or older. */
      isAdult: (telegramId: number) => createAdultConfirmationRepository(db).has(telegramId),
      confirmAdult: (telegramId: number) =>
        createAdultConfirmationRepository(db).save(telegramId, deps.clock()),
    },
  };
}

type NewReminder = {
  /** Names it: the same when an update is handled again. At most 40 characters. */
  readonly key: string;
  readonly telegramId: number;
  /** Where they are reminded: in a group, or in their private chat. */
  readonly chatId: number;
  readonly topicId: number | undefined;
  /** Empty for a message. */
  readonly text: string;
  /** The message of the chat that it is about, and its address if it has one. */
  readonly message?: { readonly id: number; readonly link: string | undefined } | undefined;
  /** Epoch milliseconds. */
  readonly dueAt: number;
};

const reminderBody = v.object({
  text: v.string(),
  topicId: v.optional(v.number()),
  message: v.optional(
    v.object({ chatId: v.number(), id: v.number(), link: v.optional(v.string()) }),
  ),
  /** The row says when it is tried next. */
  dueAt: v.number(),
});
type ReminderBody = v.InferOutput<typeof reminderBody>;

/** A reminder as its owner sees it. */
type Reminder = {
  /** At most 40 characters. */
  readonly id: string;
  readonly chatId: number;
  /** Empty for a message. */
  readonly text: string;
  readonly dueAt: number;
};

const toJobId = (key: string) => `${reminderJob}:${key}`;

/** Telegram is asked again soon when it does not answer. */
const soonMs = 10 * 60_000;

function createReminders(deps: Dependencies, { dueJobs, outbox, ...tools }: Tools) {
  const { clock, chatActions, languages, log } = deps;

  async function list(telegramId: number): Promise<readonly Reminder[]> {
    const jobs = await dueJobs.listOfPerson(telegramId, reminderJob);
    return jobs.flatMap((job) => {
      const body = parseBody(job);
      const id = job.id.slice(toJobId('').length);
      return body === undefined
        ? []
        : [{ id, chatId: job.chatId, text: body.text, dueAt: body.dueAt }];
    });
  }

  /** What becomes of a reminder that could not be sent. */
  function putOff({ chatId }: DueJob, { dueAt }: ReminderBody, waitMs: number) {
    const againAt = clock() + waitMs;
    if (againAt <= dueAt + personalRules.reminderTriedForMs) {
      return { againAt };
    }
    log.info({ chatId }, 'a reminder was given up');
    return true;
  }

  dueJobs.handle(reminderJob, async (job) => {
    const body = parseBody(job);
    const { chatId, telegramId } = job;
    if (body === undefined || telegramId === undefined) {
      return true;
    }
    const { language } =
      chatId < 0
        ? { language: await tools.chats.readLanguage(chatId) }
        : await tools.userLanguages.readLanguage(telegramId);
    const names = await tools.memberCommands.seenPeople.findNames([telegramId]);
    const person = { telegramId, name: names.get(telegramId) ?? '' };
    const message = writeReminder(job, { body, person, say: languages.textsIn(language) });
    const outcome = await outbox.send(
      chatId,
      (id) =>
        chatActions?.send({ ...message, chatId: id }) ??
        Promise.resolve({ kind: 'later', retryAfterS: undefined }),
    );
    if (outcome.kind === 'done' || (isNotIn(outcome) && chatId < 0)) {
      return true;
    }
    // Who has blocked the bot may let it write again.
    const waitMs = outcome.kind === 'refused' ? personalRules.reminderTryEveryMs : soonMs;
    return putOff(job, body, waitMs);
  });

  return {
    /** Throws a refusal for a person who has as many as they may. One of the same key is kept as it is. */
    async add(reminder: NewReminder): Promise<void> {
      const { key, telegramId, chatId, topicId, message, dueAt } = reminder;
      const body: ReminderBody = {
        text: Array.from(reminder.text).slice(0, personalRules.maxReminderText).join(''),
        dueAt,
        ...(topicId === undefined ? {} : { topicId }),
        ...(message === undefined ? {} : { message: { chatId, ...message } }),
      };
      const job = { id: toJobId(key), kind: reminderJob, chatId, telegramId, dueAt };
      const isNoted = await dueJobs.addAtMost(
        { ...job, body: JSON.stringify(body) },
        personalRules.maxReminders,
      );
      if (!isNoted) {
        throw refuse((_texts, say) =>
          say(personalTexts).reminders.atMost(personalRules.maxReminders),
        );
      }
    },

    /** Of a person, the next first. */
    list,

    /** Returns whether the person had it. */
    async remove(telegramId: number, id: string): Promise<boolean> {
      const job = await dueJobs.find(toJobId(id));
      return job?.telegramId === telegramId && (await dueJobs.take(toJobId(id))) !== undefined;
    },
  };
}

function isNotIn(outcome: Awaited<ReturnType<Outbox['send']>>): boolean {
  return outcome.kind === 'refused' && outcome.why === 'not in chat';
}

function parseBody({ body }: Pick<DueJob, 'body'>): ReminderBody | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), reminderBody), body);
  return parsed.success ? parsed.output : undefined;
}

/** Stands for the name until the sentence is known in the language of the reader; a text of others has none of it. */
const nameMark = '\uE000';

type Writing = { readonly body: ReminderBody; readonly person: Person; readonly say: Say };

function writeReminder(
  { chatId }: DueJob,
  { body: { text: typed, topicId, message }, person: { telegramId, name }, say }: Writing,
): Omit<BotMessage, 'chatId'> {
  const texts = say(personalTexts).reminders;
  const text = typed.replaceAll(/[\uE000-\uE0FF]/g, '\uFFFD');
  const inGroup = text === '' ? texts.dueMessage(nameMark) : texts.due(nameMark, text);
  const inPrivate = text === '' ? texts.dueMessagePrivate : texts.duePrivate(text);
  // Telegram has no link to a person without a name.
  const template = chatId < 0 && name !== '' ? inGroup : inPrivate;
  const offset = template.indexOf(nameMark);
  const user = { id: telegramId, is_bot: false, first_name: name };
  const entities: readonly MessageEntity[] =
    offset < 0 ? [] : [{ type: 'text_mention', offset, length: name.length, user }];
  // In the supergroup that a group has become, messages have other IDs.
  const replyTo = message?.chatId === chatId ? message.id : undefined;
  const link = replyTo === undefined ? undefined : message?.link;
  return {
    text: template.replace(nameMark, () => name),
    entities,
    topicId,
    replyTo,
    buttons: link === undefined ? [] : [[{ text: texts.showMessage, url: link, opens: 'link' }]],
  };
}

/** Most people who write are not away, and are not looked up again for a while. */
const presentForMs = 60_000;
const maxPresent = 20_000;

function createAway(deps: Dependencies, { limiter, chatEvents }: Tools) {
  const { clock, database } = deps;
  const rows = createAwayRepository(database.db);
  /** Until when people are known not to be away. */
  const present = createBoundedMap<number, number>(maxPresent);
  /** How often a user has gone away: what was read before that says nothing of who is away after it. */
  let departures = 0;

  function noteAway(telegramId: number): void {
    departures += 1;
    present.delete(telegramId);
  }

  chatEvents.onTold((event) => {
    if (event.kind === 'away') {
      noteAway(event.telegramId);
    }
  });

  async function find(telegramIds: readonly number[]): Promise<readonly Away[]> {
    const now = clock();
    const unknown = [...new Set(telegramIds)].filter((id) => (present.get(id) ?? 0) <= now);
    const before = departures;
    const found = await rows.find(unknown);
    const awayIds = new Set(found.map(({ telegramId }) => telegramId));
    const others = departures === before ? unknown.filter((one) => !awayIds.has(one)) : [];
    for (const id of others) {
      present.set(id, now + presentForMs);
    }
    return found.filter(({ since }) => since > now - personalRules.awayKeptMs);
  }

  return {
    async begin(telegramId: number, reason: string): Promise<void> {
      await rows.save({ telegramId, reason, since: clock() });
      noteAway(telegramId);
      chatEvents.tell({ kind: 'away', telegramId });
    },

    /** Returns whether they were away. */
    async end(telegramId: number): Promise<boolean> {
      const [isAway] = await find([telegramId]);
      return isAway !== undefined && (await rows.end(telegramId)) !== undefined;
    },

    /** Those who are away and of whom the person who asks was not told lately. */
    async findUntold(telegramIds: readonly number[], readerId: number): Promise<readonly Away[]> {
      const untold: Away[] = [];
      for (const one of await find(telegramIds)) {
        if (await limiter.tryTake(limits.awayNotices, `${one.telegramId}:${readerId}`)) {
          untold.push(one);
        }
      }
      return untold;
    },
  };
}
