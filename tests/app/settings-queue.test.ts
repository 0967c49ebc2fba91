/** The write queue behind every toggle, compared with a model: any clicks, any network, any other administrator. */
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
  | { readonly action: 'choose'; readonly key: string; readonly value: boolean }
  | {
      readonly action: 'answer';
      readonly which: number;
      /** `lost`: the server took the value, and its answer never arrived. */
      readonly outcome: 'ok' | 'refused' | 'lost';
    }
  | { readonly action: 'begin read' | 'server reads' | 'end read' }
  | { readonly action: 'other admin'; readonly key: string; readonly value: boolean };

type Write = {
  readonly key: string;
  readonly value: boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
};

const keys = ['0/photo_blocked', '0/poll_blocked', '7/photo_blocked'];
const key = constantFrom(...keys);

const clicksAndAnswers = [
  record({ action: constant('choose' as const), key, value: boolean() }),
  record({
    action: constant('answer' as const),
    which: nat(5),
    outcome: constantFrom('ok' as const, 'refused' as const, 'lost' as const),
  }),
  record({
    action: constantFrom('begin read' as const, 'server reads' as const, 'end read' as const),
  }),
];
const otherAdmin = record({
  action: constant('other admin' as const),
  key,
  value: boolean(),
});

/** Resolves after all promises that can settle by themselves have settled. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

type World = ReturnType<typeof startWorld>;

/** A page, a server and the network between them; only `perform` makes anything happen. */
function startWorld() {
  const server = new Map(keys.map((name) => [name, false]));
  const cache = new Map(server);
  const writes: Write[] = [];
  const lastChosen = new Map<string, boolean>();
  const lastSent = new Map<string, boolean>();
  let maxAtOnce = 0;
  let read:
    | { keep: (key: string, value: boolean) => boolean; seen?: Map<string, boolean> }
    | undefined;

  const queue = createWriteQueue<boolean>({
    write: (name, value) =>
      new Promise((resolve, reject) => {
        writes.push({ key: name, value, resolve, reject });
        lastSent.set(name, value);
        maxAtOnce = Math.max(maxAtOnce, writes.filter((other) => other.key === name).length);
      }),
    onConfirmed: (name, value) => void cache.set(name, value),
    // Like the page: it reads again, and an earlier read is dropped.
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

  const shown = (name: string) => queue.getPending(name) ?? cache.get(name);
  const pendingKeys = () => writes.map((write) => write.key);

  async function perform(step: Step): Promise<void> {
    switch (step.action) {
      case 'choose':
        queue.choose(step.key, step.value);
        lastChosen.set(step.key, step.value);
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

  /** From now on the network works: every request gets its answer. */
  async function recover(): Promise<void> {
    if (writes.length > 0) {
      await perform({ action: 'answer', which: 0, outcome: 'ok' });
      await recover();
    }
  }

  return {
    server,
    lastChosen,
    perform,
    recover,
    /** Keys for which the page shows another value than the server has. */
    differences: () => keys.filter((name) => shown(name) !== server.get(name)),
    /** Keys that do not show, or did not send, the value that was chosen last. */
    wrongValues: () => [
      ...pendingKeys().filter((name) => shown(name) !== lastChosen.get(name)),
      ...keys.filter(
        (name) => !pendingKeys().includes(name) && lastSent.get(name) !== lastChosen.get(name),
      ),
    ],
    pendingKeys,
    isIdle: () => writes.length === 0 && read === undefined,
    maxAtOnce: () => maxAtOnce,
    async readAgain() {
      await perform({ action: 'begin read' });
      await perform({ action: 'server reads' });
      await perform({ action: 'end read' });
    },
  };
}

/** Performs the steps one after the other and calls `check` after each. */
function play(world: World, steps: readonly Step[], check: () => void): Promise<void> {
  return steps.reduce(
    (before, step) => before.then(() => world.perform(step)).then(check),
    Promise.resolve(),
  );
}

test('whenever nothing is in flight, the page shows what the server has', async () => {
  await assert(
    asyncProperty(
      array(oneof(...clicksAndAnswers), { maxLength: 40, size: 'max' }),
      async (steps) => {
        const world = startWorld();
        const differences: unknown[] = [];

        await play(world, steps, () =>
          differences.push(...(world.isIdle() ? world.differences() : [])),
        );

        expect(differences).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

test('a key has at most one write in flight, and its last value is shown and sent', async () => {
  await assert(
    asyncProperty(
      array(oneof(...clicksAndAnswers, otherAdmin), { maxLength: 40, size: 'max' }),
      async (steps) => {
        const world = startWorld();
        const wrong: string[] = [];

        await play(world, steps, () => wrong.push(...world.wrongValues()));

        expect(wrong).toEqual([]);
        expect(world.maxAtOnce()).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 300 },
  );
});

test('once the network works the last value wins, and the next read shows what others changed', async () => {
  await assert(
    asyncProperty(
      array(oneof(...clicksAndAnswers, otherAdmin), { maxLength: 40, size: 'max' }),
      async (steps) => {
        const world = startWorld();
        await play(world, steps, () => undefined);
        const pending = world.pendingKeys();

        await world.recover();
        await world.readAgain();

        expect(world.differences()).toEqual([]);
        expect(pending.map((name) => world.server.get(name))).toEqual(
          pending.map((name) => world.lastChosen.get(name)),
        );
      },
    ),
    { numRuns: 300 },
  );
});
