/** Favourites and collections: kept on the device, for the user who made them. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import * as v from 'valibot';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { listGenerations } from '#contract/endpoints/generations';
import { card, cardNames, dialog, history, historyAddress, openHistory } from '#tests/history';
import { remembered, rememberedMany } from '#tests/remembered';
import { renderApp } from '#tests/render-app';

type App = Awaited<ReturnType<typeof openHistory>>;

const heron = (number: number) => `A heron at dusk, number ${number}`;
const names = (...numbers: readonly number[]) => numbers.map((one) => `Image: ${heron(one)}`);

afterEach(() => vi.useRealTimers());

const filter = () => history().findByRole('combobox', { name: 'Which images' });
const bar = async () => within(await screen.findByRole('region', { name: 'Selected images' }));

async function star({ user }: App, number: number): Promise<void> {
  await user.click((await card(heron(number))).getByRole('button', { name: 'Favourite' }));
}

/** Ticks these pictures. */
async function select({ user }: App, ...numbers: readonly number[]) {
  await user.click(history().getByRole('button', { name: 'Select' }));
  for (const number of numbers) {
    await user.click(await history().findByRole('button', { name: `Select: ${heron(number)}` }));
  }
  return bar();
}

/** Makes a collection of these pictures. */
async function collect(app: App, name: string, ...numbers: readonly number[]): Promise<void> {
  const { user } = app;
  const selected = await select(app, ...numbers);
  await user.click(selected.getByRole('button', { name: 'Collections' }));
  const list = await dialog('Collections');
  await user.type(list.getByRole('textbox', { name: 'Name of a new collection' }), name);
  await user.click(list.getByRole('button', { name: 'Create' }));
  await user.click(list.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(selected.getByRole('button', { name: 'Stop selecting' }));
}

async function show({ user }: App, option: string): Promise<void> {
  await user.selectOptions(await filter(), option);
}

const storedRows = () =>
  v.parse(
    v.array(
      v.looseObject({
        id: v.string(),
        isFavourite: v.optional(v.boolean()),
        collections: v.optional(v.array(v.string())),
      }),
    ),
    JSON.parse(localStorage.getItem('nori_generation_history') ?? '[]'),
  );

describe('favourites', () => {
  test('of the account take no place from pictures that only this device has', async () => {
    // Of the account's pictures the device has the newest 200 by itself.
    const now = Date.now();
    const listed = Array.from({ length: 203 }, (_row, index) => ({
      id: `gen-${index}`,
      prompt: index < 200 ? 'A newer one' : `An elder one, number ${index - 199}`,
      image_url: '/icon-512.png',
      model_id: '1001',
      ratio: '1:1',
      created_at: new Date(now - index).toISOString(),
    }));
    const here = Array.from({ length: 1800 }, (_row, index) =>
      remembered(index + 1, { imageUrl: undefined, provider: 'imagine-art' }),
    );
    localStorage.setItem('nori_generation_history', JSON.stringify(here));
    await renderApp(`${historyAddress}&q=elder`, {
      as: 4242,
      onConnect: (network) =>
        network.refuse(listGenerations, { status: 200, body: { generations: listed } }),
    });
    await screen.findByRole('heading', { name: 'History' });
    await card('An elder one, number 3');
    fireEvent.click(history().getByRole('button', { name: 'Select' }));
    const selected = await bar();
    fireEvent.click(selected.getByRole('button', { name: 'All' }));
    await selected.findByText('3 selected');

    fireEvent.click(selected.getByRole('button', { name: 'Favourite' }));

    await screen.findByText('This device has no room left to keep that.');
    const rows = storedRows();
    expect(rows.filter(({ id }) => id.startsWith('picture-'))).toHaveLength(1800);
    expect(rows.filter(({ isFavourite }) => isFavourite)).toEqual([]);
  });

  test('get a star on the card, are shown alone, and are there after a reload', async () => {
    const app = await openHistory(rememberedMany(3));
    await star(app, 2);
    const two = await card(heron(2));
    expect(two.getByRole('button', { name: 'Favourite' })).toHaveAttribute('aria-pressed', 'true');

    await show(app, 'Favourites');
    await waitFor(() => expect(cardNames()).toEqual(names(2)));
    await app.reload();

    await waitFor(() => expect(cardNames()).toEqual(names(2)));
    await show(app, 'All images');
    await waitFor(() => expect(cardNames()).toHaveLength(3));
  });

  test('are marked in the viewer, too, which stays open when the star is taken away', async () => {
    const app = await openHistory([remembered(1), remembered(2, { isFavourite: true })]);
    await show(app, 'Favourites');
    await waitFor(() => expect(cardNames()).toEqual(names(2)));
    await app.user.click(await history().findByRole('button', { name: /^Enlarge/ }));
    const viewer = await dialog('Image viewer');

    await app.user.click(viewer.getByRole('button', { name: 'Favourite' }));
    expect(viewer.getByRole('button', { name: 'Favourite' })).toHaveAttribute(
      'aria-pressed',
      'false',
    );
    await app.user.click(viewer.getByRole('button', { name: 'Close' }));

    expect(await history().findByText('No favourites here')).toBeVisible();
    await app.user.click(history().getByRole('button', { name: 'Show all images' }));
    await waitFor(() => expect(cardNames()).toHaveLength(2));
  });

  test('without room on the device are not promised to last', async () => {
    const app = await openHistory(rememberedMany(2));
    await card(heron(1));
    const full = vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    onTestFinished(() => full.mockRestore());

    await star(app, 1);

    expect(await screen.findByText('This device has no room left to keep that.')).toBeVisible();
  });
});

describe('collections', () => {
  test('say that they are on this device only, and need a name', async () => {
    const app = await openHistory(rememberedMany(6));
    await app.user.click(await history().findByRole('button', { name: 'Collections' }));
    const list = await dialog('Collections');

    expect(list.getByText(/kept on this device only/)).toBeVisible();
    expect(list.getByText('There are no collections yet.')).toBeVisible();
    await app.user.click(list.getByRole('button', { name: 'Create' }));
    expect(list.getByRole('alert')).toHaveTextContent('Enter a name.');
  });

  test('are made of selected pictures, and shown alone', async () => {
    const app = await openHistory(rememberedMany(4));
    await collect(app, 'Birds  of the lake', 1, 3);

    await show(app, 'Birds of the lake');

    await waitFor(() => expect(cardNames()).toEqual(names(1, 3)));
    await app.reload();
    await waitFor(() => expect(cardNames()).toEqual(names(1, 3)));
  });

  test('take and lose pictures by a tick, and show when only some of the chosen are inside', async () => {
    const app = await openHistory(rememberedMany(3));
    await collect(app, 'Birds', 1);
    const selected = await select(app, 1, 2);
    await app.user.click(selected.getByRole('button', { name: 'Collections' }));
    const list = await dialog('Collections');
    const box = list.getByRole('checkbox', { name: /Birds/ });
    expect(box).toBePartiallyChecked();

    await app.user.click(box);
    expect(box).toBeChecked();
    expect(list.getByText('2 images')).toBeVisible();
    await app.user.click(box);
    expect(box).not.toBeChecked();
    expect(list.getByText('0 images')).toBeVisible();
  });

  test('are renamed, but not to a name that there is, in whatever case', async () => {
    const app = await openHistory(rememberedMany(6));
    await collect(app, 'Birds', 1);
    await collect(app, 'Lakes', 2);
    await app.user.click(await history().findByRole('button', { name: 'Collections' }));
    const list = await dialog('Collections');
    await app.user.click(list.getByRole('button', { name: 'Rename Birds' }));
    const name = list.getByRole('textbox', { name: 'New name' });
    expect(name).toHaveFocus();

    await app.user.clear(name);
    await app.user.type(name, ' LAKES{Enter}');
    expect(list.getByRole('alert')).toHaveTextContent('There is a collection with this name.');
    await app.user.clear(name);
    await app.user.type(name, 'Herons{Enter}');

    expect(await list.findByText('Herons')).toBeVisible();
    expect(list.queryByText('Birds')).toBeNull();
  });

  test('when deleted leave their pictures, and Undo brings them back as they were', async () => {
    const app = await openHistory(rememberedMany(6));
    await collect(app, 'Birds', 1, 2);
    await show(app, 'Birds');
    await waitFor(() => expect(cardNames()).toHaveLength(2));
    await app.user.click(await history().findByRole('button', { name: 'Collections' }));
    const list = await dialog('Collections');
    await app.user.click(list.getByRole('button', { name: 'Delete Birds' }));
    await app.user.click(list.getByRole('button', { name: 'Done' }));

    // What was shown alone is gone, so everything is shown.
    await waitFor(() => expect(cardNames()).toHaveLength(6));
    expect(storedRows().some(({ collections }) => collections !== undefined)).toBe(false);
    await app.user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(cardNames()).toEqual(names(1, 2)));
  });

  test('end at 50, and names at 40 characters', async () => {
    const all = Array.from({ length: 49 }, (_one, index) => ({
      id: `c${index}`,
      name: `Collection ${index}`,
    }));
    localStorage.setItem('nori_collections', JSON.stringify(all));
    const app = await openHistory(rememberedMany(6));
    await app.user.click(await history().findByRole('button', { name: 'Collections' }));
    const list = await dialog('Collections');

    await app.user.type(list.getByRole('textbox'), `${'x'.repeat(45)}{Enter}`);

    expect(await list.findByText('x'.repeat(40))).toBeVisible();
    expect(list.getByText('There can be at most 50 collections.')).toBeVisible();
    expect(list.queryByRole('textbox')).toBeNull();
  });

  test('lose a deleted picture, and have it again when that is undone', async () => {
    const app = await openHistory(rememberedMany(3));
    await collect(app, 'Birds', 1, 2);
    await show(app, 'Birds');
    await waitFor(() => expect(cardNames()).toHaveLength(2));

    await app.user.click((await card(heron(1))).getByRole('button', { name: 'Delete' }));
    await app.user.click((await dialog('Delete Image')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(cardNames()).toEqual(names(2)));
    await app.user.click(await screen.findByRole('button', { name: 'Undo' }));

    await waitFor(() => expect(cardNames()).toEqual(names(1, 2)));
  });

  test('are those of the user: another one does not see them, and an unreadable list is empty', async () => {
    localStorage.setItem(
      'nori_collections',
      JSON.stringify([
        { id: 'a', name: 'Of Ann', owner: '111222333' },
        { id: 'b', name: 'Of visitors' },
        { id: 'c', name: '' },
        'broken',
      ]),
    );
    await openHistory(rememberedMany(6));

    const options = within(await filter()).getAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual([
      'All images',
      'Favourites',
      'Of visitors',
    ]);
  });
});

describe('several pictures', () => {
  test('are selected by a long press of a finger', async () => {
    const app = await openHistory(rememberedMany(3));
    const picture = await history().findByRole('button', { name: `Enlarge: ${heron(2)}` });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });

    fireEvent.pointerDown(picture, { pointerType: 'touch' });
    expect(screen.queryByRole('region', { name: 'Selected images' })).toBeNull();
    vi.advanceTimersByTime(600);
    vi.useRealTimers();

    expect(await (await bar()).findByText('1 selected')).toBeVisible();
    expect(
      await history().findByRole('button', { name: `Select: ${heron(2)}`, pressed: true }),
    ).toBeVisible();
    await app.user.keyboard('{Escape}');
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: 'Selected images' })).toBeNull(),
    );
  });

  test('a finger that begins to scroll selects nothing', async () => {
    await openHistory(rememberedMany(3));
    const picture = await history().findByRole('button', { name: `Enlarge: ${heron(2)}` });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });

    fireEvent.pointerDown(picture, { pointerType: 'touch' });
    fireEvent.pointerCancel(picture, { pointerType: 'touch' });
    vi.advanceTimersByTime(600);
    vi.useRealTimers();

    expect(screen.queryByRole('region', { name: 'Selected images' })).toBeNull();
  });

  test('an action that needs more pictures says what is missing', async () => {
    const app = await openHistory(rememberedMany(3));
    const selected = await select(app);
    expect(selected.getByText('0 selected')).toBeVisible();

    await app.user.click(selected.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Select an image first.')).toBeVisible();
    await app.user.click(selected.getByRole('button', { name: 'All' }));
    expect(selected.getByText('3 selected')).toBeVisible();
    await app.user.click(selected.getByRole('button', { name: 'Compare' }));
    expect(await screen.findByText('Select exactly two images to compare them.')).toBeVisible();
  });

  test('become favourites together, and lose the star together', async () => {
    const app = await openHistory([
      remembered(1, { isFavourite: true }),
      ...rememberedMany(3).slice(1),
    ]);
    const selected = await select(app, 1, 2);
    const button = selected.getByRole('button', { name: 'Favourite' });
    expect(button).toHaveAttribute('aria-pressed', 'false');

    await app.user.click(button);
    expect(button).toHaveAttribute('aria-pressed', 'true');
    expect(storedRows().filter((row) => row.isFavourite)).toHaveLength(2);
    await app.user.click(button);
    expect(storedRows().filter((row) => row.isFavourite)).toHaveLength(0);
  });

  test('are deleted together after a question, and one Undo restores them all', async () => {
    const app = await openHistory(rememberedMany(4));
    const selected = await select(app, 1, 2, 4);
    await app.user.click(selected.getByRole('button', { name: 'Delete' }));
    const question = await dialog('Delete images');
    expect(question.getByText('Are you sure you want to delete 3 images?')).toBeVisible();

    await app.user.click(question.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(cardNames()).toEqual(names(3)));
    expect(screen.getByText('3 images deleted.')).toBeVisible();
    await app.user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(cardNames()).toHaveLength(4));
  });

  test('only what is shown is selected: a search that hides a picture leaves it out', async () => {
    const app = await openHistory(rememberedMany(7));
    const selected = await select(app, 1, 2);
    await app.user.type(await history().findByRole('searchbox'), 'number 2');

    expect(await selected.findByText('1 selected')).toBeVisible();
  });
});
