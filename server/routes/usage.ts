/** The public figures of what the bot is used for. */
import { type Hono } from 'hono';

import { readUsage } from '#contract/endpoints/usage';
import { type AppEnv } from '#server/http/app-env';
import { on } from '#server/http/on';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';

export function addUsageRoutes(app: Hono<AppEnv>, { usage, limiter }: Services): void {
  on(app, readUsage, async (_input, c) => {
    await limiter.take(limits.addressPublicCalls, c.get('address'));
    return [...(await usage.totals())];
  });
}
