/**
 * Saves updates before Telegram forgets them, and has them handled afterwards: from memory, or from the database when
 * another process has saved them. See docs/decisions/022 and 046.
 */
import { type Update } from 'grammy/types';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Dependencies } from '#server/app/dependencies';
import { createBotInboxRepository, type InboxUpdate } from '#server/db/bot-inbox';
import { Unfinished } from '#server/lib/errors';
import { alwaysHeld, type Hold, throwUnlessHeld, withHold } from '#server/lib/holding';
import { inboxRules } from '#server/lib/limits';
import { withRequestId } from '#server/lib/request-context';
import { createSharedSave } from '#server/lib/shared-save';
import { isUpdate } from '#server/upstream/telegram/bot';

import { createLooks, createMarks } from './inbox-timers.ts';
import {
  createUpdateQueue,
  type HandleUpdate,
  readChatId,
  type UntilStored,
} from './update-queue.ts';

/** A process that has lost its lock has so long to finish the calls that it had begun. */
const lateAnswersMs = 500;

export type Inbox = ReturnType<typeof createInbox>;

type Options = {
  readonly botId: number;
  readonly handle: HandleUpdate;
  readonly untilStored: UntilStored;
  /** Gets what a handler threw; must not throw itself. */
  readonly onFailure: (error: unknown, update: Update) => void;
  /** Gets the messages of albums that another process has handled; nothing is to be done about them. */
  readonly remember?: (update: Update) => Promise<void>;
  /** The lock under which updates are handled; without one no other process may handle any. */
  readonly hold?: Hold;
};

type Needs = Pick<Dependencies, 'database' | 'clock' | 'log'>;

/** Saves updates for the process that handles them. */
export function createAppender({ database, clock }: Omit<Needs, 'log'>, botId: number) {
  const rows = createBotInboxRepository(database, botId);
  const save = createSharedSave({
    key: ({ update_id }: Update) => update_id,
    write: async (updates) => {
      await rows.append(updates.map(toRow), clock());
      database.notifications.notify('bot_inbox');
    },
  });
  // What waits is in the database, not in memory, and so is never too much.
  return { add: save.add, hasRoom: () => true };
}

export function createInbox({ database, clock, log }: Needs, options: Options) {
  const { botId, remember, hold = alwaysHeld } = options;
  const rows = createBotInboxRepository(database, botId);
  const runner = randomUUID();
  const { leaseMs } = inboxRules;
  // On SQLite no other process uses the data folder.
  const isShared = database.engine === 'postgres';
  const open = createOpenUpdates({ clock, renew: () => rows.renew({ runner, leaseMs }), isShared });
  const queue = createOwnQueue({ ...options, hold, isOurs: (id) => open.isOurs(id) });
  const albums = createAlbumContents((ids) => rows.forgetAlbums(ids), clock);
  const marks = createMarks(async (handled) => {
    const { true: albumIds = [], false: updateIds = [] } = Object.groupBy(handled, (id) =>
      albums.has(id) ? 'true' : 'false',
    );
    await rows.markHandled({ runner, now: clock(), updateIds, albumIds });
    open.remove(handled);
    if (claims.isMoreWaiting() && open.countRoom() > inboxRules.maxInMemory / 2) {
      looks.now();
    }
  }, log);
  const claims = createClaims({ rows, runner, clock, countRoom: open.countRoom });
  const looks = createLooks(
    async () => {
      throwUnlessHeld(hold);
      await open.renewIfDue();
      await claim();
      await albums.removeOld();
    },
    { log, listen: (onWake) => database.notifications.listen('bot_inbox', onWake) },
  );

  async function saveAll(updates: readonly Update[]): Promise<void> {
    throwUnlessHeld(hold);
    const now = clock();
    const until = now + leaseMs;
    const ours = await rows.add(updates.map(toRow), { runner, now, leaseMs });
    // What is being claimed for this process came earlier.
    await looks.settled();
    for (const update of updates) {
      if (ours.has(update.update_id)) {
        void begin(update, until);
      }
    }
    if (ours.size < updates.length) {
      looks.soon();
    }
  }
  // A webhook brings each update alone.
  const save = createSharedSave({ key: ({ update_id }: Update) => update_id, write: saveAll });

  /** Handles what no living process has. */
  async function claim(): Promise<void> {
    const until = clock() + leaseMs;
    for (const { updateId, update } of await claims.claim()) {
      if (update === undefined) {
        marks.add(updateId);
      } else {
        void begin(update, until);
      }
    }
  }

  async function begin(update: Update, until: number): Promise<void> {
    open.add(update.update_id, until);
    const outcome = await queue.handle(update);
    if (outcome === 'done') {
      if (isShared && isOfAlbum(update)) {
        albums.add(update.update_id);
      }
      marks.add(update.update_id);
    } else {
      open.remove([update.update_id]);
    }
  }

  return {
    /** Resolves when all of the updates are saved; rejects when none is. Those that are known are skipped. */
    add: (updates: readonly Update[]): Promise<void> => save.add(updates),
    hasRoom: (): boolean => open.countRoom() > 0,
    /** Resolves when further updates may come, or when the signal is aborted. */
    room: (signal: AbortSignal): Promise<void> => open.room(signal),

    /** Begins to handle what was saved earlier. */
    start: async (): Promise<void> => {
      throwUnlessHeld(hold);
      await takeOver({ rows, runner, isShared, albums, remember });
      throwUnlessHeld(hold);
      await claim();
      looks.start();
    },

    /** The lock is lost: begins nothing more, and waits for nothing. */
    abandon: (): void => void looks.stop(),

    /** Resolves when everything that was begun is handled; the rest is left to other processes. */
    stop: async (): Promise<void> => {
      await looks.stop();
      await save.settled();
      await queue.settled();
      await marks.settled();
      await rows.release(runner).catch((error: unknown) => {
        log.warn({ err: error }, 'could not give updates back');
      });
    },
  };
}

