/** The app when a session ends, is renewed, or cannot be stored. */
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { listChats } from '#contract/endpoints/chats';
import { loginWithTelegram, readMe } from '#contract/endpoints/session';
import { renderApp, startServer } from '#tests/render-app';

const person = 777_001;
const loggedOut = "You've been logged out. Please login again.";
const openAgain = 'Telegram could not confirm who you are. Please close the app and open it again.';

/** The modules of the current page, not those of an earlier one. */
const page = async () => ({
  ...(await import('#lib/api')),
  ...(await import('#lib/session')),
});

describe('a token that the server refuses', () => {
  test('in six calls at once ends the session once, with one notice', async () => {
    await renderApp('/', { as: person });
    const { call, getSession, onSessionChange } = await page();
    await screen.findByRole('button', { name: 'Logout' });
    localStorage.setItem('accessToken', 'dead');
    window.dispatchEvent(new StorageEvent('storage', { key: 'accessToken' }));
    let ends = 0;
    onSessionChange((now) => {
      ends += now.status === 'guest' ? 1 : 0;
    });

    await Promise.allSettled(Array.from({ length: 6 }, () => call(listChats, {})));

    expect(ends).toBe(1);
    expect(getSession().status).toBe('guest');
    expect(await screen.findAllByText(loggedOut)).toHaveLength(1);
  });

  test('that belongs to an earlier login does not end the current session', async () => {
    const server = await startServer();
    const present = await server.signUp(person);
    const { server: network } = await renderApp('/', {
      as: { telegramId: person, token: present },
      server,
    });
    const { call, startSession, getSession } = await page();
    await screen.findByRole('button', { name: 'Logout' });
    network.requests.length = 0;
    const answer = network.hang(listChats);
    localStorage.setItem('accessToken', 'dead');
    window.dispatchEvent(new StorageEvent('storage', { key: 'accessToken' }));

    const late = call(listChats, {});
    await waitFor(() => expect(network.requestsTo(listChats)).toHaveLength(1));
    startSession({ token: present, telegramId: String(person) });
    answer();

    expect(await late).toEqual({ chats: [], unverified: [] });
    expect(getSession()).toMatchObject({ status: 'member', token: present });
    expect(screen.queryByText(loggedOut)).toBeNull();
  });

  test('is renewed inside Telegram by one exchange for all waiting calls', async () => {
    const server = await startServer();
    const token = await server.signUp(person);
    const { server: network } = await renderApp('/', {
      as: { telegramId: person, token },
      launch: { telegramId: person },
      server,
    });
    const { call, getSession } = await page();
    await waitFor(() => expect(getSession().status).toBe('member'));
    localStorage.setItem('accessToken', 'dead');
    window.dispatchEvent(new StorageEvent('storage', { key: 'accessToken' }));
    network.requests.length = 0;

    const answers = await Promise.all(Array.from({ length: 4 }, () => call(listChats, {})));

    expect(answers).toHaveLength(4);
    expect(network.requestsTo(loginWithTelegram)).toHaveLength(1);
    expect(screen.queryByText(loggedOut)).toBeNull();
  });
});

test('a launch logs in once: when that session is ended, the user is told to open the app again', async () => {
  const server = await startServer();
  await server.signUp(person);
  const app = await renderApp('/', { launch: { telegramId: person }, server });
  const { call, getSession } = await page();
  await waitFor(() => expect(getSession().status).toBe('member'));
  await server.db.deleteFrom('sessions').execute();
  app.server.requests.length = 0;

  await Promise.allSettled(Array.from({ length: 4 }, () => call(listChats, {})));

  expect(await screen.findByText(openAgain)).toBeVisible();
  expect(screen.getByText(loggedOut)).toBeVisible();
  expect(getSession().status).toBe('guest');
  expect(app.server.requestsTo(loginWithTelegram)).toHaveLength(1);

  // As when Telegram's web client loads its frame again: one try, and the login form.
  await app.reload();
  const again = await page();
  await waitFor(() => expect(again.getSession().status).toBe('guest'));
  expect(app.server.requestsTo(loginWithTelegram)).toHaveLength(2);
  expect(await screen.findByText(openAgain)).toBeVisible();
});

test('after a reload inside Telegram the stored session goes on, without another exchange', async () => {
  const server = await startServer();
  await server.signUp(person);
  const app = await renderApp('/', { launch: { telegramId: person }, server });
  await waitFor(async () => expect((await page()).getSession().status).toBe('member'));
  app.server.requests.length = 0;

  await app.reload();

  expect((await page()).getSession().status).toBe('member');
  expect(app.server.requestsTo(loginWithTelegram)).toHaveLength(0);
});

test('the user is requested once when the page opens, and never without a token', async () => {
  const { server } = await renderApp('/', { as: person });
  await waitFor(() => expect(server.requestsTo(readMe)).toHaveLength(1));

  localStorage.clear();
  const visitor = await renderApp('/');
  await screen.findAllByRole('link', { name: 'Login' });
  expect(visitor.server.requestsTo(readMe)).toHaveLength(0);
});

test('without storage the user is told so, and stays logged in until the page is closed', async () => {
  const server = await startServer();
  const token = await server.signUp(person);
  await renderApp('/', { server });
  vi.stubGlobal('localStorage', undefined);
  const { startSession } = await page();

  startSession({ token, telegramId: String(person) });

  expect(await screen.findByText(/you will not stay signed in/)).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Logout' })).toBeVisible();
});

test('a question of the platform is shown in the page, and answered by its buttons', async () => {
  const { user } = await renderApp('/');
  const { getPlatform } = await import('#lib/platform');
  const askToDelete = () =>
    getPlatform().popup({
      title: 'Delete Image',
      message: 'Are you sure you want to delete this image?',
      buttons: [
        { id: 'cancel', text: 'Cancel', kind: 'cancel' },
        { id: 'delete', text: 'Delete', kind: 'destructive' },
      ],
    });

  const pressed = askToDelete();
  expect(await screen.findByRole('dialog', { name: 'Delete Image' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  expect(await pressed).toBe('delete');

  const dismissed = askToDelete();
  await screen.findByRole('dialog', { name: 'Delete Image' });
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await dismissed).toBe('cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
