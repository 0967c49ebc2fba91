/**
 * Tells a user who has added the bot to a chat what to do next: to give it the right to delete, or to verify
 * the chat. A group that becomes a supergroup looks the same at first, as if the user who upgraded it had
 * added the bot, and Telegram may say only then that it is an upgrade. So a hint waits, as a row of the
 * database, and is dropped if the chat turns out to be known.
 */
import { sourceLanguage } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createBotChatRepository, createDueHintRepository } from '#server/db/bot-chats';
import { createManagerRepository } from '#server/db/managers';
import { alwaysHeld, throwUnlessHeld, withHold } from '#server/lib/holding';
import { type Say } from '#server/lib/languages';
import { hintRules, limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';
import { chatStartParam, createLinks, type Links } from '#server/services/links';
import { type Messages } from '#server/services/messages';
import { type UserLanguageService } from '#services/accounts';

import { oneLine } from './one-line.ts';
import { chatTexts } from './texts.ts';

/** A timer may end a moment before the clock says so, and the hint would wait for the next round. */
const afterDueMs = 50;

function toButton(link: ReturnType<Links['toSettings']>, say: Say) {
  return link && { text: say(chatTexts).setUpGroup, ...link };
}

type Tools = {
  readonly messages: Messages;
  readonly limiter: Limiter;
  readonly userLanguages: UserLanguageService;
};

export type ArrivalHints = ReturnType<typeof createArrivalHints>;

/** Returns a function that sends the hint, unless there is none to be sent any more. */
function createHintSender(
  { database: { db }, env, telegram }: Dependencies,
  { messages, limiter, userLanguages }: Tools,
) {
  const botChats = createBotChatRepository(db);
  const managers = createManagerRepository(db);

  return async (chatId: number, telegramId: number): Promise<void> => {
    const place = await botChats.find(chatId);
    if (telegram === undefined || place?.isIn !== true) {
      return;
    }
    const manager = await managers.find(chatId, telegramId);
    const isDone = place.mayDelete && manager?.isDemo === false;
    // Limited, because the bot may be added and removed again and again.
    if (isDone || !(await limiter.tryTake(limits.botHints, `${chatId}:${telegramId}`))) {
      return;
    }
    const next = place.mayDelete ? 'ready' : 'needsRight';
    const ofGroup = place.language ?? sourceLanguage;
    const ofUser = await userLanguages.readLanguage(telegramId, { fallback: ofGroup });
    const startParam = chatStartParam(chatId, undefined);
    const links = createLinks(env.publicUrl, await telegram.self(), ofUser);
    const sent = await messages.send(telegramId, ofUser.language, (say) => ({
      text: say(chatTexts).added[next](oneLine(place.name)),
      button: toButton(links.toSettings(startParam), say),
    }));
    if (sent === 'unreachable' && (await limiter.tryTake(limits.groupHints, chatId))) {
      await messages.send(chatId, ofGroup, (say) => ({
        text: say(chatTexts).addedInGroup[next],
        button: toButton(links.toSettingsFromGroup(startParam), say),
      }));
    }
  };
}

export function createArrivalHints(deps: Dependencies, tools: Tools) {
  const { clock, log } = deps;
  const { db, notifications } = deps.database;
  const hints = createDueHintRepository(db);
  const send = createHintSender(deps, tools);
  const timers = new Set<NodeJS.Timeout>();
  let isStarted = false;
  let hold = alwaysHeld;
  /** For hints that other processes have planned. */
  let woken: NodeJS.Timeout | undefined;
  let stopWaking: (() => void) | undefined;
  let running: Promise<void> = Promise.resolve();

  async function sendAll(): Promise<void> {
    throwUnlessHeld();
    const now = clock();
    // Held for a while: if this process ends before it has sent them, another does.
    for (const { chatId, telegramId } of await hints.claim(now, now + hintRules.holdMs)) {
      try {
        await send(chatId, telegramId);
      } catch (error) {
        // Nori shows the missing right, too.
        const reason = error instanceof Error ? error.message : String(error);
        log.warn({ reason }, 'could not send the hint to a user who has added the bot');
      }
      throwUnlessHeld();
      await hints.remove(chatId);
    }
  }

  /** Sends what is due now; never rejects. */
  function sendDue(): Promise<void> {
    running = running
      .then(() => withHold(hold, sendAll))
      .catch((error: unknown) => {
        log.error({ err: error }, 'could not send the hints that are due');
      });
    return running;
  }

  function sendIn(ms: number): NodeJS.Timeout | undefined {
    if (!isStarted) {
      return undefined;
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      woken = timer === woken ? undefined : woken;
      void sendDue();
    }, ms);
    timers.add(timer.unref());
    return timer;
  }

  function abandon(): void {
    isStarted = false;
    stopWaking?.();
    for (const timer of timers) {
      clearTimeout(timer);
    }
    timers.clear();
    woken = undefined;
  }

  return {
    /** Resolves when the hint is saved. */
    async plan(chatId: number, telegramId: number): Promise<void> {
      const now = clock();
      await hints.add({
        chatId,
        telegramId,
        dueAt: now + hintRules.waitMs,
        giveUpAt: now + hintRules.keptMs,
      });
      if (isStarted) {
        sendIn(hintRules.waitMs + afterDueMs);
      } else {
        // Another process sends it.
        notifications.notify('jobs');
      }
    },
    sendDue,
    /** Sends under this lock what an earlier process has left, and what becomes due until `stop` or `abandon`. */
    start: (lock = alwaysHeld): void => {
      isStarted = true;
      hold = lock;
      stopWaking = notifications.listen('jobs', () => {
        woken ??= sendIn(hintRules.waitMs + afterDueMs);
      });
      sendIn(0);
      timers.add(setInterval(() => void sendDue(), hintRules.holdMs).unref());
    },
    /** Resolves when nothing is in progress. */
    stop: async (): Promise<void> => {
      abandon();
      await running;
    },
    /** The lock is lost. */
    abandon,
  };
}
