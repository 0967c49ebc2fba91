/** Sessions as the shell shows them: logging out, being logged out, access, and a backend that is down. */
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { listChats } from '#contract/endpoints/chats';
import { logout, readMe } from '#contract/endpoints/session';
import { readHealth } from '#contract/endpoints/site';
import { renderApp } from '#tests/render-app';

const owner = 4242;

afterEach(() => vi.useRealTimers());

describe('logging out', () => {
  async function askToLogout() {
    const page = await renderApp('/', { as: owner });
    const opener = await screen.findByRole('button', { name: 'Logout' });
    await page.user.click(opener);
    return {
      ...page,
      opener,
      dialog: await screen.findByRole('dialog', { name: 'Confirm Logout' }),
    };
  }

  test('needs a confirmation, and Cancel changes nothing', async () => {
    const { user, opener, dialog } = await askToLogout();
    expect(within(dialog).getByText('Are you sure you want to logout?')).toBeVisible();

    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(localStorage.getItem('accessToken')).not.toBeNull();
    expect(opener).toHaveFocus();
  });

  test('ends the session here and on the server, removes the user’s data, and leads to the login', async () => {
    localStorage.setItem('nori_form_state', '{}');
    localStorage.setItem('pixai_history', '[]');
    localStorage.setItem('selectedProvider', 'kusa');
    const { user, dialog, testServer } = await askToLogout();
    const token = localStorage.getItem('accessToken') ?? '';

    await user.click(within(dialog).getByRole('button', { name: 'Logout' }));

    await waitFor(() => expect(window.location.pathname).toBe('/login'));
    expect(Object.keys(localStorage)).toEqual(['selectedProvider']);
    await waitFor(async () => {
      const me = await testServer.app.request('/backend/auth/me', {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(me.status).toBe(401);
    });
  });

  test('removes the user’s data also when the server cannot be reached', async () => {
    const { user, dialog, server } = await askToLogout();
    server.drop(logout);

    await user.click(within(dialog).getByRole('button', { name: 'Logout' }));

    await waitFor(() => expect(window.location.pathname).toBe('/login'));
    expect(localStorage.getItem('accessToken')).toBeNull();
    expect(screen.queryByText("You've been logged out. Please login again.")).toBeNull();
  });
});

describe('a session that the server has ended', () => {
  const sentence = "You've been logged out. Please login again.";

  test('shows one notice, which disappears after 5 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await renderApp('/', { as: { telegramId: owner, token: 'a-dead-token' } });

    expect(await screen.findAllByText(sentence)).toHaveLength(1);
    expect(localStorage.getItem('accessToken')).toBeNull();

    vi.advanceTimersByTime(4500);
    expect(screen.getByText(sentence)).toBeVisible();
    await vi.advanceTimersByTimeAsync(1000);
    await waitFor(() => expect(screen.queryByText(sentence)).toBeNull());
  });

  test('shows a notice that can be closed', async () => {
    const { user } = await renderApp('/', { as: { telegramId: owner, token: 'a-dead-token' } });
    await screen.findByText(sentence);

    await user.click(screen.getByRole('button', { name: 'Close' }));

    await waitFor(() => expect(screen.queryByText(sentence)).toBeNull());
  });

  test('leads from the dashboard to the login', async () => {
    await renderApp('/dashboard', { as: { telegramId: owner, token: 'a-dead-token' } });

    await waitFor(() => expect(window.location.pathname).toBe('/login'));
    expect(await screen.findAllByText(sentence)).toHaveLength(1);
  });

  test('is not assumed after an error of the server', async () => {
    const page = await renderApp('/', { as: owner });
    page.server.refuse(readMe, { status: 500, body: '<h1>Oops</h1>' });

    await page.reload();

    expect(await screen.findByRole('button', { name: 'Logout' })).toBeVisible();
    expect(screen.queryByText(sentence)).toBeNull();
  });
});

describe('access', () => {
  test.each(['/login', '/signup'])('%s sends a member to the dashboard', async (path) => {
    await renderApp(path, { as: owner });

    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  });

  test('the dashboard sends a visitor to the login', async () => {
    await renderApp('/dashboard');

    await waitFor(() => expect(window.location.pathname).toBe('/login'));
  });
});

describe('the backend', () => {
  const banner = 'Unable to connect to backend server...';

  test('that answers has no banner', async () => {
    const { server } = await renderApp('/');

    await waitFor(() => expect(server.requestsTo(readHealth).length).toBeGreaterThan(0));
    expect(screen.queryByText(banner)).toBeNull();
  });

  test('that dies while the page is open has a banner soon after a call has failed', async () => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
      shouldAdvanceTime: true,
    });
    const page = await renderApp('/', { as: owner });
    const checks = () => page.server.requestsTo(readHealth).length;
    await waitFor(() => expect(checks()).toBe(1));
    await screen.findByRole('button', { name: 'Logout' });
    for (const endpoint of [readHealth, listChats]) {
      page.server.drop(endpoint);
    }

    page.goTo('/dashboard');
    await waitFor(() => expect(page.server.requestsTo(listChats)).toHaveLength(1));

    await waitFor(() => expect(checks()).toBe(2));
    expect(screen.queryByText(banner)).toBeNull();
    vi.advanceTimersByTime(1000);
    expect(await screen.findAllByText(banner)).toHaveLength(1);

    page.server.heal(readHealth);
    vi.advanceTimersByTime(3000);
    await waitFor(() => expect(screen.queryByText(banner)).toBeNull());
  });

  test('that takes connections and never answers has a banner, until it is back', async () => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
      shouldAdvanceTime: true,
    });
    // The browser's own clock does not follow the test's.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), ms);
      return stop.signal;
    });
    let answer = () => {};
    const page = await renderApp('/', {
      onConnect: (server) => {
        answer = server.hang(readHealth);
      },
    });
    const checks = () => page.server.requestsTo(readHealth).length;
    await waitFor(() => expect(checks()).toBe(1));

    await vi.advanceTimersByTimeAsync(5000);
    expect(screen.queryByText(banner)).toBeNull();
    await vi.advanceTimersByTimeAsync(1000);
    await waitFor(() => expect(checks()).toBe(2));
    await vi.advanceTimersByTimeAsync(5000);
    expect(await screen.findAllByText(banner)).toHaveLength(1);

    answer();
    await vi.advanceTimersByTimeAsync(3000);
    await waitFor(() => expect(screen.queryByText(banner)).toBeNull());
  });

  test('that fails in one call only is checked, and has no banner', async () => {
    const page = await renderApp('/', { as: owner });
    const checks = () => page.server.requestsTo(readHealth).length;
    await waitFor(() => expect(checks()).toBe(1));
    page.server.refuse(listChats, { status: 500 });

    page.goTo('/dashboard');

    await waitFor(() => expect(checks()).toBeGreaterThan(1));
    expect(screen.queryByText(banner)).toBeNull();
  });

  test.each([
    ['cannot be reached', undefined],
    ['answers with an error', { status: 500, body: '<h1>Bad</h1>' }],
    ['answers something else', { status: 200, body: { status: 'starting' } }],
    ['answers with a web page', { status: 200, body: '<h1>Welcome</h1>' }],
  ])('that %s has a banner after the second failure, until it is back', async (_how, refusal) => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
      shouldAdvanceTime: true,
    });
    const page = await renderApp('/');
    await waitFor(() => expect(page.server.requestsTo(readHealth)).toHaveLength(1));
    if (refusal) {
      page.server.refuse(readHealth, refusal);
    } else {
      page.server.drop(readHealth);
    }
    await page.reload();
    await waitFor(() =>
      expect(page.server.requestsTo(readHealth).length).toBeGreaterThanOrEqual(2),
    );
    expect(screen.queryByText(banner)).toBeNull();

    vi.advanceTimersByTime(2000);
    expect(await screen.findAllByText(banner)).toHaveLength(1);

    page.server.heal(readHealth);
    vi.advanceTimersByTime(5000);
    await waitFor(() => expect(screen.queryByText(banner)).toBeNull());
  });
});
