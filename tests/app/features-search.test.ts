/** The search over all features, and the age confirmation before those for adults. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import {
  ageQuestion,
  item,
  listed,
  openFeatures,
  query,
  searchBox,
  selectedTab,
  tab,
} from '#tests/features-page';

describe('the search', () => {
  test.each([
    ['a title, in any case', 'CLEAN WEL', ['Clean welcome']],
    ['a description', 'do not pile up', ['Clean welcome']],
    ['a command by its slash', '/purge', ['Purge']],
    ['a command, in any case', '/TBAN', ['Timed ban']],
    ['a short form of a command', '/np', ['Now playing']],
    ['another command of a feature', '/kang', ['Sticker tools']],
    ['a command as it is written in a chat', '/kick @user', ['Kick']],
    ['a feature by the name of its command', 'tmute', ['Timed mute']],
    ['how it is used', 'in the channel, then forward', ['Log channel']],
    ['an inline query', 'calc 12', ['Calculator']],
    [
      'more than one category',
      'spotify',
      ['Connect accounts', 'Now playing', 'Now playing, inline'],
    ],
  ])('finds %s', async (_case, term, found) => {
    const { user } = await openFeatures();

    await user.type(searchBox(), term);

    await waitFor(() => expect(listed()).toEqual(found));
    expect(within(screen.getByRole('tabpanel')).getByRole('status')).toHaveTextContent(
      `${found.length} ${found.length === 1 ? 'feature' : 'features'} found in all categories`,
    );
  });

  test('shows the category of each result', async () => {
    const { user } = await openFeatures();

    await user.type(searchBox(), 'anime');

    await waitFor(() => expect(listed()).toContain('Anime, inline'));
    expect(await item('Anime, inline Inline')).toBeVisible();
  });

  test('says so when nothing is found, and lists the category again when it is cleared', async () => {
    const { user } = await openFeatures('?category=misc');

    await user.type(searchBox(), ' zebra ');
    expect(await screen.findByText('No features found matching "zebra"')).toBeVisible();
    expect(listed()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Clear the search' }));

    await waitFor(() => expect(listed()).toContain('Ping'));
    expect(screen.queryByText(/No features found/)).toBeNull();
  });

  test('ignores blanks', async () => {
    const { user } = await openFeatures();

    await user.type(searchBox(), '   ');

    expect(listed()).toContain('Ban');
    expect(screen.queryByText(/found in all categories/)).toBeNull();
  });

  test('is in the address after a pause in typing, and survives a reload', async () => {
    const { user, reload } = await openFeatures();

    await user.type(searchBox(), 'welcome');
    await waitFor(() => expect(query()).toBe('?q=welcome'));
    await reload();

    await waitFor(() => expect(searchBox()).toHaveValue('welcome'));
    expect(listed()).toEqual(['Welcome', 'Clean welcome']);
  });

  test('ends when a category is chosen', async () => {
    const { user } = await openFeatures('?q=welcome');

    await user.click(tab('Inline'));

    await waitFor(() => expect(selectedTab()).toBe('Inline'));
    expect(searchBox()).toHaveValue('');
    expect(query()).toBe('?category=inline');
    expect(listed()).toContain('Calculator');
  });
});

describe('the age confirmation', () => {
  test('is shown before the adult category, and "I am 18+" opens it', async () => {
    const { user } = await openFeatures();

    await user.click(tab('Anime (NSFW)'));

    const dialog = await ageQuestion();
    expect(dialog).toHaveTextContent(
      /The content in this section is intended for adults \(18\+\) only\. \S/,
    );
    expect(
      within(dialog)
        .getAllByRole('button')
        .map((each) => each.textContent),
    ).toEqual(['Cancel', 'I am 18+']);
    expect(listed()).toEqual([]);
    expect(screen.getByText('No features available in this category')).toBeInTheDocument();

    await user.click(within(dialog).getByRole('button', { name: 'I am 18+' }));

    expect(screen.queryByRole('dialog')).toBeNull();
    expect(selectedTab()).toBe('Anime (NSFW)');
    expect(listed().length).toBeGreaterThanOrEqual(6);
    expect(screen.queryByText('No features available in this category')).toBeNull();
  });

  test('leads back to the first category when it is cancelled', async () => {
    const { user } = await openFeatures('?category=animeNSFW');

    await user.click(within(await ageQuestion()).getByRole('button', { name: 'Cancel' }));

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(selectedTab()).toBe('Group Management');
    expect(listed()).toContain('Ban');
    expect(query()).toBe('');
  });

  test('is shown again after it was cancelled', async () => {
    const { user } = await openFeatures('?category=animeNSFW');
    await user.click(within(await ageQuestion()).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

    await user.click(tab('Anime (NSFW)'));

    expect(await ageQuestion()).toBeVisible();
  });

  test('lasts for one visit', async () => {
    const { user, goTo, reload } = await openFeatures('?category=animeNSFW');
    await user.click(within(await ageQuestion()).getByRole('button', { name: 'I am 18+' }));
    await user.click(tab('Inline'));
    await user.click(tab('Anime (NSFW)'));
    expect(screen.queryByRole('dialog')).toBeNull();

    goTo('/credits');
    await screen.findByRole('heading', { level: 1, name: 'Models' });
    goTo('/features?category=animeNSFW');
    await user.click(within(await ageQuestion()).getByRole('button', { name: 'I am 18+' }));
    await waitFor(() => expect(listed().length).toBeGreaterThanOrEqual(6));

    await reload();
    expect(await ageQuestion()).toBeVisible();
    expect(listed()).toEqual([]);
    const kept = [localStorage, sessionStorage].flatMap((storage) => Object.keys(storage));
    expect(kept.filter((key) => /adult|(?:^|_)age/i.test(key))).toEqual([]);
  });

  test('is shown before a link to one of these commands opens', async () => {
    const { user } = await openFeatures('?command=kemono');
    const dialog = await ageQuestion();
    expect(screen.queryByRole('button', { name: 'Kemono' })).toBeNull();

    await user.click(within(dialog).getByRole('button', { name: 'I am 18+' }));

    expect(await item('Kemono')).toHaveAttribute('aria-expanded', 'true');
  });

  test('hides these features from the search, which says so and offers the confirmation', async () => {
    const { user } = await openFeatures();

    await user.type(searchBox(), 'adult');
    expect(await screen.findByText('No features found matching "adult"')).toBeVisible();
    expect(listed()).toEqual([]);
    await user.click(await screen.findByRole('button', { name: 'Include them' }));
    await user.click(within(await ageQuestion()).getByRole('button', { name: 'Cancel' }));
    expect(listed()).toEqual([]);
    expect(searchBox()).toHaveValue('adult');

    await user.click(screen.getByRole('button', { name: 'Include them' }));
    await user.click(within(await ageQuestion()).getByRole('button', { name: 'I am 18+' }));

    await waitFor(() => expect(listed()).toContain('Adult series'));
    expect(screen.queryByRole('button', { name: 'Include them' })).toBeNull();
  });

  test('is not mentioned by a search without hidden results', async () => {
    const { user } = await openFeatures();

    await user.type(searchBox(), 'purge');

    await waitFor(() => expect(listed()).toEqual(['Purge', 'Help']));
    expect(screen.queryByRole('button', { name: 'Include them' })).toBeNull();
  });

  test('is cancelled by Telegram’s back button', async () => {
    const app = await openFeatures('?category=animeNSFW', { launch: { telegramId: 4242 } });
    await ageQuestion();
    await waitFor(() =>
      expect(
        app.bridge?.sent.findLast(({ name }) => name === 'web_app_setup_back_button')?.data,
      ).toEqual({ is_visible: true }),
    );

    app.bridge?.emit('back_button_pressed');

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(selectedTab()).toBe('Group Management');
  });
});
