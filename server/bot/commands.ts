/** Hears commands: checks who may give them, has them done, and answers. */
import { type Message } from 'grammy/types';
import * as v from 'valibot';

import { type AnswerKind, type Right, type Who } from '#contract/commands/command';
import { type ChatCommandId, type CommandId, commandTable } from '#contract/commands/index';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { isGroup } from '#server/upstream/telegram/bot';
import { anonymousId, readSettings, refuse, sayRefusal } from '#services/members';

import { type Answers, tidyMs } from './answers.ts';
import {
  type Answer,
  type BotTools,
  buttonData,
  type CommandRequest,
  type Handler,
  type Press,
  type PressResult,
  readLanguage,
  type Situation,
} from './command.ts';
import { hanime, nsfw, nsfwmode } from './handlers/adult.ts';
import { antiflood, antiraid, captcha, reactions } from './handlers/automatic.ts';
import { blocklist } from './handlers/blocklist.ts';
import { filters } from './handlers/filters.ts';
import { help, link, privacy, settings, start, status } from './handlers/general.ts';
import { cleanservice, cleanwelcome, goodbye, rules, welcome } from './handlers/greetings.ts';
import { enhance, imagine } from './handlers/imagine.ts';
import { nowplaying, watchlist } from './handlers/listening.ts';
import { logchannel } from './handlers/log-channel.ts';
import {
  airing,
  anime,
  character,
  manga,
  recommend,
  schedule,
  season,
  sfw,
  staff,
  studio,
  topanime,
  waifu,
} from './handlers/lookups.ts';
import { approve, ban, kick, mute, unban, unmute } from './handlers/members.ts';
import { del, pin, purge } from './handlers/messages.ts';
import { info, showIds } from './handlers/people.ts';
import { afk, remind, sticker } from './handlers/personal.ts';
import { report } from './handlers/reports.ts';
import { admins, promote, tag } from './handlers/roles.ts';
import { define, download, translate, tts, weather, wiki } from './handlers/services.ts';
import { lock, topics } from './handlers/topics.ts';
import { warn, warnmode, warns } from './handlers/warnings.ts';
import { notes } from './handlers/words.ts';
import {
  isCallForAdministrators,
  readCommand,
  type TypedCommand,
  withoutOthersWords,
  toIssuer,
} from './reading.ts';
import { botTexts } from './texts.ts';
import { type UntilStored } from './update-queue.ts';

/** The handler of each command. A command of the table without one does not compile. */
const handlers = {
  status,
  settings,
  lock,
  ban,
  unban,
  kick,
  mute,
  unmute,
  warn,
  warns,
  warnmode,
  purge,
  del,
  welcome,
  cleanwelcome,
  goodbye,
  cleanservice,
  rules,
  filters,
  blocklist,
  notes,
  antiflood,
  antiraid,
  captcha,
  approve,
  topics,
  pin,
  promote,
  tag,
  admins,
  report,
  reactions,
  logchannel,
  anime,
  manga,
  character,
  staff,
  studio,
  airing,
  schedule,
  season,
  topanime,
  recommend,
  waifu,
  watchlist,
  sfw,
  nowplaying,
  start,
  help,
  download,
  tts,
  translate,
  wiki,
  define,
  weather,
  id: showIds,
  info,
  link,
  remind,
  afk,
  sticker,
  nsfwmode,
  nsfw,
  hanime,
  privacy,
  imagine,
  enhance,
} as const satisfies Readonly<Record<ChatCommandId, Handler>>;

/** A message, and what moderation has decided about it. */
export type HeardMessage = {
  readonly message: Message;
  /** The same when the update is handled again. */
  readonly key: string;
  readonly verdict: Promise<'stays' | 'goes'>;
};

/** Verbs of commands for anyone that are for some alone. */
const verbRights: Readonly<Record<string, Who>> = {
  unwarn: 'restrict',
  resetwarns: 'restrict',
  reports: 'manage',
  setrules: 'manage',
  clearrules: 'manage',
  save: 'manage',
  clear: 'manage',
};

/** Verbs that only read, for which the bot needs no right. */
const readingVerbs: ReadonlySet<string> = new Set(['locks', 'locktypes', 'topics', 'blocklist']);

function getWho({ id, name }: TypedCommand): Who {
  return verbRights[name] ?? commandTable[id].who;
}

function getBotRight({ id, name }: TypedCommand): Right | undefined {
  return readingVerbs.has(name) ? undefined : commandTable[id].right;
}

/** The command of this bot that a message is, if the server offers it. */
function hear(
  message: Message,
  username: string,
  offered: readonly CommandId[],
): TypedCommand | undefined {
  const typed = readCommand(message, username);
  if (typed !== undefined) {
    return offered.includes(typed.id) ? typed : undefined;
  }
  return isGroup(message.chat) && isCallForAdministrators(message)
    ? { id: 'report', name: 'report', args: { text: '', offset: 0 } }
    : undefined;
}

