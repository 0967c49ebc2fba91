/** Two pictures compared: beside each other or under a slider, with what differs in their recipes. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { dialog, history, openHistory } from '#tests/history';
import { remembered } from '#tests/remembered';

const first = remembered(1, {
  prompt: 'A red fox in the snow',
  seed: '11',
  modelId: 'm',
  modelName: 'Tidepool',
});
const second = remembered(2, {
  prompt: 'A grey fox in the snow',
  seed: '12',
  modelId: 'm',
  modelName: 'Tidepool',
});

async function compare(rows: Parameters<typeof openHistory>[0] = [first, second]) {
  const app = await openHistory(rows);
  await app.user.click(await history().findByRole('button', { name: 'Select' }));
  for (const box of await history().findAllByRole('button', { name: /^Select: / })) {
    await app.user.click(box);
  }
  const bar = within(await screen.findByRole('region', { name: 'Selected images' }));
  const opener = bar.getByRole('button', { name: 'Compare' });
  await app.user.click(opener);
  return { ...app, opener, shown: await dialog('Compare') };
}

test('both are shown beside each other, and a table says what differs', async () => {
  const { shown } = await compare();

  expect(await shown.findByRole('img', { name: 'Image 1: A red fox in the snow' })).toBeVisible();
  expect(shown.getByRole('img', { name: 'Image 2: A grey fox in the snow' })).toBeVisible();
  const table = within(shown.getByRole('table', { name: 'What differs' }));
  const lines = table
    .getAllByRole('row')
    .map((row) => Array.from(row.children, ({ textContent }) => textContent.trim()));
  expect(lines).toContainEqual(['Prompt', 'A red fox in the snow', 'A grey fox in the snow']);
  expect(lines).toContainEqual(['Seed', '11', '12']);
  // What is the same is left out.
  expect(lines.some(([name]) => name === 'Model Name')).toBe(false);
  expect([...document.querySelectorAll('dialog mark')].map((mark) => mark.textContent)).toEqual([
    'red',
    'grey',
  ]);
});

test('a value that one of them lacks is called so', async () => {
  const { shown } = await compare([first, remembered(2, { prompt: second.prompt, modelId: 'm' })]);

  const row = shown.getByRole('row', { name: /^Seed/ });
  expect(row).toHaveTextContent('Seed11None');
});

test('pictures of one recipe have no differences', async () => {
  const { shown } = await compare([first, { ...first, id: 'twin' }]);

  expect(shown.getByText('Their details are the same.')).toBeVisible();
  expect(shown.queryByRole('table')).toBeNull();
});

test('with the slider one covers the other, which keys move, too', async () => {
  const { shown, user } = await compare();
  await user.click(shown.getByRole('tab', { name: 'With a slider' }));

  const slider = shown.getByRole('slider', { name: 'How much of image 1 is shown' });
  expect(slider).toHaveAttribute('aria-valuetext', '50 %');
  slider.focus();
  expect(slider).toHaveFocus();
  // A browser changes the value of a native slider at an arrow key.
  fireEvent.change(slider, { target: { value: '80' } });
  expect(slider).toHaveAttribute('aria-valuetext', '80 %');
  expect(shown.getAllByRole('img')).toHaveLength(2);
});

test('Escape closes it and leaves the selection, with the focus where it was', async () => {
  const { user, opener } = await compare();

  fireEvent(
    await screen.findByRole('dialog', { name: 'Compare' }),
    new Event('cancel', { cancelable: true }),
  );

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByText('2 selected')).toBeVisible();
  expect(opener).toHaveFocus();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByText('2 selected')).toBeNull());
});

test('a picture that is not on the device says so', async () => {
  const { shown } = await compare([first, remembered(2, { imageUrl: undefined })]);

  expect(await shown.findByText('This image is no longer on this device.')).toBeVisible();
});
