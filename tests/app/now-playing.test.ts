/** The now-playing card: every view, and every failure. */
import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { readNowPlaying } from '#contract/endpoints/connections';
import { readMe } from '#contract/endpoints/session';
import { startConnecting } from '#tests/connecting';
import { nightDrive } from '#tests/connection-services';
import { card, holdTime, openCard, playingPath as path, track } from '#tests/now-playing';
import { person } from '#tests/open-dashboard';
import { renderApp } from '#tests/render-app';

afterEach(() => {
  vi.useRealTimers();
});

describe('the card', () => {
  test('shows the user’s track from Spotify, through the real server', async () => {
    const linking = await startConnecting();
    const token = await linking.server.signUp(person);
    linking.music.play(nightDrive);
    const app = await renderApp('/privacy-policy', {
      server: linking.server,
      as: { telegramId: person, token },
    });
    await linking.link('spotify', token);

    app.goTo(path);

    expect(await card()).toBeVisible();
    expect(screen.getByText('The Lanterns, Mira – Neon Rivers')).toBeVisible();
    expect(screen.getByText('1:01')).toBeVisible();
    expect(screen.getByText('3:35')).toBeVisible();
    const [asked] = app.server.requestsTo(readNowPlaying);
    expect(asked?.url.searchParams.get('telegram_id')).toBe(String(person));
    expect(asked?.token).toBe(token);
  });

  test('shows cover, track, artist, album and progress', async () => {
    await openCard();

    expect(await card()).toBeVisible();
    expect(screen.getByText('The Lanterns – Neon Rivers')).toBeVisible();
    expect(screen.getByRole('img', { name: 'Cover of Neon Rivers' })).toHaveAttribute(
      'src',
      track.album_art_url,
    );
    expect(screen.getByText('1:24')).toBeVisible();
    expect(screen.getByText('3:41')).toBeVisible();
    const bar = screen.getByRole('progressbar', { name: 'Progress' });
    expect(bar).toHaveAttribute('aria-valuetext', '1:24 of 3:41');
    expect(bar).toHaveAttribute('value', '84');
    expect(bar).toHaveAttribute('max', '221');
    expect(screen.getByText('Playing on Spotify')).toBeVisible();
  });

  test('links to the service that the data is from', async () => {
    const { user } = await openCard();
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    await card();

    const link = screen.getByRole('link', { name: 'Open Spotify' });
    expect(link).toHaveAttribute('href', 'https://open.spotify.com');
    await user.click(link);

    expect(opened).toHaveBeenCalledWith(
      'https://open.spotify.com',
      '_blank',
      'noopener,noreferrer',
    );
  });

  test('has no backdrop and no motion on a weak device', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
      'Mozilla/5.0 … Telegram-Android/11.3.3 (Xiaomi Redmi 9A; Android 10; SDK 29; LOW)',
    );
    const app = await renderApp('/privacy-policy', {
      as: person,
      launch: { telegramId: person, kind: 'android' },
    });
    app.server.refuse(readNowPlaying, { status: 200, body: track });

    app.goTo(path);

    const shown = (await card()).closest('article');
    expect(shown?.querySelectorAll('img')).toHaveLength(1);
    expect(shown?.querySelectorAll('[data-moving="true"]')).toHaveLength(0);
  });

  test('is shown without a cover when the cover fails to load', async () => {
    await openCard();
    await card();

    screen.getByRole('img').dispatchEvent(new Event('error'));

    await waitFor(() => expect(screen.queryByRole('img')).toBeNull());
    expect(await card()).toBeVisible();
  });

  test.each([
    [59_999, '0:59'],
    [60_000, '1:00'],
    [3_600_000, '60:00'],
  ])('formats %i ms as %s', async (ms, text) => {
    await openCard({ ...track, progress_ms: ms, duration_ms: 7_200_000, is_playing: false });

    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByText('120:00')).toBeVisible();
  });
});

