/** Logging in and out, who is logged in, and where. */
import { type Hono } from 'hono';

import {
  endOtherSessions,
  listSessions,
  login,
  loginWithTelegram,
  logout,
  readMe,
} from '#contract/endpoints/session';
import { type AppContext, type AppEnv } from '#server/http/app-env';
import { on } from '#server/http/on';
import { requireUser } from '#server/http/requests';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';
import { checkLaunchData } from '#services/accounts';

export function addSessionRoutes(
  app: Hono<AppEnv>,
  { deps: { env, clock }, accounts, sessions, limiter }: Services,
): void {
  async function startSession(telegramId: number, c: AppContext) {
    return {
      access_token: await sessions.start(telegramId, c.req.header('User-Agent')),
      token_type: 'bearer',
      telegram_id: String(telegramId),
    };
  }

  on(app, login, async ({ telegram_id, password }, c) => {
    await limiter.take(limits.addressLogins, c.get('address'));
    await accounts.checkLogin(Number(telegram_id), password);
    return startSession(Number(telegram_id), c);
  });

  on(app, loginWithTelegram, async ({ init_data }, c) => {
    if (env.botToken === undefined) {
      throw new AppError('not_found');
    }
    await limiter.take(limits.addressLogins, c.get('address'));
    const user = checkLaunchData(init_data, { botToken: env.botToken, now: clock() });
    await accounts.recognise(user);
    return startSession(user.telegramId, c);
  });

  on(app, readMe, async (_input, c) => {
    const { telegramId, email, profile } = await accounts.find(requireUser(c));
    return {
      telegram_id: String(telegramId),
      email,
      first_name: profile.firstName,
      username: profile.username,
      photo_url: profile.photoUrl,
    };
  });

  on(app, logout, (_input, c) => sessions.end(requireUser(c)));

  on(app, listSessions, async (_input, c) => {
    const person = requireUser(c);
    const found = await sessions.list(person);
    return {
      sessions: found.map(({ id, device, createdAt, lastSeenAt }) => ({
        id,
        device,
        created_at: new Date(createdAt).toISOString(),
        last_seen_at: new Date(lastSeenAt).toISOString(),
        is_current: id === person.sessionId,
      })),
    };
  });

  on(app, endOtherSessions, async (_input, c) => ({
    ended: await sessions.endOthers(requireUser(c)),
  }));
}
