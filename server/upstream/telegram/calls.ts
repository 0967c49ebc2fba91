/**
 * Calls the Bot API and turns the errors of its client into our own. The client's errors must not reach a
 * log: network errors contain the address with the bot's token, others the message with its one-time
 * password.
 */
import { Api, GrammyError, HttpError } from 'grammy';
import * as v from 'valibot';

import { AppError, Unfinished } from '#server/lib/errors';
import { throwUnlessHeld } from '#server/lib/holding';
import { metrics, timed } from '#server/lib/telemetry';

/** Connects to the Bot API at `apiRoot`, or at Telegram's own address. Sends nothing by itself. */
export function createApi(
  { token, apiRoot = '' }: { readonly token: string; readonly apiRoot?: string | undefined },
  timeoutSeconds: number,
): Api {
  const api = new Api(token, {
    timeoutSeconds,
    ...(apiRoot === '' ? {} : { apiRoot: apiRoot.replace(/\/+$/, '') }),
  });
  api.config.use((send, ...sent) => {
    throwUnlessHeld();
    return watchCall(sent[0], () => send(...sent));
  });
  return api;
}

type Answered = {
  readonly ok: boolean;
  readonly error_code?: number;
  readonly parameters?: unknown;
};

const tooManyCalls = 429;

function toCallOutcome({ ok, error_code = 0 }: Answered): string {
  if (ok) {
    return 'done';
  }
  return error_code === tooManyCalls ? 'flooded' : error_code < 500 ? 'refused' : 'unavailable';
}

/** What metrics and traces know of a call: its method and how it ended. */
async function watchCall<Reply extends Answered>(
  method: string,
  send: () => Promise<Reply>,
): Promise<Reply> {
  const what = {
    what: 'telegramCall',
    labels: { method },
    toOutcome: toCallOutcome,
    toFailure: () => 'unreachable',
  } as const;
  const reply = await timed(what, send);
  if (!reply.ok && reply.error_code === tooManyCalls) {
    const { retry_after = 0 } = v.parse(parameterSchema, reply.parameters);
    metrics.count('floodWaits', {});
    metrics.count('floodWaitSeconds', {}, retry_after);
  }
  return reply;
}

/** Telegram understood the call and refused it (400 or 403), or its server lacks the method. */
class TelegramRefusal extends Error {
  override readonly name = 'TelegramRefusal';
  readonly method: string;
  readonly status: number;
  readonly description: string;
  readonly newChatId: number | undefined;

  constructor({ error_code, description, parameters, method }: GrammyError) {
    super(`Telegram refused ${method}: ${error_code} ${description}`);
    this.method = method;
    this.status = error_code;
    this.description = description;
    this.newChatId = v.parse(parameterSchema, parameters).migrate_to_chat_id;
  }
}

const integer = v.fallback(v.optional(v.pipe(v.number(), v.safeInteger())), undefined);
const parameterSchema = v.fallback(
  v.object({ migrate_to_chat_id: integer, retry_after: integer }),
  { migrate_to_chat_id: undefined, retry_after: undefined },
);

const brokenConnection = v.object({
  error: v.object({ code: v.picklist(['ECONNRESET', 'EPIPE']) }),
});

/**
 * Telegram closes kept connections at times, and a call that is just being sent is then lost. It is sent once
 * more; a message may then arrive twice, with the same code.
 */
async function overFreshConnection<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof HttpError && v.is(brokenConnection, error)) {
      return send();
    }
    throw error;
  }
}

const understood = (error: GrammyError) => error.error_code === 400 || error.error_code === 403;

const unknownMethod = /method not found/i;

/**
 * Calls once. Throws a `TelegramRefusal`, `telegram_unavailable`, or `Unfinished` when the process has lost its lock. What
 * counts as a refusal is 400 and 403, if a caller says nothing else.
 */
