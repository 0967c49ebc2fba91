/** The bot's commands: one entry each. Telegram's lists, `/help` and the answers come from these entries. */
import { type BotCommand, type Message } from 'grammy/types';

import { addedPayload } from '#contract/chats/bot-links';
import { messageTypeLabels } from '#contract/chats/message-type-texts';
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { joinList, type Say } from '#server/lib/languages';
import { limits, sayDuration } from '#server/lib/limits';
import {
  chatStartParam,
  dashboardPath,
  isChatStartParam,
  type Links,
} from '#server/services/links';
import { type Services } from '#server/services/services';
import { type AnswerButton, isGroup, type TelegramBot } from '#server/upstream/telegram/bot';
import { type UserLanguage } from '#services/accounts';

import { type MenuButtons } from './menu-buttons.ts';
import { botTexts } from './texts.ts';

type Reply = { readonly text: string; readonly buttons?: readonly AnswerButton[] };

type Request = {
  readonly chatId: number;
  readonly inGroup: boolean;
  /** Undefined outside of topics, and in General. */
  readonly topicId: number | undefined;
  /** The text after the command. */
  readonly payload: string;
  /** Of the user in private, else of the group. */
  readonly language: UserLanguage;
  readonly say: Say;
  /** In that language. */
  readonly links: Links;
};

type Tools = {
  readonly deps: Pick<Dependencies, 'telegram' | 'clock' | 'languages'>;
  readonly services: Pick<
    Services,
    'chats' | 'deletions' | 'limiter' | 'moderation' | 'usage' | 'userLanguages'
  >;
  readonly linksIn: (language: UserLanguage) => Links;
  readonly menuButtons: Pick<MenuButtons, 'set'>;
  /** When the bot was started; epoch milliseconds. */
  readonly startedAt: number;
};

/** `private` are all users in private chats, the others are in groups. */
export type Audience = 'private' | 'members' | 'administrators';

type Command = {
  /** Its description in Telegram's lists is in the texts; at most 256 characters. */
  readonly name: keyof typeof botTexts.commands;
  /** Whose lists show the command. All users get its answer, everywhere. */
  readonly shownTo: readonly Audience[];
  readonly answer: (request: Request, tools: Tools) => Reply | Promise<Reply>;
};

/** In the order of Telegram's lists. */
const commands: readonly Command[] = [
  {
    name: 'start',
    shownTo: ['private'],
    answer: async (request, tools) => {
      const { payload, inGroup, chatId, language, say, links } = request;
      const { menuButtons, services } = tools;
      const texts = say(botTexts);
      if (inGroup) {
        if (payload === addedPayload) {
          // The link that adds the bot writes this. The answer replaces the bot's own message there.
          await services.limiter.tryTake(limits.groupHints, chatId);
        }
        return answerSettings(request);
      }
      menuButtons.set(chatId, language);
      if (isChatStartParam(payload)) {
        const buttons = toButtons(texts.openSettings, links.toSettings(payload));
        return { text: texts.chatLink, buttons };
      }
      if (payload === 'link') {
        return answerLink(request);
      }
      return payload === 'verify'
        ? { text: texts.reachable, buttons: toButtons(texts.openNori, links.toPage()) }
        : answerStart(request, services);
    },
  },
  {
    name: 'settings',
    shownTo: ['private', 'administrators'],
    answer: answerSettings,
  },
  {
    name: 'status',
    shownTo: ['private', 'administrators'],
    answer: async ({ chatId, inGroup, topicId, say }, { deps, services, startedAt }) => {
      const texts = say(botTexts);
      if (!inGroup) {
        const seconds = Math.max(1, Math.floor((deps.clock() - startedAt) / 1000));
        return { text: texts.statusInPrivate(sayDuration(seconds, say)) };
      }
      const blocked = await services.moderation.readBlockedTypes(chatId, topicId ?? 0);
      const labels = blocked.map((type) => say(messageTypeLabels)[type]);
      const list =
        labels.length === 0 ? texts.nothingBlocked : texts.blocked(joinList(labels, say));
      return { text: `${texts[await readRights(chatId, deps)]}\n\n${list}` };
    },
  },
  {
    name: 'link',
    shownTo: ['private', 'members', 'administrators'],
    answer: (request) => {
      const { inGroup, say, links } = request;
      const { openBot, linkFromGroup } = say(botTexts);
      const button = { text: openBot, ...links.toBot('link') };
      return inGroup ? { text: linkFromGroup, buttons: [button] } : answerLink(request);
    },
  },
  {
    name: 'help',
    shownTo: ['private', 'members', 'administrators'],
    answer: ({ inGroup, say, links }) => {
      const lines = listCommands(inGroup ? 'administrators' : 'private', say).map(
        ({ command, description }) => `/${command} – ${description}`,
      );
      const link = inGroup ? links.toBot('help') : links.toPage();
      const { help, openNori } = say(botTexts);
      return { text: help(lines.join('\n')), buttons: toButtons(openNori, link) };
    },
  },
];

/** The commands that a list of Telegram's shows, in the language that `say` speaks. */
export function listCommands(audience: Audience, say: Say): readonly BotCommand[] {
  return commands
    .filter(({ shownTo }) => shownTo.includes(audience))
    .map(({ name }) => ({ command: name, description: say(botTexts).commands[name] }));
}

