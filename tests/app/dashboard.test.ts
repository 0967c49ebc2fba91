/** The dashboard's four steps, their addresses, and the navigation between them. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { logout } from '#contract/endpoints/session';
import { button, cats, openDashboard, person } from '#tests/open-dashboard';

const managed = { chats: [{ id: cats, name: 'Cat lovers' }] };

const heading = (name: string) => screen.findByRole('heading', { level: 2, name });
const address = () => window.location.pathname + window.location.search;

async function enterCode({ user }: Awaited<ReturnType<typeof openDashboard>>, code: string) {
  await user.click(await screen.findByLabelText('Digit 1 of 6'));
  await user.paste(code);
  await user.click(await button('Continue'));
}

test('has the product’s name in its title', async () => {
  await openDashboard('/dashboard', managed);

  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(/^Nori Dashboard$/);
  expect(await heading('Manage Your Chats')).toBeVisible();
});

test('asks for confirmation before logging out', async () => {
  const { user, server } = await openDashboard('/dashboard', managed);
  await heading('Manage Your Chats');
  const inMain = within(screen.getByRole('main'));

  await user.click(inMain.getByRole('button', { name: 'Logout' }));
  const dialog = await screen.findByRole('dialog', { name: 'Confirm Logout' });
  expect(dialog).toHaveTextContent('Are you sure you want to logout?');
  await user.click(within(dialog).getByRole('button', { name: 'Logout' }));

  await waitFor(() => expect(address()).toBe('/login'));
  expect(localStorage.getItem('accessToken')).toBeNull();
  expect(server.requestsTo(logout)).toHaveLength(1);
});

describe('without chats', () => {
  test('starts at adding a chat, and the empty list can still be opened', async () => {
    const { user } = await openDashboard('/dashboard');

    expect(await heading('Add Chat to Manage')).toBeVisible();
    expect(address()).toBe('/dashboard?step=add');

    await user.click(await button('Back to List'));
    expect(await screen.findByText('No chats available')).toBeVisible();
    expect(address()).toBe('/dashboard');
  });

  test('the list stays when it is opened by a link within the dashboard', async () => {
    const { user } = await openDashboard('/dashboard?step=add');
    await heading('Add Chat to Manage');

    await user.click(await button('Back to List'));

    expect(await screen.findByText('No chats available')).toBeVisible();
  });
});

test('a new owner adds a chat, verifies it and blocks photos, which is stored', async () => {
  const app = await openDashboard('/dashboard');
  const { user, testServer } = app;

  await user.type(await screen.findByLabelText('Telegram Chat ID'), String(cats));
  await user.click(await button('Continue'));
  await heading('Verify Chat Ownership');
  testServer.wait(1000);
  await enterCode(app, testServer.readCode(person));

  expect(await heading(`Chat ${cats}`)).toBeVisible();
  expect(address()).toBe(`/dashboard?chat=${cats}`);
  await user.click(await screen.findByRole('switch', { name: 'photo, General' }));
  await waitFor(async () => {
    const rows = await testServer.db.selectFrom('topic_settings').selectAll().execute();
    expect(rows).toMatchObject([{ name: 'photo_blocked', is_blocked: 1 }]);
  });

  await app.reload();
  expect(await screen.findByRole('switch', { name: 'photo, General' })).toBeChecked();
});

describe('the address', () => {
  test('after a chat was added, Back leads to the list and not to a completed step', async () => {
    const app = await openDashboard('/dashboard', managed);
    const { user, testServer } = app;

    await user.click(await button('Add New Chat'));
    await user.type(await screen.findByLabelText('Telegram Chat ID'), '-1005550001');
    await user.click(await button('Continue'));
    await heading('Verify Chat Ownership');
    testServer.wait(1000);
    await enterCode(app, testServer.readCode(person));
    await heading('Chat -1005550001');
    window.history.back();

    expect(await heading('Manage Your Chats')).toBeVisible();
  });

  test('keeps the step after opening a chat, Back, Forward and a reload', async () => {
    const app = await openDashboard('/dashboard', managed);

    await app.user.click(await screen.findByRole('link', { name: /Cat lovers/ }));
    expect(await heading('Cat lovers')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Cat lovers' })).toHaveFocus());
    window.history.back();
    expect(await heading('Manage Your Chats')).toBeVisible();
    window.history.forward();
    expect(await heading('Cat lovers')).toBeVisible();

    await app.reload();
    expect(await heading('Cat lovers')).toBeVisible();
    expect(address()).toBe(`/dashboard?chat=${cats}`);
  });

  test.each(['/dashboard?chat=abc', '/dashboard?verify=', '/dashboard?step=x'])(
    'that is invalid shows the list: %s',
    async (path) => {
      await openDashboard(path, managed);

      expect(await heading('Manage Your Chats')).toBeVisible();
    },
  );

  test('of a chat that is not managed leads to its verification, and then to the chat', async () => {
    const app = await openDashboard(`/dashboard?chat=${cats}`);

    expect(await heading('Verify Chat Ownership')).toBeVisible();
    expect(address()).toBe(`/dashboard?verify=${cats}`);
    expect(app.testServer.inbox.filter(({ code }) => code)).toHaveLength(1); // The one of signing up.
    expect(screen.queryByLabelText('Digit 1 of 6')).toBeNull();

    app.testServer.wait(61_000);
    await app.user.click(await button('Send code'));
    await enterCode(app, await waitFor(() => newCode(app)));

    expect(await heading(`Chat ${cats}`)).toBeVisible();
    expect(address()).toBe(`/dashboard?chat=${cats}`);
  });

  test('of a verification remembers after a reload that the code was sent', async () => {
    const app = await openDashboard('/dashboard?step=add');
    await app.user.type(await screen.findByLabelText('Telegram Chat ID'), String(cats));
    await app.user.click(await button('Continue'));
    await screen.findByLabelText('Digit 1 of 6');

    await app.reload();

    expect(await screen.findByLabelText('Digit 1 of 6')).toBeVisible();
  });

  test('of a verification accepts a code that the user already has', async () => {
    const app = await openDashboard(`/dashboard?verify=${cats}`);

    await app.user.click(await button('I already have a code'));

    expect(await screen.findByLabelText('Digit 1 of 6')).toHaveFocus();
  });
});

/** The code for the chat, once it has arrived. */
function newCode({ testServer }: Awaited<ReturnType<typeof openDashboard>>): string {
  expect(testServer.inbox.filter(({ code }) => code)).toHaveLength(2);
  return testServer.readCode(person);
}
