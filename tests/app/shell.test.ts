/** The shell: navigation, theme, the badge, and error pages. */
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { renderApp } from '#tests/render-app';

const owner = 4242;

const mainNavigation = () => screen.findByRole('navigation', { name: 'Main' });

afterEach(() => {
  vi.doUnmock('../../src/features/home/home-screen.tsx');
});

describe('the navigation bar', () => {
  test('lists the public screens and Login for a visitor', async () => {
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

  test('closes on a click on the bar around its button', async () => {
    const { user, button } = await openMenu();

    await user.click(screen.getByRole('banner'));

    await waitFor(() => expect(button).toHaveAttribute('aria-expanded', 'false'));
  });

  test('stays open on a click between its links', async () => {
    const { user, button } = await openMenu();

    await user.click(await mainNavigation());

    expect(button).toHaveAttribute('aria-expanded', 'true');
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
  test('is light until the user chooses, and the choice outlives a reload', async () => {
    const { user, reload } = await renderApp('/');
    expect(document.documentElement.dataset['theme']).toBe('light');

    await user.click(await screen.findByRole('button', { name: 'Switch to dark theme' }));
    expect(document.documentElement.dataset['theme']).toBe('dark');
    expect(localStorage.getItem('theme')).toBe('dark');

    await reload();
    expect(document.documentElement.dataset['theme']).toBe('dark');
    expect(await screen.findByRole('button', { name: 'Switch to light theme' })).toBeVisible();
  });

  test('that is invalid is dropped', async () => {
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

describe('the generation badge', () => {
  test('counts running generations, in the singular and the plural', async () => {
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
  test('has a skip link, a footer of 2025, and its title', async () => {
    await renderApp('/');

    expect(await screen.findByRole('link', { name: 'Skip to content' })).toHaveAttribute(
      'href',
      '#content',
    );
    expect(screen.getByRole('contentinfo')).toHaveTextContent('2025');
    await waitFor(() => expect(document.title).toBe('Nori · The bot your group chat was missing'));
  });

  test('that is opened from another gets the focus, and sets the title', async () => {
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

  test('that does not exist says so and links to Home', async () => {
    const { user } = await renderApp('/no/such/page');

    expect(await screen.findByRole('heading', { name: 'This page drifted off.' })).toBeVisible();
    expect(screen.getByText('The link may be old.')).toBeVisible();
    await waitFor(() => expect(document.title).toBe('Page not found · Nori'));

    await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Home' }));
    expect(
      await screen.findByRole('heading', { name: 'The bot your group chat was missing' }),
    ).toBeVisible();
  });

  test('that breaks shows an error with links, and the rest of the page works', async () => {
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
    expect(
      within(screen.getByRole('alert')).getByRole('button', { name: 'Support' }),
    ).toBeDisabled();

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

  test('"More" has the theme, and Login or Logout', async () => {
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
