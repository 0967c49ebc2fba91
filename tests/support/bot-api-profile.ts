/**
 * What the Bot API stand-in keeps of a bot's profile: its commands by scope and language, its descriptions by
 * language, and the menu buttons of private chats. Its checks are those of github.com/tdlib/td, in its order.
 */
import { type Body, refuse, type StandInChat } from './bot-api-world.ts';

type Command = {
  readonly command: string;
  readonly description: string;
  readonly is_ephemeral?: true;
};

export type StandInProfile = {
  /**
   * The list that Telegram has for a scope, such as `all_group_chats` or `chat:-1001234`, and a language; undefined
   * without one.
   */
  readonly commands: (scope: string, language?: string) => readonly Command[] | undefined;
  readonly description: (language?: string) => string;
  readonly shortDescription: (language?: string) => string;
  /** The button that a user sees: their own one, or that of all. */
  readonly menuButton: (telegramId?: number) => unknown;
  /** The rights that Telegram proposes to those who add the bot to a group. */
  readonly defaultRights: () => unknown;
  /** The languages for which any list of commands is set. */
  readonly languages: () => readonly string[];
  readonly methods: Readonly<Record<string, (body: Body) => unknown>>;
};

const scopes: ReadonlySet<unknown> = new Set([
  'default',
  'all_private_chats',
  'all_group_chats',
  'all_chat_administrators',
]);
const chatScopes: ReadonlySet<unknown> = new Set(['chat', 'chat_administrators']);

const maxCommands = 100;
const maxCommandLength = 32;
const maxCommandDescriptionLength = 256;
const maxDescriptionLength = 512;
const maxShortDescriptionLength = 120;

export function createProfile({
  isKnownUser,
  getChat,
}: {
  readonly isKnownUser: (telegramId: number) => boolean;
  /** Throws a refusal for a chat that the bot cannot see. */
  readonly getChat: (body: Body) => Pick<StandInChat, 'id' | 'type'>;
}): StandInProfile {
  const lists = new Map<string, readonly Command[]>();
  const descriptions = new Map<string, string>();
  const shortDescriptions = new Map<string, string>();
  const buttons = new Map<number, unknown>();
  let defaultButton: unknown = { type: 'commands' };
  let groupRights: unknown;

  return {
    defaultRights: () => groupRights,
    commands: (scope, language = '') => lists.get(listKey(scope, language)),
    description: (language = '') => descriptions.get(language) ?? '',
    shortDescription: (language = '') => shortDescriptions.get(language) ?? '',
    menuButton: (telegramId) =>
      (telegramId === undefined ? undefined : buttons.get(telegramId)) ?? defaultButton,
    languages: () => [
      ...new Set([...lists.keys()].map((key) => key.split(' ')[1] ?? '').filter(Boolean)),
    ],

    methods: {
      setMyCommands: (body) => {
        const key = listKey(readScope(body, getChat), readLanguage(body));
        const commands = readCommands(body['commands']);
        if (commands.length === 0) {
          lists.delete(key);
        } else {
          lists.set(key, commands);
        }
        return true;
      },
      deleteMyCommands: (body) => {
        lists.delete(listKey(readScope(body, getChat), readLanguage(body)));
        return true;
      },
      // Exactly what was set: which list a user sees instead is for the clients to find.
      getMyCommands: (body) =>
        lists.get(listKey(readScope(body, getChat), readLanguage(body))) ?? [],

      setMyDescription: (body) =>
        setText(descriptions, readLanguage(body), {
          text: readText(body['description']),
          max: maxDescriptionLength,
          tooLong: 'DESCRIPTION_TOO_LONG',
        }),
      getMyDescription: (body) => ({ description: descriptions.get(readLanguage(body)) ?? '' }),
      setMyShortDescription: (body) =>
        setText(shortDescriptions, readLanguage(body), {
          text: readText(body['short_description']),
          max: maxShortDescriptionLength,
          tooLong: 'ABOUT_TOO_LONG',
        }),
      getMyShortDescription: (body) => ({
        short_description: shortDescriptions.get(readLanguage(body)) ?? '',
      }),

      setMyDefaultAdministratorRights: ({ rights, for_channels: isForChannels }) => {
        if (isForChannels === true) {
          throw refuse('the stand-in keeps no rights for channels, which the bot does not set');
        }
        groupRights = rights;
        return true;
      },

      setChatMenuButton: (body) => {
        const button = readMenuButton(body['menu_button']);
        const telegramId = readUser(body, isKnownUser);
        if (telegramId === undefined) {
          defaultButton = button ?? { type: 'commands' };
        } else if (button === undefined) {
          buttons.delete(telegramId);
        } else {
          buttons.set(telegramId, button);
        }
        return true;
      },
      getChatMenuButton: (body) => {
        const telegramId = readUser(body, isKnownUser);
        const own = telegramId === undefined ? undefined : buttons.get(telegramId);
        return telegramId === undefined ? defaultButton : (own ?? { type: 'default' });
      },
    },
  };
}