/** Whether a command is done, and whether its answer is sent. */
type Hearing = 'answered' | 'unanswered' | 'ignored';

/** Decides who may give a command, and whether it is answered at all. */
function createAccess({ services }: BotTools) {
  const { limiter, memberCommands, chatValues } = services;
  const { rights } = memberCommands;

  /** While Telegram does not say who is one, no one is. */
  async function isAdministrator({ chatId, issuer }: Situation): Promise<boolean> {
    if (issuer.telegramId === anonymousId) {
      return true;
    }
    try {
      return await rights.isAdministrator(chatId, issuer.telegramId);
    } catch (error) {
      if (error instanceof AppError) {
        return false;
      }
      throw error;
    }
  }

  /** Whether members may not use the command there. */
  async function isSwitchedOff({ chatId, id, topicId }: CommandRequest): Promise<boolean> {
    return (await readSettings(chatValues, chatId)).isOff(id, topicId ?? 0);
  }

  return {
    /**
     * What members write, and what anyone may use, is answered so often only, be it with a refusal; other commands of
     * administrators always. Reports have a limit of their own, and reach the administrators all the same.
     */
    getHearing: async (request: CommandRequest): Promise<Hearing> => {
      const { chatId, inGroup } = request;
      const isForAnyone = !inGroup || getWho(request) === 'anyone';
      if (!isForAnyone && (await isAdministrator(request))) {
        return 'answered';
      }
      const isSilent =
        inGroup &&
        isForAnyone &&
        (await isSwitchedOff(request)) &&
        !(await isAdministrator(request));
      if (isSilent) {
        return 'ignored';
      }
      const isReport = inGroup && isForAnyone && request.id === 'report';
      const hasRoom = await limiter.tryTake(limits.botCommands, chatId, 1);
      return hasRoom ? 'answered' : isReport ? 'unanswered' : 'ignored';
    },

    /** Throws a refusal unless the one who acts may, and the bot may. Anonymous administrators are trusted here. */
    requireRights: async (request: CommandRequest): Promise<void> => {
      const { chatId, issuer, inGroup, id } = request;
      if (!inGroup) {
        if (!commandTable[id].where.includes('private')) {
          throw refuse((_texts, say) => say(botTexts).groupsOnly);
        }
        return;
      }
      if (issuer.telegramId !== anonymousId) {
        await rights.requireUser(chatId, issuer.telegramId, getWho(request));
      }
      const right = getBotRight(request);
      if (right !== undefined) {
        await rights.requireBot(chatId, right);
      }
    },

    /** Whether a button has to show first who an anonymous administrator is. */
    needsConfirmation: async (request: CommandRequest): Promise<boolean> => {
      const { chatId, issuer, id, name, inGroup, message } = request;
      if (!inGroup || issuer.telegramId !== anonymousId || getWho(request) === 'anyone') {
        return false;
      }
      // Which rights can be passed on depends on who it is, and whether they are an administrator of the channel, too.
      const isPersonal =
        id === 'promote' ||
        getWho(request) === 'creator' ||
        (name === 'setlog' && message.forward_origin !== undefined);
      return isPersonal || !(await readSettings(chatValues, chatId)).trust_anonymous;
    },
  };
}

export type Commands = ReturnType<typeof createCommands>;

type Options = {
  /** Of the bot. */
  readonly username: string;
  readonly answers: Answers;
  readonly untilStored: UntilStored;
};

/**
 * While the database is away, what a command does is tried again until it is stored: Telegram may have done it already.
 * What is decided before that is decided once.
 */