export async function call<T>(send: () => Promise<T>, isRefusal = understood): Promise<T> {
  try {
    return await overFreshConnection(send);
  } catch (error) {
    if (error instanceof Unfinished) {
      throw error;
    }
    if (!(error instanceof GrammyError)) {
      throw new AppError('telegram_unavailable');
    }
    if (isRefusal(error)) {
      throw new TelegramRefusal(error);
    }
    const { retry_after } = v.parse(parameterSchema, error.parameters);
    throw new AppError(
      'telegram_unavailable',
      retry_after === undefined ? {} : { retryAfterS: retry_after },
    );
  }
}

/** Calls once and parses the result; one of another shape counts as `telegram_unavailable`. */
export async function callAndParse<T>(
  send: () => Promise<unknown>,
  schema: v.GenericSchema<unknown, T>,
): Promise<T> {
  const parsed = v.safeParse(schema, await call(send));
  if (!parsed.success) {
    throw new AppError('telegram_unavailable');
  }
  return parsed.output;
}

/** Calls about a chat, and once more with its new id when the group became a supergroup meanwhile. */
export async function followUpgrade<T>(
  chatId: number,
  callAbout: (chatId: number) => Promise<T>,
): Promise<T> {
  try {
    return await callAbout(chatId);
  } catch (error) {
    if (error instanceof TelegramRefusal && error.newChatId !== undefined) {
      return callAbout(error.newChatId);
    }
    throw error;
  }
}

const unseenChat =
  /chat not found|not a member|kicked|peer_id_invalid|chat_id_invalid|channel_(private|invalid)|deactivated|chat_id is empty/i;
const missingRight = /member list is inaccessible|chat_admin_required|not enough rights/i;
const unknownUser =
  /user not found|member not found|participant_id_invalid|user_id_invalid|user_not_participant/i;
const unknownRecipient = /chat not found|user not found|peer_id_invalid|deactivated/i;

/** Throws what a failed call about a chat means; the refusal of an upgraded group as it is, for `followUpgrade`. */
export function throwChatError(error: unknown): never {
  if (error instanceof TelegramRefusal && error.newChatId === undefined) {
    if (missingRight.test(error.description)) {
      throw new AppError('bot_cannot_delete');
    }
    if (error.status === 403 || unseenChat.test(error.description)) {
      throw new AppError('bot_not_in_chat');
    }
  }
  throw error;
}

/** Throws `telegram_refused` for a refused call, and what else has failed as it is. */
export function throwRefusal(error: unknown): never {
  throw error instanceof TelegramRefusal ? new AppError('telegram_refused') : error;
}

/** Whether Telegram does not have a file that was named, or not for this bot. */
export const isLostFile = (error: unknown): boolean =>
  error instanceof TelegramRefusal && getActionRefusal(error) === 'file lost';

/** Whether Telegram does not know the user, or not in that chat. */
export function isUnknownUser(error: unknown): boolean {
  return error instanceof TelegramRefusal && unknownUser.test(error.description);
}

/** Whether the bot may not write to the user: blocked, never started, deleted, or no such id. */
export function isUnreachable(error: unknown): boolean {
  return (
    error instanceof TelegramRefusal &&
    (error.status === 403 || unknownRecipient.test(error.description))
  );
}

/** `unauthorized`: the token is unknown. `conflict`: another server polls for the same updates. */
type BotFailureKind = 'unauthorized' | 'conflict' | 'flooded' | 'refused' | 'unreachable';

/** A call about the bot itself failed. The message never contains the token. */
export class BotFailure extends Error {
  override readonly name = 'BotFailure';
  readonly kind: BotFailureKind;
  /** How many whole seconds Telegram wants no calls. */
  readonly retryAfterS: number | undefined;

  constructor(kind: BotFailureKind, description: string, retryAfterS?: number) {
    super(description);
    this.kind = kind;
    this.retryAfterS = retryAfterS;
  }
}

