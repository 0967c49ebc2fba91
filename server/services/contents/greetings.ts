/** Greets who joins a group, says goodbye to who leaves, and removes what Telegram writes about it. */
import { type Message } from 'grammy/types';
import * as v from 'valibot';

import { defaultContentTexts } from '#contract/chats/content-texts';
import { type ContentBody } from '#contract/chats/contents';
import { type FilledPerson } from '#contract/chats/fillings';
import { type MessageType, settingName } from '#contract/chats/message-types';
import { type ServiceKind, serviceKinds } from '#contract/chats/values';
import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createRecentJoinRepository } from '#server/db/join-checks';
import { greetingRules, inboxRules, limits } from '#server/lib/limits';
import { type ChatNumbers } from '#server/services/chat-numbers';
import { type DueJob, type DueJobs } from '#server/services/due-jobs';
import { type Limiter } from '#server/services/limiter';
import { type ChatValueService } from '#services/chats';
import { type ChatSettings, readSettings } from '#services/members';
import {
  deletableForMs,
  type DeletionScheduler,
  readMessage,
  signsByType,
} from '#services/moderation';

import { type Contents, listSentIds } from './contents.ts';

/** A user of Telegram. Bots are not greeted. */
type Newcomer = FilledPerson & { readonly is_bot?: boolean };

type Tools = {
  readonly chats: { readonly readLanguage: (chatId: number) => Promise<Language> };
  readonly contents: Pick<Contents, 'find' | 'send'>;
  readonly chatNumbers: Pick<ChatNumbers, 'count'>;
  readonly chatValues: Pick<ChatValueService, 'readForBot'>;
  readonly deletions: Pick<DeletionScheduler, 'deleteLater' | 'deleteNow'>;
  readonly dueJobs: DueJobs;
  readonly limiter: Limiter;
};

type Group = { readonly chatId: number; readonly settings: ChatSettings };

/** Who is greeted, since when they wait for it, and who sees it. */
type Greeting = {
  readonly people: readonly FilledPerson[];
  readonly since: number;
  readonly isForAll: boolean;
};

/** Sends greetings, of one newcomer or of several together. */
function createSender(
  { database, clock, languages }: Pick<Dependencies, 'database' | 'clock' | 'languages'>,
  { chats, contents, chatNumbers, deletions }: Tools,
) {
  const joins = createRecentJoinRepository(database.db);

  /** What a chat says there; a text of our own where it has none. */
  async function readBody(
    { chatId, settings }: Group,
    which: 'welcome' | 'goodbye',
  ): Promise<ContentBody> {
    const id = settings[`${which}_content`];
    const found = id === undefined ? undefined : await contents.find(chatId, id);
    const say = languages.textsIn(await chats.readLanguage(chatId));
    return found ?? { text: say(defaultContentTexts)[which], entities: [], buttons: [] };
  }

  /** A greeting goes after a while, or when the next one comes. Returns false when Telegram refuses it. */
  async function sendGreeting(
    { chatId, settings: { welcome_keep: keepS } }: Group,
    body: ContentBody,
    { people, since, isForAll }: Greeting,
  ): Promise<boolean> {
    const [person] = people;
    const outcome = await contents.send(chatId, body, {
      people,
      notAfter: since + greetingRules.worthMs,
      removeAfterMs: keepS === 'off' ? undefined : keepS * 1000,
      onlyFor: isForAll || person === undefined ? undefined : { telegramId: person.id },
    });
    if (outcome.kind !== 'done') {
      return outcome.kind !== 'refused';
    }
    chatNumbers.count(chatId, 'greeting', { times: people.length });
    const [messageId] = listSentIds(outcome.result);
    if (messageId !== undefined && keepS !== 'off') {
      const before = await joins.replaceGreeting(chatId, messageId, clock());
      await deletions.deleteLater(chatId, before === undefined ? [] : [before], 0);
    }
    return true;
  }

  /** For the newcomers alone where the chat wants that and Telegram does it, else for all. */
  async function greetPeople(
    group: Group,
    people: readonly FilledPerson[],
    since: number,
  ): Promise<void> {
    const body = await readBody(group, 'welcome');
    const missed: FilledPerson[] = [];
    for (const person of group.settings.welcome_to === 'newcomer' ? people : []) {
      const isDone = await sendGreeting(group, body, { people: [person], since, isForAll: false });
      if (!isDone) {
        missed.push(person);
      }
    }
    const shown = group.settings.welcome_to === 'newcomer' ? missed : people;
    if (shown.length > 0) {
      await sendGreeting(group, body, { people: shown, since, isForAll: true });
    }
  }

  return { readBody, greetPeople };
}

