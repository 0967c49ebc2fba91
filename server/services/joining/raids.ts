/**
 * Raid protection: who joins is turned away until a time. It is switched on by hand or by many joins in a minute, and ends
 * by itself, as "under attack" does, also after a restart. The group is told once of each end.
 */
import * as v from 'valibot';

import { type Language, languages as languageFacts, sourceLanguage } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { attackName, createChatNumberRepository } from '#server/db/chat-numbers';
import { createChatValueRepository, wholeChatId } from '#server/db/chat-values';
import { createRecentJoinRepository } from '#server/db/join-checks';
import { type Say } from '#server/lib/languages';
import { type DueJob } from '#server/services/due-jobs';
import { type ActionOutcome, type BotMessage } from '#server/upstream/telegram/chat-actions';
import { type ChatEvents, type ChatValueService, type Commander } from '#services/chats';
import { type ChatSettings, readSettings } from '#services/members';

import { type JoinEndings, type JoinTools } from './endings.ts';
import { type JoinRecords } from './records.ts';
import { joiningTexts } from './texts.ts';

type Needs = Pick<Dependencies, 'database' | 'clock' | 'log' | 'chatActions' | 'languages'>;

type Tools = Pick<JoinTools, 'outbox' | 'dueJobs'> & {
  readonly endings: JoinEndings;
  readonly records: JoinRecords;
  readonly closeAsking: (chatId: number) => Promise<void>;
  readonly chatValues: Pick<ChatValueService, 'readForBot' | 'changeByCommand'>;
  readonly chatEvents: Pick<ChatEvents, 'followAll'>;
  readonly chatNumbers: { readonly save: () => Promise<void> };
  readonly readLanguage: (chatId: number) => Promise<Language>;
  readonly botId: number;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** What was heard of later than this is over. */
const lateMs = 10 * minuteMs;

const names = ['raid_until', 'attack'] as const;
type Protection = (typeof names)[number];

const endKind = 'raid-end';
const toEndId = (name: Protection, chatId: number) => `${endKind}:${name}:${chatId}`;
const endBody = v.object({ name: v.picklist(names), since: v.number() });
const beginKind = 'raid-begin';
const toldBody = '{"isTold":true}';

/** When a protection began that is on, as far as it is known, and when it ends. */
function readEnd({ attack, raid_until: until }: ChatSettings, name: Protection) {
  return name === 'attack' ? attack?.until : until;
}

/** A time in the text, which Telegram shows in the time zone of the reader. */
export function sayTime(
  write: (time: string) => string,
  {
    time,
    now,
    language,
  }: { readonly time: number; readonly now: number; readonly language: Language },
): Pick<BotMessage, 'text' | 'entities'> {
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  // In English the day comes first, as in most of the world.
  const locale = language === sourceLanguage ? 'en-GB' : languageFacts[language].locale;
  const shown = new Intl.DateTimeFormat(locale, {
    ...(isToday ? {} : { day: 'numeric', month: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(time);
  const text = write(shown);
  const entity = {
    type: 'date_time',
    offset: text.indexOf(shown),
    length: shown.length,
    unix_time: Math.floor(time / 1000),
    date_time_format: isToday ? 't' : 'dt',
  } as const;
  return { text, entities: [entity] };
}

export type Raids = ReturnType<typeof createRaids>;

export function createRaids(deps: Needs, tools: Tools) {
  const { clock, database } = deps;
  const { dueJobs, chatValues, records, endings, botId } = tools;
  const recentJoins = createRecentJoinRepository(database.db);
  const ends = createEnds(deps, tools);

  /** The minute is full, so that of several joins that begin it one changes the value. */
  const toUntil = (seconds: number) => Math.ceil((clock() + seconds * 1000) / minuteMs) * minuteMs;

  /** `chatName` for a chat that may not be in Nori yet. */
  async function set(
    { chatId, chatName, by }: Pick<Commander, 'chatId' | 'chatName' | 'by'>,
    until: number | null,
  ): Promise<void> {
    if (until !== null) {
      await ends.plan(chatId, 'raid_until', { until });
    }
    await chatValues.changeByCommand(
      { chatId, chatName, by, kind: 'values' },
      new Map([[wholeChatId, { raid_until: until }]]),
    );
  }

  /** Those of the last minute who have not passed are out. */
  async function removeNewest(chatId: number): Promise<void> {
    const recent = await recentJoins.listSince(chatId, clock() - minuteMs);
    for (const { telegramId } of recent.filter(({ isLetIn }) => !isLetIn)) {
      const check = await records.removeLate({ chatId, telegramId });
      if (check !== undefined) {
        endings.count(check);
        await endings.finish(check);
      }
    }
    await tools.closeAsking(chatId);
  }

  /** Switches it on by itself, and tells the group once. Each step may be repeated. */
  async function begin({ id, chatId }: Pick<DueJob, 'id' | 'chatId'>): Promise<boolean> {
    const settings = await readSettings(chatValues, chatId);
    const { raid_until: before = 0, raid_seconds: seconds } = settings;
    const until = before > clock() ? before : toUntil(seconds);
    if (until !== before) {
      await set({ chatId, chatName: undefined, by: botId }, until);
    }
    await removeNewest(chatId);
    if (!(await dueJobs.changeBody({ id, body: '{}' }, toldBody))) {
      return true;
    }
    const outcome = await ends.say(chatId, (say, toTime) =>
      toTime((time) => say(joiningTexts).raid.auto(time), until),
    );
    if (outcome.kind === 'later') {
      await dueJobs.changeBody({ id, body: toldBody }, '{}');
    }
    return outcome.kind !== 'later';
  }

  dueJobs.handle(beginKind, begin);

  return {
    start: ends.start,

    /** Switches it on, for the chat's own time without `seconds`. Returns when it ends. */
    async switchOn(
      commander: Pick<Commander, 'chatId' | 'chatName' | 'by'>,
      seconds?: number,
    ): Promise<number> {
      const settings = await readSettings(chatValues, commander.chatId);
      const until = toUntil(seconds ?? settings.raid_seconds);
      await set(commander, until);
      return until;
    },

    switchOff: (commander: Pick<Commander, 'chatId' | 'chatName' | 'by'>) => set(commander, null),

    /** A person has joined; of many in a minute the one that is too many switches it on. */
    async joined(chatId: number, at: number): Promise<void> {
      const settings = await readSettings(chatValues, chatId);
      const { raid_auto: max, raid_until: before = 0 } = settings;
      const now = clock();
      if (max === 'off' || before > now || at < now - lateMs) {
        return;
      }
      const since = await recentJoins.listSince(chatId, at - minuteMs + 1);
      if (since.filter((one) => !one.isLetIn && one.at <= at).length < max) {
        return;
      }
      const id = `${beginKind}:${chatId}`;
      // It is done at once; the row is for when the server is stopped meanwhile.
      const dueAt = now + minuteMs;
      await dueJobs.add({
        id,
        kind: beginKind,
        chatId,
        telegramId: undefined,
        body: '{}',
        dueAt,
      });
      if (await begin({ id, chatId })) {
        await dueJobs.take(id);
      }
    },
  };
}

/** Returns a function that says something in a group, in its language. */
function createSay(
  { clock, chatActions, languages }: Needs,
  { outbox, readLanguage }: Pick<Tools, 'outbox' | 'readLanguage'>,
) {
  return async (
    chatId: number,
    write: (
      say: Say,
      toTime: (
        write: (time: string) => string,
        until: number,
      ) => Pick<BotMessage, 'text' | 'entities'>,
    ) => Pick<BotMessage, 'text' | 'entities'>,
  ): Promise<ActionOutcome<unknown>> => {
    const language = await readLanguage(chatId);
    const message = write(languages.textsIn(language), (sentence, time) =>
      sayTime(sentence, { time, now: clock(), language }),
    );
    return outbox.send<unknown>(
      chatId,
      (id) =>
        chatActions?.send({ ...message, chatId: id }) ??
        Promise.resolve({ kind: 'later', retryAfterS: undefined }),
    );
  };
}

/** Returns a function that counts who was turned away since a protection began; of a raid to the hour. */
function createTurnedAway({ database }: Needs, chatNumbers: Tools['chatNumbers']) {
  const numbers = createChatNumberRepository(database.db);
  return async (chatId: number, name: Protection, since: number): Promise<number> => {
    await chatNumbers.save();
    const from = name === 'attack' ? since : since - (since % hourMs);
    const wanted = name === 'attack' ? attackName('raid_removed') : 'raid_removed';
    const listed = await numbers.list(chatId, from);
    return listed
      .filter((one) => one.name === wanted && (name !== 'attack' || one.hour === since))
      .reduce((sum, one) => sum + one.count, 0);
  };
}

/** Ends protections at their time, and says so. */
function createEnds(deps: Needs, tools: Tools) {
  const { clock, log } = deps;
  const { dueJobs, chatValues, chatEvents, chatNumbers, botId } = tools;
  const say = createSay(deps, tools);
  const countTurnedAway = createTurnedAway(deps, chatNumbers);

  async function plan(
    chatId: number,
    name: Protection,
    { until, since = clock() }: { readonly until: number; readonly since?: number | undefined },
  ): Promise<void> {
    const id = toEndId(name, chatId);
    const known = await dueJobs.find(id);
    const begun = v.safeParse(endBody, known && JSON.parse(known.body));
    await dueJobs.addAgain({
      id,
      kind: endKind,
      chatId,
      telegramId: undefined,
      body: JSON.stringify({ name, since: begun.success ? begun.output.since : since }),
      dueAt: Math.max(until, clock() + 1),
    });
  }

  async function tellEnd(job: DueJob, name: Protection, since: number): Promise<boolean> {
    const count = await countTurnedAway(job.chatId, name, since);
    const outcome = await say(job.chatId, (saying) => {
      const texts = saying(joiningTexts).raid;
      const sentence = name === 'attack' ? texts.attackEnded : texts.ended;
      return { text: count === 0 ? sentence : texts.turnedAway(sentence, count) };
    });
    return outcome.kind !== 'later';
  }

  dueJobs.handle(endKind, async (job) => {
    const parsed = v.safeParse(endBody, JSON.parse(job.body));
    if (!parsed.success) {
      return true;
    }
    const { name, since } = parsed.output;
    const { chatId } = job;
    const settings = await readSettings(chatValues, chatId);
    const until = readEnd(settings, name);
    if (until !== undefined && until > clock()) {
      await plan(chatId, name, { until });
      return true;
    }
    if (until === undefined) {
      // Who has switched it off knows.
      return true;
    }
    const begun = name === 'attack' ? (settings.attack?.since ?? since) : since;
    const isTold = await tellEnd(job, name, begun);
    if (isTold) {
      await chatValues.changeByCommand(
        { chatId, chatName: undefined, by: botId, kind: 'values' },
        new Map([[wholeChatId, { [name]: null }]]),
      );
    }
    return isTold;
  });

  async function planAsSet(chatId: number): Promise<void> {
    const settings = await readSettings(chatValues, chatId);
    for (const name of names) {
      const until = readEnd(settings, name);
      await (until === undefined
        ? dueJobs.take(toEndId(name, chatId))
        : plan(chatId, name, {
            until,
            since: name === 'attack' ? settings.attack?.since : undefined,
          }));
    }
  }

  chatEvents.followAll((event, chatId, isOwn) => {
    const changed = event.kind === 'values' && isOwn ? event.values['chat'] : undefined;
    if (names.some((name) => changed?.[name] !== undefined)) {
      planAsSet(chatId).catch((error: unknown) => {
        log.warn({ err: error }, 'could not plan the end of a protection');
      });
    }
  });

  return {
    say,
    plan,
    /** Plans the ends that a process which was killed has not planned. */
    start: (): void => {
      planAll(deps, planAsSet).catch((error: unknown) => {
        log.warn({ err: error }, 'could not plan the ends of protections');
      });
    },
  };
}

async function planAll(
  { database: { db } }: Needs,
  planAsSet: (chatId: number) => Promise<void>,
): Promise<void> {
  for (const chatId of await createChatValueRepository(db).listChatsWith(names)) {
    await planAsSet(chatId);
  }
}
