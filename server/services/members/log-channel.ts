/** The log channel of a chat: writes there what was done, one line each, also after a restart. */
import { type Kysely } from 'kysely';
import { randomInt } from 'node:crypto';
import * as v from 'valibot';

import { type LogCategory } from '#contract/chats/values';
import { type ChatEvent } from '#contract/endpoints/chat-activity';
import { type ActionKind } from '#contract/endpoints/chat-members';
import { sourceLanguage } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createActionRepository, type StoredAction } from '#server/db/actions';
import { createBotChatRepository } from '#server/db/bot-chats';
import { createChatValueRepository, wholeChatId } from '#server/db/chat-values';
import { createDueJobRepository } from '#server/db/due-jobs';
import { anonymousId } from '#server/db/people-seen';
import { type Tables } from '#server/db/tables';
import { AppError } from '#server/lib/errors';
import { type Say } from '#server/lib/languages';
import { inboxRules, limits } from '#server/lib/limits';
import { type DueJob, type DueJobs } from '#server/services/due-jobs';
import { type Limiter } from '#server/services/limiter';
import { type Outbox } from '#server/services/outbox';
import { type ActionOutcome } from '#server/upstream/telegram/chat-actions';
import { groupRequestId } from '#server/upstream/telegram/telegram';
import { type ChatAccess, type ChatEvents, type ChatValueService } from '#services/chats';

import { sayExactly } from './durations.ts';
import { refuse } from './refusals.ts';
import { type MemberRights } from './rights.ts';
import { readSettings } from './settings.ts';
import { memberTexts } from './texts.ts';

const body = v.variant('kind', [
  v.object({ kind: v.literal('action'), actionId: v.string() }),
  v.object({ kind: v.literal('purge'), count: v.number(), byId: v.number() }),
  v.object({ kind: v.literal('settings'), count: v.number(), byId: v.number() }),
  v.object({
    kind: v.picklist(['delete', 'approve', 'unapprove']),
    targetId: v.number(),
    byId: v.number(),
    /** Of an approval for a time. */
    seconds: v.optional(v.number()),
  }),
]);
type LineBody = v.InferOutput<typeof body>;

type LogLine = {
  readonly category: LogCategory;
  /** A line of the same ID is written once. */
  readonly id: string;
  /** IDs alone: names are looked up when the line is written. */
  readonly body: LineBody;
};

type Tools = {
  readonly outbox: Outbox;
  readonly jobs: DueJobs;
  readonly rights: MemberRights;
  readonly access: ChatAccess;
  readonly events: ChatEvents;
  readonly chatValues: ChatValueService;
  readonly limiter: Limiter;
  readonly findNames: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;
};

type Needs = Pick<
  Dependencies,
  'database' | 'clock' | 'log' | 'telegram' | 'chatActions' | 'languages'
>;

/** How long a user has to pick a channel in Telegram's list. */
const pickForMs = 60 * 60_000;

/** Telegram's limit for the IDs of such requests. */
const maxRequestId = 2 ** 31 - 1;

export type LogChannel = ReturnType<typeof createLogChannel>;

