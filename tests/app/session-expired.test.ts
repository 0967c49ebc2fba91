/** A session that ends by itself: what the device keeps of its user, and who may see it. */
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { listGenerations, saveGeneration } from '#contract/endpoints/generations';
import { listImagineHistory } from '#contract/endpoints/imagine';
import { readMe } from '#contract/endpoints/session';
import { fillInLogin, logInButton } from '#tests/account';
import { fillIn, finished, generateButton } from '#tests/generator';
import { card, cardNames, history, historyAddress, openHistory } from '#tests/history';
import { readHistory, save } from '#tests/pictures';
import { remembered } from '#tests/remembered';
import { renderApp, startServer } from '#tests/render-app';

const [ann, bob] = [4242, 5353];
const loggedOut = "You've been logged out. Please login again.";
const day = 24 * 60 * 60_000;

type App = Awaited<ReturnType<typeof renderApp>>;

const promptField = () => screen.getByRole('textbox', { name: 'Prompt' });

async function startMember() {
  const testServer = await startServer();
  const token = await testServer.signUp(ann);
  return { testServer, token, options: { server: testServer, as: { telegramId: ann, token } } };
}

/** Everything that the device's storage has. */
const deviceText = () =>
  Array.from({ length: localStorage.length }, (_value, index) =>
    localStorage.getItem(localStorage.key(index) ?? ''),
  ).join('\n');

/** Ann's generator 8 days after she used it last, with a typed prompt and two pictures. */
async function openAfterEightDays() {
  const { testServer, token } = await startMember();
  await save(testServer, token, { prompt: 'Saved in the account' });
  const [saved] = await readHistory(testServer, token);
  testServer.wait(8 * day);
  localStorage.setItem('nori_form_state', JSON.stringify({ prompt: 'A half-typed', modelId: '1' }));
  const app = await openHistory(
    [
      remembered(1, { owner: String(ann), prompt: 'Saved in the account', remoteId: saved?.id }),
      remembered(2, { owner: String(ann), prompt: 'Only here', imageUrl: '/icon-512.png' }),
    ],
    { server: testServer, as: { telegramId: ann, token } },
  );
  await screen.findByText(loggedOut);
  return { ...app, testServer };
}

async function logIn(app: App, telegramId: number): Promise<void> {
  app.goTo('/login');
  await screen.findByRole('heading', { name: 'Log in' });
  await fillInLogin(app, { id: String(telegramId) });
  await app.user.click(logInButton());
  // Where the dashboard leads a user without chats: a redirect that is still under way would lead back to it.
  await waitFor(() => expect(window.location.search).toBe('?step=add'));
  expect(localStorage.getItem('telegram_id')).toBe(String(telegramId));
}

async function returnToHistory({ goTo }: App): Promise<void> {
  goTo(historyAddress);
  await screen.findByRole('heading', { name: 'History' });
}

describe('after 8 days without use', () => {
  test('the pictures and the typed prompt are still there, also after a reload', async () => {
    const deleteDatabase = vi.fn<IDBFactory['deleteDatabase']>();
    vi.stubGlobal('indexedDB', { deleteDatabase });
    const app = await openAfterEightDays();

    expect(localStorage.getItem('accessToken')).toBeNull();
    await card('Only here');
    expect(cardNames()).toEqual(['Image: Saved in the account', 'Image: Only here']);
    expect(promptField()).toHaveValue('A half-typed');
    await app.reload();

    await screen.findByRole('heading', { name: 'History' });
    await card('Only here');
    expect(cardNames()).toEqual(['Image: Saved in the account', 'Image: Only here']);
    expect(promptField()).toHaveValue('A half-typed');
    // The files of the pictures.
    expect(deleteDatabase).not.toHaveBeenCalled();
  });

  test('the history says that it is the device’s, and leads to the login', async () => {
    const { user } = await openAfterEightDays();

    const hint = await history().findByText(/This is what this device has kept\./);
    expect(hint).toHaveTextContent('Log in to sync it with your account.');
    await user.click(history().getByRole('link', { name: 'Log in' }));

    await waitFor(() => expect(window.location.pathname).toBe('/login'));
  });

  test('logging in again syncs: nothing is there twice, and nothing is missing', async () => {
    const app = await openAfterEightDays();
    await logIn(app, ann);
    await returnToHistory(app);

    await card('Only here');
    await waitFor(() => expect(app.server.requestsTo(listGenerations).length).toBeGreaterThan(0));
    await waitFor(() => expect(history().getByRole('button', { name: 'Refresh' })).toBeEnabled());
    expect(cardNames()).toEqual(['Image: Saved in the account', 'Image: Only here']);
    expect(promptField()).toHaveValue('A half-typed');
    expect(history().queryByText(/This is what this device has kept/)).toBeNull();
  });

  test('a picture that is made before logging in again reaches the account, once', async () => {
    const app = await openAfterEightDays();
    await fillIn(app, 'Made meanwhile');
    await app.user.click(generateButton());
    await finished('Made meanwhile');
    await logIn(app, ann);
    await returnToHistory(app);

    await card('Made meanwhile');
    await waitFor(() => expect(app.server.requestsTo(saveGeneration)).toHaveLength(1));
    await app.user.click(history().getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(history().getByRole('button', { name: 'Refresh' })).toBeEnabled());

    expect(app.server.requestsTo(saveGeneration)).toHaveLength(1);
    expect(cardNames()).toEqual([
      'Image: Made meanwhile',
      'Image: Saved in the account',
      'Image: Only here',
    ]);
  });

  test('another user who logs in sees nothing of it, and the device forgets it', async () => {
    const app = await openAfterEightDays();
    await app.testServer.signUp(bob);
    await logIn(app, bob);
    await returnToHistory(app);

    expect(await history().findByText('No generations yet. Start creating!')).toBeVisible();
    expect(promptField()).toHaveValue('');
    expect(deviceText()).not.toMatch(/Only here|Saved in the account|A half-typed/);
  });

  test('another user of Telegram who opens the app sees nothing of it, also without an account', async () => {
    const { testServer, options } = await startMember();
    testServer.wait(8 * day);
    localStorage.setItem('nori_form_state', JSON.stringify({ prompt: 'Typed by Ann' }));
    const records = [remembered(1, { owner: String(ann), prompt: 'Of Ann' })];
    const app = await openHistory(records, {
      ...options,
      launch: { telegramId: bob, firstName: 'Bob' },
    });
    const asked = () => app.bridge?.sent.filter(({ name }) => name === 'web_app_open_popup');
    await waitFor(() => expect(asked()).toHaveLength(1));
    expect(screen.queryByText('Of Ann')).toBeNull();

    app.bridge?.emit('popup_closed', { button_id: 'goOn' });

    await waitFor(() => expect(deviceText()).not.toContain('Of Ann'));
    expect(deviceText()).not.toContain('Typed by Ann');
    await waitFor(() => expect(promptField()).toHaveValue(''));
    expect(screen.queryByText('Of Ann')).toBeNull();
  });
});

