/** The lightbox of the history: texts, keys and buttons. Browser tests check the gestures. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { card, dialog, openHistory } from '#tests/history';
import { remembered, rememberedMany } from '#tests/remembered';

async function enlarge(rows: Parameters<typeof openHistory>[0], number = 1) {
  const app = await openHistory(rows);
  const one = await card(`A heron at dusk, number ${number}`);
  await app.user.click(await one.findByRole('button', { name: /^Enlarge/ }));
  return { ...app, viewer: await dialog('Image viewer') };
}

test('shows the picture with its model and its position among the finished ones', async () => {
  const { viewer } = await enlarge([
    remembered(1),
    remembered(2, { status: 'error' }),
    remembered(3),
  ]);

  expect(viewer.getByText('Model: Moonrise 1')).toBeVisible();
  expect(viewer.getByText('1 of 2')).toBeVisible();
  expect(await viewer.findByRole('img', { name: 'A heron at dusk, number 1' })).toHaveAttribute(
    'src',
    '/icon-512.png',
  );
});

test('shows the ID of a model without a name, and no position for a single picture', async () => {
  const { viewer } = await enlarge([remembered(1, { modelName: '' })]);

  expect(viewer.getByText('Model: model-1')).toBeVisible();
  expect(viewer.queryByText('1 of 1')).toBeNull();
  expect(viewer.queryByRole('button', { name: 'Next image' })).toBeNull();
});

test('steps to the neighbours by buttons and keys, and preloads them', async () => {
  const { viewer, user } = await enlarge(rememberedMany(3), 2);
  expect(viewer.getByText('2 of 3')).toBeVisible();
  await waitFor(() => expect(document.querySelectorAll('dialog img')).toHaveLength(3 * 2));

  await user.click(viewer.getByRole('button', { name: 'Next image' }));
  expect(await viewer.findByText('3 of 3')).toBeVisible();
  expect(viewer.getByRole('button', { name: 'Next image' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await user.keyboard('{ArrowLeft}');
  expect(await viewer.findByText('2 of 3')).toBeVisible();
  await user.keyboard('{Home}');
  expect(await viewer.findByText('1 of 3')).toBeVisible();
  expect(viewer.getByRole('button', { name: 'Previous image' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});

test('a press on the backdrop closes it, also beside the buttons at the top and at the bottom', async () => {
  const app = await openHistory(rememberedMany(1));

  for (const place of ['viewer', 'caption'] as const) {
    await app.user.click(
      (await card('A heron at dusk, number 1')).getByRole('button', { name: /^Enlarge/ }),
    );
    const viewer = await screen.findByRole('dialog', { name: 'Image viewer' });
    await app.user.click(
      place === 'viewer' ? viewer : within(viewer).getByText('Model: Moonrise 1'),
    );
    expect(screen.queryByRole('dialog')).toBeNull();
  }
});

test('its details open above it, and both are closed one after the other', async () => {
  const { viewer, user } = await enlarge(rememberedMany(1));
  await user.click(viewer.getByRole('button', { name: 'Info' }));
  const details = await dialog('Image details');

  await user.click(details.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Image details' })).toBeNull());
  await user.click(viewer.getByRole('button', { name: 'Close' }));

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('listitem', { name: 'Image: A heron at dusk, number 1' })).toHaveFocus();
});

test('deleting a picture returns to the history, where it can be undone', async () => {
  const { viewer, user } = await enlarge(rememberedMany(2));
  await user.click(viewer.getByRole('button', { name: 'Delete' }));
  await user.click((await dialog('Delete Image')).getByRole('button', { name: 'Delete' }));

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('listitem', { name: /number 1$/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await card('A heron at dusk, number 1');
});

test('Download on a card opens the picture in a new tab', async () => {
  const { user } = await openHistory([remembered(1)]);
  const replace = vi.fn<(url: string) => void>();
  const tab = { opener: window, location: { replace }, close: vi.fn<() => void>() };
  vi.stubGlobal(
    'open',
    vi.fn<() => typeof tab>(() => tab),
  );

  await user.click(
    (await card('A heron at dusk, number 1')).getByRole('button', { name: 'Download' }),
  );

  await waitFor(() =>
    expect(replace).toHaveBeenCalledWith(`${window.location.origin}/icon-512.png`),
  );
  expect(tab.opener).toBeNull();
});

test('a URL of another protocol is not opened, and an error is shown', async () => {
  const { user } = await openHistory([remembered(1, { imageUrl: 'javascript:alert(1)' })]);
  const tab = {
    opener: window,
    location: { replace: vi.fn<() => void>() },
    close: vi.fn<() => void>(),
  };
  vi.stubGlobal(
    'open',
    vi.fn<() => typeof tab>(() => tab),
  );

  await user.click(
    (await card('A heron at dusk, number 1')).getByRole('button', { name: 'Download' }),
  );

  expect(await screen.findByText('The image could not be downloaded.')).toBeVisible();
  expect(tab.location.replace).not.toHaveBeenCalled();
  expect(tab.close).toHaveBeenCalledOnce();
});

test('inside Telegram the picture is downloaded by Telegram from an HTTPS link', async () => {
  const { bridge, user } = await openHistory(
    [remembered(1, { imageUrl: 'https://pictures.example/1.png', timestamp: 0 })],
    { launch: { telegramId: 4242 } },
  );

  await user.click(
    (await card('A heron at dusk, number 1')).getByRole('button', { name: 'Download' }),
  );

  await waitFor(() =>
    expect(bridge?.sent).toContainEqual({
      name: 'web_app_request_file_download',
      data: {
        url: 'https://pictures.example/1.png',
        file_name: 'model-1-1970-01-01T00-00-00-000.png',
      },
    }),
  );
});

test('inside Telegram a refused download shows an error', async () => {
  const { bridge, user } = await openHistory(
    [remembered(1, { imageUrl: 'https://pictures.example/1.png' })],
    { launch: { telegramId: 4242 } },
  );
  if (bridge) {
    bridge.answers['web_app_request_file_download'] = () => [
      'file_download_requested',
      { status: 'cancelled' },
    ];
  }

  await user.click(
    (await card('A heron at dusk, number 1')).getByRole('button', { name: 'Download' }),
  );

  expect(await screen.findByText('The image could not be downloaded.')).toBeVisible();
});
