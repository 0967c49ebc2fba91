/** Deleting a picture from the history: the confirmation, ten seconds to undo it, and the server's answers. */
import { screen, waitFor } from '@testing-library/react';
import * as v from 'valibot';
import { afterEach, describe, expect, test, vi } from 'vitest';

import {
  deleteGeneration,
  listGenerations,
  restoreGeneration,
  saveGeneration,
} from '#contract/endpoints/generations';
import { login, loginWithTelegram, logout } from '#contract/endpoints/session';
import { readCapabilities } from '#contract/endpoints/site';
import { fillIn, generateButton, result } from '#tests/generator';
import { card, cardNames, dialog, history, historyAddress, openHistory } from '#tests/history';
import { readHistory, save } from '#tests/pictures';
import { remembered, rememberedMany } from '#tests/remembered';
import { startServer } from '#tests/render-app';
import { createMemoryStore, createTestServer, goodPassword } from '#tests/test-server';

const person = 4242;

afterEach(() => vi.useRealTimers());

type App = Pick<Awaited<ReturnType<typeof openHistory>>, 'user'>;

/** A picture by its number among the stored ones, or by its prompt. */
async function pressDelete({ user }: App, picture: number | string): Promise<void> {
  const prompt = typeof picture === 'number' ? `A heron at dusk, number ${picture}` : picture;
  await user.click((await card(prompt)).getByRole('button', { name: 'Delete' }));
}

async function deletePicture(app: App, picture: number | string): Promise<void> {
  await pressDelete(app, picture);
  await app.user.click((await dialog('Delete Image')).getByRole('button', { name: 'Delete' }));
}

test('needs a confirmation, and Cancel changes nothing', async () => {
  const app = await openHistory(rememberedMany(2));
  await pressDelete(app, 1);

  const question = await dialog('Delete Image');
  expect(question.getByText('Are you sure you want to delete this image?')).toBeVisible();

  await app.user.click(question.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(cardNames()).toHaveLength(2);
  expect(
    (await card('A heron at dusk, number 1')).getByRole('button', { name: 'Delete' }),
  ).toHaveFocus();
});

test('inside Telegram the confirmation gives haptic feedback', async () => {
  const app = await openHistory(rememberedMany(1), { launch: { telegramId: person } });
  await pressDelete(app, 1);
  await dialog('Delete Image');

  expect(app.bridge?.sent).toContainEqual({
    name: 'web_app_trigger_haptic_feedback',
    data: { type: 'notification', notification_type: 'warning' },
  });
});

test('removes the picture at once, and Undo restores it', async () => {
  const app = await openHistory(rememberedMany(3));

  await deletePicture(app, 2);

  await waitFor(() =>
    expect(cardNames()).toEqual([
      'Image: A heron at dusk, number 1',
      'Image: A heron at dusk, number 3',
    ]),
  );
  expect(screen.getByText('Image deleted.')).toBeVisible();

  await app.user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(cardNames()).toHaveLength(3);
  expect(screen.queryByText('Image deleted.')).toBeNull();
  expect(screen.getByRole('listitem', { name: 'Image: A heron at dusk, number 2' })).toHaveFocus();
});

test('Ctrl+Z restores the last of two', async () => {
  const app = await openHistory(rememberedMany(3));
  await deletePicture(app, 1);
  await deletePicture(app, 2);
  await waitFor(() => expect(cardNames()).toHaveLength(1));

  await app.user.keyboard('{Control>}z{/Control}');

  await waitFor(() =>
    expect(cardNames()).toEqual([
      'Image: A heron at dusk, number 2',
      'Image: A heron at dusk, number 3',
    ]),
  );
});

test('of the latest makes the next one the latest', async () => {
  const app = await openHistory([
    remembered(1),
    remembered(2, { status: 'error', error: 'Interrupted' }),
    remembered(3),
  ]);
  // An empty result has another place in a single column.
  const seeResult = (text: string) => waitFor(() => expect(result().getByText(text)).toBeVisible());
  await seeResult('Moonrise 1');

  await deletePicture(app, 1);
  await seeResult('Moonrise 3');
  await deletePicture(app, 3);
  await seeResult('Generated images will appear here');

  await app.user.keyboard('{Control>}z{/Control}');
  await seeResult('Moonrise 3');
});

test('of the only one leaves the empty history, with the focus on its heading', async () => {
  const app = await openHistory(rememberedMany(1));

  await deletePicture(app, 1);

  expect(await history().findByText('No generations yet. Start creating!')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'History' })).toHaveFocus();
});

