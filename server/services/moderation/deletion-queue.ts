/**
 * Lines deletions up, chat by chat: the first one is sent at once, and what comes while that call is
 * under way goes together into the next.
 */
import { type Dependencies } from '#server/app/dependencies';

import {
  type CallTools,
  createDeletionCalls,
  type Deletion,
  type Fate,
  type Job,
  settleAll,
} from './deletion-calls.ts';
import { createDeletionPauses } from './pauses.ts';
import { createRecentDeletions } from './recent-deletions.ts';

export type DeletionQueue = {
  /** Never rejects. A message that is being deleted, or just was, is not deleted again. */
  readonly take: (deletion: Deletion) => Promise<Fate>;
};

type Lane = { jobs: Job[]; isCalling: boolean };

/** What Telegram takes in one call. */
const idsPerCall = 100;

export function createDeletionQueue(
  deps: Pick<Dependencies, 'telegramBot' | 'clock' | 'log'>,
  tools: CallTools,
): DeletionQueue {
  const { clock, log } = deps;
  const { rights } = tools;
  const lanes = new Map<number, Lane>();
  const pauses = createDeletionPauses(clock);
  const calls = createDeletionCalls(deps, { ...tools, pauses });
  const recent = createRecentDeletions<Promise<Fate>>(clock);

  /** What goes into the next call; settles what is not sent at all. */
  function nextBatch(chatId: number, lane: Lane): readonly Job[] {
    const until = pauses.until(chatId);
    if (until > clock()) {
      for (const job of lane.jobs.splice(0)) {
        job.settle({ kind: 'later', at: until });
      }
      return [];
    }
    const others = lane.jobs.filter(({ setting }) => setting !== undefined);
    const own = lane.jobs.filter(({ setting }) => setting === undefined);
    const mayTry = rights.mayTry(chatId);
    // The bot may always delete its own messages, so that these calls are kept apart.
    if (others.length === 0 || mayTry === 'no') {
      settleAll(others);
      lane.jobs = own.slice(idsPerCall);
      return own.slice(0, idsPerCall);
    }
    const size = mayTry === 'once' ? 1 : idsPerCall;
    lane.jobs = [...others.slice(size), ...own];
    return others.slice(0, size);
  }

  async function work(chatId: number, lane: Lane): Promise<void> {
    lane.isCalling = true;
    let batch = nextBatch(chatId, lane);
    while (batch.length > 0) {
      try {
        // What comes meanwhile is gathered for the next call.
        await calls.send(chatId, batch);
      } catch (error) {
        log.error({ err: error }, 'what a deletion has taught could not be stored');
        settleAll(batch);
      }
      batch = nextBatch(chatId, lane);
    }
    lanes.delete(chatId);
  }

  return {
    take(deletion) {
      const { chatId, messageId } = deletion;
      const known = recent.find(chatId, messageId);
      if (known !== undefined) {
        return known;
      }
      const lane = lanes.get(chatId) ?? { jobs: [], isCalling: false };
      lanes.set(chatId, lane);
      const fate = new Promise<Fate>((resolve) => {
        lane.jobs.push({
          ...deletion,
          settle: (settled) => {
            if (settled.kind !== 'gone') {
              recent.forget(chatId, messageId);
            }
            resolve(settled);
          },
        });
      });
      recent.add(chatId, messageId, fate);
      if (!lane.isCalling) {
        lane.isCalling = true;
        // After what is taken in the same breath, such as the rest of an album.
        queueMicrotask(() => void work(chatId, lane));
      }
      return fate;
    },
  };
}
