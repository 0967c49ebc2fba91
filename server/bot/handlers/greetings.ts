/** Greetings, goodbyes and rules, what Telegram writes by itself, and contents that are sent to the bot in private. */
import { type Message } from 'grammy/types';

import { readContentPayload, rulesPayload } from '#contract/chats/bot-links';
import { type ContentKind } from '#contract/chats/contents';
import {
  type ChatValues,
  type ServiceKind,
  serviceKinds,
  welcomeKeepLimits,
} from '#contract/chats/values';
import { type Answers } from '#server/bot/answers';
import {
  type Answer,
  type BotTools,
  type CommandRequest,
  type Handler,
  type PressHandler,
} from '#server/bot/command';
import { readPhrases } from '#server/bot/reading';
import { wholeChatId } from '#server/db/chat-values';
import { joinList } from '#server/lib/languages';
import { contentTexts, readContentOrReply } from '#services/contents';
import { parseDuration, readSettings, refuse, sayExactly } from '#services/members';

const refuseWith = (write: (texts: typeof contentTexts) => string) =>
  refuse((_texts, say) => write(say(contentTexts)));

/** As a command of the group; undefined values stay as they are. */
async function change(
  { chatId, chat, issuer }: CommandRequest,
  { services: { chatValues } }: BotTools,
  values: { readonly [Name in keyof ChatValues]?: ChatValues[Name] | null },
): Promise<void> {
  await chatValues.changeByCommand(
    { chatId, chatName: chat.title ?? '', by: issuer.telegramId, kind: 'values' },
    new Map([[wholeChatId, values]]),
  );
}

/** Whom the names in a preview are about: the one who reads it. */
const readPeople = ({ message: { from } }: Pick<CommandRequest, 'message'>) =>
  from === undefined ? [] : [from];

/** Saves what follows the command, or what it replies to. Undefined where there is neither. */
async function saveContent(
  { chatId, message, args, key }: CommandRequest,
  { services: { contents, memberCommands } }: BotTools,
  kind: ContentKind,
): Promise<string | undefined> {
  const { botId } = memberCommands.rights;
  const body = readContentOrReply({ message, offset: args.offset }, { kind, botId });
  return body && contents.save(chatId, body, key);
}

/** What the bot will send when someone joins or leaves, as the one who asks would get it. */
async function preview(
  request: CommandRequest,
  { services: { chatValues, contents, greetings } }: BotTools,
  which: 'welcome' | 'goodbye',
): Promise<Answer> {
  const { chatId, chat } = request;
  const settings = await readSettings(chatValues, chatId);
  const body = await greetings.readBody({ chatId, settings }, which);
  const { text, entities, ...written } = await contents.write(chatId, body, {
    people: readPeople(request),
    chatName: chat.title,
  });
  return { ...written, text: { text, entities } };
}

const readWord = ({ args }: CommandRequest) => args.text.trim().toLowerCase();

export const welcome: Handler = async (request, tools): Promise<Answer> => {
  const { name: verb, say, chatId } = request;
  const texts = say(contentTexts).welcome;
  const word = readWord(request);
  if (verb === 'setwelcome') {
    const content = await saveContent(request, tools, 'welcome');
    if (content === undefined) {
      throw refuseWith(({ welcome: { setUsage } }) => setUsage);
    }
    await change(request, tools, { welcome_content: content, welcome: true });
  } else if (verb === 'resetwelcome') {
    await change(request, tools, { welcome_content: null });
  } else if (word === 'on' || word === 'off') {
    await change(request, tools, { welcome: word === 'on' });
  } else if (word === 'everyone' || word === 'newcomer') {
    await change(request, tools, { welcome: true, welcome_to: word });
    return { text: word === 'everyone' ? texts.forEveryone : texts.forNewcomer };
  } else if (word !== '') {
    throw refuseWith(({ welcome: { usage } }) => usage);
  }
  const { welcome: isOn } = await readSettings(tools.services.chatValues, chatId);
  return isOn ? preview(request, tools, 'welcome') : { text: texts.off };
};

export const cleanwelcome: Handler = async (request, tools): Promise<Answer> => {
  const { say, chatId } = request;
  const texts = say(contentTexts).cleanWelcome;
  const word = readWord(request);
  const seconds = parseDuration(word);
  if (word === 'on') {
    await change(request, tools, { welcome_keep: null });
  } else if (word === 'off') {
    await change(request, tools, { welcome_keep: 'off' });
  } else if (seconds !== undefined && isPossibleKeep(seconds)) {
    await change(request, tools, { welcome_keep: seconds });
  } else if (word !== '') {
    throw refuseWith(({ cleanWelcome: { usage } }) => usage);
  }
  const { welcome_keep: keep } = await readSettings(tools.services.chatValues, chatId);
  return { text: keep === 'off' ? texts.off : texts.on(sayExactly(keep, say)) };
};

const isPossibleKeep = (seconds: number) =>
  seconds >= welcomeKeepLimits.min && seconds <= welcomeKeepLimits.max;