test('holds after ten seconds: no Undo, and no picture after a reload', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  const app = await openHistory(rememberedMany(2));
  await deletePicture(app, 1);

  await vi.advanceTimersByTimeAsync(9000);
  expect(screen.getByRole('button', { name: 'Undo' })).toBeVisible();
  await vi.advanceTimersByTimeAsync(1500);

  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  await app.user.keyboard('{Control>}z{/Control}');
  expect(cardNames()).toEqual(['Image: A heron at dusk, number 2']);
  await app.reload();
  await screen.findByRole('heading', { name: 'History' });
  await card('A heron at dusk, number 2');
  expect(cardNames()).toEqual(['Image: A heron at dusk, number 2']);
});

async function refresh({ user }: App): Promise<void> {
  await user.click(history().getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(history().getByRole('button', { name: 'Refresh' })).toBeEnabled());
}

async function openSaved({ capabilities }: { readonly capabilities?: readonly string[] } = {}) {
  const objects = createMemoryStore();
  const testServer = await createTestServer({ objects });
  const token = await testServer.signUp(person);
  for (const prompt of ['A lighthouse', 'A tidepool']) {
    await save(testServer, token, { prompt });
    testServer.wait(60_000);
  }
  const app = await openHistory([], {
    server: testServer,
    as: { telegramId: person, token },
    onConnect: (network) => {
      if (capabilities) {
        network.refuse(readCapabilities, { status: 200, body: { capabilities } });
      }
    },
  });
  await card('A tidepool');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  // A session of its own, as the page's may end.
  const { body } = await testServer.call(login, {
    telegram_id: String(person),
    password: goodPassword,
  });
  const { access_token: reader } = v.parse(login.output, body);
  const kept = async () => (await readHistory(testServer, reader)).map(({ prompt }) => prompt);
  return { ...app, kept, objects, put: objects.put, wait: (ms: number) => testServer.wait(ms) };
}

test('reaches the server at once, and undoing it does, too', async () => {
  const app = await openSaved();
  await deletePicture(app, 'A tidepool');
  await waitFor(async () => expect(await app.kept()).toEqual(['A lighthouse']));

  await app.user.click(screen.getByRole('button', { name: 'Undo' }));

  await card('A tidepool');
  await waitFor(async () => expect(await app.kept()).toEqual(['A tidepool', 'A lighthouse']));
  await refresh(app);
  expect(cardNames()).toEqual(['Image: A tidepool', 'Image: A lighthouse']);
});

test('undone before the server has answered is undone there as well', async () => {
  const app = await openSaved();
  const answer = app.server.hang(deleteGeneration);
  await deletePicture(app, 'A tidepool');
  await waitFor(() => expect(app.server.requestsTo(deleteGeneration)).toHaveLength(1));
  await app.user.click(screen.getByRole('button', { name: 'Undo' }));

  answer();

  await waitFor(() => expect(app.server.requestsTo(restoreGeneration)).toHaveLength(1));
  await waitFor(async () => expect(await app.kept()).toEqual(['A tidepool', 'A lighthouse']));
});

