/** A page whose device has no network: what was seen is shown as old, and what is changed waits. */
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { listChanges } from '#contract/endpoints/chat-changes';
import { readValues } from '#contract/endpoints/chat-values';
import { listChats, readChat, setSetting } from '#contract/endpoints/chats';
import { queryModels } from '#contract/endpoints/models';
import { readCapabilities, readHealth } from '#contract/endpoints/site';
import { takeChatAway } from '#tests/chats';
import { dialog } from '#tests/history';
import { cardNames, openModels } from '#tests/hub';
import { openDashboard } from '#tests/open-dashboard';
import { cats, isBlocked, openSettings, toggle, updateFailed } from '#tests/open-settings';

const everything = [
  listChats,
  readChat,
  readValues,
  listChanges,
  setSetting,
  readCapabilities,
  queryModels,
];

const chats = [{ id: cats, name: 'Cat lovers', topics: [0] }];

type App = Pick<Awaited<ReturnType<typeof openSettings>>, 'server'>;

/** What the browser says of the network. */
const network = { isThere: true };
beforeEach(() => {
  network.isThere = true;
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => network.isThere });
});

afterEach(() => void Reflect.deleteProperty(navigator, 'onLine'));

function goOffline({ server }: App): void {
  network.isThere = false;
  dispatchEvent(new Event('offline'));
  everything.forEach((endpoint) => server.drop(endpoint));
}

function goOnline({ server }: App): void {
  everything.forEach(server.heal);
  network.isThere = true;
  dispatchEvent(new Event('online'));
}

describe('a setting that is changed without a network', () => {
  test('waits visibly, and is sent when there is one', async () => {
    const app = await openSettings();
    goOffline(app);

    await app.user.click(toggle());

    expect(await screen.findByText('1 change waits for the network.')).toBeVisible();
    expect(toggle()).toBeChecked();
    expect(screen.queryByText(updateFailed, { exact: false })).toBeNull();
    expect(await isBlocked(app.testServer, 'photo')).toBe(false);

    goOnline(app);

    await waitFor(async () => expect(await isBlocked(app.testServer, 'photo')).toBe(true));
    await waitFor(() => expect(screen.queryByText(/waits? for the network/)).toBeNull());
    expect(toggle()).toBeChecked();
  });

  test('and back again is sent as it was chosen last', async () => {
    const app = await openSettings();
    goOffline(app);
    await app.user.click(toggle());
    await screen.findByText('1 change waits for the network.');
    await waitFor(() => expect(toggle()).not.toHaveAttribute('aria-disabled'));
    await app.user.click(toggle());
    await waitFor(() => expect(toggle()).not.toBeChecked());

    goOnline(app);

    await waitFor(() => expect(screen.queryByText(/waits? for the network/)).toBeNull());
    expect(await isBlocked(app.testServer, 'photo')).toBe(false);
    const sent = app.server.requestsTo(setSetting).at(-1);
    expect(sent?.body ?? sent?.url.searchParams.toString()).toEqual(
      expect.objectContaining({ value: false }),
    );
  });

  test('is sent by the next page when this one is closed', async () => {
    const app = await openSettings();
    goOffline(app);
    await app.user.click(toggle());
    await screen.findByText('1 change waits for the network.');
    await waitFor(() => expect(localStorage.getItem('nori_waiting_changes')).not.toBeNull());
    await waitFor(() => expect(localStorage.getItem('nori_last_known_chats')).not.toBeNull());

    await app.reload();

    expect(await screen.findByText('1 change waits for the network.')).toBeVisible();
    expect(await screen.findByRole('switch', { name: 'photo, General' })).toBeChecked();
    goOnline(app);
    await waitFor(async () => expect(await isBlocked(app.testServer, 'photo')).toBe(true));
    await waitFor(() => expect(localStorage.getItem('nori_waiting_changes')).toBeNull());
  });

  test('is refused with the reason of the server, and goes back', async () => {
    const app = await openSettings();
    goOffline(app);
    await app.user.click(toggle());
    await screen.findByText('1 change waits for the network.');

    network.isThere = true;
    app.server.heal(readChat);
    app.server.refuse(setSetting, {
      status: 409,
      body: { detail: 'This kind of message is not blocked here.', code: 'conflict' },
    });
    dispatchEvent(new Event('online'));

    expect(
      await screen.findByText(
        'A change that waited for the network was refused: This kind of message is not blocked here.',
      ),
    ).toBeVisible();
    await waitFor(() => expect(toggle()).not.toBeChecked());
  });

  test('in a chat that was lost meanwhile says so', async () => {
    const app = await openSettings();
    goOffline(app);
    await app.user.click(toggle());
    await screen.findByText('1 change waits for the network.');
    await takeChatAway(app.testServer, cats);

    goOnline(app);

    expect(await screen.findByText(/You no longer manage Cat lovers/)).toBeVisible();
  });

  test('is not sent once its user has logged out', async () => {
    const app = await openSettings();
    goOffline(app);
    await app.user.click(toggle());
    await screen.findByText('1 change waits for the network.');
    await app.user.click(screen.getByRole('button', { name: 'Logout' }));
    const question = await dialog('Confirm Logout');
    await app.user.click(question.getByRole('button', { name: 'Logout' }));
    await screen.findByRole('heading', { name: 'Log in' });
    const sent = app.server.requestsTo(setSetting).length;
    const checks = app.server.requestsTo(readHealth).length;

    goOnline(app);

    // The page asks at once whether the server is there.
    await waitFor(() => expect(app.server.requestsTo(readHealth).length).toBeGreaterThan(checks));
    await new Promise(setImmediate);
    expect(app.server.requestsTo(setSetting)).toHaveLength(sent);
    expect(screen.queryByText(/was refused/)).toBeNull();
    expect(localStorage.getItem('nori_waiting_changes')).toBeNull();
  });

  test('more than a day ago is not sent, and the user is told', async () => {
    const app = await openSettings();
    goOffline(app);
    await app.user.click(toggle());
    await waitFor(() => expect(localStorage.getItem('nori_waiting_changes')).not.toBeNull());
    await waitFor(() => expect(localStorage.getItem('nori_last_known_chats')).not.toBeNull());
    const stored = localStorage.getItem('nori_waiting_changes') ?? '';
    localStorage.setItem(
      'nori_waiting_changes',
      stored.replace(/"at":\d+/, `"at":${Date.now() - 90_000_000}`),
    );

    await app.reload();

    expect(await screen.findByText(/^1 change has waited for more than a day/)).toBeVisible();
    expect(await screen.findByRole('switch', { name: 'photo, General' })).not.toBeChecked();
    expect(localStorage.getItem('nori_waiting_changes')).toBeNull();
  });
});

