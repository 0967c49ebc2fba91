/** Ends the checks of newcomers, each once, and does what follows from it, also when the server is stopped in between. */
import { type Kysely } from 'kysely';
import * as v from 'valibot';

import { type CountedEvent } from '#contract/chats/numbers';
import { type Dependencies } from '#server/app/dependencies';
import { createDueJobRepository } from '#server/db/due-jobs';
import { createJoinCheckRepository, type JoinCheck, type Newcomer } from '#server/db/join-checks';
import { type JoinCheckState } from '#server/db/newcomer-tables';
import { type Tables } from '#server/db/tables';
import { AppError } from '#server/lib/errors';
import { joinRules } from '#server/lib/limits';
import { type ChatNumbers } from '#server/services/chat-numbers';
import { type DueJob, type DueJobs } from '#server/services/due-jobs';
import { type Outbox } from '#server/services/outbox';
import { type ActionOutcome, type ChatActions } from '#server/upstream/telegram/chat-actions';
import { deletableForMs, type DeletionScheduler } from '#services/moderation';

export type SettledState = Exclude<JoinCheckState, 'open' | 'early'>;

/** What follows from the end of a check besides its state. */
type Manner = {
  /** Whether the bot has muted them, and that ends. */
  readonly isMuted: boolean;
  /** What becomes of who was too slow. */
  readonly over: 'kick' | 'mute';
};

const defaults: Manner = { isMuted: true, over: 'kick' };

const endingBody = v.object({
  state: v.picklist(['passed', 'failed', 'expired', 'gone', 'let_in', 'removed']),
  /** Messages that go. */
  messageIds: v.array(v.number()),
  isMuted: v.boolean(),
  over: v.picklist(['kick', 'mute']),
});
type Ending = v.InferOutput<typeof endingBody>;

const endingKind = 'join-end';
const toEndingId = ({ chatId, telegramId, startedAt }: JoinCheck) =>
  `${endingKind}:${chatId}:${telegramId}:${startedAt}`;
/** It is done at once; the row is for when the server is stopped, and for when Telegram does not answer. */
const againAfterMs = 60_000;
/** As Telegram's own removal of a member who may come back. */
const kickedForS = 60;

const counted: Partial<Readonly<Record<SettledState, CountedEvent>>> = {
  passed: 'check_passed',
  failed: 'check_failed',
  expired: 'check_expired',
  removed: 'raid_removed',
};

export type JoinTools = {
  readonly outbox: Outbox;
  readonly dueJobs: DueJobs;
  readonly deletions: DeletionScheduler;
  readonly chatNumbers: Pick<ChatNumbers, 'count'>;
};

type Needs = Pick<
  Dependencies,
  'database' | 'clock' | 'log' | 'telegram' | 'chatActions' | 'languages' | 'random' | 'env'
>;

export type JoinEndings = ReturnType<typeof createJoinEndings>;

type Listeners = {
  /** They have passed. */
  readonly onPassed: (who: Newcomer) => Promise<void>;
  /** The checks of a chat have changed. */
  readonly onChange: (chatId: number) => void;
};

