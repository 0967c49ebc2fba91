/** Linking when the service refuses, is down, is slow or sends invalid answers; and stolen codes. */
import { describe, expect, test } from 'vitest';

import { finishAniList, finishSpotify } from '#contract/endpoints/connections';
import { finishCalls, startConnecting } from '#tests/connecting';
import { timeoutFor } from '#tests/stand-in';

const ann = 111_222_333;
const standIns = { spotify: 'music', anilist: 'anime' } as const;
const tokenCall = { spotify: 'POST /api/token', anilist: 'POST /api/v2/oauth/token' } as const;

describe.each([
  ['spotify', 'Spotify'],
  ['anilist', 'AniList'],
] as const)('%s', (service, label) => {
  const down = `${label} does not answer right now. Please try again in a moment.`;
  const refused = `${label} refused the sign-in. Please start again from Nori.`;

  test.each([
    ['breaks the connection', 'reset', { status: 503, detail: down }],
    ['does not answer', 'hang', { status: 503, detail: down }],
    ['answers a page', 'page', { status: 503, detail: down }],
    ['has an error of its own', { status: 500, body: {} }, { status: 503, detail: down }],
    [
      'refuses with a page',
      { status: 400, headers: { 'Content-Type': 'text/html' }, body: '<h1>Bad Request</h1>' },
      { status: 503, detail: down },
    ],
    [
      'sends elsewhere',
      { status: 302, headers: { Location: 'http://127.0.0.1:9/metadata' } },
      { status: 503, detail: down },
    ],
    ['gives no token', { body: { token_type: 'Bearer' } }, { status: 503, detail: down }],
    ['gives an empty token', { body: { access_token: '' } }, { status: 503, detail: down }],
    [
      'knows no such client',
      { status: 401, body: { error: 'invalid_client' } },
      {
        status: 502,
        detail: `${label} refuses this server. Please tell its operator.`,
      },
    ],
    [
      'does not understand the request',
      { status: 400, body: { error: 'invalid_request', error_description: '<script>no</script>' } },
      { status: 502, detail: refused },
    ],
    [
      'is asked too often',
      { status: 429, headers: { 'Retry-After': '30' }, body: {} },
      {
        status: 429,
        detail: `${label} is asked too often right now. Please try again in 30 seconds.`,
      },
    ],
    [
      'is asked too often and does not say for how long',
      { status: 429, headers: { 'Retry-After': 'soon' }, body: {} },
      {
        status: 429,
        detail: `${label} is asked too often right now. Please try again in 60 seconds.`,
      },
    ],
  ] as const)(
    'that %s, links nothing and reports an error',
    async (_case, failure, { status, detail }) => {
      const {
        server,
        agree,
        readState,
        [standIns[service]]: standIn,
      } = await startConnecting({
        serviceTimeoutMs: timeoutFor(failure),
      });
      const token = await server.signUp(ann);
      const wayBack = await agree(service, token);
      standIn.fail(tokenCall[service], failure);

      const reply = await server.call(finishCalls[service], wayBack);

      expect(reply).toMatchObject({ status, body: { detail } });
      expect(reply.headers.get('Retry-After')).toBe(
        status === 429 ? (/\d+/.exec(detail)?.[0] ?? '') : null,
      );
      expect(await readState(service, token)).toMatchObject({ state: 'unlinked' });
      expect(server.logLines.join('')).not.toMatch(
        new RegExp(`${wayBack.code}|${wayBack.state}|script`),
      );
      // A state is valid once, also after a failure.
      expect(await server.db.selectFrom('connection_attempts').selectAll().execute()).toEqual([]);
      expect(await server.call(finishCalls[service], wayBack)).toMatchObject({
        status: 400,
        body: { code: 'connection_attempt_unknown' },
      });
      expect(standIn.callsTo(tokenCall[service])).toHaveLength(1);
    },
  );

  test('two parallel pages get the same error', async () => {
    const { server, agree, [standIns[service]]: standIn } = await startConnecting();
    const wayBack = await agree(service, await server.signUp(ann));
    standIn.fail(tokenCall[service], 'reset');

    const replies = await Promise.all([1, 2].map(() => server.call(finishCalls[service], wayBack)));

    expect(replies.map(({ body }) => body)).toMatchObject([{ detail: down }, { detail: down }]);
    expect(standIn.callsTo(tokenCall[service])).toHaveLength(1);
  });

  test('after an outage a link can be started again', async () => {
    const {
      server,
      agree,
      link,
      readState,
      [standIns[service]]: standIn,
    } = await startConnecting();
    const token = await server.signUp(ann);
    standIn.fail(tokenCall[service], 'reset');
    await server.call(finishCalls[service], await agree(service, token));

    await link(service, token);

    expect(await readState(service, token)).toMatchObject({ state: 'linked' });
  });

  test('a code that arrives too late is refused', async () => {
    const { server, agree, readState, [standIns[service]]: standIn } = await startConnecting();
    const token = await server.signUp(ann);
    const wayBack = await agree(service, token);
    standIn.expireCodes();

    expect(await server.call(finishCalls[service], wayBack)).toMatchObject({
      status: 400,
      body: {
        code: 'connection_refused',
        detail: `${label} says that this sign-in has expired. Please start again from Nori.`,
      },
    });
    expect(await readState(service, token)).toMatchObject({ state: 'unlinked' });
  });

  test('an unknown code is refused', async () => {
    const { server, agree } = await startConnecting();
    const { state } = await agree(service, await server.signUp(ann));

    const reply = await server.call(finishCalls[service], { code: 'guessed', state });

    expect(reply).toMatchObject({ status: 400, body: { code: 'connection_refused' } });
  });
});

