/** The bot's commands: one entry each. Telegram's lists, `/help` and the answers come from these entries. */
import { type BotCommandScope, type Message } from 'grammy/types';

import { addedPayload } from '#contract/chats/bot-links';
import { messageTypeLabels } from '#contract/chats/message-type-texts';
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { formatDuration, limits } from '#server/lib/limits';
import {
  chatStartParam,
  dashboardPath,
  isChatStartParam,
  type Links,
} from '#server/services/links';
import { type Services } from '#server/services/services';
import { type AnswerButton, isGroup, type TelegramBot } from '#server/upstream/telegram/bot';
import { BotFailure } from '#server/upstream/telegram/calls';

import { operatorMessages } from './operator-messages.ts';
import { botTexts } from './texts.ts';

type Reply = { readonly text: string; readonly buttons?: readonly AnswerButton[] };

type Request = {
  readonly chatId: number;
  readonly inGroup: boolean;
  /** Undefined outside of topics, and in General. */
  readonly topicId: number | undefined;
  /** The text after the command. */
  readonly payload: string;
};

type Tools = {
  readonly deps: Pick<Dependencies, 'telegram' | 'clock'>;
  readonly services: Pick<Services, 'chats' | 'deletions' | 'limiter' | 'moderation' | 'usage'>;
  readonly links: Links;
  /** When the bot was started; epoch milliseconds. */
  readonly startedAt: number;
};

/** `private` are all users in private chats, the others are in groups. */
type Audience = 'private' | 'members' | 'administrators';

type Command = {
  readonly name: string;
  /** In Telegram's list of commands; at most 256 characters. */
  readonly description: string;
  /** Whose lists show the command. All users get its answer, everywhere. */
  readonly shownTo: readonly Audience[];
  readonly answer: (request: Request, tools: Tools) => Reply | Promise<Reply>;
};

/** In the order of Telegram's lists. */
const commands: readonly Command[] = [
  {
    name: 'start',
    description: 'Open Nori',
    shownTo: ['private'],
    answer: async (request, tools) => {
      const { payload, inGroup, chatId } = request;
      const { links, services } = tools;
      if (inGroup) {
        if (payload === addedPayload) {
          // The link that adds the bot writes this. The answer replaces the bot's own message there.
          await services.limiter.tryTake(limits.groupHints, chatId);
        }
        return answerSettings(request, links);
      }
      if (isChatStartParam(payload)) {
        const buttons = toButtons(botTexts.openSettings, links.toSettings(payload));
        return { text: botTexts.chatLink, buttons };
      }
      if (payload === 'link') {
        return answerLink(links);
      }
      return payload === 'verify'
        ? { text: botTexts.reachable, buttons: toButtons(botTexts.openNori, links.toPage()) }
        : answerStart(chatId, tools);
    },
  },
  {
    name: 'settings',
    description: 'What this chat allows and blocks',
    shownTo: ['private', 'administrators'],
    answer: (request, { links }) => answerSettings(request, links),
  },
  {
    name: 'status',
    description: 'Whether I am running and may delete messages',
    shownTo: ['private', 'administrators'],
    answer: async ({ chatId, inGroup, topicId }, { deps, services, startedAt }) => {
      if (!inGroup) {
        const seconds = Math.max(1, Math.floor((deps.clock() - startedAt) / 1000));
        return { text: botTexts.statusInPrivate(formatDuration(seconds)) };
      }
      const blocked = await services.moderation.readBlockedTypes(chatId, topicId ?? 0);
      const labels = blocked.map((type) => messageTypeLabels[type]);
      const list =
        labels.length === 0 ? botTexts.nothingBlocked : botTexts.blocked(labels.join(', '));
      return { text: `${await readRights(chatId, deps)}\n\n${list}` };
    },
  },
  {
    name: 'link',
    description: 'Link Spotify and AniList',
    shownTo: ['private', 'members', 'administrators'],
    answer: ({ inGroup }, { links }) => {
      const button = { text: botTexts.openBot, ...links.toBot('link') };
      return inGroup ? { text: botTexts.linkFromGroup, buttons: [button] } : answerLink(links);
    },
  },
  {
    name: 'help',
    description: 'What I can do',
    shownTo: ['private', 'members', 'administrators'],
    answer: ({ inGroup }, { links }) => {
      const lines = listCommands(inGroup ? 'administrators' : 'private').map(
        ({ name, description }) => `/${name} – ${description}`,
      );
      const link = inGroup ? links.toBot('help') : links.toPage();
      return {
        text: botTexts.help(lines.join('\n')),
        buttons: toButtons(botTexts.openNori, link),
      };
    },
  },
];

