/**
 * Handles the partitions of the message log that this process has: its fair share of them, each by a lock that one process
 * has at a time. See docs/decisions/046.
 */
import { type Update } from 'grammy/types';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Dependencies } from '#server/app/dependencies';
import { type LockSession } from '#server/db/bot-locks';
import { createBotPositionRepository, type Position } from '#server/db/bot-locks';
import { type Hold, withHold } from '#server/lib/holding';
import { inboxRules } from '#server/lib/limits';
import { createMemoryCache } from '#server/lib/memory-cache';
import { withRequestId } from '#server/lib/request-context';
import { createSharedSave } from '#server/lib/shared-save';

import { keepSession, type Leadership } from './leadership.ts';
import { type LogMessage, type MessageLog, partitionCount } from './message-log.ts';
import { createUpdateQueue, type HandleUpdate } from './update-queue.ts';

/** How often the shares are compared. */
const balanceEveryMs = 500;
const saveEveryMs = 50;
const tryAgainMs = 500;
/** Of each partition so many are handled at the same time. */
const maxOpen = 100;
const identityKnownMs = 1000;

type Tools = {
  readonly botId: number;
  readonly messageLog: Pick<MessageLog, 'read' | 'readIdentity'>;
  readonly open: () => Promise<LockSession>;
  readonly getHandle: () => Promise<HandleUpdate>;
  /** Gets messages of albums that were handled before. */
  readonly remember: (update: Update) => Promise<void>;
  readonly onFailure: (error: unknown, update: Update) => void;
};

type Needs = Pick<Dependencies, 'database' | 'clock' | 'log'>;

export function createPartitions(deps: Needs, tools: Tools): Leadership {
  const { log, clock } = deps;
  const rows = createBotPositionRepository(deps.database, tools.botId);
  const identities = createMemoryCache<string>({ max: 1, lifetimeMs: identityKnownMs, clock });
  const readIdentity = () => identities.get('log', () => tools.messageLog.readIdentity());

  async function work(session: LockSession, stopping: AbortSignal): Promise<void> {
    const handle = await tools.getHandle();
    const owned = new Map<number, Partition>();
    const save = createPositionSave(rows, owned, log);
    await session.share('member');
    const start = (partition: number) =>
      startPartition(partition, { ...tools, handle, rows, readIdentity, session, save, log });
    while (session.isHeld() && !stopping.aborted) {
      await balance(session, owned, start);
      const over = new AbortController();
      const signal = AbortSignal.any([stopping, over.signal]);
      await Promise.race([
        session.ended,
        sleep(balanceEveryMs, undefined, { signal, ref: false }).catch(() => undefined),
      ]);
      over.abort();
    }
    if (session.isHeld()) {
      await Promise.race([
        Promise.all([...owned.values()].map((partition) => partition.stop())),
        session.ended,
      ]);
    }
    for (const partition of owned.values()) {
      partition.abandon();
    }
  }

  return keepSession({ open: tools.open, work, log });
}

/** Gives up what is more than this process' share, and takes what is free of it. */
async function balance(
  session: LockSession,
  owned: Map<number, Partition>,
  start: (partition: number) => Partition,
): Promise<void> {
  const locks = await session.listLocks();
  const members = locks.filter((lock) => lock === 'member').length;
  const share = Math.ceil(partitionCount / Math.max(members, 1));
  for (const [number, partition] of [...owned].slice(share)) {
    void leave(session, owned, { number, partition });
  }
  const held = new Set(locks);
  const free = Array.from({ length: partitionCount }, (_, number) => number).filter(
    (number) => !held.has(number) && !owned.has(number),
  );
  for (const number of free) {
    // One connection has one statement at a time.
    if (owned.size < share && (await session.tryLock(number))) {
      owned.set(number, start(number));
    }
  }
}

/** Resolves when another process may take it. */
async function leave(
  session: LockSession,
  owned: Map<number, Partition>,
  { number, partition }: { readonly number: number; readonly partition: Partition },
): Promise<void> {
  if (partition.isLeaving()) {
    return;
  }
  await partition.stop();
  await session.unlock(number).catch(() => undefined);
  owned.delete(number);
}

type PositionSave = ReturnType<typeof createPositionSave>;

/** Saves the positions of all partitions together. One that another process has taken ends. */
function createPositionSave(
  rows: ReturnType<typeof createBotPositionRepository>,
  owned: ReadonlyMap<number, Partition>,
  log: Needs['log'],
) {
  const shared = createSharedSave<number>({
    key: (partition) => partition,
    write: async (numbers) => {
      const positions = numbers.flatMap((number) => owned.get(number)?.getPosition() ?? []);
      const saved = await rows.save(positions);
      for (const { partition } of positions.filter((one) => !saved.has(one.partition))) {
        log.warn({ partition }, 'another process has taken a partition');
        owned.get(partition)?.abandon();
      }
    },
    everyMs: saveEveryMs,
  });

  return {
    later: (partition: number): void => {
      shared.add([partition]).catch((error: unknown) => {
        // With the next one, or when the next process handles it once more.
        log.warn({ err: error }, 'could not save how far updates are handled');
      });
    },
    now: async (partition: number): Promise<void> => {
      const saving = shared.add([partition]);
      await shared.flushed();
      await saving.catch(() => undefined);
    },
  };
}

