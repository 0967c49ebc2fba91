/** Browsing models: the gallery, its order, and failures of the server. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { queryModels } from '#contract/endpoints/models';
import { sortOrderTexts } from '#contract/images/sort-order-texts';
import { sortOrders } from '#contract/images/sort-orders';
import {
  address,
  answerWith,
  asked,
  cardNames,
  cards,
  openModels,
  seeOnly,
  seeTheEnd,
  sortMenu,
} from '#tests/hub';

const tryAgain = () => screen.findByRole('button', { name: 'Try again' });

test('says that it is loading, then shows the trending models', async () => {
  let release = () => {};
  const { server } = await openModels('', {
    prepare: (network) => {
      release = network.hang(queryModels);
    },
  });
  expect(await screen.findByText('Loading models...')).toBeVisible();
  expect(cardNames()).toEqual([]);

  release();

  await waitFor(() => expect(cardNames().length).toBeGreaterThan(3));
  expect(screen.queryByText('Loading models...')).toBeNull();
  expect(asked(server)).toEqual([
    expect.objectContaining({
      operation: 'listGenerationModels',
      feed: 'trending',
      orderBy: '-markInfo.likedCount',
    }),
  ]);
  expect(screen.getByText(/^\d+ models loaded$/)).toBeInTheDocument();
});

test('each model is a card with name, ID, a lower-cased type and a small cover', async () => {
  await openModels();

  const [first] = cards();
  const card = within(first ?? document.body);
  expect(first).toHaveAttribute('aria-posinset', '1');
  expect(card.getByRole('heading', { level: 2 }).textContent).not.toBe('');
  expect(card.getByText(/^\d{10,}$/)).toBeVisible();
  expect(card.getByText(/^[a-z\d_]+_(?:lora|model)$/)).toBeVisible();
  const covers = [...document.querySelectorAll('main img')].map((image) =>
    image.getAttribute('src'),
  );
  expect(covers.length).toBeGreaterThan(3);
  // Full-size covers would be fifty times as heavy.
  expect(covers.filter((source) => !source?.endsWith('-thumbnail.webp'))).toEqual([]);
});

describe('the order', () => {
  test('has four names', async () => {
    await openModels();

    expect(
      within(sortMenu())
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Trending', 'Latest', 'Most Liked', 'Most Used']);
    expect(sortMenu()).toHaveDisplayValue('Trending');
  });

  test.each(sortOrders.filter(({ value }) => value !== 'trending'))(
    '$value asks for the right feed, and shows nothing of the order before',
    async ({ value, feed, orderBy }) => {
      const { user, server } = await openModels();
      const release = server.hang(queryModels);

      await user.selectOptions(sortMenu(), sortOrderTexts[value]);

      expect(await screen.findByText('Loading models...')).toBeVisible();
      expect(cardNames()).toEqual([]);
      await waitFor(() => expect(asked(server)).toHaveLength(2));
      expect(asked(server).at(-1)).toMatchObject({ feed, orderBy });
      expect(asked(server).at(-1)).not.toHaveProperty('after');
      expect(address()).toContain(`sort=${value}`);
      release();
      await waitFor(() => expect(cardNames().length).toBeGreaterThan(3));
    },
  );

  test('an order that was chosen before is loaded again', async () => {
    const { user, server } = await openModels();
    await user.selectOptions(sortMenu(), 'Latest');
    await waitFor(() => expect(asked(server)).toHaveLength(2));
    await waitFor(() => expect(cardNames().length).toBeGreaterThan(3));

    await user.selectOptions(sortMenu(), 'Trending');

    await waitFor(() => expect(asked(server)).toHaveLength(3));
    expect(asked(server).at(-1)).toMatchObject({ feed: 'trending' });
    expect(address()).not.toContain('sort=');
  });

  test('survives a reload, and an unknown order is replaced by trending', async () => {
    const { reload, server, goTo } = await openModels('&sort=most-used');
    expect(asked(server).at(-1)).toMatchObject({ orderBy: '-markInfo.refCount' });
    await reload();
    await waitFor(() => expect(sortMenu()).toHaveDisplayValue('Most Used'));

    goTo('/models?provider=pixai&view=models&sort=random()');
    await waitFor(() => expect(sortMenu()).toHaveDisplayValue('Trending'));
  });
});

describe('a first page that fails', () => {
  test.each([
    ['a refusal', { status: 400, body: { detail: 'No' } }, /status: 400/],
    [
      'errors of GraphQL',
      { status: 200, body: { errors: [{ message: 'Feed is closed' }] } },
      /^Feed is closed$/,
    ],
    ['an error without a message', { status: 200, body: { errors: [{}] } }, /^GraphQL Error$/],
    [
      'a page of a proxy',
      { status: 200, body: '<html>Please log in to the hotel</html>' },
      /unknown shape/,
    ],
  ])('is logged, and shows an empty page with a button: %s', async (_case, refusal, said) => {
    const logged = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    const { user, server } = await openModels('', {
      prepare: (network) => network.refuse(queryModels, refusal),
    });
    expect(await screen.findByText('The models could not be loaded')).toBeVisible();
    // The connection is not to blame.
    expect(screen.getByText(/^The server answered without a list of models/)).toBeVisible();
    expect(cardNames()).toEqual([]);
    expect(screen.queryByText(/Feed is closed|hotel/)).toBeNull();
    expect(logged).toHaveBeenCalledWith(
      'The models could not be loaded',
      expect.stringMatching(said),
    );

    server.heal(queryModels);
    await user.click(await tryAgain());

    await waitFor(() => expect(cardNames().length).toBeGreaterThan(3));
  });

  test('has the same note for an answer without models', async () => {
    await openModels('', {
      prepare: (network) => network.refuse(queryModels, { status: 200, body: { data: null } }),
    });

    expect(await screen.findByText('The models could not be loaded')).toBeVisible();
    expect(await tryAgain()).toBeVisible();
  });

  test('is not what an empty list is called', async () => {
    await openModels('', {
      prepare: (network) => network.refuse(queryModels, answerWith([])),
    });

    expect(await screen.findByText('There are no models here')).toBeVisible();
    expect(screen.queryByText(/could not be loaded|connection/)).toBeNull();
  });

  test('has the same note without a network, which it names as the reason', async () => {
    const { user, server } = await openModels('', {
      prepare: (network) => network.drop(queryModels),
    });
    expect(await screen.findByText('The models could not be loaded')).toBeVisible();
    expect(screen.getByText('Check your connection, then try again.')).toBeVisible();

    server.heal(queryModels);
    await user.click(await tryAgain());

    await waitFor(() => expect(cardNames().length).toBeGreaterThan(3));
  });
});

describe('further pages', () => {
  test('load near the end, with a note and four placeholders', async () => {
    const { server } = await openModels();
    await waitFor(() => expect(asked(server)).toHaveLength(1));
    const release = server.hang(queryModels);

    seeTheEnd();

    expect(await screen.findByText('Loading more models...')).toBeVisible();
    const list = screen.getByRole('list', { name: 'Models' });
    expect([...list.querySelectorAll('li[aria-hidden]')]).toHaveLength(4);
    await waitFor(() => expect(asked(server)).toHaveLength(2));
    expect(asked(server)[1]).toMatchObject({ feed: 'trending', after: expect.any(String) });
    const before = cardNames();
    release();

    await waitFor(() => expect(cardNames().length).toBeGreaterThan(before.length));
    expect(cardNames().slice(0, before.length)).toEqual(before);
  });

  test.each([
    ['a refusal', { status: 400 }],
    ['errors of GraphQL', { status: 200, body: { errors: [{ message: 'Slow down' }] } }],
    ['a page of a proxy', { status: 200, body: '<html>Please log in</html>' }],
  ])('one that fails leaves the loaded models, and can be loaded again: %s', async (_case, no) => {
    const { user, server } = await openModels();
    server.refuse(queryModels, no);
    seeTheEnd();
    const row = await screen.findByRole('alert');
    expect(row).toHaveTextContent('More models could not be loaded.');
    const before = cardNames();
    expect(before).toHaveLength(36);
    expect(asked(server).length).toBeLessThan(4);

    server.heal(queryModels);
    await user.click(within(row).getByRole('button', { name: 'Try again' }));

    await waitFor(() => expect(cardNames().length).toBeGreaterThan(36));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('end, and say so', async () => {
    await openModels('&sort=newest');
    expect(screen.queryByText('That is all of them')).toBeNull();

    seeTheEnd();

    expect(await screen.findByText('That is all of them')).toBeVisible();
    const last = cards().at(-1);
    expect(last?.getAttribute('aria-setsize')).toBe(String(cards().length));
    expect(new Set(cardNames()).size).toBe(cardNames().length);
  });

  test.each([
    ['without a cursor', { hasNextPage: true }],
    ['whose cursor leads to itself', { hasNextPage: true, endCursor: 'here' }],
  ])('a page %s does not load endlessly', async (_case, pageInfo) => {
    const { server } = await openModels('', {
      prepare: (network) =>
        network.refuse(queryModels, answerWith([{ id: '1', title: 'One' }], pageInfo)),
    });

    await seeOnly(['One']);
    expect(await screen.findByText('That is all of them')).toBeVisible();
    expect(asked(server).length).toBeLessThanOrEqual(2);
  });
});
