/** What the running bot asks of the Bot API: its updates, its own settings, and its answers in chats. */
import { Api } from 'grammy';
import {
  type BotCommand,
  type BotCommandScope,
  type Chat,
  type Update,
  type UserFromGetMe,
} from 'grammy/types';
import * as v from 'valibot';

import {
  BotFailure,
  deletionOutcome,
  type DeletionOutcome,
  inBotFailures,
  inPlainErrors,
  isUnreachable,
} from './errors.ts';

/** The updates that the bot works with; Telegram leaves out `chat_member` unless it is asked for. */
const updateKinds = ['message', 'edited_message', 'my_chat_member', 'chat_member'] as const;

/** Telegram answers at once when there is something, and after this when there is nothing. */
const longPollS = 25;
const timeoutS = 10;
/** More are not shown from one offset on. */
export const updatesPerCall = 100;

/** A button under an answer: opens an address, or Nori inside Telegram (private chats only). */
export type AnswerButton = {
  readonly text: string;
  readonly url: string;
  readonly opens: 'link' | 'mini app';
};

type Answer = {
  readonly chatId: number;
  /** Plain text: nothing in it is read as formatting. */
  readonly text: string;
  /** Undefined outside of topics, also in General. */
  readonly topicId?: number | undefined;
  readonly replyTo?: number | undefined;
  /** One in each row. */
  readonly buttons?: readonly AnswerButton[];
};

/** Throws `BotFailure`, unless it says something else. No error holds the token. */
export type TelegramBot = {
  readonly me: (signal?: AbortSignal) => Promise<UserFromGetMe>;
  /** Waits up to 25 s for updates from `offset` on; those before it are gone then. */
  readonly updates: (offset: number | undefined, signal: AbortSignal) => Promise<readonly Update[]>;
  /** Tells Telegram that the updates before `offset` have been worked off. */
  readonly confirm: (offset: number) => Promise<void>;
  readonly setWebhook: (url: string, secret: string) => Promise<void>;
  /** What waits at Telegram is kept. */
  readonly deleteWebhook: () => Promise<void>;
  readonly setCommands: (scope: BotCommandScope, commands: readonly BotCommand[]) => Promise<void>;
  readonly setMenuButton: (button: {
    readonly text: string;
    readonly url: string;
  }) => Promise<void>;
  /** The id of the message. Throws `telegram_unavailable`, or the refusal; see telegram-errors.ts. */
  readonly answer: (answer: Answer) => Promise<number | 'unreachable'>;
  /** 1 to 100 messages; those that are not there any more are passed over. Asks once. */
  readonly deleteMessages: (
    chatId: number,
    messageIds: readonly number[],
  ) => Promise<DeletionOutcome>;
};

/** Connects to the Bot API at `apiRoot` (Telegram's own when absent). Sends nothing by itself. */
export function connectTelegramBot({
  token,
  apiRoot,
}: {
  readonly token: string;
  readonly apiRoot?: string | undefined;
}): TelegramBot {
  const root =
    apiRoot === undefined || apiRoot === '' ? {} : { apiRoot: apiRoot.replace(/\/+$/, '') };
  const api = new Api(token, { ...root, timeoutSeconds: timeoutS });
  const polls = new Api(token, { ...root, timeoutSeconds: longPollS + timeoutS });
  const allowed_updates = [...updateKinds];

  return {
    me: async (signal) => botUser(await inBotFailures(() => api.getMe(clientSignal(signal)))),
    updates: async (offset, signal) =>
      updatesOf(
        await inBotFailures(() =>
          polls.getUpdates(
            {
              ...(offset === undefined ? {} : { offset }),
              timeout: longPollS,
              limit: updatesPerCall,
              allowed_updates,
            },
            clientSignal(signal),
          ),
        ),
      ),
    confirm: (offset) => settle(() => api.getUpdates({ offset, timeout: 0, limit: 1 })),
    setWebhook: (url, secret) =>
      settle(() =>
        api.setWebhook(url, { secret_token: secret, allowed_updates, max_connections: 100 }),
      ),
    deleteWebhook: () => settle(() => api.deleteWebhook()),
    setCommands: (scope, commands) => settle(() => api.setMyCommands([...commands], { scope })),
    setMenuButton: ({ text, url }) =>
      settle(() =>
        api.setChatMenuButton({ menu_button: { type: 'web_app', text, web_app: { url } } }),
      ),

    deleteMessages: async (chatId, messageIds) => {
      try {
        const [only, ...others] = messageIds;
        await inPlainErrors(() =>
          only !== undefined && others.length === 0
            ? api.deleteMessage(chatId, only)
            : api.deleteMessages(chatId, [...messageIds]),
        );
        return { kind: 'gone', isOurs: true };
      } catch (error) {
        return deletionOutcome(error);
      }
    },

    answer: async ({ chatId, text, topicId, replyTo, buttons = [] }) => {
      try {
        const sent = await inPlainErrors(() =>
          api.sendMessage(chatId, text, {
            link_preview_options: { is_disabled: true },
            ...(topicId === undefined ? {} : { message_thread_id: topicId }),
            ...(replyTo === undefined
              ? {}
              : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
            ...(buttons.length === 0
              ? {}
              : { reply_markup: { inline_keyboard: buttons.map((button) => [keyOf(button)]) } }),
          }),
        );
        return sent.message_id;
      } catch (error) {
        if (isUnreachable(error)) {
          return 'unreachable';
        }
        throw error;
      }
    },
  };
}

function keyOf({ text, url, opens }: AnswerButton) {
  return opens === 'link' ? { text, url } : { text, web_app: { url } };
}

const knownUpdate = v.looseObject({ update_id: v.pipe(v.number(), v.safeInteger()) });

/** Whether this is an update; what is in it is Telegram's word, in the shape that grammY describes. */
export function isUpdate(value: unknown): value is Update {
  return v.is(knownUpdate, value);
}

export function isGroup({ type }: Chat): boolean {
  return type === 'group' || type === 'supergroup';
}

/** Throws `BotFailure` for an answer that is no list of updates. */
function updatesOf(answer: unknown): readonly Update[] {
  if (!Array.isArray(answer) || !answer.every(isUpdate)) {
    throw new BotFailure('unreachable', 'Telegram answered getUpdates with something else.');
  }
  return answer;
}

function botUser(answer: UserFromGetMe): UserFromGetMe {
  if (!v.is(v.looseObject({ id: v.number(), username: v.string() }), answer)) {
    throw new BotFailure('unreachable', 'Telegram answered getMe with something else.');
  }
  return answer;
}

async function settle(send: () => Promise<unknown>): Promise<void> {
  await inBotFailures(send);
}

type ClientSignal = NonNullable<Parameters<Api['getMe']>[0]>;

/** The client wants the signal of a library that came before the platform's own, and works with both. */
const clientSignal = (signal: AbortSignal | undefined): ClientSignal | undefined =>
  v.parse(v.optional(v.custom<ClientSignal>((value) => value instanceof AbortSignal)), signal);