describe('without a track', () => {
  test.each([
    ['an empty answer', undefined],
    ['a message that says so', { message: 'No track is currently playing.' }],
  ])('says that nothing plays: %s', async (_case, body) => {
    const app = await renderApp('/privacy-policy', { as: person });
    app.server.refuse(readNowPlaying, { status: 200, body: body ?? '' });

    app.goTo(path);

    expect(await screen.findByText('No track is playing')).toBeVisible();
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  test('says that nothing plays when Spotify answers 204', async () => {
    const linking = await startConnecting();
    const token = await linking.server.signUp(person);
    const app = await renderApp('/privacy-policy', {
      server: linking.server,
      as: { telegramId: person, token },
    });
    await linking.link('spotify', token);

    app.goTo(path);

    expect(await screen.findByText('No track is playing')).toBeVisible();
  });

  test('shows a spinner while it loads', async () => {
    const app = await renderApp('/privacy-policy', { as: person });
    const release = app.server.hang(readNowPlaying);

    app.goTo(path);

    expect(await screen.findByText('Loading what is playing...')).toBeVisible();
    expect(screen.queryByText('No track is playing')).toBeNull();
    release();
  });
});

describe('failures', () => {
  test.each([
    ['a refusal', 500, '<h1>Oops</h1>'],
    ['an answer of an unknown shape', 200, { songs: [] }],
  ])('are shown, and can be tried again: %s', async (_case, status, body) => {
    const { user, server } = await openCard(body, status);
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load now playing data');

    server.refuse(readNowPlaying, { status: 200, body: track });
    await user.click(screen.getByRole('button', { name: 'Try again' }));

    expect(await card()).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('without a network the track stays, with an error below', async () => {
    holdTime();
    const { server } = await openCard();
    await card();

    server.drop(readNowPlaying);
    vi.advanceTimersByTime(20_000);

    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load now playing data');
    expect(await card()).toBeVisible();
  });

  test('a user who has not linked Spotify gets a link to the dashboard', async () => {
    const linking = await startConnecting();
    const token = await linking.server.signUp(person);

    const { user } = await renderApp(path, {
      server: linking.server,
      as: { telegramId: person, token },
    });

    expect(await screen.findByText('Failed to load now playing data')).toBeVisible();
    expect(screen.getByText(/You have not linked Spotify yet/)).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Open the dashboard' }));
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  });

  test('a visitor is asked to log in', async () => {
    const { server } = await renderApp(path);

    expect(await screen.findByText('Please log in to view Spotify now playing')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login');
    expect(server.requestsTo(readNowPlaying)).toHaveLength(0);
  });

  test('a user whose session has ended is asked to log in', async () => {
    await openCard({ detail: 'Not authenticated' }, 401);

    expect(await screen.findByText('Please log in to view Spotify now playing')).toBeVisible();
    expect(screen.getByText("You've been logged out. Please login again.")).toBeVisible();
  });

  test('without a stored Telegram ID it is requested once, by the page and the app together', async () => {
    const app = await renderApp('/privacy-policy', { as: person });
    app.server.refuse(readNowPlaying, { status: 200, body: track });
    await waitFor(() => expect(app.server.requestsTo(readMe)).toHaveLength(1));
    localStorage.removeItem('telegram_id');
    window.history.pushState(null, '', path);
    app.server.requests.length = 0;
    const release = app.server.hang(readMe);

    await app.reload();
    expect(await screen.findByText('Loading what is playing...')).toBeVisible();
    release();

    expect(await card()).toBeVisible();
    expect(app.server.requestsTo(readMe)).toHaveLength(1);
    expect(localStorage.getItem('telegram_id')).toBe(String(person));
  });

  test('without a stored Telegram ID it is requested, and an error shown on failure', async () => {
    const app = await renderApp('/privacy-policy', { as: person });
    app.server.refuse(readMe, { status: 500 });
    app.server.refuse(readNowPlaying, { status: 200, body: track });
    localStorage.removeItem('telegram_id');
    await app.reload();

    app.goTo(path);
    expect(await screen.findByText('Failed to initialize Spotify now playing')).toBeVisible();

    app.server.heal(readMe);
    await app.user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await card()).toBeVisible();
    const [asked] = app.server.requestsTo(readNowPlaying);
    expect(asked?.url.searchParams.get('telegram_id')).toBe(String(person));
  });
});
