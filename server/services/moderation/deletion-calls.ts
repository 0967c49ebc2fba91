/** Orders Telegram to delete, and knows what its refusals mean: whom they concern, and what to do about them. */
import { type Dependencies } from '#server/app/dependencies';
import { createKeyedSemaphore } from '#server/lib/concurrency';
import { type DeletionOutcome } from '#server/upstream/telegram/errors';

import { type DeletionCounts } from './deletion-counts.ts';
import { type DeletionPauses } from './pauses.ts';
import { type DeletionRights } from './rights.ts';

export type Deletion = {
  readonly chatId: number;
  readonly messageId: number;
  /** The setting it is deleted for; undefined for a message of the bot itself. */
  readonly setting: string | undefined;
  /** Epoch milliseconds after which Telegram deletes it no more. */
  readonly giveUpAt: number;
};

/** `dropped`: trying again would not help. `later`: not before `at`, in epoch milliseconds. */
export type Fate =
  | { readonly kind: 'gone' }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'later'; readonly at: number };

export type Job = Deletion & { readonly settle: (fate: Fate) => void };

export type CallTools = {
  readonly counts: DeletionCounts;
  readonly rights: DeletionRights;
  readonly onUpgrade: (oldId: number, newId: number) => Promise<void>;
};

/** To all chats together: at 150 ms for an answer, 600 a second. */
const callsAtOnce = 96;
/** So many single refusals in a row, and it is not about the messages. */
const enoughRefusals = 2;

/** Nobody stops waiting for a turn. */
const { signal: patience } = new AbortController();

/** Deletes messages of one chat, which are all the bot's own or all of others, and settles each of them. */
export type DeletionCalls = {
  /** Rejects when the database fails. */
  readonly send: (chatId: number, jobs: readonly Job[]) => Promise<void>;
};

export function createDeletionCalls(
  { telegramBot, clock, log }: Pick<Dependencies, 'telegramBot' | 'clock' | 'log'>,
  { counts, rights, onUpgrade, pauses }: CallTools & { readonly pauses: DeletionPauses },
): DeletionCalls {
  const semaphore = createKeyedSemaphore(callsAtOnce);

  async function ask(chatId: number, jobs: readonly Job[]): Promise<DeletionOutcome> {
    const leave = await semaphore.acquire('deletions', patience);
    const noAnswer = { kind: 'later', retryAfterS: undefined } as const;
    try {
      const ids = jobs.map(({ messageId }) => messageId);
      return (await telegramBot?.deleteMessages(chatId, ids)) ?? noAnswer;
    } catch (error) {
      log.error({ err: error }, 'a deletion went wrong');
      return noAnswer;
    } finally {
      leave();
    }
  }

  /** Asks once. Settles all but what was refused, which it answers with. */
  async function attempt(chatId: number, jobs: readonly Job[]): Promise<DeletionOutcome> {
    const outcome = await ask(chatId, jobs);
    if (outcome.kind === 'later') {
      const at = pauses.failed(chatId, outcome.retryAfterS);
      for (const job of jobs) {
        job.settle({ kind: 'later', at });
      }
      return outcome;
    }
    pauses.worked(chatId);
    if (outcome.kind === 'gone') {
      await noteGone(chatId, jobs, outcome.isOurs);
    } else if (outcome.kind === 'moved') {
      // Messages of the old group have no ids in the new one: theirs belong to other messages there.
      await onUpgrade(chatId, outcome.chatId);
      settleAll(jobs);
    }
    return outcome;
  }

  async function noteGone(chatId: number, jobs: readonly Job[], isOurs: boolean): Promise<void> {
    for (const { setting } of jobs) {
      if (isOurs && setting !== undefined) {
        counts.add(chatId, setting);
      }
    }
    settleAll(jobs, 'gone');
    if (isOurs && !isOwn(jobs)) {
      await rights.worked(chatId);
    }
  }

  /** One message that cannot be deleted spoils the call for the others: each gets one of its own, once. */
  async function sendOneByOne(chatId: number, jobs: readonly Job[]): Promise<void> {
    let refusals = 0;
    let isAnyGone = false;
    let isAboutRights = false;
    for (const job of jobs) {
      if (pauses.until(chatId) > clock()) {
        job.settle({ kind: 'later', at: pauses.until(chatId) });
      } else if (isAnyGone || refusals < enoughRefusals) {
        // One after the other, so that a chat that refuses everything is asked only twice.
        const outcome = await attempt(chatId, [job]);
        isAnyGone ||= outcome.kind === 'gone';
        if (outcome.kind === 'refused') {
          refusals += 1;
          isAboutRights ||= outcome.why === 'no right' || isMeaningful(outcome, [job], clock());
        }
      }
    }
    if (isAboutRights && !isAnyGone && !isOwn(jobs)) {
      await rights.lost(chatId, 'right');
    }
  }

  return {
    async send(chatId: number, jobs: readonly Job[]): Promise<void> {
      const outcome = await attempt(chatId, jobs);
      if (outcome.kind !== 'refused') {
        return;
      }
      if (outcome.why === 'not in chat') {
        await rights.lost(chatId, 'place');
      } else if (outcome.why !== 'no right' && jobs.length > 1) {
        await sendOneByOne(chatId, jobs);
      } else if (
        !isOwn(jobs) &&
        (outcome.why === 'no right' || isMeaningful(outcome, jobs, clock()))
      ) {
        await rights.lost(chatId, 'right');
      }
      settleAll(jobs);
    },
  };
}

/** Whether the refusal says something about the bot: a message that is too old is refused to everybody. */
function isMeaningful(outcome: DeletionOutcome, jobs: readonly Job[], now: number): boolean {
  return (
    outcome.kind === 'refused' &&
    outcome.why === 'undeletable' &&
    jobs.some(({ giveUpAt }) => giveUpAt > now)
  );
}

/** Settling twice does nothing. */
export function settleAll(jobs: readonly Job[], kind: 'gone' | 'dropped' = 'dropped'): void {
  for (const { settle } of jobs) {
    settle({ kind });
  }
}

function isOwn(jobs: readonly Job[]): boolean {
  return jobs.every(({ setting }) => setting === undefined);
}
