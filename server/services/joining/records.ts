/**
 * Decides what becomes of who joins and of what they write. A joining and a first message may be heard of in any order, so
 * both lock the same row: what was written before the joining was heard of is noted there, and goes when it is.
 */
import { type Kysely } from 'kysely';

import { type Dependencies } from '#server/app/dependencies';
import { createDueJobRepository } from '#server/db/due-jobs';
import {
  createJoinCheckRepository,
  createRecentJoinRepository,
  type EarlyMessage,
  type JoinCheck,
  type Newcomer,
} from '#server/db/join-checks';
import { type Tables } from '#server/db/tables';
import { joinRules } from '#server/lib/limits';
import { type DeletionScheduler } from '#services/moderation';

/** Looks after an open check, before and when its time is over. */
export const checkKind = 'join-check';
export const toCheckJobId = ({ chatId, telegramId }: Newcomer) =>
  `${checkKind}:${chatId}:${telegramId}`;

/** What newcomers meet: nothing, raid protection, or a check. */
export type JoinPlan = 'none' | 'raid' | 'button' | 'task';

export type Join = Newcomer & {
  /** When Telegram says that they joined; epoch milliseconds. */
  readonly at: number;
  /** Names the update: the same when it is handled again. */
  readonly key: string;
  /** By an administrator, or because they passed the gate. */
  readonly isLetIn: boolean;
  /** Whether they may not write already. */
  readonly isMuted: boolean;
  readonly plan: JoinPlan;
  /** Whether what they write is looked at, too. */
  readonly isWatched: boolean;
  /** How long they have for the check. */
  readonly seconds: number;
  readonly language: string;
};

export type JoinResult = {
  /** Whether it was heard of for the first time. */
  readonly isNew: boolean;
} & (
  | { readonly kind: 'in' }
  | {
      /** `told`: what was decided is at most to be finished. */
      readonly kind: 'asked' | 'removed' | 'told';
      readonly check: JoinCheck;
    }
);

type HeardMessage = Newcomer & {
  readonly messageId: number;
  readonly at: number;
  /** It says that they have joined. */
  readonly isNotice: boolean;
  readonly isEdited: boolean;
};

/** How long after a first message a joining may still be heard of. */
const crossingMs = 10 * 60_000;
/** How much the clocks of Telegram and of this server may differ: nothing goes that may have been written after passing. */
const clockMarginMs = 2000;

/** Whether they still have to do something in the group. */
const isAsked = ({ state, kind }: JoinCheck) => state === 'open' && kind !== 'gate';

const isIn = ({ state }: JoinCheck) => state === 'passed' || state === 'let_in';

/** Whether the bot itself may have muted them. */
const wasMutedByCheck = ({ kind, state }: JoinCheck) =>
  (kind === 'button' || kind === 'task') && (state === 'gone' || state === 'expired');

type Decision = 'in' | 'let_in' | 'question' | 'go on' | 'remove' | 'nothing';

/** Whether a join is none any more, or was decided before: it is told again, or was followed by a leave. */
function isOld(row: JoinCheck, { at }: Join, isNew: boolean): boolean {
  const { state, settledAt = 0 } = row;
  return state !== 'open' && (!isNew || (state === 'gone' && at < settledAt));
}

function decideJoin(row: JoinCheck, join: Join, isNew: boolean): Decision {
  if (isIn(row)) {
    return 'in';
  }
  if (join.isLetIn) {
    return 'let_in';
  }
  if (isAsked(row)) {
    return 'go on';
  }
  if (isOld(row, join, isNew)) {
    return 'nothing';
  }
  if (join.plan === 'none' || join.plan === 'raid') {
    return join.plan === 'none' ? 'in' : 'remove';
  }
  // An administrator has muted them before they left: passing must not undo that.
  return join.isMuted && !wasMutedByCheck(row) ? 'let_in' : 'question';
}

