/** Starting a link: the address of the service, its parameters, and the return address. */
import * as v from 'valibot';
import { expect, test } from 'vitest';

import {
  finishAniList,
  finishSpotify,
  listConnections,
  readNowPlaying,
  removeConnection,
  startConnection,
} from '#contract/endpoints/connections';
import { startConnecting } from '#tests/connecting';
import { createTestServer } from '#tests/test-server';

const ann = 111_222_333;
const hour = 60 * 60_000;
const services = ['spotify', 'anilist'] as const;

test('linking needs a session', async () => {
  const { server } = await startConnecting();

  for (const service of services) {
    expect((await server.call(startConnection, { service })).status).toBe(401);
  }
  expect((await server.call(listConnections, {})).status).toBe(401);
  expect((await server.call(removeConnection, { service: 'spotify' })).status).toBe(401);
});

test('a service that does not exist is refused', async () => {
  const { server } = await startConnecting();
  const token = await server.signUp(ann);

  const reply = await server.request('/backend/connections/myspace', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
  });

  expect(reply).toMatchObject({ status: 422, body: { detail: 'There is no such service' } });
});

test('a link can be started thirty times an hour', async () => {
  const { server } = await startConnecting();
  const token = await server.signUp(ann);
  const start = () => server.call(startConnection, { service: 'spotify' }, { token });
  for (let count = 0; count < 30; count += 1) {
    expect((await start()).status).toBe(200);
  }

  expect(await start()).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  server.wait(hour);
  expect((await start()).status).toBe(200);
});

test('Spotify is asked for the current track only, with PKCE, and shows its consent page every time', async () => {
  const { server, authorizeUrl, music } = await startConnecting();

  const { origin, pathname, searchParams } = new URL(
    await authorizeUrl('spotify', await server.signUp(ann)),
  );

  expect(`${origin}${pathname}`).toBe(`${music.url}/authorize`);
  expect(Object.fromEntries(searchParams)).toEqual({
    response_type: 'code',
    client_id: 'nori-at-spotify',
    scope: 'user-read-currently-playing',
    redirect_uri: 'https://nori.example.org/spotify-auth',
    state: expect.stringMatching(/^[\w-]{43}$/),
    show_dialog: 'true',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  });
});

test('AniList is called without PKCE and scopes, which it does not support', async () => {
  const { server, authorizeUrl, anime } = await startConnecting();

  const { origin, pathname, searchParams } = new URL(
    await authorizeUrl('anilist', await server.signUp(ann)),
  );

  expect(`${origin}${pathname}`).toBe(`${anime.url}/api/v2/oauth/authorize`);
  expect(Object.fromEntries(searchParams)).toEqual({
    response_type: 'code',
    client_id: '4711',
    redirect_uri: 'https://nori.example.org/anilist-auth',
    state: expect.stringMatching(/^[\w-]{43}$/),
  });
});

test('no two links have the same state or challenge', async () => {
  const { server, authorizeUrl } = await startConnecting();
  const token = await server.signUp(ann);

  const [one, other] = [
    new URL(await authorizeUrl('spotify', token)).searchParams,
    new URL(await authorizeUrl('spotify', token)).searchParams,
  ];

  expect(one.get('state')).not.toBe(other.get('state'));
  expect(one.get('code_challenge')).not.toBe(other.get('code_challenge'));
});

test('without a public address users return to the address at which they have the app open', async () => {
  const { server, music, authorizeUrl, readState } = await startConnecting({
    variables: { PUBLIC_URL: '' },
  });
  const token = await server.signUp(ann);

  const { code, state, redirectUri } = music.agree(await authorizeUrl('spotify', token));

  // Spotify accepts no localhost, only its IP address.
  expect(redirectUri).toBe('http://127.0.0.1/spotify-auth');
  // The service requires the same address as before, wherever the page calls from.
  const reply = await server.app.request(
    `http://127.0.0.1:8080/backend/spotify/spotify/callback?${new URLSearchParams({ code, state }).toString()}`,
    { headers: { Authorization: `Bearer ${token}` } },
  );
  expect(reply.status).toBe(200);
  expect(await readState('spotify', token)).toMatchObject({ state: 'linked' });
});

test('a server without the services names the variables that connect them', async () => {
  const server = await createTestServer();
  const token = await server.signUp(ann);

  expect((await server.call(listConnections, {}, { token })).body).toEqual({
    connections: [
      { service: 'spotify', state: 'unavailable', missing: ['SPOTIFY_CLIENT_ID'] },
      {
        service: 'anilist',
        state: 'unavailable',
        missing: ['ANILIST_CLIENT_ID', 'ANILIST_CLIENT_SECRET'],
      },
    ],
  });
  const spotify = 'Spotify is not connected on this server.';
  const aniList = 'AniList is not connected on this server.';
  const wayBack = { code: 'a-code', state: 'a-state' };
  const replies = await Promise.all([
    server.call(startConnection, { service: 'spotify' }, { token }),
    server.call(startConnection, { service: 'anilist' }, { token }),
    server.call(finishSpotify, wayBack),
    server.call(finishAniList, wayBack),
    server.call(readNowPlaying, { telegram_id: String(ann) }, { token }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  expect(replies.map(({ body }) => v.parse(v.object({ detail: v.string() }), body).detail)).toEqual(
    [spotify, aniList, spotify, aniList, spotify],
  );
});