test('a session of an unknown user leaves nothing on the device when it ends', async () => {
  localStorage.setItem('accessToken', 'of-an-older-client');
  localStorage.setItem('nori_form_state', JSON.stringify({ prompt: 'Of an unknown user' }));
  await renderApp('/');

  await screen.findByText(loggedOut);

  expect(deviceText()).not.toContain('Of an unknown user');
});

test('a token that belongs to another user than the device thinks shows nothing of the first', async () => {
  const { testServer } = await startMember();
  const token = await testServer.signUp(bob);
  await openHistory([remembered(1, { owner: String(ann), prompt: 'Of Ann' })], {
    server: testServer,
    as: { telegramId: ann, token },
  });

  await waitFor(() => expect(localStorage.getItem('telegram_id')).toBe(String(bob)));
  expect(await history().findByText('No generations yet. Start creating!')).toBeVisible();
  expect(localStorage.getItem('accessToken')).toBe(token);
  expect(deviceText()).not.toContain('Of Ann');
});

for (const status of [401, 403]) {
  test(`the detail Not authenticated with a ${status} ends the session with a notice`, async () => {
    const { options } = await startMember();
    await openHistory([remembered(1, { owner: String(ann) })], {
      ...options,
      prepare: (server) =>
        server.refuse(listGenerations, { status, body: { detail: 'Not authenticated' } }),
    });

    expect(await screen.findAllByText(loggedOut)).toHaveLength(1);
    expect(localStorage.getItem('accessToken')).toBeNull();
    await card('A heron at dusk, number 1');
  });
}

test('inside Telegram the detail Not authenticated renews the session, and the history is read', async () => {
  const { options } = await startMember();
  const app = await openHistory([], {
    ...options,
    launch: { telegramId: ann },
    prepare: (server) =>
      server.refuse(listGenerations, { status: 403, body: { detail: 'Not authenticated' } }),
  });
  await waitFor(() => expect(app.server.requestsTo(listGenerations).length).toBeGreaterThan(1));

  expect(localStorage.getItem('accessToken')).not.toBeNull();
  expect(screen.queryByText(loggedOut)).toBeNull();
});

describe('an error that is not about the session ends none', () => {
  test.each([
    [403, 'account_frozen'],
    [419, 'page_expired'],
    [440, 'login_timeout'],
    [498, 'token_thing'],
    [500, 'unauthenticated'],
    [511, 'network_login'],
  ])('%i with the code %s', async (status, code) => {
    const { options } = await startMember();
    const app = await openHistory([remembered(1, { owner: String(ann) })], {
      ...options,
      prepare: (server) => {
        for (const endpoint of [listGenerations, listImagineHistory, readMe]) {
          server.refuse(endpoint, { status, body: { detail: 'Something else', code } });
        }
      },
    });
    await waitFor(() => expect(app.server.requestsTo(listGenerations).length).toBeGreaterThan(0));

    await card('A heron at dusk, number 1');
    expect(localStorage.getItem('accessToken')).not.toBeNull();
    expect(screen.queryByText(loggedOut)).toBeNull();
    expect(window.location.pathname).toBe('/models');
  });
});
