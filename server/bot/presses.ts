/** Hears pressed buttons: each has a verb and an ID, and rights are checked at the press. */
import { type CallbackQuery } from 'grammy/types';

import { AppError } from '#server/lib/errors';
import { isGroup } from '#server/upstream/telegram/bot';
import { disownVerb } from '#services/accounts';
import { cancelVerb } from '#services/contents';
import { fullName, sayRefusal } from '#services/members';

import { type Answers } from './answers.ts';
import {
  type Answer,
  type BotTools,
  type Press,
  type PressHandler,
  type PressResult,
  readLanguage,
} from './command.ts';
import { type Commands } from './commands.ts';
import { adultPresses } from './handlers/adult.ts';
import { pressCaptcha } from './handlers/automatic.ts';
import { pressStopAll } from './handlers/filters.ts';
import { pressDisown, pressForget } from './handlers/general.ts';
import { pressCancelContent } from './handlers/greetings.ts';
import { picturePresses } from './handlers/imagine.ts';
import { readWhisper, whisperVerb } from './handlers/inline.ts';
import { listeningPresses } from './handlers/listening.ts';
import { lookupPresses } from './handlers/lookups.ts';
import { pressUndo, pressWipe } from './handlers/members.ts';
import { pressUnpinAll } from './handlers/messages.ts';
import { personalPresses } from './handlers/personal.ts';
import { reportPresses } from './handlers/reports.ts';
import { botTexts } from './texts.ts';
import { type UntilStored } from './update-queue.ts';

/** Telegram's limit for what is shown for a moment. */
const maxNoticeLength = 200;

type Options = {
  readonly answers: Answers;
  readonly commands: Commands;
  readonly untilStored: UntilStored;
};

/** By the verbs of their buttons. */
const pressesBySubject = {
  ...reportPresses,
  ...personalPresses,
  ...adultPresses,
  ...lookupPresses,
  ...listeningPresses,
  ...picturePresses,
};

/** While the database is away, what a press does is tried again until it is stored. */
export function createPresses({ answers, commands, untilStored }: Options, tools: BotTools) {
  const { deps, services, linksIn } = tools;
  const { chatActions, languages } = deps;
  const answerElsewhere = createPressesElsewhere(tools, untilStored);

  async function toPress(query: PressHere, key: string): Promise<Press> {
    const { message, from } = query;
    const { chat } = message;
    const language = await readLanguage(chat, from, tools);
    // What Telegram shows no more has no topic.
    const isInTopic = 'is_topic_message' in message && message.is_topic_message;
    return {
      chat,
      chatId: chat.id,
      inGroup: isGroup(chat),
      topicId: isInTopic ? message.message_thread_id : undefined,
      issuer: { telegramId: from.id, name: fullName(from) },
      language,
      say: languages.textsIn(language.language),
      links: linksIn(language),
      key,
      id: query.id,
      data: readData(query).id,
      messageId: message.message_id,
    };
  }

  const handlers = listHandlers(commands);

  async function run(press: Press, verb: string): Promise<PressResult> {
    const handle = handlers.get(verb);
    try {
      return (await handle?.(press, tools)) ?? { notice: press.say(botTexts).confirm.over };
    } catch (error) {
      if (error instanceof AppError) {
        return { notice: sayRefusal(error, press.say) };
      }
      throw error;
    }
  }

  /** Replaces the message of the button. Returns false where it is one for one person alone that cannot be replaced. */
  async function replace(press: Press, edit: Answer, query: CallbackQuery): Promise<boolean> {
    const { chatId, messageId } = press;
    const onlyFor = readEphemeral(query);
    if (messageId === 0 && onlyFor === undefined) {
      return false;
    }
    const rich = typeof edit.text === 'string' ? { text: edit.text } : edit.text;
    const { media, buttons = [] } = edit;
    const photoId = media?.kind === 'photo' ? media.fileId : undefined;
    const content = { ...rich, messageId, onlyFor, photoId, buttons };
    const outcome = await untilStored(() =>
      services.outbox.send(
        chatId,
        (id) =>
          chatActions?.edit({ ...content, chatId: id }) ??
          Promise.resolve({ kind: 'later', retryAfterS: undefined }),
      ),
    );
    return messageId > 0 || outcome.kind !== 'refused' || outcome.why === 'unchanged';
  }

  async function show(press: Press, result: PressResult, query: CallbackQuery): Promise<void> {
    const { chatId, messageId } = press;
    const { edit, answer, remove } = result;
    const isShown = edit === undefined || (await replace(press, edit, query));
    const quiet = answer ?? (isShown ? undefined : edit);
    if (quiet !== undefined) {
      await answers.give(press, { ...quiet, kind: quiet.kind ?? 'quiet' }, { pressId: query.id });
    }
    if (remove === true && messageId > 0) {
      await untilStored(() => services.deletions.deleteLater(chatId, [messageId], 0));
    }
  }

  async function answerHere(query: PressHere, key: string): Promise<void> {
    const press = await untilStored(() => toPress(query, key));
    const result = await untilStored(() => run(press, readData(query).verb));
    await show(press, result, query);
    // Last, because a quiet answer uses the press.
    const notice = result.notice?.slice(0, maxNoticeLength).toWellFormed();
    await chatActions?.answerPress(query.id, notice);
  }

  /** Resolves when the press is answered. */
  return ({ message, ...query }: CallbackQuery, key: string): Promise<void> =>
    message === undefined ? answerElsewhere(query) : answerHere({ ...query, message }, key);
}

/** By the verb of the button. */
const listHandlers = (commands: Commands): ReadonlyMap<string, PressHandler> =>
  new Map<string, PressHandler>([
    ['undo', pressUndo],
    ['wipe', pressWipe],
    ['unpin', pressUnpinAll],
    ['forget', pressForget],
    ['stopall', pressStopAll],
    [cancelVerb, pressCancelContent],
    [disownVerb, pressDisown],
    ...Object.entries(pressesBySubject),
    ['captcha', pressCaptcha],
    ['confirm', commands.confirm],
  ]);

/** Under a message that the bot sees. */
type PressHere = CallbackQuery & { readonly message: NonNullable<CallbackQuery['message']> };

/** Presses under messages that were sent in any chat with the help of the bot, which does not see them. */
function createPressesElsewhere(tools: BotTools, untilStored: UntilStored) {
  const { chatActions, languages } = tools.deps;
  const { userLanguages } = tools.services;

  async function readText({ from }: CallbackQuery, id: string): Promise<string> {
    const { language } = await userLanguages.readLanguage(from.id, { code: from.language_code });
    return readWhisper({ id, from, say: languages.textsIn(language) }, tools);
  }

  return async (query: CallbackQuery): Promise<void> => {
    const { verb, id } = readData(query);
    if (verb === whisperVerb) {
      await chatActions?.alertPress(query.id, await untilStored(() => readText(query, id)));
    } else {
      await chatActions?.answerPress(query.id);
    }
  };
}

/** Where the message of the button is one that only the presser sees. */
function readEphemeral({ message, from }: CallbackQuery) {
  const ephemeralId =
    message !== undefined && 'ephemeral_message_id' in message
      ? message.ephemeral_message_id
      : undefined;
  return ephemeralId === undefined ? undefined : { telegramId: from.id, ephemeralId };
}

function readData({ data = '' }: CallbackQuery) {
  const [version, verb = '', id = ''] = data.split(':');
  return version === 'v1' ? { verb, id } : { verb: '', id: '' };
}
