/** A new password for a user who proves the Telegram ID without the old one. */
import * as v from 'valibot';

import { isSent, newPassword, startParam } from './account.ts';
import { attempt, endpoint, initData, otpCode, telegramId, telegramIdOr } from './endpoint.ts';
import { fieldTexts } from './field-texts.ts';
import { newSession } from './session.ts';

/** The capability of a server that has these calls. */
export const passwordReset = 'auth.password-reset';

/** Has the bot send a code. The answer is the same for every ID. */
export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/auth/password/code',
  input: v.object({ telegram_id: telegramIdOr(fieldTexts.allFieldsRequired) }),
  output: v.object({
    message: v.optional(v.string(), ''),
    attempt,
    start_param: startParam,
    is_sent: isSent,
  }),
  status: 202,
});

/** Sets the password, ends all sessions of the user, and starts a new one. */
export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/password/reset',
  input: v.object({
    telegram_id: telegramId,
    otp_code: otpCode,
    attempt,
    new_password: newPassword,
  }),
  output: newSession,
});

/** The same for a user whom Telegram names: launch data of the last hour instead of a code. */
export const resetPasswordWithTelegram = endpoint({
  method: 'POST',
  path: '/auth/password/telegram',
  input: v.object({
    init_data: initData,
    new_password: newPassword,
  }),
  output: newSession,
});