export function createLogChannel(deps: Needs, tools: Tools) {
  const { database, clock, telegram } = deps;
  const { jobs, access, limiter } = tools;
  const set = createSetter(deps, tools);
  const addInTransaction = createAdder(deps);
  handleLines(deps, tools);
  followSettings(deps, tools, add);
  // Nothing is due: the row only waits for the user.
  jobs.handle(pickKind, () => Promise.resolve(true));

  async function add(chatId: number, line: LogLine): Promise<void> {
    // Few chats have a log channel, and which do is known without a read of the database.
    if ((await readSettings(tools.chatValues, chatId)).log_channel !== undefined) {
      await database.db.transaction().execute((tx) => addInTransaction(tx, chatId, line));
      jobs.wakeBy(clock());
    }
  }

  return {
    /** Adds a line where the chat has a log channel for it; `wake` is to be called after the transaction. */
    addInTransaction,
    wake: (): void => jobs.wakeBy(clock()),

    /** As `addInTransaction`, for what leaves no other row. */
    add,

    /**
     * Sets the channel of a group. The caller has checked the user's rights in the group. Throws a refusal unless
     * the bot may post there and the user is an administrator of the channel.
     */
    set,

    /** Throws what `requireManager` throws, `service_not_set_up`, `bot_not_started` or `rate_limited`. */
    async preparePick(telegramId: number, givenId: number): Promise<string> {
      const chatId = await access.requireManager(givenId, telegramId, 'change');
      if (telegram === undefined) {
        throw new AppError('service_not_set_up');
      }
      await limiter.take(limits.chatPicks, telegramId);
      const requestId = randomInt(groupRequestId + 1, maxRequestId);
      const prepared = await telegram.preparePickChannel(telegramId, requestId);
      if (prepared === 'unreachable') {
        throw new AppError('bot_not_started');
      }
      await jobs.add({
        id: toPickId(telegramId, requestId),
        kind: pickKind,
        chatId,
        telegramId,
        body: '{}',
        dueAt: clock() + pickForMs,
      });
      return prepared.id;
    },

    /**
     * The user has picked a channel. Returns false when they were not asked for one, or too long ago. Throws what
     * `requireManager` and `set` throw.
     */
    async picked(telegramId: number, requestId: number, channel: Channel): Promise<boolean> {
      const id = toPickId(telegramId, requestId);
      const job = await jobs.find(id);
      if (job === undefined || job.dueAt <= clock()) {
        return false;
      }
      const chatId = await access.requireManager(job.chatId, telegramId, 'change');
      await set({ chatId, chatName: undefined, by: telegramId }, channel);
      await jobs.take(id);
      return true;
    },
  };
}

/** Returns the function that saves a line. A line of an update that is handled again is written once. */
function createAdder({ database: { engine }, clock }: Pick<Needs, 'database' | 'clock'>) {
  /** What else was saved tells whether an action or a change is new; of other lines only their own mark does. */
  function isNew(tx: Kysely<Tables>, chatId: number, { id, body: { kind } }: LogLine) {
    const mark = {
      id: `logged:${id}`,
      kind: loggedKind,
      chatId,
      telegramId: undefined,
      body: '{}',
      dueAt: clock() + inboxRules.openForMs,
    };
    return kind === 'action' || kind === 'settings'
      ? true
      : createDueJobRepository({ db: tx, engine }).add(mark);
  }

  return async (tx: Kysely<Tables>, chatId: number, line: LogLine): Promise<void> => {
    // The transaction may hold the only connection.
    const values = createChatValueRepository(tx);
    const { log_channel: channel, log_categories: categories } = await readSettings(
      { readForBot: (id) => values.readVerified(id) },
      chatId,
    );
    const isWanted = channel !== undefined && categories.includes(line.category);
    if (isWanted && (await isNew(tx, chatId, line))) {
      await createDueJobRepository({ db: tx, engine }).add({
        id: `log:${line.id}`,
        kind: lineKind,
        chatId,
        telegramId: undefined,
        body: JSON.stringify(line.body),
        dueAt: clock(),
      });
    }
  };
}

/** Writes a line for each change of what is set. */
function followSettings(
  { clock, chatActions, log }: Needs,
  { events }: Tools,
  add: (chatId: number, line: LogLine) => Promise<void>,
): void {
  events.followAll((event, chatId, isOwn) => {
    // The process that has changed something writes the line.
    const changed = isOwn ? readChange(event) : undefined;
    // Without a bot there is no channel to write to.
    if (chatActions !== undefined && changed !== undefined) {
      const id = `settings:${chatId}:${clock()}:${randomInt(maxRequestId)}`;
      const line: LogLine = { category: 'settings', id, body: { kind: 'settings', ...changed } };
      void add(chatId, line).catch((error: unknown) => {
        log.warn({ err: error }, 'could not save a line for the log channel');
      });
    }
  });
}