const failureKinds: ReadonlyMap<number, BotFailureKind> = new Map([
  [401, 'unauthorized'],
  // The token does not even have the form of one.
  [404, 'unauthorized'],
  [409, 'conflict'],
  [429, 'flooded'],
  [400, 'refused'],
  [403, 'refused'],
]);

/** Calls once, about the bot itself; throws only `BotFailure`, or `Unfinished` when the process has lost its lock. */
export async function callAboutBot<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof Unfinished) {
      throw error;
    }
    if (!(error instanceof GrammyError)) {
      throw new BotFailure('unreachable', 'Telegram does not answer.');
    }
    const { retry_after } = v.parse(parameterSchema, error.parameters);
    throw new BotFailure(
      failureKinds.get(error.error_code) ?? 'unreachable',
      `Telegram answered ${error.method}: ${error.error_code} ${error.description}`,
      retry_after,
    );
  }
}

/**
 * What Telegram answers to a deletion. `gone`: there is nothing left to do; `isOurs` when this call deleted
 * the messages. `refused`: trying again does not help; `undeletable` is a message that is too old, or a
 * missing right. `moved`: the group became a supergroup. `later`: trying again may help, after as many
 * seconds as Telegram says.
 */
export type DeletionOutcome =
  | { readonly kind: 'gone'; readonly isOurs: boolean }
  | {
      readonly kind: 'refused';
      readonly why: 'no right' | 'not in chat' | 'undeletable' | 'unknown';
    }
  | { readonly kind: 'moved'; readonly chatId: number }
  | { readonly kind: 'later'; readonly retryAfterS: number | undefined };

const alreadyGone = /message to delete not found|message_id_invalid/i;
const missingDeleteRight = /not enough rights|chat_admin_required|message_delete_forbidden/i;
const undeletable = /message can't be deleted/i;

/** Returns what a failed deletion means; throws other errors again. */
export function toDeletionOutcome(error: unknown): DeletionOutcome {
  if (error instanceof AppError) {
    return { kind: 'later', retryAfterS: error.retryAfterS };
  }
  if (!(error instanceof TelegramRefusal)) {
    throw error;
  }
  if (error.newChatId !== undefined) {
    return { kind: 'moved', chatId: error.newChatId };
  }
  if (alreadyGone.test(error.description)) {
    return { kind: 'gone', isOurs: false };
  }
  return { kind: 'refused', why: getRefusalReason(error) };
}

function getRefusalReason({ status, description }: TelegramRefusal) {
  if (missingDeleteRight.test(description)) {
    return 'no right';
  }
  if (status === 403 || unseenChat.test(description)) {
    return 'not in chat';
  }
  return undeletable.test(description) ? 'undeletable' : 'unknown';
}

/** Why Telegram refused a call about a chat. */
export type ActionRefusal =
  /** The bot lacks the right. */
  | 'no right'
  /** The target is an administrator, or the owner. */
  | 'administrator'
  | 'unknown person'
  | 'supergroup only'
  | 'not in chat'
  | 'no topics'
  /** It is so already: `TOPIC_NOT_MODIFIED`, `message is not modified`. */
  | 'unchanged'
  | 'message gone'
  | 'emoji'
  /** It does not have this file, or not as one of this kind, or not for this bot. */
  | 'file lost'
  /** It does not take the address of a button. */
  | 'button'
  /** Another administrator made the target one. */
  | 'not ours'
  /** There is no such request to join any more: they are in, or it was decided or withdrawn. */
  | 'no request'
  /** The set of stickers is gone, has no room, or has its name already. */
  | 'no set'
  | 'set full'
  | 'set exists'
  /** The person has to write to the bot first. */
  | 'not started'
  /** The server of the Bot API does not know the method. */
  | 'unknown method'
  | 'other';

/**
 * `later`: Telegram does not answer, or wants no calls for so many seconds. `moved`: the group became a
 * supergroup with this ID; the call has to be made again there.
 */
