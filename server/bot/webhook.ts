/** Receives updates by webhook: Telegram sends them to an address of ours, with a secret that only Telegram knows. */
import { type Hono } from 'hono';
import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';

import { type Dependencies } from '#server/app/dependencies';
import { type AppEnv } from '#server/http/app-env';
import { readJsonBody } from '#server/http/body';
import { AppError } from '#server/lib/errors';
import { isUpdate } from '#server/upstream/telegram/bot';

import { type Inbox } from './inbox.ts';

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

/** The secret for `setWebhook`: the same at every start, derived from the key of the server. */
export function webhookSecret({ secretKey }: Dependencies['env']): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'nori telegram webhook', 32)).toString(
    'base64url',
  );
}

export function createWebhook({
  env,
  log,
  getInbox,
}: Pick<Dependencies, 'env' | 'log'> & {
  /** Returns undefined while the bot is not ready. */
  readonly getInbox: () => Pick<Inbox, 'add' | 'hasRoom'> | undefined;
}): Webhook {
  const expected = digest(webhookSecret(env));

  return {
    isFromTelegram: (secret) => timingSafeEqual(digest(secret ?? ''), expected),

    receive: async (update) => {
      if (!isUpdate(update)) {
        return 'malformed';
      }
      const inbox = getInbox();
      if (inbox === undefined || !inbox.hasRoom()) {
        return 'repeat';
      }
      try {
        await inbox.add([update]);
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
