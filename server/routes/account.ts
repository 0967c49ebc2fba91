/** Registering, proving the Telegram id, and changing or deleting an account. */
import { type Hono } from 'hono';

import { type AppEnv } from '#server/lib/app-env';
import { type Services } from '#server/services/services';

export function addAccountRoutes(_app: Hono<AppEnv>, _services: Services): void {}