/** How much an event says was changed, and by whom; undefined when nothing was, or it does not say by whom. */
function readChange(event: ChatEvent) {
  if (event.kind === 'language') {
    return event.by && { count: 1, byId: Number(event.by.telegram_id) };
  }
  if (event.kind !== 'settings' && event.kind !== 'values') {
    return undefined;
  }
  const changed = event.kind === 'settings' ? event.topics : event.values;
  const count = Object.values(changed).reduce((sum, one) => sum + Object.keys(one).length, 0);
  return { count, byId: Number(event.by.telegram_id) };
}

type Channel = { readonly id: number; readonly title: string };

type ChannelChange = {
  readonly chatId: number;
  /** Undefined for a chat that is in Nori. */
  readonly chatName: string | undefined;
  readonly by: number;
};

/** Telegram names the administrators of a channel to none but them. */
const outOfChannel: ReadonlySet<unknown> = new Set(['bot_not_in_chat', 'bot_cannot_delete']);

const maxTitleLength = 128;
const lineKind = 'log';
/** Jobs of this kind do nothing: while they are there, their line is written. */
const loggedKind = 'logged';
const lostKind = 'log-lost';
const pickKind = 'log-pick';
const toPickId = (telegramId: number, requestId: number) =>
  `${pickKind}:${telegramId}:${requestId}`;

/** Returns the function that sets the channel of a group. */
function createSetter(
  { telegram }: Pick<Needs, 'telegram'>,
  { rights, chatValues }: Pick<Tools, 'rights' | 'chatValues'>,
) {
  /** Throws a refusal unless the bot may post in the channel and the user is an administrator of it. */
  async function requireChannel(channelId: number, telegramId: number): Promise<void> {
    const administrators = (await telegram?.administrators(channelId))?.administrators ?? [];
    const me = administrators.find((member) => member.telegramId === rights.botId);
    if (me?.mayPost !== true) {
      throw refuse((texts) => texts.mayNotPost);
    }
    if (!administrators.some((member) => member.telegramId === telegramId)) {
      throw refuse((texts) => texts.foreignChannel);
    }
  }

  return async (change: ChannelChange, channel: Channel): Promise<void> => {
    try {
      await requireChannel(channel.id, change.by);
    } catch (error) {
      if (error instanceof AppError && outOfChannel.has(error.code)) {
        throw refuse((texts) => texts.mayNotPost);
      }
      throw error;
    }
    const value = { id: channel.id, title: channel.title.slice(0, maxTitleLength) };
    await chatValues.changeByCommand(
      { ...change, kind: 'values' },
      new Map([[wholeChatId, { log_channel: value }]]),
    );
  };
}