test('undone while the server cannot be reached is undone there when the history is read again', async () => {
  const app = await openSaved();
  app.server.drop(restoreGeneration);
  await deletePicture(app, 'A tidepool');
  await waitFor(async () => expect(await app.kept()).toEqual(['A lighthouse']));
  await app.user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(app.server.requestsTo(restoreGeneration)).toHaveLength(1));
  await card('A tidepool');
  app.server.heal(restoreGeneration);

  await app.user.click(history().getByRole('button', { name: 'Refresh' }));

  await waitFor(async () => expect(await app.kept()).toEqual(['A tidepool', 'A lighthouse']));
  expect(cardNames()).toEqual(['Image: A tidepool', 'Image: A lighthouse']);
});

test('can be undone although the history was read while the server was deleting', async () => {
  const app = await openSaved();
  const answer = app.server.hang(deleteGeneration);
  await deletePicture(app, 'A tidepool');
  await waitFor(() => expect(app.server.requestsTo(deleteGeneration)).toHaveLength(1));
  // Without the picture: for the server it is deleted already.
  app.server.refuse(listGenerations, {
    status: 200,
    body: { generations: [{ id: 'lighthouse', prompt: 'A lighthouse', image_url: '/1.png' }] },
  });
  await refresh(app);
  await refresh(app);
  answer();
  app.server.heal(listGenerations);
  await waitFor(async () => expect(await app.kept()).toEqual(['A lighthouse']));

  await app.user.click(screen.getByRole('button', { name: 'Undo' }));

  await card('A tidepool');
  await waitFor(async () => expect(await app.kept()).toEqual(['A tidepool', 'A lighthouse']));
});

test('whose answer is lost is back on the server, too, when the history is read again', async () => {
  const app = await openSaved();
  app.server.lose(deleteGeneration);
  await deletePicture(app, 'A tidepool');
  await screen.findByText('The picture could not be deleted. It is back in your history.');
  await waitFor(async () => expect(await app.kept()).toEqual(['A lighthouse']));
  app.server.heal(deleteGeneration);

  await refresh(app);

  await waitFor(async () => expect(await app.kept()).toEqual(['A tidepool', 'A lighthouse']));
  expect(cardNames()).toEqual(['Image: A tidepool', 'Image: A lighthouse']);
});

test('undone without the server, and read again when it has removed the picture, says so', async () => {
  const app = await openSaved();
  app.server.drop(restoreGeneration);
  await deletePicture(app, 'A tidepool');
  await waitFor(async () => expect(await app.kept()).toEqual(['A lighthouse']));
  await app.user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(app.server.requestsTo(restoreGeneration)).toHaveLength(1));
  app.server.heal(restoreGeneration);
  app.wait(11 * 60_000);

  await refresh(app);

  expect(
    await screen.findByText(
      'Your account no longer has this picture, so it could not be restored there.',
    ),
  ).toBeVisible();
});

test('undone without the server is undone there by a logout that follows', async () => {
  const app = await openSaved();
  app.server.drop(restoreGeneration);
  await deletePicture(app, 'A tidepool');
  await waitFor(async () => expect(await app.kept()).toEqual(['A lighthouse']));
  await app.user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(app.server.requestsTo(restoreGeneration)).toHaveLength(1));
  app.server.heal(restoreGeneration);

  await app.user.click(screen.getByRole('button', { name: 'Logout' }));
  await app.user.click((await dialog('Confirm Logout')).getByRole('button', { name: 'Logout' }));

  await waitFor(async () => expect(await app.kept()).toEqual(['A tidepool', 'A lighthouse']));
});

