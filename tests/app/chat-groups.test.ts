/** Settings in groups: their explanations, and blocking, allowing and undoing a whole group. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { messageTypes, settingName } from '#contract/chats/message-types';
import { changeSettings } from '#contract/endpoints/chat-changes';
import { readChat, setSetting } from '#contract/endpoints/chats';
import {
  type App,
  button,
  cats,
  notice,
  openSettings,
  toggle,
  topicHeadings,
  updateFailed,
  group,
  shownBlocked,
  storedIn,
} from '#tests/open-settings';

const media = messageTypes.media.map(settingName).toSorted();
const origin = ['forward_blocked', 'via_bot_blocked'];

/** The settings with the answer of another backend. */
async function openAnswer(chat: Record<string, unknown>): Promise<App> {
  const app = await openSettings();
  app.server.refuse(readChat, { status: 200, body: { chat_id: cats, ...chat } });
  await app.reload();
  return app;
}

describe('the settings of a topic', () => {
  test('stand in groups with headings, each with an explanation', async () => {
    await openSettings();

    const headings = screen.getAllByRole('heading', { level: 4 }).map((it) => it.textContent);
    expect(headings).toEqual(['Media', 'Objects', 'Text', 'Origin', 'More']);
    expect(within(group('Media')).getAllByRole('switch')).toHaveLength(10);
    expect(within(group('Objects')).getAllByRole('switch')).toHaveLength(8);
    expect(within(group('Text')).getAllByRole('switch')).toHaveLength(7);
    expect(within(group('Origin')).getAllByRole('switch')).toHaveLength(2);
    const lines = within(screen.getByRole('region', { name: /^General/ }))
      .getAllByRole('listitem')
      .map((row) => row.querySelector('p')?.textContent ?? '');
    expect(lines).toHaveLength(27);
    expect(new Set(lines).size).toBe(27);
    expect(lines.every((line) => line.length > 10 && line.endsWith('.'))).toBe(true);
  });

  test('of unknown message types stand under Other, which cannot be changed as a whole', async () => {
    await openAnswer({ topics: { '0': { hologram_blocked: true, photo_blocked: false } } });

    await screen.findByRole('switch', { name: 'hologram, General' });
    expect(group('Other')).toHaveTextContent(/^OtherhologramBlocked$/);
    expect(await button('Block all: Media, General')).toBeVisible();
    expect(screen.queryByRole('button', { name: /Other/ })).toBeNull();
  });

  test('are changed one by one while the search filters them', async () => {
    const { user } = await openSettings();
    await button('Block all: Media, General');

    await user.type(screen.getByRole('searchbox'), 'video');

    await waitFor(() => expect(screen.getAllByRole('switch')).toHaveLength(3));
    expect(screen.queryByRole('button', { name: /^Block all/ })).toBeNull();
  });
});

describe('a topic with a name', () => {
  const named = {
    topics: { '0': { photo_blocked: false }, '42': { photo_blocked: true }, '7': {} },
    topic_names: { '0': 'Lobby', '42': 'Recipes' },
  };

  test('shows it everywhere, with its number beside it; General stays General', async () => {
    await openAnswer(named);

    expect(await screen.findByRole('switch', { name: 'photo, Recipes' })).toBeChecked();
    expect(toggle('photo, General')).not.toBeChecked();
    expect(topicHeadings()).toEqual(['General', 'Topic 7', 'RecipesTopic 42 · 1 blocked']);
    expect(await button('Block all: Media, Recipes')).toBeVisible();
  });

  test.each(['recip', '42', 'Topic 42'])('is found by "%s"', async (typed) => {
    const { user } = await openAnswer(named);
    await screen.findByRole('switch', { name: 'photo, Recipes' });

    await user.type(screen.getByRole('searchbox'), typed);

    await waitFor(() => expect(topicHeadings()).toEqual(['RecipesTopic 42 · 1 blocked']));
    expect(toggle('photo, Recipes')).toBeVisible();
  });
});