export function createGreetings(
  deps: Pick<Dependencies, 'database' | 'clock' | 'languages'>,
  tools: Tools,
) {
  const { clock } = deps;
  const { contents, chatValues, dueJobs, limiter } = tools;
  const joins = createRecentJoinRepository(deps.database.db);
  const { readBody, greetPeople } = createSender(deps, tools);
  const together = createGathering({ dueJobs, clock }, async ({ chatId, people, since }) => {
    const settings = await readSettings(chatValues, chatId);
    if (settings.welcome) {
      await greetPeople({ chatId, settings }, people, since);
    }
  });

  return {
    /**
     * Greets who has joined and may write now, if the chat greets. `key` is that of the update by which they joined;
     * a join is greeted once, however often this is called. Waits for Telegram, so that it is called in the
     * background. Rejects when the database fails.
     */
    async greet(chatId: number, user: Newcomer, key: string): Promise<void> {
      const settings = await readSettings(chatValues, chatId);
      const now = clock();
      if (!settings.welcome || user.is_bot === true) {
        return;
      }
      await joins.addUnlessKnown({ chatId, telegramId: user.id, at: now, key });
      if (!(await joins.beginGreeting(chatId, user.id))) {
        return;
      }
      const recent = await joins.listSince(chatId, now - greetingRules.countedMs);
      if (recent.length > greetingRules.alone) {
        await together.add(chatId, user);
      } else {
        await greetPeople({ chatId, settings }, [user], now);
      }
    },

    /** Says goodbye to who has left by themselves, if the chat does that; once for each `key`. As `greet` otherwise. */
    async sayGoodbye(chatId: number, user: Newcomer, key: string): Promise<void> {
      const settings = await readSettings(chatValues, chatId);
      const id = `goodbye:${key}`;
      if (
        !settings.goodbye ||
        user.is_bot === true ||
        (await dueJobs.find(id)) !== undefined ||
        !(await limiter.tryTake(limits.goodbyes, chatId))
      ) {
        return;
      }
      const now = clock();
      // Nothing handles it, so that it ends when the update cannot be handled again.
      const dueAt = now + inboxRules.openForMs;
      await dueJobs.add({ id, kind: 'update', chatId, telegramId: undefined, body: '{}', dueAt });
      const body = await readBody({ chatId, settings }, 'goodbye');
      await contents.send(chatId, body, {
        people: [user],
        notAfter: now + greetingRules.worthMs,
      });
    },

    /** What the chat would send to a person. */
    readBody,
  };
}

const togetherKind = 'greeting';

const gathered = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(
    v.object({
      id: v.number(),
      first_name: v.string(),
      last_name: v.optional(v.string()),
      username: v.optional(v.string()),
    }),
  ),
);

type Gathered = {
  readonly chatId: number;
  readonly people: readonly FilledPerson[];
  readonly since: number;
};

/** Collects who joins within half a minute, also over a restart: their names are stored as long as that. */
function createGathering(
  { dueJobs, clock }: { readonly dueJobs: DueJobs; readonly clock: () => number },
  greetTogether: (gathered: Gathered) => Promise<void>,
) {
  const { togetherMs } = greetingRules;

  dueJobs.handle(togetherKind, async (job: DueJob): Promise<boolean> => {
    const parsed = v.safeParse(gathered, job.body);
    if (parsed.success) {
      const since = job.dueAt - togetherMs;
      await greetTogether({ chatId: job.chatId, people: parsed.output, since });
    }
    return true;
  });

  return {
    async add(
      chatId: number,
      { id: telegramId, first_name, last_name, username }: FilledPerson,
    ): Promise<void> {
      const window = Math.floor(clock() / togetherMs);
      const id = `${togetherKind}:${chatId}:${window}`;
      const person = { id: telegramId, first_name, last_name, username };
      for (;;) {
        const found = await dueJobs.find(id);
        if (found === undefined) {
          const dueAt = (window + 1) * togetherMs;
          const job = { id, kind: togetherKind, chatId, telegramId: undefined, dueAt };
          await dueJobs.add({ ...job, body: '[]' });
        } else {
          const people = v.parse(gathered, found.body);
          if (await dueJobs.changeBody(found, JSON.stringify([...people, person]))) {
            return;
          }
        }
      }
    },
  };
}

const typeByKind: Readonly<Record<ServiceKind, MessageType>> = {
  join: 'new_member',
  leave: 'left_member',
  pin: 'pinned_message',
  title: 'title_change',
  photo: 'photo_change',
  topic: 'topic_change',
  video_chat: 'video_chat',
};

/** Returns the step of moderation that deletes the service messages that a chat does not want, in all its topics. */
export function createServiceCleaner(
  { clock }: Pick<Dependencies, 'clock'>,
  { chatValues, deletions }: Pick<Tools, 'chatValues' | 'deletions'>,
): (message: Message) => Promise<'stays' | 'goes'> {
  const fields = new Map(
    serviceKinds.map((kind) => [kind, signsByType.get(typeByKind[kind])?.fields ?? []]),
  );

  return async (raw) => {
    const message = readMessage(raw);
    const kind = serviceKinds.find((one) =>
      fields.get(one)?.some((field) => message?.content[field] !== undefined),
    );
    if (message === undefined || kind === undefined) {
      return 'stays';
    }
    const { chatId, messageId, topicId, sentAt } = message;
    const { clean_service: cleaned } = await readSettings(chatValues, chatId);
    if (!cleaned.some((one) => one === kind)) {
      return 'stays';
    }
    const setting = settingName(typeByKind[kind]);
    const giveUpAt = (sentAt ?? clock()) + deletableForMs;
    await deletions.deleteNow([{ chatId, messageId, topicId, setting, giveUpAt }]);
    return 'goes';
  };
}