const resultKinds = {
  question: 'asked',
  'go on': 'asked',
  remove: 'removed',
  nothing: 'told',
} as const satisfies Readonly<Record<Exclude<Decision, 'in' | 'let_in'>, JoinResult['kind']>>;

/** `note`: it may turn out that they have joined. `keep`: it goes unless they pass. */
type Verdict = 'stays' | 'goes' | 'note' | 'keep';

function judge(row: JoinCheck, message: HeardMessage): Verdict {
  const { at, isNotice, isEdited } = message;
  const { state, startedAt, since } = row;
  if (isIn(row)) {
    return isNotice ? 'stays' : judgePassed(row, at);
  }
  if (isAsked(row)) {
    return at < since ? 'stays' : isNotice ? 'keep' : 'goes';
  }
  if (state === 'open' || state === 'early') {
    return isEdited || at > startedAt + crossingMs ? 'stays' : 'note';
  }
  return judgeRemoved(row, message);
}

/** What was written before they passed goes as it would have gone then, although it is heard of only now. */
function judgePassed({ kind, state, since, settledAt = 0 }: JoinCheck, at: number): Verdict {
  const wasAsked = state === 'passed' && kind !== 'gate';
  return wasAsked && at >= since && at < settledAt - clockMarginMs ? 'goes' : 'stays';
}

/** They were removed, or have left, and may have joined again. */
function judgeRemoved(
  { state, startedAt, since, settledAt = startedAt }: JoinCheck,
  { at, isNotice, isEdited }: HeardMessage,
): Verdict {
  if (at > settledAt) {
    return isEdited ? 'stays' : 'note';
  }
  if (at < since) {
    return 'stays';
  }
  // Who left by themselves has joined all the same, unless they come back and do not pass.
  return isNotice && state === 'gone' ? 'keep' : 'goes';
}

const isNotice = (one: EarlyMessage) => one.isNotice === true;
const toIds = (early: readonly EarlyMessage[]) => early.map(({ id }) => id);

export type JoinRecords = ReturnType<typeof createJoinRecords>;

export function createJoinRecords(deps: Pick<Dependencies, 'database' | 'clock'>, tools: Tools) {
  return {
    ...createJoinDecisions(deps, tools),
    ...createMessageDecisions(deps),
    ...createLeaves(deps, tools),
  };
}

type Tools = {
  /** Saves what follows from a removal, in the transaction. */
  readonly saveEnding: (tx: Kysely<Tables>, check: JoinCheck) => Promise<void>;
  /** What goes is saved with the decision, so that a process that is killed leaves it to the next. */
  readonly deletions: Pick<DeletionScheduler, 'addInTransaction' | 'wake'>;
};

/** Writes what was decided about a join, with what has to follow. */
function createRowWrites(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  { saveEnding }: Pick<Tools, 'saveEnding'>,
) {
  /** The check is looked at again while there is time, should the server be stopped before it is shown. */
  async function beginCheck(
    tx: Kysely<Tables>,
    { row, join }: { readonly row: JoinCheck; readonly join: Join },
    notices: readonly number[],
  ): Promise<JoinCheck> {
    const now = clock();
    const check = await createJoinCheckRepository(tx).change(join, {
      ...newRow(row, join, notices),
      kind: join.plan === 'button' ? 'button' : 'task',
      state: 'open',
      due_at: now + join.seconds * 1000,
      settled_at: null,
    });
    const { chatId, telegramId } = join;
    await createDueJobRepository({ ...database, db: tx }).addAgain({
      id: toCheckJobId(join),
      kind: checkKind,
      chatId,
      telegramId,
      body: '{}',
      dueAt: now + Math.min(joinRules.remindAfterMs, join.seconds * 500),
    });
    return check;
  }

  async function remove(
    tx: Kysely<Tables>,
    { row, join }: { readonly row: JoinCheck; readonly join: Join },
    messageIds: readonly number[],
  ): Promise<JoinCheck> {
    const now = clock();
    const check = await createJoinCheckRepository(tx).change(join, {
      ...newRow(row, join, messageIds),
      kind: 'raid',
      state: 'removed',
      due_at: now,
      settled_at: now,
    });
    await saveEnding(tx, check);
    return check;
  }

  return { beginCheck, remove };
}

