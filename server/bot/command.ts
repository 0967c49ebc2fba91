/** What handlers of commands and buttons work with, and what they return. */
import { type Chat, type Message } from 'grammy/types';

import { type AnswerKind } from '#contract/commands/command';
import { type CommandId } from '#contract/commands/index';
import { type Dependencies } from '#server/app/dependencies';
import { type Say } from '#server/lib/languages';
import { limits } from '#server/lib/limits';
import { type Links } from '#server/services/links';
import { type Services } from '#server/services/services';
import { isGroup } from '#server/upstream/telegram/bot';
import {
  type BotMessage,
  buttonData,
  type MessageButton,
} from '#server/upstream/telegram/chat-actions';
import { type UserLanguage } from '#services/accounts';
import { anonymousId, type Person } from '#services/members';

import { type MenuButtons } from './menu-buttons.ts';
import { type TypedCommand } from './reading.ts';
import { type RichText } from './rich-text.ts';

export { buttonData };

/** What the bot answers; a text without people is a string. */
export type Answer = {
  readonly text: string | RichText;
  /** Rows. */
  readonly buttons?: readonly (readonly MessageButton[])[];
  /** With a medium the text stands below it. */
  readonly media?: BotMessage['media'];
  /** Cannot be forwarded or saved. */
  readonly isProtected?: boolean;
  /** As the table says when absent. */
  readonly kind?: AnswerKind;
  /** How long a tidy answer stays; a minute when absent. */
  readonly keepMs?: number;
};

/** Whom the bot hears and where: the same for commands and for pressed buttons. */
export type Situation = {
  readonly chatId: number;
  readonly inGroup: boolean;
  readonly chat: Chat;
  /** Undefined outside of topics, and in General. */
  readonly topicId: number | undefined;
  /** Who acts. A channel that writes in the group has an ID below zero. */
  readonly issuer: Person;
  /** Of the user in private, else of the group. */
  readonly language: UserLanguage;
  readonly say: Say;
  /** In that language. */
  readonly links: Links;
  /** Names the update: the same when it is handled again. */
  readonly key: string;
};

export type CommandRequest = Situation &
  TypedCommand & {
    readonly message: Message;
  };

export type BotTools = {
  readonly deps: Pick<
    Dependencies,
    | 'telegram'
    | 'clock'
    | 'languages'
    | 'chatActions'
    | 'database'
    | 'log'
    | 'env'
    | 'serviceTimeoutMs'
  >;
  readonly services: Pick<
    Services,
    | 'accountEvents'
    | 'adultRule'
    | 'away'
    | 'chats'
    | 'chatChanges'
    | 'chatUpdates'
    | 'chatValues'
    | 'contentRequests'
    | 'contents'
    | 'deletions'
    | 'dueJobs'
    | 'fetchedMedia'
    | 'enhancement'
    | 'filters'
    | 'generations'
    | 'greetings'
    | 'joining'
    | 'limiter'
    | 'lookups'
    | 'mediaLinks'
    | 'memberCommands'
    | 'moderation'
    | 'nowPlaying'
    | 'outbox'
    | 'personal'
    | 'reminders'
    | 'stickers'
    | 'publicApi'
    | 'sentRecipes'
    | 'sessions'
    | 'passwordResets'
    | 'reference'
    | 'registrations'
    | 'telegramPictures'
    | 'usage'
    | 'userLanguages'
    | 'watchlist'
    | 'whispers'
  >;
  readonly linksIn: (language: UserLanguage) => Links;
  readonly menuButtons: Pick<MenuButtons, 'set'>;
  /** The commands whose services are connected. */
  readonly offered: readonly CommandId[];
  /** Of the bot, without @. */
  readonly username: string;
  /** When the bot was started; epoch milliseconds. */
  readonly startedAt: number;
};

/** Resolves to the answer; undefined for none. Throws refusals, which are said to the one who acts. */
export type Handler = (
  request: CommandRequest,
  tools: BotTools,
) => Promise<Answer | undefined> | Answer;

/** A pressed button: `data` is what follows the verb. */
export type Press = Situation & {
  /** Telegram's, for what answers it alone. */
  readonly id: string;
  readonly data: string;
  readonly messageId: number;
};

/** What becomes of the message with the button, and what the one who pressed it is told. */
export type PressResult = {
  /** Shown for a moment to the one who pressed. */
  readonly notice?: string;
  /** Replaces the message and its buttons. */
  readonly edit?: Answer;
  /** A further answer in the chat. */
  readonly answer?: Answer;
  /** Deletes the message with the button. */
  readonly remove?: boolean;
};

export type PressHandler = (press: Press, tools: BotTools) => Promise<PressResult>;

/** Of the user in private, else of the group. */
export async function readLanguage(
  chat: Message['chat'],
  from: { readonly language_code?: string } | undefined,
  { services }: BotTools,
): Promise<UserLanguage> {
  return isGroup(chat)
    ? { language: await services.chats.readLanguage(chat.id), isChosen: false }
    : services.userLanguages.readLanguage(chat.id, { code: from?.language_code });
}

/**
 * To be called before another server is asked. Throws `rate_limited` after too many lookups of the person;
 * administrators who hide who they are count together in their group.
 */
export function takeLookup(
  { issuer: { telegramId }, chatId }: Pick<Situation, 'issuer' | 'chatId'>,
  { services: { limiter } }: Pick<BotTools, 'services'>,
): Promise<void> {
  return limiter.take(limits.lookups, telegramId === anonymousId ? chatId : telegramId);
}
