/** Every refusal the server can give: a stable code, its HTTP status, and the sentence a person reads. */
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
  /** 403, as a 401 would end the session of somebody who mistyped. */
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
  chat_not_verified: {
    status: 403,
    detail: 'You do not manage this chat. Verify that you own it to change its settings.',
  },
  chat_not_found: { status: 404, detail: 'This chat is not in your list.' },
  topic_not_found: { status: 404, detail: 'This chat has no such topic.' },
  telegram_unavailable: {
    status: 503,
    detail: 'Telegram does not answer right now. Please try again in a moment.',
  },
} as const satisfies Record<string, { status: number; detail: string }>;

export type ErrorCode = keyof typeof errorCodes;

const validationIssue = v.object({ msg: v.string() });

/** The bodies a failed call may have: ours, FastAPI's list of issues, and a bare `message`. */
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
 * The one reader of refusals: the sentence to show and the stable code, each absent when the body
 * does not say. Never throws, whatever the body (HTML, an empty string, a list).
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
