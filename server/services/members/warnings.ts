/** Warnings: each counts for a time, and at the limit the member is muted, banned or removed. */
import { type Kysely } from 'kysely';

import { type ActionKind } from '#contract/endpoints/chat-members';
import { type Dependencies } from '#server/app/dependencies';
import { createActionRepository, type NewAction, type StoredAction } from '#server/db/actions';
import { addReactionsJob } from '#server/db/due-jobs';
import { type Tables } from '#server/db/tables';
import { createWarningRepository, type StoredWarning } from '#server/db/warnings';
import { AppError } from '#server/lib/errors';
import { type ChatEvents, type ChatValueService } from '#services/chats';

import {
  createBegun,
  type MemberActions,
  type Order,
  toActionId,
  type UndoRequest,
} from './actions.ts';
import { type LogChannel } from './log-channel.ts';
import { refuse } from './refusals.ts';
import { type MemberRights } from './rights.ts';
import { type ChatSettings, readSettings } from './settings.ts';

/** What came of the limit. */
type LimitOutcome = {
  /** Undefined where it could not be done, and below the limit. */
  readonly action: StoredAction | undefined;
  /** Why what the limit brings could not be done: the warnings count on. */
  readonly failure: AppError | undefined;
};

/** What a warning has led to. */
export type WarnResult = LimitOutcome & {
  readonly warningId: string;
  readonly count: number;
  readonly limit: number;
};

type Tools = {
  readonly actions: MemberActions;
  readonly rights: MemberRights;
  readonly events: ChatEvents;
  readonly chatValues: Pick<ChatValueService, 'readForBot'>;
  readonly logChannel: Pick<LogChannel, 'addInTransaction' | 'wake'>;
};

type Needs = Pick<Dependencies, 'database' | 'clock'>;

export type MemberWarnings = ReturnType<typeof createMemberWarnings>;

export function createMemberWarnings(deps: Needs, tools: Tools) {
  const { clock } = deps;
  const { db } = deps.database;
  const { actions, rights, chatValues } = tools;
  const rows = createWarningRepository(db);
  const recorder = createRecorder(tools);
  const reachLimit = createLimit(deps, { actions, recorder });

  /** Saves the warning, once for each update. */
  async function save(order: Order, expirySeconds: number | undefined): Promise<string> {
    const { chatId, target, by, reason } = order;
    const action = actions.toAction(order, 'warn');
    await recorder.announce(chatId, async (tx) => {
      const isNew = await createWarningRepository(tx).add({
        id: action.id,
        chatId,
        telegramId: target.telegramId,
        byId: by.telegramId,
        reason,
        givenAt: action.at,
        expiresAt: expirySeconds === undefined ? undefined : action.at + expirySeconds * 1000,
        updateId: undefined,
      });
      if (isNew) {
        await recorder.record(tx, action);
      }
    });
    return action.id;
  }

  /** How many warnings count with this one: the limit, where another update has just reached it. */
  async function countBelowLimit(
    { chatId, target }: Order,
    { warningId, limit }: { readonly warningId: string; readonly limit: number },
  ): Promise<number> {
    const open = await rows.listOpen(chatId, target.telegramId, clock());
    if (open.some(({ id }) => id === warningId)) {
      return Math.min(open.length, limit);
    }
    // It was taken back before it was handled again, or the limit has ended it.
    const warning = await actions.rows.findInAnyChat(warningId);
    return warning?.undoneAt === undefined ? limit : Math.min(open.length + 1, limit);
  }

  return {
    /**
     * Throws a refusal for administrators, channels, the bot and the user who warns. What the limit brings may
     * fail while the warning stays: then `failure` says why.
     */
    async warn(order: Order): Promise<WarnResult> {
      const { chatId, target, by } = order;
      await rights.requireTarget(chatId, target, by.telegramId);
      actions.throwIfChannel(target);
      const settings = await readSettings(chatValues, chatId);
      const { warn_limit: limit, warn_expiry: expiry } = settings;
      const warningId = await save(order, expiry === 'off' ? undefined : expiry);
      const outcome = await reachLimit(order, settings);
      return outcome === undefined
        ? {
            warningId,
            count: await countBelowLimit(order, { warningId, limit }),
            limit,
            action: undefined,
            failure: undefined,
          }
        : { warningId, count: limit, limit, ...outcome };
    },

    /** The warnings of a member that count now, the oldest first. */
    listOpen: (chatId: number, telegramId: number): Promise<readonly StoredWarning[]> =>
      rows.listOpen(chatId, telegramId, clock()),

    listOpenInChat: (chatId: number, max: number) => rows.listOpenInChat(chatId, clock(), max),

    /**
     * Takes warnings back, once for each update, and `alsoSave` saves something with that. Returns how many of them
     * counted until then.
     */
    async withdraw(
      order: Pick<Order, 'chatId' | 'by' | 'target' | 'key'>,
      which: Which,
      alsoSave?: UndoRequest['alsoSave'],
    ): Promise<number> {
      const { chatId, target } = order;
      const action = actions.toAction({ ...order, reason: '', isBasicGroup: false }, 'unwarn');
      const ended = await recorder.announce(chatId, async (tx) => {
        const warnings = createWarningRepository(tx);
        const done = createActionRepository(tx);
        const earlier = await done.find(chatId, action.id);
        if (earlier !== undefined) {
          return warnings.listEnded(chatId, target.telegramId, earlier.at);
        }
        const ids = await endChosen(warnings, { chatId, target, now: action.at }, which);
        for (const id of ids) {
          await done.markUndone(chatId, id, action.at);
        }
        if (ids.length > 0) {
          await recorder.record(tx, action);
          await alsoSave?.(tx, chatId);
        }
        return ids;
      });
      return ended.length;
    },
  };
}