test('a code for another attempt is refused, as its verifier is different', async () => {
  const { server, music, agree, readState } = await startConnecting();
  const [annsToken, malsToken] = [await server.signUp(ann), await server.signUp(ann + 1)];
  const annsWay = await agree('spotify', annsToken);
  const malsWay = await agree('spotify', malsToken);

  const reply = await server.call(finishSpotify, { code: annsWay.code, state: malsWay.state });

  expect(reply).toMatchObject({ status: 400, body: { code: 'connection_refused' } });
  expect(music.callsTo('POST /api/token')).toHaveLength(1);
  expect(music.tokens()).toEqual([]);
  expect(await readState('spotify', malsToken)).toMatchObject({ state: 'unlinked' });
});

test('a verifier that was copied to another attempt cannot be decrypted', async () => {
  const { server, music, agree } = await startConnecting();
  const token = await server.signUp(ann);
  await agree('spotify', token);
  const [moved] = await server.db.selectFrom('connection_attempts').selectAll().execute();
  const wayBack = await agree('spotify', token);
  await server.db
    .updateTable('connection_attempts')
    .set({ verifier: moved?.verifier ?? '' })
    .execute();

  const reply = await server.call(finishSpotify, wayBack);

  expect(reply).toMatchObject({ status: 400, body: { code: 'connection_attempt_unknown' } });
  expect(music.callsTo('POST /api/token')).toHaveLength(0);
});

test('a server with a secret sends it to Spotify, and never in an address', async () => {
  const { server, music, authorizeUrl, link, readState } = await startConnecting({
    musicSecret: 'a-very-secret-secret',
  });
  const token = await server.signUp(ann);

  await link('spotify', token);

  expect(await readState('spotify', token)).toMatchObject({ state: 'linked' });
  expect(await authorizeUrl('spotify', token)).not.toContain('secret');
  const [exchange] = music.callsTo('POST /api/token');
  expect(exchange?.headers.authorization).toBe(
    `Basic ${btoa('nori-at-spotify:a-very-secret-secret')}`,
  );
  expect(exchange?.path).toBe('/api/token');
});

test('a wrong secret is the server’s mistake, and the log says what to check', async () => {
  const { server, agree } = await startConnecting({
    musicSecret: 'a-very-secret-secret',
    variables: { SPOTIFY_CLIENT_SECRET: 'an-old-secret' },
  });

  const reply = await server.call(finishSpotify, await agree('spotify', await server.signUp(ann)));

  expect(reply).toMatchObject({ status: 502, body: { code: 'service_key_refused' } });
  expect(server.logLines.join('')).toContain('Spotify refuses this server');
});

test.each([
  ['breaks the connection', 'reset'],
  ['does not answer', 'hang'],
  ['answers a page', 'page'],
  ['refuses', { status: 403, body: { errors: [{ message: 'API disabled' }] } }],
  ['has no name', { body: { data: { Viewer: { name: '' } } } }],
] as const)(
  'an AniList account is linked without its name when the API %s',
  async (_case, failure) => {
    const { server, anime, agree, readState } = await startConnecting({
      serviceTimeoutMs: timeoutFor(failure, 1000),
    });
    const token = await server.signUp(ann);
    anime.fail('POST /graphql', failure);

    const reply = await server.call(finishAniList, await agree('anilist', token), { token });

    expect(reply.status).toBe(200);
    expect(await readState('anilist', token)).toEqual({
      service: 'anilist',
      state: 'linked',
      linked_at: '2026-11-21T12:00:00.000Z',
      ends_at: '2027-11-21T12:00:00.000Z',
      missing: [],
    });
  },
);
