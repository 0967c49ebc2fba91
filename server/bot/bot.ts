/** The running bot: receives updates by polling or by webhook, and has them handled, by this process or another. */
import { type Update, type UserFromGetMe } from 'grammy/types';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Dependencies } from '#server/app/dependencies';
import { openLockSession } from '#server/db/bot-locks';
import { alwaysHeld } from '#server/lib/holding';
import { createLinks } from '#server/services/links';
import { offeredCommands } from '#server/services/offered-commands';
import { type Services } from '#server/services/services';
import { isGroup, type TelegramBot } from '#server/upstream/telegram/bot';
import { type UserLanguage } from '#services/accounts';

import { createAnswers } from './answers.ts';
import { createWebhook, type Webhook } from './arrival.ts';
import { createChatMenus } from './chat-menus.ts';
import { type BotTools } from './command.ts';
import { createCommands, toSituation } from './commands.ts';
import { createDispatcher } from './dispatch.ts';
import { createPictureReceiver } from './handlers/general.ts';
import { createContentReceiver } from './handlers/greetings.ts';
import { createLogChannelUpdates } from './handlers/log-channel.ts';
import { createAwayAnswers } from './handlers/personal.ts';
import { createWordAnswers } from './handlers/words.ts';
import { createAppender } from './inbox.ts';
import { createInline } from './inline.ts';
import { createTerms, type Prepared } from './leader.ts';
import { createLeadership, type Term } from './leadership.ts';
import { createMenuButtons, type MenuButtons } from './menu-buttons.ts';
import { createMessageLog } from './message-log.ts';
import { operatorMessages } from './operator-messages.ts';
import { createPartitions } from './partitions.ts';
import { createPresses } from './presses.ts';
import { createRetry, type Pause } from './retry.ts';
import {
  createUntilStored,
  type HandleUpdate,
  readKind,
  type UntilStored,
} from './update-queue.ts';

export type Bot = {
  /** Begins to receive and to handle updates; returns at once, and retries until it works. */
  readonly start: () => void;
  /** Receives no more updates; resolves when those that were begun are handled. */
  readonly stop: () => Promise<void>;
  /** Handles Telegram's requests; undefined unless `BOT_MODE` is webhook and this process is a web server. */
  readonly webhook: Webhook | undefined;
};

type Options = {
  /** Writes a line to the operator's console. */
  readonly say: (line: string) => void;
  /** Replaced in tests. */
  readonly pause?: Pause;
};

/** Creates the part of the bot that `BOT_MODE` and `NORI_ROLE` want in this process; undefined when there is none. */
export function runBot(deps: Dependencies, services: Services, options: Options): Bot | undefined {
  const { env, telegramBot: api } = deps;
  const isWanted = env.roles.has('bot') || env.roles.has('web');
  return env.botMode === 'off' || api === undefined || !isWanted
    ? undefined
    : createBot(api, deps, { ...options, services });
}

function createBot(
  api: TelegramBot,
  deps: Dependencies,
  { services, say, pause = defaultPause }: Options & { readonly services: Services },
): Bot {
  const { env, log, clock } = deps;
  const botId = readBotId(env);
  const { userLanguages, deletionCounts, chatNumbers, joining, outbox } = services;
  const offered = offeredCommands(env);
  const chatMenus = createChatMenus(api, deps, { offered, services });
  const stopping = new AbortController();
  const { signal } = stopping;
  const retry = createRetry({ pause, say, log });
  const untilStored = createUntilStored({ pause, signal, log });
  let menuButtons: MenuButtons | undefined;

  function onFailure(error: unknown, update: Update): void {
    log.error(
      { update: readKind(update), reason: removeToken(error, env.botToken) },
      'could not handle an update',
    );
  }

  function onFailedStart(error: unknown): void {
    if (!signal.aborted) {
      log.error({ reason: removeToken(error, env.botToken) }, 'could not start the bot');
    }
  }

  async function prepare(): Promise<Prepared> {
    const me = await retry.untilDone(() => api.me(signal), signal);
    const linksIn = (language: UserLanguage) => createLinks(env.publicUrl, me, language);
    const quietly = createRetry({ pause, log, say: () => undefined });
    menuButtons = createMenuButtons(api, deps, { linksIn, retry: quietly, signal });
    userLanguages.onChange(menuButtons.set);
    if (env.roles.has('bot')) {
      sayWhatIsOff(me, { env, say });
    }
    const { username, supports_inline_queries: hearsInline } = me;
    const all = offeredCommands(env, { hearsInline });
    const basics = { deps, services, linksIn, menuButtons };
    const tools = { ...basics, offered: all, username, startedAt: clock() };
    return { me, handle: createHandler(me, untilStored, tools) };
  }

  let prepared: Promise<Prepared> | undefined;
  const getPrepared = () => (prepared ??= prepare());
  const terms = createTerms(
    { api, deps, services },
    {
      botId,
      retry,
      pause,
      say,
      untilStored,
      onFailure,
      onFailedStart,
      getPrepared,
      offered,
      chatMenus,
      remember: (update) => rememberAlbum(update, services),
      stopping: signal,
    },
  );
  const handling = createHandling(deps, {
    botId,
    terms,
    onFailure,
    getHandle: async () => (await getPrepared()).handle,
    remember: (update) => rememberAlbum(update, services),
  });

  return {
    start: () => {
      deletionCounts.start();
      chatNumbers.start();
      joining.start();
      userLanguages.start();
      getPrepared().catch(onFailedStart);
      handling.start();
    },

    stop: async () => {
      stopping.abort();
      await prepared?.catch(() => undefined);
      // What waits for Telegram is left to the next start.
      outbox.stop();
      await handling.stop();
      await menuButtons?.settled();
      // The deletions that were begun are counted.
      await deletionCounts.stop();
      await chatNumbers.stop();
      await userLanguages.stop();
    },

    webhook: createOwnWebhook(deps, services, handling.getInbox),
  };
}

