/** The contents of the generator's form, stored on the device. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import {
  addLora,
  field,
  fillIn,
  keptForm,
  model,
  openGenerator,
  ratio,
  unfold,
  weigh,
  weight,
} from '#tests/generator';

test('is kept on every change, and is there after a reload', async () => {
  const app = await openGenerator();
  await fillIn(app, 'a long walk', '1001');
  await app.user.type(field('Negative Prompt'), 'rain');
  await app.user.type(field('Seed'), '1234567890');
  await app.user.click(ratio('9:21'));
  await app.user.click(screen.getByRole('checkbox', { name: 'NSFW' }));
  await addLora(app, '2001');
  await weigh(app, '2001', '1.5');

  expect(keptForm()).toEqual({
    prompt: 'a long walk',
    negativePrompt: 'rain',
    seed: 1_234_567_890,
    ratio: '9:21',
    nsfw: true,
    modelId: '1001',
    loras: [{ id: '2001', percentage: 1.5, unit: 'percent' }],
  });
  expect(JSON.parse(localStorage.getItem('nori_selected_model') ?? '')).toEqual({
    modelId: '1001',
    modelName: '',
  });
  await app.reload();
  await unfold(app);

  expect(await screen.findByDisplayValue('a long walk')).toBe(field('Prompt'));
  expect(field('Model ID')).toHaveValue('1001');
  expect(field('Negative Prompt')).toHaveValue('rain');
  expect(field('Seed')).toHaveValue('1234567890');
  expect(ratio('9:21')).toBeChecked();
  expect(screen.getByRole('checkbox', { name: 'NSFW' })).toBeChecked();
  expect(weight('2001')).toHaveValue('1.5');
});

test('reads a stored weight of 0.7 as 70 percent', async () => {
  localStorage.setItem(
    'nori_form_state',
    JSON.stringify({ loras: [{ id: '2001', percentage: 0.7 }] }),
  );

  await openGenerator();

  expect(weight('2001')).toHaveValue('70');
});

test('reads the selected model with its name', async () => {
  localStorage.setItem(
    'nori_selected_model',
    JSON.stringify({ modelId: '1001', modelName: 'Tide Pool' }),
  );

  await openGenerator();

  expect(field('Model ID')).toHaveValue('1001');
  expect(model().getByText('Tide Pool')).toBeVisible();
});

test.each([
  ['invalid JSON', '{"prompt'],
  ['another type', '[1, 2]'],
  [
    'fields with wrong types',
    '{"prompt": 7, "ratio": "8:8", "seed": {}, "nsfw": "yes", "loras": 3}',
  ],
])('a stored draft with %s is dropped', async (_, stored) => {
  localStorage.setItem('nori_form_state', stored);

  await openGenerator();

  expect(field('Prompt')).toHaveValue('');
  expect(ratio('1:1')).toBeChecked();
  expect(field('Seed')).toHaveValue('');
  expect(screen.getByRole('checkbox', { name: 'NSFW' })).not.toBeChecked();
});

test('follows another tab', async () => {
  await openGenerator();

  localStorage.setItem(
    'nori_form_state',
    JSON.stringify({ prompt: 'from elsewhere', loras: [{ id: '2009', percentage: 35 }] }),
  );
  window.dispatchEvent(new StorageEvent('storage', { key: 'nori_form_state' }));

  expect(await screen.findByDisplayValue('from elsewhere')).toBe(field('Prompt'));
  expect(weight('2009')).toHaveValue('35');
});

test('is removed when the user logs out', async () => {
  const app = await openGenerator({ as: 4242 });
  await fillIn(app, 'a secret');

  await app.user.click(await screen.findByRole('button', { name: 'Logout' }));
  await app.user.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Logout' }),
  );

  await waitFor(() => expect(localStorage.getItem('nori_form_state')).toBeNull());
  expect(screen.queryByDisplayValue('a secret')).toBeNull();
});
