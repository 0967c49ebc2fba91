/** Every refusal of the server: a stable code, its HTTP status, and the sentence for the user. */
import * as v from 'valibot';

export const errorCodes = {
  invalid_input: {
    status: 422,
    detail: 'Some fields are not valid. Please check them and try again.',
  },
  invalid_json: { status: 400, detail: 'The request body is not valid JSON.' },
  unsupported_media_type: {
    status: 415,
    detail: 'Please send JSON (Content-Type: application/json).',
  },
  body_too_large: { status: 413, detail: 'The request is too large.' },
  not_found: { status: 404, detail: 'There is nothing at this address.' },
  unauthenticated: { status: 401, detail: 'Please log in to continue.' },
  rate_limited: { status: 429, detail: 'Too many requests. Please try again later.' },
  busy: { status: 503, detail: 'The server is busy. Please try again in a moment.' },
  unexpected: { status: 500, detail: 'Something went wrong on our side. Please try again.' },

  wrong_credentials: { status: 401, detail: 'Wrong Telegram user ID or password.' },
  /** 403, as a 401 would end the session of a user who mistyped. */
  wrong_password: { status: 403, detail: 'This is not your current password.' },
  not_verified: {
    status: 403,
    detail: 'This account is not verified yet. Please sign up again to get a new code.',
  },
  account_exists: { status: 409, detail: 'You already have an account. Please log in.' },
  weak_password: { status: 422, detail: 'Please choose another password.' },
  invalid_code: { status: 400, detail: 'Invalid or expired verification code' },
  invalid_launch_data: {
    status: 401,
    detail: 'Telegram could not confirm who you are. Please close the app and open it again.',
  },
  no_account: { status: 404, detail: 'There is no account for this Telegram user yet.' },

  bot_not_in_chat: {
    status: 404,
    detail: 'The bot is not in this chat. Add it to the chat as an administrator, then try again.',
  },
  bot_cannot_delete: {
    status: 403,
    detail:
      'The bot may not delete messages in this chat. Give it the "Delete messages" right, then try again.',
  },
  owner_unreachable: {
    status: 403,
    detail:
      'The bot may not message the owner of this chat yet. The owner has to open the bot and press Start.',
  },
  owner_unknown: {
    status: 403,
    detail: 'Telegram does not tell who owns this chat, so no code can be sent.',
  },
  not_owner: {
    status: 403,
    detail: 'Telegram says that you are not the owner of this chat. Its owner can agree by a code.',
  },
  /** 403, as a 401 would end a session that is still valid. */
  launch_too_old: {
    status: 403,
    detail:
      'Telegram confirmed too long ago who you are. Close Nori and open it again from Telegram, or use a code.',
  },
  chat_not_verified: {
    status: 403,
    detail: 'You do not manage this chat. Verify that you own it to change its settings.',
  },
  chat_not_found: { status: 404, detail: 'This chat is not in your list.' },
  bot_not_started: {
    status: 403,
    detail: 'The bot may not show you your groups yet. Open the bot, press Start, and come back.',
  },
  change_not_found: { status: 404, detail: 'This change is no longer in the history of the chat.' },
  topic_not_found: { status: 404, detail: 'This chat has no such topic.' },
  picture_unreadable: {
    status: 422,
    detail: 'This file is not a picture that can be read. PNG, JPEG and WebP are possible.',
  },
  picture_too_large: {
    status: 413,
    detail: 'The picture is too large. At most 20 MB are possible.',
  },
  too_many_pictures: {
    status: 409,
    detail: 'You have saved as many pictures as are possible. Delete some to save new ones.',
  },
  storage_quota: {
    status: 507,
    detail: 'Your pictures take up all the space that you have here. Delete some to save new ones.',
  },
  storage_full: {
    status: 507,
    detail: 'The server has no room for pictures right now. Please try again later.',
  },
  generation_not_found: { status: 404, detail: 'There is no such picture in your history.' },
  link_expired: { status: 403, detail: 'This link has expired. Please load the page again.' },
  invalid_cursor: { status: 400, detail: 'This list cannot be continued. Please load it again.' },
  model_not_found: { status: 404, detail: 'There is no model with this ID.' },
  model_service_failed: {
    status: 503,
    detail: 'The model list does not answer right now. Please try again in a moment.',
  },
  service_unavailable: {
    status: 503,
    detail: 'The service does not answer right now. Please try again in a moment.',
  },
  service_busy: {
    status: 429,
    detail: 'The service is asked too often right now. Please try again in a minute.',
  },
  service_slow: {
    status: 504,
    detail: 'The service took too long to answer. Please try again.',
  },
  service_answer_broken: {
    status: 502,
    detail: 'The service gave an answer that cannot be used. Please try again later.',
  },
  nothing_found: { status: 404, detail: 'Nothing was found.' },
  service_not_set_up: { status: 503, detail: 'This service is not connected on this server.' },
  service_key_refused: { status: 502, detail: 'The service refuses this server.' },
  service_refused: { status: 502, detail: 'The service refused the sign-in.' },
  connection_refused: {
    status: 400,
    detail: 'This sign-in has expired. Please start again from Nori.',
  },
  /** 403: the service allows only listed accounts. */
  account_not_allowed: {
    status: 403,
    detail: 'The service does not let this account use Nori.',
  },
  connection_attempt_unknown: {
    status: 400,
    detail: 'This link has expired or was already used. Please start again from Nori.',
  },
  connection_lost: {
    status: 409,
    detail: 'The link to the service is no longer valid. Please link your account again.',
  },
  not_linked: { status: 409, detail: 'This account is not linked yet.' },
  video_token_invalid: {
    status: 403,
    detail: 'This video link has expired. Please load the video again.',
  },
  video_not_found: { status: 404, detail: 'There is no such video.' },
  foreign_person: { status: 403, detail: 'This belongs to another user.' },

  telegram_unavailable: {
    status: 503,
    detail: 'Telegram does not answer right now. Please try again in a moment.',
  },

  job_not_found: { status: 404, detail: 'This picture was not requested here.' },
  job_key_used: { status: 409, detail: 'This key was used for another picture.' },
  generation_cancelled: { status: 409, detail: 'This picture was cancelled.' },
  generation_interrupted: {
    status: 503,
    detail: 'The server was restarted while your picture was being made. Please try again.',
  },
  generation_slow: {
    status: 504,
    detail: 'The picture took too long to make. Please try again.',
  },
  generation_refused: {
    status: 422,
    detail:
      'The image service refused to make this picture. Please change the prompt or the settings.',
  },
  invalid_model: {
    status: 422,
    detail: 'The image service does not know this model. Please choose another one.',
  },
  ratio_impossible: {
    status: 422,
    detail: 'The image service cannot make this shape. Please choose another one.',
  },
  out_of_credit: {
    status: 402,
    detail: 'The image service has no credit left. Please tell the operator of this server.',
  },
  picture_broken: {
    status: 502,
    detail: 'The image service sent something that is no picture. Please try again.',
  },
  download_refused: {
    status: 403,
    detail: 'Pictures from this address cannot be downloaded here.',
  },
  picture_gone: {
    status: 410,
    detail: 'The picture is gone from the image service. Please make it again.',
  },
  image_service_key: {
    status: 502,
    detail: 'The image service refuses the key of this server. Please tell its operator.',
  },
  image_service_busy: {
    status: 503,
    detail: 'The image service is busy. Please try again in a moment.',
  },
  image_service_unavailable: {
    status: 503,
    detail: 'The image service does not answer right now. Please try again in a moment.',
  },
  enhancement_failed: { status: 502, detail: 'Failed to enhance prompt' },
} as const satisfies Record<string, { status: number; detail: string }>;