/** What BotFather can set up, and has not. */
function sayWhatIsOff(
  me: UserFromGetMe,
  { env, say }: Pick<Dependencies, 'env'> & Pick<Options, 'say'>,
): void {
  if (!me.has_main_web_app) {
    say(operatorMessages.noMiniApp(env.publicUrl));
  }
  if (!me.supports_inline_queries) {
    say(operatorMessages.noInlineMode);
  }
}

/** Undefined in a process to which Telegram sends nothing. */
function createOwnWebhook(
  { env, log }: Dependencies,
  { gate }: Services,
  getInbox: Parameters<typeof createWebhook>[0]['getInbox'],
): Webhook | undefined {
  return env.botMode === 'webhook' && env.roles.has('web')
    ? createWebhook({ env, log, getInbox, leaveRequest: gate.leave })
    : undefined;
}

type HandlingTools = Pick<
  Parameters<typeof createPartitions>[1],
  'botId' | 'getHandle' | 'remember' | 'onFailure'
> & { readonly terms: ReturnType<typeof createTerms> };

/**
 * Has updates handled by this process: always when it is alone, else while it has the lock of the leader, or of partitions
 * of the message log. `getInbox` returns where the webhook puts updates.
 */
function createHandling(
  deps: Pick<Dependencies, 'database' | 'env' | 'log' | 'clock'>,
  { terms, ...tools }: HandlingTools,
) {
  const { database, env, log } = deps;
  const { botId } = tools;
  const { natsUrl, databaseDirectUrl: url } = env;
  const isBot = env.roles.has('bot');
  if (database.engine === 'sqlite' || url === undefined) {
    return { ...createLoneHandling(terms), getInbox: terms.getInbox };
  }
  const open = () => openLockSession(url, botId);
  const messageLog =
    natsUrl === undefined ? undefined : createMessageLog({ url: natsUrl, botId, log });
  const parts = [
    createLeadership({ open, lead: terms.begin, log }),
    ...(messageLog === undefined ? [] : [createPartitions(deps, { ...tools, messageLog, open })]),
  ];
  const appender = createAppender(deps, botId);
  return {
    start: (): void => {
      messageLog?.start();
      for (const part of isBot ? parts : []) {
        part.start();
      }
    },
    stop: async (): Promise<void> => {
      await Promise.all(parts.map((part) => part.stop()));
      await messageLog?.close();
    },
    getInbox: () => messageLog ?? terms.getInbox() ?? appender,
  };
}

/** No other process can handle the updates of the bot. */
function createLoneHandling({ begin }: Pick<ReturnType<typeof createTerms>, 'begin'>) {
  let term: Term | undefined;
  return {
    start: (): void => {
      term ??= begin(alwaysHeld);
    },
    stop: async (): Promise<void> => term?.stop(),
  };
}

/** The part of the token before the colon. */
function readBotId({ botToken = '' }: Dependencies['env']): number {
  return Number(botToken.split(':')[0]);
}

async function rememberAlbum(
  { message, edited_message: edited }: Update,
  { moderation }: Pick<Services, 'moderation'>,
): Promise<void> {
  const content = message ?? edited;
  if (content !== undefined && isGroup(content.chat)) {
    await moderation.remember(content);
  }
}

/** Connects what hears updates: moderation, the services of chats, commands and buttons. */
function createHandler(
  { id, username }: { readonly id: number; readonly username: string },
  untilStored: UntilStored,
  tools: BotTools & { readonly services: Services },
): HandleUpdate {
  const answers = createAnswers(tools, untilStored);
  const commands = createCommands({ username, answers, untilStored }, tools);
  const hearing = {
    username,
    answers,
    untilStored,
    toSituation: (heard: Parameters<typeof toSituation>[0]) => toSituation(heard, tools),
  };
  const answerWords = createWordAnswers(hearing, tools);
  const answerAway = createAwayAnswers(hearing, tools);
  const receiveContent = createContentReceiver(answers, tools);
  const receivePicture = createPictureReceiver(answers, tools);
  return createDispatcher({
    services: tools.services,
    untilStored,
    botId: id,
    commands: {
      // What is a command has no other answer.
      answer: async (heard) => {
        await Promise.all([commands.answer(heard), answerWords(heard)]);
        await answerAway(heard);
      },
    },
    press: createPresses({ answers, commands, untilStored }, tools),
    logChannel: createLogChannelUpdates(username, answers, tools),
    inline: createInline(tools.deps.env, tools),
    receiveContent: async (message, key) => {
      if (!(await receiveContent(message, key))) {
        await receivePicture(message);
      }
    },
  });
}

/** The errors of `TelegramBot` do not contain the token; this is a second safeguard. */
function removeToken(error: unknown, token = ''): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return token === '' ? text : text.replaceAll(token, '[secret]');
}

const defaultPause: Pause = (ms, signal) =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
