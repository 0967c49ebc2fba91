/** The history of a chat, and reverting its changes. */
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { getPresetSettings } from '#contract/chats/presets';
import { changeSettings, listChanges, revertChange } from '#contract/endpoints/chat-changes';
import { setSetting } from '#contract/endpoints/chats';
import { button, cats, choose, notice, toggle, isBlocked, openShared } from '#tests/open-settings';

type App = Awaited<ReturnType<typeof openShared>>;
const hourMs = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
});

async function openHistory(app: Pick<App, 'user'>): Promise<void> {
  await choose(app, 'History of changes');
  await screen.findByRole('heading', { level: 2, name: 'History of changes' });
}

const entries = async () => {
  await screen.findAllByRole('heading', { level: 3 });
  const days = within(screen.getByRole('main')).getAllByRole('list');
  return days.flatMap((list) => Array.from(list.children));
};

/** The entry with this text. */
function entry(text: RegExp): Promise<HTMLElement> {
  return waitFor(async () => {
    const found = (await entries()).find((one) => text.test(one.textContent ?? ''));
    if (!(found instanceof HTMLElement)) {
      throw new Error(`No entry says ${text.source}`);
    }
    return found;
  });
}

async function confirm(user: App['user'], name: string): Promise<void> {
  const dialog = await screen.findByRole('dialog', { name: 'Revert this change?' });
  await user.click(within(dialog).getByRole('button', { name }));
}

describe('the history', () => {
  test('says that there are no changes', async () => {
    const app = await openShared();
    await openHistory(app);

    expect(await screen.findByText('No changes yet')).toBeVisible();
    expect(window.location.search).toBe(`?chat=${cats}&view=history`);
  });

  test('lists changes with their authors, by day, the newest first', async () => {
    const app = await openShared({ topics: [0, 4] });
    const call = (topics: Record<string, Record<string, boolean>>, rest: object) =>
      app.testServer.call(
        changeSettings,
        { chat_id: String(cats), kind: 'preset', topics, ...rest },
        { token: app.token },
      );
    await app.other.toggle('photo', true);
    app.testServer.wait(26 * hourMs);
    await call(
      { 4: getPresetSettings('no_links_or_forwards') },
      { preset: 'no_links_or_forwards' },
    );
    app.testServer.wait(hourMs);
    await app.other.change({ 0: { dice_blocked: true }, 4: { dice_blocked: true } });
    vi.useFakeTimers({ toFake: ['Date'], now: app.testServer.now() });
    await openHistory(app);

    const told = (await entries()).map((one) => one.textContent);
    expect(told).toHaveLength(3);
    expect(told[0]).toContain('Mara changed 2 settings at once in 2 topics');
    expect(told[1]).toContain('You applied “No links or forwards” in Topic 4: 3 settings');
    expect(told[2]).toContain('Mara blocked photo in General');
    const days = screen.getAllByRole('heading', { level: 3 }).map((day) => day.textContent);
    expect(days).toEqual(['Today', expect.not.stringMatching('Today')]);
  });

  test('lists the settings of a large change on demand', async () => {
    const app = await openShared({ topics: [0, 4] });
    await app.other.change({
      0: { photo_blocked: true, dice_blocked: true },
      4: { video_note_blocked: true },
    });
    await openHistory(app);

    await app.user.click(await button('Show 3 settings'));
    expect(screen.getByText('Blocked: photo, dice')).toBeVisible();
    expect(screen.getByText('Blocked: video note')).toBeVisible();
    expect(screen.getByText('Topic 4')).toBeVisible();
    await app.user.click(await button('Hide 3 settings'));
    expect(screen.queryByText('Blocked: photo, dice')).toBeNull();
  });

  test('loads more on demand', async () => {
    const app = await openShared();
    for (let count = 0; count < 60; count += 1) {
      await app.other.toggle('photo', count % 2 === 0);
      app.testServer.wait(60_000);
    }
    await openHistory(app);
    const before = (await entries()).length;
    expect(before).toBeLessThan(60);

    while (screen.queryByText('These are all the changes that are kept.') === null) {
      await app.user.click(await button('Show more'));
      await waitFor(() => expect(screen.queryByRole('button', { busy: true })).toBeNull());
    }

    expect(await entries()).toHaveLength(60);
  });

  test('shows new changes', async () => {
    const app = await openShared();
    await openHistory(app);
    await screen.findByText('No changes yet');
    await waitFor(() => expect(app.server.openStreams()).toBe(1));

    await app.other.toggle('photo', true);

    expect(await screen.findByText('blocked photo in General', { exact: false })).toBeVisible();
  });

  test('that cannot be loaded shows an error, and can be loaded again', async () => {
    const app = await openShared();
    app.server.refuse(listChanges, { status: 400, body: { detail: 'The list is broken.' } });
    await openHistory(app);

    expect(await screen.findByText('The changes could not be loaded.')).toBeVisible();
    expect(screen.getByText('The list is broken.')).toBeVisible();
    app.server.heal(listChanges);
    await app.user.click(await button('Try again'));

    expect(await screen.findByText('No changes yet')).toBeVisible();
  });

  test('leads back to the settings, by its button and by Back, and survives a reload', async () => {
    const app = await openShared();
    await openHistory(app);
    await app.reload();
    await app.user.click(await button('Back to settings'));

    expect(await screen.findByRole('switch', { name: 'photo, General' })).toBeVisible();
    window.history.back();
    expect(await screen.findByRole('heading', { name: 'History of changes' })).toBeVisible();
  });
});