export type ErrorCode = keyof typeof errorCodes;

const validationIssue = v.object({ msg: v.string() });

/** The bodies of failed calls: ours, FastAPI's list of issues, and a bare `message`. */
const errorBody = v.object({
  detail: v.optional(
    v.union([
      v.pipe(v.string(), v.trim(), v.nonEmpty()),
      v.pipe(v.array(validationIssue), v.nonEmpty()),
    ]),
  ),
  message: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty())),
  code: v.optional(v.string()),
});

/**
 * Reads the sentence to show and the code of a refusal; each is absent when the body has none. Never
 * throws, whatever the body is (HTML, an empty string, a list).
 */
export function readErrorBody(body: unknown): { detail?: string; code?: string } {
  const fallback = v.safeParse(
    v.object({ message: v.pipe(v.string(), v.trim(), v.nonEmpty()) }),
    body,
  );
  const parsed = v.safeParse(errorBody, body);
  if (!parsed.success) {
    return fallback.success ? { detail: fallback.output.message } : {};
  }
  const { detail, message, code } = parsed.output;
  const sentence =
    typeof detail === 'object' ? detail.map(({ msg }) => msg).join('. ') : (detail ?? message);
  return {
    ...(sentence === undefined ? {} : { detail: sentence }),
    ...(code === undefined ? {} : { code }),
  };
}