/** Leases what no living process has, as much as there is room for. */
function createClaims({
  rows,
  runner,
  clock,
  countRoom,
}: {
  readonly rows: ReturnType<typeof createBotInboxRepository>;
  readonly runner: string;
  readonly clock: () => number;
  readonly countRoom: () => number;
}) {
  let isMoreWaiting = false;

  return {
    /** Whether the last claim has left updates for which there was no room. */
    isMoreWaiting: () => isMoreWaiting,
    /** In their order; `update` is undefined when it is none, or one that is too old to be of use. */
    async claim() {
      const room = countRoom();
      if (room <= 0) {
        return [];
      }
      const claimed = await rows.claim({ runner, leaseMs: inboxRules.leaseMs }, room);
      isMoreWaiting = claimed.length === room;
      return claimed.map(({ payload, updateId, receivedAt }) => {
        const update: unknown = JSON.parse(payload);
        const isOfUse = isUpdate(update) && !isForgotten(update, clock() - receivedAt);
        return { updateId, update: isOfUse ? update : undefined };
      });
    },
  };
}

/** Handles what still is this process' own when its turn has come. */
function createOwnQueue({
  handle,
  untilStored,
  onFailure,
  hold,
  isOurs,
}: Pick<Options, 'handle' | 'untilStored' | 'onFailure'> & {
  readonly hold: Hold;
  readonly isOurs: (updateId: number) => Promise<boolean>;
}) {
  return createUpdateQueue({
    handle: async (update, inBackground) => {
      if (!(await untilStored(() => isOurs(update.update_id)))) {
        throw new Unfinished();
      }
      throwUnlessHeld(hold);
      await withHold(hold, () =>
        withRequestId(`update ${update.update_id}`, () => handle(update, inBackground)),
      );
    },
    onFailure,
  });
}

/** Frees what another process had; without the lock it has begun nothing more, but may not have finished. */
async function takeOver({
  rows,
  runner,
  isShared,
  albums,
  remember,
}: {
  readonly rows: ReturnType<typeof createBotInboxRepository>;
  readonly runner: string;
  readonly isShared: boolean;
  readonly albums: ReturnType<typeof createAlbumContents>;
  readonly remember: Options['remember'];
}): Promise<void> {
  if (isShared && (await rows.isHandledElsewhere(runner))) {
    await sleep(lateAnswersMs, undefined, { ref: false });
  }
  await rows.release();
  for (const { payload, updateId } of isShared ? await rows.listAlbums() : []) {
    const update: unknown = JSON.parse(payload);
    if (isUpdate(update)) {
      await remember?.(update);
    }
    albums.add(updateId);
  }
}

/** The updates that this process has to handle, and until when it may without asking the database. */
function createOpenUpdates({
  clock,
  renew,
  isShared,
}: {
  readonly clock: () => number;
  /** Extends all leases of this process; returns the ids that it still has. */
  readonly renew: () => Promise<ReadonlySet<number>>;
  /** Whether another process may take updates over. */
  readonly isShared: boolean;
}) {
  const open = new Map<number, number>();
  const waitingForRoom = new Set<() => void>();
  const countRoom = () => inboxRules.maxInMemory - open.size;

  async function renewAll(): Promise<void> {
    const until = clock() + inboxRules.leaseMs;
    const before = [...open.keys()];
    const ours = await renew();
    for (const id of before) {
      if (ours.has(id) && open.has(id)) {
        open.set(id, until);
      }
    }
  }

  return {
    countRoom,
    add: (id: number, until: number) => open.set(id, until),

    remove(ids: readonly number[]): void {
      for (const id of ids) {
        open.delete(id);
      }
      if (countRoom() > 0) {
        for (const resolve of waitingForRoom) {
          resolve();
        }
        waitingForRoom.clear();
      }
    },

    async room(signal: AbortSignal): Promise<void> {
      if (countRoom() <= 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          waitingForRoom.add(resolve);
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
    },

    async renewIfDue(): Promise<void> {
      const soon = clock() + inboxRules.leaseMs / 2;
      if (isShared && [...open.values()].some((until) => until < soon)) {
        await renewAll();
      }
    },

    /** A process that stood still for long may find that another has taken its updates over. */
    async isOurs(id: number): Promise<boolean> {
      const isLeased = () => (open.get(id) ?? 0) > clock();
      if (isShared && !isLeased()) {
        await renewAll();
      }
      return !isShared || isLeased();
    },
  };
}

/** Handled messages of albums whose contents are still stored. */
function createAlbumContents(
  forget: (updateIds: readonly number[]) => Promise<void>,
  clock: () => number,
) {
  /** The oldest are the first. */
  const kept = new Map<number, number>();

  return {
    add: (id: number): void => void kept.set(id, clock() + inboxRules.albumMs),
    has: (id: number): boolean => kept.has(id),
    async removeOld(): Promise<void> {
      const now = clock();
      const old = [...kept].filter(([, until]) => until <= now).map(([id]) => id);
      await forget(old);
      for (const id of old) {
        kept.delete(id);
      }
    },
  };
}

/** The user who typed it in a chat sees no answer any more, or has typed on. */
function isForgotten({ inline_query: query }: Update, ageMs: number): boolean {
  return query !== undefined && ageMs > inboxRules.inlineMs;
}

function isOfAlbum({ message, edited_message: edited }: Update): boolean {
  return (message ?? edited)?.media_group_id !== undefined;
}

function toRow(update: Update): InboxUpdate {
  return {
    updateId: update.update_id,
    chatId: readChatId(update),
    payload: JSON.stringify(update),
  };
}
