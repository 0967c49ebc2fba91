/** Accounts: registering, the one-time password that proves the Telegram id, and the password. */
import * as v from 'valibot';

import { accountFieldTexts } from './account-texts.ts';
import { endpoint, message, noAnswer, otpCode, telegramId, telegramIdOr } from './endpoint.ts';
import { fieldTexts } from './field-texts.ts';

const { allFieldsRequired } = fieldTexts;
const required = v.pipe(v.string(allFieldsRequired), v.trim(), v.nonEmpty(allFieldsRequired));

/** Length is counted in code points, so that one emoji is one character. */
export const passwordLength = { min: 8, max: 256 } as const;

export const newPassword = v.pipe(
  v.string(allFieldsRequired),
  v.nonEmpty(allFieldsRequired),
  v.check(
    (password) => Array.from(password).length >= passwordLength.min,
    accountFieldTexts.passwordTooShort(passwordLength.min),
  ),
  v.check(
    (password) => Array.from(password).length <= passwordLength.max,
    fieldTexts.passwordTooLong(passwordLength.max),
  ),
);

/**
 * Names the registration that a code belongs to. Our server returns it to the browser that registered,
 * and accepts the code only together with it. Other backends do not know it.
 */
export const attempt = v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(64)));

export const register = endpoint({
  method: 'POST',
  path: '/register',
  input: v.object({
    telegram_id: telegramIdOr(allFieldsRequired),
    email: v.pipe(
      required,
      v.email(accountFieldTexts.emailMalformed),
      v.maxLength(254, accountFieldTexts.emailMalformed),
    ),
    password: newPassword,
  }),
  output: v.object({
    message: v.optional(v.string(), ''),
    telegram_id: v.optional(telegramId),
    attempt,
  }),
  status: 201,
});

export const sendOtp = endpoint({
  method: 'POST',
  path: '/send-otp',
  input: v.object({ telegram_id: telegramId, attempt }),
  output: message,
  status: 202,
});

export const verifyOtp = endpoint({
  method: 'POST',
  path: '/verify-otp',
  query: ['telegram_id', 'otp_code'],
  input: v.object({ telegram_id: telegramId, otp_code: otpCode, attempt }),
  output: v.object({
    access_token: v.pipe(v.string(), v.nonEmpty()),
    token_type: v.optional(v.string(), 'bearer'),
  }),
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/auth/password',
  input: v.object({
    current_password: v.pipe(
      v.string(allFieldsRequired),
      v.nonEmpty(allFieldsRequired),
      v.maxLength(256),
    ),
    new_password: newPassword,
    end_other_sessions: v.optional(v.boolean(), true),
  }),
  output: noAnswer,
  status: 204,
});

/** Deletes the account and all that belongs to it. */
export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/auth/me',
  body: ['password'],
  input: v.object({
    password: v.pipe(v.string(allFieldsRequired), v.nonEmpty(allFieldsRequired), v.maxLength(256)),
  }),
  output: noAnswer,
  status: 204,
});
