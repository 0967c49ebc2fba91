/** Bans, mutes and the like: asks Telegram, records what was done, and undoes it. */
import { type Kysely } from 'kysely';
import { createHash } from 'node:crypto';

import { type Right } from '#contract/commands/command';
import { type ActionKind, undoableKinds } from '#contract/endpoints/chat-members';
import { type Dependencies } from '#server/app/dependencies';
import { createActionRepository, type NewAction, type StoredAction } from '#server/db/actions';
import { addReactionsJob, createDueJobRepository } from '#server/db/due-jobs';
import { type Tables } from '#server/db/tables';
import { AppError } from '#server/lib/errors';
import { inboxRules } from '#server/lib/limits';
import { type Outbox } from '#server/services/outbox';
import { type ActionOutcome, type ChatActions } from '#server/upstream/telegram/chat-actions';
import { type ChatMember } from '#server/upstream/telegram/telegram';
import { type ChatEvents } from '#services/chats';

import { type LogChannel } from './log-channel.ts';
import { refuse, requireDone } from './refusals.ts';
import { type MemberRights } from './rights.ts';

/** A person in a group, or a channel that writes there (an ID below zero). */
export type Person = { readonly telegramId: number; readonly name: string };

type Whom = { readonly chatId: number; readonly target: Person };

/** What an administrator wants to be done to a person. */
export type Order = {
  readonly chatId: number;
  readonly by: Person;
  readonly target: Person;
  /** Empty without one. */
  readonly reason: string;
  /** Undefined for good. */
  readonly seconds?: number | undefined;
  /** Names the update: when it is handled again, nothing is done again. */
  readonly key: string;
  readonly isBasicGroup: boolean;
  /** The ID of the action of another chat that this one follows. */
  readonly sharedFrom?: string | undefined;
};

/** The ID of what an update does to a person: the same each time that it is handled. */
export function toActionId(key: string, kind: string, targetId: number): string {
  return createHash('sha256').update(`${key}:${kind}:${targetId}`).digest('base64url').slice(0, 22);
}

/** How an order is carried out. */
type Steps = {
  /** Throws a refusal where there is nothing to do. */
  readonly check: () => Promise<void> | void;
  /**
   * Telegram takes it again without harm. `getUntil` is to be called when the call is made, which may have to wait.
   * Resolves with the ID of the chat, which an upgrade changes.
   */
  readonly act: (getUntil: () => number | undefined) => Promise<number>;
};

const toBegunId = (actionId: string) => `begun:${actionId}`;

/**
 * Notes that something is begun until it is recorded, so that what a stopped server has begun is finished, and what is
 * recorded is not done again.
 */
export function createBegun(database: Pick<Dependencies['database'], 'db' | 'engine'>) {
  const jobs = createDueJobRepository(database);
  return {
    add: ({ id, chatId, targetId, at }: NewAction): Promise<boolean> =>
      jobs.add({
        id: toBegunId(id),
        kind: 'begun',
        chatId,
        telegramId: targetId,
        body: '{}',
        // As long as an update may be handled again.
        dueAt: at + inboxRules.openForMs,
      }),
    has: async (actionId: string) => (await jobs.find(toBegunId(actionId))) !== undefined,
    /** Returns whether it was begun and not ended before. */
    end: async (actionId: string) => (await jobs.take(toBegunId(actionId))) !== undefined,
  };
}

export type ActionTools = {
  readonly outbox: Outbox;
  readonly rights: MemberRights;
  readonly events: ChatEvents;
  readonly logChannel: Pick<LogChannel, 'addInTransaction' | 'wake'>;
  /** Has the chats that share their bans with this one follow; within the transaction that saves the action. */
  readonly share: (tx: Kysely<Tables>, action: NewAction) => Promise<void>;
};

export type MemberActions = ReturnType<typeof createMemberActions>;

export function createMemberActions(
  deps: Pick<Dependencies, 'database' | 'clock' | 'telegram' | 'chatActions'>,
  tools: ActionTools,
) {
  const records = createRecords(deps, tools);
  const perform = createPerform(deps, tools, records);
  return { ...records, ...createOrders(deps, perform, records), throwIfChannel };
}

type Records = ReturnType<typeof createRecords>;

/** Telegram takes what ends in less than 30 seconds for "for ever", and a call takes a moment. */
const [shortS, shortMarginS] = [40, 5];

