/** Keeping the settings fresh: refreshes, other devices, lost access and new IDs. */
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, onTestFinished, test } from 'vitest';

import { readChat, setSetting } from '#contract/endpoints/chats';
import { giveChats, takeChatAway } from '#tests/chats';
import { dogs, openDashboard, person } from '#tests/open-dashboard';
import {
  button,
  cats,
  changeElsewhere,
  choose,
  notice,
  openSettings,
  stored,
  toggle,
  updateFailed,
} from '#tests/open-settings';

describe('refreshing', () => {
  test('shows what changed elsewhere, and turns for about 0.8 seconds', async () => {
    const app = await openSettings();
    await changeElsewhere(app, true);

    const begun = performance.now();
    await choose(app, 'Refresh settings');
    expect(await button('Menu')).toHaveAttribute('aria-busy', 'true');
    await waitFor(() => expect(toggle()).toBeChecked());
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Menu' })).not.toHaveAttribute('aria-busy'),
    );

    expect(performance.now() - begun).toBeGreaterThan(700);
  });

  test('that fails shows an error, and the settings stay', async () => {
    const app = await openSettings();
    app.server.refuse(readChat, { status: 500 });

    await choose(app, 'Refresh settings');

    expect(await notice()).toHaveTextContent('Failed to refresh settings. Please try again.');
    expect(toggle()).toBeVisible();
  });

  test('pressed twice sends one request', async () => {
    const app = await openSettings();
    const before = app.server.requestsTo(readChat).length;

    const deliver = app.server.hang(readChat);

    await choose(app, 'Refresh settings');
    await choose(app, 'Refresh settings');
    await screen.findByText('Refreshing settings...');
    deliver();
    await waitFor(() => expect(screen.queryByText('Refreshing settings...')).toBeNull());

    expect(app.server.requestsTo(readChat)).toHaveLength(before + 1);
  });

  test('happens when the window gains the focus', async () => {
    const app = await openSettings();
    await changeElsewhere(app, true);

    window.dispatchEvent(new Event('focus'));

    await waitFor(() => expect(toggle()).toBeChecked());
  });
});

describe('another tab of the same browser', () => {
  const otherTab = () => {
    const channel = new BroadcastChannel('nori');
    onTestFinished(() => channel.close());
    return channel;
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has no other origin.
  const tellFromOtherTab = () => otherTab().postMessage('chats');

  test('that changed something causes a read, though this one stayed visible', async () => {
    const app = await openSettings();
    await changeElsewhere(app, true);

    tellFromOtherTab();

    await waitFor(() => expect(toggle()).toBeChecked());
    expect(screen.getByText('1 blocked')).toBeVisible();
  });

  test('learns of a change made here, and this one reads nothing again', async () => {
    const app = await openSettings();
    const reads = app.server.requestsTo(readChat).length;
    const heard = new Promise((resolve) => {
      otherTab().addEventListener('message', ({ data }: MessageEvent) => resolve(data));
    });

    await app.user.click(toggle());

    expect(await heard).toBe('chats');
    expect(await stored(app)).toBe(true);
    expect(app.server.requestsTo(readChat)).toHaveLength(reads);
  });

  test('that changed the list causes a read, too', async () => {
    const app = await openDashboard('/dashboard?step=add', { chats: [{ id: cats, name: 'Cats' }] });
    await app.user.click(await button('Back to List'));
    await screen.findByRole('link', { name: /Cats/ });
    await giveChats(app.testServer, person, [{ id: dogs, name: 'Dogs' }]);

    tellFromOtherTab();

    expect(await screen.findByRole('link', { name: /Dogs/ })).toBeVisible();
  });
});

describe('a chat that the user no longer manages', () => {
  const gone = 'You no longer manage Cat lovers. Verify that you own it to change its settings.';

  test('is left as soon as a write is refused', async () => {
    const app = await openSettings();
    await takeChatAway(app.testServer, cats);

    await app.user.click(toggle());

    expect(await notice()).toHaveTextContent(gone);
    expect(await screen.findByText('No chats available')).toBeVisible();
    expect(window.location.search).toBe('');
    expect(screen.queryByText(updateFailed, { exact: false })).toBeNull();
  });

  test('is left when another backend refuses the change and then the chat', async () => {
    const app = await openSettings();
    app.server.refuse(setSetting, { status: 403, body: { detail: 'Forbidden' } });
    app.server.refuse(readChat, { status: 404, body: { detail: 'The chat was archived.' } });

    await app.user.click(toggle());

    expect(await screen.findByText(`${gone} The chat was archived.`)).toBeVisible();
    expect(window.location.search).toBe('');
  });

  test('is left as soon as a read is refused', async () => {
    const app = await openSettings();
    await takeChatAway(app.testServer, cats);

    window.dispatchEvent(new Event('focus'));

    expect(await notice()).toHaveTextContent(gone);
    expect(await screen.findByText('No chats available')).toBeVisible();
  });
});

test('a group that became a supergroup is followed to its new ID', async () => {
  const present = -1005550001112;
  const app = await openSettings({ path: `/dashboard?chat=${cats}&topic=0` });
  app.server.refuse(readChat, {
    status: 200,
    body: { chat_id: present, chat_name: 'Cat lovers', topics: { '0': { photo_blocked: true } } },
  });

  await app.reload();

  expect(await screen.findByText('This group became a supergroup')).toBeVisible();
  await waitFor(() => expect(window.location.search).toBe(`?chat=${present}&topic=0`));
  expect(await screen.findByText(`ID: ${present}`)).toBeVisible();
  expect(await screen.findByRole('switch', { name: 'photo, General' })).toBeChecked();
  expect(screen.getAllByText('This group became a supergroup')).toHaveLength(1);
});
