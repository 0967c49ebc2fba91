/** The page of the account: how it is reached, and the list of sessions. */
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { endOtherSessions, listSessions } from '#contract/endpoints/session';
import { readCapabilities } from '#contract/endpoints/site';
import {
  button,
  main,
  person,
  problem,
  isAlive,
  openAccount,
  question,
  rows,
} from '#tests/account';
import { renderApp } from '#tests/render-app';

afterEach(() => vi.useRealTimers());

describe('where you are logged in', () => {
  test('every device with the time it was last seen, and this one first', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T12:30:00Z') });
    await openAccount();

    const [first, second, ...rest] = await rows();

    expect(rest).toHaveLength(0);
    expect(first).toHaveTextContent(/^Unknown deviceLast seen: Today, \d\d:00This device$/);
    expect(second).toHaveTextContent(/^Safari on iPhoneLast seen: Today, \d\d:00Log out$/);
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
  });

  test('a session that was used long ago has a day or a date', async () => {
    const app = await openAccount();
    const seen = (device: string, last_seen_at: string) => ({
      id: device,
      device,
      created_at: last_seen_at,
      last_seen_at,
      is_current: false,
    });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T12:30:00Z') });
    app.server.refuse(listSessions, {
      status: 200,
      body: {
        sessions: [
          seen('Yesterday', '2026-11-20T12:30:00Z'),
          seen('Earlier', '2026-11-18T12:30:00Z'),
          seen('Long ago', '2026-03-02T12:30:00Z'),
          seen('Ahead', '2026-11-22T12:30:00Z'),
          seen('Rubbish', 'soon'),
        ],
      },
    });
    await app.reload();

    expect((await rows()).map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^YesterdayLast seen: Yesterday, \d\d:30Log out$/),
      expect.stringMatching(/^EarlierLast seen: 3 days ago, \d\d:30Log out$/),
      expect.stringMatching(/^Long agoLast seen: 2 Mar 2026, \d\d:30Log out$/),
      expect.stringMatching(/^AheadLast seen: Today, \d\d:30Log out$/),
      'RubbishLog out',
    ]);
  });

  test('logging out everywhere else ends the other sessions, says how many, and leaves this one', async () => {
    const app = await openAccount({ others: 2 });
    expect(await rows()).toHaveLength(3);

    await app.user.click(button('Log out everywhere else'));
    const dialog = await question('Log out everywhere else');
    await app.user.click(within(dialog).getByRole('button', { name: 'Log out' }));

    expect(await screen.findByText('2 other devices were logged out.')).toBeVisible();
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    expect(button('Log out everywhere else')).toBeDisabled();
    const heading = screen.getByRole('heading', { name: 'Where you are logged in' });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(await isAlive(app, app.token)).toBe(true);
    expect(await Promise.all(app.elsewhere.map((token) => isAlive(app, token)))).toEqual([
      false,
      false,
    ]);
  });

  test('Cancel ends nothing', async () => {
    const app = await openAccount();
    await rows();

    await app.user.click(button('Log out everywhere else'));
    const dialog = await question('Log out everywhere else');
    await app.user.click(within(dialog).getByRole('button', { name: 'Cancel' }));

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(button('Log out everywhere else')).toHaveFocus();
    expect(app.server.requestsTo(endOtherSessions)).toHaveLength(0);
    expect(await rows()).toHaveLength(2);
  });

  test('with no other session there is nothing to end', async () => {
    await openAccount({ others: 0 });

    expect(await rows()).toHaveLength(1);
    expect(button('Log out everywhere else')).toBeDisabled();
  });

  test('a failure shows an error, and the sessions stay', async () => {
    const app = await openAccount();
    await rows();
    app.server.refuse(endOtherSessions, { status: 500 });

    await app.user.click(button('Log out everywhere else'));
    const dialog = await question('Log out everywhere else');
    await app.user.click(within(dialog).getByRole('button', { name: 'Log out' }));

    expect(await problem()).toHaveTextContent('The other devices could not be logged out.');
    expect(await rows()).toHaveLength(2);
    expect(button('Log out everywhere else')).toBeEnabled();
  });

  test('sessions that cannot be loaded can be loaded again, and the rest works meanwhile', async () => {
    const app = await openAccount();
    app.server.refuse(listSessions, { status: 403, body: { detail: 'Not now.' } });
    await app.reload();

    expect(await screen.findByText('Your sessions could not be loaded.')).toBeVisible();
    expect(screen.getByText('Not now.')).toBeVisible();
    expect(button('Change Password')).toBeEnabled();

    app.server.heal(listSessions);
    await app.user.click(button('Try again'));

    expect(await rows()).toHaveLength(2);
  });
});

describe('reaching the page', () => {
  test('leads from the dashboard, in a browser', async () => {
    const { user } = await renderApp('/dashboard', { as: person });

    await screen.findByRole('heading', { name: 'Add Chat to Manage' });
    await user.click(await main().findByRole('link', { name: 'Account' }));

    expect(await screen.findByRole('heading', { name: 'Your account' })).toBeVisible();
    await waitFor(() => expect(document.title).toMatch(/^Your account/));
  });

  test('leads from More, inside Telegram', async () => {
    const { user } = await renderApp('/dashboard', {
      as: person,
      launch: { telegramId: person },
    });
    // As soon as the server has announced its capabilities.
    await main().findByRole('link', { name: 'Account' });
    await user.click(await screen.findByRole('button', { name: 'More' }));
    const dialog = await question('More');

    await user.click(await within(dialog).findByRole('link', { name: 'Account' }));

    expect(await screen.findByRole('heading', { name: 'Your account' })).toBeVisible();
  });

  test.each([
    ['has no capabilities', { status: 404 }],
    ['cannot do it', { status: 200, body: { capabilities: ['auth.logout'] } }],
    ['answers with a web page', { status: 200, body: '<h1>Welcome</h1>' }],
    ['is broken', { status: 500 }],
  ])('is not shown on a server that %s', async (_how, refusal) => {
    const app = await renderApp('/', { as: person });
    app.server.refuse(readCapabilities, refusal);
    app.goTo('/dashboard');
    await app.reload();

    // Both requests are sent together; the list of chats arrives later.
    await screen.findByRole('heading', { name: 'Add Chat to Manage' });
    expect(app.server.requestsTo(readCapabilities).length).toBeGreaterThan(0);
    expect(main().queryByRole('link', { name: 'Account' })).toBeNull();
  });

  test('a visitor has to log in first', async () => {
    await renderApp('/account');

    await waitFor(() => expect(window.location.pathname).toBe('/login'));
  });
});

describe('a server without these calls', () => {
  test.each([
    ['says so by its capabilities', readCapabilities, { status: 404 }],
    ['says so by its answer', listSessions, { status: 404 }],
  ])('%s, and the page leads back', async (_how, endpoint, refusal) => {
    const app = await openAccount();
    app.server.refuse(endpoint, refusal);
    await app.reload();

    expect(await screen.findByText('This server does not offer this.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Delete Account' })).toBeNull();

    await app.user.click(screen.getByRole('link', { name: 'Back to the dashboard' }));
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  });
});
