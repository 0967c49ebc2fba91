/** What Telegram's refusals and the rules about members mean to an administrator. */
import { type Right } from '#contract/commands/command';
import { AppError } from '#server/lib/errors';
import { type Say } from '#server/lib/languages';
import { sayDuration } from '#server/lib/limits';
import { type ActionOutcome } from '#server/upstream/telegram/chat-actions';

import { memberTexts } from './texts.ts';

type RefusalTexts = (typeof memberTexts)['refusals'];

/** A refusal with one of the sentences about members; it is shown as it is, in a chat or on the dashboard. */
export function refuse(write: (texts: RefusalTexts, say: Say) => string): AppError {
  return new AppError('telegram_refused', {
    detail: (say) => write(say(memberTexts).refusals, say),
  });
}

export const refuseWithoutBotRight = (right: Right): AppError =>
  refuse((texts, say) => texts.noRightBot(say(memberTexts).rights[right]));

export const refuseWithoutUserRight = (right: Right): AppError =>
  refuse((texts, say) => texts.noRightUser(say(memberTexts).rights[right]));

/** When Telegram does not say how long it wants no calls. */
const unknownWaitS = 30;
/** How soon a question that Telegram has not answered may be asked again. */
const askAgainAfterS = 5;

/** What a refusal says in a chat, where it always says how long to wait for Telegram. */
export function sayRefusal(error: AppError, say: Say): string {
  return error.code === 'telegram_unavailable'
    ? say(memberTexts).refusals.telegramAway(sayDuration(error.retryAfterS ?? askAgainAfterS, say))
    : error.sayIn(say);
}

/** What a call was about, for the sentence of its refusal. */
type Context = {
  /** What the bot needs for it. */
  readonly right: Right;
  /** The person it was about. */
  readonly name?: string;
  /** What has an emoji where none is allowed. */
  readonly label?: 'title' | 'tag';
};

/** Returns what Telegram has answered; throws what a refusal means. */
export function requireDone<T>(outcome: ActionOutcome<T>, context: Context): T {
  if (outcome.kind === 'done') {
    return outcome.result;
  }
  if (outcome.kind === 'later' || outcome.kind === 'moved') {
    const waitS = outcome.kind === 'later' ? (outcome.retryAfterS ?? unknownWaitS) : unknownWaitS;
    throw new AppError('telegram_unavailable', {
      retryAfterS: waitS,
      detail: (say) => say(memberTexts).refusals.telegramAway(sayDuration(waitS, say)),
    });
  }
  throw toRefusal(outcome.why, outcome.description, context);
}

type Why = Extract<ActionOutcome, { kind: 'refused' }>['why'];

function toRefusal(why: Why, description: string, { right, name = '', label }: Context): AppError {
  const refusals: Readonly<Record<Why, () => AppError>> = {
    'no right': () => refuseWithoutBotRight(right),
    administrator: () => refuse((texts) => texts.administrator(name)),
    'unknown person': () => refuse((texts) => texts.unknownPerson),
    'supergroup only': () => refuse((texts) => texts.supergroupOnly),
    'not in chat': () => refuse((texts) => texts.notInChat),
    'no topics': () => refuse((texts) => texts.topicsOnly),
    unchanged: () => refuse((texts) => texts.unchanged),
    'message gone': () => refuse((texts) => texts.messageGone),
    'file lost': () => refuse((texts) => texts.fileLost),
    button: () => refuse((texts) => texts.wrongButton),
    emoji: () => refuse((texts) => (label === 'tag' ? texts.tagEmoji : texts.titleEmoji)),
    'not ours': () => refuse((texts) => texts.notOurs(name)),
    'no request': () => refuse((texts) => texts.unchanged),
    'no set': () => refuse((texts) => texts.other(description)),
    'set full': () => refuse((texts) => texts.other(description)),
    'set exists': () => refuse((texts) => texts.other(description)),
    'not started': () => refuse((texts) => texts.unknownPerson),
    'unknown method': () => refuse((texts) => texts.tooOld),
    other: () => refuse((texts) => texts.other(description)),
  };
  return refusals[why]();
}
