/** The switch "Under attack": on the tab "Joining", in the menu of the chat, and as a bar on every tab. */
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { readChatNumbers } from '#contract/endpoints/chat-numbers';
import { changeValues, readValues } from '#contract/endpoints/chat-values';
import { readCapabilities } from '#contract/endpoints/site';
import {
  type App,
  openSection,
  setByCommand,
  setElsewhere,
  storedValues,
  setServerClock,
} from '#tests/chat-sections';
import { button, cats, choose, notice, updateFailed } from '#tests/open-settings';

const attackSwitch = () => screen.findByRole('switch', { name: 'Under attack' });
const end = () => button('End: under attack');
const strip = () => screen.queryByText(/^Under attack since /);
const storedInChat = async (app: App) => (await storedValues(app))['chat'];

const hour = 3_600_000;
const current = () => ({ since: Date.now() - hour, until: Date.now() + 23 * hour });

afterEach(() => {
  vi.useRealTimers();
});

async function answer({ user }: App, name: 'Switch on' | 'Cancel'): Promise<void> {
  const question = await screen.findByRole('dialog', { name: 'Under attack?' });
  await user.click(within(question).getByRole('button', { name }));
}

describe('switching it on', () => {
  test('says what will happen first, is shown at once on every tab, and lasts a day', async () => {
    const app = await openSection('joining');
    setServerClock(app);
    expect(await attackSwitch()).not.toBeChecked();

    await app.user.click(await attackSwitch());
    expect(await screen.findByRole('dialog', { name: 'Under attack?' })).toHaveTextContent(
      'For 24 hours, newcomers are removed, and links that members write are deleted. You can end it at any time.',
    );
    expect(await attackSwitch()).not.toBeChecked();
    const release = app.server.hang(changeValues);
    await answer(app, 'Switch on');

    await waitFor(() => expect(strip()).toBeVisible());
    expect(await attackSwitch()).toBeChecked();
    expect(await attackSwitch()).toHaveAccessibleDescription(/^Since .+, until .+\.$/);
    expect(await storedInChat(app)).toBeUndefined();
    release();
    await waitFor(async () =>
      expect(await storedInChat(app)).toEqual({
        attack: { since: expect.any(Number), until: expect.any(Number) },
      }),
    );
    const { attack } = (await storedInChat(app)) ?? {};
    expect(attack).toEqual(expect.objectContaining({ until: Object(attack).since + 24 * hour }));
    await app.user.click(await screen.findByRole('tab', { name: 'Locks' }));
    expect(strip()).toBeVisible();
  });

  test('is not done when the question is answered with no', async () => {
    const app = await openSection('joining');

    await app.user.click(await attackSwitch());
    await answer(app, 'Cancel');

    expect(await attackSwitch()).not.toBeChecked();
    expect(app.server.requestsTo(changeValues)).toHaveLength(0);
  });

  test('works from the menu of the chat on any tab, by the keyboard alone', async () => {
    const app = await openSection('locks');
    setServerClock(app);
    (await button('Menu')).focus();

    await app.user.keyboard('{Enter}');
    const item = await screen.findByRole('menuitem', { name: 'Under attack...' });
    while (document.activeElement !== item) {
      await app.user.keyboard('{ArrowDown}');
    }
    await app.user.keyboard('{Enter}');
    const question = await screen.findByRole('dialog', { name: 'Under attack?' });
    within(question).getByRole('button', { name: 'Switch on' }).focus();
    await app.user.keyboard('{Enter}');

    await waitFor(() => expect(strip()).toBeVisible());
    await app.user.click(await button('Menu'));
    expect(await screen.findByRole('menuitem', { name: 'End “Under attack”' })).toBeVisible();
  });

  test('that is refused is taken back, with a message', async () => {
    const app = await openSection('joining');
    app.server.refuse(changeValues, { status: 500 });

    await app.user.click(await attackSwitch());
    await answer(app, 'Switch on');

    expect(await notice()).toHaveTextContent(updateFailed);
    expect(await attackSwitch()).not.toBeChecked();
    expect(strip()).toBeNull();
  });
});