export function createJoinEndings(
  deps: Needs,
  { outbox, dueJobs, deletions, chatNumbers }: JoinTools,
  { onPassed, onChange }: Listeners,
) {
  const { database, clock } = deps;
  const callFor = createCalls(deps);
  const deleteMessages = createRemoval(deps, deletions);

  async function saveEnding(
    tx: Kysely<Tables>,
    check: JoinCheck,
    manner: Partial<Manner> = {},
  ): Promise<void> {
    const { chatId, telegramId, messageIds, askedId, state } = check;
    const hasPassed = state === 'passed' || state === 'let_in' || state === 'gone';
    const going = [...(hasPassed ? [] : messageIds), askedId].filter((id) => id !== undefined);
    await createDueJobRepository({ ...database, db: tx }).add({
      id: toEndingId(check),
      kind: endingKind,
      chatId,
      telegramId,
      body: JSON.stringify({ ...defaults, ...manner, state, messageIds: going }),
      dueAt: clock() + againAfterMs,
    });
  }

  /** Returns whether it is done. Each step may be repeated. */
  async function carryOut({ chatId, telegramId = 0, body }: DueJob): Promise<boolean> {
    const parsed = v.safeParse(endingBody, JSON.parse(body));
    if (!parsed.success) {
      return true;
    }
    const ending = parsed.output;
    const call = callFor(telegramId, ending);
    const outcome = call && (await outbox.send(chatId, call, telegramId));
    if (outcome?.kind === 'later') {
      return false;
    }
    if (outcome?.kind === 'refused') {
      deps.log.info({ chatId, why: outcome.description }, 'could not settle who has joined');
    }
    await deleteMessages(chatId, ending.messageIds);
    if (ending.state === 'passed' || (ending.state === 'let_in' && ending.isMuted)) {
      await onPassed({ chatId, telegramId });
    }
    return true;
  }

  dueJobs.handle(endingKind, carryOut);

  /** Does what was saved with an end, unless it is done. */
  async function finish(check: JoinCheck): Promise<void> {
    const job = await dueJobs.find(toEndingId(check));
    if (job !== undefined && (await carryOut(job))) {
      await dueJobs.take(job.id);
    }
  }

  function count({ chatId, state }: JoinCheck): void {
    const name = state === 'open' || state === 'early' ? undefined : counted[state];
    if (name !== undefined) {
      chatNumbers.count(chatId, name);
    }
    onChange(chatId);
  }

  return {
    saveEnding,
    deleteMessages,
    finish,
    /** To be called once when an end is saved. */
    count,

    /** Ends an open check: of several callers one gets true, when all that follows is done or saved. */
    async settle(
      who: Newcomer & Partial<Pick<JoinCheck, 'startedAt'>>,
      state: SettledState,
      { at = clock(), ...manner }: Partial<Manner> & { readonly at?: number } = {},
    ): Promise<boolean> {
      const settled = await database.db.transaction().execute(async (tx) => {
        const check = await createJoinCheckRepository(tx).settle(who, state, at);
        if (check !== undefined) {
          await saveEnding(tx, check, manner);
        }
        return check;
      });
      if (settled !== undefined) {
        count(settled);
        await finish(settled);
      }
      return settled !== undefined;
    },
  };
}

/** Returns a function that deletes messages of newcomers and of the bot; what Telegram does not take now goes later. */
function createRemoval({ clock }: Pick<Needs, 'clock'>, deletions: DeletionScheduler) {
  return async (chatId: number, messageIds: readonly number[]): Promise<void> => {
    if (messageIds.length === 0) {
      return;
    }
    const giveUpAt = clock() + deletableForMs;
    await deletions.deleteNow(
      messageIds.map((messageId) => ({ chatId, messageId, setting: undefined, giveUpAt })),
    );
  };
}

type MemberCall = (api: ChatActions, chatId: number) => Promise<ActionOutcome>;

const done: ActionOutcome = { kind: 'done', result: true };

/** Returns a function to what Telegram is asked for an end; to undefined where there is nothing to ask. */
function createCalls({ telegram, chatActions, clock }: Needs) {
  const until = (seconds: number) => Math.floor(clock() / 1000) + seconds;

  /** Who is out already stays out for as long as another has decided. */
  async function ifPresent(
    { chatId, telegramId }: Newcomer,
    call: () => Promise<ActionOutcome>,
  ): Promise<ActionOutcome> {
    try {
      const read = await telegram?.member(chatId, telegramId);
      return read?.member.isPresent === false ? done : await call();
    } catch (error) {
      if (!(error instanceof AppError)) {
        throw error;
      }
      return error.code === 'telegram_unavailable'
        ? { kind: 'later', retryAfterS: error.retryAfterS }
        : await call();
    }
  }

  function choose(telegramId: number, { state, isMuted, over }: Ending): MemberCall | undefined {
    const unmute: MemberCall = (api, chatId) => api.unmute(chatId, telegramId);
    const removeFor =
      (seconds: number): MemberCall =>
      (api, chatId) =>
        ifPresent({ chatId, telegramId }, () => api.ban(chatId, telegramId, until(seconds)));
    const calls: Readonly<Record<Ending['state'], MemberCall | undefined>> = {
      passed: unmute,
      let_in: isMuted ? unmute : undefined,
      gone: undefined,
      failed: removeFor(joinRules.removedForS),
      expired:
        over === 'kick'
          ? removeFor(kickedForS)
          : (api, chatId) => ifPresent({ chatId, telegramId }, () => api.mute(chatId, telegramId)),
      removed: (api, chatId) => api.ban(chatId, telegramId, until(joinRules.turnedAwayForS)),
    };
    return calls[state];
  }

  return (telegramId: number, ending: Ending) => {
    const call = choose(telegramId, ending);
    return (
      call &&
      ((chatId: number): Promise<ActionOutcome> =>
        chatActions === undefined
          ? Promise.resolve({ kind: 'later', retryAfterS: undefined })
          : call(chatActions, chatId))
    );
  };
}
