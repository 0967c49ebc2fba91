/** Sessions: logging in by password or by Telegram's launch data, the logged-in user, and logging out. */
import * as v from 'valibot';

import {
  attempt,
  endpoint,
  initData,
  noAnswer,
  noInput,
  otpCode,
  telegramId,
  telegramIdOr,
} from './endpoint.ts';
import { fieldTexts } from './field-texts.ts';

const token = v.pipe(v.string(), v.nonEmpty());

/** Other backends return only the token. */
export const newSession = v.object({
  access_token: token,
  token_type: v.optional(v.string(), 'bearer'),
  telegram_id: v.optional(telegramId),
  /** Proves at the next login that this user has logged in on this device before. */
  device: v.optional(v.string()),
});

/** The `device` of an earlier login on this device. */
export const knownDevice = v.optional(v.pipe(v.string(), v.maxLength(100)));

const { allFieldsRequired } = fieldTexts;
const maxPasswordLength = 256;

const credentials = {
  telegram_id: telegramIdOr(allFieldsRequired),
  password: v.pipe(
    v.string(allFieldsRequired),
    v.nonEmpty(allFieldsRequired),
    v.maxLength(maxPasswordLength, fieldTexts.passwordTooLong(maxPasswordLength)),
  ),
};

/** After `code_required`, with the code that `requestLoginCode` has the bot send. */
export const login = endpoint({
  method: 'POST',
  path: '/login',
  input: v.object({
    ...credentials,
    device: knownDevice,
    otp_code: v.optional(otpCode),
    attempt,
  }),
  output: newSession,
});

/** Has the bot send a code for a login, only with the right password. The answer is the same for every ID and password. */
export const requestLoginCode = endpoint({
  method: 'POST',
  path: '/auth/login/code',
  input: v.object(credentials),
  output: v.object({ message: v.optional(v.string(), ''), attempt }),
  status: 202,
});

export const loginWithTelegram = endpoint({
  method: 'POST',
  path: '/auth/telegram',
  input: v.object({ init_data: initData }),
  output: v.object({ ...newSession.entries, created: v.optional(v.boolean(), false) }),
});

export const readMe = endpoint({
  method: 'GET',
  path: '/auth/me',
  input: noInput,
  output: v.object({
    telegram_id: telegramId,
    email: v.optional(v.string()),
    first_name: v.optional(v.string()),
    username: v.optional(v.string()),
    photo_url: v.optional(v.string()),
    /** False until the user has set one: an account can be confirmed without. */
    has_password: v.optional(v.boolean()),
    /** What the user has chosen for the bot's messages; null where they follow the user's Telegram. */
    language: v.optional(v.nullable(v.string())),
  }),
});

export const logout = endpoint({
  method: 'POST',
  path: '/auth/logout',
  input: noInput,
  output: noAnswer,
  status: 204,
});

/** A session of the user. Times are ISO 8601 UTC. */
const sessionInfo = v.object({
  id: v.string(),
  device: v.string(),
  /** The same in the caller's language. */
  device_translated: v.optional(v.string()),
  /** The first part of the address of the last use, such as `203.0.113.*`; empty when unknown. */
  address: v.optional(v.string(), ''),
  created_at: v.string(),
  last_seen_at: v.string(),
  is_current: v.boolean(),
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/auth/sessions',
  input: noInput,
  output: v.object({ sessions: v.array(sessionInfo) }),
});

/** Ends all sessions of the user except the current one. */
export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/auth/sessions',
  input: noInput,
  output: v.object({ ended: v.number() }),
});

/** The capability of a server that has this call. */
export const sessionEnd = 'auth.end-session';

/** Ends one session of the user; the current one, too. */
export const endOneSession = endpoint({
  method: 'DELETE',
  path: '/auth/sessions/:session_id',
  input: v.object({ session_id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)) }),
  output: noAnswer,
  status: 204,
});
