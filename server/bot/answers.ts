/** Sends the bot's answers: for all to see, for a minute, or for the one who asked alone. */
import { type AnswerKind } from '#contract/commands/command';
import {
  type ActionOutcome,
  type BotMessage,
  type SentMessage,
} from '#server/upstream/telegram/chat-actions';
import { listSentIds } from '#services/contents';
import { anonymousId } from '#services/members';

import { type Answer, type BotTools, type Situation } from './command.ts';
import { type UntilStored } from './update-queue.ts';

/** How long a tidy answer, and the command that it answers, stay in a group. */
export const tidyMs = 60_000;
/** Telegram's limit for a message. */
const maxLength = 4096;

/** What is answered. */
type Target = {
  /** Undefined for a button. An ephemeral command has the ID 0 and one of its own. */
  readonly command?:
    | { readonly message_id: number; readonly ephemeral_message_id?: number }
    | undefined;
  /** Whether the command goes with its answer, as it says nothing else. */
  readonly isTidied?: boolean;
  /** The press that it answers. */
  readonly pressId?: string | undefined;
};

export type Answers = ReturnType<typeof createAnswers>;

/** What was sent is not sent again when the database is away afterwards. */
export function createAnswers(
  { deps, services }: Pick<BotTools, 'deps' | 'services'>,
  untilStored: UntilStored,
) {
  const { chatActions, log } = deps;
  const { outbox, deletions } = services;

  function trySend(message: BotMessage): Promise<ActionOutcome<SentMessage>> {
    return untilStored(() =>
      outbox.send(
        message.chatId,
        (chatId) =>
          chatActions?.send({ ...message, chatId }) ??
          Promise.resolve({ kind: 'later', retryAfterS: undefined }),
      ),
    );
  }

  function toSent(
    { chatId }: BotMessage,
    outcome: ActionOutcome<SentMessage>,
  ): SentMessage | undefined {
    if (outcome.kind === 'done') {
      return outcome.result;
    }
    const why = outcome.kind === 'refused' ? outcome.description : outcome.kind;
    log.info({ chatId, why }, 'an answer could not be sent');
    return undefined;
  }

  /** Returns undefined when it could not be sent. */
  async function send(message: BotMessage): Promise<SentMessage | undefined> {
    return toSent(message, await trySend(message));
  }

  /** For one person alone; for all where Telegram refuses that, or does not know such messages. */
  async function sendQuietly(
    message: BotMessage,
    receiver: ReturnType<typeof toReceiver>,
  ): Promise<SentMessage | undefined> {
    if (receiver === undefined) {
      return send(message);
    }
    const outcome = await trySend({ ...message, onlyFor: receiver });
    return outcome.kind === 'refused' ? send(message) : toSent(message, outcome);
  }

  return {
    send,

    /**
     * Sends an answer as its kind says. Resolves when it is sent, and what goes later is saved; to false when it
     * could not be sent.
     */
    async give(
      situation: Situation,
      { kind, ...answer }: Answer & { readonly kind: AnswerKind },
      target: Target = {},
    ): Promise<boolean> {
      const { chatId, inGroup } = situation;
      const message = toMessage(situation, answer, target);
      const sent =
        kind === 'quiet'
          ? await sendQuietly(message, toReceiver(situation, target))
          : await send(message);
      const { command, isTidied = false } = target;
      const written = isTidied ? (command?.message_id ?? 0) : 0;
      const ids = [...(sent === undefined ? [] : listSentIds(sent)), written].filter(
        (id) => id !== 0,
      );
      if (kind !== 'public' && (inGroup || answer.keepMs !== undefined) && ids.length > 0) {
        // Where the bot may not delete messages of others, the command stays.
        await untilStored(() => deletions.deleteLater(chatId, ids, answer.keepMs ?? tidyMs));
      }
      return sent !== undefined;
    },
  };
}

/** Undefined where the answer cannot be for one person: in private, and for those who hide who they are. */
function toReceiver({ inGroup, issuer }: Situation, { command, pressId }: Target) {
  return inGroup && issuer.telegramId > 0 && issuer.telegramId !== anonymousId
    ? {
        telegramId: issuer.telegramId,
        pressId,
        replyToEphemeral: command?.ephemeral_message_id,
      }
    : undefined;
}

function toMessage(
  { chatId, topicId }: Situation,
  answer: Answer,
  { command }: Target,
): BotMessage {
  const { text, entities = [] } =
    typeof answer.text === 'string' ? { text: answer.text } : answer.text;
  return {
    chatId,
    topicId,
    // Telegram refuses half an emoji.
    text: text.slice(0, maxLength).toWellFormed(),
    entities: entities.filter(({ offset, length }) => offset + length <= maxLength),
    replyTo: command === undefined || command.message_id === 0 ? undefined : command.message_id,
    buttons: answer.buttons ?? [],
    media: answer.media,
    isProtected: answer.isProtected,
  };
}
