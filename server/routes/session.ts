/** Logging in and out, and where one is logged in. */
import { type Hono } from 'hono';

import { endOtherSessions, listSessions, logout, readMe } from '#contract/endpoints/session';
import { type AppEnv } from '#server/lib/app-env';
import { on } from '#server/lib/on';
import { personOf } from '#server/lib/requests';
import { type Services } from '#server/services/services';

export function addSessionRoutes(app: Hono<AppEnv>, { sessions }: Services): void {
  on(app, logout, async (_input, c) => sessions.end(personOf(c)));
  void readMe;

  on(app, listSessions, async (_input, c) => {
    const found = await sessions.list(personOf(c));
    return {
      sessions: found.map(({ id, device, createdAt, lastSeenAt, isCurrent }) => ({
        id,
        device,
        created_at: createdAt.toISOString(),
        last_seen_at: lastSeenAt.toISOString(),
        is_current: isCurrent,
      })),
    };
  });

  on(app, endOtherSessions, async (_input, c) => ({
    ended: await sessions.endOthers(personOf(c)),
  }));
}
