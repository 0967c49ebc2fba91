/** Now playing: all answers of Spotify. */
import { expect, test } from 'vitest';

import { startLinked } from '#tests/connecting';
import { nightDrive } from '#tests/connection-services';
import { timeoutFor } from '#tests/stand-in';

const fresh = 5000;

const track = {
  track: 'Night Drive',
  artist: 'The Lanterns, Mira',
  album: 'Neon Rivers',
  album_art_url: 'https://i.scdn.co/image/neon-rivers',
  progress_ms: 61_000,
  duration_ms: 215_000,
  is_playing: true,
};

test.each([
  ['a track', nightDrive, track],
  ['a paused track', { ...nightDrive, is_playing: false }, { ...track, is_playing: false }],
  [
    'a track that has not begun',
    { ...nightDrive, progress_ms: null },
    { ...track, progress_ms: 0 },
  ],
  [
    'a track that is past its end',
    { ...nightDrive, progress_ms: 999_999 },
    { ...track, progress_ms: 215_000 },
  ],
  [
    'a file of their own, of which Spotify knows little',
    {
      is_playing: true,
      progress_ms: 5,
      item: { name: 'demo.mp3', duration_ms: 10, album: null },
    },
    {
      track: 'demo.mp3',
      artist: '',
      album: '',
      album_art_url: '',
      progress_ms: 5,
      duration_ms: 10,
      is_playing: true,
    },
  ],
  [
    'an episode of a podcast',
    {
      is_playing: true,
      progress_ms: 1200,
      currently_playing_type: 'episode',
      item: {
        type: 'episode',
        name: 'On Otters',
        duration_ms: 1_800_000,
        images: [{ url: 'https://i.scdn.co/image/otters' }],
        show: { name: 'Wet Mammals', publisher: 'River Radio', images: [] },
      },
    },
    {
      track: 'On Otters',
      artist: 'River Radio',
      album: 'Wet Mammals',
      album_art_url: 'https://i.scdn.co/image/otters',
      progress_ms: 1200,
      duration_ms: 1_800_000,
      is_playing: true,
    },
  ],
  [
    'an episode whose show names no publisher, as in development mode',
    {
      is_playing: true,
      progress_ms: 1200,
      currently_playing_type: 'episode',
      item: {
        type: 'episode',
        name: 'On Otters',
        duration_ms: 1_800_000,
        images: [],
        show: { name: 'Wet Mammals', images: [] },
      },
    },
    {
      track: 'On Otters',
      artist: 'Wet Mammals',
      album: 'Wet Mammals',
      album_art_url: '',
      progress_ms: 1200,
      duration_ms: 1_800_000,
      is_playing: true,
    },
  ],
  [
    'a track with pictures from anywhere',
    {
      ...nightDrive,
      item: {
        ...nightDrive.item,
        album: {
          name: '<b>Neon</b>',
          images: [{ url: 'javascript:alert(1)' }, { url: 'http://tracker.example.org/1.png' }],
        },
      },
    },
    { ...track, album: '<b>Neon</b>', album_art_url: '' },
  ],
] as const)('%s', async (_case, playing, expected) => {
  const { music, poll } = await startLinked();
  music.play(playing);

  expect(await poll()).toMatchObject({ status: 200, body: expected });
});

test.each([
  [
    'an advertisement',
    { is_playing: true, progress_ms: 3000, currently_playing_type: 'ad', item: null },
  ],
  ['something unknown', { is_playing: true, currently_playing_type: 'unknown' }],
  ['a track without a name', { ...nightDrive, item: { ...nightDrive.item, name: '' } }],
])('%s counts as nothing playing', async (_case, playing) => {
  const { music, poll } = await startLinked();
  music.play(playing);

  expect(await poll()).toMatchObject({ status: 204, body: undefined });
});

test('nothing plays: neither 204 nor an empty answer is an error', async () => {
  const { server, music, poll } = await startLinked();
  music.stop();
  expect(await poll()).toMatchObject({ status: 204, body: undefined });

  server.wait(fresh);
  music.fail('GET /v1/*', { body: '' });
  expect(await poll()).toMatchObject({ status: 204, body: undefined });
});

test.each([
  ['breaks the connection', 'reset'],
  ['does not answer', 'hang'],
  ['answers a page', 'page'],
  ['has an error of its own', { status: 502, body: {} }],
  ['sends an unreadable answer', { body: { item: { name: 7 } } }],
  ['knows no such call', { status: 404, body: {} }],
] as const)(
  'a service that %s counts as unavailable, and is called again later',
  async (_case, failure) => {
    const { music, poll } = await startLinked({ serviceTimeoutMs: timeoutFor(failure, 1000) });
    music.fail('GET /v1/*', failure);

    expect(await poll()).toMatchObject({
      status: 503,
      body: { detail: 'Spotify does not answer right now. Please try again in a moment.' },
    });
    expect(await poll()).toMatchObject({ status: 200, body: track });
  },
);

test('an account that is not on the app’s list at Spotify gets an explanation', async () => {
  const { music, poll } = await startLinked();
  music.fail('GET /v1/*', { status: 403, body: { error: { status: 403 } } });

  expect(await poll()).toMatchObject({
    status: 403,
    body: {
      detail:
        'Spotify does not let this account use the app. Please ask the operator of this server: while the app is in development mode, it needs an owner with Spotify Premium, and only five users, whom the operator adds, can use it.',
    },
  });
});
