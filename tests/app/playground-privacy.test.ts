/** Drafts and calls of the playground belong to one user. */
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { field, openPlayground, run, sentUrls, findWire } from '#tests/playground';

describe('after logging out', () => {
  const logOut = async (user: Awaited<ReturnType<typeof openPlayground>>['user']) => {
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Logout' }),
    );
    // The address changes first: until the next page is there, the last one can be pressed.
    await screen.findByRole('heading', { name: 'Log in' });
  };
  const kept = () => Object.keys(localStorage).filter((key) => key.startsWith('nori_playground'));

  test('drafts and calls are gone, and are not written again', async () => {
    const { user, server, goTo } = await openPlayground('?endpoint=anilist-character', {
      as: 4242,
    });
    server.refuse(findWire('anilist-character'), { status: 200, body: { characters: [] } });
    await user.type(field('character'), 'A secret');
    await run(user);
    await screen.findByText('Success 200');
    expect(kept()).toHaveLength(2);
    await logOut(user);
    expect(kept()).toEqual([]);

    goTo('/api?endpoint=anilist-character');

    await waitFor(() => expect(field('character')).toHaveValue(''));
    expect(screen.queryByText('Success 200')).toBeNull();
    await user.click(screen.getByRole('button', { name: /^Recent calls/ }));
    expect(screen.getByText('What you run is listed here.')).toBeVisible();
    server.refuse(findWire('anilist-character'), { status: 200, body: { characters: [] } });
    await user.type(field('character'), 'Of the next');
    await run(user);
    await waitFor(() => expect(kept()).toHaveLength(2));
    expect(
      kept()
        .map((key) => localStorage.getItem(key))
        .join(),
    ).not.toContain('secret');
  });

  test('a call that was still running is not stored', async () => {
    const { user, server, goTo } = await openPlayground('?endpoint=anilist-character', {
      as: 4242,
    });
    const release = server.hang(findWire('anilist-character'));
    await user.type(field('character'), 'A secret');
    await run(user);
    await waitFor(() => expect(sentUrls(server, 'anilist-character')).toHaveLength(1));
    await logOut(user);
    release();

    goTo('/api');
    await user.click(await screen.findByRole('button', { name: /^Recent calls/ }));

    expect(screen.getByText('What you run is listed here.')).toBeVisible();
    expect(kept()).toEqual([]);
  });

  test('a visitor who logs in keeps what they have typed', async () => {
    const { user, goTo, testServer } = await openPlayground('?endpoint=anilist-character');
    await user.type(field('character'), 'Holo');

    localStorage.setItem('accessToken', await testServer.signUp(4242));
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'accessToken' })));
    await screen.findByRole('button', { name: 'Logout' });
    goTo('/api?endpoint=anilist-character');

    expect(field('character')).toHaveValue('Holo');
  });
});
