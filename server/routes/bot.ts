/** Where Telegram brings the bot's updates. */
import { type Hono } from 'hono';

import { type Webhook, webhookPath } from '#server/bot/webhook';
import { type AppEnv } from '#server/lib/app-env';
import { readJsonBody } from '#server/lib/body';
import { AppError } from '#server/lib/errors';

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