describe('a whole group', () => {
  test('is blocked at once and by one call, and no other group is', async () => {
    const app = await openSettings({ topics: [0, 9] });
    const release = app.server.hang(changeSettings);

    await app.user.click(await button('Block all: Media, General'));

    expect(within(group('Media')).getAllByRole('switch', { checked: true })).toHaveLength(10);
    expect(shownBlocked()).toHaveLength(10);
    release();
    expect(await screen.findByText('Media in General: 10 settings blocked.')).toBeVisible();
    expect(await storedIn(app)).toEqual(media);
    expect(await storedIn(app, 9)).toEqual([]);
    expect(app.server.requestsTo(changeSettings)).toHaveLength(1);
    expect(app.server.requestsTo(setSetting)).toHaveLength(0);
    expect(shownBlocked()).toHaveLength(10);
  });

  test('is allowed by keyboard, and only the settings that changed are counted', async () => {
    const app = await openSettings();
    await app.user.click(toggle('forward, General'));
    await waitFor(async () => expect(await storedIn(app)).toEqual(['forward_blocked']));

    (await button('Allow all: Origin, General')).focus();
    await app.user.keyboard('{Enter}');

    expect(await screen.findByText('Origin in General: 1 setting allowed.')).toBeVisible();
    expect(await storedIn(app)).toEqual([]);
    expect(await button('Allow all: Origin, General')).toHaveFocus();
  });

  test('that is blocked already says so', async () => {
    const app = await openSettings();

    await app.user.click(await button('Allow all: Text, General'));

    expect(
      await screen.findByText('Nothing had to change: it was all set like this already.'),
    ).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  test.each([
    ['refuses', (app: App) => app.server.refuse(changeSettings, { status: 500 })],
    ['never answers', (app: App) => app.server.drop(changeSettings)],
  ])('is reverted with an error when the server %s', async (_case, fail) => {
    const app = await openSettings();
    await button('Block all: Media, General');
    fail(app);

    await app.user.click(await button('Block all: Media, General'));

    expect(await notice()).toHaveTextContent(updateFailed);
    await waitFor(() => expect(shownBlocked()).toEqual([]));
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });
});

describe('the last press wins', () => {
  test('a toggle pressed while its group is being changed is sent after it', async () => {
    const app = await openSettings();
    const release = app.server.hang(changeSettings);
    await app.user.click(await button('Block all: Origin, General'));

    await app.user.click(toggle('forward, General'));
    expect(shownBlocked()).toEqual(['via bot, General']);
    expect(app.server.requestsTo(setSetting)).toHaveLength(0);
    release();

    await waitFor(async () => expect(await storedIn(app)).toEqual(['via_bot_blocked']));
    expect(app.server.requestsTo(setSetting)).toHaveLength(1);
    expect(shownBlocked()).toEqual(['via bot, General']);
  });

  test('a toggle pressed before its group was refused is still sent', async () => {
    const app = await openSettings();
    await button('Allow all: Origin, General');
    const release = app.server.hang(setSetting);
    await app.user.click(toggle('via bot, General'));
    app.server.refuse(changeSettings, { status: 500 });
    await app.user.click(await button('Allow all: Origin, General'));
    await app.user.click(toggle('forward, General'));
    expect(shownBlocked()).toEqual(['forward, General']);
    release();

    expect(await notice()).toHaveTextContent(updateFailed);
    await waitFor(async () => expect(await storedIn(app)).toEqual(origin));
    expect(shownBlocked()).toEqual(['forward, General', 'via bot, General']);
  });

  test('a group pressed while one of its toggles is being written waits for that write', async () => {
    const app = await openSettings();
    await button('Allow all: Origin, General');
    const release = app.server.hang(setSetting);
    await app.user.click(toggle('forward, General'));
    await app.user.click(await button('Allow all: Origin, General'));

    expect(shownBlocked()).toEqual([]);
    expect(app.server.requestsTo(changeSettings)).toHaveLength(0);
    release();

    expect(await screen.findByText('Origin in General: 1 setting allowed.')).toBeVisible();
    expect(await storedIn(app)).toEqual([]);
    expect(shownBlocked()).toEqual([]);
  });

  test('two groups changed at the same time do not disturb each other', async () => {
    const app = await openSettings();
    const release = app.server.hang(changeSettings);
    await app.user.click(await button('Block all: Origin, General'));
    await app.user.click(await button('Block all: Media, General'));
    await app.user.click(await button('Allow all: Origin, General'));
    expect(shownBlocked()).toHaveLength(10);
    expect(app.server.requestsTo(changeSettings)).toHaveLength(2);
    release();

    await waitFor(() => expect(app.server.requestsTo(changeSettings)).toHaveLength(3));
    await waitFor(async () => expect(await storedIn(app)).toEqual(media));
    expect(shownBlocked()).toHaveLength(10);
  });
});