function answerSettings({ chatId, inGroup, topicId, say, links }: Request): Reply {
  const texts = say(botTexts);
  if (!inGroup) {
    const buttons = toButtons(texts.openNori, links.toPage(dashboardPath));
    return { text: texts.settingsInPrivate, buttons };
  }
  const link = links.toSettingsFromGroup(chatStartParam(chatId, topicId));
  return {
    text: topicId === undefined ? texts.settingsInGroup : texts.settingsInTopic,
    buttons: [{ text: texts.openSettings, ...link }],
  };
}

/** In a private chat: leads a user who manages no chat yet to the step that is next. */
async function answerStart(
  { chatId: telegramId, say, links }: Request,
  services: Tools['services'],
): Promise<Reply> {
  const texts = say(botTexts);
  const [managed, [added]] = await Promise.all([
    services.chats.list(telegramId),
    services.chats.unverified(telegramId),
  ]);
  if (managed.length > 0) {
    return { text: texts.welcome, buttons: toButtons(texts.openNori, links.toPage()) };
  }
  if (added !== undefined) {
    const link = links.toSettings(chatStartParam(added.chatId, undefined));
    return { text: texts.groupWaits, buttons: toButtons(texts.goOn, link) };
  }
  return {
    text: texts.welcome,
    buttons: [
      ...toButtons(texts.setUp, links.toSetUp()),
      ...toButtons(texts.addToGroup, links.toGroupList()),
    ],
  };
}

function answerLink({ say, links }: Request): Reply {
  const { openConnections, linkServices } = say(botTexts);
  const buttons = toButtons(openConnections, links.toPage(dashboardPath));
  return { text: linkServices, buttons };
}

function toButtons(text: string, link: ReturnType<Links['toPage']>): readonly AnswerButton[] {
  return link === undefined ? [] : [{ text, ...link }];
}

async function readRights(
  chatId: number,
  { telegram }: Tools['deps'],
): Promise<'mayDelete' | 'mayNotDelete' | 'statusUnknown'> {
  try {
    const mayDelete = (await telegram?.mayDeleteMessages(chatId)) ?? false;
    return mayDelete ? 'mayDelete' : 'mayNotDelete';
  } catch (error) {
    if (error instanceof AppError) {
      return 'statusUnknown';
    }
    throw error;
  }
}

/** How long commands and their answers stay in a group. */
const deleteAfterMs = 60_000;

/** Answers a message that is a command for this bot, and does nothing for others. */
export type AnswerCommand = (message: Message) => Promise<void>;

/** Calls Telegram only through `api`, whose errors do not contain the token. */
export function createCommandAnswers(
  api: TelegramBot,
  username: string,
  tools: Tools,
): AnswerCommand {
  const { languages } = tools.deps;
  const { chats, limiter, usage, deletions, userLanguages } = tools.services;

  async function readLanguage({ chat, from }: Message): Promise<UserLanguage> {
    return isGroup(chat)
      ? { language: await chats.readLanguage(chat.id), isChosen: false }
      : userLanguages.readLanguage(chat.id, { code: from?.language_code });
  }

  return async (message) => {
    const found = readCommand(message, username);
    const chatId = message.chat.id;
    if (found === undefined || !(await limiter.tryTake(limits.botCommands, chatId))) {
      return;
    }
    const { command, payload } = found;
    const inGroup = isGroup(message.chat);
    // A reply has a thread in any group, which is no topic. General is not named.
    const topicId = message.is_topic_message === true ? message.message_thread_id : undefined;
    const language = await readLanguage(message);
    const say = languages.textsIn(language.language);
    const links = tools.linksIn(language);
    const request = { chatId, inGroup, topicId, payload, language, say, links };
    const reply = await command.answer(request, tools);
    const sent = await api.answer({ chatId, topicId, replyTo: message.message_id, ...reply });
    if (sent === 'unreachable') {
      return;
    }
    await usage.countCommand(command.name);
    if (inGroup) {
      // Where the bot may not delete messages of others, the command stays.
      await deletions.deleteLater(chatId, [sent, message.message_id], deleteAfterMs);
    }
  };
}

/**
 * In groups a command may name the bot that it is for: `/help@nori_bot`. Bots get no answer, because two
 * that answer each other would never stop.
 */
function readCommand(message: Message, username: string) {
  const { text, entities } = message;
  if (isWrittenByBot(message)) {
    return undefined;
  }
  const entity = entities?.find(({ type, offset }) => type === 'bot_command' && offset === 0);
  if (text === undefined || entity === undefined) {
    return undefined;
  }
  const [name, bot = username] = text.slice(1, entity.length).split('@');
  const command = commands.find((candidate) => candidate.name === name);
  return command !== undefined && bot.toLowerCase() === username.toLowerCase()
    ? { command, payload: text.slice(entity.length).trimStart() }
    : undefined;
}

/** Anonymous administrators and channels come with a user that Telegram calls a bot. */
function isWrittenByBot({ from, sender_chat, ...message }: Message): boolean {
  return (
    (from?.is_bot === true && sender_chat === undefined) ||
    message.via_bot !== undefined ||
    message.guest_bot_caller_user !== undefined ||
    message.guest_bot_caller_chat !== undefined
  );
}