export const goodbye: Handler = async (request, tools): Promise<Answer> => {
  const { name: verb, say, chatId } = request;
  const word = readWord(request);
  if (verb === 'setgoodbye') {
    const content = await saveContent(request, tools, 'goodbye');
    if (content === undefined) {
      throw refuseWith(({ goodbye: { setUsage } }) => setUsage);
    }
    await change(request, tools, { goodbye_content: content, goodbye: true });
  } else if (word === 'on' || word === 'off') {
    await change(request, tools, { goodbye: word === 'on' });
  } else if (word !== '') {
    throw refuseWith(({ goodbye: { usage } }) => usage);
  }
  const { goodbye: isOn } = await readSettings(tools.services.chatValues, chatId);
  return isOn ? preview(request, tools, 'goodbye') : { text: say(contentTexts).goodbye.off };
};

/** What people type besides the names of the kinds. */
const serviceAliases: Readonly<Record<string, ServiceKind>> = {
  joins: 'join',
  left: 'leave',
  leaves: 'leave',
  pins: 'pin',
  topics: 'topic',
  videochat: 'video_chat',
};

function readServiceKinds(text: string): readonly ServiceKind[] {
  const words = readPhrases(text.toLowerCase()).flatMap((phrase) => phrase.split(/[\s,]+/));
  if (words.includes('all') || words.includes('on')) {
    return serviceKinds;
  }
  if (words.length === 1 && words.includes('off')) {
    return [];
  }
  const named = new Set(
    words.map((word) => serviceAliases[word] ?? serviceKinds.find((kind) => kind === word)),
  );
  if (named.has(undefined)) {
    throw refuseWith(({ cleanService: { usage } }) => usage);
  }
  return serviceKinds.filter((kind) => named.has(kind));
}

export const cleanservice: Handler = async (request, tools): Promise<Answer> => {
  const { args, say, chatId } = request;
  const { chatValues } = tools.services;
  if (args.text.trim() !== '') {
    await change(request, tools, { clean_service: [...readServiceKinds(args.text)] });
  }
  const { clean_service: cleaned } = await readSettings(chatValues, chatId);
  const texts = say(contentTexts).cleanService;
  const names = cleaned.map((kind) => texts.kinds[kind]);
  return { text: names.length === 0 ? texts.none : texts.list(joinList(names, say)) };
};

export const rules: Handler = async (request, tools): Promise<Answer> => {
  const { name: verb, say, chatId, links } = request;
  const { chatValues } = tools.services;
  const texts = say(contentTexts).rules;
  if (verb === 'setrules') {
    const content = await saveContent(request, tools, 'rules');
    if (content === undefined) {
      throw refuseWith(({ rules: { setUsage } }) => setUsage);
    }
    await change(request, tools, { rules_content: content });
    return showRules(request, tools, chatId);
  }
  if (verb === 'clearrules') {
    await change(request, tools, { rules_content: null });
    return { text: texts.cleared };
  }
  const { rules_content: content, rules_public: isPublic } = await readSettings(chatValues, chatId);
  if (content !== undefined && isPublic) {
    return { ...(await showRules(request, tools, chatId)), kind: 'public' };
  }
  return content === undefined
    ? { text: texts.none }
    : {
        text: texts.inPrivate,
        buttons: [[{ text: texts.read, ...links.toBot(rulesPayload(chatId)) }]],
      };
};

async function showRules(
  request: Pick<CommandRequest, 'message' | 'say'>,
  { services: { contents } }: BotTools,
  chatId: number,
): Promise<Answer> {
  const found = await contents.readRules(chatId);
  if (found === undefined) {
    return { text: request.say(contentTexts).rules.none };
  }
  const people = readPeople(request);
  const { text, entities, ...written } = await contents.write(found.chatId, found.body, { people });
  return { ...written, text: { text, entities } };
}

/** In a private chat, by a link of a group: its rules. Undefined for another payload of /start. */
export async function answerRulesLink(
  request: CommandRequest,
  tools: BotTools,
  payload: string,
): Promise<Answer | undefined> {
  const shown = readContentPayload(payload);
  return shown?.kind === 'rules' ? showRules(request, tools, shown.chatId) : undefined;
}

/** The bot no longer listens for a content. */
export const pressCancelContent: PressHandler = async ({ issuer, say }, { services }) => {
  const texts = say(contentTexts).request;
  const wasOpen = await services.contentRequests.cancel(issuer.telegramId);
  return { edit: { text: wasOpen ? texts.cancelled : texts.over } };
};

/**
 * Returns a function that hears what is written to the bot in private, while it listens for a content there. It resolves to
 * whether it did.
 */
export function createContentReceiver(
  answers: Answers,
  { services: { contentRequests } }: Pick<BotTools, 'services'>,
): (message: Message, key: string) => Promise<boolean> {
  return async (message, key) => {
    const entities = message.entities ?? message.caption_entities ?? [];
    const isCommand = entities.some(({ type, offset }) => type === 'bot_command' && offset === 0);
    if (message.chat.type !== 'private' || message.from?.is_bot !== false || isCommand) {
      return false;
    }
    const given = await contentRequests.receive({ message, key });
    for (const answer of given) {
      await answers.send({ ...answer, chatId: message.chat.id });
    }
    return given.length > 0;
  };
}
