/** Accounts: registering, the one-time password that proves the Telegram id, and the password. */
import * as v from 'valibot';

import { accountFieldTexts } from './account-texts.ts';
import {
  attempt,
  endpoint,
  initData,
  message,
  noAnswer,
  otpCode,
  telegramId,
  telegramIdOr,
} from './endpoint.ts';
import { fieldTexts } from './field-texts.ts';
import { proof, proofInputs } from './passkeys.ts';
import { newSession } from './session.ts';

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
 * The capability of a server whose bot sends a code, too, when a person opens it by the `start_param` of an answer and
 * presses Start.
 */
export const codeByStart = 'auth.code-by-start';

/** Names an attempt to the bot, by a payload of Start. */
export const startParam = v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)));

/** False when no code was sent, for every ID alike: many were sent today, so that the bot's Start sends it. */
export const isSent = v.optional(v.boolean());

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
    /** Proves that the ID is that of the caller: codes for it are counted apart from those of strangers. */
    init_data: v.optional(initData),
  }),
  output: v.object({
    message: v.optional(v.string(), ''),
    telegram_id: v.optional(telegramId),
    attempt,
    start_param: startParam,
    is_sent: isSent,
  }),
  status: 201,
});

export const sendOtp = endpoint({
  method: 'POST',
  path: '/send-otp',
  input: v.object({ telegram_id: telegramId, attempt, init_data: v.optional(initData) }),
  output: message,
  status: 202,
});

export const verifyOtp = endpoint({
  method: 'POST',
  path: '/verify-otp',
  query: ['telegram_id', 'otp_code'],
  input: v.object({ telegram_id: telegramId, otp_code: otpCode, attempt }),
  output: newSession,
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
  body: Object.keys(proofInputs),
  input: proof,
  output: noAnswer,
  status: 204,
});
