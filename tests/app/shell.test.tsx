/** The shell: navigation, theme, banners, the badge, logging out, and pages that lead nowhere. */
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { logout, readMe } from '#contract/endpoints/session';
import { readHealth } from '#contract/endpoints/site';
import { renderApp } from '#tests/render-app';

const owner = 4242;

const mainNavigation = () => screen.findByRole('navigation', { name: 'Main' });

afterEach(() => {
  vi.useRealTimers();
  vi.doUnmock('../../src/features/home/home-screen.tsx');
});

describe('the navigation bar', () => {
  test('lists the public screens and the way in for a visitor', async () => {
    await renderApp('/');
    const nav = await mainNavigation();

    expect(await within(nav).findByRole('link', { name: 'Login' })).toHaveAttribute(
      'href',
      '/login',
    );
    expect(within(nav).getByRole('link', { name: 'Sign Up' })).toHaveAttribute('href', '/signup');
    expect(within(nav).getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page');
    expect(within(nav).queryByRole('link', { name: 'Dashboard' })).toBeNull();
    expect(within(nav).queryByRole('button', { name: 'Logout' })).toBeNull();
  });

  test('lists the dashboard and Logout for a member', async () => {
    await renderApp('/', { as: owner });
    const nav = await mainNavigation();

    expect(await within(nav).findByRole('link', { name: 'Dashboard' })).toHaveAttribute(
      'href',
      '/dashboard',
    );
    expect(within(nav).getByRole('button', { name: 'Logout' })).toBeVisible();
    expect(within(nav).queryByRole('link', { name: 'Login' })).toBeNull();
  });

  test('marks the screen that is shown', async () => {
    const { user } = await renderApp('/', { as: owner });
    const nav = await mainNavigation();

    await user.click(await within(nav).findByRole('link', { name: 'Dashboard' }));

    await waitFor(() =>
      expect(within(nav).getByRole('link', { name: 'Dashboard' })).toHaveAttribute(
        'aria-current',
        'page',
      ),
    );
    expect(within(nav).getByRole('link', { name: 'Home' })).not.toHaveAttribute('aria-current');
  });
});

describe('the menu of a narrow screen', () => {
  const menuButton = () => screen.findByRole('button', { name: /menu$/ });

  async function openMenu() {
    const page = await renderApp('/');
    const button = await menuButton();
    await page.user.click(button);
    expect(button).toHaveAttribute('aria-expanded', 'true');
    expect(button).toHaveAccessibleName('Close menu');
    return { ...page, button };
  }

  test('closes on a click of a link', async () => {
    const { user, button } = await openMenu();

    await user.click(within(await mainNavigation()).getByRole('link', { name: 'Sign Up' }));

    expect(button).toHaveAttribute('aria-expanded', 'false');
  });

  test('closes on a click outside it', async () => {
    const { user, button } = await openMenu();

    await user.click(screen.getByRole('contentinfo'));

    await waitFor(() => expect(button).toHaveAttribute('aria-expanded', 'false'));
  });

  test('closes on Escape and gives the focus back', async () => {
    const { user, button } = await openMenu();

    await user.keyboard('{Escape}');

    await waitFor(() => expect(button).toHaveAttribute('aria-expanded', 'false'));
    expect(button).toHaveFocus();
  });

  test('closes on its own button', async () => {
    const { user, button } = await openMenu();

    await user.click(button);

    expect(button).toHaveAttribute('aria-expanded', 'false');
  });
});

describe('the theme', () => {
  test('is light until somebody chooses, and the choice outlives a reload', async () => {
    const { user, reload } = await renderApp('/');
    expect(document.documentElement.dataset['theme']).toBe('light');

    await user.click(await screen.findByRole('button', { name: 'Switch to dark theme' }));
    expect(document.documentElement.dataset['theme']).toBe('dark');
    expect(localStorage.getItem('theme')).toBe('dark');

    await reload();
    expect(document.documentElement.dataset['theme']).toBe('dark');
    expect(await screen.findByRole('button', { name: 'Switch to light theme' })).toBeVisible();
  });

  test('that makes no sense is forgotten', async () => {
    localStorage.setItem('theme', '{"broken"');

    await renderApp('/');

    expect(document.documentElement.dataset['theme']).toBe('light');
  });

  test('follows another tab', async () => {
    await renderApp('/');

    localStorage.setItem('theme', 'dark');
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme' }));

    expect(document.documentElement.dataset['theme']).toBe('dark');
  });
});

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

  test('is asked for first, and Cancel leaves everything as it was', async () => {
    const { user, opener, dialog } = await askToLogout();
    expect(within(dialog).getByText('Are you sure you want to logout?')).toBeVisible();

    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(localStorage.getItem('accessToken')).not.toBeNull();
    expect(opener).toHaveFocus();
  });

  test('ends the session here and on the server, forgets the person, and goes to the login', async () => {
    localStorage.setItem('nori_form_state', '{}');
    localStorage.setItem('pixai_history', '[]');
    localStorage.setItem('selectedProvider', 'kusa');
    const { user, dialog, kit } = await askToLogout();
    const token = localStorage.getItem('accessToken') ?? '';

    await user.click(within(dialog).getByRole('button', { name: 'Logout' }));

    await waitFor(() => expect(window.location.pathname).toBe('/login'));
    expect(Object.keys(localStorage)).toEqual(['selectedProvider']);
    await waitFor(async () => {
      const me = await kit.app.request('/backend/auth/me', {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(me.status).toBe(401);
    });
  });

  test('forgets the person even when the server cannot be reached', async () => {
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

  test('is told once, and the notice goes by itself after 5 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await renderApp('/', { as: { telegramId: owner, token: 'a-dead-token' } });

    expect(await screen.findAllByText(sentence)).toHaveLength(1);
    expect(localStorage.getItem('accessToken')).toBeNull();

    vi.advanceTimersByTime(4500);
    expect(screen.getByText(sentence)).toBeVisible();
    await vi.advanceTimersByTimeAsync(1000);
    await waitFor(() => expect(screen.queryByText(sentence)).toBeNull());
  });

  test('can be closed', async () => {
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

  test('is not assumed because the server is broken', async () => {
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

  test('that answers is not mentioned', async () => {
    const { server } = await renderApp('/');

    await waitFor(() => expect(server.requestsTo(readHealth).length).toBeGreaterThan(0));
    expect(screen.queryByText(banner)).toBeNull();
  });

  test.each([
    ['cannot be reached', undefined],
    ['answers with an error', { status: 500, body: '<h1>Bad</h1>' }],
    ['answers something else', { status: 200, body: { status: 'starting' } }],
    ['answers with a web page', { status: 200, body: '<h1>Welcome</h1>' }],
  ])('that %s is announced after a second failure, until it is back', async (_how, refusal) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
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

describe('the generation badge', () => {
  test('counts what is being made, in the singular and the plural', async () => {
    await renderApp('/');
    const { usePendingGenerations } = await import('#lib/pending');
    const { add, settle } = usePendingGenerations.getState();
    expect(screen.queryByText(/in progress/)).toBeNull();

    add();
    expect(await screen.findByText('1 generation in progress')).toBeVisible();
    add();
    expect(await screen.findByText('2 generations in progress')).toBeVisible();

    settle();
    settle();
    settle();
    await waitFor(() => expect(screen.queryByText(/in progress/)).toBeNull());
    add();
    expect(await screen.findByText('1 generation in progress')).toBeVisible();
  });
});

describe('a page', () => {
  test('has a way past the navigation, a footer of 2025, and its title', async () => {
    await renderApp('/');

    expect(await screen.findByRole('link', { name: 'Skip to content' })).toHaveAttribute(
      'href',
      '#content',
    );
    expect(screen.getByRole('contentinfo')).toHaveTextContent('2025');
    expect(document.title).toBe('Nori · The bot your group chat was missing');
  });

  test('that is opened from another takes the focus and the title', async () => {
    const { user } = await renderApp('/');

    await user.click(within(await mainNavigation()).getByRole('link', { name: 'Login' }));

    const heading = await screen.findByRole('heading', { level: 1 });
    await waitFor(() =>
      expect(
        heading.isConnected && document.activeElement === screen.getByRole('heading', { level: 1 }),
      ).toBe(true),
    );
    expect(document.title).toBe('Log in · Nori');
  });

  test('that does not exist says so and leads home', async () => {
    const { user } = await renderApp('/no/such/page');

    expect(await screen.findByRole('heading', { name: 'This page drifted off.' })).toBeVisible();
    expect(screen.getByText('The link may be old.')).toBeVisible();
    await waitFor(() => expect(document.title).toBe('Page not found · Nori'));

    await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Home' }));
    expect(
      await screen.findByRole('heading', { name: 'The bot your group chat was missing' }),
    ).toBeVisible();
  });

  test('that breaks offers ways on, and the rest of the page lives', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.doMock('../../src/features/home/home-screen.tsx', () => ({
      HomeScreen: () => {
        throw new Error('a bug of ours');
      },
    }));
    const { user } = await renderApp('/');

    expect(
      await screen.findByRole('heading', { name: 'Something broke on our side of the screen.' }),
    ).toBeVisible();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Home' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Support' })).toBeDisabled();

    await user.click(screen.getByRole('button', { name: 'Copy details' }));
    expect(await screen.findByRole('button', { name: 'Copied!' })).toBeVisible();
    expect(await navigator.clipboard.readText()).toContain('a bug of ours');

    await user.click(within(await mainNavigation()).getByRole('link', { name: 'Login' }));
    expect(await screen.findByLabelText('Telegram User ID')).toBeVisible();
  });
});

describe('inside Telegram', () => {
  test('there are tabs at the bottom, and no header or footer of ours', async () => {
    const { bridge } = await renderApp('/', { launch: { telegramId: owner } });

    const nav = await mainNavigation();
    expect(await within(nav).findByRole('button', { name: 'Home' })).toHaveAttribute(
      'aria-current',
      'page',
    );
    expect(screen.queryByRole('banner')).toBeNull();
    expect(screen.queryByRole('contentinfo')).toBeNull();
    expect(bridge).toBeDefined();
    expect(await screen.findByRole('heading', { name: 'Hi, Mika' })).toBeVisible();
  });

  test('"More" holds the theme and the way in or out', async () => {
    const { user } = await renderApp('/', { launch: { telegramId: owner } });
    const nav = await mainNavigation();

    await user.click(await within(nav).findByRole('button', { name: 'More' }));
    const dialog = await screen.findByRole('dialog', { name: 'More' });
    await user.click(within(dialog).getByRole('button', { name: 'Switch to dark theme' }));
    expect(document.documentElement.dataset['theme']).toBe('dark');

    await user.click(within(dialog).getByRole('link', { name: 'Sign Up' }));
    await waitFor(() => expect(window.location.pathname).toBe('/signup'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
