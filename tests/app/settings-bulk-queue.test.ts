/** Single and bulk changes at the same time, held against a model: any order of deeds and answers. */
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
  | { readonly deed: 'choose'; readonly key: string; readonly value: boolean }
  | { readonly deed: 'choose all'; readonly values: Readonly<Record<string, boolean>> }
  | { readonly deed: 'answer'; readonly which: number; readonly isRefused: boolean };

type Write = {
  readonly values: ReadonlyMap<string, boolean>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
};

const keys = ['photo', 'poll', 'url', 'dice'];
const key = constantFrom(...keys);

const deeds = (mayRefuse: boolean) =>
  array(
    oneof(
      record({ deed: constant('choose' as const), key, value: boolean() }),
      record({
        deed: constant('choose all' as const),
        values: dictionary(key, boolean(), { minKeys: 1 }),
      }),
      record({
        deed: constant('answer' as const),
        which: nat(5),
        isRefused: mayRefuse ? boolean() : constant(false),
      }),
    ),
    { maxLength: 40, size: 'max' },
  );

/** Lets everything happen that needs no one else. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

function startWorld() {
  const server = new Map(keys.map((name) => [name, false]));
  const cache = new Map(server);
  const lastWish = new Map(server);
  const writes: Write[] = [];
  let mostAtOnce = 0;

  const send = (values: ReadonlyMap<string, boolean>) =>
    new Promise<void>((resolve, reject) => {
      writes.push({ values, resolve, reject });
      for (const name of values.keys()) {
        const underWay = writes.filter((write) => write.values.has(name)).length;
        mostAtOnce = Math.max(mostAtOnce, underWay);
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
    if (step.deed === 'choose') {
      queue.choose(step.key, step.value);
      lastWish.set(step.key, step.value);
    } else if (step.deed === 'choose all') {
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
        lastWish.set(name, value);
      }
    } else {
      answer(step.which, step.isRefused);
    }
    await settle();
  }

  async function recover(): Promise<void> {
    if (writes.length > 0) {
      await perform({ deed: 'answer', which: 0, isRefused: false });
      await recover();
    }
  }

  const shown = (name: string) => queue.wishFor(name) ?? cache.get(name);
  const all = (valueOf: (name: string) => boolean | undefined) => keys.map(valueOf);

  return {
    play: (steps: readonly Step[]) =>
      steps.reduce((before, step) => before.then(() => perform(step)), Promise.resolve()),
    recover,
    shown: () => all(shown),
    wished: () => all((name) => lastWish.get(name)),
    stored: () => all((name) => server.get(name)),
    isAnythingWished: () => keys.some((name) => queue.wishFor(name) !== undefined),
    mostAtOnce: () => mostAtOnce,
  };
}

test('what the person did last is shown at once, and is what the server has in the end', async () => {
  await assert(
    asyncProperty(deeds(false), async (steps) => {
      const world = startWorld();

      await world.play(steps);
      expect(world.shown()).toEqual(world.wished());
      await world.recover();

      expect(world.stored()).toEqual(world.wished());
      expect(world.shown()).toEqual(world.wished());
      expect(world.mostAtOnce()).toBeLessThanOrEqual(1);
    }),
    { numRuns: 400 },
  );
});

test('whatever is refused, the page shows what the server has once all is quiet', async () => {
  await assert(
    asyncProperty(deeds(true), async (steps) => {
      const world = startWorld();

      await world.play(steps);
      await world.recover();

      expect(world.shown()).toEqual(world.stored());
      expect(world.isAnythingWished()).toBe(false);
      expect(world.mostAtOnce()).toBeLessThanOrEqual(1);
    }),
    { numRuns: 400 },
  );
});
