/** What the running bot asks of the Bot API: updates, its own settings, answers in chats, and deletions. */
import { type Api } from 'grammy';
import {
  type BotCommand,
  type BotCommandScope,
  type Chat,
  type ChatMember,
  type Update,
  type UserFromGetMe,
} from 'grammy/types';
import * as v from 'valibot';

import { type Language } from '#contract/languages';

import {
  BotFailure,
  call,
  callAboutBot,
  createApi,
  type DeletionOutcome,
  isUnreachable,
  toDeletionOutcome,
} from './calls.ts';
import { botGroupRights } from './rights.ts';

/** The updates that the bot handles; Telegram leaves out `chat_member` unless it is named. */
const updateKinds = [
  'message',
  'edited_message',
  'my_chat_member',
  'chat_member',
  'callback_query',
  'inline_query',
  'chosen_inline_result',
  'guest_message',
  'channel_post',
  'message_reaction',
  'chat_join_request',
  'stopped_message_generation',
] as const;

/** How long Telegram waits for updates when there are none. */
const longPollS = 25;
const timeoutS = 10;
/** Telegram shows no more from one offset on. */
export const updatesPerCall = 100;

/** A button under an answer: opens an address, or Nori inside Telegram (private chats only). */
export type AnswerButton = {
  readonly text: string;
  readonly url: string;
  readonly opens: 'link' | 'mini app';
};

type Answer = {
  readonly chatId: number;
  /** Plain text without formatting. */
  readonly text: string;
  /** Undefined outside of topics, and in General. */
  readonly topicId?: number | undefined;
  readonly replyTo?: number | undefined;
  /** One in each row. */
  readonly buttons?: readonly AnswerButton[];
};

export type MenuButton = { readonly text: string; readonly url: string };

/** Throws `BotFailure` unless a call says otherwise. No error contains the token. */
export type TelegramBot = {
  readonly me: (signal?: AbortSignal) => Promise<UserFromGetMe>;
  /** Waits up to 25 s for updates from `offset` on; those before it are confirmed. */
  readonly updates: (offset: number | undefined, signal: AbortSignal) => Promise<readonly Update[]>;
  /** Confirms the updates before `offset`. */
  readonly confirm: (offset: number) => Promise<void>;
  readonly setWebhook: (url: string, secret: string) => Promise<void>;
  /** Keeps the updates that wait at Telegram. */
  readonly deleteWebhook: () => Promise<void>;
  /**
   * Sets a list of commands for users whose Telegram has the language, or for those without a list of theirs.
   * An empty list removes it. So does an empty text of the two calls below.
   */
  readonly setCommands: (
    scope: BotCommandScope,
    commands: readonly BotCommand[],
    language?: Language,
  ) => Promise<void>;
  /** What an empty chat with the bot shows; at most 512 characters. */
  readonly setDescription: (text: string, language?: Language) => Promise<void>;
  /** What the bot's profile and links to it show; at most 120 characters. */
  readonly setShortDescription: (text: string, language?: Language) => Promise<void>;
  /** Which rights Telegram proposes to those who make the bot an administrator of a group. */
  readonly setDefaultRights: () => Promise<void>;
  /** Sets the button of one private chat, or of those that have none of theirs; undefined removes that. */
  readonly setMenuButton: (button: MenuButton | undefined, telegramId?: number) => Promise<void>;
  /** Returns the id of the sent message. Throws `telegram_unavailable`, or Telegram's refusal. */
  readonly answer: (answer: Answer) => Promise<number | 'unreachable'>;
  /** Deletes 1 to 100 messages; Telegram skips those that are already deleted. */
  readonly deleteMessages: (
    chatId: number,
    messageIds: readonly number[],
  ) => Promise<DeletionOutcome>;
};

