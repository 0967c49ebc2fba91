/** Access to now playing, and how often Spotify is asked. */
import { describe, expect, test } from 'vitest';

import { readNowPlaying, removeConnection } from '#contract/endpoints/connections';
import { ann, startLinked } from '#tests/connecting';

const bob = 444_555_666;
const fresh = 5000;
const track = { track: 'Night Drive', artist: 'The Lanterns, Mira', is_playing: true };

describe('how often Spotify is called', () => {
  test('once for all pages within five seconds', async () => {
    const { server, music, poll, glances } = await startLinked();

    await Promise.all([poll(), poll(), poll()]);
    server.wait(fresh - 1);
    music.stop();
    expect(await poll()).toMatchObject({ status: 200, body: track });
    expect(glances()).toBe(1);

    server.wait(1);
    expect((await poll()).status).toBe(204);
    expect(glances()).toBe(2);
  });

  test('not at all for as long as Spotify says, for any user', async () => {
    const { server, music, link, poll, glances } = await startLinked();
    const bobsToken = await server.signUp(bob);
    await link('spotify', bobsToken);
    const bobPolls = () => server.call(readNowPlaying, {}, { token: bobsToken });
    music.fail('GET /v1/*', { status: 429, headers: { 'Retry-After': '42' }, body: {} });

    const refused = await poll();
    expect(refused).toMatchObject({
      status: 429,
      body: {
        code: 'service_busy',
        detail: 'Spotify is asked too often right now. Please try again in 42 seconds.',
      },
    });
    expect(refused.headers.get('Retry-After')).toBe('42');

    server.wait(30_000);
    const early = await Promise.all([poll(), bobPolls()]);
    expect(early.map(({ status }) => status)).toEqual([429, 429]);
    expect(early.map(({ headers }) => headers.get('Retry-After'))).toEqual(['12', '12']);
    expect(glances()).toBe(1);

    server.wait(12_000);
    expect(await poll()).toMatchObject({ status: 200, body: track });
    expect((await bobPolls()).status).toBe(200);
  });
});

describe('access', () => {
  test('requires a login', async () => {
    const { server, glances } = await startLinked();

    const reply = await server.call(readNowPlaying, { telegram_id: String(ann) });

    expect(reply.status).toBe(401);
    expect(glances()).toBe(0);
  });

  test('no other user, also while the user listens to something', async () => {
    const { server, poll, glances } = await startLinked();
    const bobsToken = await server.signUp(bob);
    await poll();

    const reply = await server.call(
      readNowPlaying,
      { telegram_id: String(ann) },
      { token: bobsToken },
    );

    expect(reply).toMatchObject({
      status: 403,
      body: { detail: 'You can only see what you are listening to yourself.' },
    });
    expect(JSON.stringify(reply.body)).not.toContain('Night Drive');
    expect(glances()).toBe(1);
  });

  test.each([[`0${ann}`], ['1e9'], ['-1'], [`${ann} or 1=1`]])(
    'is refused for an ID like "%s"',
    async (id) => {
      const { server, token, glances } = await startLinked();

      const reply = await server.call(readNowPlaying, { telegram_id: id }, { token });

      expect(reply.status).toBe(422);
      expect(glances()).toBe(0);
    },
  );

  test('is by the session when no ID is sent', async () => {
    const { server, token } = await startLinked();

    expect(await server.call(readNowPlaying, {}, { token })).toMatchObject({
      status: 200,
      body: track,
    });
  });

  test('without a linked account is refused with the place to link one', async () => {
    const { server } = await startLinked();
    const token = await server.signUp(bob);

    expect(await server.call(readNowPlaying, {}, { token })).toMatchObject({
      status: 409,
      body: { detail: 'You have not linked Spotify yet. You can do so in the dashboard.' },
    });
  });

  test('ends at once after unlinking, whatever is remembered', async () => {
    const { server, token, poll } = await startLinked();
    expect((await poll()).status).toBe(200);

    await server.call(removeConnection, { service: 'spotify' }, { token });

    expect(await poll()).toMatchObject({ status: 409, body: { code: 'not_linked' } });
  });

  test('after linking another account shows that account, and not what is remembered', async () => {
    const { music, token, link, poll } = await startLinked();
    await poll();
    music.stop();

    await link('spotify', token);

    expect((await poll()).status).toBe(204);
  });
});
