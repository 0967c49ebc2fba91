/** Bans, mutes and the like: asks Telegram, records what was done, and undoes it. */
import { createHash, randomUUID } from 'node:crypto';

import { type Right } from '#contract/commands/command';
import { type ActionKind, undoableKinds } from '#contract/endpoints/chat-members';
import { type Dependencies } from '#server/app/dependencies';
import { createActionRepository, type NewAction, type StoredAction } from '#server/db/actions';
import { createDueJobRepository } from '#server/db/due-jobs';
import { AppError } from '#server/lib/errors';
import { inboxRules } from '#server/lib/limits';
import { type Outbox } from '#server/services/outbox';
import { type ActionOutcome, type ChatActions } from '#server/upstream/telegram/chat-actions';
import { type ChatEvents } from '#services/chats';

import { type LogChannel } from './log-channel.ts';
import { refuse, requireDone } from './refusals.ts';
import { type MemberRights } from './rights.ts';

/** A person in a group, or a channel that writes there (an ID below zero). */
export type Person = { readonly telegramId: number; readonly name: string };

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

/** As long as an update may be handled again. */
const begunForMs = inboxRules.openForMs;
const toBegunId = (actionId: string) => `begun:${actionId}`;

export type ActionTools = {
  readonly outbox: Outbox;
  readonly rights: MemberRights;
  readonly events: ChatEvents;
  readonly logChannel: Pick<LogChannel, 'addInTransaction' | 'wake'>;
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
  { database, clock, chatActions }: Pick<Dependencies, 'database' | 'clock' | 'chatActions'>,
  { outbox, rights, events, logChannel }: ActionTools,
) {
  const rows = createActionRepository(database.db);
  /** The end of a time that begins now, in epoch seconds. */
  const toUntil = (seconds: number | undefined) =>
    seconds === undefined
      ? undefined
      : Math.floor(clock() / 1000) + seconds + (seconds < shortS ? shortMarginS : 0);

  /**
   * Calls Telegram about a person when it is the chat's turn; throws what a refusal means. Resolves with the ID of the
   * chat, which is another one when the group has become a supergroup.
   */
  async function call(
    { chatId, target }: Pick<Order, 'chatId' | 'target'>,
    make: (api: ChatActions, chatId: number) => Promise<ActionOutcome>,
    right: Right = 'restrict',
  ): Promise<number> {
    let presentId = chatId;
    const outcome = await outbox.send(chatId, (id) => {
      presentId = id;
      return chatActions === undefined
        ? Promise.resolve({ kind: 'later', retryAfterS: undefined })
        : make(chatActions, id);
    });
    if (outcome.kind === 'refused') {
      // Whatever it was, what is known of the administrators was not true any more.
      rights.forget(chatId);
    }
    requireDone(outcome, { right, name: target.name });
    return presentId;
  }

  /** Records an action together with its line for the log channel. */
  async function record(action: NewAction): Promise<StoredAction> {
    await database.db.transaction().execute(async (tx) => {
      await createDueJobRepository({ ...database, db: tx }).take(toBegunId(action.id));
      const isNew = await createActionRepository(tx).add(action);
      // A report is written with its buttons when it is made.
      if (isNew && action.kind !== 'report') {
        await logChannel.addInTransaction(tx, action.chatId, {
          category: 'members',
          id: action.id,
          body: { kind: 'action', actionId: action.id },
        });
      }
    });
    logChannel.wake();
    events.publish(action.chatId, { kind: 'action' });
    const stored = await rows.find(action.chatId, action.id);
    if (stored === undefined) {
      throw new AppError('action_not_found');
    }
    return stored;
  }

  /** `seconds` is how long it lasts, from now on. */
  function toAction(order: Order, kind: ActionKind, seconds?: number): NewAction {
    const { chatId, by, target, reason, key } = order;
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
    };
  }

  return { call, record, toAction, toUntil, rows };
}

type Perform = ReturnType<typeof createPerform>;

