/** Receives updates by webhook: Telegram sends them to an address of ours, with a secret that only Telegram knows. */
import { type Hono } from 'hono';
import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';

import { type Dependencies } from '#server/app/dependencies';
import { type AppEnv } from '#server/http/app-env';
import { readJsonBody } from '#server/http/body';
import { AppError } from '#server/lib/errors';
import { isUpdate } from '#server/upstream/telegram/bot';

import { type UpdateQueue } from './update-queue.ts';

/** Relative to `/backend`. */
export const webhookPath = '/bot/updates';

/** Telegram waits longer than this. It sends a slower update again, which is then not handled twice. */
const answerWithinMs = 5000;

export type Webhook = {
  /** Whether a request has the secret that was given to Telegram; compared in constant time. */
  readonly isFromTelegram: (secret: string | undefined) => boolean;
  /**
   * `handled` when no part of the update can get lost any more; `repeat` when Telegram has to send it again,
   * because the bot is not ready or the update is still in progress; `malformed` when it is no update.
   */
  readonly handle: (update: unknown) => Promise<'handled' | 'repeat' | 'malformed'>;
};

/** The secret for `setWebhook`: the same at every start, derived from the key of the server. */
export function webhookSecret({ secretKey }: Dependencies['env']): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'nori telegram webhook', 32)).toString(
    'base64url',
  );
}

export function createWebhook({
  env,
  queue,
  isReady,
  pause,
}: {
  readonly env: Dependencies['env'];
  readonly queue: UpdateQueue;
  readonly isReady: () => boolean;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}): Webhook {
  const expected = digest(webhookSecret(env));

  return {
    isFromTelegram: (secret) => timingSafeEqual(digest(secret ?? ''), expected),

    handle: async (update) => {
      if (!isUpdate(update)) {
        return 'malformed';
      }
      if (!isReady()) {
        return 'repeat';
      }
      const isOver = new AbortController();
      const outcome = await Promise.race([
        queue
          .handle(update)
          .then((how) => (how === 'done' ? ('handled' as const) : ('repeat' as const))),
        pause(answerWithinMs, isOver.signal).then(() => 'repeat' as const),
      ]);
      isOver.abort();
      return outcome;
    },
  };
}

/** Digests have the same length for every text, as timingSafeEqual requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Far more than the longest messages have. */
const maxUpdateBytes = 1024 * 1024;

/** Without the secret the address answers like one that does not exist. */
export function addBotRoutes(app: Hono<AppEnv>, webhook: Webhook): void {
  app.post(webhookPath, async (c) => {
    if (!webhook.isFromTelegram(c.req.header('X-Telegram-Bot-Api-Secret-Token'))) {
      throw new AppError('not_found');
    }
    const outcome = await webhook.handle(await readJsonBody(c, maxUpdateBytes));
    if (outcome === 'malformed') {
      throw new AppError('invalid_input');
    }
    if (outcome === 'repeat') {
      throw new AppError('busy');
    }
    return c.body(null, 204);
  });
}