/** Writes lines when they are due, and tells a group that has lost its log. */
function handleLines(
  { database, clock, log, chatActions, languages }: Needs,
  { jobs, outbox, rights, chatValues, findNames }: Tools,
): void {
  const actions = createActionRepository(database.db);
  const botChats = createBotChatRepository(database.db);

  /** What the bot has done by itself says so: it has seen no message of its own. */
  function nameBot(action: StoredAction, say: Say): StoredAction {
    return action.by.telegramId === rights.botId
      ? { ...action, by: { ...action.by, name: say(memberTexts).log.bot } }
      : action;
  }

  async function loadText(job: DueJob, say: Say): Promise<string | undefined> {
    const parsed = v.safeParse(body, JSON.parse(job.body));
    if (!parsed.success) {
      return undefined;
    }
    const line = parsed.output;
    if (line.kind === 'action') {
      const action = await actions.find(job.chatId, line.actionId);
      return action && writeAction(nameBot(action, say), say);
    }
    const ids = 'targetId' in line ? [line.byId, line.targetId] : [line.byId];
    return writeLine(line, await findNames(ids), say);
  }

  async function readGroup(chatId: number) {
    const group = await botChats.find(chatId);
    const say = languages.textsIn(group?.language ?? sourceLanguage);
    return { say, name: group?.name ?? String(chatId) };
  }

  function send(chatId: number, text: string): Promise<ActionOutcome<unknown>> {
    return outbox.send(
      chatId,
      (id) =>
        chatActions?.send({ chatId: id, text }) ??
        Promise.resolve({ kind: 'later', retryAfterS: undefined }),
    );
  }

  /** The channel is gone, or the bot may not write there: it is no log any more, and the group is told. */
  async function lose(chatId: number, channel: Channel): Promise<void> {
    const { log_channel: current } = await readSettings(chatValues, chatId);
    if (current?.id !== channel.id) {
      return;
    }
    await jobs.add({
      id: `${lostKind}:${chatId}:${channel.id}`,
      kind: lostKind,
      chatId,
      telegramId: undefined,
      body: JSON.stringify(channel.title),
      dueAt: clock(),
    });
    await chatValues.changeByCommand(
      { chatId, chatName: undefined, by: rights.botId, kind: 'values' },
      new Map([[wholeChatId, { log_channel: null }]]),
    );
  }

  jobs.handle(lineKind, async (job) => {
    const { chatId } = job;
    const { log_channel: channel } = await readSettings(chatValues, chatId);
    const { say, name } = await readGroup(chatId);
    const line = channel === undefined ? undefined : await loadText(job, say);
    if (channel === undefined || line === undefined) {
      return true;
    }
    const outcome = await send(channel.id, say(memberTexts).log.inGroup(name, line));
    if (outcome.kind === 'refused') {
      log.warn({ chatId, why: outcome.why }, 'a line of a log was refused');
      if (outcome.why === 'no right' || outcome.why === 'not in chat') {
        await lose(chatId, channel);
      }
    }
    return outcome.kind !== 'later';
  });

  jobs.handle(lostKind, async ({ chatId, body: title }) => {
    const { say } = await readGroup(chatId);
    const text = say(memberTexts).refusals.logLost(v.parse(v.string(), JSON.parse(title)));
    const outcome = await send(chatId, text);
    return outcome.kind !== 'later';
  });
}

function writeLine(
  line: Exclude<LineBody, { kind: 'action' }>,
  names: ReadonlyMap<number, string>,
  say: Say,
): string {
  const texts = say(memberTexts).log;
  const by = sayName(line.byId, names.get(line.byId) ?? '', say);
  if (line.kind === 'purge' || line.kind === 'settings') {
    return texts[line.kind](line.count, by);
  }
  const { kind, targetId, seconds } = line;
  const written = texts[kind](sayPerson(targetId, names.get(targetId) ?? '', say), by);
  return seconds === undefined ? written : texts.forTime(written, sayExactly(seconds, say));
}

/** Who has deleted their account. */
const formerUserId = 0;

const kindsWithTime: ReadonlySet<ActionKind> = new Set(['ban', 'mute']);

function writeAction(action: StoredAction, say: Say): string | undefined {
  const { kind, target, by, reason, until, at } = action;
  if (kind === 'report') {
    // It is written when it is made, with its buttons.
    return undefined;
  }
  const texts = say(memberTexts).log;
  const line = texts[kind](
    sayPerson(target.telegramId, target.name, say),
    sayName(by.telegramId, by.name, say),
  );
  const timed =
    until === undefined || !kindsWithTime.has(kind)
      ? line
      : texts.forTime(line, sayExactly(Math.ceil((until - at) / 1000), say));
  return reason === '' ? timed : texts.withReason(timed, reason);
}

function sayPerson(id: number, name: string, say: Say): string {
  return name === '' ? String(id) : say(memberTexts).log.person(name, String(id));
}

function sayName(id: number, name: string, say: Say): string {
  if (id === anonymousId) {
    return say(memberTexts).log.anonymous;
  }
  if (id === formerUserId) {
    return say(memberTexts).log.formerUser;
  }
  return name === '' ? String(id) : name;
}