describe('what was seen', () => {
  test('of the chats is listed, marked with its time, and read again with a network', async () => {
    const app = await openDashboard('/dashboard', { chats });
    await screen.findByText('Cat lovers');
    goOffline(app);

    await app.reload();

    expect(await screen.findByText(/^No connection: this is how it was at /)).toBeVisible();
    expect(await screen.findByText('Cat lovers')).toBeVisible();
    goOnline(app);
    await waitFor(() => expect(screen.queryByText(/^No connection/)).toBeNull());
  });

  test('of the history of a chat is shown', async () => {
    const app = await openSettings();
    await app.user.click(toggle());
    await waitFor(async () => expect(await isBlocked(app.testServer, 'photo')).toBe(true));
    app.goTo(`/dashboard?chat=${cats}&view=history`);
    await screen.findByRole('heading', { name: 'History of changes' });
    await screen.findByText(/photo/);
    goOffline(app);

    await app.reload();

    expect(await screen.findByText(/^No connection: this is how it was at /)).toBeVisible();
    expect(await screen.findByText(/photo/)).toBeVisible();
  });

  test('of the models is shown', async () => {
    const app = await openModels();
    await waitFor(() => expect(cardNames().length).toBeGreaterThan(3));
    const names = cardNames();
    goOffline(app);

    await app.reload();

    expect(
      await screen.findByText(/^No connection: this is how it was at /, {}, { timeout: 15_000 }),
    ).toBeVisible();
    await waitFor(() => expect(cardNames()).toEqual(names));
  });

  test('is nothing where nothing was seen: the error says what to do', async () => {
    const app = await openDashboard('/dashboard', { chats });
    await waitFor(() => expect(localStorage.getItem('nori_last_seen')).not.toBeNull());
    goOffline(app);
    localStorage.removeItem('nori_last_seen');

    await app.reload();

    expect(
      await screen.findByText('Your chats could not be loaded.', {}, { timeout: 15_000 }),
    ).toBeVisible();
    expect(screen.queryByText(/^No connection/)).toBeNull();
  });
});