type Recorder = ReturnType<typeof createRecorder>;

function createRecorder({ logChannel, events }: Pick<Tools, 'logChannel' | 'events'>) {
  const addLine = (tx: Kysely<Tables>, chatId: number, actionId: string): Promise<void> =>
    logChannel.addInTransaction(tx, chatId, {
      category: 'members',
      id: actionId,
      body: { kind: 'action', actionId },
    });

  return {
    /** Only the line for the log channel. */
    addLine,

    async record(tx: Kysely<Tables>, action: NewAction): Promise<void> {
      await createActionRepository(tx).add(action);
      await addLine(tx, action.chatId, action.id);
    },

    /** Saves in one transaction what was done in a chat, and publishes it. */
    async announce<T>(chatId: number, write: (tx: Kysely<Tables>) => Promise<T>): Promise<T> {
      const result = await events.publishWith(chatId, { kind: 'action' }, write);
      logChannel.wake();
      return result;
    },
  };
}

/** What the limit brings, as it is set when the warning is given. */
type LimitAction = {
  /** The same each time that the update is handled. */
  readonly id: string;
  readonly limit: number;
  readonly kind: Extract<ActionKind, 'ban' | 'kick' | 'mute'>;
  readonly seconds: number | undefined;
};

function toLimitAction(
  { key, target }: Order,
  { warn_limit: limit, warn_action: action }: ChatSettings,
): LimitAction {
  return {
    id: toActionId(key, 'limit', target.telegramId),
    limit,
    kind: action.kind,
    seconds: action.kind === 'kick' ? undefined : action.seconds,
  };
}

/** What an update has brought before. Other rules may be set since. */
function toEarlierAction(
  { limit }: LimitAction,
  { id, kind, at, until }: StoredAction,
): LimitAction {
  return {
    id,
    limit,
    kind: kind === 'ban' || kind === 'kick' ? kind : 'mute',
    seconds: until === undefined ? undefined : (until - at) / 1000,
  };
}

/** What is saved when the limit is reached, before Telegram is asked and afterwards. */
function createLimitRecords(
  { database }: Needs,
  { actions, recorder }: { readonly actions: MemberActions; readonly recorder: Recorder },
) {
  const { db } = database;

  /**
   * Ends the warnings and records what follows, in one transaction. Of two updates that reach the limit at once, one
   * does. Returns the IDs of the ended warnings; undefined below the limit.
   */
  async function take(
    order: Order,
    { limit, kind, id, seconds }: LimitAction,
  ): Promise<readonly string[] | undefined> {
    const { chatId, target } = order;
    return db.transaction().execute(async (tx) => {
      const warnings = createWarningRepository(tx);
      const action = { ...actions.toAction(order, kind, seconds), id };
      const open = await warnings.listOpen(chatId, target.telegramId, action.at);
      if (open.length < limit) {
        return undefined;
      }
      const ended = await warnings.end(
        open.map((warning) => warning.id),
        action.at,
      );
      if (ended.length < limit) {
        await warnings.reopen(ended);
        return undefined;
      }
      await createActionRepository(tx).add(action);
      await createBegun({ ...database, db: tx }).add(action);
      return ended;
    });
  }

  /** Its line is for the log channel, once. */
  async function finish(chatId: number, actionId: string): Promise<void> {
    await recorder.announce(chatId, async (tx) => {
      if (!(await createBegun({ ...database, db: tx }).end(actionId))) {
        return;
      }
      await recorder.addLine(tx, chatId, actionId);
      const action = await createActionRepository(tx).find(chatId, actionId);
      if (action !== undefined) {
        const { telegramId } = action.target;
        await addReactionsJob({ ...database, db: tx }, { ...action, telegramId });
      }
    });
  }

  /** The warnings count again, so that the next one tries it again. */
  async function giveBack(actionId: string, ended: readonly string[]) {
    await db.transaction().execute(async (tx) => {
      await createWarningRepository(tx).reopen(ended);
      await createActionRepository(tx).remove(actionId);
      await createBegun({ ...database, db: tx }).end(actionId);
    });
  }

  return { take, finish, giveBack };
}

