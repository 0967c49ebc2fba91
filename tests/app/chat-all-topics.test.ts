/** Changing one message type in all topics of a chat, from its row. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { changeSettings } from '#contract/endpoints/chat-changes';
import { setSetting } from '#contract/endpoints/chats';
import {
  button,
  choose,
  isBlocked,
  notice,
  openSettings,
  toggle,
  updateFailed,
} from '#tests/open-settings';

const topics = [0, 4, 9];
const photo = 'All topics: photo, General';
const menu = () => screen.queryByRole('menu', { name: photo });
const row = () => toggle().closest('li') ?? toggle();

const shown = () =>
  ['General', 'Topic 4', 'Topic 9'].filter(
    (topic) => screen.queryByRole('switch', { name: `photo, ${topic}`, checked: true }) !== null,
  );

describe('one message type in all topics', () => {
  test('is blocked by one call, which counts only what differed, and undone', async () => {
    const app = await openSettings({ topics });
    await app.user.click(toggle('photo, Topic 4'));
    await waitFor(async () =>
      expect(await isBlocked(app.testServer, 'photo', { topic: 4 })).toBe(true),
    );

    await choose(app, 'Block in all topics', photo);

    expect(shown()).toEqual(['General', 'Topic 4', 'Topic 9']);
    expect(await screen.findByText('photo blocked in 2 topics.')).toBeVisible();
    expect(app.server.requestsTo(changeSettings)).toHaveLength(1);
    expect(app.server.requestsTo(setSetting)).toHaveLength(1);
    expect(await isBlocked(app.testServer, 'photo', { topic: 9 })).toBe(true);
    expect(await isBlocked(app.testServer, 'video', { topic: 9 })).toBe(false);

    await app.user.click(await button('Undo'));
    expect(await screen.findByText('Undone: everything is as it was.')).toBeVisible();
    expect(shown()).toEqual(['Topic 4']);
    expect(await isBlocked(app.testServer, 'photo', { topic: 9 })).toBe(false);
    expect(await isBlocked(app.testServer, 'photo', { topic: 4 })).toBe(true);
  });

  test('is blocked and allowed by the keys alone, and the focus returns to the row', async () => {
    const app = await openSettings({ topics });
    const opener = await button(photo);
    opener.focus();

    await app.user.keyboard('{Enter}');
    expect(screen.getByRole('menuitem', { name: 'Block in all topics' })).toHaveFocus();
    expect(opener).toHaveAttribute('aria-expanded', 'true');
    await app.user.keyboard('{ArrowUp}');
    expect(screen.getByRole('menuitem', { name: 'Allow in all topics' })).toHaveFocus();
    await app.user.keyboard('{Escape}');
    expect(menu()).toBeNull();
    expect(opener).toHaveFocus();

    await app.user.keyboard('{Enter}{Enter}');
    expect(await screen.findByText('photo blocked in 3 topics.')).toBeVisible();
    expect(opener).toHaveFocus();
    await app.user.keyboard('{Enter}{End}{Enter}');
    expect(await screen.findByText('photo allowed in 3 topics.')).toBeVisible();
    expect(shown()).toEqual([]);
  });

  test('that the server refuses is reverted with an error', async () => {
    const app = await openSettings({ topics });
    await button(photo);
    app.server.refuse(changeSettings, { status: 500 });

    await choose(app, 'Block in all topics', photo);

    expect(await notice()).toHaveTextContent(updateFailed);
    await waitFor(() => expect(shown()).toEqual([]));
  });

  test('of a chat to which access is lost leaves the chat', async () => {
    const app = await openSettings({ topics });
    await button(photo);
    app.server.refuse(changeSettings, { status: 403, body: { code: 'chat_not_verified' } });

    await choose(app, 'Block in all topics', photo);

    expect(await screen.findByText(/You no longer manage Cat lovers/)).toBeVisible();
  });

  test('is not offered in a chat with one topic', async () => {
    const app = await openSettings();
    await button('Block all: Media, General');

    expect(screen.queryByRole('button', { name: photo })).toBeNull();
    fireEvent.contextMenu(row());
    expect(menu()).toBeNull();
    expect(app.server.requestsTo(changeSettings)).toHaveLength(0);
  });
});

describe('the menu of a row', () => {
  async function holdFor(ms: number, { moveBy = 0 } = {}) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const at = { pointerType: 'touch', clientX: 40, clientY: 40 };
    fireEvent.pointerDown(row(), at);
    if (moveBy > 0) {
      fireEvent.pointerMove(row(), { ...at, clientY: 40 + moveBy });
    }
    await vi.advanceTimersByTimeAsync(ms);
    fireEvent.pointerUp(row(), at);
    const isPressed = fireEvent.touchEnd(row());
    vi.useRealTimers();
    return { isPressed };
  }

  test('opens when a finger rests on it for half a second, which does not press the toggle', async () => {
    const app = await openSettings({ topics, launch: true });
    await button(photo);

    const { isPressed } = await holdFor(500);

    expect(await screen.findByRole('menu', { name: photo })).toBeVisible();
    expect(isPressed).toBe(false);
    expect(app.bridge?.sent).toContainEqual({
      name: 'web_app_trigger_haptic_feedback',
      data: { type: 'impact', impact_style: 'medium' },
    });
    await app.user.click(screen.getByRole('menuitem', { name: 'Block in all topics' }));
    expect(await screen.findByText('photo blocked in 3 topics.')).toBeVisible();
    expect(shown()).toHaveLength(3);
    // A later press counts again.
    await app.user.click(toggle());
    expect(toggle()).not.toBeChecked();
  });

  test.each([
    ['is lifted earlier', 480, {}],
    ['scrolls', 900, { moveBy: 24 }],
  ])('does not open for a finger that %s', async (_what, ms, options) => {
    await openSettings({ topics });
    await button(photo);

    const { isPressed } = await holdFor(ms, options);

    expect(menu()).toBeNull();
    expect(isPressed).toBe(true);
  });

  test('opens at the right button of a mouse, and closes when the user presses beside it', async () => {
    const app = await openSettings({ topics });
    await button(photo);

    expect(fireEvent.contextMenu(row(), { clientX: 40, clientY: 40 })).toBe(false);
    const open = await screen.findByRole('menu', { name: photo });
    const around = open.previousElementSibling;
    expect(around).not.toBeNull();
    if (around) {
      await app.user.click(around);
    }

    expect(menu()).toBeNull();
    expect(toggle()).not.toBeChecked();
  });
});