function listCommands(audience: Audience): readonly Command[] {
  return commands.filter(({ shownTo }) => shownTo.includes(audience));
}

function answerSettings({ chatId, inGroup, topicId }: Request, links: Links): Reply {
  if (!inGroup) {
    const buttons = toButtons(botTexts.openNori, links.toPage(dashboardPath));
    return { text: botTexts.settingsInPrivate, buttons };
  }
  const link = links.toSettingsFromGroup(chatStartParam(chatId, topicId));
  return {
    text: topicId === undefined ? botTexts.settingsInGroup : botTexts.settingsInTopic,
    buttons: [{ text: botTexts.openSettings, ...link }],
  };
}

/** In a private chat: leads a user who manages no chat yet to the step that is next. */
async function answerStart(telegramId: number, { links, services }: Tools): Promise<Reply> {
  const [managed, [added]] = await Promise.all([
    services.chats.list(telegramId),
    services.chats.unverified(telegramId),
  ]);
  if (managed.length > 0) {
    return { text: botTexts.welcome, buttons: toButtons(botTexts.openNori, links.toPage()) };
  }
  if (added !== undefined) {
    const link = links.toSettings(chatStartParam(added.chatId, undefined));
    return { text: botTexts.groupWaits, buttons: toButtons(botTexts.goOn, link) };
  }
  return {
    text: botTexts.welcome,
    buttons: [
      ...toButtons(botTexts.setUp, links.toSetUp()),
      ...toButtons(botTexts.addToGroup, links.toGroupList()),
    ],
  };
}

function answerLink(links: Links): Reply {
  const buttons = toButtons(botTexts.openConnections, links.toPage(dashboardPath));
  return { text: botTexts.linkServices, buttons };
}

function toButtons(text: string, link: ReturnType<Links['toPage']>): readonly AnswerButton[] {
  return link === undefined ? [] : [{ text, ...link }];
}

async function readRights(chatId: number, { telegram }: Tools['deps']): Promise<string> {
  try {
    const mayDelete = (await telegram?.mayDeleteMessages(chatId)) ?? false;
    return mayDelete ? botTexts.mayDelete : botTexts.mayNotDelete;
  } catch (error) {
    if (error instanceof AppError) {
      return botTexts.statusUnknown;
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
  const { limiter, usage, deletions } = tools.services;

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
    const reply = await command.answer({ chatId, inGroup, topicId, payload }, tools);
    const sent = await api.answer({ chatId, topicId, replyTo: message.message_id, ...reply });
    if (sent === 'unreachable') {
      return;
    }
    await usage.count(command.name);
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

/** Telegram shows a user the narrowest list that fits. */
const commandLists: readonly { readonly scope: BotCommandScope; readonly audience: Audience }[] = [
  { scope: { type: 'default' }, audience: 'private' },
  { scope: { type: 'all_private_chats' }, audience: 'private' },
  { scope: { type: 'all_group_chats' }, audience: 'members' },
  { scope: { type: 'all_chat_administrators' }, audience: 'administrators' },
];

type SetUpStep = () => Promise<void>;

/**
 * Tells Telegram the commands, and the button that opens Nori; the same at every start. The steps may be
 * repeated and are independent. A refusal would come again each time, so it ends a step; the operator is
 * told of the first.
 */
export function createSetUpSteps(
  api: TelegramBot,
  links: Links,
  say: (line: string) => void,
): readonly SetUpStep[] {
  const nori = links.toPage();
  let isSaid = false;
  return [
    ...commandLists.map(
      ({ scope, audience }) =>
        () =>
          api.setCommands(
            scope,
            listCommands(audience).map(({ name, description }) => ({ command: name, description })),
          ),
    ),
    // Without HTTPS the button that the operator may have set at BotFather stays.
    ...(nori?.opens === 'mini app'
      ? [() => api.setMenuButton({ text: botTexts.menuButton, url: nori.url })]
      : []),
  ].map((step) => async () => {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof BotFailure) || error.kind !== 'refused') {
        throw error;
      }
      if (!isSaid) {
        isSaid = true;
        say(operatorMessages.setUpRefused(error.message));
      }
    }
  });
}