function createJoinDecisions(deps: Pick<Dependencies, 'database' | 'clock'>, tools: Tools) {
  const { clock } = deps;
  const { db } = deps.database;
  const { saveEnding, deletions } = tools;
  const { beginCheck, remove } = createRowWrites(deps, tools);

  async function applyJoin(
    tx: Kysely<Tables>,
    row: JoinCheck,
    { join, isNew }: { readonly join: Join; readonly isNew: boolean },
  ): Promise<JoinResult> {
    const decision = decideJoin(row, join, isNew);
    const since = row.early.filter(({ at }) => at >= join.at);
    if (decision === 'in') {
      return { kind: 'in', isNew };
    }
    if (decision === 'let_in') {
      const settled = { state: 'let_in', settled_at: clock(), early: '[]' } as const;
      await createJoinCheckRepository(tx).change(join, settled);
      return { kind: 'in', isNew };
    }
    const kind = resultKinds[decision];
    if (decision === 'remove') {
      return { kind, isNew, check: await remove(tx, { row, join }, toIds(since)) };
    }
    if (decision === 'question') {
      const check = await beginCheck(tx, { row, join }, toIds(since.filter(isNotice)));
      await deletions.addInTransaction(
        tx,
        join.chatId,
        toIds(since.filter((one) => !isNotice(one))),
      );
      return { kind, isNew, check };
    }
    return { kind, isNew, check: row };
  }

  return {
    async hearJoin(join: Join): Promise<JoinResult> {
      const result = await db.transaction().execute(async (tx): Promise<JoinResult> => {
        const checks = createJoinCheckRepository(tx);
        const { chatId, telegramId, at, key, isLetIn } = join;
        const joined = { chatId, telegramId, at, key, isLetIn };
        const isNew = await createRecentJoinRepository(tx).add(joined);
        if (!join.isWatched && (await checks.find(chatId, telegramId)) === undefined) {
          return { kind: 'in', isNew };
        }
        return applyJoin(tx, await checks.lock(join, at), { join, isNew });
      });
      if (result.kind === 'asked') {
        deletions.wake();
      }
      return result;
    },

    /** Removes who has joined within the last minute and has not passed, when raid protection begins. */
    removeLate: (who: Newcomer): Promise<JoinCheck | undefined> =>
      db.transaction().execute(async (tx) => {
        const checks = createJoinCheckRepository(tx);
        const row = await checks.lock(who, clock());
        if (isIn(row) || (row.state !== 'open' && row.state !== 'early') || row.kind === 'gate') {
          return undefined;
        }
        const check = await checks.change(who, {
          kind: 'raid',
          state: 'removed',
          message_ids: JSON.stringify([...row.messageIds, ...toIds(row.early)]),
          settled_at: clock(),
          early: '[]',
        });
        await saveEnding(tx, check);
        return check;
      }),
  };
}

function createMessageDecisions({ database: { db } }: Pick<Dependencies, 'database'>) {
  return {
    async hearMessage(message: HeardMessage): Promise<'stays' | 'goes'> {
      const known = await createJoinCheckRepository(db).find(message.chatId, message.telegramId);
      const first = known === undefined ? 'note' : judge(known, message);
      if (first === 'stays' || first === 'goes') {
        return first;
      }
      return db.transaction().execute(async (tx) => {
        const checks = createJoinCheckRepository(tx);
        const row = await checks.lock(message, message.at);
        const verdict = judge(row, message);
        const { messageId: id, at } = message;
        if (verdict === 'note' && id > 0) {
          const early = [
            ...row.early.filter((one) => one.id !== id),
            { id, at, ...(message.isNotice ? { isNotice: true } : {}) },
          ].slice(-joinRules.maxEarly);
          await checks.change(message, { early: JSON.stringify(early) });
        } else if (verdict === 'keep') {
          await checks.change(message, { message_ids: toStoredIds([...row.messageIds, id]) });
        }
        return verdict === 'goes' ? 'goes' : 'stays';
      });
    },
  };
}

