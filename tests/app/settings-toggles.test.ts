/** Toggles on good and bad networks: shown at once, written one at a time, correct in the end. */
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import { readChat, setSetting } from '#contract/endpoints/chats';
import {
  button,
  cats,
  choose,
  notice,
  openSettings,
  stored,
  toggle,
  updateFailed,
} from '#tests/open-settings';

const section = (name: string) => screen.getByRole('region', { name: new RegExp(`^${name}`) });

const unlocked = () => waitFor(() => expect(toggle()).not.toHaveAttribute('aria-disabled'));

/** Lets calls reach the server but holds their answers back. Returns a function that delivers them. */
function holdAnswers(method: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  const pass = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const response = await pass(input, init);
    const used = input instanceof Request ? input.method : (init?.method ?? 'GET');
    if (used.toUpperCase() === method) {
      await promise;
    }
    return response;
  });
  return () => {
    vi.stubGlobal('fetch', pass);
    resolve();
  };
}

describe('a toggle', () => {
  test('changes at once, is counted, and sends the value itself', async () => {
    const app = await openSettings();
    const release = app.server.hang(setSetting);

    await app.user.click(toggle());
    expect(toggle()).toBeChecked();
    expect(toggle()).toHaveAccessibleDescription('Blocked');
    expect(section('General')).toHaveTextContent('1 blocked');
    release();

    await waitFor(async () => expect(await stored(app)).toBe(true));
    expect(toggle()).toBeChecked();
    expect(app.server.requestsTo(setSetting)[0]?.body).toEqual({
      chat_id: String(cats),
      topic_id: '0',
      setting_name: 'photo_blocked',
      value: true,
    });
  });

  test('refuses further presses for 150 ms, and keeps the focus', async () => {
    const app = await openSettings();

    const photo = toggle();
    const fastUser = userEvent.setup({ delay: null });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await fastUser.click(photo);
      await vi.advanceTimersByTimeAsync(149);
      expect(photo).toHaveAttribute('aria-disabled', 'true');
      await fastUser.click(photo);
      await fastUser.keyboard(' ');
      expect(photo).toBeChecked();
      expect(photo).toHaveFocus();
      await vi.advanceTimersByTimeAsync(1);
    } finally {
      vi.useRealTimers();
    }

    await unlocked();
    await app.user.keyboard(' ');
    expect(photo).not.toBeChecked();
    await waitFor(() => expect(app.server.requestsTo(setSetting)).toHaveLength(2));
  });

  test('that is refused is reverted with an error', async () => {
    const app = await openSettings();
    app.server.refuse(setSetting, { status: 500, body: { detail: 'disk full' } });

    await app.user.click(toggle());

    expect(await notice()).toHaveTextContent(updateFailed);
    expect(toggle()).not.toBeChecked();
    expect(screen.getAllByText(updateFailed, { exact: false })).toHaveLength(1);
  });

  test.each([
    ['403 without a code', { status: 403, body: { detail: 'Forbidden' } }],
    ['404 without a code', { status: 404, body: { detail: 'Not Found' } }],
    ['a code that we do not know', { status: 403, body: { detail: 'No.', code: 'read_only' } }],
  ])(
    'that another backend refuses with %s is reverted, and the settings stay',
    async (_how, no) => {
      const app = await openSettings();
      app.server.refuse(setSetting, no);
      const reads = app.server.requestsTo(readChat).length;

      await app.user.click(toggle());

      expect(await notice()).toHaveTextContent(updateFailed);
      expect(toggle()).not.toBeChecked();
      // The chat itself is still there for this user.
      await waitFor(() => expect(app.server.requestsTo(readChat).length).toBeGreaterThan(reads));
      expect(window.location.search).toBe(`?chat=${cats}`);
      expect(screen.getAllByRole('alert')).toHaveLength(1);
    },
  );

  test('that gets no answer is reverted with the reason', async () => {
    const app = await openSettings();
    app.server.drop(setSetting);

    await app.user.click(toggle());

    expect(await notice()).toHaveTextContent(
      `${updateFailed} No answer came: check your connection.`,
    );
    expect(toggle()).not.toBeChecked();
  });

  test('several that fail are reported once, and each is reverted', async () => {
    const app = await openSettings();
    app.server.refuse(setSetting, { status: 500 });

    await app.user.click(toggle());
    await app.user.click(toggle('video, General'));
    await notice();

    await waitFor(() => expect(screen.queryAllByRole('switch', { checked: true })).toEqual([]));
    expect(screen.getAllByRole('alert')).toHaveLength(1);
  });

  test('whose answer got lost shows the value of the server', async () => {
    const app = await openSettings();
    const pass = globalThis.fetch;
    vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
      const response = await pass(input, init);
      const method = input instanceof Request ? input.method : init?.method;
      if (method === 'PUT') {
        throw new TypeError('connection reset');
      }
      return response;
    });

    await app.user.click(toggle());

    expect(await notice()).toHaveTextContent(updateFailed);
    await waitFor(() => expect(toggle()).toBeChecked());
    expect(await stored(app)).toBe(true);
  });

  test('pressed again and again has one write in flight, and the last value wins', async () => {
    const app = await openSettings();
    const release = app.server.hang(setSetting);

    await app.user.click(toggle());
    await unlocked();
    await app.user.click(toggle());
    await unlocked();
    await app.user.click(toggle());
    await unlocked();
    await app.user.click(toggle());
    expect(toggle()).not.toBeChecked();
    expect(app.server.requestsTo(setSetting)).toHaveLength(1);
    release();

    await waitFor(() => expect(app.server.requestsTo(setSetting)).toHaveLength(2));
    await waitFor(async () => expect(await stored(app)).toBe(false));
    expect(app.server.requestsTo(setSetting).map(({ body }) => body)).toMatchObject([
      { value: true },
      { value: false },
    ]);
    expect(toggle()).not.toBeChecked();
  });

  test('keeps its value when a refresh with older values arrives', async () => {
    const app = await openSettings();
    // It reads once more when it hears of changes.
    await waitFor(() => expect(app.server.requestsTo(readChat)).toHaveLength(2));
    const deliver = holdAnswers('GET');
    await choose(app, 'Refresh settings');
    await waitFor(() => expect(app.server.requestsTo(readChat)).toHaveLength(3));

    await app.user.click(toggle());
    await waitFor(async () => expect(await stored(app)).toBe(true));
    deliver();

    await waitFor(() => expect(screen.queryByText('Refreshing settings...')).toBeNull());
    expect(toggle()).toBeChecked();
  });

  test('keeps its value when a refresh arrives before its own write ends', async () => {
    const app = await openSettings();
    const release = app.server.hang(setSetting);
    await app.user.click(toggle());
    const deliver = app.server.hang(readChat);

    await choose(app, 'Refresh settings');
    await screen.findByText('Refreshing settings...');
    deliver();
    await waitFor(() => expect(screen.queryByText('Refreshing settings...')).toBeNull());
    expect(toggle()).toBeChecked();
    release();

    await waitFor(async () => expect(await stored(app)).toBe(true));
    expect(toggle()).toBeChecked();
  });

  test('is written although the user leaves the settings', async () => {
    const app = await openSettings();
    const release = app.server.hang(setSetting);

    await app.user.click(toggle());
    await app.user.click(await button('Back to List'));
    await screen.findByRole('heading', { name: 'Manage Your Chats' });
    release();
    await waitFor(async () => expect(await stored(app)).toBe(true));
    await app.user.click(await screen.findByRole('link', { name: /Cat lovers/ }));

    expect(await screen.findByRole('switch', { name: 'photo, General' })).toBeChecked();
  });

  test('gives haptic feedback inside Telegram', async () => {
    const app = await openSettings({ launch: true });

    await app.user.click(toggle());

    expect(app.bridge?.sent).toContainEqual({
      name: 'web_app_trigger_haptic_feedback',
      data: { type: 'impact', impact_style: 'light' },
    });
  });

  test('with an ended session logs out once, with one message', async () => {
    const app = await openSettings();
    app.server.refuse(setSetting, { status: 401, body: { detail: 'expired' } });

    await app.user.click(toggle());

    expect(await screen.findByText("You've been logged out. Please login again.")).toBeVisible();
    await waitFor(() => expect(window.location.pathname).toBe('/login'));
    expect(screen.queryByText(updateFailed, { exact: false })).toBeNull();
  });
});
