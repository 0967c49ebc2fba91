/** States of linked accounts, of what is playing, and of the video page. */
import { expect, type Frame, type Page, type Screen } from './e2e.ts';

const callback = '**/spotify/callback**';
const playing = '**/spotify/spotify/now-playing**';
const connections = '**/backend/connections';
const stream = '**/backend/jav/*/stream**';

/** A cover with many colours. */
const cover = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#1b1145"/><circle cx="44" cy="22" r="12" fill="#ffb347"/><path d="M0 64V46l16-14 14 12 12-9 22 17v12Z" fill="#c2255c"/><path d="M0 64V54l20-9 18 10 26-8v17Z" fill="#0b7a5c"/></svg>',
)}`;

/** Far from its end, so that the track does not end during the test. */
const track = {
  track: 'Night Drive Through the Rice Fields',
  artist: 'The Lanterns, Mira',
  album: 'Neon Rivers',
  album_art_url: cover,
  progress_ms: 84_000,
  duration_ms: 221_000,
  is_playing: true,
};

const heading = (app: Frame, name: string) => app.getByRole('heading', { level: 1, name });
const accounts = (app: Frame) => app.getByRole('list', { name: 'Your connected accounts' });

/** Prepares the response of the server about what is playing. */
const plays = (body: unknown, text: string) =>
  ({
    isMember: true,
    path: () => '/spotify/now-playing',
    prepare: (page: Page) => page.route(playing, (route) => route.fulfill({ json: body })),
    reach: (app: Frame) => expect(app.getByText(text)).toBeVisible(),
  }) satisfies Screen;

export const connectionScreens: Readonly<Record<string, Screen>> = {
  'an account that is being linked': {
    isMain: true,
    isNeverFramed: true,
    path: () => '/spotify-auth?code=abc&state=def',
    prepare: (page) => page.route(callback, () => undefined),
    reach: (app) => expect(heading(app, 'Connecting to Spotify...')).toBeVisible(),
  },
  'an account whose link needs a code': {
    isMain: true,
    isNeverFramed: true,
    path: () => '/spotify-auth?code=abc&state=def',
    prepare: (page) =>
      page.route(callback, (route) =>
        route.fulfill({
          json: {
            message: '',
            needs_code: true,
            confirmation: 'abc',
            telegram_user: '•••789',
          },
        }),
      ),
    reach: (app) => expect(heading(app, 'Enter the code')).toBeVisible(),
  },
  'an account that was linked': {
    isNeverFramed: true,
    path: () => '/spotify-auth?code=abc&state=def',
    prepare: (page) => page.route(callback, (route) => route.fulfill({ json: {} })),
    reach: (app) => expect(heading(app, 'Authorized successfully')).toBeVisible(),
  },
  'an account that was refused': {
    isMain: true,
    isNeverFramed: true,
    path: () => '/anilist-auth?error=access_denied',
    reach: (app) => expect(heading(app, 'Authorization Failed')).toBeVisible(),
  },
  'connected accounts': {
    isMain: true,
    isMember: true,
    path: () => '/dashboard',
    prepare: (page) =>
      page.route(connections, (route) =>
        route.fulfill({
          json: {
            connections: [
              {
                service: 'spotify',
                state: 'linked',
                linked_at: '2026-11-21T12:00:00Z',
                // In its last week, so that the reminder is shown.
                ends_at: new Date(Date.now() + 3 * 24 * 60 * 60_000).toISOString(),
                missing: [],
              },
              {
                service: 'anilist',
                state: 'unavailable',
                missing: ['ANILIST_CLIENT_ID', 'ANILIST_CLIENT_SECRET'],
              },
            ],
          },
        }),
      ),
    reach: async (app) => {
      await expect(app.getByRole('button', { name: 'Unlink Spotify' })).toBeVisible();
      await expect(app.getByRole('button', { name: 'Link Spotify again' })).toBeVisible();
      await accounts(app).scrollIntoViewIfNeeded();
    },
  },
  'an account that was just linked': {
    isMember: true,
    path: () => '/dashboard',
    reach: async (app) => {
      await app.evaluate(() => Object.assign(window, { open: () => null }));
      await app.getByRole('button', { name: 'Link Spotify' }).click();
      await expect(app.getByRole('link', { name: 'Open Spotify' })).toBeVisible();
      await accounts(app).scrollIntoViewIfNeeded();
    },
  },
  'a track that plays': { isMain: true, ...plays(track, 'Playing on Spotify') },
  'no track': plays({ message: 'No track is currently playing.' }, 'No track is playing'),
  'now playing without a link': {
    isMember: true,
    path: () => '/spotify/now-playing',
    reach: (app) => expect(app.getByText('Failed to load now playing data')).toBeVisible(),
  },
  'the video player': {
    isMain: true,
    path: () => '/jav-auth',
    reach: async (app) => {
      await expect(app.getByText('00:00 / 00:24')).toBeVisible();
      await expect
        .poll(() => app.locator('video').evaluate((film) => Reflect.get(film, 'readyState')))
        .toBe(4);
    },
  },
  'a video without a stream': {
    path: () => '/jav-auth',
    prepare: (page) => page.route(stream, (route) => route.abort()),
    reach: (app) => expect(app.getByText('Failed to load video stream')).toBeVisible(),
  },
};
