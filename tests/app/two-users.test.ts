/**
 * Two users on one device, in random orders of signing up, logging in, sessions that end by themselves,
 * deleting, undoing and logging out: neither sees anything of the other, and each finds their own again.
 */
import { QueryClient } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import { array, constantFrom, sample, tuple } from 'fast-check';
import * as v from 'valibot';
import { expect, test, vi } from 'vitest';

import { login, logout, readMe } from '#contract/endpoints/session';
import { field } from '#tests/generator';
import { cardNames, dialog, history, historyAddress } from '#tests/history';
import { readHistory, save } from '#tests/pictures';
import { renderApp, startServer } from '#tests/render-app';
import { randomStart } from '#tests/setup';
import { goodPassword } from '#tests/test-server';

const orders = 8;
const stepsPerOrder = 9;

const people = { Ann: 4242, Bob: 5353 } as const;
type Name = keyof typeof people;
const names: readonly Name[] = ['Ann', 'Bob'];

const steps = [
  'Ann enters',
  'Bob enters',
  'saves',
  'types',
  'deletes',
  'undoes',
  'session ends',
  'logs out',
  'reloads',
] as const;
type Step = (typeof steps)[number];

async function openDevice() {
  const clients = vi.spyOn(QueryClient.prototype, 'mount');
  const testServer = await startServer();
  const app = await renderApp(historyAddress, { server: testServer });
  const accounts = new Set<Name>();
  /** Sessions with which the test itself reads and writes. */
  const observers = new Map<Name, string>();
  let user: Name | undefined;
  let isMember = false;
  let saved = 0;

  async function logIn(name: Name): Promise<string> {
    const { body } = await testServer.call(login, {
      telegram_id: String(people[name]),
      password: goodPassword,
    });
    return v.parse(login.output, body).access_token;
  }

  async function enter(name: Name): Promise<void> {
    const token = accounts.has(name) ? await logIn(name) : await testServer.signUp(people[name]);
    accounts.add(name);
    observers.set(name, observers.get(name) ?? (await logIn(name)));
    const { startSession } = await import('#lib/session');
    startSession({ token, telegramId: String(people[name]) });
    user = name;
    isMember = true;
  }

  async function showHistory(): Promise<void> {
    app.goTo(historyAddress);
    await screen.findByRole('heading', { name: 'History' });
  }

  const refresh = () => app.user.click(history().getByRole('button', { name: 'Refresh' }));
  await screen.findByRole('heading', { name: 'History' });

  const take: Record<Step, () => Promise<void>> = {
    'Ann enters': () => enter('Ann'),
    'Bob enters': () => enter('Bob'),
    saves: async () => {
      if (user !== undefined && isMember) {
        saved += 1;
        await save(testServer, observers.get(user) ?? '', { prompt: `${user}’s picture ${saved}` });
        testServer.wait(1000);
        await refresh();
      }
    },
    types: async () => {
      if (user !== undefined) {
        await app.user.clear(field('Prompt'));
        await app.user.type(field('Prompt'), `${user}’s words`);
      }
    },
    deletes: async () => {
      const [card] = history().queryAllByRole('listitem');
      if (isMember && card) {
        await app.user.click(within(card).getByRole('button', { name: 'Delete' }));
        await app.user.click(
          (await dialog('Delete Image')).getByRole('button', { name: 'Delete' }),
        );
      }
    },
    undoes: () => app.user.keyboard('{Control>}z{/Control}'),
    'session ends': async () => {
      if (isMember) {
        await testServer.call(logout, {}, { token: localStorage.getItem('accessToken') ?? '' });
        const { call } = await import('#lib/api');
        await call(readMe, {}).catch(() => undefined);
        isMember = false;
      }
    },
    'logs out': async () => {
      if (isMember) {
        await app.user.click(screen.getByRole('button', { name: 'Logout' }));
        await app.user.click(
          (await dialog('Confirm Logout')).getByRole('button', { name: 'Logout' }),
        );
        await screen.findByRole('heading', { name: 'Log in' });
        user = undefined;
        isMember = false;
      }
    },
    reloads: () => app.reload(),
  };

  /** Everything that the page shows, stores and has read. */
  function readPage(): string {
    const values = [...document.querySelectorAll('textarea')].map(({ value }) => value);
    const storages = [localStorage, sessionStorage].flatMap((storage) =>
      Array.from({ length: storage.length }, (_value, index) =>
        storage.getItem(storage.key(index) ?? ''),
      ),
    );
    const [client] = clients.mock.contexts.slice(-1);
    const queries =
      client instanceof QueryClient
        ? client
            .getQueryCache()
            .getAll()
            .map(({ state }) => state.data)
        : 'no queries were found';
    return JSON.stringify([
      document.body.innerHTML,
      values,
      window.location.href,
      storages,
      queries,
    ]);
  }

  /** What the page has of anyone but its user. */
  function readForeign(): readonly string[] {
    const others = names.filter((name) => name !== user).join('|');
    return readPage().match(new RegExp(`(?:${others})’s [\\w ]+`, 'g')) ?? [];
  }

  /** Nothing of others, and of the user, when logged in, what the account has: all of it, and once. */
  async function check(): Promise<void> {
    await showHistory();
    await waitFor(() => expect(readForeign()).toEqual([]));
    if (user !== undefined && isMember) {
      const token = observers.get(user) ?? '';
      await waitFor(async () => {
        const own = (await readHistory(testServer, token)).map(({ prompt }) => `Image: ${prompt}`);
        expect(cardNames()).toEqual(own);
      });
    }
    expect(readForeign()).toEqual([]);
  }

  return { take, check, readPage, readForeign };
}

/** Each begins with a user who has something, as nothing else is worth looking for. */
const randomOrders: readonly (readonly Step[])[] = sample(
  tuple(
    constantFrom<Step[]>('Ann enters', 'Bob enters'),
    array(constantFrom<Step[]>(...steps, 'deletes', 'undoes', 'saves'), {
      minLength: stepsPerOrder,
      maxLength: stepsPerOrder,
    }),
  ),
  { seed: randomStart, numRuns: orders },
).map(([first, others]) => [first, 'saves' as const, 'types' as const].concat(others));

/** Chosen for what a random order rarely has. */
const chosenOrders: readonly (readonly Step[])[] = [
  ['Ann enters', 'saves', 'types', 'deletes', 'logs out', 'undoes', 'Bob enters', 'undoes'],
  ['Ann enters', 'saves', 'types', 'session ends', 'Bob enters', 'saves', 'reloads', 'Ann enters'],
  ['Ann enters', 'saves', 'saves', 'deletes', 'session ends', 'undoes', 'Ann enters', 'reloads'],
];

test.each([...chosenOrders, ...randomOrders].map((order) => [order.join(', '), order] as const))(
  'neither of two users sees anything of the other: %s',
  async (_name, order) => {
    const device = await openDevice();
    await device.check();

    for (const step of order) {
      await device.take[step]();
      await device.check();
    }

    expect(device.readForeign()).toEqual([]);
  },
);

test('what the device shows of a user is what this file looks for', async () => {
  const device = await openDevice();
  await device.take['Ann enters']();
  await device.take.saves();
  await device.take.types();
  await device.check();

  expect(device.readPage()).toContain('Ann’s picture 1');
  expect(device.readPage()).toContain('Ann’s words');
  expect(device.readPage()).not.toContain('no queries were found');
});