type Partition = {
  readonly isLeaving: () => boolean;
  /** Undefined until it is read from the database. */
  readonly getPosition: () => Position | undefined;
  /** Begins nothing more; resolves when what was begun is handled and saved. */
  readonly stop: () => Promise<void>;
  /** Another process may have it: begins nothing more, and waits for nothing. */
  readonly abandon: () => void;
};

type PartitionTools = Omit<Tools, 'open' | 'getHandle'> & {
  readonly handle: HandleUpdate;
  readonly rows: ReturnType<typeof createBotPositionRepository>;
  readonly readIdentity: () => Promise<string>;
  readonly session: Hold;
  readonly save: PositionSave;
  readonly log: Needs['log'];
};

function startPartition(
  partition: number,
  {
    handle,
    rows,
    readIdentity,
    session,
    save,
    log,
    messageLog,
    remember,
    onFailure,
  }: PartitionTools,
): Partition {
  const leaving = new AbortController();
  const { signal } = leaving;
  let isLost = false;
  const hold: Hold = { isHeld: () => !isLost && session.isHeld() };
  let tracker: Tracker | undefined;
  const queue = createUpdateQueue({
    handle: (update, inBackground) =>
      withHold(hold, () =>
        withRequestId(`update ${update.update_id}`, () => handle(update, inBackground)),
      ),
    onFailure,
  });

  const begin = createBegin({
    hold,
    signal,
    queue,
    remember,
    onHandled: () => save.later(partition),
  });

  async function readOnce(): Promise<void> {
    const identity = await readIdentity();
    if (tracker?.identity !== identity) {
      tracker = createTracker(await rows.take(partition, identity), identity);
    }
    const mine = tracker;
    const after = mine.getPosition().handledTo;
    const reader = await messageLog.read(partition, {
      after,
      // So that albums are known.
      overlapMs: inboxRules.albumMs,
    });
    signal.addEventListener('abort', reader.close, { once: true });
    try {
      for await (const message of reader.messages) {
        if (signal.aborted || !hold.isHeld()) {
          return;
        }
        await begin(message, mine);
      }
    } finally {
      signal.removeEventListener('abort', reader.close);
      reader.close();
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted && hold.isHeld()) {
      try {
        await readOnce();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        log.warn({ partition, reason }, 'could not read updates; it is tried again');
      }
      await sleep(tryAgainMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  signal.addEventListener('abort', () => tracker?.wake(), { once: true });
  const running = run();
  return {
    isLeaving: () => signal.aborted,
    getPosition: () => tracker?.getPosition(),
    stop: async () => {
      leaving.abort();
      await running;
      await queue.settled();
      await save.now(partition);
    },
    abandon: () => {
      isLost = true;
      leaving.abort();
    },
  };
}

/** Returns a function that begins to handle a message, when there is room for it. */
function createBegin({
  hold,
  signal,
  queue,
  remember,
  onHandled,
}: Pick<Tools, 'remember'> & {
  readonly hold: Hold;
  readonly signal: AbortSignal;
  readonly queue: ReturnType<typeof createUpdateQueue>;
  readonly onHandled: () => void;
}) {
  async function begin({ number, update }: LogMessage, mine: Tracker): Promise<void> {
    if (mine.isHandled(number)) {
      await (update && remember(update));
      return;
    }
    if (mine.isOpen(number)) {
      return;
    }
    await mine.room();
    if (signal.aborted || !hold.isHeld()) {
      return;
    }
    mine.open(number);
    void finish(update === undefined ? 'done' : queue.handle(update), number, mine);
  }

  async function finish(
    handling: 'done' | ReturnType<typeof queue.handle>,
    number: number,
    mine: Tracker,
  ): Promise<void> {
    if ((await handling) === 'done') {
      mine.finish(number);
      onHandled();
    }
  }

  return begin;
}

type Tracker = ReturnType<typeof createTracker>;

/** Knows which messages of a partition are handled. `identity` names the log. */
function createTracker(taken: Position, identity: string) {
  let { handledTo } = taken;
  /** Those that were begun, in their order, and whether they are handled. */
  const begun = new Map<number, boolean>();
  const ahead = new Set(taken.handledAhead);
  let onRoom: (() => void) | undefined;
  const isHandled = (number: number) =>
    number <= handledTo || ahead.has(number) || begun.get(number) === true;

  function moveOn(): void {
    for (const [number, isDone] of begun) {
      if (!isDone) {
        return;
      }
      begun.delete(number);
      handledTo = number;
    }
  }

  return {
    identity,
    isHandled,
    isOpen: (number: number): boolean => begun.has(number),
    open: (number: number): void => void begun.set(number, false),
    finish: (number: number): void => {
      begun.set(number, true);
      moveOn();
      if (begun.size < maxOpen) {
        onRoom?.();
      }
    },
    /** Resolves when a further message may be begun, or by `wake`. */
    room: async (): Promise<void> => {
      if (begun.size >= maxOpen) {
        await new Promise<void>((resolve) => {
          onRoom = resolve;
        });
      }
    },
    wake: (): void => onRoom?.(),
    getPosition: (): Position => ({
      partition: taken.partition,
      epoch: taken.epoch,
      handledTo,
      handledAhead: [
        ...[...ahead].filter((number) => number > handledTo),
        ...[...begun].filter(([, isDone]) => isDone).map(([number]) => number),
      ],
    }),
  };
}
