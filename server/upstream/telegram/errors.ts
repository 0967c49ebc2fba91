/**
 * Turns what the Bot API client throws into the product's own refusals. The client's errors end
 * here: those of the network carry the address with the bot's token in it, the others the message
 * with its one-time password, and neither may reach a log.
 */
import { GrammyError, HttpError } from 'grammy';
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';

/** Telegram understood the call and said no (400 or 403). */
class TelegramRefusal extends Error {
  override readonly name = 'TelegramRefusal';
  readonly status: number;
  readonly description: string;
  readonly newChatId: number | undefined;

  constructor({ error_code, description, parameters, method }: GrammyError) {
    super(`Telegram refused ${method}: ${error_code} ${description}`);
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
 * Kept connections are closed by the other side at times, and a call that is just being sent then
 * is lost. It is sent once more; what may arrive twice is a message with the same code.
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

/** Runs one call; whatever it throws is a refusal of ours or a `telegram_unavailable`. */
export async function inPlainErrors<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await overFreshConnection(send);
  } catch (error) {
    if (!(error instanceof GrammyError)) {
      throw new AppError('telegram_unavailable');
    }
    if (error.error_code === 400 || error.error_code === 403) {
      throw new TelegramRefusal(error);
    }
    const { retry_after } = v.parse(parameterSchema, error.parameters);
    throw new AppError(
      'telegram_unavailable',
      retry_after === undefined ? {} : { retryAfterS: retry_after },
    );
  }
}

/** Asks about a chat, and once more by its new id when the group became a supergroup meanwhile. */
export async function followingUpgrade<T>(
  chatId: number,
  askAbout: (chatId: number) => Promise<T>,
): Promise<T> {
  try {
    return await askAbout(chatId);
  } catch (error) {
    if (error instanceof TelegramRefusal && error.newChatId !== undefined) {
      return askAbout(error.newChatId);
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

/** Why a call about a chat failed, in the product's words; an upgrade passes, to be followed. */
export function asChatError(error: unknown): unknown {
  if (!(error instanceof TelegramRefusal) || error.newChatId !== undefined) {
    return error;
  }
  if (missingRight.test(error.description)) {
    return new AppError('bot_cannot_delete');
  }
  if (error.status === 403 || unseenChat.test(error.description)) {
    return new AppError('bot_not_in_chat');
  }
  return error;
}

/** Telegram has never heard of that person in that chat. */
export function isUnknownUser(error: unknown): boolean {
  return error instanceof TelegramRefusal && unknownUser.test(error.description);
}

/** The bot may not write to that person: blocked, never started, deleted, or no such id. */
export function isUnreachable(error: unknown): boolean {
  return (
    error instanceof TelegramRefusal &&
    (error.status === 403 || unknownRecipient.test(error.description))
  );
}

/**
 * Why a call about the bot itself failed: `unauthorized` is a token that Telegram does not know,
 * `conflict` somebody else who asks for the same updates, `refused` a call it will not take as it is.
 */
type BotFailureKind = 'unauthorized' | 'conflict' | 'flooded' | 'refused' | 'unreachable';

/** A call about the bot itself that failed. Its message never holds the token. */
export class BotFailure extends Error {
  override readonly name = 'BotFailure';
  readonly kind: BotFailureKind;
  /** Whole seconds that Telegram wants to be left alone. */
  readonly retryAfterS: number | undefined;

  constructor(kind: BotFailureKind, description: string, retryAfterS?: number) {
    super(description);
    this.kind = kind;
    this.retryAfterS = retryAfterS;
  }
}

const failureKinds: ReadonlyMap<number, BotFailureKind> = new Map([
  [401, 'unauthorized'],
  // What Telegram answers when the token has not even the form of one.
  [404, 'unauthorized'],
  [409, 'conflict'],
  [429, 'flooded'],
  [400, 'refused'],
  [403, 'refused'],
]);

/** Runs one call about the bot itself; throws nothing but `BotFailure`. */
export async function inBotFailures<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
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
 * What became of an order to delete messages. `gone` has nothing left to do, by us or by somebody
 * else; `refused` will not work by trying again: `undeletable` is what Telegram says of a message that
 * is too old and of a bot without the right alike. `later` may work, after as many seconds as Telegram says.
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

/** What a failed deletion means; whatever is not understood is thrown on. */
export function deletionOutcome(error: unknown): DeletionOutcome {
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
  return { kind: 'refused', why: whyRefused(error) };
}

function whyRefused({ status, description }: TelegramRefusal) {
  if (missingDeleteRight.test(description)) {
    return 'no right';
  }
  if (status === 403 || unseenChat.test(description)) {
    return 'not in chat';
  }
  return undeletable.test(description) ? 'undeletable' : 'unknown';
}
