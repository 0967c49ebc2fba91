/** Registering, logging in and out, the sessions of a user, and changing or deleting an account. */
import { type Hono } from 'hono';

import {
  changePassword,
  deleteAccount,
  register,
  sendOtp,
  verifyOtp,
} from '#contract/endpoints/account';
import { setAccountLanguage } from '#contract/endpoints/language';
import {
  requestPasswordReset,
  resetPassword,
  resetPasswordWithTelegram,
} from '#contract/endpoints/password-reset';
import {
  endOtherSessions,
  listSessions,
  login,
  loginWithTelegram,
  logout,
  readMe,
} from '#contract/endpoints/session';
import { type AppContext, type AppEnv } from '#server/http/app-env';
import { on, onUser } from '#server/http/on';
import { getCaller, requireUser, sayTranslated } from '#server/http/requests';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';
import { checkLaunchData, freshLaunchMs, sayDevice } from '#services/accounts';

/** The same sentence for known and unknown IDs. The hint helps users whom the bot may not write to. */
const codeIsOnItsWay =
  'If this Telegram user ID can receive it, a 6-digit code is on its way. No code? Open the bot and press Start.';

export function addAccountRoutes(app: Hono<AppEnv>, services: Services): void {
  const { accounts, registrations, userLanguages, limiter } = services;

  on(app, register, async ({ telegram_id, email, password }, c) => {
    await limiter.take(limits.addressRegistrations, c.get('address'));
    const telegramId = Number(telegram_id);
    const language = c.get('language');
    const { attempt } = await registrations.register({ telegramId, email, password, language });
    return { message: codeIsOnItsWay, telegram_id, attempt };
  });

  on(app, sendOtp, async ({ telegram_id, attempt }, c) => {
    await limiter.take(limits.addressCodes, c.get('address'));
    await registrations.resend({ telegramId: Number(telegram_id), attempt }, c.get('language'));
    return { message: codeIsOnItsWay };
  });

  on(app, verifyOtp, async ({ telegram_id, otp_code, attempt }, c) => {
    await limiter.take(limits.addressCodes, c.get('address'));
    const telegramId = Number(telegram_id);
    const passwordHash = await registrations.activate({ telegramId, attempt }, otp_code);
    return startSession(services, { telegramId, way: 'code', passwordHash }, c);
  });

  onUser(app, changePassword, async ({ current_password, new_password, end_other_sessions }, c) => {
    await accounts.changePassword(requireUser(c), {
      current: current_password,
      next: new_password,
      endOthers: end_other_sessions,
    });
  });

  onUser(app, deleteAccount, async ({ password }, c) => {
    await accounts.confirm(requireUser(c), password);
    await accounts.remove(requireUser(c));
  });

  onUser(app, setAccountLanguage, async ({ language }, c) => {
    await userLanguages.setLanguage(requireUser(c).telegramId, language);
  });

  onUser(app, readMe, async (_input, c) => {
    const { telegramId, email, profile, hasPassword } = await accounts.find(requireUser(c));
    return {
      telegram_id: String(telegramId),
      email,
      first_name: profile.firstName,
      username: profile.username,
      photo_url: profile.photoUrl,
      has_password: hasPassword,
    };
  });
}

/** A new password without the old one. */
export function addPasswordResetRoutes(app: Hono<AppEnv>, services: Services): void {
  const {
    deps: { env, clock },
    passwordResets,
    limiter,
  } = services;

  on(app, requestPasswordReset, async ({ telegram_id }, c) => {
    await limiter.take(limits.addressCodes, c.get('address'));
    const { attempt } = await passwordResets.request(Number(telegram_id), c.get('language'));
    return { message: codeIsOnItsWay, attempt };
  });

  on(app, resetPassword, async ({ telegram_id, otp_code: code, attempt = '', new_password }, c) => {
    await limiter.take(limits.addressCodes, c.get('address'));
    const telegramId = Number(telegram_id);
    const reset = { attempt, code, password: new_password };
    const passwordHash = await passwordResets.resetByCode(telegramId, reset);
    return startSession(services, { telegramId, way: 'code', passwordHash }, c);
  });

  on(app, resetPasswordWithTelegram, async ({ init_data, new_password }, c) => {
    if (env.botToken === undefined) {
      throw new AppError('not_found');
    }
    await limiter.take(limits.addressCodes, c.get('address'));
    const { botToken } = env;
    const launch = { botToken, now: clock(), maxAgeMs: freshLaunchMs };
    const { telegramId } = checkLaunchData(init_data, launch);
    const passwordHash = await passwordResets.resetByLaunch(telegramId, new_password);
    return startSession(services, { telegramId, way: 'telegram', passwordHash }, c);
  });
}

export function addSessionRoutes(app: Hono<AppEnv>, services: Services): void {
  const {
    deps: { env, clock },
    accounts,
    sessions,
    limiter,
  } = services;

  on(app, login, async ({ telegram_id, password, device }, c) => {
    await limiter.take(limits.addressLogins, c.get('address'));
    const telegramId = Number(telegram_id);
    const passwordHash = await accounts.checkLogin(telegramId, password);
    return startSession(services, { telegramId, way: 'password', passwordHash, device }, c);
  });

  on(app, loginWithTelegram, async ({ init_data }, c) => {
    if (env.botToken === undefined) {
      throw new AppError('not_found');
    }
    await limiter.take(limits.addressLogins, c.get('address'));
    const user = checkLaunchData(init_data, { botToken: env.botToken, now: clock() });
    await accounts.updateFromLaunch(user);
    return startSession(services, { telegramId: user.telegramId, way: 'telegram' }, c);
  });

  onUser(app, logout, (_input, c) => sessions.end(requireUser(c)));

  onUser(app, listSessions, async (_input, c) => {
    const user = requireUser(c);
    const found = await sessions.list(user);
    return {
      sessions: found.map(({ id, device, createdAt, lastSeenAt }) => ({
        id,
        device,
        device_translated: sayTranslated(c, sayDevice(device)),
        created_at: new Date(createdAt).toISOString(),
        last_seen_at: new Date(lastSeenAt).toISOString(),
        is_current: id === user.sessionId,
      })),
    };
  });

  onUser(app, endOtherSessions, async (_input, c) => ({
    ended: await sessions.endOthers(requireUser(c)),
  }));
}

type NewLogin = {
  readonly telegramId: number;
  readonly way: 'password' | 'code' | 'telegram' | 'passkey';
  /** Of the password that the session is by; absent when something else proves who the user is. */
  readonly passwordHash?: string;
  /** What an earlier login has left on this device. */
  readonly device?: string | undefined;
};

/** Starts a session, and tells the user about it where the device is a new one. */
export async function startSession(
  { sessions, accountEvents, knownDevices }: Services,
  { telegramId, way, passwordHash, device }: NewLogin,
  c: AppContext,
) {
  const token = await sessions.start(telegramId, c.req.header('User-Agent'), passwordHash);
  const isKnown = knownDevices.read(device, telegramId) !== undefined;
  await accountEvents.record({ kind: 'login', telegramId, caller: getCaller(c), detail: way });
  return {
    access_token: token,
    token_type: 'bearer',
    telegram_id: String(telegramId),
    device: isKnown ? device : knownDevices.make(telegramId),
  };
}