/** Returns a function that carries out an order once, however often its update is handled. */
function createPerform(
  { database }: Pick<Dependencies, 'database'>,
  { rights }: ActionTools,
  { record, toAction, toUntil, rows }: Records,
) {
  const begun = createDueJobRepository(database);

  /** Throws a refusal where nothing may be done; otherwise notes that it is begun. */
  async function begin(order: Order, action: NewAction, check: Steps['check']): Promise<void> {
    const { chatId, target, by, isBasicGroup } = order;
    if (isBasicGroup && action.kind !== 'kick') {
      // It has no list of banned and muted members.
      throw refuse((texts) => texts.supergroupOnly);
    }
    await rights.requireTarget(chatId, target, by.telegramId);
    await check();
    await begun.add({
      id: toBegunId(action.id),
      kind: 'begun',
      chatId,
      telegramId: target.telegramId,
      body: '{}',
      dueAt: action.at + begunForMs,
    });
  }

  /**
   * What an update has done already is not done again: its action is returned. What a stopped server has begun is
   * finished and recorded, although Telegram may say by now that there is nothing to do.
   */
  return async (order: Order, kind: ActionKind, { check, act }: Steps): Promise<StoredAction> => {
    const action = toAction(order, kind, order.seconds);
    const earlier = await rows.find(order.chatId, action.id);
    if (earlier !== undefined) {
      return earlier;
    }
    if ((await begun.find(toBegunId(action.id))) === undefined) {
      await begin(order, action, check);
    }
    try {
      const chatId = await act(() => toUntil(order.seconds));
      return await record({ ...action, chatId });
    } catch (error) {
      if (error instanceof AppError) {
        await begun.take(toBegunId(action.id));
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
  { call }: Records,
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
          call(order, (api, id) =>
            // A group that has become a supergroup is no basic group any more.
            api.kick(id, target.telegramId, isBasicGroup && id === chatId),
          ),
      });
    },

    mute: (order: Order) =>
      perform(order, 'mute', {
        check: () => throwIfChannel(order.target),
        act: (getUntil) =>
          call(order, (api, chatId) => api.mute(chatId, order.target.telegramId, getUntil())),
      }),

    unmute: (order: Order) =>
      perform(order, 'unmute', {
        check: () => throwIfChannel(order.target),
        act: () => call(order, (api, chatId) => api.unmute(chatId, order.target.telegramId)),
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

type UndoTools = Pick<ActionTools, 'events'> & {
  readonly actions: MemberActions;
  /** Takes a warning back and records it. Returns false when it does not count any more. */
  readonly withdrawWarning: (action: StoredAction, by: Person) => Promise<boolean>;
};

/** Returns a function that undoes an action. Of two who do it at once, one has done it; the other gets a refusal. */
export function createUndo(
  { clock }: Pick<Dependencies, 'clock'>,
  { actions, events, withdrawWarning }: UndoTools,
) {
  const { rows, call, record } = actions;

  /** Telegram takes each of these again without harm. Resolves with the present ID of the chat. */
  async function reverse(
    kind: Exclude<UndoableKind, 'warn'>,
    action: StoredAction,
  ): Promise<number> {
    const { telegramId } = action.target;
    if (kind === 'mute') {
      return call(action, (api, chatId) => api.unmute(chatId, telegramId));
    }
    return kind === 'promote'
      ? call(action, (api, chatId) => api.promote(chatId, telegramId, []), 'promote')
      : call(action, (api, chatId) =>
          telegramId < 0 ? api.unbanChannel(chatId, telegramId) : api.unban(chatId, telegramId),
        );
  }

  /** Throws `action_not_found`, `action_not_undoable`, or what Telegram refuses. */
  return async (givenId: number, actionId: string, by: Person): Promise<StoredAction> => {
    const action = await rows.find(givenId, actionId);
    if (action === undefined) {
      throw new AppError('action_not_found');
    }
    const { kind, target } = action;
    if (!isUndoable(kind) || !canUndo(action, clock())) {
      throw new AppError('action_not_undoable');
    }
    if (kind === 'warn') {
      if (!(await withdrawWarning(action, by))) {
        throw new AppError('action_not_undoable');
      }
      return (await rows.find(givenId, actionId)) ?? action;
    }
    const chatId = await reverse(kind, action);
    if (!(await rows.markUndone(chatId, actionId, clock()))) {
      events.publish(chatId, { kind: 'action' });
      throw new AppError('action_not_undoable');
    }
    await record({
      id: randomUUID(),
      chatId,
      at: clock(),
      kind: opposites[kind],
      byId: by.telegramId,
      targetId: target.telegramId,
      reason: '',
      until: undefined,
    });
    return (await rows.find(chatId, actionId)) ?? action;
  };
}
