/** Every refusal of the server: a stable code and its HTTP status. The sentence for the user is beside it. */
import * as v from 'valibot';

import { type errorTexts } from './error-texts.ts';

export const errorStatuses = {
  invalid_input: 422,
  invalid_json: 400,
  unsupported_media_type: 415,
  body_too_large: 413,
  not_found: 404,
  unauthenticated: 401,
  rate_limited: 429,
  busy: 503,
  unexpected: 500,

  wrong_credentials: 401,
  code_required: 403,
  /** 403, as a 401 would end the session of a user who mistyped. */
  wrong_password: 403,
  not_verified: 403,
  account_exists: 409,
  weak_password: 422,
  invalid_code: 400,
  invalid_launch_data: 401,
  no_account: 404,
  session_not_found: 404,
  /** 403, as a 401 would end the session of a user who confirms something. */
  passkey_unknown: 403,
  passkey_refused: 403,
  too_many_passkeys: 409,

  bot_not_in_chat: 404,
  bot_cannot_delete: 403,
  owner_unreachable: 403,
  owner_unknown: 403,
  not_owner: 403,
  /** 403, as a 401 would end a session that is still valid. */
  launch_too_old: 403,
  chat_not_verified: 403,
  chat_not_found: 404,
  bot_not_started: 403,
  bot_may_not_write: 403,
  change_not_found: 404,
  action_not_found: 404,
  action_not_undoable: 409,
  /** The sentence says what Telegram needs. */
  telegram_refused: 409,
  topic_not_found: 404,
  picture_unreadable: 422,
  picture_too_large: 413,
  too_many_pictures: 409,
  storage_quota: 507,
  storage_full: 507,
  generation_not_found: 404,
  link_expired: 403,
  invalid_cursor: 400,
  model_not_found: 404,
  model_service_failed: 503,
  service_unavailable: 503,
  service_busy: 429,
  service_slow: 504,
  service_answer_broken: 502,
  nothing_found: 404,
  service_not_set_up: 503,
  service_key_refused: 502,
  service_refused: 502,
  connection_refused: 400,
  /** 403: the service allows only listed accounts. */
  account_not_allowed: 403,
  connection_attempt_unknown: 400,
  connection_lost: 409,
  not_linked: 409,
  video_token_invalid: 403,
  video_not_found: 404,
  foreign_person: 403,

  telegram_unavailable: 503,

  job_not_found: 404,
  job_key_used: 409,
  generation_cancelled: 409,
  generation_interrupted: 503,
  generation_slow: 504,
  generation_refused: 422,
  invalid_model: 422,
  ratio_impossible: 422,
  out_of_credit: 402,
  picture_broken: 502,
  download_refused: 403,
  source_gone: 410,
  picture_gone: 410,
  image_service_key: 502,
  image_service_busy: 503,
  image_service_unavailable: 503,
  enhancement_failed: 502,
} as const satisfies Record<keyof typeof errorTexts, number>;

export type ErrorCode = keyof typeof errorStatuses;

const validationIssue = v.object({ msg: v.string() });
const sentence = v.pipe(v.string(), v.trim(), v.nonEmpty());

/** The bodies of failed calls: ours, FastAPI's list of issues, and a bare `message`. Ours is in the language asked for. */
const errorBody = v.object({
  detail: v.optional(v.union([sentence, v.pipe(v.array(validationIssue), v.nonEmpty())])),
  message: v.optional(sentence),
  code: v.optional(v.string()),
});

/**
 * Reads the sentence to show and the code of a refusal; each is absent when the body has none. Never
 * throws, whatever the body is (HTML, an empty string, a list).
 */
export function readErrorBody(body: unknown): { detail?: string; code?: string } {
  const parsed = v.safeParse(errorBody, body);
  if (!parsed.success) {
    const bare = v.safeParse(v.object({ message: sentence }), body);
    return bare.success ? { detail: bare.output.message } : {};
  }
  const { detail, message, code } = parsed.output;
  const shown =
    message ?? (typeof detail === 'object' ? detail.map(({ msg }) => msg).join('. ') : detail);
  return {
    ...(shown !== undefined && { detail: shown }),
    ...(code !== undefined && { code }),
  };
}