describe('holds after a logout that follows at once', () => {
  async function deleteAndLogOut(app: Awaited<ReturnType<typeof openSaved>>): Promise<void> {
    await deletePicture(app, 'A tidepool');
    await app.user.click(screen.getByRole('button', { name: 'Logout' }));
    await app.user.click((await dialog('Confirm Logout')).getByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(localStorage.getItem('accessToken')).toBeNull());
  }

  test('on a server that restores pictures', async () => {
    const app = await openSaved();

    await deleteAndLogOut(app);

    await waitFor(() => expect(app.server.requestsTo(logout)).toHaveLength(1));
    expect(await app.kept()).toEqual(['A lighthouse']);
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  test('on a server that does not, which is told before it ends the session', async () => {
    const app = await openSaved({ capabilities: [] });
    const answer = app.server.hang(deleteGeneration);

    await deleteAndLogOut(app);
    await waitFor(() => expect(app.server.requestsTo(deleteGeneration)).toHaveLength(1));
    expect(app.server.requestsTo(logout)).toEqual([]);
    answer();

    await waitFor(() => expect(app.server.requestsTo(logout)).toHaveLength(1));
    expect(await app.kept()).toEqual(['A lighthouse']);
    expect(localStorage.getItem('nori_generation_history')).toBeNull();
  });

  test('also when the server does not answer: the session ends on it after three seconds', async () => {
    const app = await openSaved({ capabilities: [] });
    app.server.hang(deleteGeneration);

    await deleteAndLogOut(app);
    await vi.advanceTimersByTimeAsync(3500);

    await waitFor(() => expect(app.server.requestsTo(logout)).toHaveLength(1));
  });
});

test('on a server that cannot restore reaches it when the time to undo is over', async () => {
  const app = await openSaved({ capabilities: [] });
  await deletePicture(app, 'A tidepool');
  await app.user.click(await screen.findByRole('button', { name: 'Undo' }));
  await deletePicture(app, 'A lighthouse');
  expect(await app.kept()).toEqual(['A tidepool', 'A lighthouse']);

  await vi.advanceTimersByTimeAsync(11_000);

  await waitFor(async () => expect(await app.kept()).toEqual(['A tidepool']));
  // Not even briefly, although the answer from before the deletion lists it.
  expect(cardNames()).toEqual(['Image: A tidepool']);
  await app.user.click(history().getByRole('button', { name: 'Refresh' }));
  await card('A tidepool');
  expect(cardNames()).toEqual(['Image: A tidepool']);
});

test('of a picture that is being uploaded deletes it from the account when it arrives', async () => {
  const app = await openSaved();
  // The server has no room when the picture is made, and has room again when it is uploaded.
  const store = vi
    .spyOn(app.objects, 'put')
    .mockImplementation(async (name, bytes) =>
      name.endsWith('-original') ? Promise.reject(new Error('full')) : app.put(name, bytes),
    );
  const arrive = app.server.hang(saveGeneration);
  await fillIn(app, 'A slow upload');
  await app.user.click(generateButton());
  await card('A slow upload');
  await waitFor(() => expect(app.server.requestsTo(saveGeneration)).toHaveLength(1));
  store.mockRestore();
  await deletePicture(app, 'A slow upload');
  await waitFor(() => expect(cardNames()).toHaveLength(2));
  await vi.advanceTimersByTimeAsync(11_000);

  arrive();

  await waitFor(() => expect(app.server.requestsTo(deleteGeneration)).toHaveLength(1));
  await waitFor(async () => expect(await app.kept()).toEqual(['A tidepool', 'A lighthouse']));
  await refresh(app);
  expect(cardNames()).toEqual(['Image: A tidepool', 'Image: A lighthouse']);
});

test('is sent at once when the page is closed', async () => {
  const app = await openSaved();
  await deletePicture(app, 'A tidepool');

  window.dispatchEvent(new Event('pagehide'));

  await waitFor(async () => expect(await app.kept()).toEqual(['A lighthouse']));
});

test('begun by a page that was closed is finished by the next one when the time to undo is over', async () => {
  const testServer = await startServer();
  const token = await testServer.signUp(person);
  await save(testServer, token, { prompt: 'A lighthouse' });
  const [saved] = await readHistory(testServer, token);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  // Another page may still offer Undo, however long this one takes to open.
  const deletedAt = Date.now() + 60_000;

  await openHistory([remembered(1, { remoteId: saved?.id, owner: String(person), deletedAt })], {
    server: testServer,
    as: { telegramId: person, token },
  });

  expect(await history().findByText('No generations yet. Start creating!')).toBeVisible();
  expect(await readHistory(testServer, token)).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(71_000);
  await waitFor(async () => expect(await readHistory(testServer, token)).toEqual([]));
});

test('that another page began and undid, begun again here, can be undone for the full time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  const deletedAt = Date.now() + 60_000;
  const app = await openHistory([remembered(1, { deletedAt })]);
  await history().findByText('No generations yet. Start creating!');
  // The other page's time runs out ten seconds after that.
  await vi.advanceTimersByTimeAsync(67_000);
  const key = 'nori_generation_history';
  localStorage.setItem(key, JSON.stringify([remembered(1)]));
  window.dispatchEvent(new StorageEvent('storage', { key, storageArea: localStorage }));
  await deletePicture(app, 1);

  await vi.advanceTimersByTimeAsync(4000);
  await app.user.click(screen.getByRole('button', { name: 'Undo' }));

  await card('A heron at dusk, number 1');
  expect(cardNames()).toHaveLength(1);
});

test('begun by a page that was closed waits until the user is logged in', async () => {
  const testServer = await startServer();
  const token = await testServer.signUp(person);
  await save(testServer, token, { prompt: 'A lighthouse' });
  const [saved] = await readHistory(testServer, token);
  const mark = { remoteId: saved?.id, owner: String(person), deletedAt: Date.now() - 60_000 };

  let answer = (): void => undefined;
  await openHistory([remembered(1, mark)], {
    server: testServer,
    launch: { telegramId: person },
    onConnect: (network) => {
      answer = network.hang(loginWithTelegram);
    },
  });
  expect(await readHistory(testServer, token)).toHaveLength(1);
  answer();

  await waitFor(async () => expect(await readHistory(testServer, token)).toEqual([]));
});

test('that the server refuses restores the picture, and says so', async () => {
  const app = await openSaved();
  app.server.refuse(deleteGeneration, { status: 500, body: { detail: 'Broken' } });
  await deletePicture(app, 'A tidepool');

  expect(
    await screen.findByText('The picture could not be deleted. It is back in your history.'),
  ).toBeVisible();
  await card('A tidepool');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(await app.kept()).toHaveLength(2);
});

test('that cannot reach the server restores it, too, and one that the server does not have is deleted', async () => {
  const app = await openSaved();
  app.server.drop(deleteGeneration);
  await deletePicture(app, 'A tidepool');
  await screen.findByText('The picture could not be deleted. It is back in your history.');
  await card('A tidepool');

  app.server.refuse(deleteGeneration, { status: 404, body: { detail: 'Not found' } });
  await deletePicture(app, 'A tidepool');
  await vi.advanceTimersByTimeAsync(11_000);

  await waitFor(() => expect(app.server.requestsTo(deleteGeneration)).toHaveLength(3));
  expect(cardNames()).toEqual(['Image: A lighthouse']);
});

test('can be undone on another screen, and after returning from it', async () => {
  const app = await openHistory(rememberedMany(3));
  await deletePicture(app, 1);
  app.goTo('/privacy-policy');
  await screen.findByRole('heading', { level: 1, name: 'Privacy Policy' });
  await app.user.click(screen.getByRole('button', { name: 'Undo' }));

  app.goTo(historyAddress);
  await screen.findByRole('heading', { name: 'History' });
  await card('A heron at dusk, number 1');
  expect(cardNames()).toHaveLength(3);

  await deletePicture(app, 2);
  app.goTo('/privacy-policy');
  await screen.findByRole('heading', { level: 1, name: 'Privacy Policy' });
  app.goTo(historyAddress);
  await screen.findByRole('heading', { name: 'History' });
  await card('A heron at dusk, number 1');
  await app.user.click(screen.getByRole('button', { name: 'Undo' }));
  await card('A heron at dusk, number 2');
});
