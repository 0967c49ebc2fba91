/** Searching for a model, with a server that can search and with one that cannot. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';

import { queryModels } from '#contract/endpoints/models';
import {
  address,
  answerWith,
  asked,
  cardNames,
  inTelegram,
  openModels,
  searchBox,
  seeOnly,
  seeTheEnd,
  sortMenu,
} from '#tests/hub';

/** Types without a pause that would start the search. */
const fastUser = userEvent.setup({ delay: null });

const searches = (server: Parameters<typeof asked>[0]) =>
  asked(server).filter(({ operation }) => operation === 'searchGenerationModels');

test('requests results once after a pause in typing, and announces their number', async () => {
  const { server } = await openModels();

  await fastUser.type(searchBox(), '  woodblock ');
  expect(searches(server)).toEqual([]);

  await waitFor(() => expect(address()).toContain('q=woodblock'));
  await waitFor(() => {
    expect(cardNames().length).toBeGreaterThan(3);
    expect(cardNames().filter((name) => !name.includes('Woodblock'))).toEqual([]);
  });
  expect(searches(server)).toEqual([
    expect.objectContaining({ keyword: 'woodblock', feed: 'search' }),
  ]);
  expect(screen.getByText(/^\d+ models loaded$/)).toBeInTheDocument();
});

test('loads further pages of results', async () => {
  const { server } = await openModels();
  await fastUser.type(searchBox(), 'style');
  await waitFor(() => expect(searches(server)).toHaveLength(1));
  await waitFor(() => expect(screen.getByText('36 models loaded')).toBeInTheDocument());

  seeTheEnd();

  await waitFor(() => expect(searches(server).length).toBeGreaterThan(1));
  expect(searches(server)[1]).toMatchObject({ keyword: 'style', after: expect.any(String) });
  await waitFor(() => expect(cardNames().length).toBeGreaterThan(36));
  expect(
    asked(server).filter(({ operation }) => operation === 'listGenerationModels'),
  ).toHaveLength(1);
});

test.each(['', '   '])(
  'when cleared (%j), shows the loaded list again, without a request',
  async (blank) => {
    const { user, server } = await openModels();
    const before = cardNames();
    await fastUser.type(searchBox(), 'woodblock');
    await waitFor(() => expect(cardNames()).not.toEqual(before));
    await waitFor(() => expect(cardNames().length).toBeGreaterThan(0));
    const count = asked(server).length;

    await user.clear(searchBox());
    if (blank !== '') {
      await fastUser.type(searchBox(), blank);
    }

    await waitFor(() => expect(cardNames()).toEqual(before));
    await waitFor(() => expect(address()).not.toContain('q='));
    expect(asked(server)).toHaveLength(count);
  },
);

test('says when nothing is found, with a hint', async () => {
  const { user } = await openModels();

  await fastUser.type(searchBox(), 'zebra <b>');

  expect(await screen.findByText('No models found matching "zebra <b>"')).toBeVisible();
  expect(screen.getByText('Try adjusting your search terms')).toBeVisible();
  expect(screen.getByText('No models found')).toBeInTheDocument();
  expect(cardNames()).toEqual([]);

  await user.click(screen.getByRole('button', { name: 'Clear search' }));
  await waitFor(() => expect(cardNames().length).toBeGreaterThan(3));
  expect(searchBox()).toHaveFocus();
});

test('is in the address, and survives a reload', async () => {
  const { reload } = await openModels();
  await fastUser.type(searchBox(), 'ember');
  await waitFor(() => expect(address()).toContain('q=ember'));

  await reload();

  await waitFor(() => expect(searchBox()).toHaveValue('ember'));
  await waitFor(() => {
    expect(cardNames().length).toBeGreaterThan(0);
    expect(cardNames().filter((name) => !name.startsWith('Ember'))).toEqual([]);
  });
});

/** Results in the order of the best match. */
const matches = [
  { id: '1', title: 'Ember old', likedCount: 20, refCount: 3, createdAt: '2024-01-01' },
  { id: '2', title: 'Ember new', likedCount: 10, refCount: 2, createdAt: '2026-01-01' },
  { id: '3', title: 'Ember used', likedCount: 15, refCount: 9, createdAt: '2025-01-01' },
];

