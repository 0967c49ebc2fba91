/** Hears updates that Telegram brings to an address of ours. Only Telegram knows the secret that comes with them. */
import { type Hono } from 'hono';
import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';

import { type Dependencies } from '#server/app/dependencies';
import { type AppEnv } from '#server/http/app-env';
import { readJsonBody } from '#server/http/body';
import { AppError } from '#server/lib/errors';
import { isUpdate } from '#server/upstream/telegram/bot';

import { type UpdateQueue } from './update-queue.ts';

/** After `/backend`. */
export const webhookPath = '/bot/updates';

/** Telegram waits longer; one that takes more is brought again, and is not begun again then. */
const answerWithinMs = 5000;

export type Webhook = {
  /** Whether the secret of a request is the one Telegram was told. Takes the same time for every wrong one. */
  readonly isFromTelegram: (secret: string | undefined) => boolean;
  /**
   * `handled` once nothing of the update can get lost; `repeat` when Telegram has to bring it again:
   * the bot is not ready yet, or still at work. `malformed` is not an update.
   */
  readonly take: (update: unknown) => Promise<'handled' | 'repeat' | 'malformed'>;
};

/** The secret for `setWebhook`: the same at every start, and of no use for anything else. */
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

    take: async (update) => {
      if (!isUpdate(update)) {
        return 'malformed';
      }
      if (!isReady()) {
        return 'repeat';
      }
      const isOver = new AbortController();
      const outcome = await Promise.race([
        queue
          .take(update)
          .then((how) => (how === 'done' ? ('handled' as const) : ('repeat' as const))),
        pause(answerWithinMs, isOver.signal).then(() => 'repeat' as const),
      ]);
      isOver.abort();
      return outcome;
    },
  };
}

/** Of one length, whatever was sent. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Bytes of an update: the longest messages are far shorter. */
const updateLimit = 1024 * 1024;

/** To everybody without the secret there is nothing at this address. */
export function addBotRoutes(app: Hono<AppEnv>, webhook: Webhook): void {
  app.post(webhookPath, async (c) => {
    if (!webhook.isFromTelegram(c.req.header('X-Telegram-Bot-Api-Secret-Token'))) {
      throw new AppError('not_found');
    }
    const outcome = await webhook.take(await readJsonBody(c, updateLimit));
    if (outcome === 'malformed') {
      throw new AppError('invalid_input');
    }
    if (outcome === 'repeat') {
      throw new AppError('busy');
    }
    return c.body(null, 204);
  });
}