function createLeaves(
  { database: { db } }: Pick<Dependencies, 'database'>,
  { deletions }: Pick<Tools, 'deletions'>,
) {
  /** Changes what is known of a person, if anything is, and has the messages deleted that `change` returns. */
  async function changeKnown(
    who: Newcomer,
    change: (row: JoinCheck, checks: Checks) => Promise<readonly number[]>,
  ): Promise<void> {
    const going = await db.transaction().execute(async (tx) => {
      const checks = createJoinCheckRepository(tx);
      const known = await checks.find(who.chatId, who.telegramId);
      const ids = known && (await change(await checks.lock(who, known.startedAt), checks));
      await deletions.addInTransaction(tx, who.chatId, ids ?? []);
      return ids ?? [];
    });
    if (going.length > 0) {
      deletions.wake();
    }
  }

  return {
    /**
     * They are out since a time: what they wrote between the decision to remove them and the removal goes. What they wrote
     * as members stays.
     */
    hearLeave: (
      who: Newcomer,
      { at, isRemoved }: { readonly at: number; readonly isRemoved: boolean },
    ): Promise<void> =>
      changeKnown(who, async (row, checks) => {
        const { startedAt, state } = row;
        if (state === 'open' || at < startedAt || (isIn(row) && !isRemoved)) {
          return [];
        }
        if (state === 'early' || isIn(row)) {
          const gone = {
            state: 'gone',
            started_at: at + 1,
            since: at + 1,
            settled_at: at,
            message_ids: '[]',
            early: '[]',
          } as const;
          await checks.change(who, gone);
          return [];
        }
        return takeEarly(row, at, checks);
      }),

    /** Who was too slow is muted since a time, or an administrator lets them write. As above otherwise. */
    hearMute: (
      who: Newcomer,
      { at, isMuted }: { readonly at: number; readonly isMuted: boolean },
    ): Promise<void> =>
      changeKnown(who, async (row, checks) => {
        if (row.state !== 'expired') {
          return [];
        }
        if (isMuted) {
          return takeEarly(row, at, checks);
        }
        await checks.change(who, { state: 'let_in', settled_at: at, early: '[]' });
        return [];
      }),
  };
}

type Checks = ReturnType<typeof createJoinCheckRepository>;

/** Who was in with these has not passed: what they wrote goes, also when it is heard of later. */
const unproven: ReadonlySet<string> = new Set(['gone', 'failed', 'expired', 'removed']);

const toStoredIds = (ids: readonly number[]): string =>
  JSON.stringify([...new Set(ids)].slice(-joinRules.maxEarly));

/** What a new check has in the place of an earlier one. */
const newRow = (row: JoinCheck, { at, language }: Join, messageIds: readonly number[]) => ({
  started_at: at,
  since: unproven.has(row.state) ? Math.min(row.since, at) : at,
  tries: 0,
  answer_hash: null,
  query: null,
  early: '[]',
  language,
  // That they had joined before goes with them, too.
  message_ids: toStoredIds(row.state === 'gone' ? [...row.messageIds, ...messageIds] : messageIds),
  asked_at: null,
  asked_id: null,
});

/** Of a person who may not write since a time: removes from the row what was written before, and returns it. */
async function takeEarly(row: JoinCheck, at: number, checks: Checks): Promise<readonly number[]> {
  const { startedAt, since, settledAt = startedAt, early } = row;
  const isBefore = (one: EarlyMessage) => one.at <= at;
  await checks.change(row, {
    settled_at: Math.max(at, settledAt),
    early: JSON.stringify(early.filter((one) => !isBefore(one))),
  });
  return toIds(early.filter((one) => one.at >= since && isBefore(one)));
}
