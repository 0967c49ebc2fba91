/** Hears pressed buttons: each has a verb and an ID, and rights are checked at the press. */
import { type CallbackQuery } from 'grammy/types';

import { AppError } from '#server/lib/errors';
import { isGroup } from '#server/upstream/telegram/bot';
import { fullName, sayRefusal } from '#services/members';

import { type Answers } from './answers.ts';
import {
  type BotTools,
  type Press,
  type PressHandler,
  type PressResult,
  readLanguage,
} from './command.ts';
import { type Commands } from './commands.ts';
import { pressForget } from './handlers/general.ts';
import { pressUndo, pressWipe } from './handlers/members.ts';
import { pressUnpinAll } from './handlers/messages.ts';
import { reportPresses } from './handlers/reports.ts';
import { botTexts } from './texts.ts';

/** Telegram's limit for what is shown for a moment. */
const maxNoticeLength = 200;

export function createPresses(answers: Answers, commands: Commands, tools: BotTools) {
  const { deps, services, linksIn } = tools;
  const { chatActions, languages } = deps;

  async function toPress(query: CallbackQuery, key: string): Promise<Press | undefined> {
    const { message, from } = query;
    if (message === undefined) {
      return undefined;
    }
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
      data: readData(query).id,
      messageId: message.message_id,
    };
  }

  /** By the verb of the button. */
  const handlers: ReadonlyMap<string, PressHandler> = new Map<string, PressHandler>([
    ['undo', pressUndo],
    ['wipe', pressWipe],
    ['unpin', pressUnpinAll],
    ['forget', pressForget],
    ...Object.entries(reportPresses),
    ['confirm', commands.confirm],
  ]);

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

  async function show(press: Press, { edit, answer, remove }: PressResult, pressId: string) {
    const { chatId, messageId } = press;
    if (edit !== undefined && messageId > 0) {
      const { text, entities = [] } =
        typeof edit.text === 'string' ? { text: edit.text } : edit.text;
      await services.outbox.send(
        chatId,
        (id) =>
          chatActions?.edit({
            chatId: id,
            messageId,
            text,
            entities,
            buttons: edit.buttons ?? [],
          }) ?? Promise.resolve({ kind: 'later', retryAfterS: undefined }),
      );
    }
    const quiet = messageId > 0 ? answer : (answer ?? edit);
    if (quiet !== undefined) {
      await answers.give(press, { ...quiet, kind: quiet.kind ?? 'quiet' }, { pressId });
    }
    if (remove === true && messageId > 0) {
      await services.deletions.deleteLater(chatId, [messageId], 0);
    }
  }

  /** Resolves when the press is answered. Presses of buttons without a message of ours are left alone. */
  return async (query: CallbackQuery, key: string): Promise<void> => {
    const press = await toPress(query, key);
    const result = press && (await run(press, readData(query).verb));
    if (press !== undefined && result !== undefined) {
      await show(press, result, query.id);
    }
    // Last, because a quiet answer uses the press.
    const notice = result?.notice?.slice(0, maxNoticeLength).toWellFormed();
    await chatActions?.answerPress(query.id, notice);
  };
}

function readData({ data = '' }: CallbackQuery) {
  const [version, verb = '', id = ''] = data.split(':');
  return version === 'v1' ? { verb, id } : { verb: '', id: '' };
}
