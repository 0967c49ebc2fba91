/** What one process at a time does: takes updates, deletes and does what is due, and tells Telegram what the bot says of itself. */
import { type Update } from 'grammy/types';

import { type CommandId } from '#contract/commands/index';
import { type Dependencies } from '#server/app/dependencies';
import { type Hold, withHold } from '#server/lib/holding';
import { metrics } from '#server/lib/telemetry';
import { createLinks } from '#server/services/links';
import { type Services } from '#server/services/services';
import { type TelegramBot } from '#server/upstream/telegram/bot';

import { type Polling, startPolling, webhookPath, webhookSecrets } from './arrival.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { type Term } from './leadership.ts';
import { tellProfile } from './profile.ts';
import { createRetry, type Pause, type Retry } from './retry.ts';
import { createUntilStored, type HandleUpdate, type UntilStored } from './update-queue.ts';

/** What a process needs before it can handle updates. */
export type Prepared = {
  readonly me: {
    readonly id: number;
    readonly username: string;
    readonly has_main_web_app: boolean;
  };
  readonly handle: HandleUpdate;
};

type Needs = {
  readonly api: TelegramBot;
  readonly deps: Dependencies;
  readonly services: Pick<Services, 'deletions' | 'arrivalHints' | 'dueJobs' | 'gate'>;
};

type Tools = {
  readonly botId: number;
  readonly retry: Retry;
  readonly pause: Pause;
  /** Writes a line to the operator's console. */
  readonly say: (line: string) => void;
  readonly untilStored: UntilStored;
  readonly onFailure: (error: unknown, update: Update) => void;
  readonly onFailedStart: (error: unknown) => void;
  /** Resolves when Telegram has said who the bot is. */
  readonly getPrepared: () => Promise<Prepared>;
  /** The commands whose services are connected. */
  readonly offered: readonly CommandId[];
  readonly chatMenus: { readonly checkAll: () => Promise<void> };
  /** Gets messages of albums that another process has handled. */
  readonly remember: (update: Update) => Promise<void>;
  /** Aborted when the bot stops. */
  readonly stopping: AbortSignal;
};

export function createTerms(needs: Needs, tools: Tools) {
  const { deletions, arrivalHints, dueJobs } = needs.services;
  const background = [deletions, arrivalHints, dueJobs];
  let reception: Reception | undefined;
  metrics.set('botLeads', 0);

  return {
    /** To be called when this process has got the lock. */
    begin: (hold: Hold): Term => {
      const mine = withHold(hold, () => createReception(needs, tools, hold));
      reception = mine;
      metrics.set('botLeads', 1);
      for (const { start } of background) {
        start(hold);
      }
      return {
        stop: async () => {
          await mine.stop();
          metrics.set('botLeads', 0);
          for (const { stop } of background) {
            await stop();
          }
        },
        abandon: () => {
          metrics.set('botLeads', 0);
          mine.abandon();
          for (const { abandon } of background) {
            abandon();
          }
        },
      };
    },

    /** The inbox of this process; undefined while it may handle nothing. */
    getInbox: (): Inbox | undefined => reception?.getInbox(),
  };
}

type Reception = ReturnType<typeof createReception>;

/** Takes updates until it is stopped. */
function createReception({ api, deps, services }: Needs, tools: Tools, hold: Hold) {
  const { env, log } = deps;
  const { retry, pause, say, getPrepared, onFailedStart, ...inboxTools } = tools;
  const ending = new AbortController();
  const signal = AbortSignal.any([tools.stopping, ending.signal]);
  /** Updates that cannot be saved are fetched no further, whatever the reason. */
  const always = createUntilStored({ pause, signal, log, isTemporary: () => true });
  let inbox: Inbox | undefined;
  let isReady = false;
  let polling: Polling | undefined;

  async function begin(): Promise<void> {
    const { me, handle } = await getPrepared();
    const opened = createInbox(deps, { ...inboxTools, handle, hold });
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
        : startPolling({
            api,
            inbox: opened,
            retry,
            untilStored: always,
            leaveRequest: services.gate.leave,
          });
    }
    // The bot works without its lists of commands, so the operator is not told while this is repeated.
    const quietly = createRetry({ pause, log, say: () => undefined });
    const links = createLinks(env.publicUrl, me);
    const { botId, offered, chatMenus } = tools;
    await tellProfile(api, deps, { botId, offered, links, signal, say, retry: quietly });
    await chatMenus.checkAll();
  }

  const beginning = begin().catch((error: unknown) => {
    if (!signal.aborted && hold.isHeld()) {
      onFailedStart(error);
    }
  });
  return {
    getInbox: (): Inbox | undefined =>
      isReady && !signal.aborted && hold.isHeld() ? inbox : undefined,

    stop: async (): Promise<void> => {
      ending.abort();
      await beginning;
      await polling?.stop();
      await inbox?.stop();
    },

    abandon: (): void => {
      ending.abort();
      polling?.abandon();
      inbox?.abandon();
    },
  };
}
