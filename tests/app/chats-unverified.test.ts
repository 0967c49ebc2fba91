/** Groups of the bot that are not verified yet: the list offers to verify them. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { listChats } from '#contract/endpoints/chats';
import { cats, openDashboard } from '#tests/open-dashboard';

const birds = -1005550001;
const managed = { chats: [{ id: cats, name: 'Cat lovers' }] };
const waiting = { chat_id: birds, chat_name: 'Bird watchers' };
const listed = { chat_id: cats, chat_name: 'Cat lovers' };

/** The list for a user who has added the bot to a group. */
function listUnverified(
  { server }: Awaited<ReturnType<typeof openDashboard>>,
  { chats = [listed] as readonly unknown[], unverified = [waiting] as readonly unknown[] } = {},
): void {
  server.refuse(listChats, { status: 200, body: { chats, unverified } });
}

/** The user was in Telegram and returns to the page. */
const returnToPage = () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));

const section = () => screen.findByRole('region', { name: 'Verify to manage' });

describe('a group to which the user has added the bot', () => {
  test('appears when the user returns, and leads to its verification', async () => {
    const app = await openDashboard('/dashboard', managed);
    await screen.findByRole('link', { name: /Cat lovers/ });
    expect(screen.queryByText('Verify to manage')).toBeNull();

    listUnverified(app);
    returnToPage();
    const group = within(await section()).getByRole('link', { name: /Bird watchers/ });
    expect(group).toHaveTextContent('Verify to manage');
    expect(group).toHaveTextContent(`ID: ${birds}`);
    await app.user.click(group);

    expect(await screen.findByRole('heading', { name: 'Verify Chat Ownership' })).toBeVisible();
    expect(screen.getByText('Bird watchers')).toBeVisible();
    expect(window.location.search).toBe(`?verify=${birds}`);
  });

  test('can be reached by the keyboard, and its list is named', async () => {
    const app = await openDashboard('/dashboard', managed);
    await screen.findByRole('link', { name: /Cat lovers/ });
    listUnverified(app);
    returnToPage();
    await section();
    expect(screen.getByRole('list', { name: 'Verify to manage' })).toBeVisible();

    screen.getByRole('searchbox').focus();
    await app.user.tab();
    expect(screen.getByRole('link', { name: /Bird watchers/ })).toHaveFocus();
    await app.user.keyboard('{Enter}');

    await waitFor(() => expect(window.location.search).toBe(`?verify=${birds}`));
  });

  test('is found by the search, and hidden by another', async () => {
    const app = await openDashboard('/dashboard', managed);
    await screen.findByRole('link', { name: /Cat lovers/ });
    listUnverified(app);
    returnToPage();
    await section();

    await app.user.type(screen.getByRole('searchbox'), 'bird');
    await waitFor(() => expect(screen.queryByRole('link', { name: /Cat lovers/ })).toBeNull());
    expect(screen.getByRole('link', { name: /Bird watchers/ })).toBeVisible();
    expect(screen.queryByText('No chats found matching your search')).toBeNull();

    await app.user.clear(screen.getByRole('searchbox'));
    await app.user.type(screen.getByRole('searchbox'), 'cat');
    await waitFor(() => expect(screen.queryByRole('link', { name: /Bird watchers/ })).toBeNull());
    expect(screen.queryByRole('heading', { name: 'Verify to manage' })).toBeNull();
  });

  test('is the first in the list of a user who manages no chats', async () => {
    const app = await openDashboard('/features');
    listUnverified(app, { chats: [] });
    app.goTo('/dashboard');

    expect(await section()).toBeVisible();
    expect(screen.queryByText('No chats available')).toBeNull();
    expect(window.location.search).toBe('');
  });

  test('without a name is shown by its ID', async () => {
    const app = await openDashboard('/dashboard', managed);
    await screen.findByRole('link', { name: /Cat lovers/ });
    listUnverified(app, { unverified: [{ ...waiting, chat_name: '' }] });
    returnToPage();

    expect(within(await section()).getByText(`Chat ${birds}`)).toBeVisible();
  });
});

test('a backend without such groups shows the list alone', async () => {
  const app = await openDashboard('/features');
  app.server.refuse(listChats, { status: 200, body: [listed] });
  app.goTo('/dashboard');

  expect(await screen.findByRole('link', { name: /Cat lovers/ })).toBeVisible();
  expect(screen.queryByText('Verify to manage')).toBeNull();
});