/** Calls to Telegram about people, and the actions that are stored afterwards. */
function createRecords(
  deps: Pick<Dependencies, 'database' | 'clock' | 'telegram' | 'chatActions'>,
  tools: ActionTools,
) {
  const { database, clock } = deps;
  const { events, logChannel, share } = tools;
  const rows = createActionRepository(database.db);
  /** The end of a time that begins now, in epoch seconds. */
  const toUntil = (seconds: number | undefined) =>
    seconds === undefined
      ? undefined
      : Math.floor(clock() / 1000) + seconds + (seconds < shortS ? shortMarginS : 0);

  /** Saves an action together with its line for the log channel; to be called within `announce`. */
  async function save(tx: Kysely<Tables>, action: NewAction): Promise<void> {
    await createBegun({ ...database, db: tx }).end(action.id);
    const isNew = await createActionRepository(tx).add(action);
    if (isNew) {
      await share(tx, action);
      await addReactionsJob({ ...database, db: tx }, { ...action, telegramId: action.targetId });
    }
    // A report is written with its buttons when it is made.
    if (isNew && action.kind !== 'report') {
      await logChannel.addInTransaction(tx, action.chatId, {
        category: 'members',
        id: action.id,
        body: { kind: 'action', actionId: action.id },
      });
    }
  }

  /**
   * Saves in one transaction what was done in a chat, and publishes it. Also the jobs that were saved with an action are
   * done from now on.
   */
  async function announce(
    chatId: number,
    write: (tx: Kysely<Tables>) => Promise<void>,
  ): Promise<void> {
    await events.publishWith(chatId, { kind: 'action' }, write);
    logChannel.wake();
  }

  async function record(action: NewAction): Promise<StoredAction> {
    await announce(action.chatId, (tx) => save(tx, action));
    const stored = await rows.find(action.chatId, action.id);
    if (stored === undefined) {
      throw new AppError('action_not_found');
    }
    return stored;
  }

  /** `seconds` is how long it lasts, from now on. */
  function toAction(order: Order, kind: ActionKind, seconds?: number): NewAction {
    const { chatId, by, target, reason, key, sharedFrom } = order;
    const at = clock();
    return {
      id: toActionId(key, kind, target.telegramId),
      chatId,
      at,
      kind,
      byId: by.telegramId,
      targetId: target.telegramId,
      reason,
      until: seconds === undefined ? undefined : at + seconds * 1000,
      sharedFrom,
    };
  }

  return { ...createCalls(deps, tools), save, announce, record, toAction, toUntil, rows };
}

function createCalls(
  { telegram, chatActions }: Pick<Dependencies, 'telegram' | 'chatActions'>,
  { outbox, rights }: ActionTools,
) {
  /**
   * Calls Telegram about a person when it is the chat's turn; throws what a refusal means. Resolves with the ID of the
   * chat, which is another one when the group has become a supergroup.
   */
  async function call(
    { chatId, target }: Whom,
    make: (api: ChatActions, chatId: number) => Promise<ActionOutcome>,
    right: Right = 'restrict',
  ): Promise<number> {
    let presentId = chatId;
    const outcome = await outbox.send(
      chatId,
      (id) => {
        presentId = id;
        return chatActions === undefined
          ? Promise.resolve({ kind: 'later', retryAfterS: undefined })
          : make(chatActions, id);
      },
      target.telegramId,
    );
    if (outcome.kind === 'refused') {
      // Whatever it was, what is known of the administrators was not true any more.
      rights.forget(chatId);
    }
    requireDone(outcome, { right, name: target.name });
    return presentId;
  }

  /** What a person is in a chat right now; undefined where Telegram refuses to say: then it says why to the call itself. */
  async function readStatus(
    chatId: number,
    telegramId: number,
  ): Promise<ActionOutcome<ChatMember['status'] | undefined>> {
    try {
      const read = await telegram?.member(chatId, telegramId);
      return { kind: 'done', result: read?.member.status };
    } catch (error) {
      if (!(error instanceof AppError)) {
        throw error;
      }
      return error.code === 'telegram_unavailable'
        ? { kind: 'later', retryAfterS: error.retryAfterS }
        : { kind: 'done', result: undefined };
    }
  }

  /**
   * As `call`, for what would lift the ban of a banned person, and take the role of an administrator: throws
   * `refusal` for them, or a refusal that says which they are. No other call about the chat comes between.
   */
  function callAboutMember(
    whom: Whom,
    make: (api: ChatActions, chatId: number) => Promise<ActionOutcome>,
    refusal?: AppError,
  ): Promise<number> {
    const { telegramId, name } = whom.target;
    return call(whom, async (api, chatId) => {
      const status = await readStatus(chatId, telegramId);
      if (status.kind !== 'done') {
        return status;
      }
      if (status.result === 'kicked') {
        throw refusal ?? refuse((texts) => texts.notHere(name));
      }
      if (status.result === 'administrator' || status.result === 'creator') {
        throw refusal ?? refuse((texts) => texts.administrator(name));
      }
      return make(api, chatId);
    });
  }

  return { call, callAboutMember };
}

