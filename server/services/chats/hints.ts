/**
 * Tells a user who has added the bot to a chat that it lacks the right to delete. A group that becomes a
 * supergroup looks the same at first, as if the user who upgraded it had added the bot, and Telegram may
 * say only then that it is an upgrade. So a hint waits, as a row of the database, and is dropped if the chat
 * turns out to be known or the bot gets the right.
 */
import { type Dependencies } from '#server/app/dependencies';
import { createBotChatRepository, createDueHintRepository } from '#server/db/bot-chats';
import { hintRules, limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';

import { chatTexts } from './texts.ts';

/** A timer may end a moment before the clock says so, and the hint would wait for the next round. */
const afterDueMs = 50;

export type RightHints = ReturnType<typeof createRightHints>;

export function createRightHints(
  { database: { db }, clock, log }: Pick<Dependencies, 'database' | 'clock' | 'log'>,
  { messages, limiter }: { readonly messages: Messages; readonly limiter: Limiter },
) {
  const hints = createDueHintRepository(db);
  const botChats = createBotChatRepository(db);
  const timers = new Set<NodeJS.Timeout>();
  let isStarted = false;
  let running: Promise<void> = Promise.resolve();

  async function send(chatId: number, telegramId: number): Promise<void> {
    const place = await botChats.find(chatId);
    // Limited, because the bot may be added and removed again and again.
    const isNeeded =
      place?.isIn === true &&
      !place.mayDelete &&
      (await limiter.tryTake(limits.botHints, `${chatId}:${telegramId}`));
    if (isNeeded) {
      await messages.send(telegramId, { text: chatTexts.needsRight(place.name) });
    }
  }

  async function sendAll(): Promise<void> {
    const now = clock();
    // Held for a while: if this process ends before it has sent them, another does.
    for (const { chatId, telegramId } of await hints.claim(now, now + hintRules.holdMs)) {
      try {
        await send(chatId, telegramId);
      } catch (error) {
        // Nori shows the missing right, too.
        const reason = error instanceof Error ? error.message : String(error);
        log.warn({ reason }, 'could not send the hint about a missing right');
      }
      await hints.remove(chatId);
    }
  }

  /** Sends what is due now; never rejects. */
  function sendDue(): Promise<void> {
    running = running.then(sendAll).catch((error: unknown) => {
      log.error({ err: error }, 'could not send the hints that are due');
    });
    return running;
  }

  function sendIn(ms: number): void {
    if (isStarted) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        void sendDue();
      }, ms);
      timers.add(timer.unref());
    }
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
      sendIn(hintRules.waitMs + afterDueMs);
    },
    sendDue,
    /** Sends what an earlier process has left, and what becomes due until `stop`. */
    start: (): void => {
      isStarted = true;
      sendIn(0);
      timers.add(setInterval(() => void sendDue(), hintRules.holdMs).unref());
    },
    /** Resolves when nothing is in progress. */
    stop: async (): Promise<void> => {
      isStarted = false;
      for (const timer of timers) {
        clearTimeout(timer);
      }
      timers.clear();
      await running;
    },
  };
}
