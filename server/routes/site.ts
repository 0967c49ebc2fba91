/** Whether the server is up, and what it can do. */
import { type Hono } from 'hono';
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';

import { chatActivity, chatPick } from '#contract/endpoints/chat-activity';
import { imageAbilities } from '#contract/endpoints/image-abilities';
import { readCapabilities, readHealth } from '#contract/endpoints/site';
import { type AppEnv } from '#server/http/app-env';
import { on } from '#server/http/on';
import { type Services } from '#server/services/services';

/** The bot's name is a help, and not worth waiting for. */
const longestWaitMs = 1000;

export function addSiteRoutes(
  app: Hono<AppEnv>,
  { deps, engines, enhancement, chatPicks }: Services,
): void {
  on(app, readHealth, async () => {
    await sql`select 1`.execute(deps.database.db);
    return { status: 'ok' as const };
  });

  on(app, readCapabilities, async () => {
    // Telegram being slow or down must not hide what this server can do.
    const username = await Promise.race([
      deps.telegram?.username().catch(() => undefined),
      sleep(longestWaitMs, undefined, { ref: false }),
    ]);
    return {
      capabilities: [
        'auth.logout',
        'auth.sessions',
        'generations.jobs',
        imageAbilities,
        'prompt.enhance',
        'connections.link',
        chatActivity,
        ...(chatPicks.isPossible ? [chatPick] : []),
        ...(deps.env.botToken === undefined ? [] : ['auth.telegram', 'bot']),
      ],
      ...(username === undefined ? {} : { bot_username: username }),
      image_engine: engines.pixai.name,
      prompt_engine: enhancement.engine,
    };
  });
}
