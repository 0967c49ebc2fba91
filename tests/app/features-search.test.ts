/** The search over all features, and the age confirmation before those for adults. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

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
    ['a title, in any case', 'RULES OF WARN', ['Rules of warnings']],
    ['a description', 'down to your own', ['Purge']],
    ['a command by its slash', '/purge', ['Purge']],
    ['a command, in any case', '/TBAN', ['Ban']],
    ['the beginning of a command', '/rep', ['Report']],
    ['another command of a feature', '/demote', ['Promote and demote']],
    ['a command as it is written in a chat', '/kick @user', ['Kick']],
    ['a command that names its bot', '/warns@nori_bot', ['Warnings']],
    ['a feature by a name of its command', 'tmute', ['Mute']],
    ['how it is used', 'in the channel, then forward', ['Log channel']],
    ['more than one category', 'purge', ['Purge', 'Help']],
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

    await user.type(searchBox(), 'privacy');

    await waitFor(() => expect(listed()).toEqual(['Privacy']));
    expect(await item('Privacy Misc Tools')).toBeVisible();
  });

  test('says so when nothing is found, and lists the category again when it is cleared', async () => {
    const { user } = await openFeatures('?category=misc');

    await user.type(searchBox(), ' zebra ');
    expect(await screen.findByText('No features found matching "zebra"')).toBeVisible();
    expect(listed()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Clear the search' }));

    await waitFor(() => expect(listed()).toContain('Help'));
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

    await user.type(searchBox(), 'topic');
    await waitFor(() => expect(query()).toBe('?q=topic'));
    await reload();

    await waitFor(() => expect(searchBox()).toHaveValue('topic'));
    expect(listed()).toEqual(['Status', 'Topics', 'IDs']);
  });

  test('ends when a category is chosen', async () => {
    const { user } = await openFeatures('?q=topic');

    await user.click(tab('Misc Tools'));

    await waitFor(() => expect(selectedTab()).toBe('Misc Tools'));
    expect(searchBox()).toHaveValue('');
    expect(query()).toBe('?category=misc');
    expect(listed()).toContain('Help');
  });
});

const catalogueFile = '../../src/features/commands/catalogue.ts';

/** Commands for adults need a service: in this test one that needs none is for them alone. */
function makePurgeAdult(): void {
  vi.doMock(catalogueFile, async (original) => {
    const real = await original<{ readonly catalogue: readonly { readonly id: string }[] }>();
    const index = real.catalogue.findIndex(({ id }) => id === 'purge');
    const purge = { ...real.catalogue[index], id: 'purge', category: 'animeNSFW' };
    return { ...real, catalogue: real.catalogue.with(index, purge) };
  });
  onTestFinished(() => vi.doUnmock(catalogueFile));
}

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

    await user.click(within(dialog).getByRole('button', { name: 'I am 18+' }));

    expect(screen.queryByRole('dialog')).toBeNull();
    expect(selectedTab()).toBe('Anime (NSFW)');
    // The bot has no command for adults yet.
    expect(screen.getByText('No features available in this category')).toBeVisible();
  });

  test('comes before the commands of the category', async () => {
    makePurgeAdult();
    const { user } = await openFeatures('?category=animeNSFW');
    const dialog = await ageQuestion();
    expect(listed()).toEqual([]);

    await user.click(within(dialog).getByRole('button', { name: 'I am 18+' }));

    expect(listed()).toEqual(['Purge']);
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
    makePurgeAdult();
    const { user, goTo, reload } = await openFeatures('?category=animeNSFW');
    await user.click(within(await ageQuestion()).getByRole('button', { name: 'I am 18+' }));
    await user.click(tab('Inline'));
    await user.click(tab('Anime (NSFW)'));
    expect(screen.queryByRole('dialog')).toBeNull();

    goTo('/credits');
    await screen.findByRole('heading', { level: 1, name: 'Models' });
    goTo('/features?category=animeNSFW');
    await user.click(within(await ageQuestion()).getByRole('button', { name: 'I am 18+' }));
    await waitFor(() => expect(listed()).toEqual(['Purge']));

    await reload();
    expect(await ageQuestion()).toBeVisible();
    expect(listed()).toEqual([]);
    const kept = [localStorage, sessionStorage].flatMap((storage) => Object.keys(storage));
    expect(kept.filter((key) => /adult|(?:^|_)age/i.test(key))).toEqual([]);
  });

  test('is shown before a link to one of these commands opens', async () => {
    makePurgeAdult();
    const { user } = await openFeatures('?command=purge');
    const dialog = await ageQuestion();
    expect(screen.queryByRole('button', { name: 'Purge' })).toBeNull();

    await user.click(within(dialog).getByRole('button', { name: 'I am 18+' }));

    expect(await item('Purge')).toHaveAttribute('aria-expanded', 'true');
  });

  test('hides these features from the search, which says so and offers the confirmation', async () => {
    makePurgeAdult();
    const { user } = await openFeatures();

    await user.type(searchBox(), '/purge');
    expect(await screen.findByText('No features found matching "/purge"')).toBeVisible();
    expect(listed()).toEqual([]);
    await user.click(await screen.findByRole('button', { name: 'Include them' }));
    await user.click(within(await ageQuestion()).getByRole('button', { name: 'Cancel' }));
    expect(listed()).toEqual([]);
    expect(searchBox()).toHaveValue('/purge');

    await user.click(screen.getByRole('button', { name: 'Include them' }));
    await user.click(within(await ageQuestion()).getByRole('button', { name: 'I am 18+' }));

    await waitFor(() => expect(listed()).toEqual(['Purge']));
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