describe('ending it', () => {
  const openAttacked = () =>
    openSection('locks', { prepare: (server) => setByCommand(server, { attack: current() }) });

  test('needs no question, and can be undone', async () => {
    const app = await openAttacked();
    const before = await storedInChat(app);
    await waitFor(() => expect(strip()).toBeVisible());

    await app.user.click(await end());

    await waitFor(() => expect(strip()).toBeNull());
    expect(await screen.findByText(/^No longer under attack\./)).toBeVisible();
    expect(await storedInChat(app)).toBeUndefined();
    await app.user.click(await button('Undo'));
    await waitFor(() => expect(strip()).toBeVisible());
    expect(await storedInChat(app)).toEqual(before);
  });

  test('that is refused leaves the bar where it was', async () => {
    const app = await openAttacked();
    app.server.refuse(changeValues, { status: 500 });

    await app.user.click(await end());

    expect(await notice()).toHaveTextContent(updateFailed);
    expect(strip()).toBeVisible();
    expect(screen.queryByText(/^No longer under attack\./)).toBeNull();
  });

  test('works from the menu', async () => {
    const app = await openAttacked();
    await waitFor(() => expect(strip()).toBeVisible());

    await choose(app, 'End “Under attack”');

    await waitFor(async () => expect(await storedInChat(app)).toBeUndefined());
    expect(strip()).toBeNull();
  });
});

describe('what it did', () => {
  /** An attack that began by the server's clock. */
  const openCounted = (counts: Readonly<Record<'raid_removed' | 'deleted:url_blocked', number>>) =>
    openSection('joining', {
      prepare: async (server) => {
        await setByCommand(server, {
          attack: { since: server.now() - hour, until: Date.now() + 23 * hour },
        });
        const { chatNumbers } = server.services;
        chatNumbers.count(cats, 'raid_removed', { times: counts.raid_removed });
        chatNumbers.count(cats, 'deleted:url_blocked', {
          topicId: 0,
          times: counts['deleted:url_blocked'],
        });
        await chatNumbers.save();
      },
    });

  test('is told when it ends, and stays below the switch', async () => {
    const app = await openCounted({ raid_removed: 280, 'deleted:url_blocked': 1900 });

    await app.user.click(await attackSwitch());

    const told = 'Held back: 280 newcomers. Deleted: 1,900 messages.';
    expect(await screen.findByText(`No longer under attack. ${told}`)).toBeVisible();
    expect(await screen.findByText(new RegExp(`^Last time: .+\\. ${told}$`))).toBeVisible();
    await app.user.click(await button('Undo'));
    await waitFor(() => expect(strip()).toBeVisible());
  });

  test('is not told where the numbers cannot be read, and it is over all the same', async () => {
    const app = await openCounted({ raid_removed: 1, 'deleted:url_blocked': 1 });
    app.server.refuse(readChatNumbers, { status: 500 });

    await app.user.click(await attackSwitch());

    expect(await screen.findByText('No longer under attack.')).toBeVisible();
    expect(strip()).toBeNull();
  });
});

test('one whose time is over is not shown', async () => {
  await openSection('joining', {
    prepare: (server) =>
      setByCommand(server, { attack: { since: Date.now() - 25 * hour, until: Date.now() - hour } }),
  });

  expect(await attackSwitch()).not.toBeChecked();
  expect(strip()).toBeNull();
});

test('what another administrator switches is shown on the open page', async () => {
  const app = await openSection('locks');
  setServerClock(app);
  await waitFor(() => expect(app.server.openStreams()).toBe(1));
  await waitFor(() => expect(app.server.requestsTo(readValues).length).toBeGreaterThan(0));

  await setElsewhere(app, app.other.telegramId, { chat: { attack: current() } });
  await waitFor(() => expect(strip()).toBeVisible());
  await setElsewhere(app, app.other.telegramId, { chat: { attack: null } });

  await waitFor(() => expect(strip()).toBeNull());
});

test('a server without values has no such switch', async () => {
  const app = await openSection('locks', {
    onConnect: (network) => network.refuse(readCapabilities, { status: 404 }),
  });

  await app.user.click(await button('Menu'));

  expect(await screen.findByRole('menuitem', { name: 'Refresh settings' })).toBeVisible();
  expect(screen.queryByRole('menuitem', { name: /Under attack/ })).toBeNull();
  expect(app.server.requestsTo(readValues)).toHaveLength(0);
  expect(window.location.search).toBe(`?chat=${cats}&section=locks`);
});