describe('reverting a change', () => {
  test('asks first, and then restores all settings', async () => {
    const app = await openShared();
    await app.other.change({ 0: { photo_blocked: true, video_blocked: true } });
    await openHistory(app);
    const large = await entry(/changed 2 settings at once/);

    await app.user.click(within(large).getByRole('button', { name: /^Revert: Mara changed/ }));
    await confirm(app.user, 'Cancel');
    expect(app.server.requestsTo(revertChange)).toHaveLength(0);
    await app.user.click(within(large).getByRole('button', { name: /^Revert: Mara changed/ }));
    await confirm(app.user, 'Revert');

    expect(await screen.findByText('Reverted: 2 settings.')).toBeVisible();
    expect(await entry(/You reverted 2 settings in General/)).toBeVisible();
    expect(await isBlocked(app.testServer, 'photo')).toBe(false);
    await app.user.click(await button('Back to settings'));
    await screen.findByRole('switch', { name: 'photo, General' });
    expect(toggle()).not.toBeChecked();
  });

  test('can itself be undone at once', async () => {
    const app = await openShared();
    await app.other.change({ 0: { photo_blocked: true, video_blocked: true } });
    await openHistory(app);
    const large = await entry(/changed 2 settings at once/);
    await app.user.click(within(large).getByRole('button', { name: /^Revert: Mara changed/ }));
    await confirm(app.user, 'Revert');
    await screen.findByText('Reverted: 2 settings.');

    await app.user.click(await button('Undo'));

    expect(await entry(/You undid a change of 2 settings in General/)).toBeVisible();
    expect(await isBlocked(app.testServer, 'photo')).toBe(true);
    expect(await isBlocked(app.testServer, 'video')).toBe(true);
  });

  test('leaves settings that were changed again since then, and counts them', async () => {
    const app = await openShared();
    await app.other.change({ 0: { photo_blocked: true, video_blocked: true } });
    app.testServer.wait(1000);
    await app.other.toggle('photo', false);
    await openHistory(app);

    const large = await entry(/changed 2 settings at once/);
    await app.user.click(within(large).getByRole('button', { name: /^Revert/ }));
    await confirm(app.user, 'Revert');

    expect(
      await screen.findByText(
        'Reverted: 1 setting. 1 setting changed again since then: left as is.',
      ),
    ).toBeVisible();
    expect(await isBlocked(app.testServer, 'video')).toBe(false);
  });

  test('says so when all settings were changed again', async () => {
    const app = await openShared();
    await app.other.toggle('photo', true);
    app.testServer.wait(1000);
    await app.other.toggle('photo', false);
    await openHistory(app);

    const first = await entry(/blocked photo/);
    await app.user.click(within(first).getByRole('button', { name: /^Revert/ }));
    await confirm(app.user, 'Revert');

    expect(await screen.findByText(/^Nothing to revert/)).toBeVisible();
  });

  test('that is refused shows an error, and nothing changes', async () => {
    const app = await openShared();
    await app.other.toggle('photo', true);
    await openHistory(app);
    app.server.refuse(revertChange, { status: 500 });

    const first = await entry(/blocked photo/);
    await app.user.click(within(first).getByRole('button', { name: /^Revert/ }));
    await confirm(app.user, 'Revert');

    expect(await notice()).toHaveTextContent('The change could not be reverted. Please try again.');
    expect(await isBlocked(app.testServer, 'photo')).toBe(true);
  });

  test('returns the focus when it was cancelled', async () => {
    const app = await openShared();
    const change = { chat_id: cats, topic_id: 0, setting_name: 'photo_blocked', value: true };
    await app.testServer.call(setSetting, change, { token: app.token });
    await openHistory(app);
    const revert = within(await entry(/You blocked photo in General/)).getByRole('button', {
      name: /^Revert: You blocked photo/,
    });

    await app.user.click(revert);
    await confirm(app.user, 'Cancel');

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(revert).toBeEnabled();
    expect(revert).toHaveFocus();
    expect(await isBlocked(app.testServer, 'photo')).toBe(true);
  });

  test('of one’s own toggle works by the keyboard', async () => {
    const app = await openShared();
    const change = { chat_id: cats, topic_id: 0, setting_name: 'photo_blocked', value: true };
    await app.testServer.call(setSetting, change, { token: app.token });
    await openHistory(app);
    const own = await entry(/You blocked photo in General/);

    within(own)
      .getByRole('button', { name: /^Revert: You blocked photo/ })
      .focus();
    await app.user.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Revert this change?' });
    within(dialog).getByRole('button', { name: 'Revert' }).focus();
    await app.user.keyboard('{Enter}');

    await waitFor(async () => expect(await isBlocked(app.testServer, 'photo')).toBe(false));
  });
});