/**
 * Returns a function that does what the limit brings when the member has as many warnings: ends them first, and
 * lets them count again when Telegram refuses. It resolves to undefined below the limit.
 */
function createLimit(
  deps: Needs,
  tools: { readonly actions: MemberActions; readonly recorder: Recorder },
) {
  const { actions } = tools;
  const { take, finish, giveBack } = createLimitRecords(deps, tools);
  const begun = createBegun(deps.database);

  /** Resolves with the present ID of the chat. */
  async function act(order: Order, { kind, seconds }: LimitAction): Promise<number> {
    const { target, isBasicGroup, chatId: givenId } = order;
    const { telegramId } = target;
    if (isBasicGroup && kind !== 'kick') {
      // It has no list of banned and muted members.
      throw refuse((texts) => texts.supergroupOnly);
    }
    // `until` counts from now: the call may have had to wait.
    return kind === 'ban'
      ? actions.call(order, (api, id) => api.ban(id, telegramId, actions.toUntil(seconds)))
      : actions.callAboutMember(order, (api, id) =>
          kind === 'mute'
            ? api.mute(id, telegramId, actions.toUntil(seconds))
            : api.kick(id, telegramId, isBasicGroup && id === givenId),
        );
  }

  async function carryOut(
    order: Order,
    limitAction: LimitAction,
    ended: readonly string[],
  ): Promise<LimitOutcome> {
    const { id } = limitAction;
    try {
      await finish(await act(order, limitAction), id);
      return { action: await actions.rows.findInAnyChat(id), failure: undefined };
    } catch (error) {
      if (!(error instanceof AppError)) {
        throw error;
      }
      await giveBack(id, ended);
      return { action: undefined, failure: error };
    }
  }

  return async (order: Order, settings: ChatSettings): Promise<LimitOutcome | undefined> => {
    const limitAction = toLimitAction(order, settings);
    const earlier = await actions.rows.findInAnyChat(limitAction.id);
    if (earlier === undefined) {
      const ended = await take(order, limitAction);
      return ended && carryOut(order, limitAction, ended);
    }
    if (earlier.undoneAt !== undefined || !(await begun.has(earlier.id))) {
      // This update has brought it before, and what became of it since stays.
      await finish(earlier.chatId, earlier.id);
      return { action: earlier, failure: undefined };
    }
    // The server was stopped in the middle.
    const { telegramId } = order.target;
    const ended = await createWarningRepository(deps.database.db).listEnded(
      earlier.chatId,
      telegramId,
      earlier.at,
    );
    return carryOut(order, toEarlierAction(limitAction, earlier), ended);
  };
}

/** One warning, the last, or all. */
type Which = 'last' | 'all' | { readonly warningId: string };

/** Chooses again when another update has just ended what was chosen. */
async function endChosen(
  warnings: ReturnType<typeof createWarningRepository>,
  { chatId, target, now }: Pick<Order, 'chatId' | 'target'> & { readonly now: number },
  which: Which,
): Promise<readonly string[]> {
  for (;;) {
    const open = await warnings.listOpen(chatId, target.telegramId, now);
    const chosen = choose(open, which);
    const ended = await warnings.end(chosen, now);
    if (ended.length > 0 || chosen.length === 0) {
      return ended;
    }
  }
}

function choose(open: readonly StoredWarning[], which: Which): readonly string[] {
  const ids = open.map(({ id }) => id);
  if (typeof which === 'object') {
    return ids.filter((id) => id === which.warningId);
  }
  return which === 'last' ? ids.slice(-1) : ids;
}
