/** The commands: one entry each, which Telegram's lists and the answers are made from. */
import { type Bot as GrammyBot, type CommandContext, type Context } from 'grammy';
import { type BotCommandScope, type Message } from 'grammy/types';

import { settingLabel, settingName } from '#contract/chats/message-types';
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { formatDuration, limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';
import { type AnswerButton, type TelegramBot } from '#server/upstream/telegram/bot';

import { chatStartParam, dashboardPath, isChatStartParam, type Links } from './links.ts';
import { isGroup } from './router.ts';
import { botTexts } from './texts.ts';

type Reply = { readonly text: string; readonly buttons?: readonly AnswerButton[] };

type Asked = {
  readonly chatId: number;
  readonly inGroup: boolean;
  /** Undefined outside of topics, and in General. */
  readonly topicId: number | undefined;
  /** What stands behind the command. */
  readonly payload: string;
};

type Tools = {
  readonly deps: Pick<Dependencies, 'telegram' | 'clock'>;
  readonly enforcement: Pick<Services['enforcement'], 'blockedIn'>;
  readonly links: Links;
  /** When the bot began to work; epoch milliseconds. */
  readonly startedAt: number;
};

type Command = (asked: Asked, tools: Tools) => Reply | Promise<Reply>;
type CommandName = keyof typeof botTexts.descriptions;

/** How long commands and their answers stay in a group. */
const tidyAfterMs = 60_000;

const commands: Record<CommandName, Command> = {
  start: (asked, tools) => {
    const { payload, inGroup } = asked;
    const { links } = tools;
    if (inGroup) {
      return commands.settings(asked, tools);
    }
    if (isChatStartParam(payload)) {
      const button = { text: botTexts.openSettings, ...links.chat(payload) };
      return { text: botTexts.chatLink, buttons: [button] };
    }
    if (payload === 'link') {
      return linkServices(links);
    }
    return {
      text: payload === 'verify' ? botTexts.reachable : botTexts.welcome,
      buttons: [{ text: botTexts.openNori, ...links.place() }],
    };
  },

  settings: ({ chatId, inGroup, topicId }, { links }) => {
    if (!inGroup) {
      const button = { text: botTexts.openNori, ...links.place(dashboardPath) };
      return { text: botTexts.settingsInPrivate, buttons: [button] };
    }
    const place = links.chatFromGroup(chatStartParam(chatId, topicId));
    return {
      text: topicId === undefined ? botTexts.settingsInGroup : botTexts.settingsInTopic,
      buttons: [{ text: botTexts.openSettings, ...place }],
    };
  },

  status: async ({ chatId, inGroup, topicId }, { deps, enforcement, startedAt }) => {
    if (!inGroup) {
      const seconds = Math.max(1, Math.floor((deps.clock() - startedAt) / 1000));
      return { text: botTexts.statusInPrivate(formatDuration(seconds)) };
    }
    const blocked = await enforcement.blockedIn(chatId, topicId ?? 0);
    const labels = blocked.map((type) => settingLabel(settingName(type)));
    return { text: `${await standingIn(chatId, deps)}\n\n${botTexts.blocked(labels)}` };
  },

  link: ({ inGroup }, { links }) =>
    inGroup
      ? {
          text: botTexts.linkFromGroup,
          buttons: [{ text: botTexts.openBot, ...links.start('link') }],
        }
      : linkServices(links),

  help: ({ inGroup }, { links }) => ({
    text: botTexts.help(
      namesFor(inGroup ? 'administrators' : 'private')
        .map((name) => `/${name} – ${botTexts.descriptions[name]}`)
        .join('\n'),
    ),
    buttons: [{ text: botTexts.openNori, ...(inGroup ? links.start('help') : links.place()) }],
  }),
};

function linkServices(links: Links): Reply {
  const button = { text: botTexts.openConnections, ...links.place(dashboardPath) };
  return { text: botTexts.linkServices, buttons: [button] };
}

async function standingIn(chatId: number, { telegram }: Tools['deps']): Promise<string> {
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

const audiences = {
  private: ['start', 'settings', 'status', 'link', 'help'],
  members: ['link', 'help'],
  administrators: ['settings', 'status', 'link', 'help'],
} as const satisfies Record<string, readonly CommandName[]>;

function namesFor(audience: keyof typeof audiences): readonly CommandName[] {
  return audiences[audience];
}

/** What Telegram shows to whom: the narrowest list that fits is the one that somebody sees. */
export const commandLists: readonly {
  readonly scope: BotCommandScope;
  readonly names: readonly CommandName[];
}[] = [
  { scope: { type: 'default' }, names: namesFor('private') },
  { scope: { type: 'all_private_chats' }, names: namesFor('private') },
  { scope: { type: 'all_group_chats' }, names: namesFor('members') },
  { scope: { type: 'all_chat_administrators' }, names: namesFor('administrators') },
];

/** Answers the commands that are for this bot, and tidies up after them in groups. */
export function answerCommands(
  bot: GrammyBot,
  api: TelegramBot,
  {
    services: { limiter, usage, dueDeletions },
    ...tools
  }: Tools & { readonly services: Pick<Services, 'limiter' | 'usage' | 'dueDeletions'> },
): void {
  async function answer(name: CommandName, context: CommandContext<Context>): Promise<void> {
    const { msg: message, match: payload } = context;
    const chatId = message.chat.id;
    const inGroup = isGroup(message.chat);
    if (context.message === undefined || !(await limiter.tryTake(limits.botCommands, chatId))) {
      return;
    }
    const topicId = topicOf(message);
    const reply = await commands[name]({ chatId, inGroup, topicId, payload }, tools);
    const sent = await api.answer({ chatId, topicId, replyTo: message.message_id, ...reply });
    if (sent === 'unreachable') {
      return;
    }
    await usage.count(name);
    if (inGroup) {
      // Where the bot may not delete other people's messages, Telegram keeps the command.
      await dueDeletions.add(chatId, [sent, message.message_id], tidyAfterMs);
    }
  }

  for (const name of namesFor('private')) {
    bot.command(name, (context) => answer(name, context));
  }
}

/** A reply has a thread in any group; only that of a topic is one. General names none. */
function topicOf({ is_topic_message, message_thread_id }: Message): number | undefined {
  return is_topic_message === true ? message_thread_id : undefined;
}
