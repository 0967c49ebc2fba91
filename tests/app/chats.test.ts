/** The list of chats: all texts, and all errors. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { listChats } from '#contract/endpoints/chats';
import { button, cats, type Chats, dogs, openDashboard } from '#tests/open-dashboard';

const rows = async () => {
  const list = await screen.findByRole('list', { name: 'Your chats' });
  return within(list)
    .queryAllByRole('link')
    .map((row) => [...row.children].map(spokenText).join(''));
};

/** Without the initials, which only repeat the name. */
const spokenText = (part: Element) =>
  part.getAttribute('aria-hidden') === 'true' ? '' : part.textContent;

describe('the list', () => {
  const both: Chats = [
    { id: cats, name: 'Cat lovers', isDemo: true },
    { id: dogs, name: '', isDemo: true },
  ];

  test('shows each chat by its name or ID, and marks demos', async () => {
    const { server } = await openDashboard('/dashboard', { chats: both });
    await screen.findByRole('link', { name: /Cat lovers/ });

    expect((await rows()).toSorted()).toEqual([
      expect.stringContaining(`Cat loversID: ${cats}demo: no bot connected`),
      expect.stringContaining(`Chat ${dogs}ID: ${dogs}demo: no bot connected`),
    ]);
    expect(server.requestsTo(listChats)).toHaveLength(1);
  });

  test.each([
    ['part of a name, in any case', 'CAT lo', [`Cat lovers`]],
    ['part of an ID', '98765', [`Chat ${dogs}`]],
    ['nothing but blanks', '   ', ['Cat lovers', `Chat ${dogs}`]],
  ])('is searched by %s', async (_case, typed, found) => {
    const { user } = await openDashboard('/dashboard', { chats: both });
    await screen.findByRole('link', { name: /Cat lovers/ });

    await user.type(screen.getByRole('searchbox', { name: /Search chats/ }), typed);

    await waitFor(async () =>
      expect((await rows()).toSorted()).toEqual(
        found.map((title) => expect.stringContaining(title)),
      ),
    );
  });

  test('says so when the search finds nothing, and shows all chats when it is cleared', async () => {
    const { user } = await openDashboard('/dashboard', { chats: both });
    await screen.findByRole('link', { name: /Cat lovers/ });

    await user.type(screen.getByRole('searchbox'), 'zebra');
    expect(await screen.findByText('No chats found matching your search')).toBeVisible();
    await user.click(await button('Clear the search'));

    expect(screen.getByRole('searchbox')).toHaveFocus();
    expect(await screen.findByRole('link', { name: /Cat lovers/ })).toBeVisible();
    expect(screen.queryByText('No chats found matching your search')).toBeNull();
  });

  test('of thousands of chats renders what is near, and finds the last one', async () => {
    const many = Array.from({ length: 3000 }, (_chat, index) => ({
      id: -1001000000000 - index,
      name: `Group ${index}`,
    }));
    const { user } = await openDashboard('/dashboard', { chats: many });
    await screen.findAllByRole('link', { name: /Group/ });

    expect((await rows()).length).toBeLessThan(100);
    await user.type(screen.getByRole('searchbox'), 'group 2999');

    await waitFor(async () => expect(await rows()).toHaveLength(1));
  });

  test('that cannot be read shows an error, and can be read again', async () => {
    const app = await openDashboard('/', { chats: both });
    app.server.refuse(listChats, { status: 400, body: { detail: 'Not today.' } });
    await app.user.click((await screen.findAllByRole('link', { name: 'Dashboard' }))[0]!);

    expect(await screen.findByText('Your chats could not be loaded.')).toBeVisible();
    expect(screen.getByText('Not today.')).toBeVisible();
    app.server.heal(listChats);
    await app.user.click(await button('Try again'));

    expect(await screen.findByRole('link', { name: /Cat lovers/ })).toBeVisible();
  });

  test.each([
    ['an answer of a wrong shape', { chats: 'none' }],
    ['a page instead of JSON', '<html>proxy</html>'],
  ])('treats %s as a failure, not as an empty list', async (_case, body) => {
    const app = await openDashboard('/', { chats: both });
    app.server.refuse(listChats, { status: 200, body });

    await app.user.click((await screen.findAllByRole('link', { name: 'Dashboard' }))[0]!);

    expect(await screen.findByText('Your chats could not be loaded.')).toBeVisible();
  });

  test('may be a bare list, with IDs as numbers and without names', async () => {
    const app = await openDashboard('/', { chats: both });
    app.server.refuse(listChats, { status: 200, body: [{ _id: 1, chat_id: -5, chat_name: null }] });

    await app.user.click((await screen.findAllByRole('link', { name: 'Dashboard' }))[0]!);

    expect(await screen.findByRole('link', { name: /Chat -5/ })).toBeVisible();
  });

  test('is read again after returning from a chat', async () => {
    const { user, testServer } = await openDashboard('/dashboard', { chats: both });
    await user.click(await screen.findByRole('link', { name: /Cat lovers/ }));
    await screen.findByRole('heading', { name: 'Cat lovers' });
    await testServer.db
      .updateTable('chats')
      .set({ chat_name: 'Lions' })
      .where('chat_id', '=', cats)
      .execute();

    await user.click(await button('Back to List'));

    expect(await screen.findByRole('link', { name: /Lions/ })).toBeVisible();
  });
});
