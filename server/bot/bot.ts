/** The running bot: receives updates by polling or by webhook, and has them handled. */
import { type Update } from 'grammy/types';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Dependencies } from '#server/app/dependencies';
import { createLinks } from '#server/services/links';
import { offeredCommands } from '#server/services/offered-commands';
import { type Services } from '#server/services/services';
import { type TelegramBot } from '#server/upstream/telegram/bot';
import { type UserLanguage } from '#services/accounts';

import { createAnswers } from './answers.ts';
import {
  createWebhook,
  type Polling,
  startPolling,
  type Webhook,
  webhookPath,
  webhookSecrets,
} from './arrival.ts';
import { createChatMenus } from './chat-menus.ts';
import { type BotTools } from './command.ts';
import { createCommands } from './commands.ts';
import { createDispatcher } from './dispatch.ts';
import { createLogChannelUpdates } from './handlers/log-channel.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { createMenuButtons, type MenuButtons } from './menu-buttons.ts';
import { operatorMessages } from './operator-messages.ts';
import { createPresses } from './presses.ts';
import { tellProfile } from './profile.ts';
import { createRetry, type Pause } from './retry.ts';
import { createUntilStored, type HandleUpdate, type UntilStored } from './update-queue.ts';

export type Bot = {
  /** Begins to receive updates; returns at once, and retries until it works. */
  readonly start: () => void;
  /** Receives no more updates; resolves when those that were begun are handled. */
  readonly stop: () => Promise<void>;
  /** Handles Telegram's requests; undefined unless `BOT_MODE` is webhook. */
  readonly webhook: Webhook | undefined;
};

type Options = {
  /** Writes a line to the operator's console. */
  readonly say: (line: string) => void;
  /** Replaced in tests. */
  readonly pause?: Pause;
};

/** Creates the bot that `BOT_MODE` asks for; undefined when the bot only sends. */
export function runBot(deps: Dependencies, services: Services, options: Options): Bot | undefined {
  const { env, telegramBot: api } = deps;
  return env.botMode === 'off' || api === undefined
    ? undefined
    : createBot(api, deps, { ...options, services });
}

function createBot(
  api: TelegramBot,
  deps: Dependencies,
  { services, say, pause = defaultPause }: Options & { readonly services: Services },
): Bot {
  const { env, log, clock } = deps;
  const { userLanguages, deletions, deletionCounts, arrivalHints, dueJobs, outbox } = services;
  const background = [deletions, deletionCounts, arrivalHints, userLanguages, dueJobs];
  const offered = offeredCommands(env);
  const chatMenus = createChatMenus(api, deps, { offered, services });
  const stopping = new AbortController();
  const { signal } = stopping;
  const retry = createRetry({ pause, say, log });
  const untilStored = createUntilStored({ pause, signal, log });
  /** Updates that cannot be saved are fetched no further, whatever the reason. */
  const always = createUntilStored({ pause, signal, log, isTemporary: () => true });
  let inbox: Inbox | undefined;
  let isReady = false;
  let polling: Polling | undefined;
  let menuButtons: MenuButtons | undefined;
  const quietRetry = () => createRetry({ pause, log, say: () => undefined });

  function onFailure(error: unknown, update: Update): void {
    log.error(
      { update: getKind(update), reason: removeToken(error, env.botToken) },
      'could not handle an update',
    );
  }

  async function begin(): Promise<void> {
    const me = await retry.untilDone(() => api.me(signal), signal);
    const linksIn = (language: UserLanguage) => createLinks(env.publicUrl, me, language);
    menuButtons = createMenuButtons(api, deps, { linksIn, retry: quietRetry(), signal });
    userLanguages.onChange(menuButtons.set);
    if (!me.has_main_web_app) {
      say(operatorMessages.noMiniApp(env.publicUrl));
    }
    const tools = { deps, services, linksIn, menuButtons, offered, startedAt: clock() };
    const handle = createHandler(me, untilStored, tools);
    const opened = createInbox(deps, { botId: me.id, handle, untilStored, onFailure });
    inbox = opened;
    await always(() => opened.start());
    isReady = true;
    if (env.botMode === 'webhook') {
      const url = `${env.publicUrl ?? ''}/backend${webhookPath}`;
      await retry.untilDone(() => api.setWebhook(url, webhookSecrets(env)[0]), signal);
    } else {
      // Telegram refuses polling while a webhook is set.
      await retry.untilDone(() => api.deleteWebhook(), signal);
      polling = signal.aborted
        ? undefined
        : startPolling({ api, inbox, retry, untilStored: always });
    }
    // The bot works without its lists of commands, so the operator is not told while this is repeated.
    const links = createLinks(env.publicUrl, me);
    const telling = { botId: me.id, offered, links, signal, say };
    await tellProfile(api, deps, { ...telling, retry: quietRetry() });
    await chatMenus.checkAll();
  }

  let beginning: Promise<void> | undefined;
  return {
    start: () => {
      for (const { start } of background) {
        start();
      }
      beginning ??= begin().catch((error: unknown) => {
        if (!signal.aborted) {
          log.error({ reason: removeToken(error, env.botToken) }, 'could not start the bot');
        }
      });
    },

    stop: async () => {
      stopping.abort();
      await beginning;
      await polling?.stop();
      // What waits for Telegram is left to the next start.
      outbox.stop();
      await inbox?.stop();
      await menuButtons?.settled();
      for (const { stop } of background) {
        // In order: deletions are counted.
        await stop();
      }
    },

    webhook:
      env.botMode === 'webhook'
        ? createWebhook({
            env,
            log,
            getInbox: () => (isReady && !signal.aborted ? inbox : undefined),
          })
        : undefined,
  };
}

/** Connects what hears updates: moderation, the services of chats, commands and buttons. */
function createHandler(
  { id, username }: { readonly id: number; readonly username: string },
  untilStored: UntilStored,
  tools: BotTools & { readonly services: Services },
): HandleUpdate {
  const answers = createAnswers(tools, untilStored);
  const commands = createCommands({ username, answers, untilStored }, tools);
  return createDispatcher({
    services: tools.services,
    untilStored,
    botId: id,
    commands,
    press: createPresses({ answers, commands, untilStored }, tools),
    logChannel: createLogChannelUpdates(username, answers, tools),
  });
}

/** Such as `message`. The content of an update is private and must not be logged. */
function getKind(update: Update): string {
  return Object.keys(update).find((key) => key !== 'update_id') ?? 'empty';
}

/** The errors of `TelegramBot` do not contain the token; this is a second safeguard. */
function removeToken(error: unknown, token = ''): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return token === '' ? text : text.replaceAll(token, '[secret]');
}

const defaultPause: Pause = (ms, signal) =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
