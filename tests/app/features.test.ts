/** The catalogue of features: its categories, opening a feature, and the links from a command to the bot. */
import { screen, waitFor, within } from '@testing-library/react';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';

import { body, item, listed, openFeatures, query, selectedTab, tab } from '#tests/features-page';

const categories = ['Group Management', 'Anime (SFW)', 'Anime (NSFW)', 'Misc Tools', 'Inline'];

describe('the categories', () => {
  test('are five, in order, and the first one is open', async () => {
    await openFeatures();

    expect(document.title).toBe('Features · Nori');
    expect(screen.getAllByRole('tab').map((each) => each.textContent)).toEqual(categories);
    expect(selectedTab()).toBe('Group Management');
    expect(screen.getByRole('tabpanel', { name: 'Group Management' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Features' })).toHaveAttribute('aria-current', 'page');
  });

  test.each([
    ['Group Management', 24],
    ['Anime (SFW)', 14],
    ['Misc Tools', 20],
    ['Inline', 8],
  ])('%s has at least %i features, each with a title and a description', async (name, least) => {
    const { user } = await openFeatures();

    await user.click(tab(name));
    await screen.findByRole('tabpanel', { name });

    expect(listed().length).toBeGreaterThanOrEqual(least);
    expect(new Set(listed()).size).toBe(listed().length);
    for (const section of within(screen.getByRole('tabpanel')).getAllByRole('listitem')) {
      expect(section.querySelector('p')?.textContent).toMatch(/^[A-Z“].{15,}\.$/);
    }
  });

  test('are in the address, so that a reload keeps them', async () => {
    const { user, reload } = await openFeatures();

    await user.click(tab('Misc Tools'));
    expect(query()).toBe('?category=misc');
    await reload();

    await waitFor(() => expect(selectedTab()).toBe('Misc Tools'));
    expect(listed()).toContain('Ping');
  });

  test('that do not exist lead to the first one', async () => {
    await openFeatures('?category=toString&command=nothing');

    expect(selectedTab()).toBe('Group Management');
    expect(listed()).toContain('Ban');
  });

  test('are reached with arrow keys, without the one for adults', async () => {
    const { user } = await openFeatures();
    const press = async (key: string, selected: string) => {
      await user.keyboard(`{${key}}`);
      await waitFor(() => expect(selectedTab()).toBe(selected));
    };
    tab('Group Management').focus();

    await press('ArrowRight', 'Anime (SFW)');
    await press('ArrowRight', 'Anime (SFW)');
    expect(tab('Anime (NSFW)')).toHaveFocus();
    expect(screen.queryByRole('dialog')).toBeNull();
    await press('ArrowRight', 'Misc Tools');
    expect(tab('Misc Tools')).toHaveFocus();
    await press('End', 'Inline');
    await press('ArrowRight', 'Group Management');
    await press('ArrowLeft', 'Inline');
    await press('Home', 'Group Management');
    await press('ArrowRight', 'Anime (SFW)');
    await press('ArrowRight', 'Anime (SFW)');
    await user.keyboard('{Enter}');

    expect(await screen.findByRole('dialog', { name: 'Age Confirmation' })).toBeVisible();
  });

  test('are one Tab stop together', async () => {
    const { user } = await openFeatures('?category=misc');
    await user.click(screen.getByRole('searchbox'));

    await user.tab();
    expect(tab('Misc Tools')).toHaveFocus();
    await user.tab();

    expect(await item('Start')).toHaveFocus();
  });
});

describe('a feature', () => {
  test('opens and closes, by mouse and by keyboard', async () => {
    const { user } = await openFeatures();
    const ban = await item('Ban');
    expect(ban).toHaveAttribute('aria-expanded', 'false');
    expect(screen.queryByText('How to use:')).toBeNull();

    await user.click(ban);
    expect(ban).toHaveAttribute('aria-expanded', 'true');
    expect(screen.getByText('How to use:')).toBeVisible();

    await user.keyboard('{Enter}');
    expect(ban).toHaveAttribute('aria-expanded', 'false');
    expect(screen.queryByText('How to use:')).toBeNull();

    await user.keyboard(' ');
    expect(ban).toHaveAttribute('aria-expanded', 'true');
  });

  test('stays open when another one opens', async () => {
    const { user } = await openFeatures();

    await user.click(await item('Ban'));
    await user.click(await item('Mute'));

    expect(await item('Ban')).toHaveAttribute('aria-expanded', 'true');
    expect(await item('Mute')).toHaveAttribute('aria-expanded', 'true');
  });

  test('shows only its commands as code', async () => {
    const { user } = await openFeatures();

    await user.click(await item('Captcha'));

    const usage = (await body('Captcha')).getByRole('list');
    expect([...usage.querySelectorAll('code')].map((code) => code.textContent)).toEqual([
      '/captcha',
      '/captchamode',
      '/captchamode',
      '/captchatime',
    ]);
    expect(usage).toHaveTextContent('/captchamode button or /captchamode math');
  });

  test('that cleans up welcome messages says that it takes 5 minutes', async () => {
    await openFeatures();

    expect(screen.getByText(/^Removes the welcome message after 5 minutes/)).toBeVisible();
  });

  test('that shows the status is the only one with a link to the dashboard', async () => {
    const { user } = await openFeatures('', { as: 4242 });
    await user.click(await item('Ban'));
    expect(screen.queryByRole('link', { name: 'Open the dashboard' })).toBeNull();

    await user.click(await item('Status'));
    await user.click((await body('Status')).getByRole('link', { name: 'Open the dashboard' }));

    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  });
});

describe('a link to a single command', () => {
  test('opens its category, and the command, and scrolls to it', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');

    await openFeatures('?command=nowplaying');

    expect(selectedTab()).toBe('Misc Tools');
    expect(await item('Now playing')).toHaveAttribute('aria-expanded', 'true');
    await waitFor(() => expect(scrolled).toHaveBeenCalled());
    expect(scrolled.mock.contexts.at(-1)).toHaveTextContent(/^Now playing/);
  });

  test('is in the address when the user opens it, and the page does not scroll', async () => {
    const { user } = await openFeatures();
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');

    await user.click(await item('Purge'));
    expect(query()).toBe('?command=purge');
    await user.click(await item('Purge'));

    expect(query()).toBe('');
    expect(scrolled).not.toHaveBeenCalled();
  });

  test('does not scroll the page when a second press closes it before the page has followed the first', async () => {
    await openFeatures();
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    const purge = await item('Purge');

    // How soon the page follows depends on the machine, so the second press comes after none to eight of its turns.
    for (let round = 0; round < 36; round += 1) {
      purge.click();
      await passTurns(round % 9);
      purge.click();
      await passFrames(2);
    }

    await waitFor(() => expect(query()).toBe(''));
    await passFrames(2);
    expect(scrolled).not.toHaveBeenCalled();
  });
});

describe('"Try in Telegram"', () => {
  test('opens the bot with the command ready', async () => {
    const { user } = await openFeatures('?command=ban', { bot: 'nori_bot' });
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);

    const link = await (await body('Ban')).findByRole('link', { name: 'Try in Telegram' });
    expect(link).toHaveAttribute('href', 'https://t.me/nori_bot?text=%2Fban');
    expect(link).toHaveAttribute('rel', expect.stringContaining('noopener'));
    await user.click(link);

    expect(opened.mock.calls[0]?.[0]).toBe('https://t.me/nori_bot?text=%2Fban');
  });

  test('has the whole query ready for an inline command', async () => {
    await openFeatures('?command=inline-anime', { bot: 'nori_bot' });

    const usage = await body('Anime, inline');

    expect(await usage.findByRole('link', { name: 'Try in Telegram' })).toHaveAttribute(
      'href',
      'https://t.me/nori_bot?text=%40nori_bot%20anime%20Frieren',
    );
    expect(usage.getByText('@nori_bot').localName).toBe('code');
  });

  test('opens the chat in Telegram itself, inside Telegram', async () => {
    const { user, bridge } = await openFeatures('?command=ping', {
      bot: 'nori_bot',
      launch: { telegramId: 4242 },
    });

    await user.click(await (await body('Ping')).findByRole('link', { name: 'Try in Telegram' }));

    expect(
      bridge?.sent.findLast(({ name }) => name === 'web_app_open_tg_link')?.data,
    ).toMatchObject({ path_full: '/nori_bot?text=%2Fping' });
  });

  test('says what is missing when no bot is set', async () => {
    await openFeatures('?command=ban');
    const usage = await body('Ban');

    expect(await usage.findByText(/VITE_BOT_USERNAME/)).toBeVisible();
    expect(usage.getByRole('button', { name: 'Try in Telegram' })).toBeDisabled();
    expect(usage.queryByRole('link', { name: 'Try in Telegram' })).toBeNull();
  });
});

async function passTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await nextTurn();
  }
}

async function passFrames(count: number): Promise<void> {
  for (let frame = 0; frame < count; frame += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
