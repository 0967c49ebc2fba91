/**
 * Sends what the bot does and says in chats, one call after the other in each chat. When Telegram wants no calls
 * about a chat for a while, that chat waits and no other does; when it says so of two chats, all of them wait.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { createKeyedSemaphore } from '#server/lib/concurrency';
import { Unfinished } from '#server/lib/errors';
import { type ActionOutcome } from '#server/upstream/telegram/chat-actions';

import { createPauses, type SharedPauses } from './telegram-pauses.ts';

export type Outbox = {
  /**
   * Makes a call about a chat when its turn has come, and again when Telegram has made it wait or the group has
   * become a supergroup. `later` is then an outcome without a time only: Telegram does not answer. Throws
   * `Unfinished` when the server stops meanwhile.
   */
  readonly send: <T>(
    chatId: number,
    call: (chatId: number) => Promise<ActionOutcome<T>>,
  ) => Promise<ActionOutcome<T>>;
  /** Nothing waits any more. */
  readonly stop: () => void;
};

/** `onUpgrade` saves that a group became a supergroup. `shared` are the pauses of other processes. */
export function createOutbox(
  onUpgrade: (oldId: number, newId: number) => Promise<void>,
  shared?: SharedPauses,
): Outbox {
  // The machine's own clock: this is how long Telegram has to be left alone.
  const pauses = createPauses(() => performance.now(), shared);
  const lanes = createKeyedSemaphore(1);
  const stopping = new AbortController();

  async function waitFor(chatId: number): Promise<void> {
    for (;;) {
      const waitMs = pauses.getEnd(chatId) - performance.now();
      if (waitMs <= 0) {
        return;
      }
      await sleep(waitMs, undefined, { ref: false, signal: stopping.signal });
    }
  }

  async function callInTurn<T>(
    chatId: number,
    call: (chatId: number) => Promise<ActionOutcome<T>>,
  ): Promise<ActionOutcome<T>> {
    for (;;) {
      await waitFor(chatId);
      const outcome = await call(chatId);
      if (outcome.kind !== 'later' || outcome.retryAfterS === undefined) {
        pauses.reset(chatId);
        return outcome;
      }
      pauses.start(chatId, outcome.retryAfterS);
    }
  }

  async function send<T>(
    chatId: number,
    call: (chatId: number) => Promise<ActionOutcome<T>>,
  ): Promise<ActionOutcome<T>> {
    const release = await lanes.acquire(String(chatId), stopping.signal);
    try {
      const outcome = await callInTurn(chatId, call);
      if (outcome.kind !== 'moved') {
        return outcome;
      }
      await onUpgrade(chatId, outcome.chatId);
      // What comes later for the old ID waits, so that the order stays the same.
      return await send(outcome.chatId, call);
    } finally {
      release();
    }
  }

  return {
    send: async (chatId, call) => {
      try {
        return await send(chatId, call);
      } catch (error) {
        throw stopping.signal.aborted ? new Unfinished() : error;
      }
    },
    stop: () => stopping.abort(),
  };
}
