/** The public figures of what the bot is used for. */
import { type Hono } from 'hono';

import { readUsage } from '#contract/endpoints/usage';
import { type AppEnv } from '#server/lib/app-env';
import { on } from '#server/lib/on';
import { type Services } from '#server/services/services';

export function addUsageRoutes(app: Hono<AppEnv>, { usage }: Services): void {
  on(app, readUsage, async () => [...(await usage.totals())]);
}
