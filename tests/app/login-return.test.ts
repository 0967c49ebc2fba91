/** Where a login leads on a device that several people use. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { readChat } from '#contract/endpoints/chats';
import {
  button,
  fillInLogin,
  fillInSignup,
  logInButton,
  main,
  newcomer,
  type OpenApp,
  person,
  typeCode,
} from '#tests/account';
import { giveChats } from '#tests/chats';
import { renderApp, startServer } from '#tests/render-app';

const other = 987_654_321;
const cats = -1001234567890;
const address = `/dashboard?chat=${cats}`;
const here = () => window.location.pathname + window.location.search;

/** The settings of a chat that `person` manages. `other` has an account, too. */
async function openChat(): Promise<OpenApp> {
  const testServer = await startServer();
  const token = await testServer.signUp(person);
  await testServer.signUp(other);
  await giveChats(testServer, person, [{ id: cats, name: 'Cat lovers' }]);
  const app = await renderApp(address, {
    server: testServer,
    as: { telegramId: person, token },
  });
  await screen.findByRole('heading', { name: 'Cat lovers' });
  return app;
}

async function logOut({ user }: OpenApp): Promise<void> {
  await user.click(
    within(screen.getByRole('navigation', { name: 'Main' })).getByRole('button', {
      name: 'Logout',
    }),
  );
  const dialog = await screen.findByRole('dialog', { name: 'Confirm Logout' });
  await user.click(within(dialog).getByRole('button', { name: 'Logout' }));
  await screen.findByRole('heading', { name: 'Log in' });
}

/** The server has ended the session, and the page finds out. */
async function loseSession({ testServer }: OpenApp): Promise<void> {
  await testServer.db.deleteFrom('sessions').execute();
  window.dispatchEvent(new Event('focus'));
  await screen.findByRole('heading', { name: 'Log in' });
}

async function logIn(app: OpenApp, telegramId: number): Promise<void> {
  await fillInLogin(app, { id: String(telegramId) });
  await app.user.click(logInButton());
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
}

async function signUp(app: OpenApp): Promise<void> {
  await app.user.click(main().getByRole('link', { name: 'Sign up' }));
  await screen.findByRole('heading', { name: 'Create Account' });
  await fillInSignup(app);
  await app.user.click(button('Continue'));
  await screen.findByRole('heading', { name: 'Verify OTP' });
  await typeCode(app);
  await app.user.click(button('Verify OTP'));
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
}

const ends = [
  ['logged out', logOut],
  ['was logged out by the server', loseSession],
] as const;

describe.each(ends)('after a user %s in a chat', (_how, end) => {
  test('another user who logs in sees nothing of it', async () => {
    const app = await openChat();
    await end(app);

    await logIn(app, other);

    expect(await screen.findByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();
    expect(here()).not.toContain(String(cats));
    expect(localStorage.getItem('telegram_id')).toBe(String(other));
  });

  test('a user who signs up sees nothing of it, also after a reload', async () => {
    const app = await openChat();
    await end(app);
    await app.reload();
    await screen.findByRole('heading', { name: 'Log in' });

    await signUp(app);

    expect(here()).not.toContain(String(cats));
    expect(localStorage.getItem('telegram_id')).toBe(String(newcomer));
  });

  test('another user who logs in after going back sees nothing of it', async () => {
    const app = await openChat();
    await end(app);
    await app.reload();
    app.goTo(address);
    await screen.findByRole('heading', { name: 'Log in' });

    await logIn(app, other);

    expect(here()).not.toContain(String(cats));
  });
});

test('a user who has logged out begins at the dashboard when they log in again', async () => {
  const app = await openChat();
  await logOut(app);

  await logIn(app, person);

  expect(await screen.findByRole('searchbox', { name: /Search chats/ })).toBeVisible();
  expect(here()).toBe('/dashboard');
});

test('a user whose session has ended by itself returns to the chat', async () => {
  const app = await openChat();
  await loseSession(app);

  await logIn(app, person);

  expect(await screen.findByRole('heading', { name: 'Cat lovers' })).toBeVisible();
  expect(here()).toBe(address);
});

test('a tab that is loaded again after a logout in another one leads the next user to the dashboard', async () => {
  const app = await openChat();
  // The browser had put the tab to sleep, so that it heard nothing of the logout.
  localStorage.clear();
  await app.reload();
  await screen.findByRole('heading', { name: 'Log in' });

  await logIn(app, other);

  expect(await screen.findByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();
  expect(here()).not.toContain(String(cats));
});

test('after logging out, Back shows nothing of the chat, and no call is made for it', async () => {
  const app = await openChat();
  await logOut(app);
  const before = app.server.requestsTo(readChat).length;

  const isBack = new Promise((resolve) => {
    window.addEventListener('popstate', resolve, { once: true });
  });
  window.history.back();
  await isBack;

  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toBeVisible());
  expect(document.body).not.toHaveTextContent('Cat lovers');
  expect(app.server.requestsTo(readChat)).toHaveLength(before);
  expect(localStorage.getItem('accessToken')).toBeNull();
});