type Perform = ReturnType<typeof createPerform>;

/** Returns a function that carries out an order once, however often its update is handled. */
function createPerform(
  { database }: Pick<Dependencies, 'database'>,
  { rights }: ActionTools,
  { record, toAction, toUntil, rows }: Records,
) {
  const begun = createBegun(database);

  /** Throws a refusal where nothing may be done; otherwise notes that it is begun. */
  async function begin(order: Order, action: NewAction, check: Steps['check']): Promise<void> {
    const { chatId, target, by, isBasicGroup } = order;
    if (isBasicGroup && action.kind !== 'kick') {
      // It has no list of banned and muted members.
      throw refuse((texts) => texts.supergroupOnly);
    }
    await rights.requireTarget(chatId, target, by.telegramId);
    await check();
    await begun.add(action);
  }

  /**
   * What an update has done already is not done again: its action is returned. What a stopped server has begun is
   * finished and recorded, although Telegram may say by now that there is nothing to do.
   */
  return async (order: Order, kind: ActionKind, { check, act }: Steps): Promise<StoredAction> => {
    const action = toAction(order, kind, order.seconds);
    const earlier = await rows.findInAnyChat(action.id);
    if (earlier !== undefined) {
      return earlier;
    }
    if (!(await begun.has(action.id))) {
      await begin(order, action, check);
    }
    try {
      const chatId = await act(() => toUntil(order.seconds));
      return await record({ ...action, chatId });
    } catch (error) {
      if (error instanceof AppError) {
        await begun.end(action.id);
      }
      throw error;
    }
  };
}

function throwIfChannel({ telegramId }: Person): void {
  if (telegramId < 0) {
    throw refuse((texts) => texts.channelOnlyBanned);
  }
}

function createOrders(
  { telegram }: Pick<Dependencies, 'telegram'>,
  perform: Perform,
  { call, callAboutMember }: Records,
) {
  /** What a person is in the chat right now; undefined where Telegram does not say. */
  async function readMember({ chatId, target }: Order) {
    return (await telegram?.member(chatId, target.telegramId))?.member;
  }

  return {
    /** Again sets another time. */
    ban: (order: Order) => {
      const { telegramId } = order.target;
      return perform(order, 'ban', {
        check: () => {
          if (telegramId < 0 && order.seconds !== undefined) {
            throw refuse((texts) => texts.channelForGood);
          }
        },
        act: (getUntil) =>
          call(order, (api, chatId) =>
            telegramId < 0
              ? api.banChannel(chatId, telegramId)
              : api.ban(chatId, telegramId, getUntil()),
          ),
      });
    },

    unban: (order: Order) => {
      const { telegramId, name } = order.target;
      return perform(order, 'unban', {
        check: async () => {
          if (telegramId > 0 && (await readMember(order))?.status !== 'kicked') {
            throw refuse((texts) => texts.notBanned(name));
          }
        },
        act: () =>
          call(order, (api, chatId) =>
            telegramId < 0 ? api.unbanChannel(chatId, telegramId) : api.unban(chatId, telegramId),
          ),
      });
    },

    kick: (order: Order) => {
      const { chatId, target, isBasicGroup } = order;
      return perform(order, 'kick', {
        check: async () => {
          throwIfChannel(target);
          if ((await readMember(order))?.isPresent === false) {
            throw refuse((texts) => texts.notHere(target.name));
          }
        },
        act: () =>
          callAboutMember(order, (api, id) =>
            // A group that has become a supergroup is no basic group any more.
            api.kick(id, target.telegramId, isBasicGroup && id === chatId),
          ),
      });
    },

    mute: (order: Order) =>
      perform(order, 'mute', {
        check: () => throwIfChannel(order.target),
        act: (getUntil) =>
          callAboutMember(order, (api, chatId) =>
            api.mute(chatId, order.target.telegramId, getUntil()),
          ),
      }),

    unmute: (order: Order) =>
      perform(order, 'unmute', {
        check: () => throwIfChannel(order.target),
        act: () =>
          callAboutMember(order, (api, chatId) => api.unmute(chatId, order.target.telegramId)),
      }),
  };
}

