/** Tokens of linked accounts: renewed, kept during outages, and removed when the user ends the link. */
import { expect, test } from 'vitest';

import { removeConnection } from '#contract/endpoints/connections';
import { createConnectionRepository } from '#server/db/connections';
import { AppError } from '#server/lib/errors';
import { connectSpotify } from '#server/upstream/connections/spotify';
import { createServiceTokens } from '#services/connections';
import { ann, startLinked } from '#tests/connecting';
import { timeoutFor } from '#tests/stand-in';

const hour = 60 * 60_000;

test('the token is renewed after an hour, and the next one an hour after that', async () => {
  const { server, music, poll, renewals } = await startLinked();

  server.wait(hour);
  music.endAccess();
  expect(await poll()).toMatchObject({ status: 200, body: { track: 'Night Drive' } });
  server.wait(hour);
  music.endAccess();
  expect(await poll()).toMatchObject({ status: 200, body: { track: 'Night Drive' } });

  // Each refresh token was used once: the stand-in accepts none twice.
  expect(renewals()).toHaveLength(2);
  expect(music.callsTo('GET /v1/*')).toHaveLength(2);
});

test('a refresh token that the service does not replace is kept', async () => {
  const { server, music, poll, renewals } = await startLinked({ musicSecret: 'a-secret' });
  music.keepRefreshTokens();

  server.wait(hour);
  expect((await poll()).status).toBe(200);
  server.wait(hour);
  expect((await poll()).status).toBe(200);

  expect(renewals()).toHaveLength(2);
});

test('a token that is about to expire is renewed before', async () => {
  const { server, poll, renewals } = await startLinked();

  server.wait(hour - 60_001);
  await poll();
  expect(renewals()).toHaveLength(0);

  server.wait(1);
  await poll();
  expect(renewals()).toHaveLength(1);
});

test('many polls at once renew once', async () => {
  const { server, poll, renewals } = await startLinked();
  server.wait(hour);

  const replies = await Promise.all([poll(), poll(), poll(), poll()]);

  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(renewals()).toHaveLength(1);
});

test('a token that the service rejects is renewed at once', async () => {
  const { music, poll, renewals } = await startLinked();
  music.endAccess();

  const replies = await Promise.all([poll(), poll()]);

  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(renewals()).toHaveLength(1);
});

test('a service that rejects every token is called no more than twice', async () => {
  const { music, poll, readState, token } = await startLinked();
  music.fail('GET /v1/*', { status: 401, body: {} }, 2);

  expect(await poll()).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
  expect(music.callsTo('GET /v1/*')).toHaveLength(2);
  expect(await readState('spotify', token)).toMatchObject({ state: 'linked' });
});

const day = 24 * hour;
/** Six months from the day of the tests. */
const inSixMonths = (from: number) => {
  const end = new Date(from);
  end.setUTCMonth(end.getUTCMonth() + 6);
  return end.toISOString();
};

test('a link to Spotify ends six months after the consent; renewals change nothing, a new consent does', async () => {
  const { server, music, poll, readState, link, token } = await startLinked();
  const end = inSixMonths(server.now());
  expect(await readState('spotify', token)).toMatchObject({ ends_at: end });

  server.wait(day);
  music.endAccess();
  expect((await poll()).status).toBe(200);
  expect(await readState('spotify', token)).toMatchObject({ ends_at: end });

  await link('spotify', token);
  expect(await readState('spotify', token)).toMatchObject({ ends_at: inSixMonths(server.now()) });
});

test('after six months Spotify takes no refresh token, and the user has to link again', async () => {
  const { server, music } = await startLinked();
  const whose = { telegramId: ann, service: 'spotify' } as const;
  const tokens = createServiceTokens(server.deps, {
    anilist: undefined,
    spotify: connectSpotify({
      clientId: music.variables.SPOTIFY_CLIENT_ID,
      clientSecret: undefined,
      accountsRoot: music.url,
      apiRoot: music.url,
    }),
  });

  server.wait(150 * day);
  expect(await tokens.read(whose)).toContain('access-of-spotify');

  server.wait(40 * day);
  await expect(tokens.read(whose)).rejects.toMatchObject({ code: 'connection_lost' });
});

test('a link to AniList ends with its token, a year later', async () => {
  const { server, readState, link, token } = await startLinked();

  await link('anilist', token);

  expect(await readState('anilist', token)).toMatchObject({
    ends_at: new Date(server.now() + 365 * day).toISOString(),
  });
});

test('a user who revokes access at the service has to link again', async () => {
  const { server, music, poll, readState, link, token } = await startLinked();
  music.revokeAll();

  expect(await poll()).toMatchObject({
    status: 409,
    body: {
      code: 'connection_lost',
      detail: 'The link to the service is no longer valid. Please link your account again.',
    },
  });
  expect(await readState('spotify', token)).toMatchObject({ state: 'unlinked' });
  expect(await server.db.selectFrom('connections').selectAll().execute()).toEqual([]);
  expect(await poll()).toMatchObject({ status: 409, body: { code: 'not_linked' } });

  await link('spotify', token);
  expect(await poll()).toMatchObject({ status: 200, body: { track: 'Night Drive' } });
});

test.each([
  ['breaks the connection', 'reset', 503],
  ['does not answer', 'hang', 503],
  ['answers a page', 'page', 503],
  ['has an error of its own', { status: 503, body: {} }, 503],
  ['is asked too often', { status: 429, headers: { 'Retry-After': '3' }, body: {} }, 429],
  ['refuses the server', { status: 401, body: { error: 'invalid_client' } }, 502],
  ['does not understand', { status: 400, body: { error: 'invalid_request' } }, 502],
] as const)(
  'a renewal that fails because the service %s loses no link',
  async (_case, failure, status) => {
    const { server, music, poll, readState, token } = await startLinked({
      serviceTimeoutMs: timeoutFor(failure, 1000),
    });
    server.wait(hour);
    music.fail('POST /api/token', failure);

    expect((await poll()).status).toBe(status);
    expect(await readState('spotify', token)).toMatchObject({ state: 'linked' });
    expect((await poll()).status).toBe(200);
  },
);

test('a renewal that ends after the user has unlinked stores nothing', async () => {
  const { server, token } = await startLinked();
  const stored = createConnectionRepository(server.db);
  const whose = { telegramId: ann, service: 'spotify' };
  const before = await stored.find(whose);
  await server.call(removeConnection, { service: 'spotify' }, { token });

  const isRenewed = await stored.renew(whose, before?.accessToken ?? '', {
    accessToken: 'v1.next',
    refreshToken: undefined,
    expiresAt: undefined,
  });

  expect(isRenewed).toBe(false);
  expect(await stored.find(whose)).toBeUndefined();
});

test('a refresh token that another server has already used loses no link', async () => {
  const { server } = await startLinked();
  const stored = createConnectionRepository(server.db);
  const whose = { telegramId: ann, service: 'spotify' } as const;
  const elsewhere = { accessToken: 'renewed-elsewhere', refreshToken: 'next', lifetimeS: 3600 };
  const tokens = createServiceTokens(server.deps, {
    anilist: undefined,
    spotify: {
      ...connectSpotify({ clientId: 'x', clientSecret: undefined, accountsRoot: '', apiRoot: '' }),
      refresh: async () => {
        const before = await stored.find(whose);
        await stored.renew(whose, before?.accessToken ?? '', tokens.seal(elsewhere, whose));
        throw new AppError('connection_lost');
      },
    },
  });
  server.wait(hour);

  expect(await tokens.read(whose)).toBe('renewed-elsewhere');
  expect(await stored.find(whose)).toBeDefined();
});