export function createCommands({ username, answers, untilStored }: Options, tools: BotTools) {
  const { deps, services, offered } = tools;
  const { usage, dueJobs } = services;
  const { getHearing, requireRights, needsConfirmation } = createAccess(tools);

  /** The commands that are being done because of their button: of two who press it, one has pressed it. */
  const confirmed = new Set<string>();

  /** When its time is over, the row waits for no button any more, and there is nothing to do. */
  dueJobs.handle(confirmKind, () => Promise.resolve(true));

  /** Has a button wait for the administrator who presses it, also over a restart. */
  async function requestConfirmation(request: CommandRequest): Promise<Answer> {
    const { say, chatId, key, message } = request;
    const id = `${confirmKind}:${key}`;
    await dueJobs.add({
      id,
      kind: confirmKind,
      chatId,
      telegramId: undefined,
      body: JSON.stringify({
        message: savesReplies.has(request.id) ? message : withoutOthersWords(message),
        key,
      }),
      dueAt: deps.clock() + tidyMs,
    });
    const texts = say(botTexts).confirm;
    return {
      text: texts.question,
      buttons: [[{ text: texts.button, data: buttonData(confirmKind, key) }]],
      kind: 'tidy',
    };
  }

  /** Does what is asked. What is refused becomes the answer. */
  async function run(request: CommandRequest): Promise<Answer | undefined> {
    try {
      await requireRights(request);
      if (await needsConfirmation(request)) {
        return await requestConfirmation(request);
      }
      return await handlers[request.id](request, tools);
    } catch (error) {
      return toRefusal(error, request);
    }
  }

  /** Resolves to false when the answer could not be sent. */
  async function runAndAnswer(request: CommandRequest, isAnswered = true): Promise<boolean> {
    const answer = await untilStored(() => run(request));
    if (answer === undefined || !isAnswered) {
      return true;
    }
    const kind = await untilStored(() => readKind(request, answer, tools));
    const { message } = request;
    // A sentence with @admin is no command, and what is written below a photo is not all that it shows.
    const isTidied = message.text !== undefined && readCommand(message, username) !== undefined;
    return answers.give(request, { ...answer, kind }, { command: message, isTidied });
  }

  return {
    /** Answers a message that is a command for this bot, and does nothing for others. */
    answer: async (heard: HeardMessage): Promise<void> => {
      const { message, verdict } = heard;
      const typed = hear(message, username, offered);
      if (typed === undefined || (await verdict) === 'goes') {
        return;
      }
      const situation = await untilStored(() => toSituation(heard, tools));
      const request = { ...situation, ...typed, message };
      const hearing = await untilStored(() => getHearing(request));
      if (hearing !== 'ignored' && (await runAndAnswer(request, hearing === 'answered'))) {
        await usage.countCommand(typed.id);
      }
    },

    /** The button by which an anonymous administrator shows who they are: who presses it acts. */
    confirm: async (press: Press): Promise<PressResult> => {
      const { chatId, data, issuer, say } = press;
      const texts = say(botTexts).confirm;
      const jobId = `${confirmKind}:${data}`;
      const waiting = await dueJobs.find(jobId);
      const stored = waiting && parseConfirmation(waiting.body);
      const typed = stored && hear(stored.message, username, offered);
      const isInTime = waiting?.chatId === chatId && waiting.dueAt > deps.clock();
      if (stored === undefined || typed === undefined || !isInTime) {
        return { notice: texts.over };
      }
      const { message, key } = stored;
      const request = { ...press, ...typed, message, key, issuer };
      // A member who presses it changes nothing.
      await requireRights(request);
      if ((await dueJobs.find(jobId)) === undefined || confirmed.has(jobId)) {
        return { notice: texts.over };
      }
      confirmed.add(jobId);
      try {
        await runAndAnswer(request);
        // Only now: what a stopped server has begun is finished by the next.
        await untilStored(() => dueJobs.take(jobId));
      } finally {
        confirmed.delete(jobId);
      }
      return { remove: true };
    },
  };
}

/** Answers about what was done to members are for all, unless the chat wants them quiet. */
async function readKind(
  { id, chatId, inGroup }: CommandRequest,
  answer: Answer,
  { services: { chatValues } }: BotTools,
): Promise<AnswerKind> {
  const kind = answer.kind ?? commandTable[id].answer;
  return kind === 'public' && inGroup && (await readSettings(chatValues, chatId)).quiet_actions
    ? 'quiet'
    : kind;
}

const confirmKind = 'confirm';

const confirmation = v.object({
  key: v.string(),
  message: v.custom<Message>((value) => v.is(v.looseObject({ message_id: v.number() }), value)),
});

/** What these save may be the message that they reply to. */
const savesReplies: ReadonlySet<CommandId> = new Set([
  'welcome',
  'goodbye',
  'rules',
  'filters',
  'notes',
]);

function parseConfirmation(body: string) {
  const { success, output } = v.safeParse(confirmation, JSON.parse(body));
  return success ? output : undefined;
}

export async function toSituation(
  { message, key }: Pick<HeardMessage, 'message' | 'key'>,
  tools: BotTools,
): Promise<Situation> {
  const { chat, from } = message;
  const language = await readLanguage(chat, from, tools);
  return {
    chat,
    chatId: chat.id,
    inGroup: isGroup(chat),
    // A reply has a thread in any group, which is no topic. General is not named.
    topicId: message.is_topic_message === true ? message.message_thread_id : undefined,
    issuer: toIssuer(message),
    language,
    say: tools.deps.languages.textsIn(language.language),
    links: tools.linksIn(language),
    key,
  };
}

/** What a refusal says to the one who acts. Throws other errors again. */
function toRefusal(error: unknown, { say }: Situation): Answer {
  if (error instanceof AppError) {
    return { text: sayRefusal(error, say), kind: 'quiet' };
  }
  throw error;
}
