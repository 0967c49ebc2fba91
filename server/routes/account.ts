/** Registering, proving the Telegram id, and changing or deleting an account. */
import { type Hono } from 'hono';

import {
  changePassword,
  deleteAccount,
  register,
  sendOtp,
  verifyOtp,
} from '#contract/endpoints/account';
import { type AppEnv } from '#server/http/app-env';
import { on } from '#server/http/on';
import { requireUser } from '#server/http/requests';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';

/** One sentence for known and unknown ids; the hint helps those whom the bot may not write to. */
const codeIsOnItsWay =
  'If this Telegram user ID can receive it, a 6-digit code is on its way. No code? Open the bot and press Start.';

export function addAccountRoutes(
  app: Hono<AppEnv>,
  { accounts, registrations, sessions, limiter }: Services,
): void {
  on(app, register, async ({ telegram_id, email, password }, c) => {
    await limiter.take(limits.addressRegistrations, c.get('address'));
    const telegramId = Number(telegram_id);
    const { attempt } = await registrations.register({ telegramId, email, password });
    return { message: codeIsOnItsWay, telegram_id, attempt };
  });

  on(app, sendOtp, async ({ telegram_id, attempt }, c) => {
    await limiter.take(limits.addressCodes, c.get('address'));
    await registrations.resend({ telegramId: Number(telegram_id), attempt });
    return { message: codeIsOnItsWay };
  });

  on(app, verifyOtp, async ({ telegram_id, otp_code, attempt }, c) => {
    await limiter.take(limits.addressCodes, c.get('address'));
    const telegramId = Number(telegram_id);
    await registrations.activate({ telegramId, attempt }, otp_code);
    return {
      access_token: await sessions.start(telegramId, c.req.header('User-Agent')),
      token_type: 'bearer',
    };
  });

  on(app, changePassword, async ({ current_password, new_password, end_other_sessions }, c) => {
    await accounts.changePassword(requireUser(c), {
      current: current_password,
      next: new_password,
      endOthers: end_other_sessions,
    });
  });

  on(app, deleteAccount, async ({ password }, c) => {
    await accounts.remove(requireUser(c), password);
  });
}
