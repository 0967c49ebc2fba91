/**
 * Sends what the bot does and says in chats: what it says one call after the other in each chat, what it does to a member
 * one call after the other for each member. When Telegram wants no calls about a chat for a while, that chat waits and no
 * other does; when it says so of two chats, all of them wait. Members are muted and let in while messages have to wait:
 * Telegram allows few messages a minute, and a raid does not wait.
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
   * `Unfinished` when the server stops meanwhile. With `memberId`, it is about what this member may do, and sends nothing.
   */
  readonly send: <T>(
    chatId: number,
    call: (chatId: number) => Promise<ActionOutcome<T>>,
    memberId?: number,
  ) => Promise<ActionOutcome<T>>;
  /** Nothing waits any more. */
  readonly stop: () => void;
};

/** Calls about different members of a chat at the same time: Telegram takes about thirty a second of a bot. */
const maxMembersAtOnce = 4;

/** The machine's own clock: this is how long Telegram has to be left alone. */
const readOwnClock = () => performance.now();

type Call<T> = {
  readonly chatId: number;
  readonly memberId: number | undefined;
  readonly make: (chatId: number) => Promise<ActionOutcome<T>>;
};

/** `onUpgrade` saves that a group became a supergroup. `shared` are the pauses of other processes. */
export function createOutbox(
  onUpgrade: (oldId: number, newId: number) => Promise<void>,
  shared?: SharedPauses,
): Outbox {
  const pauses = {
    messages: createPauses(readOwnClock, shared),
    members: createPauses(readOwnClock),
  };
  const lanes = createKeyedSemaphore(1);
  const places = createKeyedSemaphore(maxMembersAtOnce);
  const stopping = new AbortController();

  async function waitFor(chatId: number, until: ReturnType<typeof createPauses>): Promise<void> {
    for (;;) {
      const waitMs = until.getEnd(chatId) - performance.now();
      if (waitMs <= 0) {
        return;
      }
      await sleep(waitMs, undefined, { ref: false, signal: stopping.signal });
    }
  }

  async function callInTurn<T>({ chatId, memberId, make }: Call<T>): Promise<ActionOutcome<T>> {
    const own = memberId === undefined ? pauses.messages : pauses.members;
    for (;;) {
      await waitFor(chatId, own);
      const outcome = await make(chatId);
      if (outcome.kind !== 'later' || outcome.retryAfterS === undefined) {
        own.reset(chatId);
        return outcome;
      }
      own.start(chatId, outcome.retryAfterS);
    }
  }

  /** Resolves when it is the turn of a call. Returns a function that lets the next one begin. */
  async function takeTurn({ chatId, memberId }: Call<unknown>): Promise<() => void> {
    const lane = memberId === undefined ? String(chatId) : `${chatId} ${memberId}`;
    const release = await lanes.acquire(lane, stopping.signal);
    if (memberId === undefined) {
      return release;
    }
    try {
      const leave = await places.acquire(String(chatId), stopping.signal);
      return () => {
        leave();
        release();
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  async function send<T>(call: Call<T>): Promise<ActionOutcome<T>> {
    const release = await takeTurn(call);
    try {
      const outcome = await callInTurn(call);
      if (outcome.kind !== 'moved') {
        return outcome;
      }
      await onUpgrade(call.chatId, outcome.chatId);
      // What comes later for the old ID waits, so that the order stays the same.
      return await send({ ...call, chatId: outcome.chatId });
    } finally {
      release();
    }
  }

  return {
    send: async (chatId, make, memberId) => {
      try {
        return await send({ chatId, memberId, make });
      } catch (error) {
        throw stopping.signal.aborted ? new Unfinished() : error;
      }
    },
    stop: () => stopping.abort(),
  };
}
