/**
 * The lists of commands of single groups. Telegram shows all groups the same lists, but where a group hides what
 * its administrators do, or has switched commands off, it is told lists of the group's own.
 */
import { type BotCommand, type BotCommandScope } from 'grammy/types';

import { offName, switchableCommands } from '#contract/chats/values';
import { type CommandId, commandTable, findCommand } from '#contract/commands/index';
import { type ChatEvent } from '#contract/endpoints/chat-activity';
import { type Dependencies } from '#server/app/dependencies';
import { createBotProfileRepository } from '#server/db/bot-inbox';
import { wholeChatId } from '#server/db/chat-values';
import { type Services } from '#server/services/services';
import { type TelegramBot } from '#server/upstream/telegram/bot';
import { BotFailure } from '#server/upstream/telegram/calls';
import { readSettings } from '#services/members';

import { listCommands, withoutAdult } from './menus.ts';
import { toFingerprint } from './profile.ts';

const menuKind = 'menu';
/** Several switches that are pressed one after the other are told together. */
const gatherMs = 1000;

type Options = {
  /** The commands whose services are connected. */
  readonly offered: readonly CommandId[];
  readonly services: Pick<
    Services,
    'chatEvents' | 'chats' | 'chatValues' | 'dueJobs' | 'memberCommands'
  >;
};

type List = { readonly scope: ChatScope; readonly commands: readonly BotCommand[] };
type ChatScope = Extract<BotCommandScope, { type: 'chat' | 'chat_administrators' }>;

type Needs = Pick<Dependencies, 'database' | 'clock' | 'languages' | 'log'>;

export function createChatMenus(
  api: Pick<TelegramBot, 'setCommands'>,
  deps: Needs,
  { offered, services }: Options,
) {
  const { clock, log } = deps;
  const { chatEvents, dueJobs, memberCommands } = services;
  const told = createBotProfileRepository(deps.database, memberCommands.rights.botId);

  async function plan(chatId: number): Promise<void> {
    try {
      await dueJobs.addAgain({
        id: `${menuKind}:${chatId}`,
        kind: menuKind,
        chatId,
        telegramId: undefined,
        body: '{}',
        dueAt: clock() + gatherMs,
      });
    } catch (error) {
      log.warn({ err: error }, 'could not save that the commands of a chat have changed');
    }
  }

  chatEvents.followAll((event, chatId) => {
    if (event.kind === 'upgraded') {
      void plan(Number(event.chat_id));
    } else if (isAboutMenus(event)) {
      void plan(chatId);
    }
  });

  async function tell({ scope, commands }: List): Promise<void> {
    const part = toPart(scope);
    const before = await told.find(part);
    const fingerprint = commands.length === 0 ? undefined : toFingerprint(commands);
    if (before !== fingerprint) {
      await api.setCommands(scope, commands);
      await (fingerprint === undefined ? told.remove(part) : told.save(part, fingerprint));
    }
  }

  dueJobs.handle(menuKind, async ({ chatId }) => {
    const lists = await readLists(chatId, deps, { offered, services });
    try {
      for (const list of lists) {
        await tell(list);
      }
      return true;
    } catch (error) {
      if (!(error instanceof BotFailure)) {
        throw error;
      }
      log.warn({ chatId, reason: error.message }, 'could not set the commands of a chat');
      if (error.kind !== 'refused') {
        return false;
      }
      // The bot is out of the group, or the group has another ID. What it was told is not certain any more.
      for (const { scope } of lists) {
        await told.remove(toPart(scope));
      }
      return true;
    }
  });

  return {
    /** Tells the groups that have lists of their own what another version of the server lists in other words. */
    async checkAll(): Promise<void> {
      const parts = await told.readAll();
      const ids = [...parts.keys()].flatMap((part) => /^chat (-\d+)$/.exec(part)?.[1] ?? []);
      for (const id of ids) {
        await plan(Number(id));
      }
    },
  };
}

/** Both are empty where the group is like all others. */
async function readLists(
  chatId: number,
  { languages }: Pick<Needs, 'languages'>,
  { offered, services: { chats, chatValues } }: Options,
): Promise<readonly [List, List]> {
  const settings = await readSettings(chatValues, chatId);
  const say = languages.textsIn(await chats.readLanguage(chatId));
  const isOn = (id: CommandId) => !settings.isOff(id, wholeChatId);
  const isQuiet = settings.quiet_actions;
  const isAdult = settings.adultPlaces.length > 0;
  const shown = isAdult ? offered : withoutAdult(offered);
  const isOwn = isQuiet || shown.length > withoutAdult(offered).length || !shown.every(isOn);
  const toShown = (command: BotCommand): BotCommand =>
    isQuiet && isPublic(command) ? { ...command, is_ephemeral: true } : command;
  const members = listCommands('members', say, shown.filter(isOn));
  const administrators = listCommands('administrators', say, shown).map(toShown);
  return [
    { scope: { type: 'chat', chat_id: chatId }, commands: isOwn ? members : [] },
    {
      scope: { type: 'chat_administrators', chat_id: chatId },
      commands: isOwn ? administrators : [],
    },
  ];
}

const toPart = ({ type, chat_id: chatId }: ChatScope) => `${type} ${chatId}`;

const menuValues: ReadonlySet<string> = new Set([
  'quiet_actions',
  'adult_mode',
  ...switchableCommands.map(offName),
]);

/** Whether lists of commands may differ after it. */
function isAboutMenus(event: ChatEvent): boolean {
  return (
    event.kind === 'language' ||
    (event.kind === 'values' &&
      Object.values(event.values).some((values) =>
        Object.keys(values ?? {}).some((name) => menuValues.has(name)),
      ))
  );
}

function isPublic({ command }: BotCommand): boolean {
  const id = findCommand(command);
  return id !== undefined && commandTable[id].answer === 'public';
}