export type ActionOutcome<T = true> =
  | { readonly kind: 'done'; readonly result: T }
  | { readonly kind: 'refused'; readonly why: ActionRefusal; readonly description: string }
  | { readonly kind: 'moved'; readonly chatId: number }
  | { readonly kind: 'later'; readonly retryAfterS: number | undefined };

/** Calls once, about what the bot does in a chat or with a press, and resolves with what came of it. */
export async function callForOutcome<T>(send: () => Promise<T>): Promise<ActionOutcome<T>> {
  try {
    const result = await call(
      send,
      // Answered with 404 by a server of the Bot API that is older than the method. A token that is none is, too.
      (error) =>
        understood(error) || (error.error_code === 404 && unknownMethod.test(error.description)),
    );
    return { kind: 'done', result };
  } catch (error) {
    return toActionOutcome(error);
  }
}

/** Returns what a failed call means; throws other errors again. */
function toActionOutcome(error: unknown): Exclude<ActionOutcome, { readonly kind: 'done' }> {
  if (error instanceof AppError) {
    return { kind: 'later', retryAfterS: error.retryAfterS };
  }
  if (!(error instanceof TelegramRefusal)) {
    throw error;
  }
  if (error.newChatId !== undefined) {
    return { kind: 'moved', chatId: error.newChatId };
  }
  return { kind: 'refused', why: getActionRefusal(error), description: error.description };
}

/** The first that fits counts. */
const refusedActions: readonly (readonly [sentence: RegExp, why: ActionRefusal])[] = [
  [
    /not enough rights to change custom title of the user|custom_title_change_forbidden/i,
    'not ours',
  ],
  [
    /not enough rights|chat_admin_required|right_forbidden|need administrator rights|tag_change_forbidden/i,
    'no right',
  ],
  [/chat_write_forbidden|topic_closed|no write access|no rights to send/i, 'no right'],
  [
    /user is an administrator of the chat|(?:remove|edit) chat owner|only the owner can/i,
    'administrator',
  ],
  [
    /user not found|member not found|participant_id_invalid|invalid user_id specified|user_id_invalid|user_not_participant/i,
    'unknown person',
  ],
  [/method is available (?:only )?for (?:groups and )?supergroup/i, 'supergroup only'],
  [/not_modified|is not modified|query is too old/i, 'unchanged'],
  [/not a (?:supergroup )?forum/i, 'no topics'],
  [/message (?:to (?:\w+ ){1,2})?not found|message_id_invalid/i, 'message gone'],
  [/emoji_not_allowed/i, 'emoji'],
  [
    /wrong (?:remote )?file|http url (?:specified|content)|wrong type of the web page content|webpage_\w+|file is too big|too big for|group send failed|image_process_failed|file_id_invalid|file_reference|can't use file of type|type of file mismatch|media_(?:empty|invalid)|photo_invalid|voice_messages_forbidden/i,
    'file lost',
  ],
  [/inline keyboard button url|button_url_invalid/i, 'button'],
  [/hide_requester_missing|user_already_participant/i, 'no request'],
  [/stickerset_invalid/i, 'no set'],
  [/stickers_too_much/i, 'set full'],
  [/set name is already occupied/i, 'set exists'],
];

function getActionRefusal({ method, status, description }: TelegramRefusal): ActionRefusal {
  if (status === 404) {
    return 'unknown method';
  }
  // The bot's own right was there; it is asked for first, and in other words.
  if (method === 'promoteChatMember' && /chat_admin_required/i.test(description)) {
    return 'not ours';
  }
  if (
    /sticker/i.test(method) &&
    /peer_id_invalid|user not found|bot was blocked/i.test(description)
  ) {
    return 'not started';
  }
  const known = refusedActions.find(([sentence]) => sentence.test(description));
  if (known !== undefined) {
    return known[1];
  }
  return status === 403 || unseenChat.test(description) ? 'not in chat' : 'other';
}
