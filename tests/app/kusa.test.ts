/** Kusa: a gallery of named styles. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { listKusaStyles } from '#contract/endpoints/kusa';
import { button, haptics, inTelegram, openProvider } from '#tests/providers';

const style = (id: number, change: Readonly<Record<string, unknown>> = {}) => ({
  id,
  name: `Style ${id}`,
  og_name: `First name of ${id}`,
  image_url: '/icon-512.png',
  ...change,
});
const answer = (...styles: readonly unknown[]) => ({ status: 200, body: { styles: { styles } } });

type Options = Parameters<typeof openProvider>[1];

const openKusa = (answers: Parameters<typeof answer>, options: Options = {}) =>
  openProvider('kusa', {
    prepare: (server) => server.refuse(listKusaStyles, answer(...answers)),
    ...options,
  });

const gallery = () => screen.findByRole('list', { name: 'Kusa styles' });
const names = async () =>
  within(await gallery())
    .getAllByRole('listitem')
    .map((card) => card.getAttribute('aria-label'));

test('shows a card for each style, with its picture and its number', async () => {
  await openKusa([style(1), style(2)]);

  expect(await names()).toEqual(['#1: First name of 1', '#2: First name of 2']);
  const [first] = within(await gallery()).getAllByRole('listitem');
  expect(first?.querySelector('img')).toHaveAttribute('src', '/icon-512.png');
  expect(screen.getByText('#1')).toBeVisible();
});

test('a tap turns the number into the original name, and back', async () => {
  const app = await openKusa([style(12)], { ...inTelegram });
  const card = await screen.findByRole('button', { name: '#12: First name of 12' });
  expect(card).toHaveAttribute('aria-pressed', 'false');
  const before = haptics(app).length;

  await app.user.click(card);
  expect(card).toHaveAttribute('aria-pressed', 'true');
  expect(within(card).getByText('First name of 12')).toBeInTheDocument();
  expect(haptics(app).slice(before)).toHaveLength(1);

  await app.user.click(card);
  expect(card).toHaveAttribute('aria-pressed', 'false');
});

test('says that it is loading', async () => {
  await openProvider('kusa', { prepare: (server) => void server.hang(listKusaStyles) });

  expect(await screen.findByText('Loading styles...')).toBeVisible();
});

test('says when there are none', async () => {
  await openKusa([]);

  expect(await screen.findByText('No styles available.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test.each([
  ['refuses', { status: 403, body: { detail: 'No' } }],
  ['answers nonsense', { status: 200, body: '<html></html>' }],
  ['answers something else', { status: 200, body: { styles: 7 } }],
])(
  'a server that %s is logged, and there are no styles until it answers',
  async (_what, refusal) => {
    const logged = vi.spyOn(console, 'info').mockImplementation(() => {});
    const { server, user } = await openProvider('kusa', {
      prepare: (network) => network.refuse(listKusaStyles, refusal),
    });

    expect(await screen.findByText('No styles available.')).toBeVisible();
    expect(logged).toHaveBeenCalledWith('The styles could not be loaded', expect.any(String));
    server.refuse(listKusaStyles, answer(style(3)));
    await user.click(button('Try again'));

    expect(await names()).toEqual(['#3: First name of 3']);
  },
);

test('reads the shorter shape of the list, too, and leaves out invalid items', async () => {
  await openProvider('kusa', {
    prepare: (server) =>
      server.refuse(listKusaStyles, {
        status: 200,
        body: { styles: [style(4), 'nonsense', { name: 'Without a number' }, style(4)] },
      }),
  });

  expect(await names()).toEqual(['#4: First name of 4']);
});

test('a style without an original name shows its present name', async () => {
  await openKusa([style(5, { og_name: null }), style(6, { og_name: ' ', name: '' })]);

  expect(await names()).toEqual(['#5: Style 5', '#6: #6']);
});

test('a picture that cannot be loaded says so', async () => {
  await openKusa([style(7), style(8, { image_url: null })]);
  expect(await screen.findAllByText('Failed to load image')).toHaveLength(1);

  const [first] = within(await gallery()).getAllByRole('listitem');
  first?.querySelector('img')?.dispatchEvent(new Event('error'));

  await waitFor(() => expect(screen.getAllByText('Failed to load image')).toHaveLength(2));
});

test('needs no account, and arrow keys move from style to style', async () => {
  const { user } = await openKusa([style(1), style(2), style(3)]);
  expect(localStorage.getItem('accessToken')).toBeNull();
  await gallery();

  screen.getByRole('listitem', { name: /^#1/ }).focus();
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('listitem', { name: /^#2/ })).toHaveFocus();
});