/** The action that undoes another. */
const opposites = {
  ban: 'unban',
  mute: 'unmute',
  warn: 'unwarn',
  promote: 'demote',
} as const satisfies Readonly<Record<(typeof undoableKinds)[number], ActionKind>>;

type UndoableKind = keyof typeof opposites;

export const isUndoable = (kind: ActionKind): kind is UndoableKind =>
  undoableKinds.some((undoable) => undoable === kind);

/** Whether an action can be undone now; `now` in epoch milliseconds. */
export function canUndo({ kind, undoneAt, until }: StoredAction, now: number): boolean {
  return isUndoable(kind) && undoneAt === undefined && (until === undefined || until > now);
}

export type UndoRequest = {
  readonly chatId: number;
  readonly actionId: string;
  readonly by: Person;
  /** The same each time that it is handled: then it is finished, and succeeds. */
  readonly key: string;
  /** Saves something else with it, once; `chatId` is the present one. Jobs are done at once. */
  readonly alsoSave?: ((tx: Kysely<Tables>, chatId: number) => Promise<void>) | undefined;
};

type UndoTools = {
  readonly actions: MemberActions;
  /** Takes a warning back and records it. Returns false when it does not count any more. */
  readonly withdrawWarning: (action: StoredAction, request: UndoRequest) => Promise<boolean>;
};

/** Returns a function that undoes an action. Of two who do it at once, one has done it; the other gets a refusal. */
export function createUndo(
  { clock }: Pick<Dependencies, 'clock'>,
  { actions, withdrawWarning }: UndoTools,
) {
  const { rows, call, callAboutMember, save, announce } = actions;

  /** Telegram takes each of these again without harm. Resolves with the present ID of the chat. */
  async function reverse(
    kind: Exclude<UndoableKind, 'warn'>,
    action: StoredAction,
  ): Promise<number> {
    const { telegramId } = action.target;
    if (kind === 'mute') {
      const refusal = new AppError('action_not_undoable');
      return callAboutMember(action, (api, chatId) => api.unmute(chatId, telegramId), refusal);
    }
    return kind === 'promote'
      ? call(action, (api, chatId) => api.promote(chatId, telegramId, []), 'promote')
      : call(action, (api, chatId) =>
          telegramId < 0 ? api.unbanChannel(chatId, telegramId) : api.unban(chatId, telegramId),
        );
  }

  /** Asks Telegram, then saves all that follows together. Returns whether it was this request that undid the action. */
  async function undo(
    kind: Exclude<UndoableKind, 'warn'>,
    action: StoredAction,
    { by, key, alsoSave }: UndoRequest,
  ): Promise<boolean> {
    const chatId = await reverse(kind, action);
    const order = { chatId, by, target: action.target, reason: '', key, isBasicGroup: false };
    const opposite = actions.toAction(order, opposites[kind]);
    await announce(chatId, async (tx) => {
      if (await createActionRepository(tx).markUndone(chatId, action.id, opposite.at)) {
        await save(tx, opposite);
        await alsoSave?.(tx, chatId);
      }
    });
    return (await rows.findInAnyChat(opposite.id)) !== undefined;
  }

  /** Throws `action_not_found`, `action_not_undoable`, or what Telegram refuses. */
  return async (request: UndoRequest): Promise<StoredAction> => {
    const { chatId, actionId, key } = request;
    const action = await rows.find(chatId, actionId);
    if (action === undefined) {
      throw new AppError('action_not_found');
    }
    const { kind, target, undoneAt } = action;
    if (!isUndoable(kind)) {
      throw new AppError('action_not_undoable');
    }
    const oppositeId = toActionId(key, opposites[kind], target.telegramId);
    if (undoneAt !== undefined && (await rows.findInAnyChat(oppositeId)) !== undefined) {
      return action;
    }
    const isPossible =
      canUndo(action, clock()) &&
      !(await rows.listReplaced(chatId, [action], clock())).has(actionId);
    const isDone =
      isPossible &&
      (await (kind === 'warn' ? withdrawWarning(action, request) : undo(kind, action, request)));
    if (!isDone) {
      throw new AppError('action_not_undoable');
    }
    return (await rows.findInAnyChat(actionId)) ?? action;
  };
}
