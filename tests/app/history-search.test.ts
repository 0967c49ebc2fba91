/** Finding pictures of one's own: by words of the prompt, the model or the style, without a network. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { cardNames, history, historyAddress, openHistory } from '#tests/history';
import { remembered, rememberedMany } from '#tests/remembered';

const prompts = [
  'A café in Ålesund, rain',
  'A fox in the snow',
  'Fuchs im Schnee, ÖL AUF LEINWAND',
  'Лиса в снегу, ёлка',
  'Lanterns on a quiet river',
  'A fox among lanterns',
];
const rows = prompts.map((prompt, index) => remembered(index + 1, { prompt }));
const names = (...numbers: readonly number[]) =>
  numbers.map((number) => `Image: ${prompts[number]}`);

const field = () => history().findByRole('searchbox', { name: 'Search your prompts' });

test('a handful of pictures needs no search', async () => {
  await openHistory(rememberedMany(5));

  await waitFor(() => expect(cardNames()).toHaveLength(5));
  expect(history().queryByRole('searchbox')).toBeNull();
  expect(history().queryByRole('combobox', { name: 'Which images' })).toBeNull();
});

test('all words have to occur, in any order, whatever their case and accents', async () => {
  const { user } = await openHistory(rows);

  await user.type(await field(), 'lanterns FOX');
  await waitFor(() => expect(cardNames()).toEqual(names(5)));
  expect(history().getByText('1 image found')).toBeInTheDocument();

  for (const [term, ...found] of [
    ['cafe alesund', 0],
    ['öl', 2],
    ['OL', 2],
    ['елка', 3],
    ['fox', 1, 5],
  ] as const) {
    await user.clear(await field());
    await user.type(await field(), term);
    await waitFor(() => expect(cardNames()).toEqual(names(...found)));
  }
});

test('models are found by name and by ID', async () => {
  const { user } = await openHistory(rememberedMany(7));

  await user.type(await field(), 'moonrise 3');
  await waitFor(() => expect(cardNames()).toEqual(['Image: A heron at dusk, number 3']));
  await user.clear(await field());
  await user.type(await field(), 'model-7');
  await waitFor(() => expect(cardNames()).toEqual(['Image: A heron at dusk, number 7']));
});

test('styles are found by the name that the user reads', async () => {
  const styled = ['flux-dev', 'anime', 'anime', 'anime', 'anime', 'anime'].map((style, index) =>
    remembered(index + 1, { provider: 'imagine-art', style, modelId: style, modelName: '' }),
  );
  localStorage.setItem('nori_generation_history', JSON.stringify(styled));
  const { user } = await openHistory(styled);
  await user.click(screen.getByRole('tab', { name: 'Imagine Art' }));
  const region = within(await screen.findByRole('region', { name: 'Imagine Art History' }));

  await user.type(await region.findByRole('searchbox'), 'Flux Dev');

  await waitFor(() => expect(region.getAllByRole('listitem')).toHaveLength(1));
});

test('a search without a find says so, and Clear shows everything again', async () => {
  const { user } = await openHistory(rows);

  await user.type(await field(), 'whale');
  expect(await history().findByText('No image matches "whale"')).toBeVisible();
  expect(history().getByText('0 images found')).toBeInTheDocument();
  await user.click(history().getByRole('button', { name: 'Clear' }));

  await waitFor(() => expect(cardNames()).toHaveLength(6));
  expect(await field()).toHaveValue('');
});

test('the search is in the address: a link and a reload have it', async () => {
  const { user, goTo, reload } = await openHistory(rows);
  await user.type(await field(), 'river');
  await waitFor(() => expect(new URLSearchParams(window.location.search).get('q')).toBe('river'));

  await reload();
  await waitFor(() => expect(cardNames()).toEqual(names(4)));
  expect(await field()).toHaveValue('river');

  goTo('/credits');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'History' })).toBeNull());
  goTo(`${historyAddress}&q=snow`);
  await screen.findByRole('heading', { name: 'History' });
  await waitFor(() => expect(cardNames()).toEqual(names(1)));
});

test('the viewer steps through what is found only', async () => {
  const { user } = await openHistory(rows);
  await user.type(await field(), 'fox');
  await waitFor(() => expect(cardNames()).toHaveLength(2));

  await user.click(await history().findByRole('button', { name: 'Enlarge: A fox in the snow' }));

  const viewer = within(await screen.findByRole('dialog', { name: 'Image viewer' }));
  expect(viewer.getByText('1 of 2')).toBeVisible();
});