test('choosing an order sorts the results, and keeps the typed search', async () => {
  const { user, server } = await openModels('&q=ember', {
    prepare: (network) => network.refuse(queryModels, answerWith(matches)),
  });
  await waitFor(() => expect(sortMenu()).toHaveDisplayValue('Best match'));
  await seeOnly(['Ember old', 'Ember new', 'Ember used']);
  const before = asked(server).length;

  for (const [order, found] of [
    ['Latest', ['Ember new', 'Ember used', 'Ember old']],
    ['Most Liked', ['Ember old', 'Ember used', 'Ember new']],
    ['Most Used', ['Ember used', 'Ember old', 'Ember new']],
    ['Trending', ['Ember old', 'Ember used', 'Ember new']],
    ['Best match', ['Ember old', 'Ember new', 'Ember used']],
  ] as const) {
    await user.selectOptions(sortMenu(), order);
    await waitFor(() => expect(sortMenu()).toHaveDisplayValue(order));
    await seeOnly(found);
    expect(searchBox()).toHaveValue('ember');
  }
  expect(address()).toBe('/models?provider=pixai&view=models&q=ember');
  // The results were there already; the specification's search has no order.
  expect(
    asked(server)
      .slice(before)
      .filter(({ operation }) => operation === 'searchGenerationModels'),
  ).toEqual([]);
});

test('a search that is still being typed is kept when an order is chosen', async () => {
  const { user } = await openModels();

  await fastUser.type(searchBox(), 'ember');
  await user.selectOptions(sortMenu(), 'Most Liked');

  await waitFor(() => expect(address()).toContain('q=ember'));
  expect(searchBox()).toHaveValue('ember');
  expect(sortMenu()).toHaveDisplayValue('Most Liked');
});

test('choosing an order holds when the pause of the search field ends before the page is drawn again', async () => {
  await openModels();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());

  fireEvent.change(searchBox(), { target: { value: 'ember' } });
  fireEvent.change(sortMenu(), { target: { value: 'most-liked' } });
  await Promise.resolve();
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();

  await waitFor(() => expect(sortMenu()).toHaveDisplayValue('Most Liked'));
  await waitFor(() => expect(new URLSearchParams(address().split('?')[1]).get('q')).toBe('ember'));
  expect(new URLSearchParams(address().split('?')[1]).get('sort')).toBe('most-liked');
});

const known = [
  { id: '1', title: 'Snow Fox', type: 'SDXL_MODEL', latestAvailableVersion: { id: '9001' } },
  { id: '2', title: 'Ember Ink', type: 'SDXL_LORA', latestAvailableVersion: { id: '9002' } },
  { id: '3', title: 'Silver fox', type: 'SD_LORA', latestAvailableVersion: { id: '7003' } },
];

test.each([
  ['a name, whatever its case', 'FOX', ['Snow Fox', 'Silver fox']],
  ['a part of an ID', '900', ['Snow Fox', 'Ember Ink']],
])(
  'on a server that cannot search, the loaded models are searched by %s',
  async (_case, term, found) => {
    const { user, server } = await openModels('', {
      prepare: (network) => network.refuse(queryModels, answerWith(known)),
    });
    await seeOnly(['Snow Fox', 'Ember Ink', 'Silver fox']);
    server.refuse(queryModels, { status: 400 });

    await fastUser.type(searchBox(), term);

    expect(await screen.findByText(/^Search is not available right now/)).toBeVisible();
    await seeOnly(found);

    server.refuse(queryModels, answerWith([{ id: '4', title: 'Found at last' }]));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await seeOnly(['Found at last']);
    expect(screen.queryByText(/^Search is not available/)).toBeNull();
  },
);

test('a search that the server refuses is not asked for a second time', async () => {
  const { server } = await openModels('', {
    prepare: (network) => network.refuse(queryModels, answerWith(known)),
  });
  await seeOnly(['Snow Fox', 'Ember Ink', 'Silver fox']);
  server.refuse(queryModels, { status: 400 });

  await fastUser.type(searchBox(), 'fox');
  await screen.findByText(/^Search is not available right now/);

  expect(searches(server)).toHaveLength(1);
});

test('on a server that cannot search, no loaded model is found', async () => {
  const { server } = await openModels('', {
    prepare: (network) => network.refuse(queryModels, answerWith(known)),
  });
  await seeOnly(['Snow Fox', 'Ember Ink', 'Silver fox']);
  server.refuse(queryModels, { status: 200, body: { errors: [{ message: 'No' }] } });

  await fastUser.type(searchBox(), 'heron');

  expect(await screen.findByText('No models found matching "heron"')).toBeVisible();
});

test('the slash key focuses the search, unless the user is typing', async () => {
  const { user } = await openModels();

  await user.keyboard('/');
  expect(searchBox()).toHaveFocus();
  expect(searchBox()).toHaveValue('');
  await user.keyboard('a/b');
  expect(searchBox()).toHaveValue('a/b');
});

test('in Telegram choosing an order gives haptic feedback', async () => {
  const { user, bridge } = await openModels('', inTelegram);

  await user.selectOptions(sortMenu(), 'Latest');

  expect(
    bridge?.sent.findLast(({ name }) => name === 'web_app_trigger_haptic_feedback')?.data,
  ).toEqual({ type: 'selection_change' });
});
