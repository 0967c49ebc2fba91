/**
 * How updates arrive. By long polling, Telegram forgets what is before the offset of a call: updates are saved before the
 * offset moves on, and handled afterwards, so that no poll waits for the handling; asked for the same offset twice in
 * a row, Telegram shows one update only. By webhook, Telegram sends them to an address of ours, with a secret that only
 * Telegram knows.
 */
import { type ChatJoinRequest, type Update } from 'grammy/types';
import { type Hono } from 'hono';
import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Dependencies } from '#server/app/dependencies';
import { isDatabaseAway } from '#server/db/failures';
import { type AppEnv } from '#server/http/app-env';
import { readJsonBody } from '#server/http/body';
import { deriveKeys } from '#server/lib/derived-keys';
import { AppError, Unfinished } from '#server/lib/errors';
import { isUpdate, type TelegramBot, updatesPerCall } from '#server/upstream/telegram/bot';
import { BotFailure } from '#server/upstream/telegram/calls';

import { type Inbox } from './inbox.ts';
import { type Retry } from './retry.ts';
import { type UntilStored } from './update-queue.ts';

/** Leaves a request to join to the administrators; never rejects. */
export type LeaveRequest = (request: ChatJoinRequest) => Promise<void>;

/**
 * Saves updates. While the database is away, requests to join among them are left to the administrators: Telegram waits
 * ten seconds for them.
 */
async function addOrLeave(
  inbox: Pick<Inbox, 'add'>,
  updates: readonly Update[],
  leaveRequest: LeaveRequest,
): Promise<void> {
  try {
    await inbox.add(updates);
  } catch (error) {
    if (isDatabaseAway(error)) {
      const requests = updates.flatMap(({ chat_join_request: request }) => request ?? []);
      await Promise.all(requests.map(leaveRequest));
    }
    throw error;
  }
}

/** Polls begin no more often than this, because each batch costs a write to the disk. Quiet times have long polls. */
const gatherMs = 10;

export type Polling = {
  /** Ends polling, and confirms to Telegram what is saved. */
  readonly stop: () => Promise<void>;
  /** The lock is lost: another process polls. */
  readonly abandon: () => void;
};

export function startPolling({
  api,
  inbox,
  retry,
  untilStored,
  leaveRequest,
}: {
  readonly api: Pick<TelegramBot, 'updates' | 'confirm'>;
  readonly inbox: Pick<Inbox, 'add' | 'room'>;
  readonly retry: Retry;
  /** Must repeat after every error. */
  readonly untilStored: UntilStored;
  readonly leaveRequest: LeaveRequest;
}): Polling {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Every update before this is saved. */
  let offset: number | undefined;
  let confirmed: number | undefined;

  async function poll(): Promise<void> {
    await inbox.room(signal);
    signal.throwIfAborted();
    confirmed = offset;
    const startedAt = performance.now();
    const batch = await api.updates(offset, signal);
    retry.reset();
    await untilStored(() => addOrLeave(inbox, batch, leaveRequest));
    const last = batch.at(-1);
    // After a week without updates Telegram goes on with a random id, so the last one counts, not the greatest.
    offset = last === undefined ? offset : last.update_id + 1;
    if (batch.length < updatesPerCall) {
      const restMs = gatherMs - (performance.now() - startedAt);
      await (restMs > 0 ? sleep(restMs, undefined, { signal }) : undefined);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        // One call after the other: Telegram allows only one.
        await poll();
      } catch (error) {
        if (signal.aborted || error instanceof Unfinished) {
          return;
        }
        await retry.pauseAfter(toBotFailure(error), signal);
      }
    }
  }

  const running = run();
  return {
    abandon: () => stopping.abort(),
    stop: async () => {
      stopping.abort();
      await running;
      if (offset !== undefined && offset !== confirmed) {
        // When this fails, the next start receives the last updates once more, and skips them.
        await api.confirm(offset).catch(() => undefined);
      }
    },
  };
}

/** No other errors are expected, but none must end the bot. */
function toBotFailure(error: unknown): BotFailure {
  return error instanceof BotFailure
    ? error
    : new BotFailure('unreachable', error instanceof Error ? error.message : String(error));
}

/** Relative to `/backend`. */
export const webhookPath = '/bot/updates';

export type Webhook = {
  /** Whether a request has the secret that was given to Telegram; compared in constant time. */
  readonly isFromTelegram: (secret: string | undefined) => boolean;
  /**
   * `saved` when the update cannot get lost any more: it is handled afterwards. `repeat` when Telegram has to
   * send it again, because the bot is not ready or the update could not be saved; `malformed` when it is no
   * update.
   */
  readonly receive: (update: unknown) => Promise<'saved' | 'repeat' | 'malformed'>;
};

/**
 * The secrets of the webhook: the same at every start, derived from the keys of the server. The first is for `setWebhook`;
 * Telegram sends one of the others until it is told.
 */
export function webhookSecrets({
  secretKeys,
}: Pick<Dependencies['env'], 'secretKeys'>): readonly [string, ...string[]] {
  const [first, ...previous] = deriveKeys(secretKeys, 'nori telegram webhook');
  return [first.toString('base64url'), ...previous.map((key) => key.toString('base64url'))];
}

export function createWebhook({
  env,
  log,
  getInbox,
  leaveRequest,
}: Pick<Dependencies, 'env' | 'log'> & {
  readonly leaveRequest: LeaveRequest;
  /** Returns undefined while the bot is not ready. */
  readonly getInbox: () => Pick<Inbox, 'add' | 'hasRoom'> | undefined;
}): Webhook {
  const expected = webhookSecrets(env).map(digest);

  return {
    isFromTelegram: (secret = '') => {
      const given = digest(secret);
      return expected.some((one) => timingSafeEqual(given, one));
    },

    receive: async (update) => {
      if (!isUpdate(update)) {
        return 'malformed';
      }
      const inbox = getInbox();
      if (inbox === undefined || !inbox.hasRoom()) {
        return 'repeat';
      }
      try {
        await addOrLeave(inbox, [update], leaveRequest);
        return 'saved';
      } catch (error) {
        log.warn({ err: error }, 'could not store an update; Telegram sends it again');
        return 'repeat';
      }
    },
  };
}

/** Digests have the same length for every text, as timingSafeEqual requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Without it Telegram waits longer each time, and the chat with it. */
const retryAfterS = 1;

/** Far more than the longest messages have. */
const maxUpdateBytes = 1024 * 1024;

/** Without the secret the address answers like one that does not exist. */
export function addBotRoutes(app: Hono<AppEnv>, webhook: Webhook): void {
  app.post(webhookPath, async (c) => {
    if (!webhook.isFromTelegram(c.req.header('X-Telegram-Bot-Api-Secret-Token'))) {
      throw new AppError('not_found');
    }
    const outcome = await webhook.receive(await readJsonBody(c, maxUpdateBytes));
    if (outcome === 'malformed') {
      throw new AppError('invalid_input');
    }
    if (outcome === 'repeat') {
      throw new AppError('busy', { retryAfterS });
    }
    return c.body(null, 204);
  });
}
