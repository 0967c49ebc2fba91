/** The rule behind every toggle, held against a model: any clicks, any network, any other admin. */
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  nat,
  oneof,
  record,
} from 'fast-check';
import { expect, test } from 'vitest';

import { createWriteQueue } from '#lib/write-queue';

type Step =
  | { readonly deed: 'choose'; readonly key: string; readonly value: boolean }
  | {
      readonly deed: 'answer';
      readonly which: number;
      /** `lost`: the server took the value, and its answer never arrived. */
      readonly outcome: 'ok' | 'refused' | 'lost';
    }
  | { readonly deed: 'begin read' | 'server reads' | 'end read' }
  | { readonly deed: 'other admin'; readonly key: string; readonly value: boolean };

type Write = {
  readonly key: string;
  readonly value: boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
};

const keys = ['0/photo_blocked', '0/poll_blocked', '7/photo_blocked'];
const key = constantFrom(...keys);

const clicksAndAnswers = [
  record({ deed: constant('choose' as const), key, value: boolean() }),
  record({
    deed: constant('answer' as const),
    which: nat(5),
    outcome: constantFrom('ok' as const, 'refused' as const, 'lost' as const),
  }),
  record({
    deed: constantFrom('begin read' as const, 'server reads' as const, 'end read' as const),
  }),
];
const otherAdmin = record({
  deed: constant('other admin' as const),
  key,
  value: boolean(),
});

/** Lets everything happen that needs no one else. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

type World = ReturnType<typeof startWorld>;

/** A page, a server and the network between them; only `perform` makes anything happen. */
function startWorld() {
  const server = new Map(keys.map((name) => [name, false]));
  const cache = new Map(server);
  const writes: Write[] = [];
  const lastWish = new Map<string, boolean>();
  const lastSent = new Map<string, boolean>();
  let mostAtOnce = 0;
  let read:
    | { keep: (key: string, value: boolean) => boolean; seen?: Map<string, boolean> }
    | undefined;

  const queue = createWriteQueue<boolean>({
    write: (name, value) =>
      new Promise((resolve, reject) => {
        writes.push({ key: name, value, resolve, reject });
        lastSent.set(name, value);
        mostAtOnce = Math.max(mostAtOnce, writes.filter((other) => other.key === name).length);
      }),
    onConfirmed: (name, value) => void cache.set(name, value),
    // As the page does: what the server has is read again, and an earlier read is dropped.
    onFailed: () => beginRead(),
  });

  function beginRead() {
    read = { keep: queue.beginRead() };
  }

  function serverReads() {
    if (read) {
      read.seen ??= new Map(server);
    }
  }

  function endRead() {
    for (const [name, value] of read?.seen ?? []) {
      cache.set(name, read?.keep(name, value) ?? value);
    }
    read = read?.seen ? undefined : read;
  }

  function answer(which: number, outcome: 'ok' | 'refused' | 'lost') {
    const [write] = writes.splice(which % Math.max(writes.length, 1), 1);
    if (write && outcome !== 'refused') {
      server.set(write.key, write.value);
    }
    if (outcome === 'ok') {
      write?.resolve();
    } else {
      write?.reject(new Error(outcome));
    }
  }

  const shown = (name: string) => queue.wishFor(name) ?? cache.get(name);
  const pendingKeys = () => writes.map((write) => write.key);

  async function perform(step: Step): Promise<void> {
    switch (step.deed) {
      case 'choose':
        queue.choose(step.key, step.value);
        lastWish.set(step.key, step.value);
        break;
      case 'answer':
        answer(step.which, step.outcome);
        break;
      case 'begin read':
        beginRead();
        break;
      case 'server reads':
        serverReads();
        break;
      case 'end read':
        endRead();
        break;
      case 'other admin':
        server.set(step.key, step.value);
        break;
    }
    await settle();
  }

  /** From now on the network works: everything that was sent arrives. */
  async function recover(): Promise<void> {
    if (writes.length > 0) {
      await perform({ deed: 'answer', which: 0, outcome: 'ok' });
      await recover();
    }
  }

  return {
    server,
    lastWish,
    perform,
    recover,
    /** Keys of which the page shows something else than the server has. */
    differences: () => keys.filter((name) => shown(name) !== server.get(name)),
    /** Keys that do not show, or did not send, what was wished last. */
    unheardWishes: () => [
      ...pendingKeys().filter((name) => shown(name) !== lastWish.get(name)),
      ...keys.filter(
        (name) => !pendingKeys().includes(name) && lastSent.get(name) !== lastWish.get(name),
      ),
    ],
    pendingKeys,
    isIdle: () => writes.length === 0 && read === undefined,
    mostAtOnce: () => mostAtOnce,
    async readAnew() {
      await perform({ deed: 'begin read' });
      await perform({ deed: 'server reads' });
      await perform({ deed: 'end read' });
    },
  };
}

/** Performs the steps one after the other, and looks at the world after each. */
function play(world: World, steps: readonly Step[], look: () => void): Promise<void> {
  return steps.reduce(
    (before, step) => before.then(() => world.perform(step)).then(look),
    Promise.resolve(),
  );
}

test('whenever nothing is under way, the page shows what the server has', async () => {
  await assert(
    asyncProperty(
      array(oneof(...clicksAndAnswers), { maxLength: 40, size: 'max' }),
      async (steps) => {
        const world = startWorld();
        const lies: unknown[] = [];

        await play(world, steps, () => lies.push(...(world.isIdle() ? world.differences() : [])));

        expect(lies).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

test('a key has at most one write under way, and its last wish is shown and sent', async () => {
  await assert(
    asyncProperty(
      array(oneof(...clicksAndAnswers, otherAdmin), { maxLength: 40, size: 'max' }),
      async (steps) => {
        const world = startWorld();
        const unheard: string[] = [];

        await play(world, steps, () => unheard.push(...world.unheardWishes()));

        expect(unheard).toEqual([]);
        expect(world.mostAtOnce()).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 300 },
  );
});

test('once the network works the last wish wins, and the next read shows what others did', async () => {
  await assert(
    asyncProperty(
      array(oneof(...clicksAndAnswers, otherAdmin), { maxLength: 40, size: 'max' }),
      async (steps) => {
        const world = startWorld();
        await play(world, steps, () => undefined);
        const pending = world.pendingKeys();

        await world.recover();
        await world.readAnew();

        expect(world.differences()).toEqual([]);
        expect(pending.map((name) => world.server.get(name))).toEqual(
          pending.map((name) => world.lastWish.get(name)),
        );
      },
    ),
    { numRuns: 300 },
  );
});
