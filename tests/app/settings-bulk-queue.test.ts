/** Single and bulk changes at the same time, compared with a model: any order of steps. */
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  dictionary,
  nat,
  oneof,
  record,
} from 'fast-check';
import { expect, test } from 'vitest';

import { createWriteQueue } from '#lib/write-queue';

type Step =
  | { readonly action: 'choose'; readonly key: string; readonly value: boolean }
  | { readonly action: 'choose all'; readonly values: Readonly<Record<string, boolean>> }
  | { readonly action: 'answer'; readonly which: number; readonly isRefused: boolean };

type Write = {
  readonly values: ReadonlyMap<string, boolean>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
};

const keys = ['photo', 'poll', 'url', 'dice'];
const key = constantFrom(...keys);

const anySteps = (mayRefuse: boolean) =>
  array(
    oneof(
      record({ action: constant('choose' as const), key, value: boolean() }),
      record({
        action: constant('choose all' as const),
        values: dictionary(key, boolean(), { minKeys: 1 }),
      }),
      record({
        action: constant('answer' as const),
        which: nat(5),
        isRefused: mayRefuse ? boolean() : constant(false),
      }),
    ),
    { maxLength: 40, size: 'max' },
  );

/** Resolves after all promises that can settle by themselves have settled. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

function startWorld() {
  const server = new Map(keys.map((name) => [name, false]));
  const cache = new Map(server);
  const lastChosen = new Map(server);
  const writes: Write[] = [];
  let maxAtOnce = 0;

  const send = (values: ReadonlyMap<string, boolean>) =>
    new Promise<void>((resolve, reject) => {
      writes.push({ values, resolve, reject });
      for (const name of values.keys()) {
        const underWay = writes.filter((write) => write.values.has(name)).length;
        maxAtOnce = Math.max(maxAtOnce, underWay);
      }
    });

  const queue = createWriteQueue<boolean>({
    write: (name, value) => send(new Map([[name, value]])),
    onConfirmed: (name, value) => void cache.set(name, value),
    onFailed: () => undefined,
  });

  function answer(which: number, isRefused: boolean): void {
    const [write] = writes.splice(which % Math.max(writes.length, 1), 1);
    if (isRefused) {
      write?.reject(new Error('refused'));
      return;
    }
    for (const [name, value] of write?.values ?? []) {
      server.set(name, value);
    }
    write?.resolve();
  }

  async function perform(step: Step): Promise<void> {
    if (step.action === 'choose') {
      queue.choose(step.key, step.value);
      lastChosen.set(step.key, step.value);
    } else if (step.action === 'choose all') {
      const values = new Map(Object.entries(step.values));
      queue
        .chooseAll(values, {
          write: () => send(values).then(() => values),
          onConfirmed: (confirmed) => {
            for (const [name, value] of confirmed) {
              cache.set(name, value);
            }
          },
        })
        .catch(() => undefined);
      for (const [name, value] of values) {
        lastChosen.set(name, value);
      }
    } else {
      answer(step.which, step.isRefused);
    }
    await settle();
  }

  async function recover(): Promise<void> {
    if (writes.length > 0) {
      await perform({ action: 'answer', which: 0, isRefused: false });
      await recover();
    }
  }

  const shown = (name: string) => queue.getPending(name) ?? cache.get(name);
  const all = (getValue: (name: string) => boolean | undefined) => keys.map(getValue);

  return {
    play: (steps: readonly Step[]) =>
      steps.reduce((before, step) => before.then(() => perform(step)), Promise.resolve()),
    recover,
    shown: () => all(shown),
    chosen: () => all((name) => lastChosen.get(name)),
    stored: () => all((name) => server.get(name)),
    isAnythingPending: () => keys.some((name) => queue.getPending(name) !== undefined),
    maxAtOnce: () => maxAtOnce,
  };
}

test('the last chosen value is shown at once, and is what the server has in the end', async () => {
  await assert(
    asyncProperty(anySteps(false), async (steps) => {
      const world = startWorld();

      await world.play(steps);
      expect(world.shown()).toEqual(world.chosen());
      await world.recover();

      expect(world.stored()).toEqual(world.chosen());
      expect(world.shown()).toEqual(world.chosen());
      expect(world.maxAtOnce()).toBeLessThanOrEqual(1);
    }),
    { numRuns: 400 },
  );
});

test('whatever is refused, the page shows what the server has once all writes have ended', async () => {
  await assert(
    asyncProperty(anySteps(true), async (steps) => {
      const world = startWorld();

      await world.play(steps);
      await world.recover();

      expect(world.shown()).toEqual(world.stored());
      expect(world.isAnythingPending()).toBe(false);
      expect(world.maxAtOnce()).toBeLessThanOrEqual(1);
    }),
    { numRuns: 400 },
  );
});