const listKey = (scope: string, language: string) => `${scope} ${language}`;

function readScope(
  { scope = { type: 'default' } }: Body,
  getChat: (body: Body) => Pick<StandInChat, 'id' | 'type'>,
): string {
  const { type, chat_id } = isRecord(scope) ? scope : {};
  if (typeof type === 'string' && chatScopes.has(type)) {
    const chat = getChat({ chat_id });
    if (chat.type === 'channel') {
      throw refuse("can't change commands in channel chats");
    }
    return `${type}:${chat.id}`;
  }
  if (typeof type !== 'string' || !scopes.has(type)) {
    // The stand-in lacks the scope of a single member, which the bot does not use.
    throw refuse("can't parse BotCommandScope: unsupported type specified");
  }
  return type;
}

/** Empty for all languages without texts of theirs. */
function readLanguage({ language_code: language = '' }: Body): string {
  if (typeof language !== 'string' || !/^(?:[a-z]{2})?$/.test(language)) {
    throw refuse('invalid language code specified');
  }
  return language;
}

function readCommands(commands: unknown): readonly Command[] {
  if (!Array.isArray(commands)) {
    throw refuse('expected an Array of BotCommand');
  }
  const list = commands.map(readCommand);
  if (list.length > maxCommands) {
    throw refuse('BOT_COMMANDS_TOO_MUCH');
  }
  if (list.some(({ command }) => !/^[a-z0-9_]+$/.test(command))) {
    throw refuse('BOT_COMMAND_INVALID');
  }
  return list;
}

function readCommand(value: unknown): Command {
  if (!isRecord(value)) {
    throw refuse("can't parse BotCommand: expected an Object");
  }
  for (const field of ['command', 'description']) {
    if (value[field] === undefined) {
      throw refuse(`can't parse BotCommand: Can't find field "${field}"`);
    }
  }
  const command = readText(value['command']).trim().replace(/^\//, '');
  const description = readText(value['description']).trim();
  if (command === '') {
    throw refuse('command must be non-empty');
  }
  if (count(command) > maxCommandLength) {
    throw refuse(`command length must not exceed ${maxCommandLength}`);
  }
  if (description === '') {
    throw refuse('command description must be non-empty');
  }
  if (count(description) > maxCommandDescriptionLength) {
    throw refuse(`command description length must not exceed ${maxCommandDescriptionLength}`);
  }
  return {
    command,
    description,
    ...(value['is_ephemeral'] === true && { is_ephemeral: true }),
  };
}

function setText(
  texts: Map<string, string>,
  language: string,
  { text, max, tooLong }: { readonly text: string; readonly max: number; readonly tooLong: string },
): true {
  if (count(text) > max) {
    throw refuse(tooLong);
  }
  if (text === '') {
    texts.delete(language);
  } else {
    texts.set(language, text);
  }
  return true;
}

/** Undefined for the one that counts where a chat has none. */
function readMenuButton(button: unknown = { type: 'default' }): unknown {
  const { type, text, web_app: app } = isRecord(button) ? button : {};
  if (type === 'default') {
    return undefined;
  }
  if (type === 'commands') {
    return { type };
  }
  if (type !== 'web_app') {
    throw refuse("can't parse menu button: MenuButton has unsupported type");
  }
  const url = isRecord(app) ? readText(app['url']) : '';
  if (!url.startsWith('https://')) {
    throw refuse(`menu button Web App URL '${url}' is invalid: Only HTTPS links are allowed`);
  }
  return { type, text: readText(text), web_app: { url } };
}

/** Undefined when the call is about all private chats. */
function readUser(
  { chat_id: chatId }: Body,
  isKnownUser: (telegramId: number) => boolean,
): number | undefined {
  if (chatId === undefined) {
    return undefined;
  }
  const telegramId = Number(chatId);
  if (!Number.isSafeInteger(telegramId) || telegramId <= 0) {
    throw refuse('invalid chat_id specified');
  }
  if (!isKnownUser(telegramId)) {
    throw refuse('user not found');
  }
  return telegramId;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const readText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** In characters, as Telegram counts them. */
const count = (text: string): number => Array.from(text).length;
