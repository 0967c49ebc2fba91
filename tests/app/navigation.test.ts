/** The entries of the navigation for visitors and members, their order, and the tabs inside Telegram. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { renderApp } from '#tests/render-app';

const member = 4242;
const maxTabs = 5;

const mainNavigation = () => screen.findByRole('navigation', { name: 'Main' });

test.each([
  ['a visitor', undefined, ['Home', 'Features', 'Models', 'API', 'Credits']],
  ['a member', member, ['Home', 'Dashboard', 'Features', 'Models', 'API', 'Credits']],
])('the website lists its screens in order for %s', async (_case, as, expected) => {
  await renderApp('/credits', as === undefined ? {} : { as });
  const nav = await mainNavigation();
  await within(nav).findByRole(as === undefined ? 'link' : 'button', {
    name: as === undefined ? 'Sign Up' : 'Logout',
  });

  const listed = within(within(nav).getByRole('list'))
    .getAllByRole('link')
    .map((link) => link.textContent);

  expect(listed).toEqual(expected);
});

async function openTelegram(as?: number) {
  const app = await renderApp('/', {
    launch: { telegramId: member },
    ...(as === undefined ? {} : { as }),
  });
  const nav = await mainNavigation();
  await within(nav).findByRole('button', { name: as === undefined ? 'Login' : 'Dashboard' });
  const tabs = () =>
    within(nav)
      .getAllByRole('button')
      .map((button) => button.textContent);
  return { ...app, nav, tabs };
}

test.each([
  ['a visitor', undefined],
  ['a member', member],
])(
  'inside Telegram there are at most five tabs, the last one "More", for %s',
  async (_case, as) => {
    const { tabs } = await openTelegram(as);

    expect(tabs().length).toBeLessThanOrEqual(maxTabs);
    expect(tabs().at(-1)).toBe('More');
    expect(tabs()).toEqual(expect.arrayContaining(['Home', 'Features']));
  },
);

test('every screen of the website is a tab inside Telegram, or behind "More"', async () => {
  const { user, nav, tabs } = await openTelegram(member);
  const shown = tabs();

  await user.click(within(nav).getByRole('button', { name: 'More' }));
  const more = await screen.findByRole('dialog', { name: 'More' });
  const behind = within(within(more).getByRole('list'))
    .getAllByRole('link')
    .map((link) => link.textContent);

  expect(shown).toEqual(['Home', 'Dashboard', 'Features', 'Models', 'More']);
  expect(behind).toEqual(['API', 'Credits', 'Privacy Policy']);
});

test('a screen behind "More" opens, closes the dialog, and marks the tab', async () => {
  const { user, nav } = await openTelegram(member);
  const more = within(nav).getByRole('button', { name: 'More' });
  expect(more).not.toHaveAttribute('aria-current');

  await user.click(more);
  const dialog = await screen.findByRole('dialog', { name: 'More' });
  await user.click(within(dialog).getByRole('link', { name: 'Privacy Policy' }));

  expect(await screen.findByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  await waitFor(() => expect(more).toHaveAttribute('aria-current', 'page'));
});

test('the settings entry of Telegram’s own menu opens "More"', async () => {
  const { user, bridge } = await openTelegram(member);
  const shown = () =>
    bridge?.sent.findLast(({ name }) => name === 'web_app_setup_settings_button')?.data;
  await waitFor(() => expect(shown()).toEqual({ is_visible: true }));

  bridge?.emit('settings_button_pressed');

  const more = await screen.findByRole('dialog', { name: 'More' });
  expect(within(more).getByRole('button', { name: 'Logout' })).toBeVisible();
  await user.click(within(more).getByRole('button', { name: 'Logout' }));
  expect(await screen.findByRole('dialog', { name: 'Confirm Logout' })).toBeVisible();
  expect(bridge?.sent).toContainEqual({
    name: 'web_app_trigger_haptic_feedback',
    data: { type: 'notification', notification_type: 'warning' },
  });
});