/** Connects to the Bot API at `apiRoot`, or at Telegram's own address. Sends nothing by itself. */
export function connectTelegramBot(server: {
  readonly token: string;
  readonly apiRoot?: string | undefined;
}): TelegramBot {
  const api = createApi(server, timeoutS);
  const polls = createApi(server, longPollS + timeoutS);
  const allowed_updates = [...updateKinds];

  return {
    me: async (signal) => checkBotUser(await callAboutBot(() => api.getMe(toClientSignal(signal)))),
    updates: async (offset, signal) =>
      checkUpdates(
        await callAboutBot(() =>
          polls.getUpdates(
            {
              ...(offset === undefined ? {} : { offset }),
              timeout: longPollS,
              limit: updatesPerCall,
              allowed_updates,
            },
            toClientSignal(signal),
          ),
        ),
      ),
    confirm: (offset) => run(() => api.getUpdates({ offset, timeout: 0, limit: 1 })),
    setWebhook: (url, secret) =>
      run(() =>
        api.setWebhook(url, { secret_token: secret, allowed_updates, max_connections: 100 }),
      ),
    deleteWebhook: () => run(() => api.deleteWebhook()),
    setCommands: (scope, commands, language) =>
      run(() => api.setMyCommands([...commands], { scope, ...toLanguageCode(language) })),
    setDescription: (text, language) =>
      run(() => api.setMyDescription(text, toLanguageCode(language))),
    setShortDescription: (text, language) =>
      run(() => api.setMyShortDescription(text, toLanguageCode(language))),
    setDefaultRights: () =>
      run(() => api.setMyDefaultAdministratorRights({ rights: botGroupRights })),
    setMenuButton: (button, telegramId) =>
      run(() =>
        api.setChatMenuButton({
          ...(telegramId === undefined ? {} : { chat_id: telegramId }),
          menu_button: button
            ? { type: 'web_app', text: button.text, web_app: { url: button.url } }
            : { type: 'default' },
        }),
      ),

    deleteMessages: async (chatId, messageIds) => {
      try {
        const [only, ...others] = messageIds;
        await call(() =>
          only !== undefined && others.length === 0
            ? api.deleteMessage(chatId, only)
            : api.deleteMessages(chatId, [...messageIds]),
        );
        return { kind: 'gone', isOurs: true };
      } catch (error) {
        return toDeletionOutcome(error);
      }
    },

    answer: async ({ chatId, text, topicId, replyTo, buttons = [] }) => {
      try {
        const sent = await call(() =>
          api.sendMessage(chatId, text, {
            link_preview_options: { is_disabled: true },
            ...(topicId === undefined ? {} : { message_thread_id: topicId }),
            ...(replyTo === undefined
              ? {}
              : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
            ...(buttons.length === 0
              ? {}
              : { reply_markup: { inline_keyboard: buttons.map((one) => [toButton(one)]) } }),
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

export function toButton({ text, url, opens }: AnswerButton) {
  return opens === 'link' ? { text, url } : { text, web_app: { url } };
}

export function isGroup({ type }: Chat): boolean {
  return type === 'group' || type === 'supergroup';
}

/** Whether a person is in the chat with this status. */
export function isPresent(member: ChatMember): boolean {
  return member.status === 'restricted'
    ? member.is_member
    : member.status !== 'left' && member.status !== 'kicked';
}

/** Whether a chat has topics. */
export function isForumChat(chat: Chat): boolean {
  return 'is_forum' in chat && chat.is_forum === true;
}

const knownUpdate = v.looseObject({ update_id: v.pipe(v.number(), v.safeInteger()) });

/** Checks only that it is an update; its other fields are taken to have the shapes of the Bot API. */
export function isUpdate(value: unknown): value is Update {
  return v.is(knownUpdate, value);
}

function checkUpdates(result: unknown): readonly Update[] {
  if (!Array.isArray(result) || !result.every(isUpdate)) {
    throw new BotFailure('unreachable', 'Telegram answered getUpdates in an unknown shape.');
  }
  return result;
}

function checkBotUser(result: UserFromGetMe): UserFromGetMe {
  if (!v.is(v.looseObject({ id: v.number(), username: v.string() }), result)) {
    throw new BotFailure('unreachable', 'Telegram answered getMe in an unknown shape.');
  }
  return result;
}

/** Telegram knows languages without countries here. */
function toLanguageCode(language: Language | undefined) {
  return language === undefined
    ? {}
    : ({ language_code: language === 'pt-BR' ? 'pt' : language } as const);
}

async function run(send: () => Promise<unknown>): Promise<void> {
  await callAboutBot(send);
}

type ClientSignal = NonNullable<Parameters<Api['getMe']>[0]>;

/** The client's type is that of an older library; it works with the platform's own signals. */
const toClientSignal = (signal: AbortSignal | undefined): ClientSignal | undefined =>
  v.parse(v.optional(v.custom<ClientSignal>((value) => value instanceof AbortSignal)), signal);
