/** Undoing a change of many settings: for ten seconds, on any screen, by button or by key. */
import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { revertChange } from '#contract/endpoints/chat-changes';
import {
  button,
  changeElsewhere,
  notice,
  openSettings,
  stored,
  toggle,
  shownBlocked,
  storedIn,
} from '#tests/open-settings';

afterEach(() => vi.useRealTimers());

const origin = ['forward_blocked', 'via_bot_blocked'];

describe('undoing', () => {
  async function blockOrigin() {
    const app = await openSettings();
    await app.user.click(toggle('forward, General'));
    await waitFor(async () => expect(await storedIn(app)).toEqual(['forward_blocked']));
    await app.user.click(await button('Block all: Origin, General'));
    await screen.findByText('Origin in General: 1 setting blocked.');
    expect(await storedIn(app)).toEqual(origin);
    return app;
  }

  test('restores the settings and the focus', async () => {
    const app = await blockOrigin();

    (await button('Undo')).focus();
    await app.user.keyboard('{Enter}');

    expect(shownBlocked()).toEqual(['forward, General']);
    expect(await button('Block all: Origin, General')).toHaveFocus();
    expect(await screen.findByText('Undone: everything is as it was.')).toBeVisible();
    expect(await storedIn(app)).toEqual(['forward_blocked']);
    expect(app.server.requestsTo(revertChange)[0]?.body).toEqual({ kind: 'undo' });
  });

  test('works by a key, without moving the focus', async () => {
    const app = await blockOrigin();
    toggle('story, General').focus();

    await app.user.keyboard('{Control>}z{/Control}');

    await waitFor(async () => expect(await storedIn(app)).toEqual(['forward_blocked']));
    expect(toggle('story, General')).toHaveFocus();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(app.server.requestsTo(revertChange)).toHaveLength(1);
  });

  test('does not happen while the user types', async () => {
    const app = await blockOrigin();

    await app.user.click(screen.getByRole('searchbox'));
    await app.user.keyboard('{Control>}z{/Control}');

    expect(await button('Undo')).toBeVisible();
    expect(app.server.requestsTo(revertChange)).toHaveLength(0);
  });

  test('is offered for 10 seconds', async () => {
    const app = await openSettings();
    const blockAll = await button('Block all: Origin, General');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
    blockAll.click();
    await screen.findByText('Origin in General: 2 settings blocked.');

    await vi.advanceTimersByTimeAsync(9000);
    expect(screen.getByRole('button', { name: 'Undo' })).toBeVisible();
    await vi.advanceTimersByTimeAsync(1500);

    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(await storedIn(app)).toEqual(origin);
  });

  test('works after the settings were left', async () => {
    const app = await blockOrigin();
    await app.user.click(await button('Back to List'));
    await screen.findByRole('heading', { name: 'Manage Your Chats' });

    await app.user.click(await button('Undo'));

    await waitFor(async () => expect(await storedIn(app)).toEqual(['forward_blocked']));
    await app.user.click(await screen.findByRole('link', { name: /Cat lovers/ }));
    await screen.findByRole('switch', { name: 'forward, General' });
    await waitFor(() => expect(shownBlocked()).toEqual(['forward, General']));
  });

  test('skips settings that were changed again since then, and says so', async () => {
    const app = await openSettings();
    await app.user.click(await button('Block all: Media, General'));
    await screen.findByText('Media in General: 10 settings blocked.');
    await changeElsewhere(app, false);

    await app.user.click(await button('Undo'));

    expect(
      await screen.findByText('Undone, except for 1 setting that were changed again since then.'),
    ).toBeVisible();
    expect(await storedIn(app)).toEqual([]);
    expect(await stored(app)).toBe(false);
    await waitFor(() => expect(shownBlocked()).toEqual([]));
  });

  test('that fails shows the stored settings, and can be tried again', async () => {
    const app = await blockOrigin();
    app.server.refuse(revertChange, { status: 500 });

    await app.user.click(await button('Undo'));

    expect(await notice()).toHaveTextContent('The change could not be undone. Please try again.');
    expect(shownBlocked()).toEqual(['forward, General', 'via bot, General']);
    app.server.heal(revertChange);
    await app.user.click(await button('Try again'));

    expect(await screen.findByText('Undone: everything is as it was.')).toBeVisible();
    expect(await storedIn(app)).toEqual(['forward_blocked']);
  });
});
