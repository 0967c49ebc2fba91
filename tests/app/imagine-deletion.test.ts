/** Deleting pictures of Imagine Art: the confirmation, undoing it, and the account. */
import { screen, waitFor } from '@testing-library/react';
import * as v from 'valibot';
import { afterEach, expect, test, vi } from 'vitest';

import { deleteGeneration, restoreGeneration } from '#contract/endpoints/generations';
import { listImagineHistory, saveImagine } from '#contract/endpoints/imagine';
import {
  accountItem,
  historyHeading,
  listAnswer,
  openImagine,
  rememberedArt,
} from '#tests/imagine';
import {
  button,
  card,
  cardNames,
  dialog,
  inTelegram,
  kept,
  openProvider,
  person,
  region,
  told,
} from '#tests/providers';
import { startServer } from '#tests/render-app';

afterEach(() => vi.useRealTimers());

const question = 'Are you sure you want to delete this image from your history?';
const history = () => region(historyHeading);
const first = 'A heron at dusk, number 1';

test('deleting needs a confirmation, and Cancel changes nothing', async () => {
  const app = await openImagine({ rows: [rememberedArt(1), rememberedArt(2)] });

  await app.user.click((await card(first)).getByRole('button', { name: 'Delete' }));
  const asked = await dialog('Delete Image');
  expect(asked.getByText(question)).toBeVisible();
  await app.user.click(asked.getByRole('button', { name: 'Cancel' }));

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(cardNames()).toHaveLength(2);
});

test('it removes the picture from the list and from the device, and can be undone', async () => {
  const app = await openImagine({ rows: [rememberedArt(1), rememberedArt(2)] });

  await app.user.click((await card(first)).getByRole('button', { name: 'Delete' }));
  await app.user.click((await dialog('Delete Image')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(cardNames()).toEqual(['Image: A heron at dusk, number 2']));
  await app.user.click(button('Undo'));
  await waitFor(() => expect(cardNames()).toHaveLength(2));

  await app.user.click((await card(first)).getByRole('button', { name: 'Delete' }));
  await app.user.click((await dialog('Delete Image')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(cardNames()).toHaveLength(1));
  window.dispatchEvent(new Event('pagehide'));
  await waitFor(() => expect(kept('nori_generation_history')).toHaveLength(1));
});

test('a picture of the account is deleted there, too, and restored there by Undo', async () => {
  const testServer = await startServer();
  const token = await testServer.signUp(person);
  for (const words of ['A paper crane', 'A paper boat']) {
    await testServer.call(
      saveImagine,
      { prompt: words, style: 'anime', aspect_ratio: '1:1' },
      { token },
    );
  }
  const app = await openProvider('imagine-art', {
    server: testServer,
    as: { telegramId: person, token },
  });
  await card('A paper boat');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  const remove = async (words: string) => {
    await app.user.click((await card(words)).getByRole('button', { name: 'Delete' }));
    await app.user.click((await dialog('Delete Image')).getByRole('button', { name: 'Delete' }));
  };

  await remove('A paper boat');
  await waitFor(() => expect(app.server.requestsTo(deleteGeneration)).toHaveLength(1));
  await app.user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(app.server.requestsTo(restoreGeneration)).toHaveLength(1));
  await remove('A paper crane');
  await vi.advanceTimersByTimeAsync(11_000);
  await waitFor(() => expect(kept('nori_generation_history')).toHaveLength(1));
  expect(app.server.requestsTo(deleteGeneration)).toHaveLength(2);
  await app.reload();

  await screen.findByRole('heading', { name: historyHeading });
  await card('A paper boat');
  await waitFor(() => expect(history().getByRole('button', { name: 'Refresh' })).toBeEnabled());
  expect(cardNames()).toEqual(['Image: A paper boat']);
  const { body } = await testServer.call(
    listImagineHistory,
    { user_id: String(person) },
    { token },
  );
  const { history: items } = v.parse(listImagineHistory.output, body);
  expect(items).toMatchObject([{ prompt: 'A paper boat' }]);
});

test('a picture that the server lists but cannot delete stays deleted on this device', async () => {
  const app = await openImagine({
    as: person,
    prepare: (server) =>
      server.refuse(listImagineHistory, listAnswer(accountItem(1), accountItem(2))),
  });
  await app.user.click(
    (await card('Of the account, number 1')).getByRole('button', { name: 'Delete' }),
  );
  await app.user.click((await dialog('Delete Image')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(cardNames()).toEqual(['Image: Of the account, number 2']));
  window.dispatchEvent(new Event('pagehide'));

  await app.user.click(history().getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(app.server.requestsTo(listImagineHistory)).toHaveLength(2));
  await waitFor(() => expect(history().getByRole('button', { name: 'Refresh' })).toBeEnabled());

  expect(cardNames()).toEqual(['Image: Of the account, number 2']);
  expect(JSON.stringify(kept('nori_generation_history'))).not.toContain('number 1');
});

test('inside Telegram its popup asks', async () => {
  const app = await openImagine({ ...inTelegram, rows: [rememberedArt(1), rememberedArt(2)] });

  await app.user.click((await card(first)).getByRole('button', { name: 'Delete' }));

  await waitFor(() =>
    expect(told(app, 'web_app_open_popup')).toMatchObject([
      { title: 'Delete Image', message: question },
    ]),
  );
  expect(screen.queryByRole('dialog')).toBeNull();
  app.bridge?.emit('popup_closed', { button_id: 'delete' });
  await waitFor(() => expect(cardNames()).toEqual(['Image: A heron at dusk, number 2']));
});
