/** The running bot: hears updates by polling or by webhook, and brings them to those who work with them. */
import { type Update } from 'grammy/types';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Dependencies } from '#server/app/dependencies';
import { type Services } from '#server/services/services';
import { type TelegramBot } from '#server/upstream/telegram/bot';
import { BotFailure } from '#server/upstream/telegram/errors';

import { hearChats } from './chat-updates.ts';
import { answerCommands } from './commands.ts';
import { createLinks } from './links.ts';
import { createPauses, type Pause, type Pauses } from './pauses.ts';
import { type Polling, startPolling } from './polling.ts';
import { createRouter } from './router.ts';
import { setupSteps, type Step, unlessRefused } from './setup.ts';
import { createUntilStored } from './until-stored.ts';
import { createUpdateQueue, type HandleUpdate } from './update-queue.ts';
import { createWebhook, type Webhook, webhookPath, webhookSecret } from './webhook.ts';

export type Bot = {
  /** Begins to hear updates; returns at once, and tries for as long as it takes. */
  readonly start: () => void;
  /** Hears nothing more; resolves when what was heard is worked off. */
  readonly stop: () => Promise<void>;
  /** What Telegram's calls are answered by; undefined unless `BOT_MODE` is webhook. */
  readonly webhook: Webhook | undefined;
};

type BotOptions = {
  readonly api: TelegramBot;
  readonly token: string;
  readonly services: Services;
  /** Tells whoever runs the server. */
  readonly say: (line: string) => void;
  /** The platform's own unless a test has no time for it. */
  readonly pause?: Pause;
};

/** The bot of a server, as `BOT_MODE` wants it; undefined when it only sends. */
export function runBot(
  deps: Dependencies,
  services: Services,
  { say, pause }: Pick<BotOptions, 'say' | 'pause'>,
): Bot | undefined {
  const { env, telegramBot: api } = deps;
  if (env.botMode === 'off' || env.botToken === undefined || api === undefined) {
    return undefined;
  }
  return createBot(deps, {
    api,
    token: env.botToken,
    say,
    services,
    ...(pause === undefined ? {} : { pause }),
  });
}

function createBot(
  deps: Dependencies,
  { api, token, services, say, pause = realPause }: BotOptions,
): Bot {
  const { env, log, clock } = deps;
  const { chatUpdates, dueDeletions, deletionCounts, enforcement } = services;
  const stopping = new AbortController();
  const { signal } = stopping;
  const pauses = createPauses({ pause, say, log });
  let handle: HandleUpdate | undefined;
  let polling: Polling | undefined;

  const queue = createUpdateQueue({
    handle: async (update, alongside) => handle?.(update, alongside),
    onFailure: (error, update) => {
      log.error({ update: kindOf(update), reason: withoutToken(error, token) }, 'update failed');
    },
  });

  async function begin(): Promise<void> {
    const me = await untilDone(() => api.me(signal), { pauses, signal });
    const links = createLinks(env.publicUrl, me.username);
    const tools = { deps, links, services, enforcement, startedAt: clock() };
    handle = createRouter({
      token,
      me,
      onGroupMessage: enforcement.handle,
      untilStored: createUntilStored({ pause, signal, log }),
      hear: (bot) => hearChats(bot, chatUpdates, enforcement.forgetAdministrators),
      answer: (bot) => answerCommands(bot, api, tools),
    });
    if (env.botMode === 'webhook') {
      const url = `${env.publicUrl ?? ''}/backend${webhookPath}`;
      await untilDone(() => api.setWebhook(url, webhookSecret(env)), { pauses, signal });
    } else {
      // Where a webhook was set before, Telegram would not be asked for updates.
      await untilDone(() => api.deleteWebhook(), { pauses, signal });
      polling = signal.aborted
        ? undefined
        : startPolling({ api, queue, pauses, makeRoom: dueDeletions.writeDown });
    }
    await setUp(unlessRefused(setupSteps(api, links), say));
  }

  /** How the bot looks matters less than that it works: what fails is tried quietly. */
  async function setUp(steps: readonly Step[]): Promise<void> {
    await Promise.all(
      steps.map((step) => {
        const quietly = createPauses({ pause, log, say: () => undefined });
        return untilDone(step, { pauses: quietly, signal });
      }),
    );
  }

  let beginning: Promise<void> | undefined;
  return {
    start: () => {
      dueDeletions.start();
      deletionCounts.start();
      beginning ??= begin().catch((error: unknown) => {
        if (!signal.aborted) {
          log.error({ reason: withoutToken(error, token) }, 'the bot did not start');
        }
      });
    },

    stop: async () => {
      stopping.abort();
      await beginning;
      await polling?.stop();
      await queue.settled();
      await dueDeletions.stop();
      await deletionCounts.stop();
    },

    webhook:
      env.botMode === 'webhook'
        ? createWebhook({
            env,
            queue,
            isReady: () => handle !== undefined && !signal.aborted,
            pause,
          })
        : undefined,
  };
}

/** Tries until it works or the signal is aborted, which throws; what is wrong is said once. */
async function untilDone<T>(
  attempt: () => Promise<T>,
  { pauses, signal }: { readonly pauses: Pauses; readonly signal: AbortSignal },
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const done = await attempt();
      pauses.allIsWell();
      return done;
    } catch (error) {
      if (!(error instanceof BotFailure)) {
        throw error;
      }
      // Each try depends on how the one before ended.
      await pauses.after(error, signal);
    }
  }
}

/** What kind of update it is, such as `message`; what is in it belongs to those who wrote it. */
function kindOf(update: Update): string {
  return Object.keys(update).find((key) => key !== 'update_id') ?? 'empty';
}

/** Nothing should have brought it here; this is the second lock. */
function withoutToken(error: unknown, token: string): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.replaceAll(token, '[secret]');
}

const realPause: Pause = (ms, signal) =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
