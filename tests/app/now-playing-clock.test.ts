/** The now-playing card with a fake clock: its progress, and when it polls. */
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { readNowPlaying } from '#contract/endpoints/connections';
import { card, holdTime, openCard, track } from '#tests/now-playing';

let visibility: DocumentVisibilityState = 'visible';

function setVisibility(state: DocumentVisibilityState): void {
  visibility = state;
  window.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the progress', () => {
  test('moves between two polls, and never past the end', async () => {
    holdTime();
    const { looks } = await openCard({ ...track, progress_ms: 200_000, duration_ms: 210_000 });
    expect(await screen.findByText('3:20')).toBeVisible();

    vi.advanceTimersByTime(5000);
    expect(await screen.findByText(/^3:2[56]$/)).toBeVisible();

    vi.advanceTimersByTime(8000);
    await waitFor(() => expect(screen.getAllByText('3:30')).toHaveLength(2));
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '3:30 of 3:30');
    expect(looks()).toBe(1);
  });

  test('stands still while the track is paused', async () => {
    holdTime();
    await openCard({ ...track, is_playing: false });
    expect(await screen.findByText('Paused on Spotify')).toBeVisible();

    vi.advanceTimersByTime(15_000);

    expect(screen.getByText('1:24')).toBeVisible();
  });
});

describe('polling', () => {
  test('happens every 20 seconds, and shows changes', async () => {
    holdTime();
    const { looks, server } = await openCard();
    await card();
    expect(looks()).toBe(1);

    vi.advanceTimersByTime(18_000);
    expect(looks()).toBe(1);
    server.refuse(readNowPlaying, { status: 200, body: { ...track, track: 'Slow Morning' } });
    vi.advanceTimersByTime(2000);

    expect(await screen.findByRole('heading', { name: 'Slow Morning' })).toBeVisible();
    expect(looks()).toBe(2);
    vi.advanceTimersByTime(18_000);
    expect(looks()).toBe(2);
    vi.advanceTimersByTime(2000);
    await waitFor(() => expect(looks()).toBe(3));
  });

  test('stops while the page is hidden, and happens at once when it is visible again', async () => {
    holdTime();
    const { looks } = await openCard();
    await card();

    setVisibility('hidden');
    vi.advanceTimersByTime(5 * 60_000);
    expect(looks()).toBe(1);

    setVisibility('visible');
    await waitFor(() => expect(looks()).toBe(2));
    vi.advanceTimersByTime(18_000);
    expect(looks()).toBe(2);
    vi.advanceTimersByTime(2000);
    await waitFor(() => expect(looks()).toBe(3));
  });

  test('waits as long as the service asks for, also after a return to the page', async () => {
    holdTime();
    const { looks, server } = await openCard();
    await card();
    server.refuse(readNowPlaying, {
      status: 429,
      body: { detail: 'Spotify is asked too often.' },
      headers: { 'Retry-After': '90' },
    });
    vi.advanceTimersByTime(20_000);
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Failed to load now playing data. Spotify is asked too often.',
    );
    expect(looks()).toBe(2);

    server.heal(readNowPlaying);
    server.refuse(readNowPlaying, { status: 200, body: track });
    setVisibility('hidden');
    setVisibility('visible');
    vi.advanceTimersByTime(85_000);
    expect(looks()).toBe(2);
    vi.advanceTimersByTime(6000);

    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(looks()).toBe(3);
  });

  test('keeps the last error visible', async () => {
    holdTime();
    const { looks, server } = await openCard({}, 500);
    expect(await screen.findByText('Failed to load now playing data')).toBeVisible();

    const release = server.hang(readNowPlaying);
    vi.advanceTimersByTime(20_000);
    await waitFor(() => expect(looks()).toBe(2));
    expect(screen.getByText('Failed to load now playing data')).toBeVisible();
    expect(screen.queryByText('Loading what is playing...')).toBeNull();

    release();
  });

  test('ends when the page is left', async () => {
    holdTime();
    const { looks, goTo } = await openCard();
    await card();

    goTo('/privacy-policy');
    await screen.findByRole('heading', { name: 'Privacy Policy' });
    vi.advanceTimersByTime(60_000);

    expect(looks()).toBe(1);
  });
});
