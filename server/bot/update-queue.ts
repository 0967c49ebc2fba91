/**
 * Handles updates: those of one lane in order, those of different lanes at the same time. Messages, presses and reactions
 * share the lane of their chat; what happens to a member has one for each person, as Telegram has, so that many who join at
 * once wait neither for each other nor for messages; what is asked in any chat has one for each person, too. What cannot be stored is repeated, as Telegram does not send an update
 * again once it is confirmed.
 */
import { type Update } from 'grammy/types';
import { type Logger } from 'pino';

import { isDatabaseAway } from '#server/db/failures';
import { Unfinished } from '#server/lib/errors';
import { throwUnlessHeld } from '#server/lib/holding';
import { withRequestId } from '#server/lib/request-context';
import { metrics, timed } from '#server/lib/telemetry';

import { type Pause } from './retry.ts';

/** Adds work of an update that the next update of its lane does not wait for. The work may reject. */
export type InBackground = (work: Promise<unknown>) => void;

export type HandleUpdate = (update: Update, inBackground: InBackground) => Promise<void>;

/** `onFailure` gets what a handler threw; it must not throw itself. */
export function createUpdateQueue({
  handle,
  onFailure,
}: {
  readonly handle: HandleUpdate;
  readonly onFailure: (error: unknown, update: Update) => void;
}) {
  const inProgress = new Set<Promise<unknown>>();
  /** The last update of each lane that has any in progress. */
  const lanes = new Map<string, Promise<void>>();

  return {
    /**
     * Resolves when the update is handled with all its background work, or left unfinished; never rejects.
     * An update whose handler fails counts as handled: it would otherwise fail forever.
     */
    handle(update: Update): Promise<'done' | 'unfinished'> {
      const lane = readLane(update);
      const before = lanes.get(lane);
      const background: Promise<void>[] = [];
      let outcome: 'done' | 'unfinished' = 'done';
      let hasFailed = false;

      function onError(error: unknown): void {
        if (error instanceof Unfinished) {
          outcome = 'unfinished';
        } else {
          hasFailed = true;
          onFailure(error, update);
        }
      }

      async function handleAfterOthers(): Promise<void> {
        await before;
        try {
          await handle(update, (work) => void background.push(work.then(() => undefined, onError)));
        } catch (error) {
          onError(error);
        }
      }

      async function finish(): Promise<'done' | 'unfinished'> {
        await handling;
        if (lanes.get(lane) === handling) {
          lanes.delete(lane);
        }
        await Promise.all(background);
        inProgress.delete(finished);
        return outcome;
      }

      const kind = readKind(update);
      metrics.count('updatesReceived', { kind });
      const watched = {
        what: 'update',
        labels: { kind },
        toOutcome: () => (hasFailed ? 'failed' : outcome),
      } as const;
      const handling = withRequestId(`update ${update.update_id}`, () =>
        timed(watched, handleAfterOthers),
      );
      lanes.set(lane, handling);
      const finished = finish();
      inProgress.add(finished);
      return finished;
    },

    /** Resolves when nothing is in progress. */
    settled: async (): Promise<void> => {
      await Promise.all(inProgress);
    },
  };
}

/** Such as `message`. The content of an update is private and must not be logged. */
export function readKind(update: Update): string {
  return Object.keys(update).find((key) => key !== 'update_id') ?? 'empty';
}

/** Of a join request or of what happened to a member besides the bot. */
function readMove({ chat_member: move, chat_join_request: request }: Update) {
  return {
    chat: (move ?? request)?.chat,
    personId: (move?.new_chat_member?.user ?? request?.from)?.id,
  };
}

/** Who writes to the bot by its name in any chat, chooses what it has found, or presses a button under what was sent so. */
function readInlinePerson({ inline_query, chosen_inline_result, ...update }: Update) {
  const { guest_message, callback_query: press } = update;
  const elsewhere = press?.message === undefined ? press : undefined;
  return (inline_query ?? chosen_inline_result ?? guest_message ?? elsewhere)?.from?.id;
}

function readChat(update: Update) {
  const { message, edited_message, my_chat_member, channel_post, message_reaction } = update;
  const content = message ?? edited_message ?? channel_post ?? update.callback_query?.message;
  const { stopped_message_generation: stopped } = update;
  return (content ?? message_reaction ?? my_chat_member ?? stopped)?.chat ?? readMove(update).chat;
}

/**
 * What belongs to no chat counts as in the private chat of its person; 0 where there is none. Fields are checked although
 * they have types: a malformed update must not stop the others.
 */
export function readChatId(update: Update): number {
  const id = readChat(update)?.id ?? readInlinePerson(update);
  return Number.isSafeInteger(id) && id !== undefined ? id : 0;
}

/** Updates of the same lane are handled in their order. */
export function readLane(update: Update): string {
  const { personId } = readMove(update);
  const chatId = String(readChatId(update));
  if (readInlinePerson(update) !== undefined) {
    return `inline:${chatId}`;
  }
  return Number.isSafeInteger(personId) ? `${chatId}:${personId}` : chatId;
}

const firstPauseMs = 250;
const maxPauseMs = 15_000;

/**
 * Repeats `work` while the database is away. Throws what `work` throws for other reasons, and `Unfinished` when the bot is
 * stopped meanwhile, or has lost its lock.
 */
export type UntilStored = <T>(work: () => Promise<T>) => Promise<T>;

export function createUntilStored({
  pause,
  signal,
  log,
  isTemporary = isDatabaseAway,
}: {
  readonly pause: Pause;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly isTemporary?: (error: unknown) => boolean;
}): UntilStored {
  return async (work) => {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      try {
        return await work();
      } catch (error) {
        if (!isTemporary(error)) {
          throw error;
        }
        const reason = error instanceof Error ? error.message : String(error);
        log.warn({ reason }, 'could not store an update; it is tried again');
      }
      await pause(pauseMs, signal);
      throwUnlessHeld();
      if (signal.aborted) {
        throw new Unfinished();
      }
    }
  };
}
